"""SCU list with search field, sort menu and filters; question over the header of its panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.scus.scu_tree import ScuTree
from gui.annotation.scus.scu_values import ScuFilter, ScuOrder, ScuRow
from gui.commands.registry import Commands
from gui.style import icons, theme
from gui.style.language import in_terms_of, literal, plain_tip, tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import NOTHING_FOUND, ActionButton, SearchField, icon_button
from gui.widgets.controls import Flow, StickyMenu
from gui.widgets.label import Label
from gui.widgets.layouts import discard, hbox, vbox

_ORDERS = (
    (ScuOrder.WEIGHT, tr("&Weight")),
    (ScuOrder.TEXT, tr("Position in &text")),
    (ScuOrder.LABEL, tr("&Label")),
    (ScuOrder.AGE, tr("&Age, oldest first")),
)


class OrderMenu(QMenu):
    """Menu of sort orders.

    Signals:
        order_chosen: ScuOrder.
    """

    order_chosen = Signal(object)

    def __init__(self, parent: QWidget, kind: UnitKind) -> None:
        super().__init__(parent)
        self._group = QActionGroup(self)
        for order, text in _ORDERS:
            action = self.addAction(in_terms_of(kind, text))
            action.setCheckable(True)
            action.setChecked(order is ScuOrder.WEIGHT)
            action.triggered.connect(lambda _=False, order=order: self.order_chosen.emit(order))
            self._group.addAction(action)
        self.addSeparator()


class FilterMenu(StickyMenu):
    """Menu of filters; it offers only values that occur in the list.

    Signals:
        filter_changed: ScuFilter.
    """

    filter_changed = Signal(object)

    def __init__(self, parent: QWidget, kind: UnitKind) -> None:
        super().__init__(parent)
        self._kind = kind
        self._current = ScuFilter()

    def offer(self, lines: Sequence[ScuRow], letters: Sequence[str], current: ScuFilter) -> None:
        """Fill the menu for the SCUs of a topic and the current filter."""
        self.clear()
        self._current = current
        weights = self._add_submenu(in_terms_of(self._kind, tr("&Weight")))
        for weight in sorted({line.weight for line in lines}, reverse=True):
            self._add_check(weights, str(weight), "weights", weight)
        if any(line.in_reference for line in lines):
            for title, field in ((tr("&Expressed in"), "expressed_in"), (tr("&Missing in"), "missing_in")):
                submenu = self._add_submenu(title)
                for place, letter in enumerate(letters):
                    self._add_check(submenu, literal(letter), field, place)
        self._add_check(self, tr("With a &comment"), "has_comment", True)
        if any(line.to_confirm for line in lines) or current.is_to_confirm:
            self._add_check(self, tr("&To confirm"), "is_to_confirm", True)
        if any(line.is_matched is not None for line in lines):
            self._add_check(self, tr("M&atched"), "is_matched", True)
            self._add_check(self, tr("&Not matched"), "is_matched", False)
        self.addSeparator()
        every = self.addAction(tr("&Show all"))
        every.triggered.connect(lambda: self.filter_changed.emit(ScuFilter(query=current.query)))

    def _add_submenu(self, title: str) -> QMenu:
        submenu = StickyMenu(title, self)
        self.addMenu(submenu)
        return submenu

    def _add_check(self, menu: QMenu, title: str, field: str, value: int) -> None:
        """Offer a value of a field of the filter, or one more where the field has several."""
        action, now = menu.addAction(title), getattr(self._current, field)
        action.setCheckable(True)
        action.setChecked(value in now if isinstance(now, frozenset) else now is value)
        action.toggled.connect(lambda is_checked: self._change(field, value, is_checked))

    def _change(self, field: str, value: int, is_checked: bool) -> None:
        now = getattr(self._current, field)
        changed: Any = value if is_checked else now if now is not value else getattr(ScuFilter(), field)
        if isinstance(now, frozenset):
            changed = now | {value} if is_checked else now - {value}
        self._current = replace(self._current, **{field: changed})
        self.filter_changed.emit(self._current)


class FilterChips(Flow):
    """Chips for the active filters, each with a button that removes it; hidden without filters.

    Signals:
        filter_changed: the ScuFilter without the removed one.
    """

    filter_changed = Signal(object)

    def __init__(self, kind: UnitKind) -> None:
        super().__init__()
        self._kind = kind
        self._parts: list[tuple[str, ScuFilter]] = []
        self.buttons: list[QPushButton] = []
        self.show_filter(ScuFilter(), ())

    def show_filter(self, current: ScuFilter, letters: Sequence[str]) -> None:
        parts = current.limited_to(len(letters)).active_parts(letters, self._kind)
        self.setVisible(bool(parts))
        if parts == self._parts:
            return
        self._parts = parts
        discard(self._flow, *self.buttons)
        self.buttons = [self._chip(words, left) for words, left in parts]
        for chip in self.buttons:
            self._flow.addWidget(chip)

    def _chip(self, words: str, left: ScuFilter) -> QPushButton:
        chip = QPushButton(literal(words))
        chip.setProperty("kind", "chip")
        chip.setAutoDefault(False)
        chip.setToolTip(plain_tip(tr("Filtered by “{words}”. Click to remove the filter", words=words)))
        chip.setAccessibleName(tr("Remove the filter “{words}”", words=words))
        icons.set_icon(chip, "close", "muted")
        chip.clicked.connect(lambda: self.filter_changed.emit(left))
        return chip


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
        self.tools.setContentsMargins(SMALL, 0, SMALL, SMALL)
        self.chips.setContentsMargins(SMALL, 0, SMALL, SMALL)
        hbox((self.field, 1), self.filter_button, self.order_button, parent=self.tools, spacing=TIGHT)
        nothing, self._empty_buttons = QVBoxLayout(self._empty_page), QVBoxLayout()
        nothing.addStretch(2)
        nothing.addWidget(self._empty)
        nothing.addLayout(self._empty_buttons)
        nothing.addStretch(3)
        vbox(self.tools, self.chips, (self._empty_page, 1), (self.tree, 1), parent=self, spacing=0)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(
            lambda text: self.set_filter(replace(self.tree.scus.filter, query=text.strip()))
        )
        self.field.returnPressed.connect(self._go_to_first)
        self.filter_menu.filter_changed.connect(self.set_filter)
        self.chips.filter_changed.connect(self.set_filter)
        self.order_menu.order_chosen.connect(self.set_order)
        self._update_empty_state()

    @property
    def fact(self) -> str:
        """Description of the sort order and, with a filter, the number of SCUs shown."""
        total, visible = len(self.tree.scus.lines), len(self.tree.scus.visible())
        fact = self.tree.scus.order.fact(self._kind)
        if total == visible:
            return fact
        return tr("{fact} · {visible} of {total}", fact=fact, visible=visible, total=total)

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
        self.tree.scus.set_order(order)
        icons.set_icon(self.order_button, "sort", "muted" if order is ScuOrder.WEIGHT else "accent")
        self.arranged.emit()

    def follow(self, order: QAction, filter_action: QAction) -> None:
        """Connect the sort and filter buttons to commands."""
        self.order_button.follow(order)
        self.filter_button.follow(filter_action)

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

    def open_filter_menu(self) -> None:
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

    @Slot()
    def _narrow(self) -> None:
        self.field.setMinimumWidth(px(_HEADER_FIELD_PX) // 2)
        self.field.setMaximumWidth(px(_HEADER_FIELD_PX))

    @Slot(object)
    def set_filter(self, scu_filter: ScuFilter) -> None:
        if scu_filter == self.tree.scus.filter:
            return
        self.tree.scus.set_filter(scu_filter)
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
        if query:
            return NOTHING_FOUND
        return tr("No {value} match. Remove a filter.", value=in_terms_of(self._kind, tr("SCUs")))


def _open_below(button: QToolButton, menu: QMenu) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    current = next((action for action in menu.actions() if action.isChecked()), None)
    if first := current or next(iter(menu.actions()), None):
        menu.setActiveAction(first)


_FOLDING = ("list.fold", "list.open", "list.close")


def bind_list_commands(commands: Commands, scus: ScuList, page: str, order: str) -> None:
    """Bind the commands that sort, filter and collapse a page's SCU list.

    order: id of the sort command, which differs between pages.
    """
    tree = scus.tree
    for command, handler in (
        ("list.fold", tree.fold),
        ("list.open", partial(tree.open_tier, True)),
        ("list.close", partial(tree.open_tier, False)),
        ("list.filter", scus.open_filter_menu),
        (order, partial(_open_below, scus.order_button, scus.order_menu)),
    ):
        commands.bind(command, handler, page)
    scus.follow(commands.action(order), commands.action("list.filter"))
    scus.order_menu.addActions(list(map(commands.action, _FOLDING)))


class QuestionOverlay(QFrame):
    """A question with a Cancel button. It covers header and search field of its panel, not the rows."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setProperty("kind", "notice")
        self.label = Label("", Type.SMALL, wrap=True)
        self.cancel_button = icon_button("close", tr("Cancel"))
        row = hbox((self.label, 1), parent=self, margins=(MEDIUM, TIGHT, SMALL, TIGHT), spacing=SMALL)
        row.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignTop)
        panel.installEventFilter(self)
        self.hide()

    def ask(self, question: str) -> None:
        """Show a question; an empty one hides it."""
        self.label.setText(question)
        self.label.setAccessibleName(question)
        self.setVisible(bool(question))
        self._update_geometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._update_geometry()
        return False

    def _update_geometry(self) -> None:
        width = self._panel.width() - 2 * HAIR
        self.setGeometry(HAIR, HAIR, width, self.heightForWidth(width))
        self.raise_()
