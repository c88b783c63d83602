"""Experiments with their settings and results, and the parts of those under way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, Double, Integer, LargeBinary, String, Text

revision = "0003"
down_revision = "0002"

NAMES = {"fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s", "pk": "pk_%(table_name)s"}


def upgrade() -> None:
    tables = sa.MetaData(naming_convention=NAMES)
    sa.Table(
        "experiments",
        tables,
        Column("id", String(32), primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("experiment", "recipe", "title", "settings")),
        Column("seed", Integer, nullable=False),
        Column("inputs_hash", Text, nullable=False),
        Column("at", String(32), nullable=False),
        Column("seconds", Double, nullable=False),
        Column("result", Text, nullable=False),
    )
    sa.Table(
        "experiment_parts",
        tables,
        Column("experiment_id", String(32), sa.ForeignKey("experiments.id"), primary_key=True),
        Column("key", String(64), primary_key=True),
        Column("shape", Text, nullable=False),
        Column("block", LargeBinary, nullable=False),
    )
    tables.create_all(op.get_bind(), checkfirst=False)
