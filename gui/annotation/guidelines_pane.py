"""The study's own guidelines: read beside the work, written where they are read."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QHideEvent,
    QImage,
    QKeyEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import link_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label
from gui.widgets.reading_text import ReadingText

NOTHING = "No guidelines yet. Write down how to annotate, so everyone annotates the same way."
_HEADINGS = (1.3, 1.15, 1.0)
"""Sizes of headings by their level, as factors of the letters'."""

_EMPTY, _READING, _WRITING = range(3)


class GuidelinesText(ReadingText):
    """A text in Markdown, laid out."""

    def __init__(self) -> None:
        super().__init__("Guidelines")
        self._markdown = ""
        self.dress()

    def show_markdown(self, text: str) -> None:
        """Show another text; what it says in HTML is shown as it is written."""
        self._markdown = text
        scrolled = self.verticalScrollBar().value()
        features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        self.document().setMarkdown(text, features | QTextDocument.MarkdownFeature.MarkdownNoHTML)
        self._space_out()
        self.verticalScrollBar().setValue(scrolled)

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty image: one in a study's guidelines could name any file, device or address.

        Qt would load the file itself if it got nothing.
        """
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(Qt.GlobalColor.transparent)
        return empty

    def dress(self) -> None:
        super().dress()
        if self._markdown:
            self.show_markdown(self._markdown)

    def _space_out(self) -> None:
        """Put room above headings and below paragraphs, and let headings fit a narrow panel."""
        block = self.document().begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            spaced, letters = QTextBlockFormat(), QTextCharFormat()
            spaced.setTopMargin(MEDIUM if level and block.blockNumber() else 0)
            spaced.setBottomMargin(TIGHT if level or block.textList() is not None else SMALL)
            cursor = QTextCursor(block)
            cursor.mergeBlockFormat(spaced)
            if level:
                heading = QFont(self.font())
                heading.setPixelSize(
                    round(self.font().pixelSize() * _HEADINGS[min(level, len(_HEADINGS)) - 1])
                )
                heading.setBold(True)
                letters.setFont(heading)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(letters)
            block = block.next()


class GuidelinesEditor(QPlainTextEdit):
    """The text as it is written; Ctrl+Enter keeps it, Escape drops the changes.

    Signals:
        done, cancelled.
    """

    done = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Guidelines, in Markdown")
        self.setPlaceholderText("Guidelines, in Markdown: # heading, - list, **strong**")
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.done.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


class GuidelinesPane(QWidget):
    """Guidelines to read, with a way to change them or to take them from a file.

    Signals:
        kept: the text as it is to be, where it has changed.
        import_requested.
    """

    kept = Signal(str)
    import_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.text, self.editor = GuidelinesText(), GuidelinesEditor()
        self.write_button, self.file_button = (
            link_button("Write", "tag"),
            link_button("From a file…", "import"),
        )
        self.edit_button, self.import_button = (
            link_button("Edit", "tag"),
            link_button("From a file…", "import"),
        )
        self.done_button, self.cancel_button = link_button("Done", "check"), link_button("Cancel", "close")
        edits(self.write_button, self.file_button, self.edit_button, self.import_button)
        self._leaves = QStackedWidget()
        nothing = Label(NOTHING, Type.BODY, "muted", wrap=True)
        nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._leaves.addWidget(_leaf(nothing, self.write_button, self.file_button))
        self._leaves.addWidget(_leaf(self.text, self.edit_button, self.import_button))
        self._leaves.addWidget(_leaf(self.editor, self.done_button, self.cancel_button))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._leaves)
        self._connect()

    @property
    def is_writing(self) -> bool:
        """Whether the text is being changed."""
        return self._leaves.currentIndex() == _WRITING

    def show_guidelines(self, text: str) -> None:
        """Show the study's guidelines; what is being written stays."""
        if text != self._text:
            self._text = text
            self.text.show_markdown(text)
        if not self.is_writing:
            self._leaves.setCurrentIndex(_READING if text.strip() else _EMPTY)

    def write(self, text: str | None = None) -> None:
        """Open the editor, on another text if one is given."""
        self.editor.setPlainText(self._text if text is None else text)
        self._leaves.setCurrentIndex(_WRITING)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def keep(self) -> None:
        """Close the editor and hand its text over if it has changed."""
        typed = self.editor.toPlainText().strip()
        self._leave()
        if typed != self._text:
            self.show_guidelines(typed)
            self.kept.emit(typed)

    @Slot()
    def cancel(self) -> None:
        """Close the editor and forget what was written."""
        self._leave()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.is_writing and not event.spontaneous():
            self.keep()  # nothing that was written may live on the screen alone

    def _leave(self) -> None:
        had_focus = self.editor.hasFocus()
        self._leaves.setCurrentIndex(_READING if self._text.strip() else _EMPTY)
        if had_focus:
            (self.text if self._text.strip() else self.write_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        for button in (self.write_button, self.edit_button):
            button.clicked.connect(lambda: self.write())
        for button in (self.file_button, self.import_button):
            button.clicked.connect(self.import_requested)
        for done in (self.done_button.clicked, self.editor.done):
            done.connect(self.keep)
        for cancelled in (self.cancel_button.clicked, self.editor.cancelled):
            cancelled.connect(self.cancel)


def _leaf(text: QWidget, *buttons: QPushButton) -> QWidget:
    whole = QWidget()
    row = QHBoxLayout()
    row.setSpacing(SMALL)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    column = QVBoxLayout(whole)
    column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
    column.setSpacing(SMALL)
    column.addLayout(row)
    column.addWidget(text, 1)
    return whole
