"""View of the tab Progress of the team: the work of each annotator, and the commands for teams."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from core.formatting.tables import Table
from gui.commands.definitions import plain_text
from gui.results.result_panel import ReportTableView
from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import Label
from gui.widgets.page import Page
from gui.widgets.panel import Panel

_NOBODY = "Nobody has annotated anything yet. Assign topics, or begin yourself on Pyramids or Ratings."


class ProgressView(Page):
    """A line for each annotator, and buttons of the commands for teams."""

    def __init__(self, actions: Sequence[QAction]) -> None:
        """actions: the first is the main one."""
        super().__init__("Progress")
        self.table = ReportTableView()
        self.table.setAccessibleName("Work of the annotators")
        self.empty = EmptyPage("people", _NOBODY)
        self.note_label = Label("", Type.SMALL, "muted", wrap=True)
        self.buttons: list[QPushButton] = []
        self._actions = tuple(actions)
        self._panel = Panel("Annotators")
        self._lay_out(actions)
        self.show_people(None)

    def show_people(self, people: Table | None) -> None:
        """Show what the annotators have done, None = nothing."""
        has_work = people is not None and bool(people.rows)
        self.empty.setVisible(not has_work)
        self.table.setVisible(has_work)
        if people is not None:
            self.table.show_table(people)
            self.note_label.setText(people.note)
            self._panel.set_fact(f"{len(people.rows)}" if has_work else "")

    def focus_default(self) -> None:
        if self.table.isVisible():
            self.table.setFocus()
        else:
            super().focus_default()

    @Slot()
    def _follow(self) -> None:
        """Enable the buttons of commands that can run, and show why the others cannot."""
        for button, action in zip(self.buttons, self._actions, strict=True):
            button.setEnabled(action.isEnabled())
            button.setToolTip("" if action.isEnabled() else plain_tip(action.toolTip()))

    def _lay_out(self, actions: Sequence[QAction]) -> None:
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        for place, action in enumerate(actions):
            title = plain_text(action.text())
            button = link_button(title) if place else self.set_primary(title)
            button.clicked.connect(action.trigger)
            action.changed.connect(self._follow)  # a method: a deleted page hears nothing
            self.buttons.append(button)
            if place:
                row.addWidget(button)
        row.addStretch(1)
        self._follow()
        self._panel.add(self.empty, 1)
        self._panel.add(self.table, 1)
        self._panel.add(self.note_label, padded=True)
        self._panel.add(row, padded=True)
        self.add(self._panel)
