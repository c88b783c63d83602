"""Vertical scroll area."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollArea, QScrollBar, QWidget


class WholeWidthArea(QScrollArea):
    """A vertical scroll area that is never narrower than its content, so that nothing is clipped."""

    def minimumSizeHint(self) -> QSize:
        inner, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = inner.minimumSizeHint().width() + bar if inner is not None else 0
        return QSize(width, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolled(inner: QWidget) -> QScrollArea:
    """Return a vertical scroll area with a widget; its background is transparent."""
    area = WholeWidthArea()
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
