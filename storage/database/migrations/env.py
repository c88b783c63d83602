"""Runs migrations on the connection that `storage.database.migrate` hands over, within its transaction."""

from __future__ import annotations

from alembic import context

from storage.database.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
