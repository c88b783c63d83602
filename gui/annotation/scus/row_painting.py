"""Painting of check boxes, weights, dots and outlines in rows and cards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.style import icons, theme
from gui.style.theme import RADIUS_SMALL, Type, px

_DOT_PX, _SPECK_PX = 4, 2.0


def paint_tick_box(painter: QPainter, box: QRectF, sign: str) -> None:
    """Paint a check box.

    sign: name of the icon in it, for example ``check``; empty = unchecked.
    """
    painter.setPen(QPen(theme.colour("accent" if sign else "outline"), 1))
    painter.setBrush(theme.colour("accent" if sign else "surface"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL, RADIUS_SMALL)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if sign:
        drawing = icons.pixmap(sign, "on_accent", round(box.width()) - 2)
        painter.drawPixmap(box.topLeft() + QPointF(1, 1), drawing)


def paint_weight(painter: QPainter, box: QRect, weight: int, step: int) -> None:
    """Paint a weight on its background colour."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens().weights[step - 1].tint))
    painter.drawRoundedRect(QRectF(box), RADIUS_SMALL, RADIUS_SMALL)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(Type.CAPTION))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(weight))


def paint_dots(painter: QPainter, row: QRect, cell_px: int, are_full: Sequence[bool]) -> None:
    """Paint large and small dots from the left of a row, one per cell."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("text"))
    middle, full = row.center().y(), float(px(_DOT_PX) + 1)
    for place, is_full in enumerate(are_full):
        size = full if is_full else _SPECK_PX
        x = row.left() + (place + 0.5) * cell_px
        painter.drawEllipse(QRectF(x - size / 2, middle - size / 2, size, size))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_ring(painter: QPainter, box: QRect, width: float = 2.0) -> None:
    """Paint an outline in the accent colour inside a box."""
    painter.setPen(QPen(theme.colour("accent"), width))
    edge = width / 2
    painter.drawRoundedRect(QRectF(box).adjusted(edge, edge, -edge, -edge), RADIUS_SMALL, RADIUS_SMALL)
