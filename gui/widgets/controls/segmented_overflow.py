"""Segmented control with further choices in a menu."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QActionGroup, QFontMetrics
from PySide6.QtWidgets import QMenu, QToolButton

from gui.style.tooltips import plain_tip
from gui.widgets.controls.segmented_control import Segmented

_MORE = "more"


class SegmentedMore(Segmented):
    """A segmented control whose last segment opens a menu and shows the choice made there."""

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str]], more: Sequence[tuple[str, str]]
    ) -> None:
        """choices: (key, text) of the visible segments. more: those of the menu."""
        super().__init__(name, (*choices, (_MORE, "More")))
        self._more = dict(more)
        self._hidden = more[0][0]
        button = self.button(_MORE)
        self.more_menu = QMenu(button)
        group = QActionGroup(self.more_menu)
        for key, text in more:
            action = self.more_menu.addAction(text)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _, key=key: self._pick(key))
        button.setMenu(self.more_menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(plain_tip("More: " + ", ".join(self._more.values())))

    @property
    def current(self) -> str:
        return self._hidden if self.checked == _MORE else self.checked

    def choose(self, key: str) -> None:
        """Choose a segment or menu entry without a signal."""
        more = getattr(self, "_more", {})
        if key in more:
            self._hidden = key
            self.set_text(_MORE, more[key])
            self._make_room(more[key])
        super().choose(_MORE if key in more else key)

    def _make_room(self, text: str) -> None:
        """Widen the last segment for its text in bold, which the style sheet gives it once it is checked."""
        button = self.button(_MORE)
        bold = button.font()
        bold.setBold(True)
        more = QFontMetrics(bold).horizontalAdvance(text) - button.fontMetrics().horizontalAdvance(text)
        button.setMinimumWidth(button.sizeHint().width() + max(0, more))

    def _pick(self, key: str) -> None:
        if key == _MORE:  # by an arrow: what was chosen there last
            key = self._hidden
        super()._pick(key)
