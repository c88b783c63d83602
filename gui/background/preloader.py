"""Import the modules of pages, and build the pages, before they are first shown.

Computing modules are imported on a worker thread. They import neither Qt, whose objects belong to the GUI
thread, nor torch, which a neural metric imports when it runs. The modules of pages, then the pages, follow on
the GUI thread, a step per turn, while the user does nothing and no job runs.
"""

from __future__ import annotations

import importlib
import logging
import re
import sys
from collections.abc import Callable, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtGui import QGradient, QGuiApplication

from core.plugins import installed_entry_points

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

MODULES = (
    "core.suggestions.suggestion",
    "core.annotation.checks",
    "core.scoring.engine",
    "core.experiments.inputs.measure_inputs",
    "core.experiments.analyses.judges",
    "core.comparison.inference",
    "matplotlib.figure",
    "matplotlib.font_manager",
    "core.figures.scatter_and_heatmap",
    "core.operations.agree",
    "core.operations.train",
    "core.operations.propose",
    "core.report.build",
    "core.report.formats.write",
    "core.experiments.analyses.studies.study_files",
    "core.models.library.inventory",
    "core.comparison.explanations.explained_judgement",
    "core.operations.columns",
    "core.models.library.add_model",
    "core.models.library.downloads",
    "core.systems.run",
    "storage.database.backups",
)
_ROOT = Path(__file__).parents[2]
_IMPORTED = re.compile(r"^from (gui\.[\w.]+) import", re.MULTILINE)
DELAY_MS, _PAUSE_MS = 1500, 30
"""Pause after something was done in the window, or until its first study is shown; and after a step."""
_INPUT = frozenset(
    (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel)
)


class Preloader(QTimer):
    """Imports MODULES, then the modules of pages, then builds pages; start it for a window that is shown.

    find_pages: returns the modules of pages, in order.
    build_ahead: builds a part of a page and returns True, or returns False if all pages are built.
    is_busy: returns whether a job runs, whose results may come any time.
    """

    def __init__(
        self,
        window: QWidget,
        find_pages: Callable[[], Sequence[str]],
        build_ahead: Callable[[], bool] = lambda: False,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(window, interval=DELAY_MS)
        self._window, self._pages = window.windowHandle(), list[str]()
        self._find_pages: Callable[[], Sequence[str]] | None = find_pages
        self._build_ahead, self._is_busy = build_ahead, is_busy
        self._thread: Thread | None = None
        self.timeout.connect(self._step)
        self._window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT and self.isActive():
            self.start(DELAY_MS)
        return False

    @Slot()
    def _step(self) -> None:
        in_dialog = QGuiApplication.focusWindow() not in (None, self._window)
        if self._is_busy() or in_dialog:
            self.start(DELAY_MS)
            return
        self.setInterval(_PAUSE_MS)
        self._pages = [name for name in self._pages if name not in sys.modules]
        if self._thread is None:
            self._thread = preload()
            len(QGradient.Preset)  # PySide creates its members, of which there are many, at the first use
        elif self._thread.is_alive():
            return
        elif self._find_pages is not None:
            self._pages, self._find_pages = list(self._find_pages()), None
        elif self._pages:
            _import(self._pages.pop(0))
        elif not self._build_ahead():
            self.stop()


def modules_of(*packages: str) -> list[str]:
    """Return the modules of packages of `gui`, each after those of them that it imports."""
    imported = {
        ".".join(path.relative_to(_ROOT).with_suffix("").parts): _IMPORTED.findall(path.read_text("utf-8"))
        for package in packages
        for path in _ROOT.joinpath(*package.split(".")).rglob("[!_]*.py")
    }
    return [name for name in TopologicalSorter(imported).static_order() if name in imported]


def preload() -> Thread:
    """Import MODULES on a thread; a page that needs one of them waits for that module only."""
    thread = Thread(target=_import_modules, name="imports", daemon=True)
    thread.start()
    return thread


def _import_modules() -> None:
    for name in MODULES:
        _import(name)
    installed_entry_points()


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:  # the page that needs it reports the error
        log.warning("%s cannot be preloaded", name, exc_info=True)
