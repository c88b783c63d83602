"""Kinds of rating scales, optional scales, and a note and a flag per rating, also without a value."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, Double, String, Text

revision = "0008"
down_revision = "0007"

NAMES = {
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}


def upgrade() -> None:
    _add(
        "dimensions",
        Column("kind", String(16), nullable=False, server_default="number"),
        Column("is_required", Boolean, nullable=False, server_default=sa.true()),
    )
    _add(
        "ratings",
        Column("note", Text, nullable=False, server_default=""),
        Column("is_flagged", Boolean, nullable=False, server_default=sa.false()),
    )
    with op.batch_alter_table("ratings", naming_convention=NAMES) as batch:
        batch.alter_column("value", existing_type=Double, nullable=True)


def _add(table: str, *columns: Column[object]) -> None:
    """Add columns whose defaults are needed for existing rows only."""
    with op.batch_alter_table(table, naming_convention=NAMES) as batch:
        for column in columns:
            batch.add_column(column)
    with op.batch_alter_table(table, naming_convention=NAMES) as batch:
        for column in columns:
            batch.alter_column(column.name, server_default=None)
