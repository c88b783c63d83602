"""Order of keyboard focus: Tab goes in reading order, F6 from pane to pane."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget

if TYPE_CHECKING:
    _Window = QWidget
else:
    _Window = object  # a mixin: the window's own class follows it

Inner = Mapping[QWidget, Sequence[QWidget]]
_ALL_CONTROLS = Qt.TabFocusBehavior.TabFocusAllControls
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_TAB_POLICIES = (Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.WheelFocus)
"""Policies with which Tab stops at a widget; with the first only where it stops at all controls."""
_PANES = ("panel", "page-head", "rail", "top", "status")


def reading_order(window: QWidget, also: QWidget | None = None) -> list[QWidget]:
    """Return the widgets at which Tab stops: rows from above, in them columns from the left.

    Each container is read as a whole. Positions decide, so what is created or moved later needs no care.
    also: a widget that is listed although Tab does not stop there.
    """
    behavior = QGuiApplication.styleHints().tabFocusBehavior()
    policies = _TAB_POLICIES if behavior is _ALL_CONTROLS else _TAB_POLICIES[1:]
    stops = [
        widget
        for widget in _unhidden(window)
        if widget.isEnabled() and widget.focusPolicy() in policies and widget.focusProxy() is None
    ]
    if also is not None and also not in stops and window.isAncestorOf(also):
        stops.append(also)
    inner: dict[QWidget, list[QWidget]] = {}
    for stop in stops:
        child, parent = stop, stop.parentWidget()
        while parent is not None and child not in inner.setdefault(parent, []):
            inner[parent].append(child)
            child, parent = parent, None if parent is window else parent.parentWidget()
    listed = frozenset(stops)
    return [widget for widget in _walk(window, inner) if widget in listed]


def _unhidden(widget: QWidget) -> Iterator[QWidget]:
    """Yield what is in a widget and not hidden; most of a window is, in pages that are not shown."""
    for child in widget.findChildren(QWidget, options=_DIRECT):
        if not child.isHidden() and not child.isWindow():
            yield child
            yield from _unhidden(child)


def _walk(widget: QWidget, inner: Inner) -> Iterator[QWidget]:
    """Yield everything in a container, each widget before what is in it."""
    for child in _sorted(inner.get(widget, ())):
        yield child
        yield from _walk(child, inner)


def _sorted(widgets: Sequence[QWidget]) -> list[QWidget]:
    """Sort widgets of one container: cut at gaps between rows, else between columns, and so on within."""
    if len(widgets) < 2:
        return list(widgets)
    is_mirrored = widgets[0].isRightToLeft()
    groups = _cut(widgets, lambda box: (box.top(), box.bottom()))
    if len(groups) == 1:
        groups = _cut(widgets, lambda box: (box.left(), box.right()))
        groups = groups[::-1] if is_mirrored else groups
    if len(groups) == 1:  # they overlap, as pages of a stack do
        return sorted(widgets, key=lambda one: (one.y(), one.x()))
    return [widget for group in groups for widget in _sorted(group)]


def _cut(widgets: Sequence[QWidget], extent: Callable[[QRect], tuple[int, int]]) -> list[list[QWidget]]:
    """Group widgets whose extents in one direction overlap; return the groups in order."""
    groups: list[list[QWidget]] = []
    reached = 0
    for widget in sorted(widgets, key=lambda one: extent(one.geometry())):
        start, end = extent(widget.geometry())
        if not groups or start > reached:
            groups.append([])
            reached = end
        groups[-1].append(widget)
        reached = max(reached, end)
    return groups


def go_on(target: QWidget) -> None:
    """Focus what a key other than Tab leads to; Shift+Tab goes back to where it was pressed."""
    window = target.window()
    before = window.focusWidget()
    target.setFocus(Qt.FocusReason.TabFocusReason)
    if isinstance(window, ReadingOrder):
        window.went_on = before, window.focusWidget()


class ReadingOrder(_Window):
    """Mixin of windows in which Tab goes in reading order, and in which `step_pane` goes further.

    went_on: from where to where `go_on` moved the focus, until Tab or Shift+Tab moves it.
    """

    went_on: tuple[QWidget | None, QWidget | None] = None, None

    def focusNextPrevChild(self, forward: bool) -> bool:
        focused = self.focusWidget()
        order = reading_order(self, focused)
        if not order or order == [focused]:
            return False
        place = order.index(focused) if focused in order else -1
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        target = order[(place + (1 if forward else -1)) % len(order)]
        origin, reached = self.went_on
        if not forward and focused is reached and origin in order:
            target = origin
        self.went_on = None, None
        target.setFocus(reason)
        area = target.parentWidget()
        while area is not None:
            if isinstance(area, QScrollArea):
                area.ensureWidgetVisible(target)
            area = area.parentWidget()
        return True

    def step_pane(self, by: int) -> None:
        """Focus the next (+1) or previous (-1) pane: where it had the focus last, else its first content.

        Buttons, as in the pane's head, are content where nothing else is.
        """
        focused = self.focusWidget()
        panes: dict[QWidget, QWidget] = {}
        for stop in reading_order(self, focused):
            pane = _pane_of(stop, self)
            if isinstance(panes.setdefault(pane, stop), QAbstractButton):
                panes[pane] = panes[pane] if isinstance(stop, QAbstractButton) else stop
        if not panes:
            return
        order = list(panes)
        pane = order[0] if focused is None else _pane_of(focused, self)
        pane = order[(order.index(pane) + by) % len(order)] if pane in panes else order[0]
        last = pane.focusWidget()
        is_back = last is not None and last.isVisible() and last.isEnabled() and pane is not self
        (last if last is not None and is_back else panes[pane]).setFocus(Qt.FocusReason.TabFocusReason)


def _pane_of(widget: QWidget, window: QWidget) -> QWidget:
    """Return the panel or bar that contains a widget; the header of a page counts as one."""
    pane: QWidget | None = widget
    while pane is not None and pane is not window and pane.property("kind") not in _PANES:
        pane = pane.parentWidget()
    return pane or window
