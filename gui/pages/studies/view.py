"""View of the Studies page: study files and options on the left, the result on the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QVBoxLayout, QWidget

from gui.pages.studies.study_list import StudyList
from gui.pages.studies.values import StudyRow
from gui.results.comparison_options import COEFFICIENTS, LEVELS, MORE_COEFFICIENTS
from gui.results.run_page import RunPage, command_frame
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import literal, plain_tip
from gui.widgets.buttons import link_button, open_menu
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.controls.segmented_control import Segmented, SegmentedMore
from gui.widgets.label import Label
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.panel import Panel

_COMMON_TOPICS = tr("In each study, use only topics and systems that every measure has scored")


class StudiesView(RunPage):
    """Compare measures across studies.

    Signals:
        recent_chosen: a path.
    """

    recent_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Studies"), (tr("Compare"), tr("Comparing…")), "columns", tr("Compare"))
        self.level_box = Segmented(tr("Level"), LEVELS)
        self.coefficient_box = SegmentedMore(tr("Coefficient"), COEFFICIENTS, MORE_COEFFICIENTS)
        self.judgements_box = MultiChoice(tr("Judgements"), tr("All judgements"))
        self.common_box = QCheckBox(tr("Compare on common topics"))
        self.common_box.setToolTip(_COMMON_TOPICS)
        self.common_box.setAccessibleDescription(_COMMON_TOPICS)
        self.studies = StudyList()
        self.add_button = link_button(tr("Add…"))
        self.add_button.setAccessibleName(tr("Add a study…"))
        self.recent_button = link_button(tr("Recent"))
        self.recent_button.setAccessibleName(tr("Add a recent study"))
        self.recent_menu = QMenu(self.recent_button)
        open_menu(self.recent_button, self.recent_menu)
        self.command_label = Label("", "code", wrap=True)
        self._panel = Panel(tr("Study files"))
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
            action = self.recent_menu.addAction(literal(path.name))
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
        self.recent_button.setVisible(bool(paths))

    def show_judgements(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        """Show the judgements that at least one study has."""
        self.judgements_box.show_choices([Choice(name, name) for name in names], chosen)
        self.judgements_box.setVisible(len(names) > 1)

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
        options = QWidget()
        column = QVBoxLayout(options)
        column.setContentsMargins(0, MEDIUM, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.judgements_box)
        column.addWidget(self.common_box)
        column.addWidget(Label(tr("Command line"), Type.CAPTION, "muted"))
        column.addWidget(command_frame(self.command_label))
        return options
