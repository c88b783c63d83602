"""Sums of weights as blocks: matched above ideal, all to one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.annotation.weight_lines import draw_weight_line
from gui.pages.match.score_arithmetic_values import BlockRow, WeightBlock
from gui.style import theme
from gui.style.theme import HAIR, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip

_BLOCK_PX = 18
_RAIL_PX = 4
_LEAST_PX = 4  # narrower blocks stand together, all of one weight
_MOST_NAMED = 8  # labels in one tooltip
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class _Box:
    """Blocks that are painted as one: a single block, or all of a weight where there is little room."""

    rect: QRectF
    blocks: tuple[WeightBlock, ...]

    @property
    def scu_ids(self) -> list[str]:
        return [block.scu_id for block in self.blocks if block.scu_id]

    @property
    def words(self) -> str:
        labels = [block.label or "(no label)" for block in self.blocks]
        more = [f"and {len(labels) - _MOST_NAMED} more"] if len(labels) > _MOST_NAMED else []
        return "\n".join((f"Weight {self.blocks[0].weight}", *labels[:_MOST_NAMED], *more))


class ScoreArithmetic(QWidget):
    """Rows of blocks as wide as their weights; each row says its sum in numbers too.

    A block says its SCU in a tooltip and selects it when pressed; arrows move among blocks, Enter presses.

    Signals:
        scu_chosen: an SCU.
    """

    scu_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[BlockRow, ...] = ()
        self._selected = ""
        self._at = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Arithmetic of the score")
        theme.signal().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[BlockRow]) -> None:
        """Show these sums."""
        if (shown := tuple(rows)) != self._rows:
            self._rows, self._at = shown, 0
            self.setAccessibleDescription("; ".join(_spoken(row) for row in shown))
            self.updateGeometry()
            self.update()

    def show_selected(self, scu_id: str) -> None:
        """Ring the blocks of an SCU; empty = none."""
        if scu_id != self._selected:
            self._selected = scu_id
            self.update()

    @property
    def rows(self) -> tuple[BlockRow, ...]:
        return self._rows

    def block_box(self, scu_id: str) -> QRect:
        """Where an SCU's block is in the first row that has one; empty = in none."""
        found = next((box for box in self._boxes() if scu_id in box.scu_ids), None)
        return found.rect.toRect() if found is not None else QRect()

    def sizeHint(self) -> QSize:
        return QSize(220, len(self._rows) * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, row in enumerate(self._rows):
            self._paint_words(painter, row, place * self._row_height())
        boxes = list(self._boxes())
        for box in boxes:
            self._paint_box(painter, box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus() and self._at < len(boxes):
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(boxes[self._at].rect.adjusted(-1, -1, 1, 1), RADIUS_SMALL, RADIUS_SMALL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        boxes = list(self._boxes())
        if step is not None and boxes:
            self._at = min(max(self._at + step, 0), len(boxes) - 1)
            self.setAccessibleDescription(boxes[self._at].words.replace("\n", ", "))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at < len(boxes):
            self._choose(boxes[self._at])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (box := self._box_at(event.position().toPoint())) is not None:
            self._choose(box)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self._box_at(event.position().toPoint())
        can_press = box is not None and bool(box.scu_ids)
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_press else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            box = self._box_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(box.words if box is not None else ""), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def _choose(self, box: _Box) -> None:
        """Select the SCU of a box, the next one of several."""
        if ids := box.scu_ids:
            at = ids.index(self._selected) + 1 if self._selected in ids else 0
            self.scu_chosen.emit(ids[at % len(ids)])

    def _boxes(self) -> Iterator[_Box]:
        """Where the blocks of all rows are."""
        widest = max((row.total for row in self._rows), default=0)
        unit = self.width() / widest if widest else 0.0
        for place, row in enumerate(self._rows):
            top = place * self._row_height() + self._words_height() + HAIR
            lightest = min((block.weight for block in row.blocks), default=0)
            is_wide = unit * lightest >= _LEAST_PX
            left = 0.0
            for blocks in [(block,) for block in row.blocks] if is_wide else row.runs():
                wide = unit * sum(block.weight for block in blocks)
                gap = min(float(HAIR), wide / 4)
                yield _Box(QRectF(left, top, wide - gap, px(_BLOCK_PX)), blocks)
                left += wide

    def _box_at(self, point: QPoint) -> _Box | None:
        return next((box for box in self._boxes() if box.rect.contains(point)), None)

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

    def _paint_box(self, painter: QPainter, box: _Box) -> None:
        first = box.blocks[0]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().weights[first.step - 1].tint))
        painter.drawRoundedRect(box.rect, HAIR, HAIR)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(theme.font(Type.CAPTION))
        words = f"{len(box.blocks)}×{first.weight}" if len(box.blocks) > 1 else str(first.weight)
        if QFontMetrics(painter.font()).horizontalAdvance(words) <= box.rect.width():
            painter.setPen(theme.colour("text"))
            painter.drawText(box.rect, Qt.AlignmentFlag.AlignCenter, words)
        draw_weight_line(painter, box.rect.left(), box.rect.right(), box.rect.bottom() + 1, first.step)
        if self._selected and self._selected in box.scu_ids:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(box.rect.adjusted(1, 1, -1, -1), HAIR, HAIR)


def _spoken(row: BlockRow) -> str:
    return f"{row.title}: {row.expression} = {row.total}"
