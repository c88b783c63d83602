"""Layout of a table for the import dialog: its columns, and what they can be taken as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from gui.dialogs.import_data.values import ColumnRow, RoleChoice

IGNORED = "ignore"
"""Role of a column that is not used; its key in the dialog is empty."""

FOREIGN_CHOICES = (
    RoleChoice("", "Not used"),
    RoleChoice("topic", "Topic", help="The item that is summarized."),
    RoleChoice("system", "System"),
    RoleChoice(
        "summary", "Summary", "system", help="The system, if all summaries are of one.", hint="optional"
    ),
    RoleChoice(
        "reference",
        "Reference",
        "author",
        help="The author, if all references are by one.",
        hint="optional",
    ),
    RoleChoice("document", "Document", "document", help="A name of the document.", hint="optional"),
    RoleChoice("annotator", "Annotator"),
    RoleChoice(
        "rating",
        "Rating",
        "dimension",
        needs_name=True,
        help="The dimension, with its scale such as fluency (1-7) if it is not the usual one; "
        "dimension@annotator if the column is of one annotator.",
    ),
    RoleChoice("score", "Score of a metric", "measure", needs_name=True, help="The name of the measure."),
    RoleChoice("dimension", "Dimension of the value"),
    RoleChoice("measure", "Measure of the value"),
    RoleChoice("value", "Value"),
    RoleChoice("title", "Title of the topic"),
    RoleChoice("query", "Query"),
    RoleChoice("set", "Set"),
    RoleChoice("author", "Author of the reference"),
    RoleChoice("group", "Group of annotators"),
    RoleChoice("note", "Note on the rating"),
)
"""Roles that a column of a table of another project can have."""


MOST_COLUMNS = 150
"""Columns that the dialog displays; each has several widgets."""


class ColumnGuess(Protocol):
    """Role of a column. role: as in `FOREIGN_CHOICES`, or `IGNORED`. detail: the names of the role."""

    @property
    def column(self) -> str: ...

    @property
    def role(self) -> str: ...

    @property
    def detail(self) -> str: ...

    @property
    def is_guessed(self) -> bool: ...


class Unclear(Protocol):
    """Something that was not guessed about a column."""

    @property
    def column(self) -> str: ...

    @property
    def what(self) -> str: ...


def foreign_columns(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    guesses: Sequence[ColumnGuess],
    questions: Sequence[Unclear],
) -> tuple[ColumnRow, ...]:
    """Return the columns of a table of another project."""
    unclear = {question.column: question.what for question in questions}
    found = []
    for at, (name, guess) in enumerate(zip(names, guesses, strict=True)):
        role = "" if guess.role == IGNORED else str(guess.role)
        values = tuple(row[at] for row in rows)
        found.append(ColumnRow(name, values, role, guess.detail, unclear.get(name, ""), guess.is_guessed))
    return tuple(found)


def own_columns(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    own: Sequence[str],
    assigned: Mapping[str, str],
) -> tuple[ColumnRow, ...]:
    """Return the columns of a table with the program's own columns. assigned: column by own name."""
    roles = {column: role for role, column in assigned.items()}
    return tuple(
        ColumnRow(name, tuple(row[at] for row in rows), roles.get(name, name if name in own else ""))
        for at, name in enumerate(names)
    )


def own_choices(own: Sequence[str]) -> tuple[RoleChoice, ...]:
    """Return the program's own columns as choices."""
    return (RoleChoice("", "Not used"), *(RoleChoice(name, name) for name in own))
