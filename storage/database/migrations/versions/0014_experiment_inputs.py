"""Digests of what results of experiments were computed from, part by part."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("experiments", Column("parts", Text))
