"""Tree view of SCUs: the pyramid in the margin, details below the selected SCU, and drag and drop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
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
from gui.annotation.drag_and_drop import DraggedItem, DragKind, read_dragged, start_drag
from gui.annotation.match_values import ExpressionRow, UnitRow
from gui.annotation.scus.scu_delegate import MARGIN_PX, ROW_HEIGHT, ScuDelegate
from gui.annotation.scus.scu_model import ScuModel, accessible_text
from gui.annotation.scus.scu_values import ScuRow, Tier
from gui.annotation.scus.unit_rows import LINE_ROLE
from gui.item_models.table_model import Index
from gui.style import theme
from gui.style.language import in_terms_of, plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.accessible import announce
from gui.widgets.label import Label
from gui.widgets.layouts import keep_room_for_bar

_PYRAMID_KINDS = (DragKind.PARTS, DragKind.SCU, DragKind.WORDS)
_TOP_PX, _STEP_PX = 16, 8
"""Width of the pyramid's top step in the margin, and how much wider each step below is."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ROWS = {QTreeView.CursorAction.MoveUp: -1, QTreeView.CursorAction.MoveDown: +1}


class ScuTree(QTreeView):
    """SCUs in the order of their weights or another one.

    A click in the margin collapses a weight into one row. With `opens_details`, the selected SCU shows its
    details below it until it is clicked again or `toggle_details`; ticking an SCU opens and closes nothing.

    Signals:
        scu_chosen: an SCU became current.
        scu_hovered: the SCU under the pointer; empty = none.
        scu_checked: the check box of an SCU was clicked.
        scu_clicked: an SCU was clicked with the left button.
        unit_chosen, unit_opened, unit_removed: match id of a unit below its SCU.
        reference_opened: reference id, start and end of its words for an SCU.
        confirmed: Enter was pressed on an SCU.
        cancelled: Escape was pressed.
        label_left: the label or comment editor was closed, and the focus did not move elsewhere.
        dropped: the dropped DraggedItem and the SCU it was dropped onto; empty = create a new SCU.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_checked = Signal(str)
    scu_clicked = Signal(str)
    unit_chosen = Signal(str)
    unit_opened = Signal(str)
    unit_removed = Signal(str)
    reference_opened = Signal(str, int, int)
    confirmed = Signal(str)
    cancelled = Signal()
    label_left = Signal()
    dropped = Signal(object, str)

    def __init__(self, name: str, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.scus = ScuModel(kind)
        self.opens_details = False
        self.delegate = ScuDelegate(self.scus, lambda: self.viewport().width(), self)
        self._zone = DropZone(self.viewport(), in_terms_of(kind, tr("Drop here for a new SCU")))
        self._droppable: frozenset[DragKind] = frozenset()
        self._chosen = self._opened = ""
        self._was_chosen = ""  # when the mouse button was pressed
        self._announced = ("", "", "")
        self._are_details_closed = self._is_showing = self._is_pressed = False
        self.setModel(self.scus)
        self.setItemDelegate(self.delegate)
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
        keep_room_for_bar(self)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.clicked.connect(self._click)
        self.scus.rearranged.connect(self._restore)
        self.expanded.connect(self._note_opened)
        self.collapsed.connect(self._note_closed)
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)  # numbers stay in sight
        theme.signal().changed.connect(self.viewport().update)

    @property
    def current_scu(self) -> str:
        """The SCU of the current row or detail; empty = a collapsed weight or none."""
        line = self.scus.line(self.currentIndex())
        return line.scu_id if line is not None else ""

    def allow_drops(self, kinds: Collection[DragKind] = _PYRAMID_KINDS, zone_text: str = "") -> None:
        """Accept drops of these kinds on SCUs or on the drop zone below them.

        zone_text: the text of the drop zone; empty = the default one.
        SCUs and units can be dragged if they can be dropped.
        """
        self._droppable = frozenset(kinds)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        if zone_text:
            self._zone.setText(zone_text)

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Replace the SCUs; selection, open details, collapsed weights and scroll position are preserved."""
        top = self.verticalScrollBar().value()
        self.scus.show_lines(lines, letters)
        self.verticalScrollBar().setValue(top)
        self._announce_chosen()

    def choose(self, scu_id: str, match_id: str = "") -> None:
        """Make an SCU current without a signal, and select one of its units; empty for none."""
        self._chosen = scu_id
        if match_id != self.delegate.selected_unit:
            self.delegate.selected_unit = match_id
            self.viewport().update()
        if scu_id and scu_id == self.current_scu:
            return
        self._uncollapse(scu_id)
        index = self.scus.index_of(scu_id)
        self._is_showing = True
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)
        else:
            self.selectionModel().clear()
        self._is_showing = False
        self._announce_chosen()

    def _announce_chosen(self) -> None:
        """Announce a change of the chosen SCU, and another chosen SCU unless its row has the focus.

        Where only its words have changed, those are announced.
        """
        line = self.scus.line(self.scus.index_of(self._chosen))
        row = "" if line is None else accessible_text(line, self.scus.letters, self.scus.kind)
        words = "" if line is None else line.words
        (before, old, old_words), self._announced = self._announced, (self._chosen, row, words)
        if row != old and (self._chosen == before or not self.hasFocus()):
            announce(self, row)
        elif line is not None and self._chosen == before and words != old_words:
            changed = [one for one in words.split("\n") if one not in old_words.split("\n")]
            announce(self, ": ".join((line.label, *changed)))

    def show_details(self) -> None:
        """Open the details of the chosen SCU instead of those of another one, unless they are closed."""
        if self.opens_details and not self._are_details_closed and self._opened != self._chosen:
            self._open(self._chosen)

    def toggle_details(self) -> None:
        """Close the details of the chosen SCU and of all that are chosen later, or open them again."""
        if self.opens_details:
            self._are_details_closed = self._opened == self._chosen != ""
            self._open("" if self._are_details_closed else self._chosen)

    def enter_units(self) -> bool:
        """Make the first unit of the chosen SCU current and focus it; return False if it has none."""
        unit = self.scus.index_of_unit(self._chosen, self.delegate.selected_unit)
        if unit.isValid():
            self._open(self._chosen)
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.setCurrentIndex(unit)
        return unit.isValid()

    @property
    def is_in_unit(self) -> bool:
        """Whether a unit below its SCU has the keyboard."""
        return self.hasFocus() and isinstance(self.currentIndex().data(LINE_ROLE), UnitRow)

    def edit_comment(self, scu_id: str, match_id: str) -> None:
        """Open the comment of a unit below its SCU."""
        self.choose(scu_id, match_id)
        self._open(scu_id)
        unit = self.scus.index_of_unit(scu_id, match_id)
        if unit.isValid():
            self.delegate.comment_on(match_id)
            self._resize()
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.setCurrentIndex(unit)
            self.edit(unit)

    def show_under_pointer(self, scu_ids: Sequence[str]) -> None:
        """Highlight the SCUs under the pointer in a text."""
        self.delegate.under_pointer = frozenset(scu_ids)
        self.viewport().update()

    def show_hovered(self, scu_id: str) -> None:
        """Highlight a row; empty = none."""
        if scu_id != self.delegate.hovered:
            self.delegate.hovered = scu_id
            self.viewport().update()

    def edit_label(self, scu_id: str) -> None:
        self.choose(scu_id)
        index = self.scus.index_of(scu_id)
        if index.isValid():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit(index)

    def tip_at(self, point: QPoint) -> str:
        index = self.indexAt(point)
        if self._is_in_margin(index, point):
            weight = self.scus.weight_of(index)
            tier = next(tier for tier in self.scus.tiers if tier.weight == weight)
            title = in_terms_of(self.scus.kind, tr("Weight {weight}", weight=weight))
            fact = tier.facts(self.scus.kind)[0]
            return tr("{tier}: {fact}. Click to collapse or expand", tier=title, fact=fact)
        return self.delegate.hidden_text(self.visualRect(index), index)

    def fold(self) -> None:
        """Collapse all weights, or expand all if none is expanded."""
        weights = {tier.weight for tier in self.scus.tiers}
        self.scus.collapse(set() if weights <= self.scus.collapsed else weights)

    def open_tier(self, is_open: bool) -> None:
        """Expand or collapse the weight of the current row; its row becomes current when it is collapsed."""
        if self.currentIndex().isValid() and self.scus.has_tiers:
            self._collapse(self.scus.weight_of(self.currentIndex()), not is_open)

    def step(self, by: int) -> None:
        """Choose the next (+1) or previous (-1) SCU across tiers."""
        ids = self.scus.visible()
        if not ids:
            return
        at = ids.index(self._chosen) + by if self._chosen in ids else (0 if by > 0 else len(ids) - 1)
        self._choose_and_emit(ids[min(max(at, 0), len(ids) - 1)])

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        line, item = self.scus.line(current), current.data(LINE_ROLE)
        if line is None or self._is_showing:
            return
        self._chosen = line.scu_id
        self._announce_chosen()
        if isinstance(item, UnitRow) and item.match_id:
            self.unit_chosen.emit(item.match_id)
        elif isinstance(item, ScuRow):
            self.scu_chosen.emit(line.scu_id)
            if not self._is_pressed:  # else when the button is released, so that the row stays under it
                self.show_details()

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Go up and down from SCU to SCU; the right arrow key goes on to the details."""
        current = self.currentIndex()
        if action in _ROWS and current.isValid() and not current.parent().isValid():
            following = current.siblingAtRow(current.row() + _ROWS[action])
            return following if following.isValid() else current
        return super().moveCursor(action, modifiers)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.scus.hold_rows(False)
        self.delegate.comment_on("")
        self._resize()
        focus = QApplication.focusWidget()
        if focus is None or focus is self or self.isAncestorOf(focus):
            self.label_left.emit()

    def event(self, event: QEvent) -> bool:
        """Take Enter on a detail before it is the key of a command."""
        is_early = event.type() is QEvent.Type.ShortcutOverride and self.currentIndex().parent().isValid()
        if is_early and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentIndex().data(LINE_ROLE)
        if event.key() in _ENTER and not isinstance(item, Tier):
            self._press_enter(item)
        elif event.key() in (*_ENTER, Qt.Key.Key_Space) and isinstance(item, Tier):
            self._collapse(item.weight, False)
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        if event.button() is Qt.MouseButton.LeftButton and index.isValid() and self._press(index, point):
            return
        self._was_chosen, self._is_pressed = self._chosen, True
        super().mousePressEvent(event)
        self._is_pressed = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(event.position().toPoint())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._paint_pyramid()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.scu_hovered.emit("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()  # the references' words wrap differently

    def startDrag(self, actions: Qt.DropAction) -> None:
        item = self.currentIndex().data(LINE_ROLE)
        if isinstance(item, ScuRow) and DragKind.SCU in self._droppable:
            start_drag(self, DraggedItem(DragKind.SCU, item.scu_id), item.label)
        elif isinstance(item, UnitRow) and DragKind.UNIT in self._droppable:
            start_drag(self, DraggedItem(DragKind.UNIT, match_id=item.match_id), item.shown)

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
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.scus.line(index) is None:
            self._collapse(self.scus.weight_of(index), False)  # so that items can be dropped on its SCUs
            self._highlight_target(None)
            event.ignore()
            return
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
        if self.delegate.target != (target or ""):
            self.delegate.target = target or ""
            self.viewport().update()

    def _end_drag(self) -> None:
        self._highlight_target(None)
        self._zone.hide()
        self.setState(QAbstractItemView.State.NoState)

    def _hover(self, point: QPoint) -> None:
        index = self.indexAt(point)
        line, item = self.scus.line(index), index.data(LINE_ROLE)
        unit = item.match_id if isinstance(item, UnitRow) else ""
        if unit != self.delegate.hovered_unit:
            self.delegate.hovered_unit = unit
            self.viewport().update()
        is_link = isinstance(item, ExpressionRow) or self._is_in_margin(index, point)
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor
        )
        scu_id = line.scu_id if line is not None else ""
        if scu_id != self.delegate.hovered:
            self.scu_hovered.emit(scu_id)

    def _press(self, index: QModelIndex, point: QPoint) -> bool:
        """Do what a press of the left button at a point does besides selecting; return whether it did."""
        whole, item = self.visualRect(index), index.data(LINE_ROLE)
        if isinstance(item, Tier) or self._is_in_margin(index, point):
            self._collapse(self.scus.weight_of(index), not isinstance(item, Tier))
        elif isinstance(item, ScuRow) and self.delegate.check_box(whole, index).contains(point):
            self.scu_checked.emit(item.scu_id)
        elif isinstance(item, UnitRow) and self.delegate.remove_rect(whole, index).contains(point):
            self.unit_removed.emit(item.match_id)
        else:
            return False
        return True

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        item = index.data(LINE_ROLE)
        if isinstance(item, ScuRow):
            self.scu_clicked.emit(item.scu_id)
            if self.opens_details and self._was_chosen == item.scu_id:
                self.toggle_details()
            else:
                self.show_details()
        elif isinstance(item, ExpressionRow):
            self.reference_opened.emit(item.reference_id, *item.span)

    def _press_enter(self, item: object) -> None:
        if isinstance(item, ExpressionRow):
            self.reference_opened.emit(item.reference_id, *item.span)
        elif isinstance(item, UnitRow):
            self.unit_opened.emit(item.match_id)
        elif self.current_scu:
            self.confirmed.emit(self.current_scu)

    def _is_in_margin(self, index: Index, point: QPoint) -> bool:
        return index.isValid() and self.scus.has_tiers and point.x() < px(MARGIN_PX)

    def _open(self, scu_id: str) -> None:
        """Open the details of an SCU and close all others; its row stays where it is if it can."""
        index, bar = self.scus.index_of(scu_id), self.verticalScrollBar()
        before = self.visualRect(index).top()
        if (opened := self.scus.index_of(self._opened)).isValid() and opened != index:
            self.collapse(opened)
        self._opened = scu_id
        if index.isValid():
            self.expand(index)
            self.executeDelayedItemsLayout()
            bar.setValue(bar.value() + self.visualRect(index).top() - before)
            last = self.scus.index(self.scus.rowCount(index) - 1, 0, index)
            self.scrollTo(last)
            self.scrollTo(index)

    @Slot(QModelIndex)
    def _note_opened(self, index: QModelIndex) -> None:
        """Close the details of another SCU when the right arrow key opens those of this one."""
        line = self.scus.line(index)
        if line is not None and line.scu_id != self._opened:
            self._are_details_closed = False
            self._open(line.scu_id)

    @Slot(QModelIndex)
    def _note_closed(self, index: QModelIndex) -> None:
        line = self.scus.line(index)
        if line is not None and line.scu_id == self._opened:
            self._opened = ""

    def _collapse(self, weight: int, is_collapsed: bool) -> None:
        """Collapse a weight into one row, which becomes current, or expand it."""
        change = self.scus.collapsed | {weight} if is_collapsed else self.scus.collapsed - {weight}
        current = self.currentIndex()
        was_current = current.isValid() and self.scus.weight_of(current) == weight
        self.scus.collapse(change)
        if is_collapsed and was_current:
            rows = (self.scus.index(row, 0) for row in range(self.scus.rowCount()))
            self.setCurrentIndex(next(row for row in rows if self.scus.weight_of(row) == weight))

    def _uncollapse(self, scu_id: str) -> None:
        """Expand the weight of an SCU if it is collapsed."""
        weights = {tier.weight for tier in self.scus.tiers for line in tier.lines if line.scu_id == scu_id}
        if weights & self.scus.collapsed:
            self.scus.collapse(self.scus.collapsed - weights)

    def _choose_and_emit(self, scu_id: str) -> None:
        self.choose(scu_id)
        self.scu_chosen.emit(scu_id)
        self.show_details()

    def _resize(self) -> None:
        """Lay the rows out again, one of which has another height."""
        self.scheduleDelayedItemsLayout()
        self.executeDelayedItemsLayout()

    @Slot()
    def _restore(self) -> None:
        top, opened = self.verticalScrollBar().value(), self.scus.index_of(self._opened)
        if opened.isValid():
            self.expand(opened)
        self.verticalScrollBar().setValue(top)
        chosen = self._chosen
        if self.scus.index_of(chosen).isValid():
            self.choose(chosen, self.delegate.selected_unit)

    def _paint_pyramid(self) -> None:
        """Paint the visible steps of the pyramid into the margin, each with its weight."""
        tiers, shown, rows = self.scus.tiers, self.viewport().rect(), list[QModelIndex]()
        top = self.indexAt(QPoint(0, 0))
        index = top.parent() if top.parent().isValid() else top
        while index.isValid() and self.visualRect(index).top() <= shown.bottom():
            rows.append(index)
            index = index.siblingAtRow(index.row() + 1)
        painter = QPainter(self.viewport())
        painter.setFont(theme.font(Type.CAPTION))
        painter.setPen(theme.colour("text"))
        numbers = (painter.fontMetrics().horizontalAdvance(str(tier.weight)) for tier in tiers)
        widest, least = px(MARGIN_PX), max((px(_TOP_PX), *(number + TIGHT for number in numbers)))
        more = min(px(_STEP_PX), (widest - least) // max(1, len(tiers) - 1))
        places = {tier.weight: place for place, tier in enumerate(tiers)} if self.scus.has_tiers else {}
        for _, step in groupby(rows, self.scus.weight_of if self.scus.has_tiers else QModelIndex.row):
            first, *others = step
            last, item = (first, *others)[-1], first.data(LINE_ROLE)
            if self.isExpanded(last):
                last = self.scus.index(self.scus.rowCount(last) - 1, 0, last)
            width = least + more * places.get(item.weight, 0)
            area = QRect(widest - width, self.visualRect(first).top(), width, 0)
            area.setBottom(self.visualRect(last).bottom())
            area &= shown
            painter.fillRect(area, QColor(theme.tokens().weights[item.step - 1].tint))
            area.setHeight(min(px(ROW_HEIGHT), area.height()))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(item.weight))


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
