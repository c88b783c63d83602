"""Sort menu, filter menu and filter chips of the SCU list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.scus.scu_order import ScuFilter, ScuOrder
from gui.annotation.scus.scu_values import ScuRow
from gui.style import icons
from gui.style.language import in_terms_of, tr
from gui.style.tooltips import literal, plain_tip
from gui.widgets.controls.flow_chips import FlowLayout
from gui.widgets.controls.multi_choice import StickyMenu

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
            self._add_check(weights, str(weight), weight in current.weights, _toggle_value("weights", weight))
        if any(line.in_reference for line in lines):
            for title, field in ((tr("&Expressed in"), "expressed_in"), (tr("&Missing in"), "missing_in")):
                submenu = self._add_submenu(title)
                for place, letter in enumerate(letters):
                    self._add_check(
                        submenu,
                        literal(letter),
                        place in getattr(current, field),
                        _toggle_value(field, place),
                    )
        self._add_check(self, tr("With a &comment"), current.has_comment, _set_has_comment)
        if any(line.to_confirm for line in lines) or current.is_to_confirm:
            self._add_check(self, tr("&To confirm"), current.is_to_confirm, _set_is_to_confirm)
        if any(line.is_matched is not None for line in lines):
            self._add_check(self, tr("M&atched"), current.is_matched is True, _set_is_matched(True))
            self._add_check(self, tr("&Not matched"), current.is_matched is False, _set_is_matched(False))
        self.addSeparator()
        every = self.addAction(tr("&Show all"))
        every.triggered.connect(lambda: self.filter_changed.emit(ScuFilter(query=current.query)))

    def _add_submenu(self, title: str) -> QMenu:
        submenu = StickyMenu(title, self)
        self.addMenu(submenu)
        return submenu

    def _add_check(
        self, menu: QMenu, title: str, is_on: bool, change: Callable[[ScuFilter, bool], ScuFilter]
    ) -> None:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(is_on)
        action.toggled.connect(lambda is_checked: self._change(change(self._current, is_checked)))

    def _change(self, scu_filter: ScuFilter) -> None:
        self._current = scu_filter
        self.filter_changed.emit(scu_filter)


class FilterChips(QWidget):
    """Chips for the active filters, each with a button that removes it; hidden without filters.

    Signals:
        filter_changed: the ScuFilter without the removed one.
    """

    filter_changed = Signal(object)

    def __init__(self, kind: UnitKind) -> None:
        super().__init__()
        self._kind = kind
        self._flow = FlowLayout()
        self.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._parts: list[tuple[str, ScuFilter]] = []
        self.buttons: list[QPushButton] = []
        self.show_filter(ScuFilter(), ())

    def show_filter(self, current: ScuFilter, letters: Sequence[str]) -> None:
        """Show the chips of a filter."""
        parts = current.limited_to(len(letters)).active_parts(letters, self._kind)
        self.setVisible(bool(parts))
        if parts == self._parts:
            return
        self._parts = parts
        for chip in self.buttons:
            self._flow.removeWidget(chip)
            chip.hide()  # it is deleted later
            chip.deleteLater()
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


def _toggle_value(field: str, value: int) -> Callable[[ScuFilter, bool], ScuFilter]:
    def change(current: ScuFilter, is_checked: bool) -> ScuFilter:
        values: frozenset[int] = getattr(current, field)
        changed: dict[str, Any] = {field: values | {value} if is_checked else values - {value}}
        return replace(current, **changed)

    return change


def _set_has_comment(current: ScuFilter, is_checked: bool) -> ScuFilter:
    return replace(current, has_comment=is_checked)


def _set_is_to_confirm(current: ScuFilter, is_checked: bool) -> ScuFilter:
    return replace(current, is_to_confirm=is_checked)


def _set_is_matched(which: bool) -> Callable[[ScuFilter, bool], ScuFilter]:
    def change(current: ScuFilter, is_checked: bool) -> ScuFilter:
        if is_checked:
            return replace(current, is_matched=which)
        return replace(current, is_matched=None) if current.is_matched is which else current

    return change
