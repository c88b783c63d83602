"""Backups of studies: make, list, check, rotate and restore them.

A backup is one file, a complete study without a write-ahead log. Its name holds the study's name, why it was
made, a digest of the study's folder and the time in UTC, so that studies of one name can share a folder. It
ends with a digest of the content, which shows damage that SQLite's own checks cannot see; the names of older
backups lack it.
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
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

from core.errors import InputError, PyramidionError, StudyDamaged
from core.files.paths import access_errors, ensure_folder
from core.progress import JobSteps, Progress, raise_if_cancelled
from storage.database import file_guard, read_only, side_files, study_database
from storage.database.hardening import harden

DEFAULT_NUMBER = 10
"""Backups of each kind that are stored; older ones are deleted."""
SIDE_FILES = ("-wal", "-shm", "-journal")
_PAGES_AT_ONCE = 200
_CHUNK = 1 << 20
_ABANDONED_SECONDS = 24 * 3600.0
_PART = ".partial"
_OWN_PART = re.compile(r"\.[0-9a-f]{32}\.partial(-wal|-shm|-journal)?")
_LONGEST_STEM = 150  # bytes; file systems take 255 for a whole name
_STAMP = r"(?P<stamp>\d{8}-\d{6}-\d{6})"
_DIGEST = r"(?:-(?P<digest>[0-9a-f]{16}))?"


class BackupKind(StrEnum):
    """Why a backup was made."""

    AUTOMATIC = "auto"
    RESTORE = "before-restore"
    DAMAGED = "damaged"
    MIGRATION = "migration"

    @property
    def description(self) -> str:
        return _TITLES[self]


_TITLES = {
    BackupKind.AUTOMATIC: "Automatic",
    BackupKind.RESTORE: "Before a restore",
    BackupKind.DAMAGED: "Damaged file, replaced by a restore",
    BackupKind.MIGRATION: "Before an upgrade",
}


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file. made: in UTC. bytes: its size."""

    path: Path
    kind: BackupKind
    made: datetime
    bytes: int


@dataclass(frozen=True, slots=True)
class BackupContent:
    """What a backup holds. annotations: SCUs, matches and ratings. problem: empty = it passed its checks."""

    topics: int = 0
    edits: int = 0
    annotations: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did. saved: the copy of the file that was replaced, None = there was none."""

    study: Path
    backup: Path
    saved: Path | None


def default_folder(study: Path) -> Path:
    """The folder next to a study where its backups are stored unless the settings name another one."""
    return study.absolute().parent / study_database.BACKUPS


def folders_of(study: Path, folder: Path | None = None) -> tuple[Path, ...]:
    """Every folder that may hold backups of a study; new ones go to the first. folder: from the settings."""
    return tuple(dict.fromkeys((folder or default_folder(study), default_folder(study))))


def listed(study: Path, folder: Path | None = None) -> list[Backup]:
    """The backups of a study, newest first. Raises InputError where a folder cannot be read."""
    found = [backup for place in folders_of(study, folder) for backup in _in_folder(study, place)]
    return _newest_first(found)


def content_of(backup: Path) -> BackupContent:
    """Count what a backup holds and check it: its digest, pages, keys and version. Changes nothing."""
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
    """The newest backup that passes its checks, None = there is none.

    Copies of what a restore replaced do not count: after a restore they are the newest.
    """
    ordinary = (b for b in listed(study, folder) if b.kind in (BackupKind.AUTOMATIC, BackupKind.MIGRATION))
    return next((b for b in ordinary if not content_of(b.path).problem), None)


def back_up(study: Path, number: int = DEFAULT_NUMBER, folder: Path | None = None) -> JobSteps[Path | None]:
    """Make an automatic backup of a study, open or not, and delete those beyond `number`.

    Copies one snapshot in small steps, so that writers never wait; checks the copy; gives it its name only
    when it is complete. Returns its path, or None where the newest backup has the same content, `number` is
    0, or the study cannot be written. Raises StudyDamaged where the study fails its checks, InputError where
    the backup cannot be written.
    """
    if number <= 0 or read_only.reason_of(study):
        return None
    place = folders_of(study, folder)[0]
    with access_errors(study):
        if not study.is_file():
            raise InputError(f"{study} cannot be backed up: it is not there. Check the name.")
    part = place / f".{uuid4().hex}{_PART}"
    try:
        with _writing(place):
            _sweep(place)
            yield Progress(0, 2, f"copying {study.name}")
            counts = _copy(study, part)
            raise_if_cancelled()
            newest = next((b for b in listed(study, folder) if b.kind is not BackupKind.DAMAGED), None)
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

    The file that is replaced is saved as a backup first, with its log. Raises InputError where the backup is
    no study or another program has the study open, StudyDamaged where the backup fails its checks or is not
    the file that was written; then nothing was changed.
    """
    with access_errors(backup):
        if not backup.is_file():
            raise InputError(f"There is no backup at {backup}. `pyramidion restore --list` lists them.")
        if study.exists() and backup.samefile(study):
            raise InputError(f"{backup} is the study itself. Choose one of its backups.")
        if not study.absolute().parent.is_dir():
            raise InputError(f"The folder {study.absolute().parent} does not exist. Make it first.")
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
        with file_guard.alone(study) as is_alone:  # nothing is saved between the copy and the replacement
            if not is_alone:
                raise _in_use(study)
            with _writing(place):
                saved = _save_replaced(study, place)
                _rotate(study, place, DEFAULT_NUMBER)
            with _writing(study.absolute().parent):
                if study.exists():
                    shutil.copymode(study, staged)
                for suffix in SIDE_FILES:  # saved above; the log of another file would damage this one
                    study.with_name(study.name + suffix).unlink(missing_ok=True)
                staged.replace(study)
                _flush_folder(study.absolute().parent)
    finally:
        _remove(staged)
    return Restored(study, backup, saved)


