"""Nuggets as content units: the kind of a pyramid, automatic and confirmed expressions, importance.

The tables of nuggets of the first version were never filled; they are removed. The upgrade refuses a study in
which they have rows.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, String

from storage.database.migrations.table_changes import add_columns, change_table

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for table in ("nugget_hits", "nuggets"):
        op.drop_table(table)
    with change_table("pyramids") as batch:
        batch.drop_constraint("uq_pyramids_topic_id_annotator_id", type_="unique")
        batch.add_column(Column("kind", String(16), nullable=False, server_default="scu"))
        batch.create_unique_constraint(
            "uq_pyramids_topic_id_annotator_id_kind", ["topic_id", "annotator_id", "kind"]
        )
    add_columns("scus", Column("importance", String(16), nullable=False, server_default=""))
    add_columns("contributors", Column("is_confirmed", Boolean, nullable=False, server_default=sa.true()))
    add_columns(
        "matches",
        Column("is_confirmed", Boolean, nullable=False, server_default=sa.true()),
        Column("is_partial", Boolean, nullable=False, server_default=sa.false()),
    )
    with change_table("pyramids") as batch:
        batch.alter_column("kind", server_default=None)
