"""Locks that keep other programs out; one of a program that was killed is free."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import InputError

_WITHOUT_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})
"""Errors of file systems that have no locks, as some of servers; there nobody is kept out."""


@contextmanager
def exclusive(file: Path, refusal: str, wait_s: float = 0.0) -> Iterator[None]:
    """Hold a lock on a file, which is created and stays.

    Raises InputError with the refusal if another program still holds it after so many seconds.
    """
    from filelock import FileLock, Timeout

    # Steps of a job may run on several threads. Without locks, a file that a killed program left would do.
    lock = FileLock(file, thread_local=False, fallback_to_soft=False)
    try:
        lock.acquire(timeout=wait_s)
    except Timeout as error:
        raise InputError(refusal) from error
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
    try:
        yield
    finally:
        lock.release()
