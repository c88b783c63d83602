"""Pyramidion's own tables: CSV, TSV or JSONL; columns may have other names (`mapping`).

A row is a text (`topic` and one of `system`, `author`, `document`, with `text`), a rating (`topic, system,
dimension, annotator, value`) or a score (`topic, system, measure, value`); one file may mix them.
`sentences` contains the spans of a text's sentences, such as ``0-10 11-20``, or ``none`` for an empty list;
`low` and `high` are the limits of a rating scale. A rating can have a `note` and be `flagged` (yes), also
without a value. A row with a `dimension` and without topic, system, annotator and value describes a scale:
`question`, `description`, `anchors` as {"1": "poor", "5": "good"}, `kind` (number, categories, text, spans),
and `required` (yes, no). `spans` of a rating are such as ``0-10:2 11-20:1``, with the numbers of categories.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path

from core.domain.import_batch import ImportContent, NewRating, NewScore, ScaleTexts
from core.domain.ratings import Anchor, Dimension, MarkedSpan, ScaleKind, check_dimensions
from core.domain.study import SystemKind
from core.errors import InputError
from core.files.paths import printable_path
from core.numerals import parse_number
from core.progress import JobSteps, Progress
from storage.formats.memory import SPAN
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_clean,
    json_rows,
    lines_to_skip,
    name_field,
    new_text,
    number_field,
    scale_of,
    text_field,
)
from storage.formats.readers.tables.csv_records import encoding_of, is_json
from storage.formats.readers.tables.table_cells import records_of
from storage.formats.readers.usage import Record

COLUMNS = (
    "topic", "title", "query", "set", "document", "author", "system", "kind",
    "text", "sentences", "dimension", "annotator", "group", "measure", "value", "low", "high",
    "question", "description", "anchors", "note", "flagged", "required", "spans", "category",
)  # fmt: skip
_OF_RATINGS = ("topic", "system", "annotator", "value", "text", "measure")
"""Columns that are empty in a row describing a scale."""
_MARKED_SPAN = re.compile(r"([0-9]{1,11})-([0-9]{1,11}):([0-9]{1,3})")
NO_SENTENCES = "none"
"""Marks a text that was an empty list of sentences; an empty cell means that sentences are not marked."""


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a table. options: ``map.COLUMN``, the file's name for a column; ``low`` and ``high`` of ratings.

    Raises BadImport with every problem.
    """
    problems = Problems(path.name, skipped=lines_to_skip(options))
    draft = ImportDraft(printable_path(path.name), problems)
    names = mapping_of(options)
    scale = scale_of(options)
    absent = set(names.values())
    columns = {column: names.get(column, column) for column in COLUMNS}

    def take(row: Record) -> None:
        absent.difference_update(row.keys())
        _read_row(row.selected(columns), draft, scale)

    if is_json(path):
        yield from json_rows(path, problems, take, encoding_of(path, options))
        problems.place = ""
        for name in sorted(absent):
            problems.add(name, "A column is mapped to this field, but no line has it.", "Check its name.")
    else:
        yield from _table_rows(path, problems, options, take)
    return draft.finish()


def mapping_of(options: Mapping[str, str]) -> dict[str, str]:
    """Map Pyramidion's column names to the file's. Raises InputError for an unknown column."""
    mapping = {key.removeprefix("map."): value for key, value in options.items() if key.startswith("map.")}
    for column in mapping:
        if column not in COLUMNS:
            raise InputError(f"Unknown column {column!r}. Map one of: {', '.join(COLUMNS)}.")
    return mapping


def _table_rows(
    path: Path, problems: Problems, options: Mapping[str, str], take: Callable[[Record], None]
) -> JobSteps[None]:
    def check(header: Sequence[str]) -> None:
        _check_header(header, mapping_of(options), problems)

    for number, _, cells in records_of(path, problems, options, check=check, is_exact=True):
        take(cells)
        if number % 500 == 0:
            yield Progress(0, 0, f"reading {printable_path(path.name)}, line {number}")


def _read_row(row: Row, draft: ImportDraft, scale: tuple[float, float]) -> None:
    if row["dimension"] and all(row[name] in (None, "") for name in _OF_RATINGS):
        _read_scale(row, draft, scale)
        return
    topic = name_field(row, "topic", draft.problems)
    if not topic:
        return
    if row["dimension"]:
        _read_rating(row, topic, draft, scale)
    elif row["measure"]:
        _read_score(row, topic, draft)
    else:
        _read_text(row, topic, draft)


