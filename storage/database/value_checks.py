"""Check types and shapes of the values in a study's columns.

SQLite stores any value in any column, so a damaged or edited file can contain unexpected values. Each fault
names table, column and row.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from sqlalchemy import Column, Connection, Table, select

from storage.database.schema import VERSIONED_TABLES, Base

MOST = 20
"""Maximum number of faults to list."""

_STORED_AS: Mapping[type, tuple[str, ...]] = {
    str: ("text",),
    int: ("integer",),
    bool: ("integer",),
    float: ("real", "integer"),
    bytes: ("blob",),
}


def value_faults(connection: sqlite3.Connection) -> list[str]:
    """Return values of wrong types, invalid UTF-8 and JSON of wrong shapes, as sentences.

    connection: the driver's, to a study of the current version; its `text_factory` is changed.
    """
    wrong = list(islice(type_faults(connection), MOST))
    connection.text_factory = bytes
    faults = (fault for table in Base.metadata.sorted_tables for fault in _text_faults(connection, table))
    return [*wrong, *islice(faults, MOST - len(wrong))]


def type_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield values whose types differ from those of their columns, as sentences. Fast."""
    for table, query in _quick_checks():
        if connection.execute(query).fetchone():
            for column in table.columns:
                yield from _wrong_types(connection, table, column)


@cache
def _quick_checks() -> list[tuple[Table, str]]:
    """Return each table with a query for a value of a wrong type, which reads the table once."""
    queries = []
    for table in Base.metadata.sorted_tables:
        wrong = " OR ".join(map(_is_wrong, table.columns))
        queries.append((table, f"SELECT 1 FROM {_quoted(table.name)} WHERE {wrong} LIMIT 1"))
    return queries


def json_faults(connection: Connection) -> Iterator[str]:
    """Yield values that are no JSON or JSON of a wrong shape, as sentences, on any database."""
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if (table.name, column.name) not in _JSON:
                continue
            for *key, value in connection.execute(select(*table.primary_key, column)):
                if value is not None and (what := _text_fault(table.name, column.name, value.encode())):
                    yield f"Row {', '.join(map(str, key))} of {table.name} is damaged: {column.name} {what}."


def _text_faults(connection: sqlite3.Connection, table: Table) -> Iterator[str]:
    texts = [column for column in table.columns if column.type.python_type is str]
    if not texts:
        return
    names = ", ".join(_quoted(column.name) for column in texts)
    for number, *values in connection.execute(f"SELECT rowid, {names} FROM {_quoted(table.name)}"):
        for column, value in zip(texts, values, strict=True):
            if isinstance(value, bytes) and (what := _text_fault(table.name, column.name, value)):
                yield _fault(table, column, number, what)


def _is_wrong(column: Column[Any]) -> str:
    """Return the condition that a value is not of the column's type."""
    allowed = [*_STORED_AS[column.type.python_type], *(["null"] if column.nullable else [])]
    name = _quoted(column.name)
    is_wrong = f"typeof({name}) NOT IN ({', '.join(repr(kind) for kind in allowed)})"
    return f"{is_wrong} OR {name} NOT IN (0, 1)" if column.type.python_type is bool else is_wrong


def _wrong_types(connection: sqlite3.Connection, table: Table, column: Column[Any]) -> Iterator[str]:
    query = (
        f"SELECT rowid, typeof({_quoted(column.name)}) FROM {_quoted(table.name)} WHERE {_is_wrong(column)} "
        f"LIMIT {MOST}"
    )
    for number, kind in connection.execute(query):
        yield _fault(table, column, number, f"contains a value of type {kind}")


def _text_fault(table: str, column: str, value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return "is not valid UTF-8"
    shape = _JSON.get((table, column))
    if shape is None:
        return ""
    try:
        return "" if shape(json.loads(text)) else "is JSON of an unexpected shape"
    except (ValueError, RecursionError):
        return "is not valid JSON"


def _fault(table: Table, column: Column[Any], number: int, what: str) -> str:
    return f"Row {number} of {table.name} is damaged: {column.name} {what}."


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _is_spans(value: Any) -> bool:
    return _is_list(value, lambda span: _is_list(span, lambda n: type(n) is int) and len(span) == 2)


def _is_span(value: Any) -> bool:
    return _is_spans([value])


def _is_cited(value: Any) -> bool:
    return _is_list(value, _is_cited_span)


def _is_cited_span(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 3 or not isinstance(value[2], str):
        return False
    return value[:2] == [None, None] or _is_span(value[:2])


def _is_names(value: Any) -> bool:
    return _is_list(value, lambda name: isinstance(name, str))


def _is_delta(value: Any) -> bool:
    return _is_list(value, _is_change)


def _is_change(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("table") not in VERSIONED_TABLES:
        return False
    return all(_is_row(value.get(side)) for side in ("before", "after"))


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str)


def _is_anchors(value: Any) -> bool:
    return _is_list(
        value, lambda pair: isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], (int, float))
    )


def _is_shape(value: Any) -> bool:
    return _is_list(value, lambda size: type(size) is int and size >= 0)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any, is_item: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(is_item, value))


_JSON: Mapping[tuple[str, str], Callable[[Any], bool]] = {
    ("documents", "sentence_spans"): _is_spans,
    ("references", "sentence_spans"): _is_spans,
    ("summaries", "sentence_spans"): _is_spans,
    ("citing_papers", "sentence_spans"): _is_spans,
    ("citances", "marker_span"): _is_span,
    ("citance_annotations", "spans"): _is_spans,
    ("citance_annotations", "cited"): _is_cited,
    ("citance_annotations", "facets"): _is_names,
    ("edits", "delta"): _is_delta,
    ("edits", "details"): _is_map,
    ("dimensions", "anchors"): _is_anchors,
    ("metric_configs", "measures"): _is_names,
    ("metric_configs", "references"): _is_names,
    ("scores", "systems"): _is_names,
    ("scores", "references"): _is_names,
    ("scores", "notes"): lambda value: isinstance(value, (dict, list)),
    ("experiments", "settings"): _is_map,
    ("experiment_parts", "shape"): _is_shape,
}
