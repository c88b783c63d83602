"""Study files: create, recognize, connect, copy; errors in plain words."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from json import JSONDecodeError
from pathlib import Path
from uuid import uuid4

from sqlalchemy.exc import DBAPIError

from core.errors import InputError, PyramidionError, StudyDamaged
from core.files.paths import access_errors
from core.files.study_address import StudyAddress
from storage.database import file_guard, side_files
from storage.database.engine import APPLICATION_ID, BUSY_SECONDS
from storage.database.file_guard import guarding
from storage.database.hardening import harden
from storage.database.schema_check import creating_statements, stored_version

MIGRATIONS = Path(__file__).with_name("migrations")
BACKUPS = "backups"
"""Name of the folder next to a study that stores its backups."""


def versions(migrations: Path = MIGRATIONS) -> list[str]:
    """Return all versions of the tables that this program knows, oldest first."""
    return sorted(file.name.split("_")[0] for file in (migrations / "versions").glob("[0-9]*_*.py"))


def create(path: Path, *, overwrite: bool = False) -> None:
    """Create an empty study of the current version. Raises InputError where a file already exists."""
    check_new(path, overwrite=overwrite)
    new = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with map_errors(path):
            _make_tables(new)
            put_in_place(new, path)
    finally:
        for left in (new, *(new.with_name(new.name + suffix) for suffix in ("-wal", "-shm"))):
            with suppress(OSError):  # fails for the same reason as the write did
                left.unlink(missing_ok=True)


def check_new(path: Path, *, overwrite: bool = False) -> None:
    """Raise InputError where a study cannot be created."""
    with access_errors(path):
        if path.is_dir() or (path.exists() and not overwrite):
            raise InputError(f"{path} exists already. Choose another name.")
        if not path.parent.is_dir():
            raise InputError(f"The folder {path.parent} does not exist. Create it or choose another folder.")


def version_of(path: Path) -> str:
    """Return the version of a study's tables.

    Raises InputError where the file is missing or not a study.
    Raises UnsafeStudy where it contains objects that this program never creates.
    Raises StudyDamaged where it cannot be read.
    """
    check_is_file(path)
    side_files.settle(path)
    with map_errors(path), closing(connect(path)) as connection:
        version = checked_version(connection, path)
        connection.execute("PRAGMA journal_mode=WAL")  # backups are not in this mode
        return version


def check_is_file(path: Path) -> None:
    """Raise InputError where a path is not a file."""
    with access_errors(path):
        if path.is_dir():
            raise InputError(f"{path} is a folder. Choose the study in it, a .pyramidion file.")
        if not path.is_file():
            raise InputError(f"There is no study at {path}. Check the name.")


def checked_version(connection: sqlite3.Connection, path: Path) -> str:
    """Return the version of the tables of an open file. Raises the errors of `version_of`."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise InputError(f"{path.name} is not a Pyramidion study. Choose another file.")
    return stored_version(connection, path, MIGRATIONS)


def backup(study_path: Path, target: Path) -> None:
    """Copy a study, open or not, into a new file with SQLite's backup API and check the copy.

    Raises InputError where the target exists.
    Raises StudyDamaged where the copy fails its checks.
    """
    version_of(study_path)
    if target.exists():
        raise InputError(f"{target} exists already. Choose another name for the backup.")
    target.parent.mkdir(parents=True, exist_ok=True)
    unchecked = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        with map_errors(target), closing(connect(study_path)) as source, closing(connect(unchecked)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file without a log
            (result,) = copy.execute("PRAGMA integrity_check").fetchone()
            if result != "ok":
                raise StudyDamaged(f"{study_path.name} could not be backed up, it is damaged: {result}.")
        unchecked.replace(target)
    finally:
        unchecked.unlink(missing_ok=True)


def put_in_place(new: Path, path: Path) -> list[Path]:
    """Rename a complete study to its final path. Returns the logs of an earlier file that were set aside.

    Raises InputError where a study at that path is open.
    """
    with map_errors(path), file_guard.alone(path) as is_alone:
        if not is_alone:
            raise sqlite3.OperationalError("database is locked")
        if path.exists():
            _check_unused(path)
        logs = side_files.set_aside(path)  # so that it is never applied to the new file
        new.replace(path)
    return logs


def connect(path: Path) -> sqlite3.Connection:
    """Return a driver connection in autocommit mode."""
    factory = guarding(path, BUSY_SECONDS)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, factory=factory)
    harden(connection)
    return connection