def _read_text(row: Row, topic: str, draft: ImportDraft) -> None:
    problems, owners = draft.problems, [c for c in ("document", "author", "system") if row[c]]
    head = draft.topic(topic)
    for name in ("title", "query"):
        if row[name]:
            setattr(head, name, text_field(row, name, problems))
    if row["set"]:
        head.set = name_field(row, "set", problems)
    if not owners and not row["text"] and any(row[name] for name in ("title", "query", "set")):
        return
    if len(owners) != 1:
        what = (
            "No column states whose text it is."
            if not owners
            else f"The text has several owners: {' and '.join(owners)}."
        )
        problems.add("", what, "Fill exactly one of document, author and system.")
        return
    name = name_field(row, owners[0], problems)
    text = new_text(row["text"], "text", problems)
    if text is None or not name:
        return
    if row["sentences"]:
        text = replace(text, sentence_spans=_spans(row, problems))
    if owners[0] == "document":
        draft.document(topic, name, text)
    elif owners[0] == "author":
        draft.reference(topic, name, text)
    else:
        draft.summary(topic, name, text, _kind(row, problems))


def _spans(row: Row, problems: Problems) -> tuple[tuple[int, int], ...] | None:
    """Return spans of sentences; whether they fit the text is checked on comparison with the study."""
    if row["sentences"] == NO_SENTENCES:
        return ()
    value = text_field(row, "sentences", problems)
    problems.memory.check(SPAN * value.count("-"))
    pieces = [piece.split("-") for piece in value.split()]
    if all(len(piece) == 2 and all(end.isdecimal() and len(end) < 12 for end in piece) for piece in pieces):
        return tuple((int(start), int(end)) for start, end in pieces)
    problems.add(
        "sentences", "These are not spans.", "Write start and end of each sentence, such as 0-10 11-20."
    )
    return None


def _kind(row: Row, problems: Problems) -> SystemKind:
    given = row["kind"] or SystemKind.AUTOMATIC
    try:
        return SystemKind(given)
    except ValueError:
        problems.add("kind", f"Unknown value {given!r}.", f"Use one of: {', '.join(SystemKind)}.")
        return SystemKind.AUTOMATIC


def _read_rating(row: Row, topic: str, draft: ImportDraft, scale: tuple[float, float]) -> None:
    problems = draft.problems
    system, dimension, annotator = (
        name_field(row, name, problems) for name in ("system", "dimension", "annotator")
    )
    ends = _ends(row, problems, scale)
    if ends is None:
        return
    low, high = ends
    note = text_field(row, "note", problems, required=False)
    is_flagged = _is_yes(row, "flagged", problems, default=False)
    is_blank = row["value"] in (None, "") and (bool(note) or is_flagged)
    value = None if is_blank else number_field(row, "value", problems, low=low, high=high)
    if system and dimension and annotator and (value is not None or is_blank):
        group = text_field(row, "group", problems, required=False)
        spans = _marked_spans(row, problems)
        kind = _scale_kind(row, problems).value if row["kind"] else ""
        category = text_field(row, "category", problems, required=False)
        marks = note, is_flagged, spans, kind, category
        rating = NewRating(topic, system, dimension, annotator, value, *marks)
        known = draft.dimensions.get(dimension, ends)
        if known != ends:
            what = f"The rows of {dimension} have different limits."
            problems.note(what, "The scale goes from the lowest to the highest one.")
        draft.rating(rating, group, ends)


def _marked_spans(row: Row, problems: Problems) -> tuple[MarkedSpan, ...]:
    """Return spans such as ``0-10:2 11-20:1``; whether they fit the text is checked later."""
    if row["spans"] in (None, ""):
        return ()
    value = text_field(row, "spans", problems)
    problems.memory.check(SPAN * value.count("-"))
    found = [_MARKED_SPAN.fullmatch(piece) for piece in value.split()]
    if None in found:
        what = "These are not spans with categories."
        problems.add("spans", what, "Write start, end and category of each, such as 0-10:2 11-20:1.")
        return ()
    return tuple((int(one[1]), int(one[2]), int(one[3])) for one in found if one is not None)


def _ends(row: Row, problems: Problems, scale: tuple[float, float]) -> tuple[float, float] | None:
    """Return the limits of a row's scale, else the default; None and a problem if they are invalid."""
    low, high = (
        number_field(row, end, problems) if row[end] not in (None, "") else usual
        for end, usual in zip(("low", "high"), scale, strict=True)
    )
    return None if low is None or high is None else (low, high)


