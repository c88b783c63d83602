"""Suggestions beside the texts: off, locked, under way, or a list. Nothing is added until one is taken."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.progress import Progress
from gui.annotation.suggestion_list import SuggestionList
from gui.annotation.suggestion_values import SuggestionGroup, SuggestionNote
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import IconLabel, Label
from gui.widgets.panel import inset_frame
from gui.widgets.progress_bar import ProgressBar, percent, time_left


class SuggestionPanel(QStackedWidget):
    """The leaf of suggestions.

    Signals:
        came_in_sight: the leaf is shown.
        asked, stopped: suggestions are wanted, or no longer. cancelled: what is under way is to stop.
        lit: the suggestion to show in its text, empty = none.
        taken, dismissed: a suggestion's key.
    """

    came_in_sight = Signal()
    asked = Signal()
    stopped = Signal()
    cancelled = Signal()
    lit = Signal(str)
    taken = Signal(str)
    dismissed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.icon, self.title_label = IconLabel("bulb"), Label("", Type.STRONG, wrap=True)
        self.sentence_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ask_button = plain_button("Suggest")
        self.bar, self.progress_label = ProgressBar("Progress of the suggestions"), Label("", Type.SMALL)
        self.cancel_button = link_button("Cancel")
        self.list = SuggestionList()
        self.take_button, self.dismiss_button = (
            plain_button("Take"),
            plain_button("Dismiss"),
        )
        self.off_button = link_button("Turn off")
        edits(self.ask_button, self.take_button, self.dismiss_button)
        self._note, self._work, self._found = QWidget(), QWidget(), QWidget()
        self._work.setAccessibleName("Looking for suggestions")
        for leaf in (self._note, self._work, self._found):
            self.addWidget(leaf)
        self._lay_out()
        self._connect()

    def show_note(self, note: SuggestionNote) -> None:
        """Say why there are no suggestions."""
        self.list.show_groups(())
        self.icon.show_icon(note.icon)
        self.title_label.setText(note.title)
        self.sentence_label.setText(note.sentence)
        self.ask_button.setVisible(bool(note.verb))
        self.ask_button.setText(note.verb)
        self.ask_button.setAccessibleName(note.verb)
        self._turn_to(self._note)

    def show_progress(self, progress: Progress, sentence: str = "") -> None:
        """Show how far the work is; a sentence stands where there is nothing to count."""
        self.list.show_groups(())
        self.bar.show_progress(progress)
        words = (sentence or progress.note.capitalize(), percent(progress), time_left(progress.seconds_left))
        self.progress_label.setText(" · ".join(word for word in words if word))
        self._turn_to(self._work)

    def show_groups(self, groups: Sequence[SuggestionGroup]) -> None:
        """List suggestions."""
        self._turn_to(self._found)
        self.list.show_groups(groups)

    def focus_default(self) -> None:
        """Put the keyboard to what there is: the list, what is under way, or the button that asks."""
        shown = self.currentWidget()
        wanted = self.list if shown is self._found else self.ask_button if shown is self._note else self._work
        wanted.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_in_sight.emit()
        self._light(self.list.current_key)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.lit.emit("")

    def _turn_to(self, leaf: QWidget) -> None:
        """Show a leaf; the keyboard stays in the panel if it is there."""
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and self.isAncestorOf(focus)
        if leaf is not self.currentWidget():
            self.setCurrentWidget(leaf)
            if had_keyboard:
                self.focus_default()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SMALL)
        head.addWidget(self.icon)
        head.addWidget(self.title_label, 1)
        card = QVBoxLayout()
        card.setSpacing(SMALL)
        card.addLayout(head)
        card.addWidget(self.sentence_label)
        card.addWidget(self.ask_button, 0, Qt.AlignmentFlag.AlignLeft)
        _at_top(self._note, inset_frame(card))
        work = QVBoxLayout()
        work.setSpacing(SMALL)
        self.progress_label.setWordWrap(True)
        for widget in (self.progress_label, self.bar):
            work.addWidget(widget)
        work.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignLeft)
        _at_top(self._work, inset_frame(work))
        column = QVBoxLayout(self._found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(self._foot())

    def _foot(self) -> QFrame:
        foot = QFrame()
        foot.setProperty("kind", "panel-foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        row.setSpacing(SMALL)
        row.addWidget(self.take_button)
        row.addWidget(self.dismiss_button)
        row.addStretch(1)
        row.addWidget(self.off_button)
        return foot

    def _connect(self) -> None:
        self.ask_button.clicked.connect(self.asked)
        self.cancel_button.clicked.connect(self.cancelled)
        self.off_button.clicked.connect(self.stopped)
        self.off_button.setToolTip("Suggest nothing until you ask again")
        self.take_button.clicked.connect(self.list.take)
        self.dismiss_button.clicked.connect(self.list.dismiss)
        self.dismiss_button.setToolTip("Do not suggest this again (Esc in the list)")
        self.list.taken.connect(self.taken)
        self.list.dismissed.connect(self.dismissed)
        self.list.current_changed.connect(self._light)

    def _light(self, key: str) -> None:
        for button in (self.take_button, self.dismiss_button):
            button.setEnabled(bool(key))
        self.take_button.setToolTip(
            plain_tip(f"{self.list.suggestions.verb(key)} (Enter in the list)" if key else "")
        )
        self.lit.emit(key if self.isVisible() else "")


def _at_top(leaf: QWidget, widget: QWidget) -> None:
    column = QVBoxLayout(leaf)
    column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    column.addWidget(widget)
    column.addStretch(1)
