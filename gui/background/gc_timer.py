"""Garbage collection on the GUI thread only.

Python collects cycles on the thread that happens to allocate. A cycle that contains a Qt object would then be
destroyed on a worker thread, together with its timers, and the program would crash. Automatic collection is
therefore off while the window is open, and a timer collects instead.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 500
_FULL_AFTER = 100  # collections of the middle generation before a full one, which takes longer
_LIBRARY_MODULES = 100  # newly loaded modules that count as a large library


class GarbageTimer(QObject):
    """Collects garbage by Python's generation thresholds, on the thread that created the timer."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._modules = len(sys.modules)

    def start(self) -> None:
        """Disable automatic collection and start the timer."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Stop the timer and enable automatic collection."""
        self._timer.stop()
        gc.enable()

    @Slot()
    def _collect(self) -> None:
        if len(sys.modules) > self._modules + _LIBRARY_MODULES:
            self._modules = len(sys.modules)
            gc.freeze()  # objects of a library live as long as the program; scanning them takes 150 ms
            return
        young, middle, old = gc.get_count()
        first, second, _ = gc.get_threshold()
        if old > _FULL_AFTER:
            gc.collect()
        elif middle > second:
            gc.collect(1)
        elif young > first:
            gc.collect(0)
