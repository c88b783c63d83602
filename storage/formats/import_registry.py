"""Registry of import formats, and the steps that preview and run an import.

Other packages add formats by the entry point group ``pyramidion.formats``, which names a `Format`, an
`Export` (`storage.formats.export_registry`) or several of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

from core.domain.annotator_filter import unknown_name_message
from core.domain.data_origin import DataOrigin
from core.domain.import_batch import ImportContent, ImportCounts
from core.errors import MAX_PROBLEMS, BadImport, InputError, MissingResource, Problem
from core.files.paths import access_errors, known_files, list_file_steps, list_files, printable_path
from core.ports import Study
from core.progress import JobSteps, Progress, run_to_completion
from storage.datasets.recognition import recognized_origin
from storage.formats.annotation_tools import brat, doccano, inception, label_studio, potato
from storage.formats.ducview import file_names
from storage.formats.ducview import reader as ducview
from storage.formats.format_types import Format, Options, Reader
from storage.formats.plugins import PLUGINS, added_formats
from storage.formats.readers import (
    arrow_records,
    citations,
    foreign_tables,
    lite2pyramid,
    mt_metrics_eval,
    nuggets,
    preferences,
    published_ratings,
    rose,
    rouge_settings,
    sacrerouge,
    scisumm,
    study_tables,
    summeval,
    table_cells,
    tac,
    text_folders,
)
from storage.formats.readers.csv_records import ENCODING, SEPARATOR, encoding_of, kind_of
from storage.formats.readers.fields import (
    LINES_TO_SKIP,
    UTF_8,
    decompressed,
    is_json_array,
    is_spread,
    line_of,
)
from storage.formats.readers.usage import Usage, listed, noted_steps

COLUMNS = "columns"
"""Name of the format for tables of other projects."""

DATA_SET = "data-set"
FOREIGN = (COLUMNS, DATA_SET)
"""Formats whose columns are guessed."""

UPDATE = "update"
"""Option: ``yes`` replaces the titles, queries and sets of existing topics, and existing ratings."""

EDITOR = "as"
"""Option: name or id of the annotator who replaces ratings and can undo it."""

SKIP_BAD_ROWS = "skip"
"""Option: ``yes`` skips rows with problems."""


def _without_study(read: Callable[[Path, Options], JobSteps[ImportContent]]) -> Reader:
    """Adapt a reader that does not use the study."""
    return lambda path, options, study: read(path, options)


_JSONL = (".jsonl", ".ndjson", ".json")
_TABLES = table_cells.SUFFIXES


def _has_suffix(path: Path, suffixes: Sequence[str]) -> bool:
    with access_errors(path):
        return kind_of(path) in suffixes and not path.is_dir()


def _is_summeval(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and {"model_id", "decoded"} <= _first_keys(path)


def _is_sacrerouge(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and sacrerouge.is_header(_first_keys(path))


def _is_rose(path: Path) -> bool:
    if _has_suffix(path, (arrow_records.PARQUET,)):
        with suppress(InputError, MissingResource):  # the reader reports the error
            return rose.is_header(set(arrow_records.parquet_columns(path)))
    return _has_suffix(path, _JSONL) and rose.is_header(_first_keys(path))


def _is_nuggets(path: Path) -> bool:
    if _has_suffix(path, _TABLES):
        return {"kind", "nugget", "spans"} <= _headings(path)
    return _has_suffix(path, _JSONL) and "nuggets" in _first_keys(path)


def _is_preferences(path: Path) -> bool:
    if _has_suffix(path, _TABLES):
        return preferences.is_header(_headings(path))
    return _has_suffix(path, _JSONL) and preferences.is_header(_first_keys(path))


def _is_citations(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and citations.is_header(_first_keys(path))


def _is_doccano(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and doccano.is_header(_first_keys(path))


def _is_potato(path: Path) -> bool:
    if potato.is_folder(path):
        return True
    if _has_suffix(path, _TABLES):
        return potato.is_header(_headings(path))
    return _has_suffix(path, _JSONL) and potato.is_header(_first_keys(path))


def _is_scisumm(path: Path) -> bool:
    with access_errors(path):
        return path.is_dir() and any(map(scisumm.is_annotation, list_files(path)))


def _is_table(path: Path, options: Options | None = None) -> bool:
    if _has_suffix(path, _TABLES) or (_has_suffix(path, _JSONL) and _first_keys(path)):
        with suppress(InputError, MissingResource):  # the reader reports the error
            return foreign_tables.is_own_table(path, options or {})
    return False


def _is_foreign_table(path: Path) -> bool:
    return _has_suffix(path, _TABLES) or (_has_suffix(path, _JSONL) and len(_first_keys(path)) > 1)


def _is_qags(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and published_ratings.is_qags(_first_keys(path))


def _is_dialsummeval(path: Path) -> bool:
    return _has_suffix(path, _JSONL) and published_ratings.is_dialsummeval(_first_keys(path))


def _is_newsroom(path: Path) -> bool:
    return _has_suffix(path, _TABLES) and published_ratings.is_newsroom(_headings(path))


def _is_text_folders(path: Path) -> bool:
    with access_errors(path):
        is_one = path.is_dir() and any((path / name).is_dir() for name in text_folders.FOLDERS)
    return is_one and not lite2pyramid.is_folder(path)


def _is_rouge_settings(path: Path) -> bool:
    return _has_suffix(path, rouge_settings.SUFFIXES)


def _is_ducview(path: Path) -> bool:
    with access_errors(path):
        if path.is_dir():
            return any(map(file_names.is_named, list_files(path)))
    return _has_suffix(path, file_names.SUFFIXES)


def _first_keys(path: Path) -> set[str]:
    """Return the keys of the first object in a JSONL file, skipping up to 20 bad lines, or in an array."""
    try:
        encoding = encoding_of(path, {})
        with decompressed(path) as file:
            if is_json_array(path, encoding) or is_spread(path, encoding):
                start = file.read(2**24).decode(encoding, "replace").lstrip("\ufeff \t\r\n")
                return _keys_of(start.removeprefix("["))
            if encoding != UTF_8:
                return _keys_of(file.read(2**24).decode(encoding, "replace").lstrip("\ufeff"))
            for line in islice(iter(partial(file.readline, 2**24), b""), 20):
                if keys := _keys_of(line.decode("utf-8", "replace").removeprefix("\ufeff")):
                    return keys
    except InputError:
        pass  # the reader reports the error
    return set()


def _keys_of(text: str) -> set[str]:
    """Return the keys of the object at the start of a text, empty if there is none."""
    with suppress(ValueError, RecursionError):
        row, _ = json.JSONDecoder().raw_decode(text.lstrip())
        return set(row) if isinstance(row, dict) else set()
    return set()


def _headings(path: Path) -> set[str]:
    """Return the headings of a table, from its first line; those of the first sheet of a workbook."""
    try:
        return set(foreign_tables.sample(path, {}, is_own=True).columns)
    except (InputError, MissingResource):
        return set()  # the reader reports the error


_FORMATS = (
    Format(
        "summeval",
        "SummEval (JSONL)",
        "One summary per line with its source document, references, and expert and crowd ratings.",
        _without_study(summeval.read),
        _is_summeval,
        _JSONL,
        takes_documents=True,
        has_rows=True,
    ),
    Format(
        "sacrerouge",
        "sacrerouge (JSONL)",
        "One summary per line with its references and documents, or its scores and ratings.",
        _without_study(sacrerouge.read),
        _is_sacrerouge,
        _JSONL,
        has_rows=True,
    ),
    Format(
        "nuggets",
        "Nuggets (JSONL, CSV)",
        "Nuggets of topics with their occurrences and hits, also as nuggetizer writes them.",
        nuggets.read,
        _is_nuggets,
        (*_JSONL, *_TABLES),
        has_rows=True,
        is_table=True,
    ),
    Format(
        "preferences",
        "Comparisons (CSV, TSV, JSONL)",
        "Answers to comparisons of summaries: pairs with a winner, or the best and the worst of several.",
        _without_study(preferences.read),
        _is_preferences,
        (*_TABLES, *_JSONL),
        has_rows=True,
        is_table=True,
    ),
    Format(
        "citations",
        "Citances (JSONL)",
        "Citing papers, their citances, the parts that these cite, and facets, as exported.",
        _without_study(citations.read),
        _is_citations,
        _JSONL,
        has_rows=True,
    ),
    Format(
        "scisumm",
        "CL-SciSumm, BiomedSumm (folders)",
        "Articles with the citances of other papers: TOPIC/annotation/*.ann.txt, and articles and summaries.",
        _without_study(scisumm.read),
        _is_scisumm,
    ),
    Format(
        "frank",
        "FRANK (JSON)",
        "Summaries with the factual errors of each sentence, by three annotators: a file, or its folder.",
        _without_study(published_ratings.read_frank),
        published_ratings.is_frank,
        (".json",),
        takes_folders=True,
    ),
    Format(
        "qags",
        "QAGS (JSONL)",
        "Summaries with yes or no for the consistency of each sentence, by three workers.",
        _without_study(published_ratings.read_qags),
        _is_qags,
        _JSONL,
        has_rows=True,
    ),
    Format(
        "dialsummeval",
        "DialSummEval (JSONL)",
        "Summaries of dialogues with four ratings by three annotators.",
        _without_study(published_ratings.read_dialsummeval),
        _is_dialsummeval,
        _JSONL,
        has_rows=True,
    ),
    Format(
        "newsroom",
        "Newsroom ratings (CSV)",
        "Summaries of articles with four ratings by three workers each.",
        _without_study(published_ratings.read_newsroom),
        _is_newsroom,
        _TABLES,
        has_rows=True,
        is_table=True,
    ),
    Format(
        "brat",
        "brat (folder)",
        "Texts with SCUs, nuggets or marked spans: NAME.txt and NAME.ann, in a folder per annotator.",
        brat.read,
        brat.recognises,
        asks_annotator=True,
    ),
    Format(
        "label-studio",
        "Label Studio (JSON)",
        "Exported tasks with ratings, choices, labelled spans and pairwise answers.",
        label_studio.read,
        label_studio.recognises,
        (".json",),
        asks_annotator=True,
    ),
    Format(
        "potato",
        "Potato (JSONL, CSV, TSV, folder)",
        "Annotated instances with labels and spans, in one file or in a folder per annotator.",
        potato.read,
        _is_potato,
        (*_JSONL, *_TABLES),
        takes_folders=True,
        asks_annotator=True,
    ),
    Format(
        "doccano",
        "doccano (JSONL)",
        "Texts with labelled spans or with labels.",
        doccano.read,
        _is_doccano,
        _JSONL,
        asks_annotator=True,
    ),
    Format(
        "inception",
        "INCEpTION (UIMA CAS XMI, JSON)",
        "Documents with annotations: a file, or an archive or folder of exported documents.",
        inception.read,
        inception.recognises,
        inception.SUFFIXES,
        takes_folders=True,
        asks_annotator=True,
    ),
    Format(
        "table",
        "Table (CSV, TSV, XLSX, Parquet, JSONL)",
        "Texts, ratings or scores, in the columns that the program writes: topic, system, text and others.",
        _without_study(study_tables.read),
        _is_table,
        (*_TABLES, *_JSONL),
        has_rows=True,
        has_columns=True,
        is_table=True,
    ),
    Format(
        "rose",
        "RoSE (JSON, JSONL, Parquet)",
        "Atomic content units of references with labels for each summary, and ratings by other protocols.",
        _without_study(rose.read),
        _is_rose,
        (*_JSONL, arrow_records.PARQUET),
        has_rows=True,
    ),
    Format(
        "lite2pyramid",
        "Lite²Pyramid, REALSumm (folder)",
        "SCUs of one topic per line in SCUs.txt, with summaries/SYSTEM.summary and labels/SYSTEM.label.",
        _without_study(lite2pyramid.read),
        lite2pyramid.is_folder,
    ),
    Format(
        "mt-metrics-eval",
        "mt-metrics-eval (folder)",
        "A test set with texts, human scores and metric scores, one segment per line.",
        _without_study(mt_metrics_eval.read),
        mt_metrics_eval.is_folder,
    ),
    Format(
        "tac",
        "TAC, DUC (NIST folders)",
        "Summaries named as D0801-A.M.100.A.1, documents, topic statements and tables of NIST's evaluations.",
        _without_study(tac.read),
        tac.is_tac,
    ),
    Format(
        "folders",
        "Text folders",
        "documents/TOPIC/*, references/TOPIC.AUTHOR and summaries/TOPIC.SYSTEM, one text per file.",
        _without_study(text_folders.read),
        _is_text_folders,
    ),
    Format(
        "rouge-settings",
        "ROUGE settings (XML)",
        "A ROUGE-1.5.5 settings file and the system and reference texts it refers to.",
        _without_study(rouge_settings.read),
        _is_rouge_settings,
        rouge_settings.SUFFIXES,
        names_texts=True,
    ),
    Format(
        "ducview",
        "DUCView (.pyr, .pan)",
        "Pyramids and their matches in summaries: one file, or a folder of files named by topic and system.",
        ducview.read,
        _is_ducview,
        file_names.SUFFIXES,
        takes_folders=True,
        names_files=True,
    ),
    Format(
        COLUMNS,
        "Table of another project (CSV, XLSX, Parquet, JSON)",
        "One row per summary or rating; what each column contains is guessed and can be changed.",
        _without_study(foreign_tables.read),
        _is_foreign_table,
        (*_TABLES, *_JSONL),
        has_rows=True,
        has_columns=True,
        is_table=True,
    ),
    Format(
        DATA_SET,
        "Data set (folder of Parquet, Arrow or JSONL)",
        "A Hugging Face data set on disk; what each column contains is guessed and can be changed.",
        _without_study(foreign_tables.read),
        arrow_records.is_data_set,
        has_columns=True,
        is_table=True,
    ),
)
_ALIASES = {"csv": "table", "tsv": "table", "jsonl": "table"}


@dataclass(frozen=True, slots=True)
class Preview:
    """Result of a dry run: the counts, or the problems that prevent the import."""

    format: Format
    incoming: ImportContent | None = None
    counts: ImportCounts | None = None
    problems: tuple[Problem, ...] = field(default=())


OWN_NAMES = frozenset({*(kind.name for kind in _FORMATS), *_ALIASES})
"""Names that no package may give to its formats."""


def formats() -> Sequence[Format]:
    """Return every import format, those of other packages last."""
    return (*_FORMATS, *added_formats())


def find(name: str) -> Format:
    """Return a format by name. Raises InputError for an unknown name."""
    for known in formats():
        if known.name == _ALIASES.get(name, name):
            return known
    if failure := PLUGINS.failure_of(name):
        raise InputError(failure)
    raise InputError(
        f"Unknown import format {name!r}. Choose one of: {', '.join(f.name for f in formats())}."
    )


def detect(path: Path) -> Format | None:
    """Return the format that a file or folder seems to have, or None."""
    return run_to_completion(detection_steps(path))


def detection_steps(path: Path) -> JobSteps[Format | None]:
    """Return what `detect` returns. A folder is read once, whatever the number of formats."""
    yield Progress(0, 0, f"reading {printable_path(path.name)}")
    with access_errors(path):
        is_folder = path.is_dir()
    files = (yield from list_file_steps(path)) if is_folder else []
    table = _FORMATS.index(find("table"))  # recognises every file of its suffixes
    in_order = (*_FORMATS[:table], *added_formats(), *_FORMATS[table:])
    for done, known in enumerate(in_order):
        yield Progress(done, len(in_order), "detecting the format")
        with known_files(path, files) if is_folder else nullcontext():
            if known.recognises(path):
                return known
    return None


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A file or folder to import, its format and the reader's options."""

    path: Path
    format: Format
    options: Options = field(default_factory=dict)

    @property
    def skips_bad_rows(self) -> bool:
        return self.options.get(SKIP_BAD_ROWS) == "yes"

    @property
    def is_update(self) -> bool:
        return self.options.get(UPDATE) == "yes"


