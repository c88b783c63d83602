"""Handling of uncaught exceptions: a message for user errors, a crash report for bugs.

Besides the command line's entry point, this is the only place that catches every exception.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType

from PySide6.QtCore import QObject, QTimer, Slot

from core.errors import PyramidionError
from core.extras import missing_extra
from core.files.crash_report import write_crash_report

_log = logging.getLogger(__name__)
TICK_MS = 100


class Failures(QObject):
    """Takes uncaught exceptions of all threads and shows them on the GUI thread.

    show_message: shows a PyramidionError. report: shows an internal error and the path of its
    report.
    """

    def __init__(
        self,
        folder: Path,
        show_message: Callable[[PyramidionError], None],
        report: Callable[[str, Path | None], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder, self._show_message, self._report = folder, show_message, report
        self._from_threads: SimpleQueue[BaseException] = SimpleQueue()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._drain)
        self._before = (sys.excepthook, threading.excepthook)

    def install(self) -> None:
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        self._timer.start()

    def uninstall(self) -> None:
        """Restore the previous exception hooks."""
        self._timer.stop()
        sys.excepthook, threading.excepthook = self._before

    def show(self, error: BaseException) -> None:
        """Show an error: its message, or for a bug the path of the crash report."""
        explained = missing_extra(error) or error
        if isinstance(explained, PyramidionError):
            self._show_message(explained)
            return
        _log.error("A bug was met.", exc_info=error)
        self._report(f"{type(error).__name__}: {error}", write_crash_report(error, self._folder))

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before[0](kind, error, trace)
            return
        self.show(error)

    def _uncaught_in_thread(self, met: threading.ExceptHookArgs) -> None:
        if met.exc_value is not None:
            self._from_threads.put(met.exc_value)

    @Slot()
    def _drain(self) -> None:
        while True:
            try:
                error = self._from_threads.get_nowait()
            except Empty:
                return
            self.show(error)
