"""Every format that can be read: what it is called, how it is recognised, who reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

from core.errors import MAX_PROBLEMS, BadImport, InputError, Problem
from core.files.paths import access_errors, list_files, printable_path
from core.ports import ImportContent, ImportCounts, TextStore
from core.progress import JobSteps, Progress
from core.progress import run_to_completion as run_to_end
from storage.formats.ducview import file_names
from storage.formats.ducview import reader as ducview
from storage.formats.readers import rouge_settings, sacrerouge, study_tables, summeval, text_folders
from storage.formats.readers.fields import LINES_TO_SKIP, line_of, opened

Options = Mapping[str, str]
Reader = Callable[[Path, Options, TextStore | None], JobSteps[ImportContent]]


@dataclass(frozen=True, slots=True)
class Format:
    """One way in.

    read: takes a path, options, and the study beside which it reads. suffixes: what its files end with,
    none = a folder. takes_folders: files and folders of them alike, whose names follow a pattern.
    has_columns: names can be mapped. takes_documents: source documents may lie in a folder of their own.
    names_texts: it names texts that may lie outside of its folder. has_rows: single lines can be left out.
    """

    name: str
    title: str
    about: str
    read: Reader
    suffixes: tuple[str, ...] = ()
    has_columns: bool = False
    takes_documents: bool = False
    takes_folders: bool = False
    names_texts: bool = False
    has_rows: bool = False


UPDATE_TOPICS = "update"
"""The option that replaces titles, queries and sets of topics where it is ``yes``."""

SKIP_BAD_ROWS = "skip"
"""The option that leaves out rows with problems where it is ``yes``."""


def _without_study(read: Callable[[Path, Options], JobSteps[ImportContent]]) -> Reader:
    """A reader that needs no study."""
    return lambda path, options, study: read(path, options)


_JSONL = (".jsonl", ".ndjson", ".json")
_FORMATS = (
    Format(
        "summeval",
        "SummEval (JSONL)",
        "One summary per line with its article, references, and expert and crowd ratings.",
        _without_study(summeval.read),
        _JSONL,
        takes_documents=True,
        has_rows=True,
    ),
    Format(
        "sacrerouge",
        "sacrerouge (JSONL)",
        "One summary per line with its references and documents, or metrics computed elsewhere.",
        _without_study(sacrerouge.read),
        _JSONL,
        has_rows=True,
    ),
    Format(
        "table",
        "Table (CSV, TSV, JSONL)",
        "Texts, ratings or scores in columns such as topic, system and text.",
        _without_study(study_tables.read),
        (".csv", ".tsv", ".tab", *_JSONL),
        has_rows=True,
        has_columns=True,
    ),
    Format(
        "folders",
        "Text folders",
        "documents/TOPIC/*, references/TOPIC.AUTHOR and summaries/TOPIC.SYSTEM, one text per file.",
        _without_study(text_folders.read),
    ),
    Format(
        "rouge-settings",
        "ROUGE settings (XML)",
        "ROUGE-1.5.5's settings file with the system and reference texts that it names.",
        _without_study(rouge_settings.read),
        rouge_settings.SUFFIXES,
        names_texts=True,
    ),
    Format(
        "ducview",
        "DUCView (.pyr, .pan)",
        "Pyramids and what they find in summaries: a file, or a folder of files named by topic and system.",
        ducview.read,
        file_names.SUFFIXES,
        takes_folders=True,
    ),
)
_ALIASES = {"csv": "table", "tsv": "table", "jsonl": "table"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do: the counts, or the problems that forbid it."""

    format: Format
    incoming: ImportContent | None = None
    counts: ImportCounts | None = None
    problems: tuple[Problem, ...] = field(default=())


def formats() -> Sequence[Format]:
    """Every format that can be read."""
    return _FORMATS


def find(name: str) -> Format:
    """The format of that name. Raises InputError that lists the known ones."""
    for known in _FORMATS:
        if known.name == _ALIASES.get(name, name):
            return known
    raise InputError(f"No format is called {name!r}. Known: {', '.join(f.name for f in _FORMATS)}.")


def detect(path: Path) -> Format | None:
    """The format that a file or folder seems to have, None = no idea."""
    with access_errors(path):
        if path.is_dir():
            if any((path / name).is_dir() for name in text_folders.FOLDERS):
                return find("folders")
            return find("ducview") if any(map(file_names.is_named, list_files(path))) else None
    suffix = path.suffix.lower()
    if suffix in file_names.SUFFIXES:
        return find("ducview")
    if suffix in rouge_settings.SUFFIXES:
        return find("rouge-settings")
    if suffix not in _JSONL:
        return find("table") if suffix in find("table").suffixes else None
    keys = _first_keys(path)
    if {"model_id", "decoded"} <= keys:
        return find("summeval")
    if {"instance_id", "summarizer_id"} <= keys:
        return find("sacrerouge")
    return find("table") if "topic" in keys else None


