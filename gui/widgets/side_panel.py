"""A panel of several leaves, one of which is in sight: everything about what is selected, and around it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from gui import icons
from gui.widgets.panel import Panel
from gui.widgets.segmented import Segmented


class SideTabs(Segmented):
    """Drawings to choose a leaf by; the one in sight shows its name, all show how many things wait there."""

    def __init__(self, name: str) -> None:
        super().__init__(name, ())
        self.setProperty("kind", "tabs")
        self._titles: dict[str, str] = {}
        self._icons: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._has_width = False

    def add(self, key: str, title: str, icon: str) -> None:
        """Put a tab at the right of the others; the first one is chosen."""
        self._titles[key], self._icons[key], self._counts[key] = title, icon, 0
        self.add_segment(key, title)
        self.choose(key if len(self._titles) == 1 else self.current)

    def showEvent(self, event: QShowEvent) -> None:
        """Be as wide as with the longest name in sight, so that the panels beside stay as they are."""
        super().showEvent(event)
        if not self._has_width:
            self._has_width = True
            current, widths = self.current, []
            for key in self._titles:
                self.choose(key)
                widths.append(self.sizeHint().width())
            self.choose(current)
            self.setMinimumWidth(max(widths, default=0))

    def set_count(self, key: str, count: int) -> None:
        """Say how many things wait on a leaf; 0 says nothing."""
        if self._counts[key] != count:
            self._counts[key] = count
            self._dress(key)

    def choose(self, key: str) -> None:
        super().choose(key)
        for each in self._titles:
            self._dress(each)

    def _dress(self, key: str) -> None:
        button, count = self.button(key), self._counts[key]
        title = f"{self._titles[key]} {count}" if count else self._titles[key]
        is_current = key == self.current
        _style(button, title if is_current else str(count) if count else "")
        button.setToolTip("" if is_current else title)
        button.setAccessibleName(f"{self.accessibleName()}: {title}")
        icons.dress(button, self._icons[key], "accent" if is_current else "muted")


class SidePanel(Panel):
    """A panel whose head chooses among its leaves.

    Signals:
        tab_chosen: the key of the leaf that came in sight.
    """

    tab_chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.title_label.hide()
        self.tabs = SideTabs(name)
        self._leaves: dict[str, QWidget] = {}
        self._stack = QStackedWidget()
        self._actions.addWidget(self.tabs)
        self._actions.addStretch(1)
        self.fact_label.hide()
        self.add(self._stack, 1)
        self.tabs.chosen.connect(self.show_tab)

    @property
    def current_tab(self) -> str:
        """The key of the leaf in sight."""
        return self.tabs.current

    def add_tab(self, key: str, title: str, icon: str, leaf: QWidget) -> None:
        """Put a leaf behind the others; the first one is in sight."""
        self._leaves[key] = leaf
        self._stack.addWidget(leaf)
        self.tabs.add(key, title, icon)

    @Slot(str)
    def show_tab(self, key: str) -> None:
        """Bring a leaf in sight."""
        self.tabs.choose(key)
        if self._stack.currentWidget() is not self._leaves[key]:
            self._stack.setCurrentWidget(self._leaves[key])
        self.tab_chosen.emit(key)


def _style(button: QToolButton, text: str) -> None:
    button.setText(text)
    button.setToolButtonStyle(
        Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
    )
