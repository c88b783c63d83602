"""List of the units of a summary: matches, repetitions, and units not in the pyramid."""

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
from gui.pages.match.unit_delegate import REPETITION, ROW_ROLE, UnitDelegate
from gui.style import theme
from gui.style.theme import LARGE
from gui.style.tooltips import plain_tip

Index = QModelIndex | QPersistentModelIndex
EMPTY = "No units yet. Select text and press Space to match it with an SCU, or O if no SCU expresses it."


class UnitModel(QAbstractListModel):
    """Rows of units."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[UnitRow, ...] = ()

    def set_rows(self, rows: Sequence[UnitRow]) -> None:
        """Set the units. If their ids are unchanged, rows are only repainted."""
        before, after = self.rows, tuple(rows)
        if [row.match_id for row in before] != [row.match_id for row in after]:
            self.beginResetModel()
            self.rows = after
            self.endResetModel()
        elif before != after:
            self.rows = after
            self.dataChanged.emit(self.index(0), self.index(len(after) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.words or row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_text(row)
        return None


class UnitList(QListView):
    """List of units to select, and to drag onto an SCU; Enter goes to the text of a unit.

    Signals:
        unit_chosen, unit_hovered, unit_removed, unit_opened: match id; empty if none is hovered.
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
        self._is_updating = False
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
    def rows(self) -> tuple[UnitRow, ...]:
        """Return the listed units."""
        return self.units.rows

    @property
    def current_unit(self) -> str:
        """Return the match id of the current unit; empty if there is none."""
        row = self._row(self.currentIndex())
        return row.match_id if row is not None else ""

    def show_units(self, rows: Sequence[UnitRow]) -> None:
        """List these units; keep the scroll position."""
        top = self.verticalScrollBar().value()
        self._is_updating = True
        self.units.set_rows(rows)
        self._is_updating = False
        self.verticalScrollBar().setValue(top)

    def choose(self, match_id: str) -> None:
        """Make a unit the current one without a signal; clear the selection if it is not listed."""
        number = next((i for i, row in enumerate(self.rows) if row.match_id == match_id), -1)
        self._is_updating = True
        if number < 0:
            self.selectionModel().clear()
        elif number != self.currentIndex().row():
            index = self.units.index(number)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)
        self._is_updating = False

    def remove_rect(self, number: int) -> QRect:
        """Return the rectangle of the remove button of a row, in viewport coordinates."""
        return self._delegate.remove_rect(self.visualRect(self.units.index(number)))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        row = self._row(current)
        if row is not None and not self._is_updating:
            self.unit_chosen.emit(row.match_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_unit:
            self.unit_opened.emit(self.current_unit)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self._row(index)
        rect = self._delegate.remove_rect(self.visualRect(index))
        if row is not None and rect.contains(event.position().toPoint()):
            self.unit_removed.emit(row.match_id)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self._row(self.indexAt(event.position().toPoint()))
        self._hover(row.match_id if row is not None else "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover("")

    def startDrag(self, actions: Qt.DropAction) -> None:
        if (row := self._row(self.currentIndex())) is not None:
            start_drag(self, DraggedItem(DragKind.UNIT, match_id=row.match_id), row.words or row.label)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            row = self._row(self.indexAt(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(_tip(row) if row is not None else ""), self)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.rows:
            painter = QPainter(self.viewport())
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(LARGE, LARGE, -LARGE, -LARGE)
            wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(wrap), EMPTY)

    def _row(self, index: Index) -> UnitRow | None:
        row = index.data(ROW_ROLE)
        return row if isinstance(row, UnitRow) else None

    def _hover(self, match_id: str) -> None:
        if match_id != self._delegate.hovered:
            self._delegate.hovered = match_id
            self.viewport().update()
            self.unit_hovered.emit(match_id)


def accessible_text(row: UnitRow) -> str:
    """Return the text of a unit for screen readers."""
    text = row.words or "without a span"
    expressed = f"{row.label}, weight {row.weight}" if row.scu_id else "not in the pyramid"
    comment = f", comment: {row.comment}" if row.comment else ""
    return f"{text}: {expressed}{f', {REPETITION}' if row.is_repeat else ''}{comment}"


def _tip(row: UnitRow) -> str:
    return "\n".join(part for part in (row.words, row.label, row.comment) if part)