def import_request(path: Path, name: str = "", options: Options | None = None) -> ImportRequest:
    """Resolve a path and a format name to a request.

    name: of the format; empty = detect it from the path.
    Raises InputError if the path does not exist, the format is unknown, or the options do not fit it.
    """
    with access_errors(path):
        exists, is_folder = path.exists(), path.is_dir()
    if not exists:
        raise InputError(f"{printable_path(path)} does not exist. Check the name.")
    known = find(name) if name else detect(path)
    tables = [find(each) for each in (COLUMNS, "table")]
    if not name and known in tables and foreign_tables.assignments(options or {}):
        known = tables[_is_table(path, options)]
    if known is None:
        names = ", ".join(each.name for each in formats())
        raise InputError(
            f"The format of {printable_path(path)} could not be detected from its name and first lines. "
            f"Choose one with --format: {names}."
        )
    request = ImportRequest(path, known, dict(options or {}))
    if is_folder == bool(known.suffixes) and not known.takes_folders:
        actual, required = ("a folder", "a file") if known.suffixes else ("a file", "a folder")
        raise InputError(
            f"{printable_path(path)} is {actual}, but the format {known.name} requires {required}. "
            "Choose another path or format."
        )
    if request.options.get("documents") and not known.takes_documents:
        supported = ", ".join(each.name for each in formats() if each.takes_documents)
        raise InputError(
            f"--documents is supported only for {supported}; {known.name} has its own place for documents. "
            "Leave the option out."
        )
    table_options = [name for name in (ENCODING, SEPARATOR, table_cells.PART) if request.options.get(name)]
    if table_options and not known.is_table:
        raise InputError(
            f"--{table_options[0]} is supported only for tables; {known.name} is none. Leave the option out."
        )
    if request.skips_bad_rows and not known.has_rows:
        supported = ", ".join(each.name for each in formats() if each.has_rows)
        raise InputError(
            f"Bad rows can be skipped only for {supported}; {known.name} has no rows. Correct the files "
            "instead."
        )
    return request


