"""Locks on an open study that no other code in the process can drop, and a watch on its files.

SQLite's locks on POSIX systems belong to the whole process: any code that opens and closes the study file,
as a file dialog does to find out its type, drops all of them. Another process then takes itself for the only
one, moves the write-ahead log into the file and deletes it while it is in use. See "How To Corrupt An SQLite
Database File", section 2.2.

Locks of open file descriptions (OFD) belong to one handle and conflict with SQLite's own. As long as a study
is open, its guard holds them for reading on the bytes that SQLite must lock for writing before it deletes a
log or resets its index. So no program that uses SQLite can do that, whatever happened to the other locks. Two
more bytes that SQLite does not use show which processes of this program have the study open, and which of
them writes.

Linux and macOS have these locks. Windows needs none: its locks belong to handles.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from core.errors import InputError
from core.files.guarded_files import guarded_files
from storage.database.hardening import harden

if sys.platform != "win32":
    import fcntl

# Where SQLite keeps its locks; see os.h, os_unix.c and wal.c of its source.
_SHARED = (0x40000002, 510)  # in the study: read by every connection, written by whoever is about to be alone
_LOG_IN_USE = (128, 1)  # in -shm: read by every connection, written by whoever resets the index of the log
# Ours, in the page of the study that SQLite reserves for locks and never fills.
_PRESENCE = (0x40000400, 1)
_WRITING = (0x40000401, 1)
_EVERYWHERE = (0, 0)

_UNLOCK, _READ, _WRITE = (2, 1, 3) if sys.platform == "darwin" else (2, 0, 1)
_SET, _GET = (90, 92) if sys.platform == "darwin" else (37, 36)
_LAYOUT = "qqihh" if sys.platform == "darwin" else "hhqqi4x"
_HAS_LOCKS = sys.platform in ("linux", "darwin")
_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOTSUP}

HEADER = 100
"""Bytes at the beginning of a study that describe it."""

LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
"""Endings of the files that SQLite keeps next to a study: the log, its index, the log of other modes."""

_LOG_HEADER, _FRAME_HEADER = 32, 24
"""Bytes at the beginning of a log and of each of its frames; a page follows."""
_FRAME = 16
"""The last bytes of a frame's header: two numbers of the log, then a checksum of all up to this frame."""
_INDEX_HEADER, _INDEX_VERSION = 96, 3_007_000
"""Bytes that describe a log in its index, twice the same, and the version of that description."""

Identity = tuple[int, int]
"""What stays the same of a file as long as it is the same file: device and inode."""


def side_file(path: Path, ending: str) -> Path:
    """Return the path of a file that SQLite keeps next to a study."""
    return path.with_name(path.name + ending)


