"""Multiple choice: a button whose menu stays open while entries are checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import QMenu, QPushButton, QStyle, QStyleOptionButton, QStylePainter

from gui.style.language import literal, plain_tip, tr
from gui.style.theme import px

_BEFORE, _CHEVRON = 10, 28
"""Pixels before the words, and at the right for the sign that a menu opens."""
_NAMES_WIDTH = 200
"""Room in which the names of several choices are shown, and elided, instead of their number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: the key that signals carry, and its label."""

    key: str
    title: str


class MultiChoice(QPushButton):
    """A button that shows the current choice and opens a menu of all entries.

    what: subject of the choice, for screen readers. all_text: its text if nothing or everything is chosen.
    needs_one: at least one entry stays checked; else none means all.

    Signals:
        chosen: tuple of the chosen keys, in order; empty = all (never with needs_one).
    """

    chosen = Signal(object)

    def __init__(self, what: str, all_text: str, *, needs_one: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "choice")
        self._what, self._all_text, self._needs_one = what, all_text, needs_one
        self._choices: tuple[Choice, ...] = ()
        self._actions: list[QAction] = []
        self._names = ""
        self.list_menu = StickyMenu(self)
        self.setMenu(self.list_menu)
        self.setAutoDefault(False)
        self._update_text()

    def show_choices(self, choices: Sequence[Choice], chosen: Sequence[str]) -> None:
        """Show these entries, with these keys checked."""
        if tuple(choices) != self._choices:
            self._choices = tuple(choices)
            self.list_menu.clear()
            self._actions = [self._action(choice) for choice in choices]
        self.show_current(chosen)

    def show_current(self, chosen: Sequence[str]) -> None:
        """Check these keys."""
        for choice, action in zip(self._choices, self._actions, strict=True):
            action.setChecked(choice.key in chosen)
        self._update_text()

    @property
    def current(self) -> tuple[str, ...]:
        """The checked keys, in order."""
        pairs = zip(self._choices, self._actions, strict=True)
        return tuple(choice.key for choice, action in pairs if action.isChecked())

    @property
    def displayed(self) -> str:
        """The words that are painted: the names of several choices in a wide box, else their number."""
        return self._names if self.width() - _BEFORE - _CHEVRON >= px(_NAMES_WIDTH) else self.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text left-aligned, as style sheets center that of a button with a menu."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        room = self.rect().adjusted(_BEFORE, 0, -_CHEVRON, 0)
        words = self.displayed
        elided = option.fontMetrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        ink = QPalette.ColorRole.ButtonText
        painter.drawItemText(room, left, option.palette, self.isEnabled(), elided, ink)

    def _action(self, choice: Choice) -> QAction:
        action = self.list_menu.addAction(literal(choice.title))
        action.setCheckable(True)
        action.triggered.connect(lambda: self._toggled(action))
        return action

    def _toggled(self, action: QAction) -> None:
        if self._needs_one and not self.current:
            action.setChecked(True)
            return
        self._update_text()
        self.chosen.emit(self.current)

    def _update_text(self) -> None:
        titles = [choice.title for choice in self._choices if choice.key in self.current]
        everything = not self._needs_one and len(titles) in (0, len(self._choices))
        number = tr("{titles} of {choices}", titles=len(titles), choices=len(self._choices))
        self._names = self._all_text if everything else ", ".join(titles) or number
        self.setText(self._names if everything or len(titles) == 1 else number)
        self.setAccessibleName(f"{self._what}: {self._names}")
        self.setToolTip(plain_tip(", ".join(titles) or self._all_text))


_TICKING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class StickyMenu(QMenu):
    """Stays open when checkable actions are triggered; other actions close it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() in _TICKING and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)
