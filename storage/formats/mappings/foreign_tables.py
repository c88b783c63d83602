"""Tables of other projects: CSV, TSV, XLSX, Parquet, JSON, and data sets on disk.

A mapping is made of what `column_roles` guesses and what the user assigns (options ``map.ROLE``). What was
guessed is always noted; what is unclear is a problem that an assignment solves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent
from core.errors import BadImport, InputError, MissingResource
from core.files.paths import access_errors, printable_path
from core.json_schema import from_plain
from core.names import first_names
from core.progress import JobSteps, run_to_completion
from storage.formats.format_types import Format, without_study
from storage.formats.mappings.document_files import DocumentFiles
from storage.formats.mappings.engine import MappedReader
from storage.formats.mappings.mapping import ImportMapping, document_of
from storage.formats.mappings.sources import table_rows
from storage.formats.mappings.values import KINDS, read_literal
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, kind_of, lines_to_skip, scale_of
from storage.formats.readers.recognition import keys_of, version_of
from storage.formats.readers.tables import arrow_records, study_tables, xlsx_records
from storage.formats.readers.tables.column_roles import (
    REJECTED,
    ColumnUse,
    Question,
    Reading,
    Role,
    are_several_texts,
    listed_names,
    reading_of,
)
from storage.formats.readers.tables.csv_records import ENCODING, JSONL, SEPARATOR, has_suffix
from storage.formats.readers.tables.table_cells import PART, as_text
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.usage import Record, Usage, noted_steps


@dataclass(frozen=True, slots=True)
class ListColumns:
    """Columns of lists.

    several: whether each has several texts, instead of the sentences of one. literals: those whose lists are
    written as texts.
    """

    several: Mapping[str, bool] = field(default_factory=dict)
    literals: frozenset[str] = frozenset()


def written_mapping(
    reading: Reading, lists: ListColumns, options: Mapping[str, str], suffixes: Sequence[str]
) -> dict[str, Any]:
    """Return the document of a mapping, as it is written.

    options: ``low`` and ``high``, the limits of ratings. suffixes: of files of this kind.
    """
    rows: dict[str, Any] = {"topic": _topic(reading)}
    for role in (Role.TITLE, Role.QUERY, Role.SET, Role.SYSTEM):
        if column := reading.column(role):
            rows[role.value] = _path(column)
    if column := reading.column(Role.REJECTED):
        rows["rejected"] = _changed(column, {"is": REJECTED})
    summaries = reading.of(Role.SUMMARY)
    is_one = len(summaries) == 1 and bool(summaries[0].name)
    if is_one and "system" not in rows:
        rows["system"] = _constant(summaries[0].name)
    rows["document"] = [_text(use, lists, use.name or use.column) for use in reading.of(Role.DOCUMENT)]
    rows["reference"] = _references(reading, lists)
    rows["summary"] = [_text(use, lists, use.name) | {"may_be_empty": True} for use in summaries]
    if "system" in rows:
        _add_numbers(rows, reading)
    limits = scale_of(options)
    columns = [use for use in reading.of(Role.RATING) if use.scale is not None]
    is_chosen = bool({"low", "high"} & set(options))
    scales = {use.name: use.scale for use in columns if not (use.is_guessed and is_chosen)}
    rows["scales_of"] = {name: list(scale) for name, scale in scales.items() if scale is not None}
    used = [use.column for use in reading.uses if use.role is not Role.IGNORE]
    return {
        "title": "Table",
        "about": "A table of another project.",
        "is_table": True,
        "scale": list(limits),
        "recognize": {"keys": used, "suffixes": list(suffixes)},
        "rows": {key: value for key, value in rows.items() if value not in ([], {})},
    }


def _topic(reading: Reading) -> Any:
    if reading.topic_texts:
        return _changed(reading.topic_texts, "distinct")
    return "$row" if reading.topic_is_row else _path(reading.column(Role.TOPIC))


def _path(column: str) -> Any:
    """Return a column as it is written in a mapping."""
    is_plain = column.replace("_", "a").isalnum() and column not in KINDS
    return column if is_plain else {"key": column}


def _constant(text: str) -> Any:
    """Return a text as it is written in a mapping."""
    return {"constant": text} if "{" in text else f"={text}"


def _changed(column: str, change: Any) -> dict[str, Any]:
    path = _path(column)
    return {**(path if isinstance(path, dict) else {"value": path}), "do": [change]}


def _rating(use: ColumnUse, reading: Reading) -> Any:
    is_answer = use.column in reading.answers
    return _changed(use.column, "yes_no") if is_answer else _path(use.column)


def _cell(column: str, lists: ListColumns) -> Any:
    return _changed(column, "literal") if column in lists.literals else _path(column)


def _text(use: ColumnUse, lists: ListColumns, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"text": _cell(use.column, lists)}
    if name:
        found["name"] = _constant(name)
    if lists.several.get(use.column):
        found["lists"] = "several"
    return found


def _references(reading: Reading, lists: ListColumns) -> list[dict[str, Any]]:
    """Return the references; of columns without an author, the first that is filled counts."""
    uses = sorted(reading.of(Role.REFERENCE), key=lambda use: use.column not in lists.several)
    found = [_text(use, lists, use.name) for use in uses if use.name]
    if unnamed := [use for use in uses if not use.name]:
        first: dict[str, Any] = {"text": [_cell(use.column, lists) for use in unnamed]}
        if any(lists.several.get(use.column) for use in unnamed):
            first["lists"] = "several"
        elif author := reading.column(Role.AUTHOR):
            first["name"] = _path(author)
        found.append(first)
    return found


def _add_numbers(rows: dict[str, Any], reading: Reading) -> None:
    """Add the ratings and scores of a row."""
    of_row: dict[str, Any] = {}
    for key, role in (("annotator", Role.ANNOTATOR), ("group", Role.GROUP), ("note", Role.NOTE)):
        if column := reading.column(role):
            of_row[key] = _path(column)
    judge = reading.column(Role.JUDGE)
    unless_judged = {"unless": _path(judge)} if judge else {}
    rows["rating"] = [
        {**of_row, "dimension": _constant(use.name), "value": _rating(use, reading)}
        | ({"annotator": _constant(use.annotator)} if use.annotator else {})
        for use in reading.of(Role.RATING)
    ]
    rows["score"] = [
        {"measure": _constant(use.name), "value": _path(use.column)} for use in reading.of(Role.SCORE)
    ]
    dimension, measure = reading.column(Role.DIMENSION), reading.column(Role.MEASURE)
    levels: list[dict[str, Any]] = []
    if judge:
        levels = [{**unless_judged, "rating": ratings}] if (ratings := rows.pop("rating")) else []
        judged = [(_constant(use.name), _rating(use, reading)) for use in reading.of(Role.RATING)]
        if dimension:
            judged += [(_path(dimension), _path(use.column)) for use in reading.of(Role.VALUE)]
        levels += [_judged(_path(judge), what, value) for what, value in judged]
    levels += [
        _judged(_constant(use.name), _path(dimension), _path(use.column))
        for use in reading.of(Role.JUDGE)
        if use.name
    ]
    for use in reading.of(Role.VALUE):
        if dimension:
            rating = {**of_row, "dimension": _path(dimension), "value": _path(use.column)}
            rating |= {"annotator": _constant(use.annotator)} if use.annotator else {}
            levels.append({"when": _path(dimension), **unless_judged, "rating": [rating]})
        if measure:
            unless = {"unless": _path(dimension)} if dimension else {}
            levels.append({**unless, "score": [{"measure": _path(measure), "value": _path(use.column)}]})
    rows["levels"] = levels


def _judged(judge: Any, dimension: Any, value: Any) -> dict[str, Any]:
    """Return the level of a row's rating by a judge, a score of the measure ``JUDGE.DIMENSION``."""
    names = {"judge": judge, "dimension": dimension}
    return {"when": judge, "let": names, "score": [{"measure": "={$judge}.{$dimension}", "value": value}]}