def connect_immutable(path: Path) -> sqlite3.Connection:
    """Return a connection that reads an unchanging file, without its log and without locks."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    harden(connection)
    return connection


@contextmanager
def map_errors(path: Path) -> Iterator[None]:
    """Map errors of a study file to InputError or StudyDamaged."""
    try:
        yield
    except (sqlite3.DatabaseError, DBAPIError) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        cause = str(original)
        if "not a database" in cause:
            raise InputError(f"{path.name} is not a Pyramidion study. Choose another file.") from error
        if "locked" in cause:
            raise InputError(f"{path.name} is in use by another program. Close it there first.") from error
        if "full" in cause or "disk I/O" in cause:
            raise InputError(f"{path} cannot be written ({cause}). Free some space on its disk.") from error
        if isinstance(original, sqlite3.OperationalError):
            raise InputError(
                f"{path} cannot be opened for writing ({cause}). Check the permissions of the file and of "
                "its folder, or copy it to another one."
            ) from error
        raise damaged(path, cause) from error
    except UnicodeDecodeError as error:  # from messages about damaged rows
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}). Choose another place.") from error


@contextmanager
def reading_errors(path: Path) -> Iterator[None]:
    """Map errors of reading a study to InputError or StudyDamaged; other errors are bugs."""
    try:
        yield
    except DBAPIError as error:
        if known := _cannot_be_read(path, str(error.orig)):
            raise known from error
        raise
    except (UnicodeDecodeError, JSONDecodeError) as error:  # intact rows are valid UTF-8 and JSON
        raise damaged(path, str(error)) from error


def _cannot_be_read(path: Path, cause: str) -> PyramidionError | None:
    """Return the error of a study that cannot be read; None if neither file nor disk is the cause."""
    if is_corruption(cause):
        return damaged(path, cause)
    if any(sign in cause for sign in ("disk I/O", "unable to open", "locked")):
        return InputError(
            f"{path} cannot be read ({cause}). Check its disk and the permissions of the file and of its "
            "folder, then open it again."
        )
    return None


def is_corruption(cause: str) -> bool:
    """Return whether an error message of SQLite reports corrupted content."""
    return any(sign in cause for sign in ("malformed", "not a database", "Could not decode"))


def damaged(path: StudyAddress, cause: str) -> StudyDamaged:
    """Return the error of a damaged study, with a hint on recovery."""
    return StudyDamaged(f"{path.name} is damaged ({cause}). {recovery_hint(path)}")


def recovery_hint(path: StudyAddress) -> str:
    """Return how to recover a damaged study, as a sentence."""
    if not isinstance(path, Path):
        return "Ask who administers the database to restore a dump of it (`pg_restore`)."
    return (
        f"Restore a backup: Study › Restore a backup… in the window, or `pyramidion restore "
        f"{shlex.quote(str(path))}`, which lists them."
    )


def _make_tables(path: Path) -> None:
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA user_version={side_files.next_stamp(0)}")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
        for statement in creating_statements():  # the table of versions as Alembic's, which imports slowly
            connection.execute(statement)
        connection.execute("INSERT INTO alembic_version VALUES (?)", (versions()[-1],))
        connection.execute("COMMIT")


def _check_unused(path: Path) -> None:
    """Make sure that no other program has the study to be replaced open."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            harden(connection)
            connection.execute("PRAGMA busy_timeout=0")
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise
        # Any other error: the file is not a usable database and may be replaced.
