"""The whole window, driven by its keys and controls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from core.files.study_address import StudyAddress
from gui.app import build_window
from gui.background.jobs import JobQueue
from gui.shell.main_window import ComingPage
from gui.widgets.dialog import MessageDialog
from tests.gui.settled import is_settled


class Program:
    """The whole window with the keyboard."""

    def __init__(self, app: QApplication, qtbot: Any, folder: Path) -> None:
        self.qtbot = qtbot
        self.controller, self.window = build_window(app, folder / "settings.json")
        qtbot.addWidget(self.window)
        self.window.resize(1280, 800)
        self.window.show()
        self.controller.start(None)

    def open(self, path: StudyAddress) -> None:
        before = self.controller.context
        self.controller.open_path(path)
        self.wait(lambda: self.controller.context is not None and self.controller.context is not before)
        self.controller.ask_annotator()
        self.controller.dialog.accept()  # as proposed: a new user is asked once
        self.activate()
        self.wait_for_page()

    def activate(self) -> None:
        """Give the keyboard to the window."""
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)

    @property
    def context(self) -> Any:
        assert self.controller.context is not None
        return self.controller.context

    @property
    def page(self) -> Any:
        return self.window.stack.currentWidget()

    def wait(self, is_so: Callable[[], bool], seconds: float = 10.0) -> None:
        self.qtbot.waitUntil(is_so)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, modifier)
        QApplication.processEvents()
        self.wait_for_page()

    def show(self, key: str) -> None:
        self.window.show_page(key)
        self.wait(lambda: self.window.page_key == key)
        QApplication.processEvents()

    def wait_for_page(self) -> None:
        """Wait until the page that was gone to is built."""
        self.wait(lambda: not isinstance(self.page, ComingPage))

    def make_scu(self, start: int = 0, end: int = 9) -> None:
        """Make an SCU of the first reference's words, by its key."""
        self.show("pyramids")
        text = self.page.references.sections[0].text
        text.setFocus()
        text.select_spans([(start, end)])
        self.press(Qt.Key.Key_N)
        self.press(Qt.Key.Key_Escape)

    def labels(self) -> list[str]:
        """The SCUs that the page shows."""
        return [line.label for tier in self.page.scus.tree.scus.tiers for line in tier.lines]

    def settle(self) -> None:
        self.wait(lambda: is_settled(self.controller))

    def message(self) -> str:
        """What the last dialog says."""
        dialog = self.controller.dialog
        if not isinstance(dialog, MessageDialog):
            return ""
        return " ".join(label.text() for label in dialog.findChildren(QLabel))

    def dismiss(self) -> None:
        """Close the dialog."""
        self.controller.dialog.accept()
        self.activate()

    def score(self, name: str) -> None:
        """Begin scoring one metric by the controls of the Score page."""
        self.show("score")
        view = self.page
        rows = view.metrics.metrics.rows
        self.wait(lambda: bool(rows()) and all(row.state.name != "LOOKING" for row in rows()), 30)
        for row in rows():
            if row.is_chosen != (row.name == name):
                view.metrics.choose(row.key)
                self.qtbot.keyClick(view.metrics, Qt.Key.Key_Space)
        self.qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
        self.wait(lambda: self.controller.jobs.current(JobQueue.SCORING) is not None)
