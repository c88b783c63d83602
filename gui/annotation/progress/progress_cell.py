"""Painting of the cells of the progress grid, and their legend."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.style import icons, theme
from gui.style.theme import RADIUS_SMALL, SMALL, TIGHT, Type, mix
from gui.widgets.label import Label

_MIN_CHECK_PX = 11
_DONE_SHARE = 0.35  # of the accent in a finished cell


def paint_cell(
    painter: QPainter, box: QRectF, is_done: bool = False, is_flagged: bool = False, is_current: bool = False
) -> None:
    """Paint a cell: check mark = done, outline and dot = current, corner = flagged, empty = to do."""
    colours = theme.tokens()
    edge = QPen(theme.colour("accent" if is_current else "border"), 2.0 if is_current else 1.0)
    painter.setPen(Qt.PenStyle.NoPen if is_done and not is_current else edge)
    painter.setBrush(QColor(mix(colours.surface, colours.accent, _DONE_SHARE if is_done else 0.0)))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL - 1, RADIUS_SMALL - 1)
    if is_current:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent"))
        painter.drawEllipse(box.center(), 2.5, 2.5)
    elif is_done and box.width() >= _MIN_CHECK_PX:
        size = min(icons.ROW_PX - TIGHT, int(box.width()) - 1)
        tick = icons.pixmap("check", "text", size)
        painter.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), tick)
    if is_flagged:
        _paint_flag(painter, box)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def cell_pixmap(size: int, ratio: float, is_done: bool, is_flagged: bool, is_current: bool) -> QPixmap:
    """Return a cached pixmap of a cell, `size` device-independent pixels wide, for a pixel ratio."""
    return _cached_pixmap(size, ratio, theme.tokens().name, is_done, is_flagged, is_current)


@lru_cache(maxsize=128)
def _cached_pixmap(
    size: int, ratio: float, scheme: str, is_done: bool, is_flagged: bool, is_current: bool
) -> QPixmap:
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_cell(painter, QRectF(0, 0, size, size), is_done, is_flagged, is_current)
    painter.end()
    return pixmap


def _paint_flag(painter: QPainter, box: QRectF) -> None:
    corner = min(7.0, box.width() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("warning"))
    top_right = box.topRight()
    corners = [top_right, top_right - QPointF(corner, 0), top_right + QPointF(0, corner)]
    painter.drawPolygon(QPolygonF(corners))


class _SampleCell(QWidget):
    """A sample cell of the legend."""

    def __init__(self, *, is_done: bool = False, is_flagged: bool = False, is_current: bool = False) -> None:
        super().__init__()
        self._marks = is_done, is_flagged, is_current
        self.setFixedSize(15, 15)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_cell(painter, QRectF(self.rect()), *self._marks)


def cell_legend(*, has_flags: bool) -> QHBoxLayout:
    """Return a row that explains the cells."""
    row = QHBoxLayout()
    row.setSpacing(SMALL)
    meanings = [
        (_SampleCell(is_done=True), "done"),
        (_SampleCell(is_current=True), "current"),
        (_SampleCell(), "to do"),
        (_SampleCell(is_flagged=True), "flagged"),
    ]
    for sample, meaning in meanings[: None if has_flags else -1]:
        row.addWidget(sample)
        row.addWidget(Label(meaning, Type.SMALL, "muted"))
        row.addSpacing(SMALL)
    row.addStretch(1)
    return row
