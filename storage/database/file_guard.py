"""Robust locks on an open study, and detection of lost files.

SQLite's locks on POSIX systems belong to the whole process: any code that opens and closes the study file,
such as a file dialog, drops all of them. Another process then assumes that it is the only one, moves the
write-ahead log into the file and deletes it while it is in use. See "How To Corrupt An SQLite Database File",
section 2.2.

Locks of open file descriptions (OFD) belong to one handle and conflict with SQLite's own. While a study is
open, its guard holds read locks on the bytes that SQLite must lock for writing before it deletes a log or
resets its index. So no program that uses SQLite can do that, whatever happens to the other locks. Two more
bytes, unused by SQLite, mark which processes of this program have the study open and which one writes.

Linux and macOS have these locks. Windows does not need them: its locks belong to handles.
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
_SHARED = (
    0x40000002,
    510,
)  # in the study: read by every connection, written by a connection that becomes exclusive
_LOG_IN_USE = (
    128,
    1,
)  # in -shm: read by every connection, written by a connection that resets the index of the log
# Locks of this program, in the page that SQLite reserves for locks.
_PRESENCE = (0x40000400, 1)
_WRITING = (0x40000401, 1)
_EVERYWHERE = (0, 0)

_UNLOCK, _READ, _WRITE = (2, 1, 3) if sys.platform == "darwin" else (2, 0, 1)
_SET, _GET = (90, 92) if sys.platform == "darwin" else (37, 36)
_LAYOUT = "qqihh" if sys.platform == "darwin" else "hhqqi4x"
_HAS_LOCKS = sys.platform in ("linux", "darwin")
_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOTSUP}

HEADER = 100
"""Size of a study's header in bytes."""

LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
"""Suffixes of the files that SQLite stores next to a study: log, its index, rollback journal."""

_LOG_HEADER, _FRAME_HEADER = 32, 24
"""Sizes in bytes of the headers of a log and of its frames; a page follows a frame header."""
_FRAME = 16
"""Size of the end of a frame header: two salts of the log and a cumulative checksum."""
_INDEX_HEADER, _INDEX_VERSION = 96, 3_007_000
"""Size of the header of a log's index (two identical copies) and its version."""

Identity = tuple[int, int]
"""Device and inode, which identify a file."""


def side_file(path: Path, ending: str) -> Path:
    """Return the path of a file that SQLite stores next to a study."""
    return path.with_name(path.name + ending)


