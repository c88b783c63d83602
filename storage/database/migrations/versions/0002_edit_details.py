"""Add details of edits, such as the accepted suggestion."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("edits") as batch:
        batch.add_column(Column("details", Text))
