"""Comparative judgement: plans, their comparisons, and annotators' answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, Double, Integer, String, Text, UniqueConstraint

revision = "0010"
down_revision = "0009"

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}


def upgrade() -> None:
    tables = sa.MetaData(naming_convention=NAMES)
    for name in ("topics", "annotators", "edits"):
        sa.Table(name, tables, Column("id", String(32), primary_key=True))
    plans = sa.Table(
        "comparison_plans",
        tables,
        Column("id", String(32), primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("name", "kind", "question")),
        *(Column(name, Integer, nullable=False) for name in ("size", "per_summary")),
        Column("overlap", Double, nullable=False),
        Column("seed", Integer, nullable=False),
        Column("position", Double, nullable=False),
        *_versions(),
    )
    items = sa.Table(
        "comparison_items",
        tables,
        Column("id", String(32), primary_key=True),
        Column("plan_id", String(32), sa.ForeignKey("comparison_plans.id"), nullable=False, index=True),
        Column("topic_id", String(32), sa.ForeignKey("topics.id"), nullable=False),
        Column("annotator_id", String(32), sa.ForeignKey("annotators.id"), nullable=True),
        Column("summary_ids", Text, nullable=False),
        Column("position", Double, nullable=False),
        *_versions(),
    )
    preferences = sa.Table(
        "preferences",
        tables,
        Column("id", String(32), primary_key=True),
        Column("item_id", String(32), sa.ForeignKey("comparison_items.id"), nullable=False),
        Column("annotator_id", String(32), sa.ForeignKey("annotators.id"), nullable=False),
        *(Column(name, String(32), nullable=True) for name in ("best", "worst")),
        *_versions(),
        UniqueConstraint("item_id", "annotator_id"),
    )
    for table in (plans, items, preferences):
        table.create(op.get_bind())


def _versions() -> list[Column[object]]:
    return [
        Column("version", Integer, nullable=False),
        Column("is_deleted", Boolean, nullable=False),
        Column("edit_id", String(32), sa.ForeignKey("edits.id"), nullable=True),
    ]
