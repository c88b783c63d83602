"""Steps in turns of the event loop of their own, so that none holds up keys and pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

Step = Callable[[], object]


class TurnQueue(QTimer):
    """Takes steps in order, one a turn; a step that waits already is not added again."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=1)
        self._steps: list[Step] = []
        self.timeout.connect(self.take_next)

    def add(self, *steps: Step) -> None:
        """Take these steps after those that wait."""
        self._steps = list(dict.fromkeys((*self._steps, *steps)))
        self.start()

    def forget(self) -> None:
        """Leave out the steps that wait."""
        self._steps.clear()

    @Slot()
    def take_next(self) -> None:
        """Take the next step now."""
        if self._steps:
            self._steps.pop(0)()
        if not self._steps:
            self.stop()
