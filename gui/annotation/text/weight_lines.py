"""Line styles that encode weights in addition to colour."""

from __future__ import annotations

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.style import theme

LANE_PX = 3
_DASHES = {1: [0.1, 1.7], 2: [2.0, 1.3], 3: [4.2, 1.4]}  # in pen widths
_WIDTH = 2.0


def draw_weight_line(painter: QPainter, left: float, right: float, y: float, step: int) -> None:
    """Draw the line of a weight step; `y` is its upper edge."""
    ink = QColor(theme.tokens().weights[step - 1].ink)
    if step >= 5:
        painter.setPen(QPen(ink, 1.0))
        painter.drawLine(QLineF(left, y + 0.5, right, y + 0.5))
        painter.drawLine(QLineF(left, y + 2.5, right, y + 2.5))
        return
    pen = QPen(ink, _WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if step == 1 else Qt.PenCapStyle.FlatCap)
    if step in _DASHES:
        pen.setDashPattern(_DASHES[step])
    painter.setPen(pen)
    painter.drawLine(QLineF(left, y + 1, right, y + 1))


def draw_dots(painter: QPainter, left: float, right: float, y: float, token: str) -> None:
    """Draw a dotted line in a theme colour; `y` is its upper edge."""
    pen = QPen(theme.colour(token), _WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([0.1, 1.9])
    painter.setPen(pen)
    painter.drawLine(QLineF(left, y + 1, right, y + 1))