# Names


def study_of(path: Path) -> Path:
    """The study that a file in a folder of backups was made from, by its name; any other path as it is."""
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
    """The study's name in those of its backups; a long one is shortened, with a digest of the whole."""
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
    """Copy one snapshot of a study into a new file; returns the rows of every table of that snapshot."""

    def heed(status: int, remaining: int, total: int) -> None:
        raise_if_cancelled()

    side_files.settle(study)
    source = study_database.connect(study)
    with closing(source), closing(sqlite3.connect(part, isolation_level=None)) as copy:
        # In WAL mode a reader holds up no writer, and within its transaction the copy need not begin again.
        source.execute("BEGIN")
        study_database.checked_version(source, study)
        counts = _row_counts(source)
        copy.execute("PRAGMA synchronous=OFF")  # flushed once, when it is complete
        source.backup(copy, pages=_PAGES_AT_ONCE, progress=heed, sleep=0.05)
        source.execute("COMMIT")
        copy.execute("PRAGMA journal_mode=DELETE")
    return counts


def _check_copy(part: Path, study: Path, counts: dict[str, int]) -> None:
    with _reading(part) as connection:
        _check(connection, study)
        if (copied := _row_counts(connection)) != counts:
            wrong = next(table for table in counts if copied.get(table) != counts[table])
            raise StudyDamaged(
                f"{study.name} could not be backed up: table {wrong} has {counts[wrong]} rows, the copy "
                f"{copied.get(wrong, 0)}. Check the disk."
            )


def _put_in_place(part: Path, target: Path) -> None:
    _flush(part)
    part.replace(target)
    _flush_folder(target.parent)


def _rotate(study: Path, place: Path, number: int) -> None:
    """Delete old backups of each kind; those before upgrades stay."""
    for kind in (BackupKind.AUTOMATIC, BackupKind.RESTORE, BackupKind.DAMAGED):
        own = _newest_first(backup for backup in _in_folder(study, place) if backup.kind is kind)
        for backup in own[max(number, 1) :]:
            for path in (backup.path, *_side_files(backup.path)):
                _remove(path)


def _newest_first(found: Iterable[Backup]) -> list[Backup]:
    """Sort backups by their age; those with a time to come were made while the clock was wrong, so before."""
    now = datetime.now(UTC)
    return sorted(found, key=lambda b: (b.made <= now, b.made, b.path.name), reverse=True)


def _sweep(place: Path) -> None:
    """Delete what backups and restores that were killed have left, once no running one can need it."""
    for path in place.glob(f".*{_PART}*"):
        with suppress(OSError):
            if _OWN_PART.fullmatch(path.name) and time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()


def _same_content(backup: Path, part: Path) -> bool:
    """Whether two backups hold the same pages; counters in the header change without them."""
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
    """A file's header without its format versions (18-19) and its counters of changes (24-27, 92-99)."""
    return header[:18] + header[20:24] + header[28:92]


