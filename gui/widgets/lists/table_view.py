"""Read-only table with sorting and copying; its first column stays in sight while others scroll sideways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gui.item_models.table_model import Column, Index, Row, SortProxyModel, TableModel, as_csv, as_tsv
from gui.style import theme
from gui.style.language import is_right_to_left, tr
from gui.style.theme import px
from gui.widgets.lists.grouped_tree import paint_nothing_found

if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object
_State = QStyle.StateFlag
_ENSURE = QAbstractItemView.ScrollHint.EnsureVisible


def _back(view: QAbstractItemView, width: int, left: int, *, is_last: bool = False) -> int:
    """Return the shift that moves the first or last column, `width` wide and now at `left`, back into sight.

    0 also where it would take more than two thirds of the view from the others.
    """
    whole = view.viewport().width()
    if 3 * width > 2 * whole:
        return 0
    return max(-left, 0) if view.isRightToLeft() is is_last else min(whole - width - left, 0)


class FixedColumn(_View):
    """Mixin of tables and trees: the first column is in sight for eyes, mouse and assistive technology.

    keeps_last: the last column instead, which the table paints.
    """

    keeps_last = False

    columnWidth: Callable[[int], int]  # noqa: N815 - Qt's
    columnViewportPosition: Callable[[int], int]  # noqa: N815 - Qt's

    @property
    def _fixed(self) -> int:
        return self.model().columnCount() - 1 if self.keeps_last else 0

    def _back(self) -> int:
        width, left = self.columnWidth(self._fixed), self.columnViewportPosition(self._fixed)
        return _back(self, width, left, is_last=self.keeps_last)

    def visualRect(self, index: Index) -> QRect:
        area = super().visualRect(index)
        if index.column() == self._fixed and self._back():  # a heading over all columns is there already
            is_left = self.isRightToLeft() is self.keeps_last
            area.moveLeft(0 if is_left else self.viewport().width() - area.width())
        return area

    def indexAt(self, point: QPoint) -> QModelIndex:
        at = super().indexAt(point)
        fixed = at.siblingAtColumn(self._fixed)
        return fixed if self.visualRect(fixed).contains(point) else at

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _ENSURE) -> None:
        """Scroll sideways only to cells of other columns, out from under the one in sight."""
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        fixed = index.sibling(index.row(), self._fixed)
        covered = self.visualRect(fixed).intersected(self.visualRect(index)).width()
        way = 1 if self.keeps_last else -1
        bar.setValue(bar.value() + way * covered if index.column() != self._fixed else before)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx:
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._back():
            return
        painter, option = QPainter(self.viewport()), QStyleOptionViewItem()
        self.initViewItemOption(option)
        plain = option.state & ~(_State.State_HasFocus | _State.State_MouseOver)
        pointed = self.indexAt(self.viewport().mapFromGlobal(self.cursor().pos()))
        index = self.indexAt(QPoint(self.width() // 2, event.rect().top())).siblingAtColumn(0)
        while (area := self.visualRect(index)).isValid() and area.top() <= event.rect().bottom():
            option.rect, option.state = area, plain
            for state, is_so in (
                (_State.State_Selected, self.selectionModel().isSelected(index)),
                (_State.State_HasFocus, self.hasFocus() and index == self.currentIndex()),
                (_State.State_MouseOver, self.underMouse() and index == pointed),
            ):
                option.state |= state if is_so else _State.State_None
            painter.fillRect(area, theme.colour("surface"))
            self.itemDelegateForIndex(index).paint(painter, option, index)
            edge = area.left() if self.isRightToLeft() else area.right()
            painter.fillRect(edge, area.top(), 1, area.height(), theme.colour("border"))
            index = self.indexAt(area.bottomLeft() + QPoint(0, 1)).siblingAtColumn(0)


class FixedHeader(QHeaderView):
    """The headings of such a view."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSectionsClickable(True)
        self._dragged = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if back := self._back():
            area = QRect(self.sectionViewportPosition(0) + back, 0, self.sectionSize(0), self.height())
            painter = QPainter(self.viewport())
            painter.fillRect(area, theme.colour("surface"))
            self.paintSection(painter, area, 0)

    def viewportEvent(self, event: QEvent) -> bool:
        """Give events at the first heading, and a drag that began there, to its section."""
        if isinstance(event, QHelpEvent):
            at = event.pos() - QPoint(self._back_at(event.pos().x()), 0)
            return super().viewportEvent(QHelpEvent(event.type(), at, event.globalPos()))
        if not isinstance(event, QMouseEvent):
            return super().viewportEvent(event)
        is_end = event.type() is QEvent.Type.MouseButtonRelease
        if not is_end and (event.type() is not QEvent.Type.MouseMove or not event.buttons()):
            self._dragged = self._back_at(event.position().x())
        there, buttons = event.position() - QPointF(self._dragged, 0), (event.button(), event.buttons())
        moved = QMouseEvent(event.type(), there, event.globalPosition(), *buttons, event.modifiers())
        return super().viewportEvent(moved)

    def _back_at(self, x: float) -> int:
        left = self.sectionViewportPosition(0) + self._back()
        return self._back() if left <= x < left + self.sectionSize(0) else 0

    def _back(self) -> int:
        return _back(self, self.sectionSize(0), self.sectionViewportPosition(0))


