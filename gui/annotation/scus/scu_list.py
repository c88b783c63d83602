"""SCU list with search field, sort menu and filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.scus.scu_filter_menus import FilterChips, FilterMenu, OrderMenu
from gui.annotation.scus.scu_order import ScuFilter, ScuOrder
from gui.annotation.scus.scu_tree import ScuTree
from gui.annotation.scus.scu_values import ScuRow
from gui.style import icons, theme
from gui.style.language import in_terms_of, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import NOTHING_FOUND, ActionButton, SearchField
from gui.widgets.label import Label

_HEADER_FIELD_PX = 160


class ScuList(QWidget):
    """Search field and menus (`tools`) and list (`tree`) of SCUs. Sort order and filter are not stored.

    The tools are above the list unless another layout takes them.

    Signals:
        arranged: sort order or filter changed.
    """

    arranged = Signal()

    def __init__(self, name: str, placeholder: str, when_empty: str, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind = kind
        self.field = SearchField(placeholder)
        self.filter_button = ActionButton("filter", tr("Filter list"))
        self.order_button = ActionButton("sort", tr("Sort list"))
        self.filter_menu, self.order_menu = FilterMenu(self, kind), OrderMenu(self, kind)
        self.chips, self.tree, self.tools = FilterChips(kind), ScuTree(name, kind), QWidget()
        self._empty = Label(when_empty, Type.BODY, "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        self._empty_button: QWidget | None = None
        self._empty_page = QWidget()
        self._when_empty = when_empty
        self._letters: tuple[str, ...] = ()
        self._lay_out()
        self._connect()
        self._update_empty_state()

    @property
    def order(self) -> ScuOrder:
        """The sort order."""
        return self.tree.scus.order

    @property
    def fact(self) -> str:
        """Description of the sort order and, with a filter, the number of SCUs shown."""
        total, visible = len(self.tree.scus.lines), len(self.tree.scus.visible())
        fact = self.order.fact(self._kind)
        return (
            fact
            if total == visible
            else tr("{fact} · {visible} of {total}", fact=fact, visible=visible, total=total)
        )

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Replace the SCUs; search and filter stay in effect."""
        self._letters = tuple(letters)
        self.tree.show_lines(lines, letters)
        limited = self.tree.scus.filter.limited_to(len(self._letters))
        if limited != self.tree.scus.filter:
            self.set_filter(limited)
        self._update_empty_state()

    def set_order(self, order: ScuOrder) -> None:
        """Change the sort order."""
        self.tree.set_order(order)
        icons.set_icon(self.order_button, "sort", "muted" if order is ScuOrder.WEIGHT else "accent")
        self.arranged.emit()

    def follow(self, order: QAction, filter_action: QAction) -> None:
        """Connect the sort and filter buttons to commands."""
        self.order_button.follow(order)
        self.filter_button.follow(filter_action)

    def add_to_order_menu(self, actions: Iterable[QAction]) -> None:
        """Add actions below the sort orders, for example Collapse all."""
        self.order_menu.addActions(list(actions))

    def tools_for_header(self) -> QWidget:
        """Return a row of the search field and menus, for above the list or for a panel's heading."""
        self._narrow()
        theme.signal().changed.connect(self._narrow)
        self.tools.setContentsMargins(0, 0, 0, 0)
        return self.tools

    def offer(self, button: QWidget) -> None:
        """Add a button below the message that there are no SCUs."""
        self._empty_button = button
        self._empty_buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._update_empty_state()

    def open_order_menu(self) -> None:
        """Open the sort menu."""
        _open_below(self.order_button, self.order_menu)

    def open_filter_menu(self) -> None:
        """Open the filter menu."""
        self.filter_menu.offer(self.tree.scus.lines, self._letters, self.tree.scus.filter)
        _open_below(self.filter_button, self.filter_menu)

    def show_all(self) -> None:
        """Clear search and filter."""
        self.field.clear()
        self.set_filter(ScuFilter())

    def show_scu(self, scu_id: str) -> None:
        """Clear search and filter if they hide an SCU."""
        if not self.tree.scus.index_of(scu_id).isValid():
            self.show_all()

    def start_finding(self) -> None:
        """Focus the search field."""
        self.field.focus_default()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the search field by Escape, which clears it, or by the down arrow key."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.field.clear()
                self.tree.setFocus()
                return True
            if event.key() == Qt.Key.Key_Down:
                self._go_to_first()
                return True
        return False

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        self.tools.setContentsMargins(SMALL, 0, SMALL, SMALL)
        self.chips.setContentsMargins(SMALL, 0, SMALL, SMALL)
        row.setSpacing(TIGHT)
        row.addWidget(self.field, 1)
        row.addWidget(self.filter_button)
        row.addWidget(self.order_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(self.chips)
        nothing, self._empty_buttons = QVBoxLayout(self._empty_page), QVBoxLayout()
        nothing.addStretch(2)
        nothing.addWidget(self._empty)
        nothing.addLayout(self._empty_buttons)
        nothing.addStretch(3)
        column.addWidget(self._empty_page, 1)
        column.addWidget(self.tree, 1)

    def _connect(self) -> None:
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self._go_to_first)
        self.filter_menu.filter_changed.connect(self.set_filter)
        self.chips.filter_changed.connect(self.set_filter)
        self.order_menu.order_chosen.connect(self.set_order)

    @Slot()
    def _narrow(self) -> None:
        self.field.setMinimumWidth(px(_HEADER_FIELD_PX) // 2)
        self.field.setMaximumWidth(px(_HEADER_FIELD_PX))

    @Slot(str)
    def _find(self, query: str) -> None:
        self.set_filter(replace(self.tree.scus.filter, query=query.strip()))

    @Slot(object)
    def set_filter(self, scu_filter: ScuFilter) -> None:
        """Show only SCUs that pass a filter."""
        if scu_filter == self.tree.scus.filter:
            return
        self.tree.set_filter(scu_filter)
        has_filters = scu_filter != ScuFilter(query=scu_filter.query)
        icons.set_icon(self.filter_button, "filter", "accent" if has_filters else "muted")
        self.chips.show_filter(scu_filter, self._letters)
        self._update_empty_state()
        self.arranged.emit()

    @Slot()
    def _go_to_first(self) -> None:
        if rows := self.tree.scus.visible():
            self.tree.setFocus()
            if self.tree.current_scu not in rows:
                self.tree.step(+1)

    def _update_empty_state(self) -> None:
        is_empty = not self.tree.scus.tiers
        self._empty.setText(self._empty_text() if is_empty else "")
        self._empty_page.setVisible(is_empty)
        if self._empty_button is not None:
            self._empty_button.setVisible(not self.tree.scus.lines)
        self.tree.setVisible(not is_empty)

    def _empty_text(self) -> str:
        if not self.tree.scus.lines:
            return self._when_empty
        query = self.tree.scus.filter.query
        return (
            NOTHING_FOUND
            if query
            else tr("No {value} match. Remove a filter.", value=in_terms_of(self._kind, tr("SCUs")))
        )


def _open_below(button: QToolButton, menu: QMenu) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    current = next((action for action in menu.actions() if action.isChecked()), None)
    if first := current or next(iter(menu.actions()), None):
        menu.setActiveAction(first)