DEFAULT_ANNOTATOR = "imported"

_SAMPLE = 50
"""Rows by which columns are guessed."""
_NOTED = 40
"""Columns that the note on the guess lists."""
_SHOWN, _CHARACTERS = 3, 200
"""Rows of a preview, and characters of each value."""


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a table, or a folder with a data set.

    options: ``map.ROLE`` = a column; ``low`` and ``high`` of the ratings; ``annotator`` of ratings without
    one; those of `table_cells.values_of`.
    Raises BadImport with every problem and question.
    """
    reader = _TableReader(path, options)
    yield from table_rows(path, reader.problems, options, reader.take)
    return reader.content()


class _TableReader:
    """Reads a table by a mapping that it makes of the first rows."""

    def __init__(self, path: Path, options: Mapping[str, str]) -> None:
        self.problems = Problems(path.name, skipped=lines_to_skip(options))
        self._path, self._options = path, options
        self._columns: dict[str, None] = {}
        self._first: list[tuple[str, Record]] = []  # with their places
        self._reader: MappedReader | None = None
        self._written: dict[str, Any] = {}
        self._number = 0
        self._is_assumed = False

    def take(self, header: Sequence[str] | None, row: Record | None) -> None:
        """Read a row, as of `table_rows`; the first ones once there are enough of them."""
        if self._reader is not None:
            if row is not None:
                self._row(self._reader, row)
            return
        self._columns.update(dict.fromkeys(header if header is not None else row or ()))
        if row is None or self.problems.needs_encoding:
            return
        self._first.append((self.problems.place, row))
        if len(self._first) == _SAMPLE:
            self._read_first()

    def content(self) -> ImportContent:
        """Return the import. Raises BadImport with every problem and question."""
        if not self._first or (self._reader is None and self.problems.needs_encoding):
            self.problems.stop_if_any()
        if not self._columns:
            return self._draft().finish()
        reader = self._reader or self._read_first()
        content = replace(reader.content(), mapping=document_of(self._written), rows=self._number)
        return replace(content, assumed_annotator=DEFAULT_ANNOTATOR) if self._is_assumed else content

    def _draft(self) -> ImportDraft:
        return ImportDraft(printable_path(self._path.name), self.problems)

    def _row(self, reader: MappedReader, row: Record) -> None:
        self._number += 1
        reader.row(row, self._number)

    def _read_first(self) -> MappedReader:
        """Make the mapping, and read the first rows. Raises BadImport with every question."""
        options, is_data_set = self._options, self._path.is_dir()
        found = _sample_of(self._columns, [row.without_notes() for _, row in self._first])
        names = list(found.columns)
        reading = reading_of(names, found.rows, assignments(options), is_data_set=is_data_set)
        if reading.questions:
            self.problems.found.clear()  # of rows that may have another meaning
            self.problems.place = ""
            for question in reading.questions:
                self.problems.add(question.column, question.what, question.remedy, question.option)
            self.problems.stop_if_any()
        lists = ListColumns(_several(reading, found.rows), found.literals)
        suffixes = () if is_data_set else (*TABLES, *JSONL)
        self._written = written_mapping(reading, lists, options, suffixes)
        self._is_assumed = _has_unnamed(reading) and not options.get("annotator")
        for note in _notes(reading, lists.several, found.rows, options) if self._first else ():
            self.problems.note(*note)
        mapping: ImportMapping = from_plain(ImportMapping, self._written)
        options = {"annotator": DEFAULT_ANNOTATOR, **options}
        self._reader = MappedReader(mapping, self._draft(), options, DocumentFiles())
        for place, row in self._first:
            self.problems.place = place
            self._row(self._reader, row)
        return self._reader


@dataclass(frozen=True, slots=True)
class _Sample:
    """The columns and the first rows of a table. literals: columns with lists that are written as texts."""

    columns: tuple[str, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    literals: frozenset[str] = frozenset()
    needs_encoding: bool = False


class _Enough(Exception):
    """The sample is complete."""


def _first_rows(path: Path, options: Mapping[str, str]) -> _Sample:
    """Return the columns and the first rows of a table, without those that cannot be read.

    A version of a file is read once, since its detection and the list of its columns ask for them.
    """
    chosen = tuple((name, options.get(name, "")) for name in (ENCODING, SEPARATOR, PART))
    if path.is_dir():
        return _first_rows_of_version.__wrapped__(path, (), chosen)
    return _first_rows_of_version(path, version_of(path), chosen)


@lru_cache(maxsize=2)
def _first_rows_of_version(
    path: Path, version: tuple[int, ...], options: tuple[tuple[str, str], ...]
) -> _Sample:
    problems = Problems(path.name)
    rows: list[Mapping[str, Any]] = []
    columns: dict[str, None] = {}

    def take(header: Sequence[str] | None, row: Record | None) -> None:
        columns.update(dict.fromkeys(header if header is not None else row or ()))
        if row is not None:
            rows.append(row.without_notes())
        if len(rows) >= _SAMPLE:
            raise _Enough

    with suppress(_Enough, BadImport):
        run_to_completion(noted_steps(table_rows(path, problems, dict(options), take), Usage()))
    return _Sample(needs_encoding=True) if problems.needs_encoding else _sample_of(columns, rows)


def _sample_of(columns: Iterable[str], rows: Sequence[Mapping[str, Any]]) -> _Sample:
    names = tuple(columns)
    literals = frozenset(name for name in names if _has_literals([row.get(name) for row in rows]))
    read = (
        {key: read_literal(value) if key in literals else value for key, value in row.items()} for row in rows
    )
    return _Sample(names, tuple(read), literals)


def _has_literals(cells: Sequence[Any]) -> bool:
    """Return whether every filled cell of a column is a text that spells out a list of texts."""
    filled = [cell for cell in cells if cell not in (None, "")]
    if not filled or not all(isinstance(cell, str) and cell.lstrip().startswith("[") for cell in filled):
        return False
    lists = [read_literal(cell) for cell in filled]
    return all(isinstance(one, list) for one in lists) and any(
        isinstance(a, str) for one in lists for a in one
    )


def assignments(options: Mapping[str, str]) -> dict[str, str]:
    """Return the assigned columns by role."""
    return {key.removeprefix("map."): column for key, column in options.items() if key.startswith("map.")}


def _several(reading: Reading, rows: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Return the columns of lists, and whether their texts are several ones instead of sentences of one."""
    uses = (*reading.of(Role.DOCUMENT), *reading.of(Role.REFERENCE))
    lists = {use: [row[use.column] for row in rows if isinstance(row.get(use.column), list)] for use in uses}
    return {use.column: are_several_texts(use, found) for use, found in lists.items() if found}


