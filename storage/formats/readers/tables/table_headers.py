"""Validation of a table's header: required columns, with suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from storage.formats.readers.fields import Problems

CONTENTS = ("text", "dimension", "measure")
OWNERS = ("system", "author", "document")
ABOUT_TOPICS = ("title", "query", "set")
SCALES = ("low", "high")


def check(header: Sequence[str], names: Mapping[str, str], problems: Problems) -> None:
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
