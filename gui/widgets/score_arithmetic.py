"""Sums of weights as blocks: matched above ideal, all to one scale."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import theme
from gui.theme import HAIR, MEDIUM, SMALL, TIGHT, Type, px
from gui.values.arithmetic import BlockRow
from gui.widgets.rails import draw_rail

_BLOCK_PX = 18
_RAIL_PX = 4
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ScoreArithmetic(QWidget):
    """Rows of blocks as wide as their weights; each row says its sum in numbers too."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[BlockRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Arithmetic of the score")
        theme.signal().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[BlockRow]) -> None:
        """Show these sums."""
        if (shown := tuple(rows)) != self._rows:
            self._rows = shown
            self.setAccessibleDescription("; ".join(_spoken(row) for row in shown))
            self.updateGeometry()
            self.update()

    @property
    def rows(self) -> tuple[BlockRow, ...]:
        return self._rows

    def sizeHint(self) -> QSize:
        return QSize(220, len(self._rows) * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        widest = max((row.total for row in self._rows), default=0)
        top = 0
        for row in self._rows:
            self._paint_words(painter, row, top)
            if widest:
                self._paint_blocks(painter, row, top + self._words_height() + HAIR, self.width() / widest)
            top += self._row_height()

    def _words_height(self) -> int:
        return QFontMetrics(theme.font(Type.SMALL)).height() + HAIR

    def _row_height(self) -> int:
        return self._words_height() + px(_BLOCK_PX) + _RAIL_PX + MEDIUM

    def _paint_words(self, painter: QPainter, row: BlockRow, top: int) -> None:
        room = QRect(0, top, self.width(), self._words_height())
        small, strong = theme.font(Type.SMALL), theme.font(Type.STRONG)
        painter.setPen(theme.colour("text"))
        painter.setFont(small)
        painter.drawText(room, _LEFT, row.title)
        painter.setFont(strong)
        painter.drawText(room, _RIGHT, str(row.total))
        taken = QFontMetrics(strong).horizontalAdvance(str(row.total)) + TIGHT
        before = QFontMetrics(small).horizontalAdvance(row.title) + SMALL
        written = QFontMetrics(small).elidedText(
            f"{row.expression} =", Qt.TextElideMode.ElideMiddle, self.width() - taken - before
        )
        painter.setFont(small)
        painter.setPen(theme.colour("muted"))
        painter.drawText(room.adjusted(0, 0, -taken, 0), _RIGHT, written)

    def _paint_blocks(self, painter: QPainter, row: BlockRow, top: int, unit: float) -> None:
        painter.setFont(theme.font(Type.CAPTION))
        metrics = QFontMetrics(painter.font())
        left = 0.0
        for block in row.blocks:
            wide = unit * block.weight
            gap = min(float(HAIR), wide / 4)
            box = QRectF(left, top, wide - gap, px(_BLOCK_PX))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.tokens().weights[block.step - 1].tint))
            painter.drawRoundedRect(box, HAIR, HAIR)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if metrics.horizontalAdvance(str(block.weight)) <= box.width():
                painter.setPen(theme.colour("text"))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(block.weight))
            draw_rail(painter, box.left(), box.right(), box.bottom() + 1, block.step)
            left += wide


def _spoken(row: BlockRow) -> str:
    return f"{row.title}: {row.expression} = {row.total}"
