"""Field for a few lines of free text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent

from gui.annotation.stored_text_field import StoredTextField
from gui.style import theme
from gui.style.theme import HAIR, LARGE, Type
from gui.widgets.edit_lock import edits

LINES = 3


class NoteField(StoredTextField):
    """A few lines; Ctrl+Enter stores them, Enter starts a new one."""

    def __init__(self, name: str, placeholder: str, lines: int = LINES) -> None:
        super().__init__(name)
        self._lines = lines
        if lines == 1:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would hide the line
        self.setPlaceholderText(placeholder)
        self._update_height()
        edits(self)

    def _is_commit_key(self, enter: QKeyEvent) -> bool:
        return bool(enter.modifiers() & Qt.KeyboardModifier.ControlModifier)

    def _update_height(self) -> None:
        self.setFixedHeight(self._lines * QFontMetrics(theme.font(Type.BODY)).lineSpacing() + LARGE + HAIR)
