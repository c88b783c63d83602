"""The mapping of a table, from the uses of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.formats.mappings.values import KINDS
from storage.formats.readers.fields import scale_of
from storage.formats.readers.tables.column_roles import REJECTED, ColumnUse, Reading, Role


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
    for use in reading.of(Role.VALUE):
        if dimension:
            rating = {**of_row, "dimension": _path(dimension), "value": _path(use.column)}
            rating |= {"annotator": _constant(use.annotator)} if use.annotator else {}
            levels.append({"when": _path(dimension), "rating": [rating]})
        if measure:
            unless = {"unless": _path(dimension)} if dimension else {}
            levels.append({**unless, "score": [{"measure": _path(measure), "value": _path(use.column)}]})
    rows["levels"] = levels
