"""Tracking of background writes on the GUI thread.

A write returns a Future at once. The tracker polls unfinished writes until each is saved or has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import PyramidionError
from core.ports import EditReceipt
from gui.style.language import tr
from gui.widgets.typed_text import typed_texts

POLL_MS = 10
NOT_WRITTEN = tr("Your last change could not be saved and was undone.")

OnResult = Callable[[Any], None]
OnError = Callable[[PyramidionError], None]


class WriteTracker(QObject):
    """Tracks writes until they are saved.

    Signals:
        saving: a write has started.
        saved: all writes are saved; carries the time of the last one (datetime).
        refused: a write without an error callback failed (PyramidionError).
    """

    saving = Signal()
    saved = Signal(object)
    refused = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last_saved: datetime | None = None
        self._open: list[tuple[Future[Any], OnResult | None, OnError | None]] = []
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def is_saving(self) -> bool:
        """Whether there are unsaved writes."""
        return bool(self._open)

    def track(
        self, write: Future[Any], on_result: OnResult | None = None, on_error: OnError | None = None
    ) -> None:
        """Track a write.

        on_result: called with the result once it is saved.
        on_error: called with the PyramidionError if it fails; without it, `refused` is emitted.
        """
        if not self._open:
            self.saving.emit()
        self._open.append((write, on_result, on_error))
        self._timer.start()

    def close(self) -> None:
        """Forget all writes, as the study is being closed; the study reports what was not saved."""
        self._timer.stop()
        self._open.clear()

    @Slot()
    def _poll(self) -> None:
        done = [entry for entry in self._open if entry[0].done()]
        self._open = [entry for entry in self._open if not entry[0].done()]
        if not self._open:
            self._timer.stop()
        bugs = [bug for entry in done if (bug := self._finish(*entry)) is not None]
        if done and not self._open:
            typed_texts().all_written()
        if done and not self._open and self.last_saved is not None:
            self.saved.emit(self.last_saved)
        if bugs:
            raise bugs[0]  # a bug: the window writes a crash report

    def _finish(
        self, write: Future[Any], on_result: OnResult | None, on_error: OnError | None
    ) -> BaseException | None:
        """Call the callbacks of a finished write; return the exception if it is a bug."""
        if write.cancelled():
            return None
        error = write.exception()
        if error is not None:
            typed_texts().write_failed()
            reported = error if isinstance(error, PyramidionError) else PyramidionError(NOT_WRITTEN)
            (on_error or self.refused.emit)(reported)
            return None if reported is error else error
        result = write.result()
        if isinstance(result, EditReceipt):
            self.last_saved = result.at
        if on_result is not None:
            on_result(result)
        return None
