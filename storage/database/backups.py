"""Backups of studies: create, list, check, rotate and restore.

A backup is one file: a complete study without a write-ahead log. Its name contains the study's name, the kind
of backup, a digest of the study's folder and the time in UTC, so that studies of the same name can share a
backup folder. It ends with a digest of the content, which reveals damage that SQLite's own checks cannot
detect; the names of older backups lack it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from core.errors import InputError, PyramidionError, StudyDamaged
from core.files.backups import Backup, BackupContent, BackupKind
from core.files.paths import access_errors, ensure_folder
from core.progress import JobSteps, Progress, raise_if_cancelled
from storage.database import file_guard, read_only, side_files, study_database
from storage.database.hardening import harden

DEFAULT_NUMBER = 10
"""Number of backups of each kind to keep; older ones are deleted."""
SIDE_FILES = ("-wal", "-shm", "-journal")
_PAGES_AT_ONCE = 200
_CHUNK = 1 << 20
_ABANDONED_SECONDS = 24 * 3600.0
_PART = ".partial"
_OWN_PART = re.compile(r"\.[0-9a-f]{32}\.partial(-wal|-shm|-journal)?")
_LONGEST_STEM = 150  # bytes; file systems take 255 for a whole name
_STAMP = r"(?P<stamp>\d{8}-\d{6}-\d{6})"
_DIGEST = r"(?:-(?P<digest>[0-9a-f]{16}))?"


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore. saved: copy of the replaced file, None = there was none."""

    study: Path
    backup: Path
    saved: Path | None


def default_folder(study: Path) -> Path:
    """Return the folder for a study's backups unless the settings name another one."""
    return study.absolute().parent / study_database.BACKUPS


def folders_of(study: Path, folder: Path | None = None) -> tuple[Path, ...]:
    """Return all backup folders of a study, the one for new backups first. folder: from the settings."""
    return tuple(dict.fromkeys((folder or default_folder(study), default_folder(study))))


def list_backups(study: Path, folder: Path | None = None) -> list[Backup]:
    """Return the backups of a study, newest first. Raises InputError where a folder cannot be read."""
    return _newest_first(backup for place in folders_of(study, folder) for backup in _in_folder(study, place))


def content_of(backup: Path) -> BackupContent:
    """Count the content of a backup and check its digest, pages, keys and version. Changes nothing."""
    try:
        with _reading(backup) as connection:
            _check(connection, backup)
            _check_digest(backup, backup)
            counts = _row_counts(connection)
            return BackupContent(
                counts.get("topics", 0), counts.get("edits", 0), _annotations(connection, counts)
            )
    except PyramidionError as error:
        return BackupContent(problem=str(error))


def newest_good(study: Path, folder: Path | None = None) -> Backup | None:
    """Return the newest backup that passes its checks, None = there is none.

    Copies of files that a restore replaced are ignored.
    """
    ordinary = (
        b for b in list_backups(study, folder) if b.kind in (BackupKind.AUTOMATIC, BackupKind.MIGRATION)
    )
    return next((b for b in ordinary if not content_of(b.path).problem), None)


def back_up(study: Path, number: int = DEFAULT_NUMBER, folder: Path | None = None) -> JobSteps[Path | None]:
    """Create an automatic backup of a study, open or not, and delete those beyond `number`.

    Copies a snapshot in small steps, so that writers never wait, and checks the copy before naming it.
    Returns its path, or None where the newest backup has the same content, `number` is 0, or the study is
    read-only.
    Raises StudyDamaged where the study fails its checks.
    Raises InputError where the backup cannot be written.
    """
    if number <= 0 or read_only.reason_of(study):
        return None
    place = folders_of(study, folder)[0]
    with access_errors(study):
        if not study.is_file():
            raise InputError(f"{study} cannot be backed up: the file does not exist. Check the name.")
    part = place / f".{uuid4().hex}{_PART}"
    try:
        with _writing(place):
            _sweep(place)
            yield Progress(0, 2, f"copying {study.name}")
            counts = _copy(study, part)
            raise_if_cancelled()
            newest = next((b for b in list_backups(study, folder) if b.kind is not BackupKind.DAMAGED), None)
            if newest is not None and _same_content(newest.path, part):
                return None
            yield Progress(1, 2, f"checking the backup of {study.name}")
            _check_copy(part, study, counts)
            target = _target(study, place, BackupKind.AUTOMATIC, _digest(part))
            _put_in_place(part, target)
            _rotate(study, place, number)
    finally:
        for path in (part, *_side_files(part)):
            _remove(path)
    return target


