"""Steps in turns of the event loop of their own, so that none holds up keys and pointer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot

Step = Callable[[], object]

_MOST = 5
"""Times that a timer lets windows be painted first, one after another: they may be painted all the time."""


class Courtesy:
    """Lets windows that wait to be painted go first, but not for ever."""

    def __init__(self) -> None:
        self._times = 0

    def lets_others_first(self) -> bool:
        """Return whether to do nothing this time."""
        self._times = self._times + 1 if painting().isActive() and self._times < _MOST else 0
        return self._times > 0


class TurnQueue(QTimer):
    """Takes steps in order, one a turn.

    A turn in which a window is painted has no other step, unless one is painted all the time.
    """

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent, interval=1)
        self._steps: list[Step] = []
        self._courtesy = Courtesy()
        self.timeout.connect(self._take_turn)

    def add(self, *steps: Step) -> None:
        """Take these steps in their order; one that waits already, after those before it, is not added."""
        waiting, at = len(self._steps), 0
        for step in steps:
            if step not in self._steps[at:]:
                self._steps.append(step)
            at = self._steps.index(step, at) + 1
        if len(self._steps) > waiting:
            self.start()

    def forget(self) -> None:
        """Leave out the steps that wait."""
        self._steps.clear()

    @Slot()
    def _take_turn(self) -> None:
        if self is painting() or not self._courtesy.lets_others_first():
            self.take_next()

    def take_next(self) -> None:
        """Take the next step now."""
        if self._steps:
            self._steps.pop(0)()
        else:  # the last one's turn is over
            self.stop()


@cache
def painting() -> TurnQueue:
    """Return the queue of windows that wait to be painted; it is active while one does."""
    return TurnQueue(QCoreApplication.instance())
