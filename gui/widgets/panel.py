"""Panels: a frame with title, note, actions and content, also with tabs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QSpacerItem,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gui.style import icons, theme
from gui.style.language import plain_tip
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type, bar_px, px
from gui.widgets.controls import Tabs
from gui.widgets.label import ElidedLabel, FactLabel
from gui.widgets.layouts import Content, Item, extend, hbox, vbox
from gui.widgets.lists.grouped_tree import text_width

HEAD_HEIGHT = 40
_PADDING = 14  # of that, which does not grow with the text
TITLE_CHARS = 24  # of a title that are always shown
_ACROSS, _DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
_RIGHT = Qt.AlignmentFlag.AlignRight


class Panel(QFrame):
    """A framed part of a page.

    title, fact: the header, such as ``SCUs`` and ``by weight``. hairline: below the header;
    off where a search field follows. `add` inserts the content.
    """

    def __init__(self, title: str, fact: str = "", *, hairline: bool = True) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.setAccessibleName(title)
        self.title_label = ElidedLabel(title, Type.STRONG, least=TITLE_CHARS)
        self.fact_label = FactLabel(fact, Type.SMALL, "muted", least=0)
        self._before_title, self._actions = QHBoxLayout(), QHBoxLayout()
        self._actions.setSpacing(SMALL)
        self.body = vbox(spacing=0)
        vbox(self._head(hairline), (self.body, 1), parent=self, margins=1, spacing=0)

    def add(self, *items: Item, padded: bool = False) -> None:
        """Add items at the bottom; `padded` adds margins around each."""
        extend(self.body, *((vbox(item, margins=(MEDIUM, SMALL)) for item in items) if padded else items))

    def add_before_title(self, *widgets: QWidget) -> None:
        """Insert small widgets before the title, such as a badge."""
        extend(self._before_title, *widgets)

    def add_action(self, *widgets: QWidget) -> None:
        """Add controls at the right of the header."""
        extend(self._actions, *widgets)

    def add_foot(self, item: Content) -> None:
        """Add a line at the bottom, below a hairline."""
        foot = QFrame()
        foot.setProperty("kind", "panel-foot")
        foot.setMinimumHeight(bar_px(34, _PADDING))
        hbox((item, 1), parent=foot, margins=(MEDIUM, TIGHT))
        self.body.addWidget(foot)

    def set_title(self, title: str) -> None:
        self.title_label.setText(title)
        self.setAccessibleName(title)

    def set_fact(self, fact: str) -> None:
        """Change the note next to the title."""
        self.fact_label.setText(fact)

    def _head(self, hairline: bool) -> QFrame:
        parts = self._before_title, (self.title_label, 0, Qt.AlignmentFlag.AlignVCenter)
        words = hbox(*parts, (self.fact_label, 1, Qt.AlignmentFlag.AlignVCenter), spacing=SMALL)
        head = _Head(words, self._actions)
        head.setProperty("kind", "panel-head")
        head.setProperty("plain", not hairline)
        return head


class _Head(QFrame):
    """Title and actions of a panel; where there is no room for both, the actions are below."""

    def __init__(self, *parts: QHBoxLayout) -> None:
        super().__init__()
        self._parts = parts
        self._row = hbox((parts[0], 1), parts[1], parent=self, margins=(MEDIUM, 0), spacing=SMALL)
        self._is_narrow = False

    def minimumSizeHint(self) -> QSize:
        widest = max(part.minimumSize().width() for part in self._parts)
        height = max(super().minimumSizeHint().height(), bar_px(HEAD_HEIGHT, _PADDING))
        return QSize(widest + 2 * MEDIUM, height)

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(self.minimumSizeHint())

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            words, actions = (part.minimumSize().width() for part in self._parts)
            is_narrow = min(words, actions) > 0 and words + actions + SMALL + 2 * MEDIUM > self.width()
            if is_narrow is not self._is_narrow:  # each of these requests a layout
                self._is_narrow = is_narrow
                self._row.setDirection(_DOWN if is_narrow else _ACROSS)
                self._row.setAlignment(self._parts[1], _RIGHT if is_narrow else Qt.AlignmentFlag(0))
                self._row.setContentsMargins(MEDIUM, SMALL * is_narrow, MEDIUM, TIGHT * is_narrow)
        return super().event(event)


def inset_frame(item: Content) -> QFrame:
    """Return an inset frame within a panel."""
    frame = QFrame()
    frame.setProperty("kind", "well")
    vbox(item, parent=frame, margins=MEDIUM, spacing=SMALL)
    return frame


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
        super().choose(key if len(self._titles) == 1 else self.current)
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
        return QSize(max(map(self._width_with, self._titles), default=0), super().sizeHint().height())

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

    def _width_with(self, key: str) -> int:
        """Return the width with the title of one tab."""
        others = sum(self._rest_width(other) for other in self._titles if other != key)
        return self._around() + others + self._title_width(key)

    def _around(self) -> int:
        return HAIR * (len(self._titles) + 1)

    def _rest_width(self, key: str) -> int:
        """Return the width of a tab with its icon and count."""
        count = TIGHT + text_width(f"{_MOST_COUNTED}  ", Type.BODY) if key in self._counted else 0
        return px(icons.ROW_PX) + 2 * _EDGE_PX + count

    def _title_width(self, key: str) -> int:
        widest = f"{self._titles[key]} {_MOST_COUNTED}" if key in self._counted else self._titles[key]
        return px(icons.ROW_PX) + 2 * _EDGE_PX + TIGHT + text_width(f"{widest}  ", Type.STRONG)

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


class ClosingPanel(Panel):
    """A panel that, closed or with nothing to show, gives its width to the others.

    is_open: unless the user closed it.

    Signals:
        open_changed: the user opened or closed it.
    """

    open_changed = Signal(bool)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.is_open = self._is_needed = self._is_possible = True
        self._is_asked = False

    def set_open(self, is_open: bool, *, is_asked: bool = True) -> None:
        """Open or close the panel. is_asked: now, so that it opens though it has nothing to show."""
        has_changed, self.is_open, self._is_asked = is_open != self.is_open, is_open, is_open and is_asked
        self._show()
        if has_changed:
            self.open_changed.emit(is_open)

    @Slot()
    def toggle(self) -> None:
        self.set_open(self.isHidden())

    def show_needed(self, is_needed: bool, *, is_possible: bool = True) -> None:
        """Say whether the panel has something to show, and whether the page has. In use it stays."""
        focused = self.window().focusWidget()
        self._is_asked |= not self.isHidden() and focused is not None and self.isAncestorOf(focused)
        self._is_needed, self._is_possible = is_needed, is_possible
        self._show()

    def _show(self) -> None:
        self.setVisible(self.is_open and self._is_possible and (self._is_needed or self._is_asked))


class SidePanel(ClosingPanel):
    """A panel with tabs in its header.

    Signals:
        tab_chosen: key of the current tab.
    """

    tab_chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.title_label.hide()
        self.tabs = SideTabs(name)
        self._leaves: dict[str, QWidget] = {}
        self._stack = QStackedWidget()
        self._before_title.addWidget(self.tabs)
        self.fact_label.hide()
        self.add((self._stack, 1))
        self.tabs.chosen.connect(self.show_tab)

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


def _style(button: QToolButton, text: str) -> None:
    button.setText(text)
    button.setToolButtonStyle(
        Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
    )
