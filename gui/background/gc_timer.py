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
_FULL_AFTER = 1000  # collections of younger objects before a full one, which takes longer
_LIBRARY_MODULES = 10  # newly loaded modules that count as a large library


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
        young, _, old = gc.get_count()
        if old > _FULL_AFTER:
            gc.collect()
        elif young > gc.get_threshold()[0]:
            gc.collect(1)  # what is younger than the last collection: the fewer objects, the shorter the turn
