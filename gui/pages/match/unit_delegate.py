"""How a content unit of a summary looks as a row: its words, below them what it expresses."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.annotation.match_values import UnitRow
from gui.annotation.weight_lines import draw_weight_line
from gui.style import icons, theme
from gui.style.theme import MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px

ROW_HEIGHT = 46
LINE_ROLE = Qt.ItemDataRole.UserRole
"""The UnitRow of a row."""
_CHIP_PX = 18
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class UnitDelegate(QStyledItemDelegate):
    """Paints units. hovered: the one to light up, which shows its cross too."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hovered = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, px(ROW_HEIGHT))

    def cross_box(self, whole: QRect) -> QRect:
        """Where the cross is that takes a unit away."""
        size = icons.ROW_PX + SMALL
        return QRect(whole.right() - size - TIGHT, whole.center().y() - size // 2, size, size)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LINE_ROLE)
        if not isinstance(line, UnitRow):
            return
        whole = QRect(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, whole, option, line, is_selected)
        lines = whole.adjusted(MEDIUM, TIGHT, -MEDIUM, -TIGHT)
        has_cross = is_selected or line.match_id == self.hovered
        if has_cross:
            lines.setRight(self.cross_box(whole).left() - TIGHT)
        upper = QRect(lines.left(), lines.top(), lines.width(), lines.height() // 2)
        self._paint_words(painter, upper, line)
        self._paint_scu(painter, upper.translated(0, upper.height()), line)
        if has_cross:
            box = self.cross_box(whole).adjusted(TIGHT, TIGHT, -TIGHT, -TIGHT)
            painter.drawPixmap(box.topLeft(), icons.pixmap("close", "text"))
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, whole: QRect, option: QStyleOptionViewItem, line: UnitRow, is_selected: bool
    ) -> None:
        if is_selected:
            painter.fillRect(whole, theme.colour("selection"))
            if option.state & QStyle.StateFlag.State_HasFocus:
                painter.setPen(QPen(theme.colour("accent"), 2.0))
                painter.drawRoundedRect(QRectF(whole).adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
            else:
                painter.fillRect(QRect(whole.left(), whole.top(), 3, whole.height()), theme.colour("accent"))
        elif line.match_id == self.hovered:
            painter.fillRect(whole, theme.colour("hover"))
        painter.fillRect(QRect(whole.left(), whole.bottom(), whole.width(), 1), theme.colour("border"))

    def _paint_words(self, painter: QPainter, room: QRect, line: UnitRow) -> None:
        letters = QFont(theme.font(Type.BODY))
        letters.setItalic(not line.scu_id or not line.words)
        painter.setFont(letters)
        painter.setPen(theme.colour("text" if line.words else "muted"))
        words = QFontMetrics(letters).elidedText(
            line.words or "without a span", Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _LEFT, words)

    def _paint_scu(self, painter: QPainter, room: QRect, line: UnitRow) -> None:
        if line.scu_id:
            self._paint_chip(painter, room, line)
        painter.setFont(theme.font(Type.SMALL))
        metrics = QFontMetrics(painter.font())
        if line.comment:
            icon = QRect(room.right() - icons.ROW_PX, room.top(), icons.ROW_PX, room.height())
            painter.drawPixmap(icon.topLeft(), icons.pixmap("comment", "muted"))
            room = room.adjusted(0, 0, -icons.ROW_PX - TIGHT, 0)
        if line.is_repeat:
            painter.setPen(theme.colour("text"))
            painter.drawText(room, _RIGHT, "again")
            room = room.adjusted(0, 0, -metrics.horizontalAdvance("again") - SMALL, 0)
        painter.setPen(theme.colour("muted"))
        room = room.adjusted(px(_CHIP_PX) + SMALL if line.scu_id else 0, 0, 0, 0)
        label = line.label if line.scu_id else "not in the pyramid"
        painter.drawText(room, _LEFT, metrics.elidedText(label, Qt.TextElideMode.ElideRight, room.width()))

    def _paint_chip(self, painter: QPainter, room: QRect, line: UnitRow) -> None:
        high = min(room.height() - TIGHT, px(_CHIP_PX))
        box = QRectF(room.left(), room.center().y() - high / 2 + 1, px(_CHIP_PX), high)
        if line.is_repeat:  # it adds nothing to the sum, so it has the rail only
            draw_weight_line(painter, box.left(), box.right(), box.bottom() - 2, line.step)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.tokens().weights[line.step - 1].tint))
            painter.drawRoundedRect(box, RADIUS_SMALL, RADIUS_SMALL)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(line.weight))
