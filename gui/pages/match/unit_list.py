"""All content units of a summary: matched, repeated, outside the pyramid."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QToolTip

from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.annotation.match_values import UnitRow
from gui.pages.match.unit_delegate import LINE_ROLE, UnitDelegate
from gui.style import theme
from gui.style.theme import LARGE
from gui.style.tooltips import plain_tip

Index = QModelIndex | QPersistentModelIndex
EMPTY = "No units yet. Select words and press Space to match them with an SCU, or O if no SCU says that."


class UnitModel(QAbstractListModel):
    """Lines of units."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[UnitRow, ...] = ()

    def show_lines(self, lines: Sequence[UnitRow]) -> None:
        """Show these units; rows that stay are only repainted."""
        before, after = self.lines, tuple(lines)
        if [line.match_id for line in before] != [line.match_id for line in after]:
            self.beginResetModel()
            self.lines = after
            self.endResetModel()
        elif before != after:
            self.lines = after
            self.dataChanged.emit(self.index(0), self.index(len(after) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return line.words or line.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(line)
        return None


class UnitList(QListView):
    """Rows to choose, and to drag onto an SCU; Enter goes to a unit's words.

    Signals:
        unit_chosen, unit_hovered, unit_removed, unit_opened: a match id; hovering none is empty.
        left: Escape was pressed.
    """

    unit_chosen = Signal(str)
    unit_hovered = Signal(str)
    unit_removed = Signal(str)
    unit_opened = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.units = UnitModel()
        self._delegate = UnitDelegate(self)
        self._is_showing = False
        self.setModel(self.units)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName("Units of the summary")
        self.setMouseTracking(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.signal().changed.connect(self.viewport().update)

    @property
    def lines(self) -> tuple[UnitRow, ...]:
        """What is listed."""
        return self.units.lines

    @property
    def current_unit(self) -> str:
        """The unit of the current row, empty = none."""
        line = self._line(self.currentIndex())
        return line.match_id if line is not None else ""

    def show_units(self, lines: Sequence[UnitRow]) -> None:
        """List these units; the scroll stays."""
        top = self.verticalScrollBar().value()
        self._is_showing = True
        self.units.show_lines(lines)
        self._is_showing = False
        self.verticalScrollBar().setValue(top)

    def choose(self, match_id: str) -> None:
        """Make a unit the current row without a signal; one that is not listed leaves none."""
        row = next((i for i, line in enumerate(self.lines) if line.match_id == match_id), -1)
        self._is_showing = True
        if row < 0:
            self.selectionModel().clear()
        elif row != self.currentIndex().row():
            index = self.units.index(row)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)
        self._is_showing = False

    def cross_box(self, row: int) -> QRect:
        """Where a row's cross is, in the viewport."""
        return self._delegate.cross_box(self.visualRect(self.units.index(row)))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        line = self._line(current)
        if line is not None and not self._is_showing:
            self.unit_chosen.emit(line.match_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_unit:
            self.unit_opened.emit(self.current_unit)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        line = self._line(index)
        box = self._delegate.cross_box(self.visualRect(index))
        if line is not None and box.contains(event.position().toPoint()):
            self.unit_removed.emit(line.match_id)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        line = self._line(self.indexAt(event.position().toPoint()))
        self._hover(line.match_id if line is not None else "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover("")

    def startDrag(self, actions: Qt.DropAction) -> None:
        if (line := self._line(self.currentIndex())) is not None:
            start_drag(self, DraggedItem(DragKind.UNIT, match_id=line.match_id), line.words or line.label)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            line = self._line(self.indexAt(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(_tip(line) if line is not None else ""), self)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.lines:
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(LARGE, LARGE, -LARGE, -LARGE)
            wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(wrap), EMPTY)

    def _line(self, index: Index) -> UnitRow | None:
        line = index.data(LINE_ROLE)
        return line if isinstance(line, UnitRow) else None

    def _hover(self, match_id: str) -> None:
        if match_id != self._delegate.hovered:
            self._delegate.hovered = match_id
            self.viewport().update()
            self.unit_hovered.emit(match_id)


def spoken(line: UnitRow) -> str:
    """A unit in words, for screen readers."""
    words = line.words or "without a span"
    expressed = f"{line.label}, weight {line.weight}" if line.scu_id else "not in the pyramid"
    comment = f", comment: {line.comment}" if line.comment else ""
    return f"{words}: {expressed}{', again' if line.is_repeat else ''}{comment}"


def _tip(line: UnitRow) -> str:
    return "\n".join(part for part in (line.words, line.label, line.comment) if part)
