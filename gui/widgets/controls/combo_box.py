"""Boxes for a choice, whose text is elided where Qt cuts it, and for a number."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QSpinBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from gui.style.language import plain_tip


class ComboBox(QComboBox):
    """A combo box that elides its text if it does not fit; its tooltip is then the full text.

    name: for screen readers. choices: see `offer`.
    chars: its width, in characters; 0 = that of the longest choice.
    """

    def __init__(self, name: str = "", choices: Iterable[tuple[object, str]] = (), chars: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.offer(choices)
        if chars:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(chars)

    def offer(self, choices: Iterable[tuple[object, str]], chosen: object = None) -> None:
        """Offer keys with their titles, one of them chosen, without a signal."""
        with QSignalBlocker(self):
            self.clear()
            for key, title in choices:
                self.addItem(title, key)
            self.choose(chosen)

    def choose(self, key: object) -> None:
        """Choose by a key; the first if there is none."""
        self.setCurrentIndex(max(self.findData(key), 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @property
    def shown_text(self) -> str:
        """The text as it is painted."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.shown_text != self.currentText():
            QToolTip.showText(event.globalPos(), plain_tip(self.currentText()), self)
            return True
        return super().event(event)


def number_box(name: str, low: int, high: int, value: int) -> QSpinBox:
    """Return a box for a whole number within limits. name: for screen readers."""
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setAccessibleName(name)
    return box
