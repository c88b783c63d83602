"""Citing papers and citances of topics."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, String, Text, UniqueConstraint

revision = "0012"
down_revision = "0011"

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def upgrade() -> None:
    tables = sa.MetaData(naming_convention=NAMES)
    for name in ("topics", "documents", "annotators"):
        sa.Table(name, tables, Column("id", String(32), primary_key=True))
    sa.Table(
        "citing_papers",
        tables,
        Column("id", String(32), primary_key=True),
        Column("topic_id", String(32), ForeignKey("topics.id"), nullable=False),
        Column("content", Text, nullable=False),
        Column("digest", String(64), nullable=False),
        Column("sentence_spans", Text, nullable=True),
        Column("external_id", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("position", Integer, nullable=False),
        UniqueConstraint("topic_id", "name"),
    )
    sa.Table(
        "citances",
        tables,
        Column("id", String(32), primary_key=True),
        Column("topic_id", String(32), ForeignKey("topics.id"), nullable=False, index=True),
        Column("citing_paper_id", String(32), ForeignKey("citing_papers.id"), nullable=False),
        Column("document_id", String(32), ForeignKey("documents.id"), nullable=True),
        Column("position", Integer, nullable=False),
        Column("number", Text, nullable=False),
        Column("marker", Text, nullable=False),
        Column("marker_span", Text, nullable=True),
        UniqueConstraint("citing_paper_id", "number"),
    )
    sa.Table(
        "citance_annotations",
        tables,
        Column("id", String(32), primary_key=True),
        Column("citance_id", String(32), ForeignKey("citances.id"), nullable=False),
        Column("annotator_id", String(32), ForeignKey("annotators.id"), nullable=False),
        Column("text", Text, nullable=False),
        Column("spans", Text, nullable=False),
        Column("cited", Text, nullable=False),
        Column("facets", Text, nullable=False),
        UniqueConstraint("citance_id", "annotator_id"),
    )
    for name in ("citing_papers", "citances", "citance_annotations"):
        tables.tables[name].create(op.get_bind())
