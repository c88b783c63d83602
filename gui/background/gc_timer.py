"""Garbage collected on the GUI thread alone.

Python collects cycles on whichever thread happens to allocate. A cycle that holds a Qt object would then be
destroyed on a worker's thread, timers and all, and the program would crash. So automatic collection is off
while the window is open, and a timer does it.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

LOOK_MS = 500
_FULL_AFTER = 100  # collections of the middle generation before a full one, which takes longer
_A_LIBRARY = 100  # modules loaded since the last look


class GarbageTimer(QObject):
    """Collects in Python's own rhythm of generations, on the thread that made it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._modules = len(sys.modules)

    def start(self) -> None:
        """Turn automatic collection off and collect here from now on."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Let Python collect as it likes again."""
        self._timer.stop()
        gc.enable()

    @Slot()
    def _look(self) -> None:
        if len(sys.modules) > self._modules + _A_LIBRARY:
            self._modules = len(sys.modules)
            gc.freeze()  # what a library makes lives as long as the program: looking through it takes 150 ms
            return
        young, middle, old = gc.get_count()
        first, second, _ = gc.get_threshold()
        if old > _FULL_AFTER:
            gc.collect()
        elif middle > second:
            gc.collect(1)
        elif young > first:
            gc.collect(0)
