"""Wrapped text with a maximum number of visible lines; the rest scrolls."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea

from gui.widgets.accessible import set_role


class BoundedText(QScrollArea):
    """A text field as high as its text, up to a number of lines; it accepts focus only if it scrolls."""

    def __init__(self, label: QLabel, lines: int, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._label, self._lines = label, lines
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setWidget(label)
        label.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def show_text(self, text: str) -> None:
        """Show a text from its beginning."""
        self._label.setText(text)
        self.verticalScrollBar().setValue(0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = max(self._label.heightForWidth(self.width()), 0)  # -1 without a text
        most = self._lines * self._line_height()
        is_longer = height > most
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if is_longer else off)  # with "as needed" it would flicker
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_longer else Qt.FocusPolicy.NoFocus)
        self.setFixedHeight(min(height, most))

    def _line_height(self) -> int:
        """Return the height of the text's line, which fallback fonts may increase."""
        return self._label.fontMetrics().boundingRect(QRect(), 0, self._label.text()).height()


set_role(BoundedText, QAccessible.Role.StaticText)
