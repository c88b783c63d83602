"""Tree view of a pyramid's SCUs with collapsible tiers and drag and drop."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QToolTip,
    QTreeView,
    QWidget,
)

from core.domain.pyramid import UnitKind
from core.formatting.unit_terms import in_terms_of
from gui.annotation.drag_and_drop import DraggedItem, DragKind, read_dragged, start_drag
from gui.annotation.scus.scu_delegate import ScuDelegate
from gui.annotation.scus.scu_model import Index, ScuModel
from gui.annotation.scus.scu_order import ScuFilter, ScuOrder
from gui.annotation.scus.scu_values import ScuRow
from gui.style import theme
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.label import Label

_PYRAMID_KINDS = (DragKind.PARTS, DragKind.SCU, DragKind.WORDS)


class ScuTree(QTreeView):
    """SCUs in collapsible tiers.

    Signals:
        scu_chosen: an SCU became current.
        scu_hovered: the SCU under the pointer; empty = none.
        scu_checked: the check box of an SCU was clicked.
        scu_clicked: an SCU was clicked with the left button.
        confirmed: Enter was pressed on an SCU.
        cancelled: Escape was pressed.
        label_left: the label editor was closed, and the focus did not move elsewhere.
        dropped: the dropped DraggedItem and the SCU it was dropped onto; empty = create a new SCU.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_checked = Signal(str)
    scu_clicked = Signal(str)
    confirmed = Signal(str)
    cancelled = Signal()
    label_left = Signal()
    dropped = Signal(object, str)

    def __init__(self, name: str, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.scus = ScuModel(kind)
        self._delegate = ScuDelegate(self.isExpanded, lambda: self.viewport().width(), self, kind)
        self._zone = DropZone(self.viewport(), in_terms_of(kind, "Drop here for a new SCU"))
        self._droppable: frozenset[DragKind] = frozenset()
        self._collapsed: set[int] = set()
        self._chosen = ""
        self._is_showing = False
        self.setModel(self.scus)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.setProperty("kind", "scus")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setDropIndicatorShown(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.clicked.connect(self._click)
        self.scus.rearranged.connect(self._restore_tiers)
        self.collapsed.connect(lambda heading: self._collapsed.add(self.scus.tier(heading).weight))
        self.expanded.connect(lambda heading: self._collapsed.discard(self.scus.tier(heading).weight))
        theme.signal().changed.connect(self.viewport().update)

    @property
    def current_scu(self) -> str:
        """The SCU of the current row; empty = a heading or none."""
        line = self.scus.line(self.currentIndex())
        return line.scu_id if line is not None else ""

    def allow_drops(self, kinds: Collection[DragKind] = _PYRAMID_KINDS, zone_text: str = "") -> None:
        """Accept drops of these kinds on SCUs or on the drop zone below them.

        zone_text: the text of the drop zone; empty = the default one.
        SCUs can be dragged if they can be dropped.
        """
        modes = QAbstractItemView.DragDropMode
        self._droppable = frozenset(kinds)
        self.setDragDropMode(modes.DragDrop if DragKind.SCU in kinds else modes.DropOnly)
        if zone_text:
            self._zone.setText(zone_text)

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Replace the SCUs; selection, collapsed tiers and scroll position are preserved."""
        self._delegate.letters = tuple(letters)
        self.scus.show_lines(lines)

    def choose(self, scu_id: str) -> None:
        """Make an SCU current without a signal; if it is not shown, clear the current row."""
        self._chosen = scu_id
        index = self.scus.index_of(scu_id)
        if index == self.currentIndex() and index.isValid():
            return
        self._is_showing = True
        if index.isValid():
            self.setExpanded(index.parent(), True)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)
        else:
            self.selectionModel().clear()
        self._is_showing = False

    def show_under_pointer(self, scu_ids: Sequence[str]) -> None:
        """Highlight the SCUs under the pointer in a text."""
        self._delegate.under_pointer = frozenset(scu_ids)
        self.viewport().update()

    def show_hovered(self, scu_id: str) -> None:
        """Highlight a row; empty = none."""
        if scu_id != self._delegate.hovered:
            self._delegate.hovered = scu_id
            self.viewport().update()

    def edit_label(self, scu_id: str) -> None:
        """Open the label editor of an SCU."""
        self.choose(scu_id)
        index = self.scus.index_of(scu_id)
        if index.isValid():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit(index)

    def tip_at(self, point: QPoint) -> str:
        """Return the tooltip at a point of the viewport."""
        index = self.indexAt(point)
        return self._delegate.hidden_text(self.visualRect(index), index)

    def set_order(self, order: ScuOrder) -> None:
        """Change the sort order."""
        self._delegate.show_chips(order is not ScuOrder.WEIGHT)
        self.scus.set_order(order)

    def set_filter(self, scu_filter: ScuFilter) -> None:
        """Show only SCUs that pass a filter."""
        self.scus.set_filter(scu_filter)

    def fold(self) -> None:
        """Collapse all tiers, or expand all if none is expanded."""
        headings = self._headings()
        is_any_open = any(self.isExpanded(heading) for heading in headings)
        for heading in headings:
            self.setExpanded(heading, not is_any_open)

    def open_tier(self, is_open: bool) -> None:
        """Expand or collapse the tier of the current row; a collapsed tier's heading becomes current."""
        heading = self.currentIndex().parent()
        heading = heading if heading.isValid() else self.currentIndex()
        if heading.isValid() and self.scus.has_heads:
            self.setExpanded(heading, is_open)
            if not is_open:
                self.setCurrentIndex(heading)

    def step(self, by: int) -> None:
        """Choose the next (+1) or previous (-1) SCU across tiers."""
        ids = self.scus.visible()
        if not ids:
            return
        at = ids.index(self._chosen) + by if self._chosen in ids else (0 if by > 0 else len(ids) - 1)
        self._choose_and_emit(ids[min(max(at, 0), len(ids) - 1)])

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        line = self.scus.line(current)
        if line is not None and not self._is_showing:
            self._chosen = line.scu_id
            self.scu_chosen.emit(line.scu_id)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.scus.hold_rows(False)
        focus = QApplication.focusWidget()
        if focus is None or focus is self or self.isAncestorOf(focus):
            self.label_left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self.current_scu:
            self.confirmed.emit(self.current_scu)
        elif is_enter or (event.key() == Qt.Key.Key_Space and not self.current_scu):
            self._toggle(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        line = self.scus.line(index)
        if line is None:
            self._toggle(index)
        elif self._delegate.check_box(self.visualRect(index), index).contains(event.position().toPoint()):
            self.scu_checked.emit(line.scu_id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(event.position().toPoint())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.scu_hovered.emit("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()  # labels wrap differently, so row heights change

    def startDrag(self, actions: Qt.DropAction) -> None:
        line = self.scus.line(self.currentIndex())
        if line is not None:
            start_drag(self, DraggedItem(DragKind.SCU, line.scu_id), line.label)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        item = read_dragged(event.mimeData())
        if item is None or item.kind not in self._droppable:
            event.ignore()
            return
        event.acceptProposedAction()
        if item.kind is not DragKind.SCU:
            self._zone.open()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        heading = self.indexAt(event.position().toPoint())
        if heading.isValid() and self.scus.line(heading) is None:
            self.setExpanded(heading, True)  # so that items can be dropped on its SCUs
        item = read_dragged(event.mimeData())
        target = None if item is None else self._target(item, event.position().toPoint())
        self._highlight_target(target)
        if target is None:
            event.ignore()
        else:
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        item = read_dragged(event.mimeData())
        target = None if item is None else self._target(item, event.position().toPoint())
        self._end_drag()
        if item is None or target is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.MoveAction)
        event.accept()
        self.dropped.emit(item, target)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _target(self, item: DraggedItem, point: QPoint) -> str | None:
        """Return the SCU an item would be dropped onto; empty = it would become a new one, None = nowhere."""
        if item.kind not in self._droppable:
            return None
        can_be_new = item.kind is not DragKind.SCU
        index = self.indexAt(point)
        if can_be_new and (self._zone.geometry().contains(point) or not index.isValid()):
            return ""
        line = self.scus.line(index)
        return line.scu_id if line is not None and line.scu_id != item.scu_id else None

    def _highlight_target(self, target: str | None) -> None:
        self._zone.highlight(target == "")
        if self._delegate.target != (target or ""):
            self._delegate.target = target or ""
            self.viewport().update()

    def _end_drag(self) -> None:
        self._highlight_target(None)
        self._zone.hide()
        self.setState(QAbstractItemView.State.NoState)

    def _headings(self) -> list[QModelIndex]:
        return [self.scus.index(place, 0) for place in range(self.scus.rowCount())]

    def _hover(self, point: QPoint) -> None:
        line = self.scus.line(self.indexAt(point))
        scu_id = line.scu_id if line is not None else ""
        if scu_id != self._delegate.hovered:
            self.scu_hovered.emit(scu_id)

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        line = self.scus.line(index)
        if line is not None:
            self.scu_clicked.emit(line.scu_id)

    def _toggle(self, heading: QModelIndex) -> None:
        if heading.isValid() and self.scus.line(heading) is None:
            self.setExpanded(heading, not self.isExpanded(heading))

    def _choose_and_emit(self, scu_id: str) -> None:
        self.choose(scu_id)
        self.scu_chosen.emit(scu_id)

    @Slot()
    def _restore_tiers(self) -> None:
        top = self.verticalScrollBar().value()
        headings = self._headings()
        if not self.scus.has_heads:
            self.setRootIndex(headings[0] if headings else QModelIndex())
        for heading in headings:
            if self.scus.tier(heading).weight not in self._collapsed:
                self.setExpanded(heading, True)
        self.verticalScrollBar().setValue(top)
        self.choose(self._chosen)


class DropZone(Label):
    """Shown at the bottom of a list while an item is dragged that can become a new SCU."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(text, Type.STRONG, "accent")
        self._owner = parent
        self.setParent(parent)
        self.setProperty("kind", "drop-zone")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def open(self) -> None:
        """Show the zone at the bottom of the parent."""
        area = self._owner.rect()
        height = self.sizeHint().height() + 2 * MEDIUM
        self.setGeometry(SMALL, area.height() - height - SMALL, area.width() - 2 * SMALL, height)
        self.show()
        self.raise_()

    def highlight(self, is_target: bool) -> None:
        """Highlight the zone if releasing the mouse button would drop here."""
        if self.property("target") != is_target:
            self.setProperty("target", is_target)
            self.style().unpolish(self)
            self.style().polish(self)
