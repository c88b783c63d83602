"""Schema migrations on an open connection, checked before COMMIT."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect

from core.errors import StudyDamaged


def run_migrations(connection: Connection, migrations: Path, to: str = "head") -> None:
    """Migrate the schema to a version within the connection's transaction.

    migrations: the folder of the migration scripts.
    Raises StudyDamaged where rows or their parents would be lost.
    """
    from alembic import command  # slow to import, so not at start-up
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    version = MigrationContext.configure(connection).get_current_revision()
    steps = ScriptDirectory.from_config(config).iterate_revisions(to, version or "base")
    may_change = {table for step in steps for table in getattr(step.module, "CHANGES_ROWS_OF", ())}
    before = _row_counts(connection)
    command.upgrade(config, to)
    _check(connection, before, may_change)


def _row_counts(connection: Connection) -> dict[str, int]:
    """Count the rows of every table of the study."""
    quote = connection.dialect.identifier_preparer.quote
    return {
        table: int(connection.exec_driver_sql(f"SELECT count(*) FROM {quote(table)}").scalar_one())
        for table in inspect(connection).get_table_names()
        if table != "alembic_version"
    }


def _check(connection: Connection, before: dict[str, int], may_change: set[str]) -> None:
    after = _row_counts(connection)
    for table, rows in before.items():
        if table not in may_change and after.get(table, 0) != rows:
            raise StudyDamaged(f"table {table} had {rows} rows and would have {after.get(table, 0)}.")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StudyDamaged(
                f"a row of table {broken[0]} would lose the row of {broken[2]} that it belongs to."
            )
