"""Overview of all shortcuts that work now; Esc or a click outside closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.commands.shortcuts import KeyGroup, KeyRow
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, TIGHT, WIDE, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.dialog import BareDialog
from gui.widgets.label import Keycap, Label

COLUMNS, COLUMN_WIDTH, HEIGHT, HEAD_HEIGHT = 3, 330, 700, 40
IN_TEXTS = KeyGroup(
    tr("In a text"),
    (
        KeyRow((("←",), ("→",)), tr("By character")),
        KeyRow((("Ctrl", "←"), ("Ctrl", "→")), tr("Word by word")),
        KeyRow((("Shift", "←"), ("Shift", "→")), tr("Select words")),
        KeyRow((("Alt", "Shift", "←"), ("Alt", "Shift", "→")), tr("Select characters")),
        KeyRow((("Ctrl", tr("click")),), tr("Keep selection")),
        KeyRow((("Ctrl", tr("wheel")),), tr("Text size")),
        KeyRow((("Esc",),), tr("Clear selection")),
    ),
)
"""Keys that widgets handle themselves; no command has them."""


class KeyOverlay(BareDialog):
    """Groups of keys in columns.

    Signals:
        change_requested: open the settings of shortcuts. help_requested: open the help page on shortcuts.
    """

    help_page = "keys"
    change_requested = Signal()
    help_requested = Signal()

    def __init__(self, title: str, groups: Sequence[KeyGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(title)
        self.setProperty("kind", "overlay")
        self.change_button = link_button(tr("Change shortcuts…"), "settings")
        self.help_button = link_button(tr("Help on shortcuts"), "help")
        self.columns = balanced(groups, COLUMNS)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(WIDE, LARGE, WIDE, LARGE)
        whole.setSpacing(MEDIUM)
        whole.addLayout(self._head(title))
        self._inner = self._columns()
        whole.addWidget(_scrolled(self._inner), 1)
        self.change_button.clicked.connect(self._change)
        self.help_button.clicked.connect(self._help)
        width = px(COLUMNS * COLUMN_WIDTH)
        needed = self._inner.heightForWidth(width) + px(HEAD_HEIGHT) + 2 * LARGE + MEDIUM
        self.resize(width + 2 * WIDE, min(needed, px(HEIGHT)))
        if parent is not None:
            self._fit_into(parent)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "?":
            self.close()
        else:
            super().keyPressEvent(event)

    def _head(self, title: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        row.addWidget(Label(title, Type.TITLE))
        row.addStretch(1)
        for button in (self.help_button, self.change_button):
            row.addWidget(button)
        row.addWidget(Keycap("Esc"))
        row.addWidget(Label(tr("closes"), Type.SMALL, "muted"))
        return row

    def _columns(self) -> QWidget:
        inner = QWidget()
        row = QHBoxLayout(inner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(WIDE)
        for groups in self.columns:
            column = QVBoxLayout()
            column.setSpacing(LARGE)
            for group in groups:
                column.addLayout(_group(group))
            column.addStretch(1)
            row.addLayout(column, 1)
        return inner

    def _fit_into(self, parent: QWidget) -> None:
        room = parent.size()
        self.resize(min(self.width(), room.width() - 2 * WIDE), min(self.height(), room.height() - 2 * WIDE))
        centre = parent.mapToGlobal(parent.rect().center())
        self.move(centre.x() - self.width() // 2, centre.y() - self.height() // 2)

    def _change(self) -> None:
        self.close()
        self.change_requested.emit()

    def _help(self) -> None:
        self.close()
        self.help_requested.emit()


def _scrolled(inner: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(tr("Shortcuts"))
    area.setWidget(inner)
    inner.setAutoFillBackground(False)  # setWidget has set it: the dialog's ground is to show
    area.viewport().setAutoFillBackground(False)
    return area


def balanced(groups: Sequence[KeyGroup], columns: int) -> list[list[KeyGroup]]:
    """Distribute the groups over columns of about the same height, in their order."""
    heights = [len(group.lines) + 2 for group in groups]
    share = sum(heights) / columns
    grouped: list[list[KeyGroup]] = [[] for _ in range(columns)]
    reached = 0.0
    for group, height in zip(groups, heights, strict=True):
        grouped[min(int((reached + height / 2) / share), columns - 1)].append(group)
        reached += height
    return grouped


def _group(group: KeyGroup) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(MEDIUM)
    grid.setVerticalSpacing(TIGHT)
    grid.setColumnStretch(1, 1)
    grid.addWidget(Label(group.title, Type.CAPTION, "muted"), 0, 0, 1, 2)
    for place, line in enumerate(group.lines, 1):
        grid.addWidget(_caps(line), place, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(Label(line.text, Type.SMALL, wrap=True), place, 1)
    return grid


def _caps(line: KeyRow) -> QWidget:
    whole = QWidget()
    whole.setAccessibleName(f" {line.joint} ".join(" ".join(caps) for caps in line.keys) + f": {line.text}")
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(HAIR)
    for place, caps in enumerate(line.keys):
        if place:
            row.addWidget(Label(line.joint, Type.SMALL, "muted"))
        for cap in caps:
            row.addWidget(Keycap(cap))
    return whole
