"""Changes of tables that have rows, as migrations make them."""

from __future__ import annotations

from contextlib import AbstractContextManager

from alembic import op
from alembic.operations import BatchOperations
from sqlalchemy import Column

NAMES = {
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}
"""Names of constraints. Migrations depend on them: they must not change."""


def change_table(table: str) -> AbstractContextManager[BatchOperations]:
    """Return a context that changes a table in one step.

    SQLite recreates it. Tables that its foreign keys name are not read, and so on through the whole schema.
    """
    return op.batch_alter_table(table, naming_convention=NAMES, reflect_kwargs={"resolve_fks": False})


def add_columns(table: str, *columns: Column[object]) -> None:
    """Add columns whose defaults are needed for existing rows only."""
    with change_table(table) as batch:
        for column in columns:
            batch.add_column(column)
    with change_table(table) as batch:
        for column in columns:
            batch.alter_column(column.name, server_default=None)