def restore(study: Path, backup: Path, folder: Path | None = None) -> JobSteps[Restored]:
    """Replace a study, which may be damaged or missing, by a backup.

    The replaced file is saved as a backup first, with its log. On an error nothing is changed.
    Raises InputError where the backup is not a study or another program has the study open.
    Raises StudyDamaged where the backup fails its checks or was changed since it was written.
    """
    with access_errors(backup):
        if not backup.is_file():
            raise InputError(f"There is no backup at {backup}. `pyramidion restore --list` lists them.")
        if study.exists() and backup.samefile(study):
            raise InputError(f"{backup} is the study itself. Choose one of its backups.")
        if not study.absolute().parent.is_dir():
            raise InputError(f"The folder {study.absolute().parent} does not exist. Create it first.")
    yield Progress(0, 3, f"checking {backup.name}")
    _check_backup(backup, backup, study)
    _refuse_in_use(study)
    staged = study.with_name(f".{uuid4().hex}{_PART}")
    try:
        with _writing(study.absolute().parent):
            _sweep(study.absolute().parent)
            yield Progress(1, 3, f"copying {backup.name}")
            shutil.copyfile(backup, staged)
            _check_backup(staged, backup, study)
            _flush(staged)
        place = folders_of(study, folder)[0]
        yield Progress(2, 3, f"saving {study.name}")
        with file_guard.alone(
            study
        ) as is_alone:  # so that nothing is written between the copy and the replacement
            if not is_alone:
                raise _in_use(study)
            with _writing(place):
                saved = _save_replaced(study, place)
                _rotate(study, place, DEFAULT_NUMBER)
            with _writing(study.absolute().parent):
                if study.exists():
                    shutil.copymode(study, staged)
                for (
                    suffix
                ) in SIDE_FILES:  # saved above; the log of another file would damage the restored one
                    study.with_name(study.name + suffix).unlink(missing_ok=True)
                staged.replace(study)
                _flush_folder(study.absolute().parent)
    finally:
        _remove(staged)
    return Restored(study, backup, saved)


# Names


def study_of(path: Path) -> Path:
    """Return the study that a backup belongs to, by its name and folder; other paths unchanged."""
    kinds = "|".join(k.value for k in BackupKind if k is not BackupKind.MIGRATION)
    match = re.fullmatch(
        rf"(?P<stem>.+?)-((?:{kinds})-[0-9a-f]{{8}}|[0-9]{{4}})-{_STAMP}{_DIGEST}(?P<suffix>\.[^.]+)",
        path.name,
    )
    if match is None or path.parent.name != study_database.BACKUPS:
        return path
    return path.parent.parent / f"{match['stem']}{match['suffix']}"


def _target(study: Path, place: Path, kind: BackupKind, digest: str = "") -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f") + (f"-{digest}" if digest else "")
    return place / f"{_stem(study)}-{kind}-{_folder_key(study)}-{stamp}{study.suffix or '.pyramidion'}"


def _stem(study: Path) -> str:
    """Return the study's name for file names of backups; a long one is shortened, with a digest."""
    stem = study.stem
    encoded = stem.encode(errors="surrogateescape")
    if len(encoded) <= _LONGEST_STEM:
        return stem
    digest = hashlib.sha256(encoded).hexdigest()[:8]
    return f"{encoded[:_LONGEST_STEM].decode(errors='ignore')}~{digest}"


def _folder_key(study: Path) -> str:
    return hashlib.sha256(os.fsencode(study.resolve().parent)).hexdigest()[:8]


def _in_folder(study: Path, place: Path) -> Iterator[Backup]:
    stem = re.escape(_stem(study))
    kinds = "|".join(k.value for k in BackupKind if k is not BackupKind.MIGRATION)
    ours = re.compile(rf"{stem}-(?P<kind>{kinds})-(?P<key>[0-9a-f]{{8}})-{_STAMP}{_DIGEST}\.[^.]+")
    migrated = re.compile(rf"{re.escape(study.stem)}-[0-9A-Za-z]+-{_STAMP}\.[^.]+")
    is_default = place == default_folder(study)
    with access_errors(place):
        names = [path.name for path in place.iterdir()] if place.is_dir() else []
        for name in names:
            match = ours.fullmatch(name)
            if match is not None and (is_default or match["key"] == _folder_key(study)):
                made = datetime.strptime(match["stamp"], "%Y%m%d-%H%M%S-%f").replace(tzinfo=UTC)
                yield Backup(place / name, BackupKind(match["kind"]), made, (place / name).stat().st_size)
            elif is_default and (match := migrated.fullmatch(name)) is not None:
                made = datetime.strptime(match["stamp"], "%Y%m%d-%H%M%S-%f").astimezone(UTC)  # local time
                yield Backup(place / name, BackupKind.MIGRATION, made, (place / name).stat().st_size)


