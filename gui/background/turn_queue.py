"""Steps in turns of the event loop of their own, so that none holds up keys and pointer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot

Step = Callable[[], object]


class TurnQueue(QTimer):
    """Takes steps in order, one a turn; a step that waits already is not added again.

    A turn in which a window is painted has no other step.
    """

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent, interval=1)
        self._steps: list[Step] = []
        self.timeout.connect(self._take_turn)

    def add(self, *steps: Step) -> None:
        """Take these steps after those that wait."""
        self._steps = list(dict.fromkeys((*self._steps, *steps)))
        self.start()

    def forget(self) -> None:
        """Leave out the steps that wait."""
        self._steps.clear()

    @Slot()
    def _take_turn(self) -> None:
        if self is painting() or not painting().isActive():
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
