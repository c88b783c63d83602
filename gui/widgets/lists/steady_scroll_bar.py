"""Scroll bar that keeps its space while there is nothing to scroll."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar


class SteadyScrollBar(QScrollBar):
    """Always takes its width, so that text is not wrapped again when it appears; invisible if not needed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def keep_room_for_bar(area: QAbstractScrollArea) -> None:
    """Give an area a vertical bar that always takes its width."""
    area.setVerticalScrollBar(SteadyScrollBar(Qt.Orientation.Vertical, area))
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
