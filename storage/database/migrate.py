"""Bringing an older study to the present version: backed up first, one transaction, checked before COMMIT."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from core.errors import PyramidionError, StudyDamaged
from storage.database.engine import writing_engine
from storage.database.study_database import BACKUPS, backup


def migrate(path: Path, version: str, migrations: Path) -> Path:
    """Take a study from its version to the newest one and return where its backup lies.

    Raises StudyDamaged naming the backup where that failed; then nothing was changed.
    """
    copy = backup_path(path, version)
    backup(path, copy)
    # Batch mode drops and recreates a table. With foreign keys on, that would empty its children.
    engine = writing_engine(path, foreign_keys=False)
    try:
        with engine.begin() as connection:
            upgrade(connection, migrations)
    except Exception as error:
        raise StudyDamaged(
            f"{path.name} could not be brought to the present version: {_reason(error)} Nothing was changed. "
            f"A backup lies at {copy}."
        ) from error
    finally:
        engine.dispose()
    return copy


def upgrade(connection: Connection, migrations: Path, to: str = "head") -> None:
    """Climb the ladder on an open transaction. Raises StudyDamaged where rows or their parents got lost."""
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    version = MigrationContext.configure(connection).get_current_revision()
    rungs = ScriptDirectory.from_config(config).iterate_revisions(to, version or "base")
    may_change = {table for rung in rungs for table in getattr(rung.module, "CHANGES_ROWS_OF", ())}
    before = count_rows(connection)
    command.upgrade(config, to)
    _check(connection, before, may_change)


def count_rows(connection: Connection) -> dict[str, int]:
    """Rows of every table of the study."""
    quote = connection.dialect.identifier_preparer.quote
    return {
        table: int(connection.exec_driver_sql(f"SELECT count(*) FROM {quote(table)}").scalar_one())
        for table in inspect(connection).get_table_names()
        if table != "alembic_version"
    }


def backup_path(path: Path, version: str) -> Path:
    """Where the backup before a migration goes: beside the study, named by version and time."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return path.parent / BACKUPS / f"{path.stem}-{version}-{moment}{path.suffix}"


def _check(connection: Connection, before: dict[str, int], may_change: set[str]) -> None:
    after = count_rows(connection)
    for table, rows in before.items():
        if table not in may_change and after.get(table) != rows:
            raise StudyDamaged(f"table {table} had {rows} rows and would have {after.get(table, 0)}.")
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StudyDamaged(
                f"a row of table {broken[0]} would lose the row of {broken[2]} that it belongs to."
            )


def _reason(error: Exception) -> str:
    text = str(error).split("\n")[0]
    return text if isinstance(error, PyramidionError) else f"{text.rstrip('.')}."
