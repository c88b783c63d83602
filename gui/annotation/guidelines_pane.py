"""Pane that shows the study's guidelines and edits them in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QHideEvent, QImage, QKeyEvent, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QStackedWidget, QWidget

from core.errors import InputError
from core.ports import ChangeKind, ChangeSet
from gui.session.context import Context
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import edits, link_button
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.page import Page
from gui.widgets.panel import ClosingPanel
from gui.widgets.reading_text import ReadingText, dress_heading
from gui.widgets.typed_text import TypedText, typed_texts

NOTHING = tr("No guidelines yet. Write down how to annotate, so everyone annotates the same way.")
_EMPTY, _READING, _EDITING = range(3)


class GuidelinesText(ReadingText):
    """Rendered Markdown text."""

    def __init__(self) -> None:
        super().__init__(tr("Guidelines"))
        self._markdown = ""
        self.dress()

    def show_markdown(self, text: str) -> None:
        """Show a Markdown text; HTML in it is shown as plain text."""
        self._markdown = text
        scrolled = self.verticalScrollBar().value()
        features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        self.document().setMarkdown(text, features | QTextDocument.MarkdownFeature.MarkdownNoHTML)
        self._add_spacing()
        self.verticalScrollBar().setValue(scrolled)

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty image: an image in guidelines could name any file, device or address.

        Without a result Qt would load the file itself.
        """
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(Qt.GlobalColor.transparent)
        return empty

    def dress(self) -> None:
        super().dress()
        if self._markdown:
            self.show_markdown(self._markdown)

    def _add_spacing(self) -> None:
        """Add space above headings and below paragraphs; limit the size of headings."""
        block = self.document().begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            block_format = QTextBlockFormat()
            block_format.setTopMargin(MEDIUM if level and block.blockNumber() else 0)
            block_format.setBottomMargin(TIGHT if level or block.textList() is not None else SMALL)
            cursor = QTextCursor(block)
            cursor.mergeBlockFormat(block_format)
            if level:
                dress_heading(cursor, self.font())
            block = block.next()


class GuidelinesEditor(QPlainTextEdit):
    """Editor of the Markdown source; Ctrl+Enter closes it, Escape restores the text of before.

    Signals:
        done, cancelled.
    """

    done = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Guidelines, in Markdown"))
        self.setPlaceholderText(tr("Guidelines, in Markdown: # heading, - list, **strong**"))
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
    """Guidelines with buttons to edit them or load them from a file.

    What is typed is stored in pauses; a text from a file is stored when the editor is left.

    Signals:
        committed: the new text, if it changed.
    """

    committed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.text, self.editor = GuidelinesText(), GuidelinesEditor()
        self.write_button = link_button(tr("Write"), "tag")
        self.file_button = link_button(tr("From a file…"), "import")
        self.edit_button = link_button(tr("Edit"), "tag")
        self.import_button = link_button(tr("From a file…"), "import")
        self.done_button = link_button(tr("Done"), "check")
        self.cancel_button = link_button(tr("Cancel"), "close")
        edits(self.write_button, self.file_button, self.edit_button, self.import_button)
        self._stack = QStackedWidget()
        nothing = Label(NOTHING, Type.BODY, "muted", wrap=True)
        nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack.addWidget(_stack_page(nothing, self.write_button, self.file_button))
        self._stack.addWidget(_stack_page(self.text, self.edit_button, self.import_button))
        self._stack.addWidget(_stack_page(self.editor, self.done_button, self.cancel_button))
        vbox(self._stack, parent=self)
        self._typed = TypedText(self.editor, self._store)
        for button in (self.write_button, self.edit_button):
            button.clicked.connect(lambda: self.edit())
        for done in (self.done_button.clicked, self.editor.done):
            done.connect(self.commit)
        for cancelled in (self.cancel_button.clicked, self.editor.cancelled):
            cancelled.connect(self.cancel)

    @property
    def is_editing(self) -> bool:
        return self._stack.currentIndex() == _EDITING

    def show_guidelines(self, text: str) -> None:
        """Show the study's guidelines; an open editor is not changed."""
        if text != self._text:
            self._text = text
            self.text.show_markdown(text)
        if not self.is_editing:
            self._stack.setCurrentIndex(_READING if text.strip() else _EMPTY)

    def edit(self, text: str | None = None) -> None:
        """Open the editor with a text; None = the current guidelines."""
        self._typed.show(self._text, uuid4().hex)
        self._stack.setCurrentIndex(_EDITING)
        if text is not None:
            self.editor.setPlainText(text)
            self._typed.wait()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def commit(self) -> None:
        """Store the text if it changed, and close the editor."""
        self._typed.store(again=True)
        self._close_editor()

    @Slot()
    def cancel(self) -> None:
        """Restore the text of before, and close the editor."""
        self._typed.restore()
        self._close_editor()

    def _store(self, _: str, typed: str) -> None:
        self._text = typed.strip()
        self.text.show_markdown(self._text)
        self._typed.show(self._text, self._typed.object_id)
        self.committed.emit(self._text)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.is_editing and not event.spontaneous():
            self.commit()  # unsaved text must not get lost

    def _close_editor(self) -> None:
        had_focus = self.editor.hasFocus()
        self._stack.setCurrentIndex(_READING if self._text.strip() else _EMPTY)
        if had_focus:
            (self.text if self._text.strip() else self.write_button).setFocus(Qt.FocusReason.OtherFocusReason)