def _has_unnamed(reading: Reading) -> bool:
    """Return whether there are ratings whose annotator no column names."""
    ratings = [use for use in reading.of(Role.RATING) if not use.annotator]
    has_unnamed = bool(ratings) or any(
        not use.annotator for use in reading.of(Role.VALUE) if reading.column(Role.DIMENSION)
    )
    return has_unnamed and not reading.column(Role.ANNOTATOR) and not reading.column(Role.JUDGE)


def _notes(
    reading: Reading,
    several: Mapping[str, bool],
    rows: Sequence[Mapping[str, Any]],
    options: Mapping[str, str],
) -> Iterator[tuple[str, ...]]:
    """Yield how the table is read."""
    yield note_of(reading)
    if _has_unnamed(reading):
        annotator = options.get("annotator") or DEFAULT_ANNOTATOR
        what = f"No column names the annotator; ratings are by {annotator}."
        remedy = "Choose it if there is one, or name the annotator."
        yield what, remedy, "--map annotator=NAME or --annotator NAME"
    for use in (*reading.of(Role.DOCUMENT), *reading.of(Role.REFERENCE)):
        if any(isinstance(row.get(use.column), list) and len(row[use.column]) > 1 for row in rows):
            is_own = several.get(use.column)
            each = f"a {use.role} of its own" if is_own else f"a sentence of one {use.role}"
            yield f"Each text in the lists of {use.column} is {each}.", ""


