"""View of the tab Progress of the team: the work of each annotator, who they are, and commands for teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.formatting.tables import Table
from gui.commands.definitions import plain_text
from gui.results.result_panel import ReportTableView
from gui.style.engine_words import engine_table, engine_words
from gui.style.language import plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.buttons import edits, link_button, plain_button, refuse
from gui.widgets.controls import ComboBox
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Gap, Stretch, hbox
from gui.widgets.notice import EmptyPage
from gui.widgets.page import Page
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator. role: may be empty. has_work: they cannot be removed, only set inactive."""

    role: str
    has_work: bool
    is_inactive: bool


REMOVE, RETIRE, ACTIVATE = tr("Remove"), tr("Set inactive"), tr("Set active")
_NOBODY = tr(
    "Nobody has annotated anything yet. Add annotators below, or begin yourself on Pyramids or Ratings."
)


class ProgressView(Page):
    """A line for each annotator, and buttons of the commands for teams."""

    def __init__(self, actions: Sequence[QAction], roles: Sequence[str]) -> None:
        super().__init__(tr("Progress"), edits=True)
        self.table = ReportTableView()
        self.table.setSortingEnabled(False)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.empty = EmptyPage("people", _NOBODY)
        self.note_label = Label("", Type.SMALL, "muted", wrap=True)
        self.name_field, self.add_button = QLineEdit(), plain_button(tr("Add annotator"), "plus")
        self.name_field.setPlaceholderText(tr("Name of an annotator"))
        self.name_field.setAccessibleName(tr("Name of an annotator"))
        self.name_field.setMinimumWidth(px(180))
        named = [(role, engine_words(role) if role else tr("no role")) for role in ("", *roles)]
        self.role_box, self.remove_button = ComboBox(tr("Role"), named), plain_button(REMOVE)
        self.buttons: list[QPushButton] = []
        self._person_label = ElidedLabel("", Type.STRONG, least=12)
        self._people: Mapping[str, Person] = {}
        self._actions = tuple(actions)
        self._panel = Panel(tr("Annotators"))
        self._editing = (self.name_field, self.add_button, self.role_box, self.remove_button)
        edits(*self._editing)
        person = self._person_label, self.role_box, self.remove_button
        people = hbox(self.name_field, self.add_button, Gap(MEDIUM), *person, Stretch(1), spacing=SMALL)
        for action in self._actions:
            button = link_button(plain_text(action.text()))
            button.clicked.connect(action.trigger)
            action.changed.connect(self._follow)  # a method: a deleted page hears nothing
            self.buttons.append(button)
            self._panel.add_action(button)
        self._follow()
        self._panel.add((self.empty, 1), (self.table, 1))
        self._panel.add(self.note_label, padded=True)
        self._panel.add_foot(people)
        self.add(self._panel)
        self.table.selectionModel().currentRowChanged.connect(self._show_person)
        self.show_people(None, {})

    def show_people(self, progress: Table | None, people: Mapping[str, Person]) -> None:
        """Show what the annotators have done, None = nothing. people: those who can be changed, by name."""
        has_rows = progress is not None and bool(progress.rows)
        self.empty.setVisible(not has_rows)
        self.table.setVisible(has_rows)
        self._people, self._is_read = people, progress is not None
        if progress is not None:
            chosen = self.person
            self.table.show_table(engine_table(progress, ("annotator", "group")))
            self.table.setAccessibleName(tr("Work of the annotators"))
            names = [row[0] for row in progress.rows]
            self.table.selectRow(names.index(chosen) if chosen in names else 0)
            self.note_label.setText(engine_words(progress.note))
            self._panel.set_fact(f"{len(names)}" if names else "")
        self._show_person()

    def show_refusal(self, reason: str) -> None:
        """Show why people cannot be changed; empty = they can."""
        refuse(reason, *self._editing)

    @property
    def person(self) -> str:
        """Name of the selected annotator; empty = none."""
        index = self.table.currentIndex()
        return str(index.siblingAtColumn(0).data()) if index.isValid() else ""

    def start(self) -> QWidget | None:
        return (self.name_field if self.table.isHidden() else self.table) if self._is_read else None

    @Slot()
    def _show_person(self) -> None:
        name, person = self.person, self._people.get(self.person)
        with QSignalBlocker(self.role_box):
            self.role_box.setCurrentIndex(self.role_box.findData(person.role if person is not None else ""))
        self._person_label.setText(name if person is not None else "")
        verb = REMOVE if person is None or not person.has_work else ACTIVATE if person.is_inactive else RETIRE
        self.remove_button.setText(verb)
        self.remove_button.setAccessibleName(f"{verb}: {name}" if name else verb)
        for widget in (self.role_box, self.remove_button):
            widget.setEnabled(person is not None)

    @Slot()
    def _follow(self) -> None:
        """Enable the buttons of commands that can run, and show why the others cannot."""
        for button, action in zip(self.buttons, self._actions, strict=True):
            button.setEnabled(action.isEnabled())
            button.setToolTip("" if action.isEnabled() else plain_tip(action.toolTip()))
