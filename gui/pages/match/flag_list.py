"""The summaries that an annotator has flagged or noted something about."""

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
LINE_ROLE = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
EMPTY = "Nothing is flagged. F flags the summary in front, C notes something about it."

Index = QModelIndex | QPersistentModelIndex


class FlagModel(QAbstractListModel):
    """Lines of flagged summaries."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[FlagRow, ...] = ()

    def show_lines(self, lines: Sequence[FlagRow]) -> None:
        """Show these summaries."""
        if self.lines != (after := tuple(lines)):
            self.beginResetModel()
            self.lines = after
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            flagged = ", flagged" if line.is_flagged else ""
            return f"{line.topic}, {line.name}{flagged}" + (f": {line.note}" if line.note else "")
        return plain_tip(line.note) if role == Qt.ItemDataRole.ToolTipRole else None


class FlagList(QListView):
    """Rows to go to, by Enter or a click.

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
        self.clicked.connect(self._go)
        self.activated.connect(self._go)
        theme.signal().changed.connect(self.viewport().update)

    def show_flags(self, lines: Sequence[FlagRow]) -> None:
        """List these summaries."""
        self.flags.show_lines(lines)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.flags.lines:
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(LARGE, LARGE, -LARGE, -LARGE)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), EMPTY)

    def _go(self, index: QModelIndex) -> None:
        line = index.data(LINE_ROLE)
        if isinstance(line, FlagRow):
            self.summary_chosen.emit(line.topic_id, line.summary_id)


class _FlagDelegate(QStyledItemDelegate):
    """Paints topic and summary, below them the note."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line, whole = index.data(LINE_ROLE), QRect(option.rect)
        if not isinstance(line, FlagRow):
            return
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(whole, theme.colour("selection"))
            painter.fillRect(QRect(whole.left(), whole.top(), 3, whole.height()), theme.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(whole, theme.colour("hover"))
        painter.fillRect(QRect(whole.left(), whole.bottom(), whole.width(), 1), theme.colour("border"))
        lines = whole.adjusted(MEDIUM + icons.ROW_PX + SMALL, TIGHT, -MEDIUM, -TIGHT)
        upper = QRect(lines.left(), lines.top(), lines.width(), lines.height() // 2)
        icon = "flag" if line.is_flagged else "comment"
        drawn = icons.pixmap(icon, "warning" if line.is_flagged else "muted")
        painter.drawPixmap(whole.left() + MEDIUM, upper.center().y() - icons.ROW_PX // 2 + 1, drawn)
        _write(painter, upper, f"{line.topic} · {line.name}", Type.BODY, "text")
        _write(painter, upper.translated(0, upper.height()), line.note or "no note", Type.SMALL, "muted")
        painter.restore()


def _write(painter: QPainter, room: QRect, words: str, kind: Type, tone: str) -> None:
    painter.setFont(theme.font(kind))
    painter.setPen(theme.colour(tone))
    shown = QFontMetrics(painter.font()).elidedText(
        " ".join(words.split()), Qt.TextElideMode.ElideRight, room.width()
    )
    painter.drawText(room, _LEFT, shown)
