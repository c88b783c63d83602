"""A few lines of free text, kept when the keyboard leaves them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent

from gui.annotation.commit_on_blur import CommitOnBlurField
from gui.style import theme
from gui.style.theme import HAIR, LARGE, Type
from gui.widgets.edit_lock import edits

LINES = 3


class NoteField(CommitOnBlurField):
    """Keeps its text on leaving it or on Ctrl+Enter; Escape drops what was typed."""

    def __init__(self, name: str, placeholder: str, lines: int = LINES) -> None:
        super().__init__(name)
        self._lines = lines
        if lines == 1:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would hide the line
        self.setPlaceholderText(placeholder)
        self._keep_height()
        edits(self)

    def _ends(self, enter: QKeyEvent) -> bool:
        return bool(enter.modifiers() & Qt.KeyboardModifier.ControlModifier)

    def _keep_height(self) -> None:
        self.setFixedHeight(self._lines * QFontMetrics(theme.font(Type.BODY)).lineSpacing() + LARGE + HAIR)