# Making


def _copy(study: Path, part: Path) -> dict[str, int]:
    """Copy a snapshot of a study into a new file. Returns the number of rows of each table."""

    def check_cancelled(status: int, remaining: int, total: int) -> None:
        raise_if_cancelled()

    side_files.settle(study)
    source = study_database.connect(study)
    with closing(source), closing(sqlite3.connect(part, isolation_level=None)) as copy:
        # In WAL mode a reader does not block writers, and within one transaction the copy never restarts.
        source.execute("BEGIN")
        study_database.checked_version(source, study)
        counts = _row_counts(source)
        copy.execute("PRAGMA synchronous=OFF")  # flushed once when complete
        source.backup(copy, pages=_PAGES_AT_ONCE, progress=check_cancelled, sleep=0.05)
        source.execute("COMMIT")
        copy.execute("PRAGMA journal_mode=DELETE")
    return counts


def _check_copy(part: Path, study: Path, counts: dict[str, int]) -> None:
    with _reading(part) as connection:
        _check(connection, study)
        if (copied := _row_counts(connection)) != counts:
            wrong = next(table for table in counts if copied.get(table) != counts[table])
            raise StudyDamaged(
                f"{study.name} could not be backed up: table {wrong} has {counts[wrong]} rows, but the "
                f"copy has {copied.get(wrong, 0)}. Check the disk."
            )


def _put_in_place(part: Path, target: Path) -> None:
    _flush(part)
    part.replace(target)
    _flush_folder(target.parent)


def _rotate(study: Path, place: Path, number: int) -> None:
    """Delete old backups of each kind, except those before upgrades."""
    for kind in (BackupKind.AUTOMATIC, BackupKind.RESTORE, BackupKind.DAMAGED):
        own = _newest_first(backup for backup in _in_folder(study, place) if backup.kind is kind)
        for backup in own[max(number, 1) :]:
            for path in (backup.path, *_side_files(backup.path)):
                _remove(path)


def _newest_first(unsorted: Iterable[Backup]) -> list[Backup]:
    """Sort backups by age; those with a future time were made with a wrong clock and count as oldest."""
    now = datetime.now(UTC)
    return sorted(unsorted, key=lambda b: (b.made <= now, b.made, b.path.name), reverse=True)


def _sweep(place: Path) -> None:
    """Delete temporary files of killed backups and restores that are too old to be in use."""
    for path in place.glob(f".*{_PART}*"):
        with suppress(OSError):
            if _OWN_PART.fullmatch(path.name) and time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()


def _same_content(backup: Path, part: Path) -> bool:
    """Return whether two backups have the same pages; counters in the header are ignored."""
    try:
        if backup.stat().st_size != part.stat().st_size:
            return False
        with backup.open("rb") as one, part.open("rb") as other:
            if _fixed_header(one.read(100)) != _fixed_header(other.read(100)):
                return False
            while chunk := one.read(_CHUNK):
                raise_if_cancelled()
                if chunk != other.read(_CHUNK):
                    return False
    except OSError:
        return False
    return True


def _fixed_header(header: bytes) -> bytes:
    """Return a file header without format versions (bytes 18-19) and change counters (24-27, 92-99)."""
    return header[:18] + header[20:24] + header[28:92]


# Restoring


def _refuse_in_use(study: Path) -> None:
    """Raise InputError where another program has the study open."""
    if not study.exists():
        return
    with file_guard.alone(study) as is_alone:
        if not is_alone:  # closing the file below would drop the locks that this process holds on it
            raise _in_use(study)
    try:
        import fcntl
    except ImportError:  # Windows does not replace open files anyway
        return
    try:
        with study.open("r+b") as file:
            # The bytes that every SQLite connection locks (sqlite3.c, PENDING_BYTE).
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 512, 0x40000000)
    except BlockingIOError as error:
        raise _in_use(study) from error
    except OSError as error:
        raise InputError(f"{study} cannot be replaced: {error.strerror}. Check its permissions.") from error


def _in_use(study: Path) -> InputError:
    return InputError(f"{study.name} is open in another program or window. Close it there, then restore.")