def identity(path: Path) -> Identity | None:
    """Return what identifies the file at a path, None = there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class FileGuard:
    """The locks of this process on one study, shared by all of its connections."""

    def __init__(self, path: Path, key: Identity, handle: int | None, *, lacks_locks: bool = False) -> None:
        self.path, self.key = path, key
        self.users = 0
        self._handles = [] if handle is None else [handle]
        self._log: int | None = None
        self._sides: dict[str, Identity] = {}
        self._gate = threading.Lock()
        self.can_lock, self.lacks_locks = handle is not None, lacks_locks

    @contextmanager
    def writing(self, seconds: float) -> Iterator[None]:
        """Be the only one of this program who writes. Raises OperationalError after that many seconds."""
        deadline = time.monotonic() + seconds
        if not self._gate.acquire(timeout=max(seconds, 0)):
            raise sqlite3.OperationalError("database is locked")
        try:
            if self.can_lock:
                _wait(lambda: _lock(self._handles[0], _WRITE, _WRITING), deadline)
            try:
                yield
            finally:
                if self.can_lock:
                    _lock(self._handles[0], _UNLOCK, _WRITING)
        finally:
            self._gate.release()

    def hold(self) -> None:
        """Protect the log of the study from now on; a connection must have read from it.

        From here on `lost` compares the files on the disk with those that are there now.
        """
        if self._sides:
            return
        sides = {ending: identity(side_file(self.path, ending)) for ending in (LOG, INDEX)}
        self._sides = {ending: found for ending, found in sides.items() if found is not None}
        if self.can_lock and len(self._sides) == 2:
            self._log = os.open(side_file(self.path, LOG), os.O_RDONLY | os.O_CLOEXEC)
            handle = os.open(side_file(self.path, INDEX), os.O_RDWR | os.O_CLOEXEC)
            self._handles.append(handle)  # not closed before all connections are: that would drop their locks
            deadline = time.monotonic() + _HOLD_SECONDS
            _wait(lambda: _lock(handle, _READ, _LOG_IN_USE), deadline)
            _wait(lambda: _lock(self._handles[0], _READ, _SHARED), deadline)
        guarded_files.add((self.key, *self._sides.values()))

    def is_holding(self, ending: str) -> bool:
        """Whether the side file on the disk is the one that is in use here."""
        found = self._sides.get(ending)
        return found is not None and found == identity(side_file(self.path, ending))

    def others(self) -> bool:
        """Whether another process of this program has the study open."""
        return self.can_lock and _is_locked(self._handles[0], _PRESENCE)

    def lost(self) -> list[Path]:
        """Return the files that are no longer those which were opened: deleted, moved or replaced."""
        if identity(self.path) != self.key:
            return [self.path]
        return [side_file(self.path, ending) for ending in self._sides if not self.is_holding(ending)]

    def has_log(self) -> bool:
        """Whether the study is in the mode in which every connection has a log open."""
        return self.header()[18:20] == b"\x02\x02"

    def header(self) -> bytes:
        """Return how the study begins on the disk, without what is in the log; empty = it cannot be read."""
        return os.pread(self._handles[0], HEADER, 0) if self._handles else b""

    def size(self) -> int:
        """Return the bytes of the study on the disk, without what is in the log."""
        return os.fstat(self._handles[0]).st_size if self._handles else 0

    def log(self) -> BinaryIO | None:
        """Return the log that was opened, to be read and closed."""
        if self._log is None:
            return None
        file = os.fdopen(os.dup(self._log), "rb")
        file.seek(0)
        return file

    def has_whole_log(self) -> bool:
        """Whether the log still ends with the transaction that its index names as the last.

        It does not where a program cut it off or wrote into it past SQLite. True where the index does not
        tell, as while a transaction is being written.
        """
        if self._log is None:
            return True
        index = os.pread(self._handles[1], _INDEX_HEADER, 0)
        last = _last_frame(index)
        if last is None:
            return True
        at, expected = last
        return os.pread(self._log, _FRAME, at) == expected or (
            os.pread(self._handles[1], _INDEX_HEADER, 0) != index  # its log may have begun again meanwhile
        )

    def reader(self) -> sqlite3.Connection:
        """Return a connection that cannot write, and keeps SQLite from moving the log while others close."""
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        with suppress(sqlite3.Error):
            harden(connection)
            connection.execute("PRAGMA schema_version").fetchone()
        return connection

    def end(self) -> None:
        """Let go of all locks; no connection of this process may be open."""
        guarded_files.remove((self.key, *self._sides.values()))
        for handle in self._handles:
            _lock(handle, _UNLOCK, _EVERYWHERE)  # a forked process may have the handle too
            os.close(handle)
        if self._log is not None:
            os.close(self._log)
        self._handles, self._log = [], None


_HOLD_SECONDS = 5.0
"""How long to wait for the locks of `hold`; a process that opens the study has them for an instant."""

_guards: dict[Identity, FileGuard] = {}
_registry = threading.RLock()


class GuardedConnection(sqlite3.Connection):
    """A connection that lets go of its guard when it is closed."""

    guard: FileGuard | None = None

    def close(self) -> None:
        super().close()
        guard, self.guard = self.guard, None
        if guard is not None:
            _leave(guard)


def guarding(path: Path, seconds: float) -> type[GuardedConnection]:
    """Return a factory of connections for `sqlite3.connect` that guard the study at a path.

    seconds: how long to wait for a process that is about to replace or to close the study.
    """

    def connect(*arguments: Any, **options: Any) -> GuardedConnection:
        guard = _enter(path, seconds)
        try:
            connection = GuardedConnection(*arguments, **options)
        except BaseException:
            if guard is not None:
                _leave(guard)
            raise
        connection.guard = guard
        return connection

    return cast(type[GuardedConnection], connect)  # sqlite3 calls it, no more


def guard_of(connection: Any) -> FileGuard | None:
    """Return the guard of a driver's connection, None = it has none, as in memory."""
    return connection.guard if isinstance(connection, GuardedConnection) else None


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Keep other processes of this program from opening a study, if none has it open; whether that succeeded.

    Where the file system has no such locks, it is taken to have succeeded unless this process has it open.
    """
    with _registry:
        if identity(path) in _guards:
            yield False
            return
        handle = _open(path)
        try:
            yield handle is None or _is_ours_alone(handle)
        finally:
            if handle is not None:
                os.close(handle)


def in_use(path: Path) -> bool:
    """Whether a process uses the study through SQLite; to be asked with `alone`, where this one does not."""
    handle = _open(path)
    if handle is None:
        return False
    try:
        return _is_locked(handle, _SHARED)
    finally:
        os.close(handle)


def _is_ours_alone(handle: int) -> bool:
    return _lock(handle, _WRITE, _PRESENCE)


def _enter(path: Path, seconds: float) -> FileGuard | None:
    """Return the guard of a study with one user more, None = there is no file yet.

    Raises OperationalError where another process is about to replace it; InputError where its log is gone.
    """
    path = path.resolve()
    deadline = time.monotonic() + seconds
    with _registry:
        guard = _guards.get(identity(path) or (0, 0))
        if guard is None:
            guard = _new_guard(path, deadline)
            if guard is None:
                return None
            _guards[guard.key] = guard
        elif guard.lost():
            raise InputError(
                f"The files of {path.name} were moved, deleted or replaced while it was open here. Close it, "
                "then open it again."
            )
        guard.users += 1
        return guard


def _new_guard(path: Path, deadline: float) -> FileGuard | None:
    while True:
        handle = _open(path)
        if handle is None:
            key = identity(path)
            return None if key is None else FileGuard(path, key, None, lacks_locks=_lacks_locks(path))
        found = os.fstat(handle)
        key = found.st_dev, found.st_ino
        if key in _guards:  # the file was exchanged this instant
            os.close(handle)
            return _guards[key]
        try:
            _wait(lambda at=handle: _lock(at, _READ, _PRESENCE), deadline)  # type: ignore[misc]
            guard = FileGuard(path, key, handle)
            if identity(path) == key:
                _wait_for_log(guard, deadline)
                return guard
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for_log(guard: FileGuard, deadline: float) -> None:
    """Refuse to make a log where another process has the study open with a log that was deleted."""
    path, tries = side_file(guard.path, LOG), 0
    while guard.has_log() and not path.exists() and guard.others():
        tries += 1
        if tries > _LOG_TRIES or time.monotonic() > deadline:
            raise InputError(
                f"{path.name} was deleted while another program has {guard.path.name} open. Close the study "
                "there, then open it again."
            )
        time.sleep(_LOG_PAUSE)


_LOG_TRIES, _LOG_PAUSE = 200, 0.01
"""How often and how long (seconds) to wait for a process that has opened a study, but not yet its log."""


def _leave(guard: FileGuard) -> None:
    with _registry:
        guard.users -= 1
        if guard.users:
            return
        del _guards[guard.key]
        has_log = guard.lost() == [] and guard.is_holding(LOG)
        guard.end()
        if has_log:
            _tidy(guard)


def _tidy(guard: FileGuard) -> None:
    """Move the log into the study and delete it, unless another process has the study open.

    SQLite does that when its last connection closes, but the locks of the guard kept it from doing so.
    """
    with suppress(sqlite3.Error, OSError), alone(guard.path) as is_alone:
        if is_alone and identity(guard.path) == guard.key:
            with closing(sqlite3.connect(guard.path, timeout=0, isolation_level=None)) as connection:
                harden(connection)
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA schema_version").fetchone()


def _open(path: Path) -> int | None:
    """Return a handle for locks, None = there are none on this system, or the file may not be written."""
    if not _HAS_LOCKS:
        return None
    if not path.is_file():
        return None
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None  # whoever opens the study reports why
    try:
        _lock(handle, _UNLOCK, _PRESENCE)
    except OSError as error:
        os.close(handle)
        if error.errno not in _UNSUPPORTED:
            raise
        return None
    return handle


def _lacks_locks(path: Path) -> bool:
    """Whether a study that may be written cannot be locked here; Windows needs no locks of ours."""
    return sys.platform != "win32" and os.access(path, os.W_OK)


def _lock(handle: int, kind: int, place: tuple[int, int]) -> bool:
    """Take or release a lock; whether nobody else's was in the way."""
    try:
        fcntl.fcntl(handle, _SET, _packed(kind, place))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def _is_locked(handle: int, place: tuple[int, int]) -> bool:
    """Whether anybody else has a lock there."""
    answer = fcntl.fcntl(handle, _GET, _packed(_WRITE, place))
    fields = struct.unpack(_LAYOUT, answer)
    return bool((fields[3] if sys.platform == "darwin" else fields[0]) != _UNLOCK)


