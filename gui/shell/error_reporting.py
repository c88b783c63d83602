"""What happens when something goes wrong: a sentence for what users can mend, a kept report for our bugs.

Apart from the command line this is the only place that catches everything.
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
from core.files.crash_report import write_crash_report

_log = logging.getLogger(__name__)
TICK_MS = 100


class Failures(QObject):
    """Takes every exception that nobody else took, from any thread, and tells the user on the GUI thread.

    tell: shows one sentence (a PyramidionError). report: shows that a bug was met, and where its report lies.
    """

    def __init__(
        self,
        folder: Path,
        tell: Callable[[str], None],
        report: Callable[[str, Path | None], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder, self._tell, self._report = folder, tell, report
        self._from_threads: SimpleQueue[BaseException] = SimpleQueue()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._drain)
        self._before = (sys.excepthook, threading.excepthook)

    def install(self) -> None:
        """Take over from now on."""
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        self._timer.start()

    def uninstall(self) -> None:
        """Put the hooks back as they were."""
        self._timer.stop()
        sys.excepthook, threading.excepthook = self._before

    def show(self, error: BaseException) -> None:
        """Tell the user of an error: its sentence, or that it is a bug and where the report lies."""
        if isinstance(error, PyramidionError):
            self._tell(str(error))
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
