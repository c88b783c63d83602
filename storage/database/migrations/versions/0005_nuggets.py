"""Nuggets as content units: the kind of a pyramid, automatic and confirmed expressions, importance.

The tables of nuggets of the first version were never filled; they are removed. The upgrade refuses a study in
which they have rows.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, String

revision = "0005"
down_revision = "0004"

NAMES = {
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}


def upgrade() -> None:
    for table in ("nugget_hits", "nuggets"):
        op.drop_table(table)
    with op.batch_alter_table("pyramids", naming_convention=NAMES) as batch:
        batch.drop_constraint("uq_pyramids_topic_id_annotator_id", type_="unique")
        batch.add_column(Column("kind", String(16), nullable=False, server_default="scu"))
        batch.create_unique_constraint(
            "uq_pyramids_topic_id_annotator_id_kind", ["topic_id", "annotator_id", "kind"]
        )
    _add("scus", Column("importance", String(16), nullable=False, server_default=""))
    _add("contributors", Column("is_confirmed", Boolean, nullable=False, server_default=sa.true()))
    _add("matches", Column("is_confirmed", Boolean, nullable=False, server_default=sa.true()))
    _add("matches", Column("is_partial", Boolean, nullable=False, server_default=sa.false()))
    with op.batch_alter_table("pyramids", naming_convention=NAMES) as batch:
        batch.alter_column("kind", server_default=None)


def _add(table: str, column: Column[object]) -> None:
    """Add a column whose default is needed for existing rows only."""
    with op.batch_alter_table(table, naming_convention=NAMES) as batch:
        batch.add_column(column)
    with op.batch_alter_table(table, naming_convention=NAMES) as batch:
        batch.alter_column(column.name, server_default=None)
