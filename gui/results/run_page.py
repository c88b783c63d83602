"""Base of pages that run a job and show its result."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout

from gui.results.result_panel import ResultPanel
from gui.style.language import tr
from gui.widgets.buttons import icon_button, plain_button
from gui.widgets.label import Label
from gui.widgets.page import Page
from gui.widgets.panel import inset_frame


class RunPage(Page):
    """A page that runs a job. The panel `result` has signals of its own.

    labels: of the button that runs it: before and during a run.
    icon, offer: of the panel without a result.
    is_primary: whether the button is the primary one of the page.
    """

    def __init__(
        self, title: str, labels: tuple[str, str], icon: str, offer: str, *, is_primary: bool = True
    ) -> None:
        super().__init__(title)
        self._labels = labels
        self.stop_button = plain_button(tr("Cancel"))
        self.stop_button.hide()
        self.run_button = self.set_primary(labels[0], "play") if is_primary else plain_button(labels[0])
        self.result = ResultPanel(icon, offer)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Show whether the job runs, and whether it can be started."""
        self.run_button.setText(self._labels[is_running])
        self.run_button.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)


def command_frame(label: Label) -> QFrame:
    """Return the frame of an equivalent command line, with a button that copies it."""
    copy = icon_button("copy", tr("Copy the command"))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(label.accessibleName() or label.text()))
    row = QHBoxLayout()
    row.addWidget(label, 1)
    row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
    return inset_frame(row)
