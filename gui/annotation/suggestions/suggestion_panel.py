"""Suggestion panel: a message (off, locked, failed), progress, or the list of suggestions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.progress import Progress
from gui.annotation.suggestions.suggestion_list import SuggestionList
from gui.annotation.suggestions.suggestion_values import SuggestionGroup, SuggestionNote
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import IconLabel, Label
from gui.widgets.panel import inset_frame
from gui.widgets.progress_bar import ProgressBar, percent, time_left


class SuggestionPanel(QStackedWidget):
    """Panel for suggestions.

    Signals:
        became_visible: the panel is current.
        highlighted: the suggestion to highlight in its text; empty = none.
    """

    became_visible = Signal()
    highlighted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.icon, self.title_label = IconLabel("bulb"), Label("", Type.STRONG, wrap=True)
        self.sentence_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ask_button = plain_button(tr("Suggest"))
        self.bar, self.progress_label = ProgressBar(tr("Progress of the suggestions")), Label("", Type.SMALL)
        self.cancel_button = link_button(tr("Cancel"))
        self.list = SuggestionList()
        self.accept_button, self.dismiss_button = (
            plain_button(tr("Accept")),
            plain_button(tr("Dismiss")),
        )
        self.off_button = link_button(tr("Turn off"))
        edits(self.ask_button, self.accept_button, self.dismiss_button)
        self._note, self._work, self._results = QWidget(), QWidget(), QWidget()
        self._work.setAccessibleName(tr("Computing suggestions"))
        for page in (self._note, self._work, self._results):
            self.addWidget(page)
        self._lay_out()
        self._connect()

    def show_note(self, note: SuggestionNote) -> None:
        """Show why there are no suggestions."""
        self.list.show_groups(())
        self.icon.show_icon(note.icon)
        self.title_label.setText(note.title)
        self.sentence_label.setText(note.sentence)
        self.ask_button.setVisible(bool(note.verb))
        self.ask_button.setText(note.verb)
        self.ask_button.setAccessibleName(note.verb)
        self._show_page(self._note)

    def show_progress(self, progress: Progress, sentence: str = "") -> None:
        """Show the progress of the work.

        sentence: current instead of the progress note.
        """
        self.list.show_groups(())
        self.bar.show_progress(progress)
        words = (sentence or progress.note.capitalize(), percent(progress), time_left(progress.seconds_left))
        self.progress_label.setText(" · ".join(word for word in words if word))
        self._show_page(self._work)

    def show_groups(self, groups: Sequence[SuggestionGroup]) -> None:
        """Show the list of suggestions."""
        self._show_page(self._results)
        self.list.show_groups(groups)

    def focus_default(self) -> None:
        """Focus what is current: the list, the progress, or the Suggest button."""
        current = self.currentWidget()
        target = (
            self.list
            if current is self._results
            else self.ask_button
            if current is self._note
            else self._work
        )
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()
        self._highlight(self.list.current_key)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.highlighted.emit("")

    def _show_page(self, page: QWidget) -> None:
        """Show a page of the stack; the focus stays in the panel if it is there."""
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        if page is not self.currentWidget():
            self.setCurrentWidget(page)
            if had_focus:
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
        column = QVBoxLayout(self._results)
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
        row.addWidget(self.accept_button)
        row.addWidget(self.dismiss_button)
        row.addStretch(1)
        row.addWidget(self.off_button)
        return foot

    def _connect(self) -> None:
        self.off_button.setToolTip(tr("Turn suggestions off"))
        self.accept_button.clicked.connect(self.list.accept)
        self.dismiss_button.clicked.connect(self.list.dismiss)
        self.dismiss_button.setToolTip(tr("Do not suggest this again (Esc in the list)"))
        self.list.current_changed.connect(self._highlight)

    def _highlight(self, key: str) -> None:
        for button in (self.accept_button, self.dismiss_button):
            button.setEnabled(bool(key))
        self.accept_button.setToolTip(
            plain_tip(tr("{verb} (Enter in the list)", verb=self.list.suggestions.verb(key)) if key else "")
        )
        self.highlighted.emit(key if self.isVisible() else "")


def _at_top(page: QWidget, widget: QWidget) -> None:
    column = QVBoxLayout(page)
    column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    column.addWidget(widget)
    column.addStretch(1)
