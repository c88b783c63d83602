"""Logs next to a study: detect those that belong to another file and set them aside.

The log of a killed process stays on disk, and SQLite applies it to any file that later has the study's name:
a new study, a restored backup, a file from a synchronization program. The log has checksums but no reference
to its file, so SQLite cannot detect this.

Therefore every transaction of this program changes a stamp of the study, stored in the first page as
SQLite's otherwise unused `user_version`: 12 random bits, then 20 bits of a checksum of the previous stamp.
So the first transaction in a log identifies the state of the file that it continues.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from storage.database import file_guard
from storage.database.file_guard import HEADER, INDEX, JOURNAL, LOG, side_file
from storage.database.hardening import harden

_log = logging.getLogger(__name__)

_HEADER, _FRAME = 32, 24
"""Size in bytes of the headers of a log and of each frame in it; a page follows a frame header."""

_MAGIC = {0x377F0682, 0x377F0683}
_COUNTER_AT, _STAMP_AT = 24, 60
"""Offsets of the change counter and of `user_version` in the first page."""

_CHECKSUM_BITS = 20


def next_stamp(stamp: int) -> int:
    """Return a stamp for the transaction after the one with a stamp; both are signed 32-bit integers."""
    own = secrets.randbelow(2**12 - 1) + 1  # 0 means a study without stamps
    made = own << _CHECKSUM_BITS | _checksum(stamp)
    return made - 2**32 if made >= 2**31 else made


def set_stamp(connection: sqlite3.Connection) -> None:
    """Change the stamp of a study in the current transaction of a connection."""
    (stamp,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version={next_stamp(stamp)}")


def set_aside(path: Path) -> list[Path]:
    """Rename the logs next to a study, so that they are not applied to it. Returns their new paths.

    The index of a log is deleted, as SQLite rebuilds it from the log.
    Raises InputError where this is impossible, as on Windows while another program has the log open.
    """
    path = path.resolve()
    moment = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    moved = []
    try:
        for ending in (LOG, JOURNAL):
            log = side_file(path, ending)
            if not _size(log):
                log.unlink(missing_ok=True)
                continue
            moved.append(log.rename(log.with_name(f"{log.name}-set-aside-{moment}")))
        side_file(path, INDEX).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"The log of an earlier file next to {path.name} cannot be renamed: {error.strerror}. Close "
            "every program that has the study open."
        ) from error
    return moved


def settle(path: Path) -> str:
    """Set aside logs that do not belong to the study at a path. Returns a message; empty = none were.

    A log of a killed process that belongs to the study stays, and SQLite recovers its edits; so does a log in
    use. Fast where there is no log.
    """
    path = path.resolve()
    if not _size(side_file(path, LOG)) and not _size(side_file(path, JOURNAL)):
        return ""
    with file_guard.alone(path) as is_alone:
        if not is_alone or file_guard.in_use(path) or _fits(path):
            return ""
        moved = set_aside(path)
    if not moved:
        return ""
    names = " and ".join(file.name for file in moved)
    notice = (
        f"The log of changes next to {path.name} does not belong to this file: the file was replaced after "
        f"the program that wrote the log had ended. The log was not applied; it is now {names} in "
        f"{path.parent}."
    )
    _log.warning(notice)
    return notice


def _fits(path: Path) -> bool:
    """Return whether the logs next to a study may be applied to it."""
    if _size(side_file(path, JOURNAL)):
        return not (_is_sound(path, alone=True) and not _is_sound_in_a_copy(path))
    try:
        fits = _continues(path) or _continues(path)  # twice, as a program without these locks may be writing
    except OSError:
        return True  # opening it reports why it cannot be read
    if fits is not None:
        return fits
    return _is_sound(path, alone=False) or not _is_sound(path, alone=True)


def _continues(path: Path) -> bool | None:
    """Return whether the log next to a study continues this file, None = unknown from the stamps.

    The file has the state before the log, or after one of its transactions if the log was being moved.
    """
    with path.open("rb") as file:
        header = file.read(HEADER)
    with side_file(path, LOG).open("rb") as log:
        return continues(header, log)


def continues(header: bytes, log: BinaryIO) -> bool | None:
    """Return whether a log continues the file with a given header, None = unknown from the stamps."""
    start = log.read(_HEADER)
    if len(start) < _HEADER or int.from_bytes(start[:4]) not in _MAGIC:
        return True  # SQLite does not apply such a log
    size, of_file = int.from_bytes(start[8:12]), int.from_bytes(header[16:18])
    if len(header) < HEADER or size != (65536 if of_file == 1 else of_file):
        return False
    if header[18:20] != b"\x02\x02":
        return False  # a backup, or another file that never had a log
    states = list(_states(log, size, start[16:24]))
    stamp = _stamp(header)
    if not states or (stamp == 0 and any(_stamp(state) == 0 for state in states)):
        return None  # written by an older version, or by another tool
    first = states[0]
    if _stamp(first) & ((1 << _CHECKSUM_BITS) - 1) == _checksum(stamp):
        return True
    if _stamp(first) == stamp and _counter(first) - _counter(header) in (0, 1):
        return True  # a migration or another tool wrote first; neither changes the stamp
    return (_counter(header), stamp) in [(_counter(state), _stamp(state)) for state in states]


def _states(log: BinaryIO, size: int, salt: bytes) -> Iterator[bytes]:
    """Yield the header of the study after each transaction in a log that changed it. size: page size."""
    latest: bytes | None = None
    while len(frame := log.read(_FRAME)) == _FRAME and frame[8:16] == salt:
        page, pages_after_commit = int.from_bytes(frame[:4]), int.from_bytes(frame[4:8])
        if page == 1:
            latest = log.read(size)[:HEADER]
        else:
            log.seek(size, 1)
        if pages_after_commit and latest is not None:
            yield latest
            latest = None


def _stamp(page: bytes) -> int:
    """Return the stamp in a first page, unsigned; 0 = none."""
    return int.from_bytes(page[_STAMP_AT : _STAMP_AT + 4])


def _counter(page: bytes) -> int:
    """Return SQLite's change counter in a first page; copies made by SQLite have another one."""
    return int.from_bytes(page[_COUNTER_AT : _COUNTER_AT + 4])


def _checksum(stamp: int) -> int:
    return zlib.crc32((stamp % 2**32).to_bytes(4)) & ((1 << _CHECKSUM_BITS) - 1)


def _is_sound(path: Path, *, alone: bool) -> bool:
    """Return whether a study passes SQLite's integrity check, with or without its log; changes nothing."""
    try:
        address = f"{path.as_uri()}?{'immutable=1' if alone else 'mode=ro'}"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            harden(connection)
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def _is_sound_in_a_copy(path: Path) -> bool:
    """Return whether a copy passes SQLite's integrity check after rolling back its journal."""
    with tempfile.TemporaryDirectory(prefix="pyramidion-") as folder:
        copy = Path(folder, "study")
        shutil.copyfile(path, copy)
        shutil.copyfile(side_file(path, JOURNAL), side_file(copy, JOURNAL))
        with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
            harden(connection)
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
