"""Digests of what scores were computed from, part by part."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("scores", Column("parts", Text))  # in place: scores are most of a study
