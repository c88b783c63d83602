"""First column of a table that stays in sight while the others scroll sideways.

It is painted over them: a second view would be found, and read twice, by assistive technology.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem

from gui.item_models.table_model import Index
from gui.style import theme

if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object
_State = QStyle.StateFlag
_ENSURE = QAbstractItemView.ScrollHint.EnsureVisible


def _back(view: QAbstractItemView, width: int, left: int) -> int:
    """Return the shift that moves the first column, `width` wide and now at `left`, back into sight.

    0 also where it would take more than two thirds of the view from the others.
    """
    whole = view.viewport().width()
    if 3 * width > 2 * whole:
        return 0
    return min(whole - width - left, 0) if view.isRightToLeft() else max(-left, 0)


class FixedColumn(_View):
    """Mixin of tables and trees: the first column is in sight for eyes, mouse and assistive technology."""

    columnWidth: Callable[[int], int]  # noqa: N815 - Qt's
    columnViewportPosition: Callable[[int], int]  # noqa: N815 - Qt's

    def _back(self) -> int:
        return _back(self, self.columnWidth(0), self.columnViewportPosition(0))

    def visualRect(self, index: Index) -> QRect:
        area = super().visualRect(index)
        if index.column() == 0 and self._back():  # a heading over all columns is there already
            area.moveLeft(self.viewport().width() - area.width() if self.isRightToLeft() else 0)
        return area

    def indexAt(self, point: QPoint) -> QModelIndex:
        at = super().indexAt(point)
        first = at.siblingAtColumn(0)
        return first if self.visualRect(first).contains(point) else at

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _ENSURE) -> None:
        """Scroll sideways only to cells of other columns, out from under the first one."""
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        covered = self.visualRect(index.sibling(index.row(), 0)).intersected(self.visualRect(index)).width()
        bar.setValue(bar.value() - covered if index.column() else before)

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