def note_of(reading: Reading) -> tuple[str, str, str]:
    """Return how columns are read, and the remedy and option that change it."""
    used = [
        f"{listed_names([use.column])} = {use.key}" for use in reading.uses if use.role is not Role.IGNORE
    ]
    assigned = [use for use in reading.uses if use.role is not Role.IGNORE and not use.is_guessed]
    guessed = " (guessed)" if not assigned else f" ({len(used) - len(assigned)} guessed)"
    rows = "row number = topic, " if reading.topic_is_row else ""
    if reading.topic_texts:
        rows = f"each text of {listed_names([reading.topic_texts])} = topic, "
    return f"Columns{guessed}: {rows}{first_names(used, _NOTED)}.", "", "--map ROLE=COLUMN to change it"


@dataclass(frozen=True, slots=True)
class TableSample:
    """The first rows of a table and how its columns are read, for a preview.

    rows: values as text, shortened. parts: sheets or splits to choose from; part: the chosen one.
    questions: what is unclear, about a column or (empty column) the whole table.
    needs_encoding: the first rows are not in the encoding in which they were read; there are no columns then.
    has_exclusive_owners: each row fills one of the columns document, author and system, not all the same one.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    uses: tuple[ColumnUse, ...] = ()
    questions: tuple[Question, ...] = ()
    parts: tuple[str, ...] = ()
    part: str = ""
    topic_is_row: bool = False
    needs_encoding: bool = False
    has_exclusive_owners: bool = False


def parts(path: Path) -> tuple[str, ...]:
    """Return the sheets of a workbook, visible ones first, or the splits of a data set."""
    with access_errors(path):
        if path.is_dir():
            return tuple(arrow_records.parts_of(path))
    if kind_of(path) in xlsx_records.SUFFIXES:
        return tuple(s.name for s in sorted(xlsx_records.sheets(path), key=lambda sheet: sheet.is_hidden))
    return ()


def sample(path: Path, options: Mapping[str, str], *, is_own: bool = False) -> TableSample:
    """Return the first rows of a table and the use of its columns.

    is_own: the use is not needed, because the table has the program's own columns.
    Raises InputError if the file cannot be read.
    """
    choices = parts(path)
    part = options.get(PART, "")
    if part not in choices:
        part = choices[0] if choices else ""
    options = {**options, PART: part}
    found = _first_rows(path, options)
    if found.needs_encoding:
        return TableSample(parts=choices, part=part, needs_encoding=True)
    names, rows = list(found.columns), found.rows
    shown = tuple(tuple(_shortened(row.get(name)) for name in names) for row in rows[:_SHOWN])
    owners = [tuple(name for name in _OWNERS if row.get(name) not in (None, "")) for row in rows]
    are_exclusive = len(set(owners)) > 1 and all(len(one) <= 1 for one in owners)
    about = tuple(names), shown
    chosen = TableSample(*about, parts=choices, part=part, has_exclusive_owners=are_exclusive)
    if is_own:
        return chosen
    wanted = {key: column for key, column in assignments(options).items() if column in (*names, "#")}
    try:
        reading = reading_of(names, rows, wanted, is_data_set=path.is_dir())
    except InputError:
        reading = reading_of(names, rows, {}, is_data_set=path.is_dir())
    return replace(chosen, uses=reading.uses, questions=reading.questions, topic_is_row=reading.topic_is_row)


def _shortened(value: Any) -> str:
    text = " ".join(as_text(value)[: 2 * _CHARACTERS].split())
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"


_OWNERS = ("document", "author", "system")


def is_own_table(path: Path, options: Mapping[str, str] | None = None) -> bool:
    """Return whether a file is a table of the program's own columns and no others.

    Others are allowed if the reader of other projects' tables cannot use them either, or if it cannot read
    the table: each row has one of several columns of owners, or a column is assigned to what only ours have.
    """
    if has_suffix(path, TABLES) or (has_suffix(path, JSONL) and keys_of(path)):
        with suppress(InputError, MissingResource):  # the reader reports the error
            return _has_own_columns(path, options or {})
    return False


def _has_own_columns(path: Path, options: Mapping[str, str]) -> bool:
    assigned = assignments(options)
    if not set(assigned) <= set(study_tables.COLUMNS):
        return False
    found = sample(path, options)
    names = {column: role for role, column in assigned.items()}
    own = {column for column in found.columns if names.get(column, column) in study_tables.COLUMNS}
    has = {names.get(column, column) for column in own}
    contents = {"text", "value", "title", "query", "set"} | {"anchors", "low"}
    has_texts_as_names = bool(has & {"document", "author"}) and "text" not in has
    if has_texts_as_names or not (("topic" in has and has & contents) or {"dimension", "low", "high"} <= has):
        return False
    if set(assigned) - set(Role) or (found.has_exclusive_owners and "text" in has):
        return True
    usable = {use.column for use in found.uses if use.role is not Role.IGNORE}
    return not ({*found.columns} - own) & usable


def _recognises(path: Path) -> bool:
    return has_suffix(path, TABLES) or (has_suffix(path, JSONL) and len(keys_of(path)) > 1)


FORMAT = Format(
    "columns",
    "Table of another project (CSV, XLSX, Parquet, JSON)",
    "One row per summary or rating; what each column contains is guessed and can be changed.",
    without_study(read),
    _recognises,
    (*TABLES, *JSONL),
    has_rows=True,
    has_columns=True,
    is_foreign=True,
    is_table=True,
)
DATA_SET = Format(
    "data-set",
    "Data set (folder of Parquet, Arrow or JSONL)",
    "A Hugging Face data set on disk; what each column contains is guessed and can be changed.",
    without_study(read),
    arrow_records.is_data_set,
    has_columns=True,
    is_foreign=True,
    is_table=True,
)
OWN = Format(
    "table",
    "Table (CSV, TSV, XLSX, Parquet, JSONL)",
    "Texts, ratings or scores, in the columns that the program writes: topic, system, text and others.",
    without_study(study_tables.read),
    is_own_table,
    (*TABLES, *JSONL),
    has_rows=True,
    has_columns=True,
    is_table=True,
)
