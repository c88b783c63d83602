"""Read-only text in the user's reading size and line width."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from core.domain.study import Span
from gui.style import reading_preferences, theme
from gui.style.theme import Type

_HEADING_SIZES = (1.35, 1.15, 1.0)
"""Font sizes of headings by level, relative to the text."""


def dress_heading(cursor: QTextCursor, font: QFont) -> None:
    """Make the heading that begins at a cursor bold, and by its level larger than text in this font."""
    heading, style = QFont(font), QTextCharFormat()
    level = min(cursor.blockFormat().headingLevel(), len(_HEADING_SIZES))
    heading.setPixelSize(round(font.pixelSize() * _HEADING_SIZES[level - 1]))
    heading.setBold(True)
    style.setFont(heading)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(style)


class ReadingText(QTextEdit):
    """Base of all texts to read; Ctrl and the wheel zoom all of them.

    A subclass calls `dress` once; it is called again when size, width or colors change.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "reading")
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.signal().changed.connect(self._refresh_look)
        reading_preferences.signal().changed.connect(self._refresh_look)
        self.selectionChanged.connect(self._announce_selection)

    def dress(self) -> None:
        """Apply font size, line width and colors."""
        letters = QFont(theme.font(Type.READING))
        letters.setPixelSize(
            max(8, round(theme.font_px(Type.READING) * reading_preferences.now().percent / 100))
        )
        self.setFont(letters)
        self.document().setDefaultFont(letters)
        self._fit_lines()
        self.viewport().update()

    def here(self) -> str:
        """Describe what is at the caret: its line."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        return cursor.selectedText()

    def tint(self, places: Iterable[tuple[Span, float]]) -> None:
        """Tint places of the document, instead of those tinted before.

        places: start and end in UTF-16 units, with the accent color's share of the background, from 0 to 1.
        """
        tokens, selections = theme.tokens(), []
        for (start, end), share in places:
            look = QTextCharFormat()
            look.setBackground(QColor(theme.mix(tokens.surface, tokens.accent, share)))
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            selection: Any = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, look
            selections.append(selection)
        self.setExtraSelections(selections)

    @Slot()
    def _announce_selection(self) -> None:
        if self.textCursor().hasSelection():
            reading_preferences.signal().words_selected.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_lines()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        scrolled = self.verticalScrollBar().value()
        super().showEvent(event)
        self.verticalScrollBar().setValue(scrolled)  # Qt has scrolled to the caret, at any height

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            reading_preferences.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    @Slot()
    def _refresh_look(self) -> None:
        self.dress()  # a slot that a subclass overrides would be called when the text is gone

    def _fit_lines(self) -> None:
        """Wrap lines at the chosen width, or at the panel's if that is narrower."""
        letters = reading_preferences.now().line_width
        if not letters:
            self.setLineWrapMode(QTextEdit.LineWrapMode.WidgetWidth)
            return
        line_width = (
            letters * QFontMetricsF(self.font()).averageCharWidth() + 2 * self.document().documentMargin()
        )
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        width = min(round(line_width), self.viewport().width())
        if width != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(width)
