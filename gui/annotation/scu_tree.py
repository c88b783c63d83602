"""The SCUs of a pyramid on screen: tiers that open and close, rows to choose, drag and drop onto."""

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
from PySide6.QtWidgets import QAbstractItemView, QApplication, QToolTip, QTreeView

from gui.annotation.drag_and_drop import DraggedItem, DragKind, read_dragged, start_drag
from gui.annotation.drop_zone import DropZone
from gui.annotation.label_field import LabelField
from gui.annotation.scu_delegate import ScuDelegate
from gui.annotation.scu_model import Index, ScuModel
from gui.annotation.scu_order import ScuFilter, ScuOrder
from gui.annotation.scu_values import ScuRow
from gui.style import theme
from gui.style.tooltips import plain_tip

_OF_PYRAMIDS = (DragKind.PARTS, DragKind.SCU, DragKind.WORDS)


class ScuTree(QTreeView):
    """Tiers that open and close, SCUs to choose.

    Signals:
        scu_chosen, scu_hovered: an SCU; hovering none is empty.
        scu_checked: the check box of an SCU was pressed. scu_clicked: an SCU was, with the left button.
        confirmed: Enter on an SCU. cancelled: Escape.
        label_left: the editor of a label was closed.
        dropped: what was dragged here (Dragged), and onto which SCU; empty = it shall become a new one.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_checked = Signal(str)
    scu_clicked = Signal(str)
    confirmed = Signal(str)
    cancelled = Signal()
    label_left = Signal()
    dropped = Signal(object, str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.scus = ScuModel()
        self._delegate = ScuDelegate(self.isExpanded, lambda: self.viewport().width(), self)
        self._zone = DropZone(self.viewport())
        self._droppable: frozenset[DragKind] = frozenset()
        self._closed: set[int] = set()
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
        self._delegate.closeEditor.connect(lambda *_: self.label_left.emit())
        self.clicked.connect(self._click)
        self.scus.rearranged.connect(self._open_tiers)
        self.collapsed.connect(lambda head: self._closed.add(self.scus.tier(head).weight))
        self.expanded.connect(lambda head: self._closed.discard(self.scus.tier(head).weight))
        theme.signal().changed.connect(self.viewport().update)

    @property
    def current_scu(self) -> str:
        """The SCU of the current row, empty = a head or none."""
        line = self.scus.line(self.currentIndex())
        return line.scu_id if line is not None else ""

    def allow_drops(self, kinds: Collection[DragKind] = _OF_PYRAMIDS, beside: str = "") -> None:
        """Let these be dropped onto SCUs, or below them, where `beside` says what that does.

        SCUs can be dragged where they can be dropped.
        """
        modes = QAbstractItemView.DragDropMode
        self._droppable = frozenset(kinds)
        self.setDragDropMode(modes.DragDrop if DragKind.SCU in kinds else modes.DropOnly)
        if beside:
            self._zone.setText(beside)

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Show these SCUs; the chosen one, what is closed and the scroll stay."""
        self._delegate.letters = tuple(letters)
        self.scus.show_lines(lines)

    def choose(self, scu_id: str) -> None:
        """Make an SCU the current row without a signal; one that is not shown leaves none."""
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
        """Light up every SCU that the pointer is over in a text."""
        self._delegate.under_pointer = frozenset(scu_ids)
        self.viewport().update()

    def show_hovered(self, scu_id: str) -> None:
        """Light up a row; empty = none."""
        if scu_id != self._delegate.hovered:
            self._delegate.hovered = scu_id
            self.viewport().update()

    def edit_label(self, scu_id: str) -> None:
        """Open the editor on an SCU's label."""
        self.choose(scu_id)
        index = self.scus.index_of(scu_id)
        if index.isValid():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit(index)

    def tip_at(self, point: QPoint) -> str:
        """The words of the tooltip at a point of the viewport."""
        index = self.indexAt(point)
        return self._delegate.hidden_count(self.visualRect(index), index)

    def set_order(self, order: ScuOrder) -> None:
        """List the SCUs by something else."""
        self._delegate.show_chips(order is not ScuOrder.WEIGHT)
        self.scus.set_order(order)

    def narrow(self, narrowed: ScuFilter) -> None:
        """Show only some of the SCUs."""
        self.scus.narrow(narrowed)

    def fold(self) -> None:
        """Close all tiers, or open all where none is open."""
        heads = self._heads()
        is_any_open = any(self.isExpanded(head) for head in heads)
        for head in heads:
            self.setExpanded(head, not is_any_open)

    def open_tier(self, is_open: bool) -> None:
        """Open or close the tier of the current row, and go on from its head."""
        head = self.currentIndex().parent()
        head = head if head.isValid() else self.currentIndex()
        if head.isValid() and self.scus.has_heads:
            self.setExpanded(head, is_open)
            if not is_open:
                self.setCurrentIndex(head)

    def step(self, by: int) -> None:
        """Choose the SCU below (+1) or above (-1) across tiers."""
        ids = self.scus.shown()
        if not ids:
            return
        at = ids.index(self._chosen) + by if self._chosen in ids else (0 if by > 0 else len(ids) - 1)
        self._tell(ids[min(max(at, 0), len(ids) - 1)])

    def currentChanged(self, current: Index, previous: Index) -> None:
        was_editing = self._has_editor()
        super().currentChanged(current, previous)
        if was_editing:
            self.label_left.emit()
        line = self.scus.line(current)
        if line is not None and not self._is_showing:
            self._chosen = line.scu_id
            self.scu_chosen.emit(line.scu_id)

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
            self.scheduleDelayedItemsLayout()  # labels break elsewhere, so rows are of another height

    def startDrag(self, actions: Qt.DropAction) -> None:
        line = self.scus.line(self.currentIndex())
        if line is not None:
            start_drag(self, DraggedItem(DragKind.SCU, line.scu_id), line.label)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        what = read_dragged(event.mimeData())
        if what is None or what.kind not in self._droppable:
            event.ignore()
            return
        event.acceptProposedAction()
        if what.kind is not DragKind.SCU:
            self._zone.open()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        head = self.indexAt(event.position().toPoint())
        if head.isValid() and self.scus.line(head) is None:
            self.setExpanded(head, True)  # or its SCUs could not be dropped onto
        what = read_dragged(event.mimeData())
        target = None if what is None else self._target(what, event.position().toPoint())
        self._light(target)
        if target is None:
            event.ignore()
        else:
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        what = read_dragged(event.mimeData())
        target = None if what is None else self._target(what, event.position().toPoint())
        self._end_drag()
        if what is None or target is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.MoveAction)
        event.accept()
        self.dropped.emit(what, target)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _target(self, what: DraggedItem, point: QPoint) -> str | None:
        """The SCU that something would be dropped onto, empty = it would be a new one; None = nowhere."""
        if what.kind not in self._droppable:
            return None
        can_be_new = what.kind is not DragKind.SCU
        index = self.indexAt(point)
        if can_be_new and (self._zone.geometry().contains(point) or not index.isValid()):
            return ""
        line = self.scus.line(index)
        return line.scu_id if line is not None and line.scu_id != what.scu_id else None

    def _light(self, target: str | None) -> None:
        self._zone.light(target == "")
        if self._delegate.target != (target or ""):
            self._delegate.target = target or ""
            self.viewport().update()

    def _end_drag(self) -> None:
        self._light(None)
        self._zone.hide()
        self.setState(QAbstractItemView.State.NoState)

    def _has_editor(self) -> bool:
        """Whether the editor of a label has the keyboard; it goes when another row becomes current."""
        focus = QApplication.focusWidget()
        return isinstance(focus, LabelField) and self.viewport().isAncestorOf(focus)

    def _heads(self) -> list[QModelIndex]:
        return [self.scus.index(place, 0) for place in range(self.scus.rowCount())]

    def _hover(self, point: QPoint) -> None:
        line = self.scus.line(self.indexAt(point))
        wanted = line.scu_id if line is not None else ""
        if wanted != self._delegate.hovered:
            self.scu_hovered.emit(wanted)

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        line = self.scus.line(index)
        if line is not None:
            self.scu_clicked.emit(line.scu_id)

    def _toggle(self, head: QModelIndex) -> None:
        if head.isValid() and self.scus.line(head) is None:
            self.setExpanded(head, not self.isExpanded(head))

    def _tell(self, scu_id: str) -> None:
        self.choose(scu_id)
        self.scu_chosen.emit(scu_id)

    @Slot()
    def _open_tiers(self) -> None:
        top = self.verticalScrollBar().value()
        heads = self._heads()
        if not self.scus.has_heads:
            self.setRootIndex(heads[0] if heads else QModelIndex())
        for head in heads:
            if self.scus.tier(head).weight not in self._closed:
                self.setExpanded(head, True)
        self.verticalScrollBar().setValue(top)
        self.choose(self._chosen)
