"""Upgrade older studies to the current version: back up, then migrate in one transaction."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from core.errors import PyramidionError, StudyDamaged, StudyTooNew
from storage.database.engine import writing_engine
from storage.database.migrate import run_migrations
from storage.database.study_database import BACKUPS, MIGRATIONS, backup, version_of, versions


def upgrade_study(path: Path, migrations: Path = MIGRATIONS) -> None:
    """Upgrade a study to the current version, after a backup; do nothing where it is current.

    Raises what `version_of` raises.
    Raises StudyTooNew where a newer version of the program wrote the study.
    Raises StudyDamaged, naming the backup, where the migration failed; the study is then unchanged.
    """
    version, known = version_of(path), versions(migrations)
    if version not in known:
        raise StudyTooNew(
            f"{path.name} was written by a newer version of Pyramidion (tables {version}, this one knows up "
            f"to {known[-1]}). Install the newer version to open it."
        )
    if version != known[-1]:
        _migrate(path, version, migrations)
        version_of(path)


def _migrate(path: Path, version: str, migrations: Path) -> None:
    copy = _backup_path(path, version)
    backup(path, copy)
    # Batch mode drops and recreates a table. With foreign keys on, that would empty its children.
    engine = writing_engine(path, foreign_keys=False)
    try:
        with engine.begin() as connection:
            run_migrations(connection, migrations)
    except Exception as error:
        raise StudyDamaged(
            f"{path.name} could not be upgraded to the current version: {_reason(error)} The study was not "
            f"changed. Its backup is {copy}."
        ) from error
    finally:
        engine.dispose()


def _backup_path(path: Path, version: str) -> Path:
    """Return the path of the backup before an upgrade: named by version and time, next to the study."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return path.parent / BACKUPS / f"{path.stem}-{version}-{moment}{path.suffix}"


def _reason(error: Exception) -> str:
    text = str(error).split("\n")[0]
    return text if isinstance(error, PyramidionError) else f"{text.rstrip('.')}."
