"""The list of SCUs with its field to find one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QToolTip, QTreeView, QVBoxLayout, QWidget

from gui import theme
from gui.theme import MEDIUM, SMALL, Type
from gui.values.scus import ScuLine
from gui.widgets.buttons import SearchField
from gui.widgets.label import Label
from gui.widgets.scu_delegate import ScuDelegate
from gui.widgets.scu_model import Index, ScuModel


class ScuTree(QTreeView):
    """Tiers that open and close, SCUs to choose.

    Signals:
        scu_chosen, scu_hovered: an SCU; hovering none is empty.
        scu_checked: the check box of an SCU was pressed.
        confirmed: Enter on an SCU. cancelled: Escape.
        label_left: the editor of a label was closed.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_checked = Signal(str)
    confirmed = Signal(str)
    cancelled = Signal()
    label_left = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.scus = ScuModel()
        self._delegate = ScuDelegate(self.isExpanded, self)
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
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self._delegate.closeEditor.connect(lambda *_: self.label_left.emit())
        self.scus.rearranged.connect(self._open_tiers)
        self.collapsed.connect(lambda head: self._closed.add(self.scus.tier(head).weight))
        self.expanded.connect(lambda head: self._closed.discard(self.scus.tier(head).weight))
        theme.signal().changed.connect(self.viewport().update)

    @property
    def current_scu(self) -> str:
        """The SCU of the current row, empty = a head or none."""
        line = self.scus.line(self.currentIndex())
        return line.scu_id if line is not None else ""

    def show_lines(self, lines: Sequence[ScuLine], letters: Sequence[str] = ()) -> None:
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

    def step(self, by: int) -> None:
        """Choose the SCU below (+1) or above (-1) across tiers."""
        ids = self.scus.shown()
        if not ids:
            return
        at = ids.index(self._chosen) + by if self._chosen in ids else (0 if by > 0 else len(ids) - 1)
        self._tell(ids[min(max(at, 0), len(ids) - 1)])

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
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

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            line = self.scus.line(index)
            is_cut = line is not None and self._delegate.is_elided(self.visualRect(index), index)
            QToolTip.showText(event.globalPos(), line.label if line is not None and is_cut else "", self)
            return True
        return super().viewportEvent(event)

    def _hover(self, point: QPoint) -> None:
        line = self.scus.line(self.indexAt(point))
        wanted = line.scu_id if line is not None else ""
        if wanted != self._delegate.hovered:
            self.scu_hovered.emit(wanted)

    def _toggle(self, head: QModelIndex) -> None:
        if head.isValid() and self.scus.line(head) is None:
            self.setExpanded(head, not self.isExpanded(head))

    def _tell(self, scu_id: str) -> None:
        self.choose(scu_id)
        self.scu_chosen.emit(scu_id)

    @Slot()
    def _open_tiers(self) -> None:
        top = self.verticalScrollBar().value()
        for place, tier in enumerate(self.scus.tiers):
            if tier.weight not in self._closed:
                self.setExpanded(self.scus.index(place, 0), True)
        self.verticalScrollBar().setValue(top)
        self.choose(self._chosen)


class ScuList(QWidget):
    """Field and list in one; `tree` is the list.

    Signals:
        label_typed: scu id, text.
    """

    label_typed = Signal(str, str)

    def __init__(self, name: str, placeholder: str, when_empty: str) -> None:
        super().__init__()
        self.field = SearchField(placeholder)
        self.tree = ScuTree(name)
        self._empty = Label(when_empty, Type.BODY, "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._when_empty, self._has_lines = when_empty, False
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, 0, SMALL, SMALL)
        column.setSpacing(SMALL)
        column.addWidget(self.field)
        column.addWidget(self._empty, 1)
        column.addWidget(self.tree, 1)
        self._empty.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self._to_first)
        self.tree.scus.label_typed.connect(self.label_typed)
        self._show_what_there_is()

    def show_lines(self, lines: Sequence[ScuLine], letters: Sequence[str] = ()) -> None:
        """Show these SCUs, as far as the field lets them through."""
        self._has_lines = bool(lines)
        self.tree.show_lines(lines, letters)
        self._show_what_there_is()

    def show_all(self) -> None:
        """Look for nothing any more."""
        self.field.clear()

    def start_finding(self) -> None:
        """Put the keyboard into the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.hasFocus():
            self.field.clear()
            self.tree.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self._to_first()
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _find(self, wanted: str) -> None:
        self.tree.scus.find(wanted)
        self._show_what_there_is()

    @Slot()
    def _to_first(self) -> None:
        if shown := self.tree.scus.shown():
            self.tree.setFocus()
            if self.tree.current_scu not in shown:
                self.tree.step(+1)

    def _show_what_there_is(self) -> None:
        is_empty = not self.tree.scus.tiers
        self._empty.setText("Nothing has these words." if self._has_lines else self._when_empty)
        self._empty.setVisible(is_empty)
        self.tree.setVisible(not is_empty)
