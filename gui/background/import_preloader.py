"""Import the modules of pages before the pages are first shown.

Computing modules are imported on a worker thread. They import neither Qt, whose objects belong to the GUI
thread, nor torch, which a neural metric imports when it runs. The modules of pages follow on the GUI thread,
one at a time.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from threading import Thread

from PySide6.QtCore import QObject, QTimer, Slot

log = logging.getLogger(__name__)

MODULES = (
    "core.suggestions.contributors",
    "core.annotation.checks",
    "core.scoring.engine",
    "core.experiments.inputs.measure_inputs",
    "core.comparison.inference",
    "matplotlib.figure",
    "matplotlib.font_manager",
    "core.figures.scatter_and_heatmap",
)
_DELAY_MS, _PAUSE_MS = 1500, 60
"""Delay until the first study is likely to be shown, and pause between two modules of pages."""


class ImportPreloader(QTimer):
    """Imports MODULES, then the modules of pages; start it when the window is shown."""

    def __init__(self, pages: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setInterval(_DELAY_MS)
        self._pages = list(pages)
        self._thread: Thread | None = None
        self.timeout.connect(self._import_next)

    @Slot()
    def _import_next(self) -> None:
        if self._thread is None:
            self._thread = preload()
            self.setInterval(_PAUSE_MS)
        elif not self._thread.is_alive() and self._pages:
            _import(self._pages.pop(0))
        elif not self._pages:
            self.stop()


def preload() -> Thread:
    """Import MODULES on a thread; a page that needs one of them waits for that module only."""
    thread = Thread(target=_import_modules, name="imports", daemon=True)
    thread.start()
    return thread


def _import_modules() -> None:
    for name in MODULES:
        _import(name)


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:  # the page that needs it reports the error
        log.warning("%s cannot be preloaded", name, exc_info=True)
