"""View of the Studies page: study files and options on the left, the result on the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from gui.pages.studies.study_list import StudyList
from gui.pages.studies.values import StudyRow
from gui.results.comparison_options import COEFFICIENTS, LEVELS, MORE_COEFFICIENTS
from gui.results.result_panel import ResultPanel
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button, plain_button
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.controls.segmented_control import Segmented, SegmentedMore
from gui.widgets.label import Label
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame

_COMMON_TOPICS = "In each study, use only topics and systems that every measure has scored"


class StudiesView(Page):
    """Compare measures across studies. The panel `result` has signals of its own.

    Signals:
        recent_chosen: a path.
    """

    recent_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Studies")
        self.level_box = Segmented("Level", LEVELS)
        self.coefficient_box = SegmentedMore("Coefficient", COEFFICIENTS, MORE_COEFFICIENTS)
        self.stop_button = plain_button("Cancel")
        self.stop_button.hide()
        self.run_button = self.set_primary("Compare", "play")
        self.judgements_box = MultiChoice("Judgements", "All judgements")
        self.common_box = QCheckBox("Compare on common topics")
        self.common_box.setToolTip(_COMMON_TOPICS)
        self.common_box.setAccessibleDescription(_COMMON_TOPICS)
        self.studies = StudyList()
        self.add_button = link_button("Add…")
        self.add_button.setAccessibleName("Add a study…")
        self.recent_button = link_button("Recent")
        self.recent_button.setAccessibleName("Add a recent study")
        self.recent_menu = QMenu(self.recent_button)
        self.recent_button.setMenu(self.recent_menu)
        self.command_label = Label("", "code", wrap=True)
        self.result = ResultPanel("columns", "Compare")
        self._panel = Panel("Study files")
        self._lay_out()

    def show_studies(self, studies: Sequence[StudyRow], command: str) -> None:
        """Show the studies to compare and the equivalent command."""
        self.studies.show_studies(studies)
        self._panel.set_fact(f"{len(studies)}")
        self.command_label.setText(command)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Show recently opened studies in the menu."""
        self.recent_menu.clear()
        for path in paths:
            action = self.recent_menu.addAction(path.name)
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
        self.recent_button.setVisible(bool(paths))

    def show_judgements(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        """Show the judgements that at least one study has."""
        self.judgements_box.show_choices([Choice(name, name) for name in names], chosen)
        self.judgements_box.setVisible(len(names) > 1)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Show whether a comparison runs, and whether one can be started."""
        self.run_button.setText("Comparing…" if is_running else "Compare")
        self.run_button.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)

    def _lay_out(self) -> None:
        self.add_place(self.level_box)
        self.add_place(self.coefficient_box)
        self.add_state(self.stop_button)
        self._panel.add_action(self.recent_button)
        self._panel.add_action(self.add_button)
        self._panel.add(scrolled(self.studies), 1)
        self._panel.add(self._options(), padded=True)
        self.add(self._panel, 32)
        self.add(self.result, 68)

    def _options(self) -> QWidget:
        """Return the options of the comparison and the equivalent command."""
        copy = icon_button("copy", "Copy the command")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command_label.text()))
        row = QHBoxLayout()
        row.addWidget(self.command_label, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        options = QWidget()
        column = QVBoxLayout(options)
        column.setContentsMargins(0, MEDIUM, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.judgements_box)
        column.addWidget(self.common_box)
        column.addWidget(Label("Command line", Type.CAPTION, "muted"))
        column.addWidget(inset_frame(row))
        return options
