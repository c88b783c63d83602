"""Bar of key hints below a page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from gui.commands.shortcuts import KeyHint
from gui.style.theme import LARGE, SMALL, TIGHT, Type, px
from gui.widgets.label import Keycap, Label

BAR_HEIGHT = 34
MOST = 9


class KeyHints(QWidget):
    """Up to nine hints in a row, the last one at the right. Hints that do not fit are hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(px(BAR_HEIGHT))
        self.setMinimumWidth(0)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(LARGE, 0, LARGE, 0)
        self._row.setSpacing(LARGE)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # too many hints widen no window
        self._hints: list[QWidget] = []

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Replace the hints, the most useful first."""
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        visible = hints if len(hints) <= MOST else (*hints[: MOST - 1], hints[-1])
        self._hints = [_hint(hint) for hint in visible]
        for widget in self._hints[:-1]:
            self._row.addWidget(widget)
        self._row.addStretch(1)
        if self._hints:
            self._row.addWidget(self._hints[-1])
        self._leave_out()

    def resizeEvent(self, event: object) -> None:
        self._leave_out()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        hint.setWidth(0)
        return hint

    def _leave_out(self) -> None:
        if not self._hints:
            return
        room = self.width() - 2 * LARGE - self._hints[-1].sizeHint().width()
        for widget in self._hints[:-1]:
            room -= widget.sizeHint().width() + LARGE
            widget.setVisible(room >= 0)


def _hint(hint: KeyHint) -> QWidget:
    whole = QWidget()
    whole.setAccessibleName(f"{' '.join(hint.keys)}: {hint.text}")
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(TIGHT)
    for key in hint.keys:
        row.addWidget(Keycap(key))
    row.addSpacing(SMALL - TIGHT)
    row.addWidget(Label(hint.text, Type.SMALL, "muted"))
    return whole
