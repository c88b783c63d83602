"""Comments of annotators on items of a study."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, Integer, String, Text

revision = "0011"
down_revision = "0010"

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def upgrade() -> None:
    tables = sa.MetaData(naming_convention=NAMES)
    for name in ("topics", "annotators", "edits"):
        sa.Table(name, tables, Column("id", String(32), primary_key=True))
    sa.Table(
        "comments",
        tables,
        Column("id", String(32), primary_key=True),
        Column("topic_id", String(32), sa.ForeignKey("topics.id"), nullable=False, index=True),
        *(Column(name, Text, nullable=False) for name in ("summary_id", "unit_id", "scale_id")),
        Column("annotator_id", String(32), sa.ForeignKey("annotators.id"), nullable=False),
        Column("text", Text, nullable=False),
        Column("resolves", Boolean, nullable=False),
        Column("written_at", String(32), nullable=False),
        Column("version", Integer, nullable=False),
        Column("is_deleted", Boolean, nullable=False),
        Column("edit_id", String(32), sa.ForeignKey("edits.id"), nullable=True),
    ).create(op.get_bind())
