"""Active annotation time without idle periods."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_AFTER_S = 60.0


class ActiveTime:
    """Adds up the time between user actions; a gap longer than a minute counts as idle."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._active_s = 0.0

    def touch(self) -> None:
        """Record a user action."""
        now = self._clock()
        gap = now - self._last
        if gap <= IDLE_AFTER_S:
            self._active_s += gap
        self._last = now

    def take(self) -> float:
        """Return the active seconds since the last call, for the edit that is being saved."""
        self.touch()
        active_s, self._active_s = self._active_s, 0.0
        return active_s