ROW_HEIGHT, LEAST_STRETCHED = 28, 80
_LEAST_SHARE = 0.6
"""Of their widths that columns keep, however narrow the table is."""


class _CellDelegate(QStyledItemDelegate):
    """Paints each text in its own direction."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class FixedHeadings(QHeaderView):
    """Headings of equal sizes. thickness: their width at the left, their height at the top."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.thickness = 0
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.thickness, self.thickness)


class CellTable(QTableView):
    """A read-only table of cells, of which one is the current; it scrolls by pixels, and Tab leaves it."""

    def __init__(self, name: str, model: QAbstractItemModel) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setModel(model)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        for corner in self.findChildren(QAbstractButton):
            corner.setAccessibleName(tr("Corner of the matrix"))
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)


class Table(FixedColumn, CellTable):
    """A read-only table that can be copied as text with its headings. empty_text: shown without rows."""

    empty_text = ""

    def __init__(self, name: str, model: QAbstractItemModel) -> None:
        super().__init__(name, model)
        self._fixed_widths: Mapping[int, int] = {}
        self.setItemDelegate(_CellDelegate(self))
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        header = FixedHeader()
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def fit(self, stretch: int, widths: Mapping[int, int]) -> None:
        """Set the widths of columns; one column takes the remaining width.

        Where that would be too little, the others are narrower.
        """
        self._fixed_widths = {column: px(width) for column, width in widths.items()}
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._set_widths()
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if min(map(self._share_of, (event.oldSize().width(), event.size().width()))) < 1:
            self._set_widths()  # else they stay as the user has drawn them

    def _share_of(self, width: int) -> float:
        """Return how much of their widths the fixed columns get in a view of a width."""
        fixed = sum(wide for column, wide in self._fixed_widths.items() if not self.isColumnHidden(column))
        return min(1.0, (width - px(LEAST_STRETCHED)) / fixed) if fixed else 1.0

    def _set_widths(self) -> None:
        share = self._share_of(self.viewport().width())
        for column, width in self._fixed_widths.items():
            self.setColumnWidth(column, round(max(share, _LEAST_SHARE) * width))

    @property
    def finds_nothing(self) -> bool:
        """Whether there are rows, but none with the words looked for."""
        model = self.model()
        return (
            isinstance(model, SortProxyModel) and not model.rowCount() and model.sourceModel().rowCount() > 0
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.finds_nothing:
            paint_nothing_found(self)
        elif self.empty_text and not self.model().rowCount():
            paint_nothing_found(self, self.empty_text)

    def copy(self) -> None:
        """Copy the whole table to the clipboard, tab-separated."""
        QGuiApplication.clipboard().setText(as_tsv(self.model()))

    def csv(self) -> str:
        """Return the whole table as CSV with raw values."""
        return as_csv(self.model())

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Where rows are selected whole, Home and End go to the first and the last one."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        is_whole = self.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
        if is_whole and action in ends:
            row = 0 if action is ends[0] else self.model().rowCount() - 1
            return self.model().index(row, max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)


class RowTable(Table, Generic[Row]):
    """A table of Python objects, which the headings sort and words filter.

    Signals:
        row_chosen: the row that became the current one, None = none is.
        row_opened: a row, by Enter or a double click.
    """

    row_chosen = Signal(object)
    row_opened = Signal(object)

    def __init__(self, name: str, columns: Sequence[Column[Row]], *, can_sort: bool = True) -> None:
        self.rows: TableModel[Row] = TableModel(columns)
        self.sorted = SortProxyModel(self.rows)
        super().__init__(name, self.sorted)
        self.setSortingEnabled(can_sort)
        # The last signal of a change: a receiver may replace the rows, of which others hold indexes.
        self.selectionModel().currentRowChanged.connect(lambda *_: self.row_chosen.emit(self.current))
        self.activated.connect(lambda index: self.row_opened.emit(self.row(index)))

    @property
    def current(self) -> Row | None:
        """The current row, None = none."""
        index = self.currentIndex()
        return self.row(index) if index.isValid() else None

    def row(self, index: Index) -> Row:
        """Return the row at an index of the view."""
        return self.rows.row(self.sorted.mapToSource(index))

    def displayed(self) -> list[Row]:
        """Return the rows as displayed, from top to bottom."""
        return [self.row(self.sorted.index(at, 0)) for at in range(self.sorted.rowCount())]

    def choose(self, is_it: Callable[[Row], bool]) -> bool:
        """Make the first row that is it the current one; return whether one is, and is displayed."""
        at = next((at for at, row in enumerate(self.rows.rows()) if is_it(row)), -1)
        index = self.sorted.mapFromSource(self.rows.index(at, 0))
        self.setCurrentIndex(index)
        return index.isValid()