# Restoring


def _refuse_in_use(study: Path) -> None:
    """Raise InputError where another program has the study open."""
    if not study.exists():
        return
    try:
        import fcntl
    except ImportError:  # Windows refuses to replace a file that is open
        return
    try:
        with study.open("r+b") as file:
            # The bytes that every connection of SQLite holds a lock on (sqlite3.c, PENDING_BYTE).
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 512, 0x40000000)
    except BlockingIOError as error:
        raise _in_use(study) from error
    except OSError as error:
        raise InputError(f"{study} cannot be replaced: {error.strerror}. Check its permissions.") from error


def _in_use(study: Path) -> InputError:
    return InputError(f"{study.name} is open in another program or window. Close it there, then restore.")


def _save_replaced(study: Path, place: Path) -> Path | None:
    """Save the file that is to be replaced, with its log: as a study if it is sound, else as it is."""
    if not study.exists() and not any(path.stat().st_size for path in _side_files(study)):
        return None
    part = place / f".{uuid4().hex}{_PART}"
    try:
        _copy_files(study, part)
        is_sound = study.exists() and _folds(part)
        if is_sound:
            target = _target(study, place, BackupKind.RESTORE, _digest(part))
        else:
            target = _target(study, place, BackupKind.DAMAGED)
            _copy_files(study, part)  # again: opening the copy has changed it
        for path in (*_side_files(part), *([part] if part.exists() else ())):
            _put_in_place(path, target.with_name(target.name + path.name.removeprefix(part.name)))
        return target if target.exists() else target.with_name(f"{target.name}-wal")
    finally:
        for path in (part, *_side_files(part)):
            _remove(path)


def _copy_files(study: Path, part: Path) -> None:
    """Copy a study that nobody has open, with the logs next to it; their index (-shm) can be rebuilt."""
    for path in (study, *_side_files(study)):
        if path.exists() and not path.name.endswith("-shm"):
            shutil.copyfile(path, part.with_name(part.name + path.name.removeprefix(study.name)))


def _folds(part: Path) -> bool:
    """Fold the log of a private copy into it; whether it is a sound study then."""
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
    """Raise what `_check` raises for a backup or its copy at a path; damage with what to do."""
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
    """Raise StudyDamaged where a file is not what was written under its name; older names have no digest."""
    named = re.fullmatch(rf".+-{_STAMP}{_DIGEST}\.[^.]+", backup.name)
    if named is not None and named["digest"] and named["digest"] != _digest(path):
        raise StudyDamaged(
            f"{backup.name} differs from what was written when the backup was made: it is damaged or was "
            "edited."
        )


def _digest(path: Path) -> str:
    """Return a digest of a study's content; opening it for reading does not change that."""
    digest = hashlib.sha256()
    with access_errors(path), path.open("rb") as file:
        digest.update(_fixed_header(file.read(100)))
        while chunk := file.read(_CHUNK):
            raise_if_cancelled()
            digest.update(chunk)
    return digest.hexdigest()[:16]


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise InputError or StudyDamaged where a file is no study that can be opened."""
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
    """SCUs, matches and ratings that are not deleted."""
    tables = [table for table in ("scus", "matches", "ratings") if table in counts]
    return sum(
        int(connection.execute(f"SELECT count(*) FROM {table} WHERE NOT is_deleted").fetchone()[0])
        for table in tables
    )


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that nobody else has open, which leaves no files next to it."""
    log = path.with_name(f"{path.name}-wal")
    with access_errors(path):
        if log.exists() and log.stat().st_size:
            raise InputError(
                f"{path.name} has a write-ahead log next to it, so it is not complete by itself. Open it as "
                "a study and close it again, then restore it."
            )
    with (
        study_database.map_errors(path),
        closing(sqlite3.connect(_uri(path, "ro", immutable=True), uri=True)) as connection,
    ):
        harden(connection)
        yield connection


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Report what hinders writing to a folder, which is made if it is not there."""
    ensure_folder(folder)
    try:
        with study_database.map_errors(folder):
            yield
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}. Choose another folder.") from error


def _uri(path: Path, mode: str, *, immutable: bool = False) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"


def _side_files(path: Path) -> list[Path]:
    sides = (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    return [side for side in sides if side.exists()]


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Make renames in a folder last; not every system lets folders be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
