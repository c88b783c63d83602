"""List of the summaries with a flag or a note."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.annotation.match_values import FlagRow
from gui.style import icons, theme
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip

ROW_HEIGHT = 46
ROW_ROLE = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
EMPTY = "No flags or notes. Press F to flag the current summary, C to add a note."

Index = QModelIndex | QPersistentModelIndex


class FlagModel(QAbstractListModel):
    """Rows of flagged summaries."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[FlagRow, ...] = ()

    def set_rows(self, rows: Sequence[FlagRow]) -> None:
        """Set the listed summaries."""
        if self.rows != (after := tuple(rows)):
            self.beginResetModel()
            self.rows = after
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            flagged = ", flagged" if row.is_flagged else ""
            return f"{row.topic}, {row.name}{flagged}" + (f": {row.note}" if row.note else "")
        return plain_tip(row.note) if role == Qt.ItemDataRole.ToolTipRole else None


class FlagList(QListView):
    """List of flagged summaries; Enter or a click opens one.

    Signals:
        summary_chosen: topic id, summary id.
    """

    summary_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.flags = FlagModel()
        self.setModel(self.flags)
        self.setItemDelegate(_FlagDelegate(self))
        self.setAccessibleName("Flagged summaries and notes")
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        theme.signal().changed.connect(self.viewport().update)

    def show_flags(self, rows: Sequence[FlagRow]) -> None:
        """Show these summaries."""
        self.flags.set_rows(rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.flags.rows:
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(LARGE, LARGE, -LARGE, -LARGE)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), EMPTY)

    def _open(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, FlagRow):
            self.summary_chosen.emit(row.topic_id, row.summary_id)


class _FlagDelegate(QStyledItemDelegate):
    """Paints topic and summary, and the note below them."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = index.data(ROW_ROLE), QRect(option.rect)
        if not isinstance(row, FlagRow):
            return
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.colour("border"))
        content = rect.adjusted(MEDIUM + icons.ROW_PX + SMALL, TIGHT, -MEDIUM, -TIGHT)
        upper = QRect(content.left(), content.top(), content.width(), content.height() // 2)
        icon = "flag" if row.is_flagged else "comment"
        pixmap = icons.pixmap(icon, "warning" if row.is_flagged else "muted")
        painter.drawPixmap(rect.left() + MEDIUM, upper.center().y() - icons.ROW_PX // 2 + 1, pixmap)
        _draw_elided(painter, upper, f"{row.topic} · {row.name}", Type.BODY, "text")
        _draw_elided(painter, upper.translated(0, upper.height()), row.note or "no note", Type.SMALL, "muted")
        painter.restore()


def _draw_elided(painter: QPainter, room: QRect, text: str, font: Type, colour: str) -> None:
    painter.setFont(theme.font(font))
    painter.setPen(theme.colour(colour))
    elided = QFontMetrics(painter.font()).elidedText(
        " ".join(text.split()), Qt.TextElideMode.ElideRight, room.width()
    )
    painter.drawText(room, _LEFT, elided)