def identity(path: Path) -> Identity | None:
    """Return the identity of the file at a path, None = no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


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
        """Hold the exclusive write lock of this program. Raises OperationalError after `seconds`."""
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
        """Start to protect the log of the study; a connection must have read from it.

        From then on, `lost` compares the files on disk with the present ones.
        """
        if self._sides:
            return
        sides = {ending: identity(side_file(self.path, ending)) for ending in (LOG, INDEX)}
        self._sides = {ending: found for ending, found in sides.items() if found is not None}
        if self.can_lock and len(self._sides) == 2:
            self._log = os.open(side_file(self.path, LOG), os.O_RDONLY | os.O_CLOEXEC)
            handle = os.open(side_file(self.path, INDEX), os.O_RDWR | os.O_CLOEXEC)
            self._handles.append(
                handle
            )  # must stay open until all connections are closed, as closing drops their locks
            deadline = time.monotonic() + _HOLD_SECONDS
            _wait(lambda: _lock(handle, _READ, _LOG_IN_USE), deadline)
            _wait(lambda: _lock(self._handles[0], _READ, _SHARED), deadline)
        guarded_files.add((self.key, *self._sides.values()))

    def is_holding(self, ending: str) -> bool:
        """Return whether the side file on disk is the one in use."""
        found = self._sides.get(ending)
        return found is not None and found == identity(side_file(self.path, ending))

    def others(self) -> bool:
        """Return whether another process of this program has the study open."""
        return self.can_lock and _is_locked(self._handles[0], _PRESENCE)

    def lost(self) -> list[Path]:
        """Return the files that were deleted, moved or replaced since they were opened."""
        if identity(self.path) != self.key:
            return [self.path]
        return [side_file(self.path, ending) for ending in self._sides if not self.is_holding(ending)]

    def has_log(self) -> bool:
        """Return whether the study is in WAL mode."""
        return self.header()[18:20] == b"\x02\x02"

    def header(self) -> bytes:
        """Return the header of the study on disk, ignoring the log; empty = unreadable."""
        return os.pread(self._handles[0], HEADER, 0) if self._handles else b""

    def size(self) -> int:
        """Return the size of the study on disk in bytes, ignoring the log."""
        return os.fstat(self._handles[0]).st_size if self._handles else 0

    def log(self) -> BinaryIO | None:
        """Return the open log as a file, to be read and closed by the caller."""
        if self._log is None:
            return None
        file = os.fdopen(os.dup(self._log), "rb")
        file.seek(0)
        return file

    def has_whole_log(self) -> bool:
        """Return whether the log still ends with the last transaction of its index.

        False where a program truncated or overwrote the log. True where the index gives no information, as
        while a transaction is being written.
        """
        if self._log is None:
            return True
        index = os.pread(self._handles[1], _INDEX_HEADER, 0)
        last = _last_frame(index)
        if last is None:
            return True
        at, expected = last
        return os.pread(self._log, _FRAME, at) == expected or (
            os.pread(self._handles[1], _INDEX_HEADER, 0)
            != index  # the log may have restarted in the meantime
        )

    def reader(self) -> sqlite3.Connection:
        """Return a read-only connection that prevents SQLite from moving the log when others close."""
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        with suppress(sqlite3.Error):
            harden(connection)
            connection.execute("PRAGMA schema_version").fetchone()
        return connection

    def end(self) -> None:
        """Release all locks; no connection of this process may be open."""
        guarded_files.remove((self.key, *self._sides.values()))
        for handle in self._handles:
            _lock(handle, _UNLOCK, _EVERYWHERE)  # a forked process may share the handle
            os.close(handle)
        if self._log is not None:
            os.close(self._log)
        self._handles, self._log = [], None


_HOLD_SECONDS = 5.0
"""Maximum time to wait for the locks of `hold`, which other processes hold only briefly."""

_guards: dict[Identity, FileGuard] = {}
_registry = threading.RLock()


class GuardedConnection(sqlite3.Connection):
    """A connection that releases its guard when closed."""

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

    return cast(type[GuardedConnection], connect)  # sqlite3 only calls it


def guard_of(connection: Any) -> FileGuard | None:
    """Return the guard of a driver's connection, None = none, as for in-memory databases."""
    return connection.guard if isinstance(connection, GuardedConnection) else None


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Prevent other processes of this program from opening a study. Yields whether that succeeded.

    It fails where a process has the study open; without lock support, only this process is checked.
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
    """Return whether another process uses the study through SQLite; call it within `alone`."""
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
    """Return the guard of a study and count one more user, None = no file yet.

    Raises OperationalError where another process is about to replace the file.
    Raises InputError where its log is missing.
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
        if key in _guards:  # the file was just replaced
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
    """Raise InputError where another process has the study open with a deleted log."""
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
"""Number and length (seconds) of waits for a process that has opened a study but not yet its log."""


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

    SQLite does that when the last connection closes, but the locks of the guard prevented it.
    """
    with suppress(sqlite3.Error, OSError), alone(guard.path) as is_alone:
        if is_alone and identity(guard.path) == guard.key:
            with closing(sqlite3.connect(guard.path, timeout=0, isolation_level=None)) as connection:
                harden(connection)
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA schema_version").fetchone()


def _open(path: Path) -> int | None:
    """Return a file handle for locks, None = not supported here, or the file is not writable."""
    if not _HAS_LOCKS:
        return None
    if not path.is_file():
        return None
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None  # reported when the study is opened
    try:
        _lock(handle, _UNLOCK, _PRESENCE)
    except OSError as error:
        os.close(handle)
        if error.errno not in _UNSUPPORTED:
            raise
        return None
    return handle


def _lacks_locks(path: Path) -> bool:
    """Return whether a writable study cannot be locked here; Windows needs no additional locks."""
    return sys.platform != "win32" and os.access(path, os.W_OK)


def _lock(handle: int, kind: int, place: tuple[int, int]) -> bool:
    """Acquire or release a lock. Returns whether no other lock conflicted."""
    try:
        fcntl.fcntl(handle, _SET, _packed(kind, place))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def _is_locked(handle: int, place: tuple[int, int]) -> bool:
    """Return whether another process holds a lock at this place."""
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
    """Repeat an attempt until it succeeds. Raises OperationalError at the deadline."""
    pause = 0.001
    while not attempt():
        if time.monotonic() > deadline:
            raise sqlite3.OperationalError("database is locked")
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