def _first_keys(path: Path) -> set[str]:
    """The keys of a JSONL file's first object; a few bad lines do not hide which format it has."""
    try:
        with opened(path) as file:
            for line in islice(iter(partial(file.readline, 2**24), b""), 20):
                with suppress(ValueError, RecursionError):
                    row = json.loads(line.removeprefix(b"\xef\xbb\xbf").decode())
                    if isinstance(row, dict):
                        return set(row)
    except InputError:
        pass  # reading it will say why
    return set()


def read_steps(
    path: Path, name: str, options: Options | None = None, study: TextStore | None = None
) -> JobSteps[ImportContent]:
    """Read a file or folder, beside a study where there is one.

    Raises BadImport with every problem, InputError where it cannot be opened.
    """
    with access_errors(path):
        is_there, is_folder = path.exists(), path.is_dir()
    if not is_there:
        raise InputError(f"{printable_path(path)} does not exist. Check the name.")
    known = find(name)
    if is_folder == bool(known.suffixes) and not known.takes_folders:
        found, wanted = ("a folder", "a file") if known.suffixes else ("a file", "a folder")
        raise InputError(
            f"{printable_path(path)} is {found}, but {known.name} reads {wanted}. Choose another."
        )
    if (options or {}).get("documents") and not known.takes_documents:
        able = ", ".join(known.name for known in _FORMATS if known.takes_documents)
        raise InputError(
            f"--documents goes with {able}; {known.name} has its own place for documents. Leave it out."
        )
    try:
        if (options or {}).get(SKIP_BAD_ROWS) == "yes":
            return (yield from _reading_good_rows(known, path, options or {}, study))
        return (yield from known.read(path, options or {}, study))
    except MemoryError as error:
        raise InputError(
            f"{printable_path(path)} could not be read: out of memory. Close other programs, or split it."
        ) from error


def _reading_good_rows(
    known: Format, path: Path, options: Options, study: TextStore | None
) -> JobSteps[ImportContent]:
    """Read a file without the rows that have problems, which are noted.

    Raises BadImport where a problem is of no single row, as in a table's header, or of far too many.
    """
    if not known.has_rows:
        able = ", ".join(known.name for known in _FORMATS if known.has_rows)
        raise InputError(
            f"{known.name} has no rows that could be skipped; {able} have. Correct the files instead."
        )
    head = 0 if path.suffix.lower() in _JSONL else 1  # the line of column names
    skipped: dict[int, Problem] = {}
    while True:
        lines = ",".join(map(str, sorted(skipped)))
        try:
            incoming = yield from known.read(path, {**options, LINES_TO_SKIP: lines}, study)
        except BadImport as bad:
            found = {line_of(problem): problem for problem in reversed(bad.problems)}  # the first of each
            if min(found) <= head or len(bad.problems) >= MAX_PROBLEMS or not found.keys() - skipped.keys():
                raise
            skipped = found | skipped
        else:
            rows = tuple(skipped[line] for line in sorted(skipped))
            return replace(incoming, skipped=rows, skips_bad_rows=True)


def read(path: Path, name: str, options: Options | None = None) -> ImportContent:
    """Read a file or folder in one go."""
    return run_to_end(read_steps(path, name, options))


def preview_steps(
    study: TextStore, path: Path, name: str, options: Options | None = None
) -> JobSteps[Preview]:
    """Say what an import would do, without doing it."""
    known = find(name)
    try:
        incoming = _updating((yield from read_steps(path, name, options, study)), options)
        yield Progress(0, 0, "comparing with the study")
        return Preview(known, incoming, study.import_data(incoming, dry_run=True))
    except BadImport as bad:
        return Preview(known, problems=bad.problems)


def import_steps(
    study: TextStore, path: Path, name: str, options: Options | None = None
) -> JobSteps[ImportCounts]:
    """Read and write in one transaction, or not at all."""
    incoming = _updating((yield from read_steps(path, name, options, study)), options)
    yield Progress(0, 0, "writing to the study")
    return study.import_data(incoming)


def _updating(incoming: ImportContent, options: Options | None) -> ImportContent:
    return replace(incoming, updates_topics=(options or {}).get(UPDATE_TOPICS) == "yes")
