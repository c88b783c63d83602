"""Answers of the study's writer, brought to the GUI thread.

A write returns a Future at once. Pages go on; this object looks at the open ones until each is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import PyramidionError
from core.ports import EditReceipt

LOOK_MS = 10
NOT_WRITTEN = "Your last change could not be saved and was undone."

OnResult = Callable[[Any], None]
OnError = Callable[[PyramidionError], None]


class WriteTracker(QObject):
    """Follows writes until they are on the disk.

    Signals:
        saving: something is on its way.
        saved: everything is on the disk; the time of the last receipt (datetime).
        refused: a write failed with a sentence (PyramidionError) that its caller did not take.
    """

    saving = Signal()
    saved = Signal(object)
    refused = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last_saved: datetime | None = None
        self._open: list[tuple[Future[Any], OnResult | None, OnError | None]] = []
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_saving(self) -> bool:
        """Whether something is not yet on the disk."""
        return bool(self._open)

    def track(
        self, write: Future[Any], then: OnResult | None = None, otherwise: OnError | None = None
    ) -> None:
        """Call `then` with the result once it is on the disk, `otherwise` with the error if refused."""
        if not self._open:
            self.saving.emit()
        self._open.append((write, then, otherwise))
        self._timer.start()

    @Slot()
    def _look(self) -> None:
        done = [entry for entry in self._open if entry[0].done()]
        self._open = [entry for entry in self._open if not entry[0].done()]
        if not self._open:
            self._timer.stop()
        faults = [fault for entry in done if (fault := self._answer(*entry)) is not None]
        if done and not self._open and self.last_saved is not None:
            self.saved.emit(self.last_saved)
        if faults:
            raise faults[0]  # a bug of ours: the window keeps a report of it

    def _answer(
        self, write: Future[Any], then: OnResult | None, otherwise: OnError | None
    ) -> BaseException | None:
        """Tell the caller of a write how it ended; returns what nobody can mend but us."""
        if write.cancelled():
            return None
        error = write.exception()
        if error is not None:
            told = error if isinstance(error, PyramidionError) else PyramidionError(NOT_WRITTEN)
            (otherwise or self.refused.emit)(told)
            return None if told is error else error
        result = write.result()
        if isinstance(result, EditReceipt):
            self.last_saved = result.at
        if then is not None:
            then(result)
        return None
