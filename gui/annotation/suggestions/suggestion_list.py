"""List of suggestions: the current one is highlighted in its text, Enter accepts it, Escape dismisses it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from gui.annotation.suggestions.suggestion_delegate import SuggestionDelegate
from gui.annotation.suggestions.suggestion_model import Index, SuggestionModel
from gui.annotation.suggestions.suggestion_values import SuggestionGroup
from gui.style import theme

_ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SuggestionList(QListView):
    """Keyboard-driven list of suggestions.

    Signals:
        current_changed: key of the current suggestion; empty = none.
        accepted, dismissed: a suggestion's key.
    """

    current_changed = Signal(str)
    accepted = Signal(str)
    dismissed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.suggestions = SuggestionModel()
        self._is_showing = False
        self.setModel(self.suggestions)
        self.setItemDelegate(SuggestionDelegate(lambda: self.viewport().width(), self))
        self.setAccessibleName("Suggestions")
        self.setAccessibleDescription("Enter accepts the current suggestion, Escape dismisses it.")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.doubleClicked.connect(lambda: self.accept())
        theme.signal().changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current_key(self) -> str:
        """Key of the current suggestion; empty = none."""
        line = self.suggestions.line(self.currentIndex())
        return line.key if line is not None else ""

    def show_groups(self, groups: Sequence[SuggestionGroup]) -> None:
        """Replace the suggestions; the current one stays current, or the one that takes its position."""
        before, row = self.current_key, self.currentIndex().row()
        self._is_showing = True
        self.suggestions.show_groups(groups)
        self._is_showing = False
        suggestion_rows = self.suggestions.suggestion_rows()
        row_before = self.suggestions.row_of(before)
        following = [row_number for row_number in suggestion_rows if row_number >= row] or suggestion_rows[
            -1:
        ]
        self._go_to(row_before if row_before >= 0 else next(iter(following), -1))

    def step(self, by: int) -> None:
        """Move to the next (+1) or previous (-1) suggestion."""
        suggestion_rows, row = self.suggestions.suggestion_rows(), self.currentIndex().row()
        if row in suggestion_rows:
            self._go_to(
                suggestion_rows[min(max(suggestion_rows.index(row) + by, 0), len(suggestion_rows) - 1)]
            )
        elif suggestion_rows:
            self._go_to(suggestion_rows[0])

    def accept(self) -> None:
        """Accept the current suggestion."""
        if self.current_key:
            self.accepted.emit(self.current_key)

    def dismiss(self) -> None:
        """Dismiss the current suggestion."""
        if self.current_key:
            self.dismissed.emit(self.current_key)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if not self._is_showing:
            self.current_changed.emit(self.current_key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ACCEPT_KEYS:
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif by := self._steps().get(Qt.Key(event.key())):
            self.step(by)
        else:
            super().keyPressEvent(event)

    def _steps(self) -> dict[Qt.Key, int]:
        """Return the step of each navigation key; Qt's own navigation stops at headings."""
        visible, count = self.viewport().rect(), self.suggestions.rowCount()
        rows = [self.visualRect(self.suggestions.index(row)) for row in self.suggestions.suggestion_rows()]
        page = max(1, sum(visible.intersects(row) for row in rows) - 1)
        return {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -count,
            Qt.Key.Key_End: count,
        }

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # cards wrap differently

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def _go_to(self, row: int) -> None:
        index = self.suggestions.index(row)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(self.suggestions.index(row - 1) if row == 1 else index)
        else:
            self.selectionModel().clear()
            self.current_changed.emit("")
