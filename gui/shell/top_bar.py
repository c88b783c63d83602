"""Top bar: menus and command field."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenuBar, QSizePolicy, QToolButton

from gui.style.theme import LARGE, SMALL, TIGHT, px
from gui.widgets.label import IconLabel, Keycap, Label

HEIGHT, FIELD_WIDTH = 38, 256


class CommandField(QToolButton):
    """Looks like a search field; a click opens the command palette."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "command-field")
        self.setAccessibleName("Any command")
        self.setToolTip("Any command (Ctrl+K)")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedWidth(px(FIELD_WIDTH))
        row = QHBoxLayout(self)
        row.setContentsMargins(SMALL, 0, TIGHT, 0)
        row.setSpacing(TIGHT)
        parts = (IconLabel("search"), Label("Any command", "small", "muted"), Keycap("Ctrl"), Keycap("K"))
        for part in parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part)
        row.setStretch(1, 1)


class TopBar(QFrame):
    """Menus on the left, the command field on the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "top")
        self.setMinimumHeight(px(HEIGHT))
        self.menus = QMenuBar()
        self.menus.setNativeMenuBar(False)
        self.field = CommandField()
        row = QHBoxLayout(self)
        row.setContentsMargins(SMALL, 0, LARGE, 0)
        row.addWidget(self.menus, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.field)