def _save_replaced(study: Path, place: Path) -> Path | None:
    """Save the file to be replaced, with its log: as a study if it is valid, otherwise unchanged."""
    if not study.exists() and not any(path.stat().st_size for path in _side_files(study)):
        return None
    part = place / f".{uuid4().hex}{_PART}"
    try:
        _copy_files(study, part)
        is_valid = study.exists() and _checkpoint_copy(part)
        if is_valid:
            target = _target(study, place, BackupKind.RESTORE, _digest(part))
        else:
            target = _target(study, place, BackupKind.DAMAGED)
            _copy_files(study, part)  # again, as opening the copy has changed it
        for path in (*_side_files(part), *([part] if part.exists() else ())):
            _put_in_place(path, target.with_name(target.name + path.name.removeprefix(part.name)))
        return target if target.exists() else target.with_name(f"{target.name}-wal")
    finally:
        for path in (part, *_side_files(part)):
            _remove(path)


def _copy_files(study: Path, part: Path) -> None:
    """Copy a study that is not open, with its logs; their index (-shm) can be rebuilt."""
    for path in (study, *_side_files(study)):
        if path.exists() and not path.name.endswith("-shm"):
            shutil.copyfile(path, part.with_name(part.name + path.name.removeprefix(study.name)))


def _checkpoint_copy(part: Path) -> bool:
    """Move the log of a private copy into it. Returns whether it is then a valid study."""
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            harden(connection)
            connection.execute("PRAGMA journal_mode=DELETE")
            _check(connection, part)
    except (sqlite3.DatabaseError, PyramidionError, UnicodeDecodeError):
        return False
    return not _side_files(part)


# Checking


def _check_backup(path: Path, backup: Path, study: Path) -> None:
    """Check a backup or its copy like `_check`; errors about damage include a remedy."""
    try:
        with _reading(path) as connection:
            _check(connection, backup)
        _check_digest(path, backup)
    except StudyDamaged as error:
        raise StudyDamaged(
            f"The backup {backup.name} cannot be restored to {study.name}, which was not changed. {error} "
            f"Restore an older backup: `pyramidion restore {shlex.quote(str(study))}` lists them."
        ) from error


def _check_digest(path: Path, backup: Path) -> None:
    """Raise StudyDamaged where a file does not match the digest in its name; older names have none."""
    named = re.fullmatch(rf".+-{_STAMP}{_DIGEST}\.[^.]+", backup.name)
    if named is not None and named["digest"] and named["digest"] != _digest(path):
        raise StudyDamaged(
            f"{backup.name} differs from the backup that was written: it is damaged or was edited."
        )


def _digest(path: Path) -> str:
    """Return a digest of a study's content, which does not change by opening it for reading."""
    digest = hashlib.sha256()
    with access_errors(path), path.open("rb") as file:
        digest.update(_fixed_header(file.read(100)))
        while chunk := file.read(_CHUNK):
            raise_if_cancelled()
            digest.update(chunk)
    return digest.hexdigest()[:16]


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise InputError or StudyDamaged where a file is not a study that can be opened."""
    harden(connection)
    version, known = (
        study_database.checked_version(connection, path),
        study_database.versions(),
    )  # before anything else is read
    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise StudyDamaged(f"{path.name} is damaged ({result}).")
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise StudyDamaged(f"{path.name} is damaged: a row of {broken[0]} has lost its row of {broken[2]}.")
    if version not in known:
        raise InputError(
            f"{path.name} was written by a newer version of Pyramidion (tables {version}, this one knows up "
            f"to {known[-1]}). Install the newer version."
        )


def _row_counts(connection: sqlite3.Connection) -> dict[str, int]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: int(
            connection.execute('SELECT count(*) FROM "{}"'.format(name.replace('"', '""'))).fetchone()[0]
        )
        for (name,) in tables
    }


def _annotations(connection: sqlite3.Connection, counts: dict[str, int]) -> int:
    """Count the SCUs, matches and ratings that are not deleted."""
    tables = [table for table in ("scus", "matches", "ratings") if table in counts]
    return sum(
        int(connection.execute(f"SELECT count(*) FROM {table} WHERE NOT is_deleted").fetchone()[0])
        for table in tables
    )


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a file that is not in use, without creating files next to it."""
    log = path.with_name(f"{path.name}-wal")
    with access_errors(path):
        if log.exists() and log.stat().st_size:
            raise InputError(
                f"{path.name} is incomplete without the write-ahead log next to it. Open it as a study and "
                "close it again, then restore it."
            )
    with (
        study_database.map_errors(path),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection,
    ):
        harden(connection)
        yield connection


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Create a folder if needed and map errors of writing to it to InputError."""
    ensure_folder(folder)
    try:
        with study_database.map_errors(folder):
            yield
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}. Choose another folder.") from error


def _side_files(path: Path) -> list[Path]:
    sides = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return [side for side in sides if side.exists()]


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Flush renames in a folder to disk; not every system allows opening a folder."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
