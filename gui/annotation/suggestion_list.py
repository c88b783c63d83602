"""Suggestions to move through: what is current lights up in its text, Enter takes it, Escape dismisses it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from gui.annotation.suggestion_delegate import SuggestionDelegate
from gui.annotation.suggestion_model import Index, SuggestionModel
from gui.annotation.suggestion_values import SuggestionGroup
from gui.style import theme

_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SuggestionList(QListView):
    """The list.

    Signals:
        current_changed: the key of the current suggestion, empty = none.
        taken, dismissed: a suggestion's key.
    """

    current_changed = Signal(str)
    taken = Signal(str)
    dismissed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.suggestions = SuggestionModel()
        self._is_showing = False
        self.setModel(self.suggestions)
        self.setItemDelegate(SuggestionDelegate(lambda: self.viewport().width(), self))
        self.setAccessibleName("Suggestions")
        self.setAccessibleDescription("Enter takes the current suggestion, Escape dismisses it.")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.doubleClicked.connect(lambda: self.take())
        theme.signal().changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current_key(self) -> str:
        """The current suggestion, empty = none."""
        line = self.suggestions.line(self.currentIndex())
        return line.key if line is not None else ""

    def show_groups(self, groups: Sequence[SuggestionGroup]) -> None:
        """List these; the current one stays current, or what comes in its place."""
        before, row = self.current_key, self.currentIndex().row()
        self._is_showing = True
        self.suggestions.show_groups(groups)
        self._is_showing = False
        places = self.suggestions.places()
        kept = self.suggestions.place_of(before)
        following = [place for place in places if place >= row] or places[-1:]
        self._go_to(kept if kept >= 0 else next(iter(following), -1))

    def step(self, by: int) -> None:
        """Move to the next (+1) or previous (-1) suggestion."""
        places, row = self.suggestions.places(), self.currentIndex().row()
        if row in places:
            self._go_to(places[min(max(places.index(row) + by, 0), len(places) - 1)])
        elif places:
            self._go_to(places[0])

    def take(self) -> None:
        """Take the current suggestion."""
        if self.current_key:
            self.taken.emit(self.current_key)

    def dismiss(self) -> None:
        """Dismiss the current suggestion."""
        if self.current_key:
            self.dismissed.emit(self.current_key)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if not self._is_showing:
            self.current_changed.emit(self.current_key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _TAKES:
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif by := self._steps().get(Qt.Key(event.key())):
            self.step(by)
        else:
            super().keyPressEvent(event)

    def _steps(self) -> dict[Qt.Key, int]:
        """How far each key moves; Qt's own moves stop at headings."""
        seen, everything = self.viewport().rect(), self.suggestions.rowCount()
        rows = [self.visualRect(self.suggestions.index(row)) for row in self.suggestions.places()]
        page = max(1, sum(seen.intersects(row) for row in rows) - 1)
        return {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -everything,
            Qt.Key.Key_End: everything,
        }

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # cards wrap anew

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
