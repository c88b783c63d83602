"""Import formats: detection, and the steps that preview and run an import."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.domain.data_origin import DataOrigin
from core.domain.import_batch import ImportContent, ImportCounts
from core.errors import MAX_PROBLEMS, BadImport, InputError, Problem
from core.files.atomic_write import atomic_open
from core.files.paths import access_errors, known_files, list_file_steps, printable_path
from core.names import resolve_name
from core.ports import Study
from core.progress import JobSteps, Progress, run_to_completion
from storage.datasets.recognition import recognized_origin
from storage.formats.format_types import Format, Options
from storage.formats.mappings import foreign_tables
from storage.formats.mappings.formats import MAPPING_SUFFIX, mapped_format, mapping_file, user_mappings
from storage.formats.mappings.mapping import read_mapping
from storage.formats.readers.fields import LINES_TO_SKIP, kind_of, line_of
from storage.formats.readers.tables import table_cells
from storage.formats.readers.tables.csv_records import ENCODING, JSONL, SEPARATOR
from storage.formats.readers.usage import read_noted
from storage.formats.registry import ALIASES, FORMATS, PLUGINS, added_formats
from storage.user_folders import mappings_folder

MAPPING = "import-mapping."
"""Beginning of the settings of a study with the mappings by which its tables were imported."""

UPDATE = "update"
"""Option: ``yes`` replaces the titles, queries and sets of existing topics, and existing ratings."""

EDITOR = "as"
"""Option: name or id of the annotator who replaces ratings and can undo it."""

SKIP_BAD_ROWS = "skip"
"""Option: ``yes`` skips rows with problems."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Result of a dry run: the counts, or the problems that prevent the import."""

    format: Format
    incoming: ImportContent | None = None
    counts: ImportCounts | None = None
    problems: tuple[Problem, ...] = field(default=())


def formats() -> Sequence[Format]:
    """Return every import format: the program's, those of other packages, and mappings of the user."""
    return (*FORMATS, *added_formats(), *user_mappings())


def find(name: str, study: Study | None = None) -> Format:
    """Return a format by name, or that of a mapping in a file or in a study.

    Raises InputError for an unknown name.
    """
    if name.endswith(MAPPING_SUFFIX):
        return mapping_file(Path(name))
    known = {one.name: one for one in formats()}
    name = ALIASES.get(name, name)
    if name not in known and study is not None and (text := study.settings.get(f"{MAPPING}{name}")):
        return mapped_format(name, text)
    if name not in known and (failure := PLUGINS.failure_of(name)):
        raise InputError(failure)
    return known[resolve_name("import format", name, known, "`pyramidion import --help` lists them")]


def add_mapping(text: str, name: str) -> Path:
    """Keep a mapping in the user's folder, where it is recognized and found by its name.

    Raises InputError if it cannot be read, or if the program or the user has one of this name.
    """
    read_mapping(text, name)
    if not name.replace("-", "").replace("_", "").isalnum():
        raise InputError(f"{name!r} is no name of a mapping. Use letters, digits, - and _.")
    if name in {known.name for known in formats()}:
        raise InputError(f"There is a format {name} already. Remove it first, or choose another name.")
    file = mappings_folder() / f"{name}{MAPPING_SUFFIX}"
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_open(file) as out:
        out.write(text)
    return file


def detect(path: Path) -> Format | None:
    """Return the format that a file or folder seems to have, or None."""
    return run_to_completion(detection_steps(path))


def detection_steps(path: Path) -> JobSteps[Format | None]:
    """Return what `detect` returns. A folder is read once, whatever the number of formats."""
    yield Progress(0, 0, f"reading {printable_path(path.name)}")
    with access_errors(path):
        is_folder = path.is_dir()
    files = (yield from list_file_steps(path)) if is_folder else []
    table = FORMATS.index(find("table"))  # recognises every file of its suffixes
    in_order = (*user_mappings(), *FORMATS[:table], *added_formats(), *FORMATS[table:])
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


def import_request(
    path: Path, name: str = "", options: Options | None = None, study: Study | None = None
) -> ImportRequest:
    """Resolve a path and a format name to a request.

    name: of the format; empty = detect it from the path. study: may have a mapping of this name.
    Raises InputError if the path does not exist, the file is empty, the format is unknown, or the options
    do not fit it.
    """
    with access_errors(path):
        exists, is_folder = path.exists(), path.is_dir()
        is_empty = path.is_file() and not path.stat().st_size
    if not exists:
        raise InputError(f"{printable_path(path)} does not exist. Check the name.")
    if is_empty:
        raise InputError(f"{printable_path(path)} is empty. Choose another file, or write it again.")
    known = find(name, study) if name else detect(path)
    tables = [foreign_tables.FORMAT, foreign_tables.OWN]
    if not name and known and known.has_rows and foreign_tables.assignments(options or {}):
        known = tables[foreign_tables.is_own_table(path, options)]
    if known is None:
        raise InputError(
            f"The format of {printable_path(path)} could not be detected from its name and first lines. "
            "Choose one with --format; `pyramidion import --help` lists them."
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
    if request.skips_bad_rows:
        incoming = yield from _read_good_rows(request, study)
    else:
        incoming = yield from read_noted(request.format, request.path, request.options, study)
    return replace(incoming, is_update=request.is_update)


def _read_good_rows(request: ImportRequest, study: Study | None) -> JobSteps[ImportContent]:
    """Read a file without the rows that have problems; these are listed in the result.

    Raises BadImport if a problem does not belong to one row, such as one in a header, or if there are too
    many.
    """
    head = 0 if kind_of(request.path) in JSONL else 1  # the line of column names
    skipped: dict[int, Problem] = {}
    while True:
        lines = ",".join(map(str, sorted(skipped)))
        try:
            options = {**request.options, LINES_TO_SKIP: lines}
            incoming = yield from read_noted(request.format, request.path, options, study)
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
    if not name:
        return None
    people = study.annotators.all()
    ids = {person.name: person.id for person in people}
    return name if name in ids.values() else ids[resolve_name("annotator", name, ids)]


def import_steps(
    study: Study, request: ImportRequest, origin: DataOrigin | None = None
) -> JobSteps[ImportCounts]:
    """Read the data and write it to the study as one edit, with where the data are from.

    origin: the public data set, None = the one that is recognized, if any.
    """
    editor = _editor_id(study, request.options.get(EDITOR, ""))
    incoming = yield from read_steps(request, study)
    if origin is None:
        origin = recognized_origin(request.path, request.format.name, incoming)
    settings = {} if origin is None else {origin.setting: origin.to_text()}
    if incoming.mapping:
        is_guess = request.format.is_foreign
        name = request.path.name.split(".")[0] if is_guess else request.format.name
        settings[f"{MAPPING}{name}"] = incoming.mapping
    yield Progress(0, 0, "writing to the study")
    return study.import_data(replace(incoming, settings=settings), annotator_id=editor)
