"""Help window: contents with search, and the selected page of the manual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QHideEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QStyleOptionViewItem, QTextBrowser, QTextEdit, QWidget

from core.manual.page import ManualPage, anchor, resolve
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import EnterPresses, SearchField, icon_button
from gui.widgets.layouts import hbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, write
from gui.widgets.panel import Panel
from gui.widgets.reading_text import dress_heading

WIDTH, HEIGHT, LIST_WIDTH, ROW_HEIGHT, INDENT = 1020, 720, 270, 28, 28
_RELAYOUT_MS = 150
_WEB = ("https", "http")


class HelpWindow(EnterPresses, QWidget):
    """Contents on the left, the selected page on the right.

    Signals:
        file_requested: path of a file of the manual, whose link was pressed.
    """

    file_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(tr("Help – Pyramidion"))
        self.resize(px(WIDTH), px(HEIGHT))
        self._pages: dict[str, ManualPage] = {}
        self._words: dict[str, str] = {}
        self._wanted = "", ""
        self._visited: list[str] = []
        self._place = -1
        self.search = SearchField(tr("Search the help"))
        self.contents = _Contents()
        self.browser = _Browser()
        self.back_button = icon_button("chevron-left", tr("Back"))
        self.forward_button = icon_button("chevron-right", tr("Forward"))
        self.reading = Panel("")
        self._relayout = QTimer(self, singleShot=True, interval=_RELAYOUT_MS)
        contents = Panel(tr("Help"), hairline=False)
        contents.setFixedWidth(px(LIST_WIDTH))
        contents.add(self.search, padded=True)
        contents.add((self.contents, 1))
        self.reading.add_action(self.back_button, self.forward_button)
        self.reading.add((self.browser, 1))
        hbox(contents, (self.reading, 1), parent=self, margins=MEDIUM, spacing=MEDIUM)
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._open_first)
        self.contents.row_chosen.connect(self._choose)
        self.browser.anchorClicked.connect(self._follow)
        self.back_button.clicked.connect(lambda: self._step(-1))
        self.forward_button.clicked.connect(lambda: self._step(1))
        for key, by in ((QKeySequence.StandardKey.Back, -1), (QKeySequence.StandardKey.Forward, 1)):
            QShortcut(key, self).activated.connect(lambda by=by: self._step(by))
        QShortcut(QKeySequence.StandardKey.Find, self).activated.connect(self.search.focus_default)
        self._relayout.timeout.connect(self._read_again)
        theme.signal().changed.connect(self._read_again)
        theme.dress(self)

    @property
    def key(self) -> str:
        """Key of the page that is shown; empty = none."""
        return self._visited[self._place] if self._visited else ""

    def show_pages(self, pages: Sequence[ManualPage], pictures: Mapping[str, bytes]) -> None:
        """Show the manual, at the page that was asked for before."""
        self._pages = {page.key: page for page in pages}
        self._words = {page.key: f"{page.title}\n{page.text}".casefold() for page in pages}
        self.browser.pictures = pictures
        self.contents.show_pages(pages, is_search=False)
        self._go(*self._wanted)

    def show_page(self, key: str, fragment: str = "") -> None:
        """Show a page, at a heading if its anchor is given, and raise the window.

        A page that the manual lacks shows the contents.
        """
        self._wanted = key, fragment
        self.search.clear()
        if self._pages:
            self._go(key, fragment)
        else:
            self.reading.set_title(tr("Reading the help…"))
        self.show()
        self.raise_()
        self.activateWindow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        QTimer.singleShot(0, self, self._leave)

    def _leave(self) -> None:
        if not self.isVisible():
            self.destroy()  # the window of the window system, which assistive technology would still find

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout.start()  # pictures have the width of the text

    @Slot(object)
    def _choose(self, key: str) -> None:
        if key != self.key:
            self._go(key)

    def _go(self, key: str, fragment: str = "") -> None:
        """Show a page, and forget the pages that Forward would have shown."""
        key = key if key in self._pages else next(iter(self._pages))
        if key != self.key:
            self._visited = [*self._visited[: self._place + 1], key]
            self._place = len(self._visited) - 1
        self._read(fragment)

    def _step(self, by: int) -> None:
        if 0 <= self._place + by < len(self._visited):
            self._place += by
            self._read()

    def _read(self, fragment: str = "") -> None:
        page = self._pages[self.key]
        self.contents.choose(page.key)
        self.reading.set_title(page.title)
        self.reading.set_fact(" › ".join(filter(None, (page.section, page.group))))
        self.browser.show_page(page, self.search.text().split())
        self.back_button.setEnabled(self._place > 0)
        self.forward_button.setEnabled(self._place < len(self._visited) - 1)
        if fragment:
            self.browser.show_heading(fragment)

    @Slot()
    def _read_again(self) -> None:
        """Lay the page out again, after a change of width or colours, without scrolling."""
        if self.key:
            bar = self.browser.verticalScrollBar()
            share = bar.value() / max(bar.maximum(), 1)
            self.browser.show_page(self._pages[self.key], self.search.text().split())
            bar.setValue(round(share * bar.maximum()))

    @Slot(str)
    def _search(self, text: str) -> None:
        """Show the pages with every word, those with a word in the title first."""
        words = text.casefold().split()
        found = [
            page for page in self._pages.values() if all(word in self._words[page.key] for word in words)
        ]
        if words:
            found.sort(key=lambda page: not any(word in page.title.casefold() for word in words))
        self.contents.show_pages(found, is_search=bool(words))
        if self.key:
            self._read_again()

    @Slot()
    def _open_first(self) -> None:
        if rows := self.contents.pages.rows():
            self._go(rows[0].key)

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        if url.scheme() in _WEB:
            QDesktopServices.openUrl(url)
            return
        key, fragment = resolve(self.key, url.toString(QUrl.ComponentFormattingOption.FullyDecoded))
        if key in self._pages:
            self._go(key, fragment)
        else:
            self.file_requested.emit(key)


class _PageDelegate(GroupedDelegate):
    row_height = ROW_HEIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        page: ManualPage = index.data(ROW_ROLE)
        write(painter, area.adjusted(px(INDENT), 0, -SMALL, 0), page.title)


class _Contents(GroupedTree):
    """List of pages by section; the reference, which is long, is folded."""

    def __init__(self) -> None:
        column: Column[ManualPage] = Column(tr("Page"), lambda page: page.title)
        self.pages = GroupedModel[ManualPage](
            [column], lambda page: page.key, lambda page: page.group or page.section
        )
        super().__init__(tr("Help pages"), self.pages, _PageDelegate())
        self.setHeaderHidden(True)

    @property
    def finds_nothing(self) -> bool:
        return not self.pages.rowCount()

    def show_pages(self, pages: Sequence[ManualPage], *, is_search: bool) -> None:
        """Show pages; those of the reference are folded unless they were searched for."""
        self.pages.set_rows(pages)
        for at in range(self.pages.rowCount()):
            head = self.pages.index(at, 0)
            page = self.pages.row(self.pages.index(0, 0, head))
            self.setExpanded(head, page is None or not page.group or is_search)


class _Browser(QTextBrowser):
    """A page in Markdown. Only pictures of the manual are loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: Mapping[str, bytes] = {}
        self._key = ""
        self._shown: QTextDocument | None = None
        self.setAccessibleName(tr("Help text"))
        self.setOpenLinks(False)

    def show_page(self, page: ManualPage, words: Sequence[str] = ()) -> None:
        """Show a page and mark words in it.

        The document is complete before the browser has it: then it is laid out once, not at each change.
        """
        self._key = page.key
        self.setFont(theme.font(Type.BODY))
        document = QTextDocument(self)  # its parent loads the pictures
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(MEDIUM)
        text = page.text.partition("\n")[2]  # its heading is in the panel's head
        features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        document.setMarkdown(text, features | QTextDocument.MarkdownFeature.MarkdownNoHTML)
        self._dress(document)
        self.setDocument(document)
        if self._shown is not None:
            self._shown.deleteLater()
        self._shown = document
        self._mark(words)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_heading(self, name: str) -> None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and anchor(block.text()) == name:
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top))
                return
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the manual, no wider than the text; anything else is not loaded."""
        path, _ = resolve(self._key, name.toString() if isinstance(name, QUrl) else name)
        image = QImage()
        if path not in self.pictures or not image.loadFromData(self.pictures[path]):
            empty = QImage(1, 1, QImage.Format.Format_ARGB32)
            empty.fill(Qt.GlobalColor.transparent)
            return empty
        ratio = self.devicePixelRatioF()
        room = self.viewport().width() - 2 * MEDIUM - LARGE
        width = round(min(image.width(), max(room, 1)) * ratio)
        scaled = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def sizeHint(self) -> QSize:
        return QSize(px(WIDTH - LIST_WIDTH), px(HEIGHT))

    def _dress(self, document: QTextDocument) -> None:
        """Set spaces, headings and colours; Qt's Markdown import has none of the program's."""
        cursor = QTextCursor(document)
        block = document.begin()
        while block.isValid():
            cursor.setPosition(block.position())
            self._dress_block(cursor, block)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _dress_table(frame)

    def _dress_block(self, cursor: QTextCursor, block: QTextBlock) -> None:
        level = block.blockFormat().headingLevel()
        is_code = _is_code(block)
        spaced = QTextBlockFormat()
        is_tight = level or block.textList() or cursor.currentTable() is not None
        spaced.setTopMargin(LARGE if level and block.blockNumber() else 0)
        spaced.setBottomMargin(TIGHT if is_tight else SMALL)
        if is_code:
            spaced.setBackground(theme.colour("hover"))
            spaced.setNonBreakableLines(False)
            if block.next().isValid() and _is_code(block.next()):
                spaced.setBottomMargin(0)
        cursor.mergeBlockFormat(spaced)
        if level:
            dress_heading(cursor, self.font())

    def _mark(self, words: Sequence[str]) -> None:
        """Tint every occurrence of words."""
        style = QTextCharFormat()
        style.setBackground(theme.colour("selection"))
        marks = []
        for word in words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                selection: Any = QTextEdit.ExtraSelection()
                selection.cursor, selection.format = cursor, style
                marks.append(selection)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marks)


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence) or (
        block.blockFormat().nonBreakableLines()
    )


def _dress_table(table: QTextTable) -> None:
    """Draw a table with hairlines, over the whole width of the text."""
    style = table.format()
    style.setBorder(1)
    style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    style.setBorderBrush(QColor(theme.tokens().border))
    style.setBorderCollapse(True)
    style.setCellPadding(TIGHT)
    style.setCellSpacing(0)
    style.setTopMargin(TIGHT)
    style.setBottomMargin(SMALL)
    style.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(style)
