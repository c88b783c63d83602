"""Tables of other projects: CSV, TSV, XLSX, Parquet, JSON, and data sets on disk.

Columns are read as `column_roles` guesses them and as the user assigns them (options ``map.ROLE``). What was
guessed is always noted; what is unclear is a problem that an assignment solves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText
from core.errors import BadImport, InputError, MissingResource
from core.files.paths import access_errors, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import (
    Problems,
    Row,
    json_rows,
    lines_to_skip,
    name_field,
    new_text,
    scale_of,
)
from storage.formats.readers.tables import arrow_records, study_tables, xlsx_records
from storage.formats.readers.tables.column_roles import (
    ColumnUse,
    Question,
    Reading,
    Role,
    are_several_texts,
    listed_names,
    numbers_of,
    reading_of,
)
from storage.formats.readers.tables.csv_records import (
    JSONL,
    encoding_of,
    first_keys,
    has_suffix,
    is_json,
    kind_of,
)
from storage.formats.readers.tables.table_cells import PART, as_text, records_of
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.usage import Record, current

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
    problems = Problems(path.name, skipped=lines_to_skip(options))
    reader = _Reader(ImportDraft(printable_path(path.name), problems), options, is_data_set=path.is_dir())
    yield from _rows(path, problems, options, reader.take)
    return reader.finish()


def _rows(path: Path, problems: Problems, options: Mapping[str, str], take: Any) -> JobSteps[None]:
    """Pass on the columns, if the file names them, and each row."""
    usage, name = current(), printable_path(path.name)
    with access_errors(path):
        is_folder = path.is_dir()
    if is_folder:
        part = options.get(PART, "")
        for number, row in arrow_records.data_set_rows(path, problems, part):
            take(None, usage.record(row, name))
            if number % 200 == 0:
                yield Progress(0, 0, f"reading {name}, row {number:,}")
    elif is_json(path):

        def take_flat(row: Row) -> None:
            take(None, usage.record(arrow_records.flat(row), name))

        yield from json_rows(path, problems, take_flat, encoding_of(path, options), notes_use=False)
    else:

        def check(headings: Sequence[str]) -> None:
            take([name or f"column {place}" for place, name in enumerate(headings, 1)], None)

        for number, header, row in records_of(path, problems, options, check=check, is_typed=True):
            take(header, row)
            if number % 200 == 0:
                yield Progress(0, 0, f"reading {name}, row {number:,}")


def assignments(options: Mapping[str, str]) -> dict[str, str]:
    """Return the assigned columns by role."""
    return {key.removeprefix("map."): column for key, column in options.items() if key.startswith("map.")}


@dataclass(slots=True)
class _Reader:
    """Reads rows into a draft, once the first ones have shown how.

    several: columns whose lists have several texts instead of the sentences of one.
    """

    draft: ImportDraft
    options: Mapping[str, str]
    is_data_set: bool = False
    columns: dict[str, None] = field(default_factory=dict)
    first: list[tuple[str, Record]] = field(default_factory=list)
    reading: Reading | None = None
    number: int = 0
    blank: dict[tuple[str, str], None] = field(default_factory=dict)
    is_annotator_assumed: bool = False
    several: set[str] = field(default_factory=set)

    def take(self, header: Sequence[str] | None, row: Record | None) -> None:
        if row is None:
            self.columns = dict.fromkeys(header or ())
            return
        if self.reading is None:
            if header is None:
                self.columns |= dict.fromkeys(row.keys())
            self.first.append((self.draft.problems.place, row))
            if len(self.first) >= _SAMPLE:
                self._start()
        else:
            self._row(self.reading, row)

    def finish(self) -> ImportContent:
        if self.reading is None and self.columns and not self.draft.problems.found:
            self._start()
        for topic, system in self.blank:
            if system not in self.draft.topic(topic).summaries:
                self.draft.summary(topic, system, NewText(""))
        self.draft.problems.place = ""
        content = self.draft.finish()
        return replace(content, assumed_annotator=DEFAULT_ANNOTATOR) if self.is_annotator_assumed else content

    def _start(self) -> None:
        problems = self.draft.problems
        rows = [row.without_notes() for _, row in self.first]
        self.reading = reading_of(
            list(self.columns), rows, assignments(self.options), is_data_set=self.is_data_set
        )
        problems.place = ""
        for question in self.reading.questions:
            problems.add(question.column, question.what, question.remedy, question.option)
        problems.stop_if_any()
        problems.note(*note_of(self.reading))
        if self.reading.of(Role.RATING) or self.reading.of(Role.VALUE):
            self._note_annotator(self.reading)
        for use in (*self.reading.of(Role.DOCUMENT), *self.reading.of(Role.REFERENCE)):
            self._settle_lists(
                use, [row[use.column] for row in rows if isinstance(row.get(use.column), list)]
            )
        for place, row in self.first:
            problems.place = place
            self._row(self.reading, row)
        self.first.clear()

    def _settle_lists(self, use: ColumnUse, lists: Sequence[list[Any]]) -> None:
        """Decide whether the lists of a column are sentences of one text or several texts, and note it."""
        if lists and are_several_texts(use, lists):
            self.several.add(use.column)
        if any(len(one) > 1 for one in lists):
            each = (
                f"a {use.role} of its own" if use.column in self.several else f"a sentence of one {use.role}"
            )
            self.draft.problems.note(f"Each text in the lists of {use.column} is {each}.", "")

    def _note_annotator(self, reading: Reading) -> None:
        ratings = [use for use in reading.of(Role.RATING) if not use.annotator]
        has_unnamed = bool(ratings) or bool(reading.of(Role.DIMENSION))
        if has_unnamed and not reading.column(Role.ANNOTATOR):
            self.is_annotator_assumed = not self.options.get("annotator")
            what = f"No column names the annotator; ratings are by {self._annotator}."
            remedy = "Choose it if there is one, or name the annotator."
            self.draft.problems.note(what, remedy, "--map annotator=NAME or --annotator NAME")

    @property
    def _annotator(self) -> str:
        return self.options.get("annotator") or DEFAULT_ANNOTATOR

    def _row(self, reading: Reading, row: Row) -> None:
        self.number += 1
        problems, draft = self.draft.problems, self.draft
        topic = str(self.number) if reading.topic_is_row else self._name(reading, row, Role.TOPIC)
        if not topic:
            return
        head = draft.topic(topic)
        for role in (Role.TITLE, Role.QUERY):
            column = reading.column(role)
            if column and row.get(column) not in (None, ""):
                text = new_text(as_text(row[column]), column, problems)
                if text is not None:
                    setattr(head, role.value, " ".join(text.content.split()))
        column = reading.column(Role.SET)
        if column and row.get(column) not in (None, ""):
            head.set = self._name(reading, row, Role.SET)
        self._documents(reading, row, topic)
        self._references(reading, row, topic)
        system_column = reading.column(Role.SYSTEM)
        system = self._name(reading, row, Role.SYSTEM) if system_column else ""
        if system_column and not system:
            return
        for use in reading.of(Role.SUMMARY):
            self._summary(use, row, topic, use.name or system)
        only = reading.of(Role.SUMMARY)[0].name if len(reading.of(Role.SUMMARY)) == 1 else ""
        if system or only:
            self._numbers(reading, row, topic, system or only)

    def _name(self, reading: Reading, row: Row, role: Role) -> str:
        """Return the name in the column of a role, empty with a problem if it is missing or invalid."""
        column = reading.column(role)
        value = row.get(column)
        cell = value if value is None or isinstance(value, (str, list, dict)) else as_text(value)
        return name_field({column: cell}, column, self.draft.problems)

    def _text(self, use: ColumnUse, value: Any) -> NewText | None:
        plain = as_text(value) if isinstance(value, (int, float)) else value
        return new_text(plain, use.column, self.draft.problems)

    def _documents(self, reading: Reading, row: Row, topic: str) -> None:
        for use in reading.of(Role.DOCUMENT):
            value = row.get(use.column)
            if value in (None, "", []):
                continue
            name = use.name or use.column
            texts = value if isinstance(value, list) and use.column in self.several else [value]
            for place, one in enumerate(texts, 1):
                if (text := self._text(use, one)) is not None:
                    self.draft.document(topic, name if len(texts) == 1 else f"{name}-{place:02}", text)

    def _references(self, reading: Reading, row: Row, topic: str) -> None:
        """Add references; of columns without an author the first that is filled counts."""
        has_unnamed = False
        plain = row.without_notes() if isinstance(row, Record) else row
        uses = sorted(reading.of(Role.REFERENCE), key=lambda use: not isinstance(plain.get(use.column), list))
        for use in uses:
            if has_unnamed and not use.name:
                continue
            value = row.get(use.column)
            if value in (None, "", []):
                continue
            has_unnamed = has_unnamed or not use.name
            author = use.name or "reference"
            if not use.name and reading.column(Role.AUTHOR):
                author = self._name(reading, row, Role.AUTHOR)
            if isinstance(value, list) and use.column in self.several:
                for place, one in enumerate(value):
                    name = f"{use.name}-{place:02}" if use.name else f"ref-{place:02}"
                    if (text := self._text(use, one)) is not None:
                        self.draft.reference(topic, name, text)
            elif author and (text := self._text(use, value)) is not None:
                self.draft.reference(topic, author, text)

    def _summary(self, use: ColumnUse, row: Row, topic: str, system: str) -> None:
        value = row.get(use.column)
        if value in (None, "", []):
            self.blank[topic, system] = None
        elif (text := self._text(use, value)) is not None:
            self.draft.summary(topic, system, text)

    def _numbers(self, reading: Reading, row: Row, topic: str, system: str) -> None:
        """Add the ratings and scores of a row."""
        column = reading.column(Role.ANNOTATOR)
        of_row = self._annotator
        uses = reading.of(Role.RATING)
        is_rated = any(row.get(use.column) not in (None, "", []) for use in (*uses, *reading.of(Role.VALUE)))
        if column and is_rated:
            of_row = self._name(reading, row, Role.ANNOTATOR)
        for use in uses:
            annotator = use.annotator or of_row
            if annotator:
                self._ratings(reading, row, use, (topic, system, use.name, annotator))
        for use in reading.of(Role.SCORE):
            self._score(row, use, topic, system, use.name)
        for use in reading.of(Role.VALUE):
            dimension_column = reading.column(Role.DIMENSION)
            if dimension_column and row.get(dimension_column) not in (None, ""):
                dimension = self._name(reading, row, Role.DIMENSION)
                if dimension and of_row:
                    self._ratings(reading, row, use, (topic, system, dimension, of_row))
            elif reading.column(Role.MEASURE) and row.get(use.column) not in (None, ""):
                measure = self._name(reading, row, Role.MEASURE)
                if measure:
                    self._score(row, use, topic, system, measure)

    def _ratings(self, reading: Reading, row: Row, use: ColumnUse, key: tuple[str, str, str, str]) -> None:
        """Add the rating of a cell, or of each annotator of a list."""
        value = row.get(use.column)
        if value in (None, "", []):
            return
        topic, system, dimension, annotator = key
        values = numbers_of(value)
        if values is None:
            self._not_a_number(use, value)
            return
        low, high = self._scale_of(use)
        group_column = reading.column(Role.GROUP)
        group = self._name(reading, row, Role.GROUP) if group_column and row.get(group_column) else ""
        note_column = reading.column(Role.NOTE)
        note = as_text(row.get(note_column)) if note_column else ""
        for place, number in enumerate(values, 1):
            if not low <= number <= high:
                what = f"{number:g} is outside the scale {low:g} to {high:g}."
                remedy = "Choose the scale, or correct the value."
                self.draft.problems.add(use.column, what, remedy, "--scale LOW-HIGH")
                continue
            person = f"annotator-{place}" if len(values) > 1 or isinstance(value, list) else annotator
            clean = new_text(note, note_column, self.draft.problems)
            if clean is not None:
                rating = NewRating(topic, system, dimension, person, number, clean.content)
                self.draft.rating(rating, group, (low, high))

    def _scale_of(self, use: ColumnUse) -> tuple[float, float]:
        """Return the limits of a column: of an assigned role, of the options, of its name, or 1 to 5."""
        is_chosen = use.scale is not None and not use.is_guessed
        if use.scale is not None and (is_chosen or not {"low", "high"} & set(self.options)):
            return use.scale
        return scale_of(self.options)

    def _score(self, row: Row, use: ColumnUse, topic: str, system: str, measure: str) -> None:
        value = row.get(use.column)
        if value in (None, "", []):
            return
        numbers = numbers_of(value)
        if numbers is None or len(numbers) != 1:
            self._not_a_number(use, value)
        else:
            self.draft.score(NewScore(topic, system, measure, numbers[0]))

    def _not_a_number(self, use: ColumnUse, value: Any) -> None:
        what = f"{as_text(value)[:40]!r} is not a number."
        self.draft.problems.add(use.column, what, "Write a number with a decimal point, or leave it out.")


def note_of(reading: Reading) -> tuple[str, str, str]:
    """Return how columns are read, and the remedy and option that change it."""
    used = [
        f"{listed_names([use.column])} = {use.key}" for use in reading.uses if use.role is not Role.IGNORE
    ]
    assigned = [use for use in reading.uses if use.role is not Role.IGNORE and not use.is_guessed]
    guessed = " (guessed)" if not assigned else f" ({len(used) - len(assigned)} guessed)"
    rows = "row number = topic, " if reading.topic_is_row else ""
    return f"Columns{guessed}: {rows}{_first(used)}.", "", "--map ROLE=COLUMN to change it"


def _first(used: Sequence[str]) -> str:
    more = f" and {len(used) - _NOTED:,} more" if len(used) > _NOTED else ""
    return ", ".join(used[:_NOTED]) + more


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


class _Enough(Exception):
    """The sample is complete."""


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
    problems = Problems(path.name)
    rows: list[Row] = []
    columns: dict[str, None] = {}

    def take(header: Sequence[str] | None, row: Row | None) -> None:
        columns.update(dict.fromkeys(header if header is not None else row or ()))
        if row is not None:
            rows.append(row)
        if len(rows) >= _SAMPLE:
            raise _Enough

    try:
        for _ in _rows(path, problems, options, take):
            pass
    except (_Enough, BadImport):
        pass  # problems are reported by the reader
    if problems.needs_encoding:
        return TableSample(parts=choices, part=part, needs_encoding=True)
    names = list(columns)
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
    if has_suffix(path, TABLES) or (has_suffix(path, JSONL) and first_keys(path)):
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
    return has_suffix(path, TABLES) or (has_suffix(path, JSONL) and len(first_keys(path)) > 1)


FORMAT = Format(
    "columns",
    "Table of another project (CSV, XLSX, Parquet, JSON)",
    "One row per summary or rating; what each column contains is guessed and can be changed.",
    without_study(read),
    _recognises,
    (*TABLES, *JSONL),
    has_rows=True,
    has_columns=True,
    is_table=True,
)
DATA_SET = Format(
    "data-set",
    "Data set (folder of Parquet, Arrow or JSONL)",
    "A Hugging Face data set on disk; what each column contains is guessed and can be changed.",
    without_study(read),
    arrow_records.is_data_set,
    has_columns=True,
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
