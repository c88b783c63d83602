"""Help window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QTextBrowser, QWidget

from gui.style import theme
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.panel import Panel

WIDTH, HEIGHT, LIST_WIDTH = 860, 640, 200


@dataclass(frozen=True, slots=True)
class HelpTopic:
    """A help page in Markdown."""

    key: str
    title: str
    text: str


class HelpWindow(QWidget):
    """List of help pages on the left, the selected page on the right."""

    def __init__(self, topics: Sequence[HelpTopic]) -> None:
        super().__init__()
        self.setWindowTitle("Help – Pyramidion")
        self.resize(px(WIDTH), px(HEIGHT))
        self._topics = tuple(topics)
        self.list, self.browser = QListView(), QTextBrowser()
        self.list.setAccessibleName("Help pages")
        self.browser.setAccessibleName("Help text")
        self.browser.setOpenExternalLinks(False)
        self._model = QStandardItemModel(self)
        for topic in self._topics:
            self._model.appendRow(QStandardItem(topic.title))
        self.list.ensurePolished()  # else rows are measured without the style sheet
        self.list.setModel(self._model)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        contents, self.reading = Panel("Help"), Panel("")
        contents.setFixedWidth(px(LIST_WIDTH))
        contents.add(self.list, 1)
        self.reading.add(self.browser, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        row.setSpacing(MEDIUM)
        row.addWidget(contents)
        row.addWidget(self.reading, 1)
        self.list.selectionModel().currentChanged.connect(self._read)
        theme.signal().changed.connect(self._read)

    def show_topic(self, key: str) -> None:
        """Show a page and raise the window."""
        row = next((i for i, topic in enumerate(self._topics) if topic.key == key), 0)
        self.list.setCurrentIndex(self._model.index(row, 0))
        self.show()
        self.raise_()
        self.activateWindow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    @Slot()
    def _read(self) -> None:
        topic = self._topics[max(self.list.currentIndex().row(), 0)]
        self.reading.set_title(topic.title)
        self.browser.setFont(theme.font(Type.BODY))
        self.browser.setMarkdown(topic.text.partition("\n")[2])  # its heading stands in the panel's head
        self._space_out()

    def _space_out(self) -> None:
        """Add space above headings and below paragraphs; Qt's Markdown import adds none."""
        cursor = QTextCursor(self.browser.document())
        block = self.browser.document().begin()
        while block.isValid():
            spaced = block.blockFormat()
            in_table = QTextCursor(block).currentTable() is not None
            spaced.setTopMargin(LARGE if spaced.headingLevel() else 0)
            spaced.setBottomMargin(TIGHT if spaced.headingLevel() or in_table else SMALL)
            cursor.setPosition(block.position())
            cursor.setBlockFormat(spaced)
            block = block.next()
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
