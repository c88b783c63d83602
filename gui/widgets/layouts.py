"""Rows, columns and scroll areas of widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)


@dataclass(frozen=True, slots=True)
class Gap:
    """Room of a fixed size in pixels."""

    px: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Room that grows. factor: its share of what is left."""

    factor: int = 0


Content = QWidget | QLayout
Item = Content | Gap | Stretch | tuple[Content, int] | tuple[Content, int, Qt.AlignmentFlag]
"""A part of a box: a widget or layout, alone or with its stretch factor and alignment, or room."""
Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""The same on all sides; or at the sides, and above and below; or left, top, right and bottom."""


def hbox(
    *items: Item, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Return a row of these items, as the layout of a parent if one is given.

    spacing: None = that of the layout it is in.
    """
    return _filled(QHBoxLayout(parent) if parent is not None else QHBoxLayout(), items, margins, spacing)


def vbox(
    *items: Item, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Return a column of these items, as the layout of a parent if one is given."""
    return _filled(QVBoxLayout(parent) if parent is not None else QVBoxLayout(), items, margins, spacing)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(box: Box, items: tuple[Item, ...], margins: Margins, spacing: int | None) -> Box:
    sides = (margins, margins) if isinstance(margins, int) else margins
    box.setContentsMargins(*(sides if len(sides) == 4 else sides * 2))
    if spacing is not None:
        box.setSpacing(spacing)
    for item in items:
        if isinstance(item, Gap):
            box.addSpacing(item.px)
        elif isinstance(item, Stretch):
            box.addStretch(item.factor)
        else:
            content, stretch, *alignment = item if isinstance(item, tuple) else (item, 0)
            if isinstance(content, QWidget):
                box.addWidget(content, stretch, *alignment)
            else:
                box.addLayout(content, stretch)
    return box


def clear(layout: QLayout) -> None:
    """Delete the widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()  # until it is deleted
            widget.deleteLater()


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
