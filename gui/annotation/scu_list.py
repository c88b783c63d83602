"""The list of SCUs with its field to find one, what it is ordered by and what it is narrowed to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from gui.annotation.scu_filter_menus import FilterChips, FilterMenu, OrderMenu
from gui.annotation.scu_order import ScuFilter, ScuOrder
from gui.annotation.scu_tree import ScuTree
from gui.annotation.scu_values import ScuRow
from gui.style import icons
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import ActionButton, SearchField
from gui.widgets.label import Label


class ScuList(QWidget):
    """Field, menus and list in one; `tree` is the list. Order and filter last as long as the list does.

    Signals:
        label_typed: scu id, text.
        arranged: the order or what is left out is another one.
    """

    label_typed = Signal(str, str)
    arranged = Signal()

    def __init__(self, name: str, placeholder: str, when_empty: str) -> None:
        super().__init__()
        self.field = SearchField(placeholder)
        self.filter_button = ActionButton("filter", "Filter the list")
        self.order_button = ActionButton("sort", "Order the list")
        self.filter_menu, self.order_menu = FilterMenu(self), OrderMenu(self)
        self.chips, self.tree = FilterChips(), ScuTree(name)
        self._empty = Label(when_empty, Type.BODY, "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        self._offered: QWidget | None = None
        self._nothing = QWidget()
        self._when_empty = when_empty
        self._letters: tuple[str, ...] = ()
        self._lay_out()
        self._connect()
        self._show_what_there_is()

    @property
    def order(self) -> ScuOrder:
        """What the list goes by."""
        return self.tree.scus.order

    @property
    def fact(self) -> str:
        """In words, what the list goes by, and how much of it is left out."""
        every, shown = len(self.tree.scus.lines), len(self.tree.scus.shown())
        return self.order.fact if every == shown else f"{self.order.fact} · {shown} of {every}"

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Show these SCUs, as far as field and filter let them through."""
        self._letters = tuple(letters)
        self.tree.show_lines(lines, letters)
        kept = self.tree.scus.narrowed.within(len(self._letters))
        if kept != self.tree.scus.narrowed:
            self._narrow(kept)
        self._show_what_there_is()

    def set_order(self, order: ScuOrder) -> None:
        """List the SCUs by something else."""
        self.tree.set_order(order)
        icons.set_icon(self.order_button, "sort", "muted" if order is ScuOrder.WEIGHT else "accent")
        self.arranged.emit()

    def follow(self, order: QAction, narrow: QAction) -> None:
        """Let the buttons stand for these commands: named and explained as they are."""
        self.order_button.follow(order)
        self.filter_button.follow(narrow)

    def add_to_order_menu(self, actions: Iterable[QAction]) -> None:
        """Offer these below the orders, as closing all tiers."""
        self.order_menu.addActions(list(actions))

    def offer(self, button: QWidget) -> None:
        """Put the way out below the sentence that there are no SCUs."""
        self._offered = button
        self._ways_out.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._show_what_there_is()

    def open_order_menu(self) -> None:
        """Ask what the list is to go by."""
        _open_below(self.order_button, self.order_menu)

    def open_filter_menu(self) -> None:
        """Ask what the list is to be narrowed to."""
        self.filter_menu.offer(self.tree.scus.lines, self._letters, self.tree.scus.narrowed)
        _open_below(self.filter_button, self.filter_menu)

    def show_all(self) -> None:
        """Leave nothing out any more."""
        self.field.clear()
        self._narrow(ScuFilter())

    def show_scu(self, scu_id: str) -> None:
        """Make sure that an SCU is not left out."""
        if not self.tree.scus.index_of(scu_id).isValid():
            self.show_all()

    def start_finding(self) -> None:
        """Put the keyboard into the field."""
        self.field.focus_default()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.hasFocus():
            self.field.clear()
            self.tree.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self._to_first()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(TIGHT)
        row.addWidget(self.field, 1)
        row.addWidget(self.filter_button)
        row.addWidget(self.order_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, 0, SMALL, SMALL)
        column.setSpacing(SMALL)
        column.addLayout(row)
        column.addWidget(self.chips)
        nothing, self._ways_out = QVBoxLayout(self._nothing), QVBoxLayout()
        nothing.addStretch(2)
        nothing.addWidget(self._empty)
        nothing.addLayout(self._ways_out)
        nothing.addStretch(3)
        column.addWidget(self._nothing, 1)
        column.addWidget(self.tree, 1)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self._to_first)
        self.filter_menu.narrowed.connect(self._narrow)
        self.chips.narrowed.connect(self._narrow)
        self.order_menu.order_chosen.connect(self.set_order)
        self.tree.scus.label_typed.connect(self.label_typed)

    @Slot(str)
    def _find(self, wanted: str) -> None:
        self._narrow(replace(self.tree.scus.narrowed, wanted=wanted.strip()))

    @Slot(object)
    def _narrow(self, narrowed: ScuFilter) -> None:
        if narrowed == self.tree.scus.narrowed:
            return
        self.tree.narrow(narrowed)
        is_at_rest = narrowed == ScuFilter(wanted=narrowed.wanted)
        icons.set_icon(self.filter_button, "filter", "muted" if is_at_rest else "accent")
        self.chips.show_filter(narrowed, self._letters)
        self._show_what_there_is()
        self.arranged.emit()

    @Slot()
    def _to_first(self) -> None:
        if shown := self.tree.scus.shown():
            self.tree.setFocus()
            if self.tree.current_scu not in shown:
                self.tree.step(+1)

    def _show_what_there_is(self) -> None:
        is_empty = not self.tree.scus.tiers
        self._empty.setText(self._why_empty() if is_empty else "")
        self._nothing.setVisible(is_empty)
        if self._offered is not None:
            self._offered.setVisible(not self.tree.scus.lines)
        self.tree.setVisible(not is_empty)

    def _why_empty(self) -> str:
        if not self.tree.scus.lines:
            return self._when_empty
        wanted = self.tree.scus.narrowed.wanted
        return "No results." if wanted else "No SCUs match. Remove a filter."


def _open_below(button: QToolButton, menu: QMenu) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    current = next((action for action in menu.actions() if action.isChecked()), None)
    if first := current or next(iter(menu.actions()), None):
        menu.setActiveAction(first)
