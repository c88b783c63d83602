"""Topics as edits change them: with a version, and the edit of their last change."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Integer, String

from storage.database.migrations.table_changes import change_table

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    with change_table("topics") as batch:
        batch.add_column(Column("version", Integer, nullable=False, server_default="1"))
        batch.add_column(Column("is_deleted", Boolean, nullable=False, server_default=sa.false()))
        batch.add_column(Column("edit_id", String(32), nullable=True))
    with change_table("topics") as batch:
        for name in ("version", "is_deleted"):
            batch.alter_column(name, server_default=None)  # only the rows that were there needed one
