"""Time at work on an annotation, idle time left out."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_AFTER_S = 60.0


class ActiveTime:
    """Adds up the time between signs of work; a gap longer than a minute is idle and counts nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._worked = 0.0

    def touch(self) -> None:
        """Note a sign of work."""
        now = self._clock()
        gap = now - self._last
        if gap <= IDLE_AFTER_S:
            self._worked += gap
        self._last = now

    def take(self) -> float:
        """The seconds worked since the last call; for an edit that is made now."""
        self.touch()
        worked, self._worked = self._worked, 0.0
        return worked
