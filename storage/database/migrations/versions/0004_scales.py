"""Scales as edits change them: with an order, a question, anchors, and marks to undo by."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, Double, Integer, String, Text

from storage.database.migrations.table_changes import change_table

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with change_table("dimensions") as batch:
        batch.drop_constraint("uq_dimensions_name", type_="unique")
        batch.alter_column("guideline", new_column_name="description")
        for name, empty in (("question", ""), ("anchors", "[]")):
            batch.add_column(Column(name, Text, nullable=False, server_default=empty))
        batch.add_column(Column("position", Double, nullable=False, server_default="0"))
        batch.add_column(Column("version", Integer, nullable=False, server_default="0"))
        batch.add_column(Column("is_deleted", Boolean, nullable=False, server_default=sa.false()))
        batch.add_column(Column("edit_id", String(32), sa.ForeignKey("edits.id"), nullable=True))
    with change_table("dimensions") as batch:
        for name in ("question", "anchors", "position", "version", "is_deleted"):
            batch.alter_column(name, server_default=None)  # only the rows that were there needed one
    live = sa.text("NOT is_deleted")
    op.create_index(
        "uq_dimensions_live", "dimensions", ["name"], unique=True, sqlite_where=live, postgresql_where=live
    )
    _number()


def _number() -> None:
    """Put scales in the order in which they were listed before: by name, D2 before D10."""
    table = sa.table("dimensions", sa.column("id"), sa.column("name"), sa.column("position"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(table.c.id, table.c.name)).all()
    for place, row in enumerate(sorted(rows, key=lambda row: _natural(row.name)), 1):
        change = sa.update(table).where(table.c.id == row.id).values(position=float(place))
        connection.execute(change)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    pieces = re.split(r"(\d+)", name)
    return [(0, int(p), "") if i % 2 else (1, 0, p.casefold()) for i, p in enumerate(pieces) if p], name
