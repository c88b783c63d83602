"""Marked spans of ratings, such as errors with their categories."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, Text

revision = "0009"
down_revision = "0008"

NAMES = {
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}


def upgrade() -> None:
    with op.batch_alter_table("ratings", naming_convention=NAMES) as batch:
        batch.add_column(Column("spans", Text, nullable=False, server_default=sa.text("'[]'")))
    with op.batch_alter_table("ratings", naming_convention=NAMES) as batch:
        batch.alter_column("spans", server_default=None)