def _stack_page(text: QWidget, *buttons: QPushButton) -> QWidget:
    page = QWidget()
    row = hbox(*buttons, Stretch(1), spacing=SMALL)
    vbox(row, (text, 1), parent=page, margins=SMALL, spacing=SMALL)
    return page


SETTING = "guidelines"
MAX_BYTES = 1_000_000
AskFile = Callable[[], Path | None]


def connect_guidelines(pane: GuidelinesPane, context: Context) -> GuidelinesController:
    """Connect a page's guidelines pane to the study."""
    from gui.widgets.file_dialogs import ask_text_file

    return GuidelinesController(pane, context, lambda: ask_text_file(pane, tr("Import guidelines")))


class GuidelinesController(QObject):
    """Connects a guidelines pane to the study."""

    def __init__(self, pane: GuidelinesPane, context: Context, ask_file: AskFile) -> None:
        super().__init__(pane)
        self._pane, self._context, self._ask_file = pane, context, ask_file
        pane.committed.connect(self._save)
        for button in (pane.file_button, pane.import_button):
            button.clicked.connect(self._import)
        self._is_outdated = False
        context.changes.changed.connect(self._on_changes)
        context.writes.saved.connect(self._show_if_saved)
        self._show()

    @Slot(str)
    def _save(self, text: str) -> None:
        write = self._context.study.settings.save(
            SETTING, text, self._context.annotator.id, typed_texts().details
        )
        self._context.writes.track(write)

    @Slot()
    def _import(self) -> None:
        """Load a file into the editor, so that the user can check it before saving."""
        if (path := self._ask_file()) is None:
            return
        try:
            self._pane.edit(read_text(path))
        except InputError as error:
            self._context.show_message(str(error))

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            self._is_outdated = True
            self._show_if_saved()

    @Slot()
    def _show_if_saved(self) -> None:
        """Show changes by others after the pending writes are saved."""
        if self._is_outdated and not self._context.writes.is_saving:
            self._is_outdated = False
            self._show()

    def _show(self) -> None:
        self._pane.show_guidelines(self._context.study.settings.get(SETTING))


def read_text(path: Path) -> str:
    """Return the text of a small file.

    Raises InputError if it cannot be read, is not UTF-8 text or is too large.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(
                tr("{name} is larger than 1 MB. Choose a text file of a few pages.", name=path.name)
            )
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            tr("{name} is not UTF-8 text. Save it as plain text in UTF-8 and try again.", name=path.name)
        ) from None
    except OSError as error:
        raise InputError(
            tr("{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror)
        ) from None


COMMAND = "view.side_panel"


class SidePanelToggle(QObject):
    """Connects a page's side panel to its command, and remembers whether it was closed."""

    def __init__(
        self, view: Page, side: ClosingPanel, context: Context, page: str, command: str = COMMAND
    ) -> None:
        super().__init__(view)
        self._settings, self._page = context.settings, page
        context.commands.bind(command, side.toggle, page)
        view.offer_side_panel(context.commands.action(command))
        side.set_open(page in self._settings.now.open_panels, is_asked=False)
        side.open_changed.connect(self._remember)

    @Slot(bool)
    def _remember(self, is_open: bool) -> None:
        others = tuple(page for page in self._settings.now.open_panels if page != self._page)
        self._settings.change(open_panels=(*others, self._page) if is_open else others)
