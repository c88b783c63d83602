"""A cell of the grid of progress, and what cells mean."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.style import icons, theme
from gui.style.theme import RADIUS_SMALL, SMALL, TIGHT, Type, mix
from gui.widgets.label import Label

_TICK_FROM_PX = 11
_DONE_SHARE = 0.35  # of the accent in a finished cell


def paint_cell(
    painter: QPainter, box: QRectF, is_done: bool = False, is_flagged: bool = False, is_here: bool = False
) -> None:
    """Paint a cell: a tick = done, a ring and a dot = here, a corner = flagged, nothing = to do."""
    colours = theme.tokens()
    edge = QPen(theme.colour("accent" if is_here else "border"), 2.0 if is_here else 1.0)
    painter.setPen(Qt.PenStyle.NoPen if is_done and not is_here else edge)
    painter.setBrush(QColor(mix(colours.surface, colours.accent, _DONE_SHARE if is_done else 0.0)))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL - 1, RADIUS_SMALL - 1)
    if is_here:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent"))
        painter.drawEllipse(box.center(), 2.5, 2.5)
    elif is_done and box.width() >= _TICK_FROM_PX:
        size = min(icons.ROW_PX - TIGHT, int(box.width()) - 1)
        tick = icons.pixmap("check", "text", size)
        painter.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), tick)
    if is_flagged:
        _paint_flag(painter, box)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def cell_pixmap(size: int, ratio: float, is_done: bool, is_flagged: bool, is_here: bool) -> QPixmap:
    """A cell as a picture of `size` device-independent pixels, sharp at this ratio; a grid has thousands."""
    return _drawn(size, ratio, theme.tokens().name, is_done, is_flagged, is_here)


@lru_cache(maxsize=128)
def _drawn(size: int, ratio: float, scheme: str, is_done: bool, is_flagged: bool, is_here: bool) -> QPixmap:
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_cell(painter, QRectF(0, 0, size, size), is_done, is_flagged, is_here)
    painter.end()
    return picture


def _paint_flag(painter: QPainter, box: QRectF) -> None:
    corner = min(7.0, box.width() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("warning"))
    top_right = box.topRight()
    corners = [top_right, top_right - QPointF(corner, 0), top_right + QPointF(0, corner)]
    painter.drawPolygon(QPolygonF(corners))


class _Sample(QWidget):
    """A cell beside its meaning."""

    def __init__(self, *, is_done: bool = False, is_flagged: bool = False, is_here: bool = False) -> None:
        super().__init__()
        self._marks = is_done, is_flagged, is_here
        self.setFixedSize(15, 15)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_cell(painter, QRectF(self.rect()), *self._marks)


def cell_legend(*, has_flags: bool) -> QHBoxLayout:
    """What the cells mean, in a row."""
    row = QHBoxLayout()
    row.setSpacing(SMALL)
    meanings = [
        (_Sample(is_done=True), "done"),
        (_Sample(is_here=True), "here"),
        (_Sample(), "to do"),
        (_Sample(is_flagged=True), "flagged"),
    ]
    for sample, meaning in meanings[: None if has_flags else -1]:
        row.addWidget(sample)
        row.addWidget(Label(meaning, Type.SMALL, "muted"))
        row.addSpacing(SMALL)
    row.addStretch(1)
    return row
