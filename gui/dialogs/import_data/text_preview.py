"""Preview of the first texts of an import: a list and the selected text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QPlainTextEdit, QWidget

from gui.dialogs.import_data.values import PreviewTextRow
from gui.item_models.table_model import Column, TableModel
from gui.style.theme import SMALL, px

LIST_WIDTH = 210


class TextPreview(QWidget):
    """List of texts by topic, next to the selected text."""

    def __init__(self) -> None:
        super().__init__()
        self.model = TableModel[PreviewTextRow]([Column("Text", lambda line: line.title)], self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setAccessibleName("Texts of the first topics")
        self.list.setFixedWidth(px(LIST_WIDTH))
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.reading = QPlainTextEdit()
        self.reading.setReadOnly(True)
        self.reading.setAccessibleName("Text")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(self.list)
        row.addWidget(self.reading, 1)
        self.list.selectionModel().currentChanged.connect(self._show_selected)

    def show_texts(self, rows: Sequence[PreviewTextRow]) -> None:
        """List texts and show the first one."""
        with QSignalBlocker(self.list.selectionModel()):
            self.model.set_rows(tuple(rows))
            if rows:
                first = next((row for row, line in enumerate(rows) if line.is_text), 0)
                self.list.setCurrentIndex(self.model.index(first, 0))
        self.list.viewport().update()
        self._show_selected()

    @Slot()
    def _show_selected(self) -> None:
        index, rows = self.list.currentIndex(), self.model.rows()
        line = rows[index.row()] if index.isValid() and index.row() < len(rows) else None
        self.reading.setPlainText(line.content if line is not None else "")
        self.reading.setPlaceholderText("This text is empty." if line is not None and line.is_text else "")
        self.reading.setAccessibleDescription(line.title if line is not None else "")
