"""Button with a menu of several options."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button


class ChoiceMenu(QMenu):
    """A menu with one submenu per option, whose title shows the current value.

    Signals:
        chosen: an option's key and its new value.
    """

    chosen = Signal(str, str)

    def __init__(self, icon: str, name: str) -> None:
        self.button: QToolButton = icon_button(icon, name)
        super().__init__(self.button)
        self._titles: dict[str, str] = {}
        self._menus: dict[str, QMenu] = {}
        self.button.setMenu(self)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def add_choice(self, key: str, title: str, choices: Sequence[tuple[str, str]]) -> None:
        """Add a choice; of its (key, title) the first is chosen."""
        menu = self.addMenu(title)
        group = QActionGroup(menu)
        for value, words in choices:
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(value)
            group.addAction(action)
            action.triggered.connect(lambda _, value=value: self._pick(key, value))
        self._titles[key], self._menus[key] = title, menu
        self.choose(key, choices[0][0])

    def choose(self, key: str, value: str) -> None:
        """Set an option without a signal."""
        for action in self._menus[key].actions():
            if action.data() == value:
                action.setChecked(True)
                self._menus[key].setTitle(f"{self._titles[key]}: {action.text()}")

    def action(self, key: str, value: str) -> QAction:
        """Return the menu entry of one option."""
        return next(action for action in self._menus[key].actions() if action.data() == value)

    def refuse(self, key: str, value: str, reason: str) -> None:
        """Disable one choice for a reason, which its tooltip gives; an empty reason enables it."""
        menu = self._menus[key]
        menu.setToolTipsVisible(True)
        for action in menu.actions():
            if action.data() == value:
                action.setEnabled(not reason)
                action.setToolTip(plain_tip(reason))

    def current(self, key: str) -> str:
        """Return the value of an option."""
        return next(str(a.data()) for a in self._menus[key].actions() if a.isChecked())

    def _pick(self, key: str, value: str) -> None:
        self.choose(key, value)
        self.chosen.emit(key, value)
