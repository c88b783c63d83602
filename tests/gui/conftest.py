"""A dressed application, and the open study as pages are given it."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from core.files.preferences import PreferencesFile
from gui.app import PAGES, build_window, export_steps
from gui.background.jobs import Jobs
from gui.commands.registry import Commands
from gui.session.context import Context
from gui.session.edits import ChangeFeed, Selection, UndoHistory, WriteTracker
from gui.shell.main_window import MainWindow
from gui.shell.window_controller import WindowController
from gui.style import theme
from storage.study_file import StudyFile, open_study
from tests.scoring import score_all

HANG_MS = 180_000
"""Every wait ends when its condition holds; only a hang reaches this limit, however busy the machine is."""


class PatientQtBot(QtBot):
    """A qtbot whose waits have no limit that a busy machine could reach."""

    def addWidget(self, widget: Any, **options: Any) -> None:
        """Close a widget in the end; one that is a window of its own is dressed as the program's are."""
        super().addWidget(widget, **options)
        if isinstance(widget, QDialog):  # it may have been deleted by then
            widgets = self._request.node.qt_widgets
            entry = widgets[-1]
            widget.destroyed.connect(lambda: widgets.remove(entry))
        if widget.parent() is None and not widget.styleSheet():
            theme.dress(widget)

    def waitUntil(self, callback: Any, *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=HANG_MS)

    def waitSignal(self, signal: Any, *, timeout: int = 0, **options: Any) -> Any:
        is_absence = options.get("raising") is False  # assertNotEmitted: what does not come is not waited for
        return super().waitSignal(signal, timeout=timeout if is_absence else HANG_MS, **options)

    def waitSignals(self, signals: Any, *, timeout: int = 0, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=HANG_MS, **options)

    def waitExposed(self, widget: Any, *, timeout: int = 0) -> Any:
        return super().waitExposed(widget, timeout=HANG_MS)

    def waitActive(self, widget: Any, *, timeout: int = 0) -> Any:
        return super().waitActive(widget, timeout=HANG_MS)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)


@pytest.fixture(autouse=True, scope="module")
def _all_garbage_on_this_thread() -> Iterator[None]:
    """Destroy the objects that outlived their test on the thread that Qt's objects belong to.

    Everything that exists before the module is left out of collections, which take half a second otherwise.
    A window's hundreds of actions must not stay: every further window would take longer, up to seconds.
    """
    gc.freeze()
    yield
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert not [one for one in Shiboken.getAllValidWrappers() if isinstance(one, Commands)]


@pytest.fixture(autouse=True)
def _garbage_on_this_thread(_all_garbage_on_this_thread: None) -> Iterator[None]:
    """As in the window: a cyclic collection on a writer's thread would destroy Qt objects there.

    What a test made is in the youngest generation, for nothing was collected meanwhile.
    """
    gc.disable()
    yield
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect(0)
    gc.enable()


@pytest.fixture(autouse=True)
def _dressed(qapp: QApplication) -> None:
    """Every test begins in the light scheme at full size."""
    theme.apply(qapp, "light")


@dataclass
class WindowRequests:
    """Pages and messages that a page requested from the window."""

    pages: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


@pytest.fixture
def requests() -> WindowRequests:
    return WindowRequests()


@pytest.fixture
def commands(qapp: QApplication) -> Iterator[Commands]:
    """The commands of a window, which end with it."""
    commands = Commands()
    yield commands
    commands.deleteLater()


@pytest.fixture
def context(
    study: StudyFile, tmp_path: Path, commands: Commands, requests: WindowRequests
) -> Iterator[Context]:
    """The small study with all that serves pages; its annotator is Ann."""
    annotator = study.annotators.get_or_create("Ann", "expert")
    selection, writes, changes = Selection(), WriteTracker(), ChangeFeed(study)
    jobs = Jobs()
    commands.refused.connect(requests.sentences.append)
    yield Context(
        study=study,
        annotator=annotator,
        selection=selection,
        jobs=jobs,
        settings=PreferencesFile(tmp_path / "settings.json"),
        commands=commands,
        history=UndoHistory(study, annotator, selection, writes, changes, jobs),
        writes=writes,
        changes=changes,
        show_page=requests.pages.append,
        show_message=requests.sentences.append,
        export=partial(export_steps, study),
    )
    jobs.cancel_all(5.0)
    changes.close()
    writes.deleteLater()  # as where a study is closed: nobody is requests any more


@pytest.fixture
def controller(qapp: QApplication, qtbot: Any, tmp_path: Path) -> Iterator[WindowController]:
    """The window on its welcome, with two pages alone: for what has to do with none."""
    plain = tuple(spec for spec in PAGES if spec.key in ("overview", "texts"))
    (tmp_path / "settings.json").write_text('{"backups": 0}', "utf-8")  # those have their own tests
    controller, window = build_window(qapp, tmp_path / "settings.json", plain)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    controller.start(None)
    yield controller
    controller.close()


@pytest.fixture(scope="session")
def scored(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample study, scored with three metric configurations."""
    path = Path(shutil.copy(sample_file, tmp_path_factory.mktemp("scored")))
    with open_study(path) as study:
        score_all(study, "rouge-n:n=1", "rouge-n:n=2", "rouge-l")
    return path


@pytest.fixture(scope="class")
def shared_window(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, scored: Path
) -> Iterator[tuple[WindowController, MainWindow]]:
    """One window with the scored sample, for tests that change nothing."""
    controller, window = build_window(qapp, tmp_path_factory.mktemp("shared") / "settings.json")
    window.resize(1280, 800)
    window.show()
    controller.start(scored)
    while controller.context is None or not window.isActiveWindow():
        window.activateWindow()
        qapp.processEvents()
    yield controller, window
    controller.close()
    window.close()
    window.deleteLater()


@pytest.fixture
def shown(qtbot: Any) -> Callable[[Any], Any]:
    """Show a widget and wait until it is there."""

    def show(widget: Any) -> Any:
        qtbot.addWidget(widget)
        widget.resize(1200, 760)
        widget.show()
        qtbot.waitExposed(widget)
        return widget

    return show
