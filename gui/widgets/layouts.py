"""Rows, columns and scroll areas of widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QScrollBar,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gui.style.theme import MEDIUM


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
    box.setContentsMargins(*_sides(margins))
    if spacing is not None:
        box.setSpacing(spacing)
    extend(box, *items)
    return box


def extend(box: QBoxLayout, *items: Item) -> None:
    """Add items at the end of a row or column."""
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


def _sides(margins: Margins) -> tuple[int, ...]:
    sides = (margins, margins) if isinstance(margins, int) else margins
    return sides if len(sides) == 4 else sides * 2


def clear(layout: QLayout) -> None:
    """Delete the widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()  # until it is deleted
            widget.deleteLater()


def discard(layout: QLayout, *widgets: QWidget) -> None:
    """Delete some of the widgets of a layout."""
    for widget in widgets:
        layout.removeWidget(widget)
        widget.hide()  # until it is deleted
        widget.deleteLater()


def grid(
    parent: QWidget | None = None, *, margins: Margins = 0, across: int = 0, down: int = 0
) -> QGridLayout:
    """Return a grid, as the layout of a parent if one is given, whose second column takes the room left.

    across, down: space between columns, and between rows.
    """
    made = QGridLayout(parent) if parent is not None else QGridLayout()
    made.setContentsMargins(*_sides(margins))
    made.setHorizontalSpacing(across)
    made.setVerticalSpacing(down)
    made.setColumnStretch(1, 1)
    return made


def splitter(direction: Qt.Orientation, parts: Sequence[QWidget], shares: Sequence[int]) -> QSplitter:
    """Return widgets with handles between them, none of which can be closed. shares: of the room."""
    made = QSplitter(direction)
    made.setHandleWidth(MEDIUM)
    made.setChildrenCollapsible(False)
    for index, (part, share) in enumerate(zip(parts, shares, strict=True)):
        made.addWidget(part)
        made.setStretchFactor(index, share)
    made.setSizes(shares)
    return made


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


class BoundedArea(WholeWidthArea):
    """A scroll area as high as its content, up to `most` pixels; it accepts focus only if it scrolls.

    It becomes lower where there is no room, but not below `least` pixels.
    """

    most, least = 0, 1 << 24

    def __init__(self, inner: QWidget, name: str) -> None:
        super().__init__()
        fill_area(self, inner)
        self.setAccessibleName(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def fit(self) -> None:
        """Take the height of the content, or scroll."""
        inner = self.widget()
        height = max(inner.heightForWidth(self.width()), 0) if inner is not None else 0  # -1 without a text
        is_longer = height > self.most
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if is_longer else off)  # with "as needed" it would flicker
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_longer else Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(min(height, self.most, self.least))
        self.setMaximumHeight(min(height, self.most))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


def scrolled(inner: QWidget) -> QScrollArea:
    """Return a vertical scroll area with a widget; its background is transparent."""
    area = WholeWidthArea()
    fill_area(area, inner)
    return area


def fill_area(area: QScrollArea, inner: QWidget, *, is_resized: bool = True) -> None:
    """Put a widget into a vertical scroll area without a frame, on the ground that is around it.

    is_resized: the widget has the width of the area, else it resizes itself.
    """
    area.setWidgetResizable(is_resized)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it
    area.setWidget(inner)
    inner.setAutoFillBackground(False)  # setWidget has set it
    area.viewport().setAutoFillBackground(False)


class SteadyScrollBar(QScrollBar):
    """Always takes its width, so that text is not wrapped again when it appears; invisible if not needed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def keep_room_for_bar(area: QAbstractScrollArea) -> None:
    """Give an area a vertical bar that always takes its width."""
    area.setVerticalScrollBar(SteadyScrollBar(Qt.Orientation.Vertical, area))
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
