"""Kinds of rating scales, optional scales, and a note and a flag per rating, also without a value."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Double, String, Text

from storage.database.migrations.table_changes import add_columns, change_table

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    add_columns(
        "dimensions",
        Column("kind", String(16), nullable=False, server_default="number"),
        Column("is_required", Boolean, nullable=False, server_default=sa.true()),
    )
    add_columns(
        "ratings",
        Column("note", Text, nullable=False, server_default=""),
        Column("is_flagged", Boolean, nullable=False, server_default=sa.false()),
    )
    with change_table("ratings") as batch:
        batch.alter_column("value", existing_type=Double, nullable=True)
