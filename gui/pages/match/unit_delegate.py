"""Delegate of the list of units: the text of a unit, and its SCU below."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.annotation.match_values import UnitRow
from gui.annotation.text.weight_lines import draw_weight_line
from gui.style import icons, theme
from gui.style.theme import MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px

ROW_HEIGHT = 46
REPETITION = "repetition"
ROW_ROLE = Qt.ItemDataRole.UserRole
"""The UnitRow of an index."""
_WEIGHT_PX = 18
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class UnitDelegate(QStyledItemDelegate):
    """Paints units. hovered: match id of the unit to highlight and paint a remove button for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hovered = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, px(ROW_HEIGHT))

    def remove_rect(self, rect: QRect) -> QRect:
        """Return the rectangle of the remove button."""
        size = icons.ROW_PX + SMALL
        return QRect(rect.right() - size - TIGHT, rect.center().y() - size // 2, size, size)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, UnitRow):
            return
        rect = QRect(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, rect, option, row, is_selected)
        content = rect.adjusted(MEDIUM, TIGHT, -MEDIUM, -TIGHT)
        has_remove = is_selected or row.match_id == self.hovered
        if has_remove:
            content.setRight(self.remove_rect(rect).left() - TIGHT)
        upper = QRect(content.left(), content.top(), content.width(), content.height() // 2)
        self._paint_text(painter, upper, row)
        self._paint_scu(painter, upper.translated(0, upper.height()), row)
        if has_remove:
            box = self.remove_rect(rect).adjusted(TIGHT, TIGHT, -TIGHT, -TIGHT)
            painter.drawPixmap(box.topLeft(), icons.pixmap("close", "text"))
        painter.restore()

    def _paint_background(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, row: UnitRow, is_selected: bool
    ) -> None:
        if is_selected:
            painter.fillRect(rect, theme.colour("selection"))
            if option.state & QStyle.StateFlag.State_HasFocus:
                painter.setPen(QPen(theme.colour("accent"), 2.0))
                painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
            else:
                painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.colour("accent"))
        elif row.match_id == self.hovered:
            painter.fillRect(rect, theme.colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.colour("border"))

    def _paint_text(self, painter: QPainter, room: QRect, row: UnitRow) -> None:
        font = QFont(theme.font(Type.BODY))
        font.setItalic(not row.scu_id or not row.words)
        painter.setFont(font)
        painter.setPen(theme.colour("text" if row.words else "muted"))
        text = QFontMetrics(font).elidedText(
            row.words or "without a span", Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _LEFT, text)

    def _paint_scu(self, painter: QPainter, room: QRect, row: UnitRow) -> None:
        if row.scu_id:
            self._paint_weight(painter, room, row)
        painter.setFont(theme.font(Type.SMALL))
        metrics = QFontMetrics(painter.font())
        if row.comment:
            icon = QRect(room.right() - icons.ROW_PX, room.top(), icons.ROW_PX, room.height())
            painter.drawPixmap(icon.topLeft(), icons.pixmap("comment", "muted"))
            room = room.adjusted(0, 0, -icons.ROW_PX - TIGHT, 0)
        if row.is_repeat:
            painter.setPen(theme.colour("text"))
            painter.drawText(room, _RIGHT, REPETITION)
            room = room.adjusted(0, 0, -metrics.horizontalAdvance(REPETITION) - SMALL, 0)
        painter.setPen(theme.colour("muted"))
        room = room.adjusted(px(_WEIGHT_PX) + SMALL if row.scu_id else 0, 0, 0, 0)
        label = row.label if row.scu_id else "not in the pyramid"
        painter.drawText(room, _LEFT, metrics.elidedText(label, Qt.TextElideMode.ElideRight, room.width()))

    def _paint_weight(self, painter: QPainter, room: QRect, row: UnitRow) -> None:
        height = min(room.height() - TIGHT, px(_WEIGHT_PX))
        box = QRectF(room.left(), room.center().y() - height / 2 + 1, px(_WEIGHT_PX), height)
        if row.is_repeat:  # only the line, because it does not add to the score
            draw_weight_line(painter, box.left(), box.right(), box.bottom() - 2, row.step)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.tokens().weights[row.step - 1].tint))
            painter.drawRoundedRect(box, RADIUS_SMALL, RADIUS_SMALL)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(row.weight))
