"""List of the references that express the selected SCU."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.annotation.match_values import ExpressionRow
from gui.annotation.text.wrapped_label import LabelLines
from gui.style import theme
from gui.style.theme import HAIR, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.label import ElidedLabel
from gui.widgets.lists.scroll_column import keep_room_for_bar

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole
"""The ExpressionRow of a row."""
NO_SCU = "Select an SCU to see how the references express it."
NO_CONTRIBUTOR = "No reference expresses this SCU."
_BADGE_PX = 20
_MAX_LINES = 200
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ExpressionModel(QAbstractListModel):
    """Rows of references."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[ExpressionRow, ...] = ()

    def show_lines(self, lines: Sequence[ExpressionRow]) -> None:
        """Replace the rows."""
        if (after := tuple(lines)) != self.lines:
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
        if role == Qt.ItemDataRole.DisplayRole:
            return line.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"Reference {line.letter}: {line.words}"
        return None


class ExpressionDelegate(QStyledItemDelegate):
    """Paints a reference's letter and its text, wrapped as needed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._apply_theme()
        theme.signal().changed.connect(self._apply_theme)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = index.data(LINE_ROLE)
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListView) else option.rect.width()
        words = line.words if isinstance(line, ExpressionRow) else ""
        lines = len(self._wrapper.lines(words, self._text_width(width)))
        return QSize(px(_BADGE_PX), max(lines * self._wrapper.line_px, px(_BADGE_PX)) + 2 * TIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LINE_ROLE)
        if not isinstance(line, ExpressionRow):
            return
        area = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, area, option)
        badge = QRectF(area.left() + SMALL, area.top() + TIGHT, px(_BADGE_PX), px(_BADGE_PX))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("hover"))
        painter.drawRoundedRect(badge, RADIUS_SMALL, RADIUS_SMALL)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, line.letter)
        painter.setFont(self._wrapper.font)
        width, line_px = self._text_width(area.width()), self._wrapper.line_px
        top = area.top() + TIGHT + max(0, (px(_BADGE_PX) - line_px) // 2)
        for place, words in enumerate(self._wrapper.lines(line.words, width)):
            row = QRect(area.left() + self._text_left(), top + place * line_px, width + SMALL, line_px)
            painter.drawText(row, _LEFT, words)
        painter.restore()

    def _paint_background(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if has_focus:
            painter.fillRect(area, theme.colour("selection"))
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, theme.colour("hover"))

    @Slot()
    def _apply_theme(self) -> None:
        self._wrapper = LabelLines(theme.font(Type.BODY), _MAX_LINES)

    def _text_left(self) -> int:
        return SMALL + px(_BADGE_PX) + SMALL

    def _text_width(self, width: int) -> int:
        return max(px(_BADGE_PX), width - self._text_left() - SMALL)


class ExpressionList(QListView):
    """List of expressions; a click or Enter opens one.

    Signals:
        opened: reference id, start and end of the expression.
        left: Escape was pressed.
    """

    opened = Signal(str, int, int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.expressions = ExpressionModel()
        self.when_empty = NO_SCU
        self.setModel(self.expressions)
        self.setItemDelegate(ExpressionDelegate(self))
        self.setAccessibleName("Contributors of the selected SCU")
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        keep_room_for_bar(self)
        self.clicked.connect(self._open)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.expressions.lines:
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(SMALL, TIGHT, -SMALL, -TIGHT)
            wrap = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(wrap), self.when_empty)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        line = index.data(LINE_ROLE)
        if isinstance(line, ExpressionRow):
            self.opened.emit(line.reference_id, *line.span)


class ExpressionPane(QWidget):
    """The list with a caption, at least a few lines high."""

    _MIN_LINES = 3

    def __init__(self) -> None:
        super().__init__()
        self.caption = ElidedLabel("In the references", Type.CAPTION, "muted")
        self.list = ExpressionList()
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, TIGHT, SMALL, TIGHT)
        column.setSpacing(HAIR)
        self.caption.setContentsMargins(MEDIUM - SMALL, 0, 0, 0)
        column.addWidget(self.caption)
        column.addWidget(self.list, 1)

    def show_expressions(self, lines: Sequence[ExpressionRow], of: int, *, has_scu: bool) -> None:
        """Show the expressions of the selected SCU.

        of: number of references of the topic.
        """
        self.list.when_empty = NO_CONTRIBUTOR if has_scu else NO_SCU
        self.list.expressions.show_lines(lines)
        self.list.viewport().update()
        count = f" · {len(lines)} of {of}" if has_scu else ""
        self.caption.setText(f"In the references{count}")

    def minimumSizeHint(self) -> QSize:
        line = QFontMetrics(theme.font(Type.BODY)).lineSpacing()
        caption = QFontMetrics(theme.font(Type.CAPTION)).lineSpacing()
        return QSize(px(120), self._MIN_LINES * line + caption + 4 * SMALL)
