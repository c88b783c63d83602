"""Vertical scroll area."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollArea, QScrollBar, QWidget


class WholeWidthArea(QScrollArea):
    """A vertical scroll area that is never narrower than its content, so that nothing is clipped."""

    def minimumSizeHint(self) -> QSize:
        inner, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = inner.minimumSizeHint().width() + bar if inner is not None else 0
        return QSize(width, super().minimumSizeHint().height())


def scrolled(inner: QWidget, *, whole_width: bool = False) -> QScrollArea:
    """Return a vertical scroll area with a widget; its background is transparent.

    whole_width: the area is never narrower than the widget can be.
    """
    area = WholeWidthArea() if whole_width else QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it
    area.setWidget(inner)
    inner.setAutoFillBackground(False)  # setWidget has set it
    area.viewport().setAutoFillBackground(False)
    return area


class SteadyScrollBar(QScrollBar):
    """Always takes its width, so that text is not wrapped again when it appears; invisible if not needed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def keep_room_for_bar(area: QAbstractScrollArea) -> None:
    """Give an area a vertical bar that always takes its width."""
    area.setVerticalScrollBar(SteadyScrollBar(Qt.Orientation.Vertical, area))
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
