"""Combo box whose text is elided where Qt cuts it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from gui.style.tooltips import plain_tip


class ComboBox(QComboBox):
    """A combo box that elides its text if it does not fit; its tooltip is then the full text."""

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