def _packed(kind: int, place: tuple[int, int]) -> bytes:
    start, length = place
    if sys.platform == "darwin":
        return struct.pack(_LAYOUT, start, length, 0, kind, 0)
    return struct.pack(_LAYOUT, kind, 0, start, length, 0)


def _last_frame(index: bytes) -> tuple[int, bytes] | None:
    """Return where the last frame of a log begins and the end of that frame's header, from the log's index.

    None where the log is empty or the index is being changed. See "WAL-mode File Format" and wal.c of SQLite.
    """
    half = len(index) // 2
    if len(index) < _INDEX_HEADER or index[:half] != index[half:]:
        return None
    version, has_content, size, frames, *sums = struct.unpack("=I8xBxHI4xII", index[:32])
    if version != _INDEX_VERSION or not has_content or not frames:
        return None
    page = 65536 if size == 1 else size
    at = _LOG_HEADER + (frames - 1) * (_FRAME_HEADER + page)
    return at + _FRAME_HEADER - _FRAME, index[32:40] + struct.pack(">II", *sums)


def _wait(attempt: Callable[[], bool], deadline: float) -> None:
    """Repeat until it succeeds. Raises OperationalError at the deadline."""
    pause = 0.001
    while not attempt():
        if time.monotonic() > deadline:
            raise sqlite3.OperationalError("database is locked")
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