def _read_scale(row: Row, draft: ImportDraft, scale: tuple[float, float]) -> None:
    problems = draft.problems
    name, ends = name_field(row, "dimension", problems), _ends(row, problems, scale)
    question, description = (
        text_field(row, n, problems, required=False) for n in ("question", "description")
    )
    if not name or ends is None:
        return
    if ends[0] >= ends[1]:
        problems.add(
            "high", f"The scale goes from {ends[0]:g} to {ends[1]:g}.", "Make `high` larger than `low`."
        )
        return
    kind = _scale_kind(row, problems)
    anchors = _anchors(row, problems, None if kind is ScaleKind.SPANS else ends)
    is_required = _is_yes(row, "required", problems, default=True)
    if kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS):
        try:
            check_dimensions([Dimension("", name, *ends, question, description, anchors, kind)])
        except InputError as error:
            problems.add("anchors", str(error), "Number the categories from 1.")
            return
    draft.scale(name, ends, ScaleTexts(question, description, anchors, kind, is_required))


def _scale_kind(row: Row, problems: Problems) -> ScaleKind:
    given = row["kind"] or ScaleKind.NUMBER
    try:
        return ScaleKind(given)
    except ValueError:
        problems.add("kind", f"Unknown value {given!r}.", f"Use one of: {', '.join(ScaleKind)}.")
        return ScaleKind.NUMBER


def _is_yes(row: Row, column: str, problems: Problems, *, default: bool) -> bool:
    given = row[column]
    if isinstance(given, bool):
        return given
    if given in (None, ""):
        return default
    if given not in ("yes", "no"):
        problems.add(column, f"Unknown value {given!r}.", "Write yes or no.")
    return bool(given == "yes")


def _anchors(row: Row, problems: Problems, ends: tuple[float, float] | None) -> tuple[Anchor, ...]:
    """Return the anchors of a scale in order, from an object or from its text in a table cell.

    ends: limits of their values, None = none.
    """
    given = row["anchors"]
    if given in (None, ""):
        return ()
    try:
        read = json.loads(given) if isinstance(given, str) else given
        numbers = ((parse_number(value), text) for value, text in read.items() if isinstance(text, str))
        anchors = sorted((number, text) for number, text in numbers if number is not None)
    except (AttributeError, ValueError, RecursionError):
        read, anchors = {}, []
    if not anchors or len(anchors) < len(read):
        problems.add(
            "anchors",
            "These are not anchors.",
            'Write values with texts, such as {"1": "poor", "5": "good"}.',
        )
    for value, text in anchors:
        if ends is not None and not ends[0] <= value <= ends[1]:
            what = f"The anchor at {value:g} is outside the scale {ends[0]:g} to {ends[1]:g}."
            problems.add("anchors", what, "Correct the anchor or the limits of the scale.")
        is_clean(text, "anchors", problems)
    return tuple(anchors)


def _read_score(row: Row, topic: str, draft: ImportDraft) -> None:
    problems = draft.problems
    system, measure = (name_field(row, name, problems) for name in ("system", "measure"))
    value = number_field(row, "value", problems)
    if system and measure and value is not None:
        draft.score(NewScore(topic, system, measure, value))


CONTENTS = ("text", "dimension", "measure")
OWNERS = ("system", "author", "document")
ABOUT_TOPICS = ("title", "query", "set")
SCALES = ("low", "high")


def _check_header(header: Sequence[str], names: Mapping[str, str], problems: Problems) -> None:
    """Raise BadImport with all problems of a header, if any.

    names: Pyramidion's column names to the file's.
    """
    problems.place = "line 1"
    there = {
        column
        for column in (*CONTENTS, *OWNERS, *ABOUT_TOPICS, *SCALES, "topic", "value")
        if names.get(column, column) in header
    }
    listed = ", ".join(name for name in header if name)
    for column, name in names.items():
        if name not in header:
            problems.add(
                column,
                f"It is mapped to {name!r}, which is not a column. Columns: {listed}.",
                "Map another column.",
            )
    for required in _required_columns(there):
        if not (there | set(names)) & set(required):
            what = f"The column {' or '.join(required)} is missing. Columns: {listed}."
            problems.add(required[0], what, f"Rename a column, or map it: {_example(required, header)}.")


def _required_columns(there: Set[str]) -> Iterator[Sequence[str]]:
    """Yield groups of columns; a table needs one of each group. A table of scales needs no others."""
    if {"dimension", *SCALES} <= there and not there & {"topic", "value", *OWNERS}:
        return
    yield ("topic",)
    if not there & set(ABOUT_TOPICS) or there & set(OWNERS):
        yield CONTENTS
    if there & set(CONTENTS):
        yield OWNERS


def _example(required: Sequence[str], header: Sequence[str]) -> str:
    """Return an example of a mapping, with a column that differs only in case if there is one."""
    for column in required:
        for name in header:
            if name.lower() == column:
                return f"{column}={name}"
    return f"{required[0]}=NAME"
