"""Text area for notes on a result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextCursor

from gui.style.theme import MEDIUM
from gui.widgets.reading_text import ReadingText


class NotesText(ReadingText):
    """Show each note as a paragraph; text can be selected and copied."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dress()

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show these notes."""
        self.setPlainText("\n".join(notes))
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        form = cursor.blockFormat()
        form.setTopMargin(MEDIUM)
        form.setLeftMargin(MEDIUM)
        form.setRightMargin(MEDIUM)
        cursor.mergeBlockFormat(form)
        self.moveCursor(QTextCursor.MoveOperation.Start)
