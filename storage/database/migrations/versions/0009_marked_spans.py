"""Marked spans of ratings, such as errors with their categories."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Column, Text

from storage.database.migrations.table_changes import add_columns

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    add_columns("ratings", Column("spans", Text, nullable=False, server_default=sa.text("'[]'")))