def read_steps(request: ImportRequest, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a file or folder. study: the open study, used by formats that compare with its texts.

    Raises BadImport with every problem, InputError if a file cannot be opened.
    """
    try:
        if request.skips_bad_rows:
            incoming = yield from _read_good_rows(request, study)
        else:
            incoming = yield from _read_noted(request, request.options, study)
    except MemoryError as error:
        raise InputError(
            f"{printable_path(request.path)} could not be read: not enough memory. Close other "
            "programs, or split the file."
        ) from error
    return replace(incoming, is_update=request.is_update)


def _read_noted(request: ImportRequest, options: Options, study: Study | None) -> JobSteps[ImportContent]:
    """Read a file or folder, and name the columns, keys and files in it that were not used."""
    seen = Usage()
    incoming = yield from noted_steps(request.format.read(request.path, options, study), seen)
    notices = []
    path = None if request.format.package else request.path  # packages may open files in their own way
    for file, names in seen.unused(path):
        what = f"Not used: {listed(names)}." if file else f"Files that were not used: {listed(names)}."
        notices.append(Problem(file or incoming.source, "", "", what, ""))
    return replace(incoming, notices=(*incoming.notices, *notices))


def _read_good_rows(request: ImportRequest, study: Study | None) -> JobSteps[ImportContent]:
    """Read a file without the rows that have problems; these are listed in the result.

    Raises BadImport if a problem does not belong to one row, such as one in a header, or if there are too
    many.
    """
    head = 0 if kind_of(request.path) in _JSONL else 1  # the line of column names
    skipped: dict[int, Problem] = {}
    while True:
        lines = ",".join(map(str, sorted(skipped)))
        try:
            incoming = yield from _read_noted(request, {**request.options, LINES_TO_SKIP: lines}, study)
        except BadImport as bad:
            pairs = (replace(one, place=one.other_place) for one in bad.problems if one.other_place)
            each = [*bad.problems, *pairs]  # of two that contradict each other, none is better
            bad_lines = {line_of(problem): problem for problem in reversed(each)}  # first per line
            is_new = bool(bad_lines.keys() - skipped.keys())
            if min(bad_lines) <= head or len(bad.problems) >= MAX_PROBLEMS or not is_new:
                raise
            skipped = bad_lines | skipped
        else:
            rows = tuple(skipped[line] for line in sorted(skipped))
            return replace(incoming, skipped=rows, skips_bad_rows=True)


def read(path: Path, name: str = "", options: Options | None = None) -> ImportContent:
    """Read a file or folder, without progress."""
    return run_to_completion(read_steps(import_request(path, name, options)))


def preview_steps(study: Study, request: ImportRequest) -> JobSteps[Preview]:
    """Compute what an import would change, without writing anything."""
    try:
        incoming = yield from read_steps(request, study)
        yield Progress(0, 0, "comparing with the study")
        return Preview(request.format, incoming, study.import_data(incoming, dry_run=True))
    except BadImport as bad:
        return Preview(request.format, problems=bad.problems)


def _editor_id(study: Study, name: str) -> str | None:
    """Return the id of the annotator of the option EDITOR, empty = nobody. Raises InputError if unknown."""
    people = study.annotators.all() if name else ()
    found = next((person.id for person in people if name in (person.name, person.id)), None)
    if name and found is None:
        raise InputError(unknown_name_message("annotator", name, [person.name for person in people]))
    return found


def import_steps(
    study: Study, request: ImportRequest, origin: DataOrigin | None = None
) -> JobSteps[ImportCounts]:
    """Read the data and write it to the study in one transaction, then where the data are from.

    origin: the public data set, None = the one that is recognized, if any.
    """
    editor = _editor_id(study, request.options.get(EDITOR, ""))
    incoming = yield from read_steps(request, study)
    if origin is None:
        origin = recognized_origin(request.path, request.format.name, incoming)
    yield Progress(0, 0, "writing to the study")
    counts = study.import_data(incoming, annotator_id=editor)
    if origin is not None:
        study.settings.save(origin.setting, origin.to_text()).result()
    return counts
