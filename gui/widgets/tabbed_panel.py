"""Side panel with tabs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSpacerItem, QStackedWidget, QToolButton, QWidget

from gui.style import icons, theme
from gui.style.theme import HAIR, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.controls.segmented_control import Tabs
from gui.widgets.panel import Panel

_EDGE_PX = 8
"""Border and padding of a tab on one side, as the style sheet has them. Qt adds two blanks to the text."""
_UNCOUNTED, _MOST_COUNTED = 100, "99+"


class SideTabs(Tabs):
    """Tab bar of icons; the current tab shows its title, tabs may show a count.

    Positions do not depend on the counts, so nothing moves during work. If there is no room for its
    title, the current tab is an icon too.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, ())
        self.setProperty("kind", "tabs")
        self._titles: dict[str, str] = {}
        self._icons: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._counted: set[str] = set()
        self._rest = QSpacerItem(0, 0, QSizePolicy.Policy.Expanding)
        theme.signal().changed.connect(self._measure)

    def add(self, key: str, title: str, icon: str, *, is_counted: bool = False) -> None:
        """Add a tab at the right; the first one is current. is_counted: it can show a count."""
        self._titles[key], self._icons[key], self._counts[key] = title, icon, 0
        if is_counted:
            self._counted.add(key)
        self._row.removeItem(self._rest)
        self.add_segment(key, title)
        self._row.addItem(self._rest)
        self.choose(key if len(self._titles) == 1 else self.current)
        self._measure()

    def set_count(self, key: str, count: int) -> None:
        """Show a count on a tab; 0 shows nothing."""
        if self._counts[key] != count:
            self._counts[key] = count
            self._dress(key)

    def choose(self, key: str) -> None:
        super().choose(key)
        for each in self._titles:
            self._dress(each)

    def sizeHint(self) -> QSize:
        return QSize(self._full_width(), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _measure(self) -> None:
        """Request the width of the icons; the title is shown if there is room."""
        self.setMinimumWidth(self._around() + sum(map(self._rest_width, self._titles)))
        self._fit()

    def _fit(self) -> None:
        for key in self._titles:
            self._dress(key)

    def _full_width(self) -> int:
        """Return the width with the longest title."""
        return max(map(self._width_with, self._titles), default=0)

    def _width_with(self, key: str) -> int:
        """Return the width with the title of one tab."""
        others = sum(self._rest_width(other) for other in self._titles if other != key)
        return self._around() + others + self._title_width(key)

    def _around(self) -> int:
        return HAIR * (len(self._titles) + 1)

    def _rest_width(self, key: str) -> int:
        """Return the width of a tab with its icon and count."""
        count = TIGHT + _advance(f"{_MOST_COUNTED}  ", Type.BODY) if key in self._counted else 0
        return px(icons.ROW_PX) + 2 * _EDGE_PX + count

    def _title_width(self, key: str) -> int:
        widest = f"{self._titles[key]} {_MOST_COUNTED}" if key in self._counted else self._titles[key]
        return px(icons.ROW_PX) + 2 * _EDGE_PX + TIGHT + _advance(f"{widest}  ", Type.STRONG)

    def _dress(self, key: str) -> None:
        button, count = self.button(key), self._counts[key]
        title = f"{self._titles[key]} {count}" if count else self._titles[key]
        number = "" if not count else str(count) if count < _UNCOUNTED else _MOST_COUNTED
        is_current = key == self.current
        is_open = is_current and self._width_with(key) <= self.width()
        _style(button, f"{self._titles[key]} {number}".rstrip() if is_open else number)
        button.setFixedWidth(self._title_width(key) if is_open else self._rest_width(key))
        button.setToolTip(plain_tip("" if is_open and number != _MOST_COUNTED else title))
        button.setAccessibleName(f"{self.accessibleName()}: {title}")
        icons.set_icon(button, self._icons[key], "accent" if is_current else "muted")


class SidePanel(Panel):
    """A panel with tabs in its header. It can be closed to give its width to the other panels.

    Signals:
        tab_chosen: key of the current tab.
        open_changed: whether the panel is open.
    """

    tab_chosen = Signal(str)
    open_changed = Signal(bool)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.title_label.hide()
        self.tabs = SideTabs(name)
        self._leaves: dict[str, QWidget] = {}
        self._stack = QStackedWidget()
        self.is_open = self._is_needed = True  # whether panel is open
        self._actions.addWidget(self.tabs)
        self._actions.addStretch(1)
        self.fact_label.hide()
        self.add(self._stack, 1)
        self.tabs.chosen.connect(self.show_tab)

    def set_open(self, is_open: bool) -> None:
        """Open or close the panel."""
        if is_open != self.is_open:
            self.is_open = is_open
            self.setVisible(self._is_needed and is_open)
            self.open_changed.emit(is_open)

    def show_needed(self, is_needed: bool) -> None:
        """Show the panel if it is open; hide it if the page has nothing to show."""
        self._is_needed = is_needed
        self.setVisible(is_needed and self.is_open)

    def add_tab(self, key: str, title: str, icon: str, leaf: QWidget, *, is_counted: bool = False) -> None:
        """Add a tab at the end; the first one is current. is_counted: it can show a count."""
        self._leaves[key] = leaf
        self._stack.addWidget(leaf)
        self.tabs.add(key, title, icon, is_counted=is_counted)

    @Slot(str)
    def show_tab(self, key: str) -> None:
        """Show a tab, and open the panel if it is closed."""
        self.set_open(True)
        self.tabs.choose(key)
        if self._stack.currentWidget() is not self._leaves[key]:
            self._stack.setCurrentWidget(self._leaves[key])
        self.tab_chosen.emit(key)


def _advance(text: str, kind: Type) -> int:
    return QFontMetrics(theme.font(kind)).horizontalAdvance(text)


def _style(button: QToolButton, text: str) -> None:
    button.setText(text)
    button.setToolButtonStyle(
        Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
    )
