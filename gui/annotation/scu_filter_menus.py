"""How the list of SCUs is ordered and narrowed: two menus, and chips that say what is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from gui.annotation.scu_order import ScuFilter, ScuOrder
from gui.annotation.scu_values import ScuRow
from gui.style import icons
from gui.style.tooltips import plain_tip
from gui.widgets.flow_chips import FlowLayout
from gui.widgets.sticky_menu import StickyMenu

_ORDERS = (
    (ScuOrder.WEIGHT, "&Weight"),
    (ScuOrder.TEXT, "Order in the &text"),
    (ScuOrder.LABEL, "&Label"),
    (ScuOrder.AGE, "&Age, oldest first"),
)


class OrderMenu(QMenu):
    """What the list goes by.

    Signals:
        order_chosen: ScuOrder.
    """

    order_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._group = QActionGroup(self)
        for order, text in _ORDERS:
            action = self.addAction(text)
            action.setCheckable(True)
            action.setChecked(order is ScuOrder.WEIGHT)
            action.triggered.connect(lambda _=False, order=order: self.order_chosen.emit(order))
            self._group.addAction(action)
        self.addSeparator()


class FilterMenu(StickyMenu):
    """What the list is narrowed to; it offers what would leave something.

    Signals:
        narrowed: ScuFilter.
    """

    narrowed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._current = ScuFilter()

    def offer(self, lines: Sequence[ScuRow], letters: Sequence[str], current: ScuFilter) -> None:
        """Offer what the SCUs of a topic can be told apart by."""
        self.clear()
        self._current = current
        weights = self._part("&Weight")
        for weight in sorted({line.weight for line in lines}, reverse=True):
            self._tick(weights, str(weight), weight in current.weights, _toggling("weights", weight))
        if any(line.holders for line in lines):
            for title, field in (("&Expressed in", "held_in"), ("&Missing in", "lacking_in")):
                part = self._part(title)
                for place, letter in enumerate(letters):
                    self._tick(part, letter, place in getattr(current, field), _toggling(field, place))
        self._tick(self, "With a &comment", current.has_comment, _commented)
        if any(line.is_matched is not None for line in lines):
            self._tick(self, "M&atched", current.is_matched is True, _matched(True))
            self._tick(self, "&Not matched", current.is_matched is False, _matched(False))
        self.addSeparator()
        every = self.addAction("&Show all")
        every.triggered.connect(lambda: self.narrowed.emit(ScuFilter(wanted=current.wanted)))

    def _part(self, title: str) -> QMenu:
        part = StickyMenu(title, self)
        self.addMenu(part)
        return part

    def _tick(
        self, menu: QMenu, title: str, is_on: bool, change: Callable[[ScuFilter, bool], ScuFilter]
    ) -> None:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(is_on)
        action.toggled.connect(lambda is_ticked: self._change(change(self._current, is_ticked)))

    def _change(self, wanted: ScuFilter) -> None:
        self._current = wanted
        self.narrowed.emit(wanted)


class FilterChips(QWidget):
    """What narrows the list, each with a way to let it go; hidden while nothing does.

    Signals:
        narrowed: the ScuFilter that is left.
    """

    narrowed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout()
        self.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._reasons: list[tuple[str, ScuFilter]] = []
        self.buttons: list[QPushButton] = []
        self.show_filter(ScuFilter(), ())

    def show_filter(self, current: ScuFilter, letters: Sequence[str]) -> None:
        """Show what this filter leaves out."""
        reasons = current.within(len(letters)).reasons(letters)
        self.setVisible(bool(reasons))
        if reasons == self._reasons:
            return
        self._reasons = reasons
        for chip in self.buttons:
            self._flow.removeWidget(chip)
            chip.hide()  # it goes a moment later
            chip.deleteLater()
        self.buttons = [self._chip(words, left) for words, left in reasons]
        for chip in self.buttons:
            self._flow.addWidget(chip)

    def _chip(self, words: str, left: ScuFilter) -> QPushButton:
        chip = QPushButton(words)
        chip.setProperty("kind", "chip")
        chip.setAutoDefault(False)
        chip.setToolTip(plain_tip(f"Filtered by “{words}”. Click to remove the filter"))
        chip.setAccessibleName(f"Filtered by {words}: let it go")
        icons.set_icon(chip, "close", "muted")
        chip.clicked.connect(lambda: self.narrowed.emit(left))
        return chip


def _toggling(field: str, value: int) -> Callable[[ScuFilter, bool], ScuFilter]:
    def change(current: ScuFilter, is_ticked: bool) -> ScuFilter:
        held: frozenset[int] = getattr(current, field)
        changed: dict[str, Any] = {field: held | {value} if is_ticked else held - {value}}
        return replace(current, **changed)

    return change


def _commented(current: ScuFilter, is_ticked: bool) -> ScuFilter:
    return replace(current, has_comment=is_ticked)


def _matched(which: bool) -> Callable[[ScuFilter, bool], ScuFilter]:
    def change(current: ScuFilter, is_ticked: bool) -> ScuFilter:
        if is_ticked:
            return replace(current, is_matched=which)
        return replace(current, is_matched=None) if current.is_matched is which else current

    return change
