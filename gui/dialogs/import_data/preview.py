"""Preview of an import: counts, texts, files and notes, or its problems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.errors import MAX_LINES, grouped_differences
from gui.dialogs.import_data.values import CountRow, FileRow, ImportPreview, PreviewTextRow
from gui.item_models.table_model import Column, TableModel
from gui.style.theme import SMALL, px
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.lists.table_view import Table

HEIGHT, MIN_HEIGHT = 290, 88
_COUNTS, _TEXTS, _FILES, _NOTES = "counts", "texts", "files", "notes"


class ImportPreviewPanel(QWidget):
    """Tabs with counts, the first texts, files and notes; problems replace all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = TableModel[CountRow](
            [
                Column("Kind", lambda row: row.kind),
                Column("Read", lambda row: row.read, "{:,}".format),
                Column("New", lambda row: row.added, "{:,}".format),
                Column("Unchanged", lambda row: row.equal, "{:,}".format),
                Column("Left out", lambda row: row.left_out, "{:,}".format),
            ],
            self,
        )
        self.files = TableModel[FileRow](
            [
                Column("File", lambda row: row.file),
                Column("Topic", lambda row: row.topic),
                Column("System", lambda row: row.system),
                Column("Annotator", lambda row: row.annotator),
                Column("References by", lambda row: row.authors),
            ],
            self,
        )
        self.table = Table("Counts by kind", self.counts)
        self.files_table = Table("Contents of each file", self.files)
        self.notes = _read_only_text("Notes on the import")
        self.problems = _read_only_text("Problems in the import")
        self.texts = TextPreview()
        tabs = ((_COUNTS, "Counts"), (_TEXTS, "Texts"), (_FILES, "Files"), (_NOTES, "Notes"))
        self.tabs = Segmented("Part of the preview", tabs)
        self.stack = QStackedWidget()
        self._pages = {_COUNTS: self.table, _TEXTS: self.texts, _FILES: self.files_table, _NOTES: self.notes}
        for page in (*self._pages.values(), self.problems):
            self.stack.addWidget(page)
        self.stack.setMinimumHeight(px(MIN_HEIGHT))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.tabs)
        column.addWidget(self.stack, 1)
        self.tabs.chosen.connect(self._show_tab)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEIGHT))

    def show_preview(self, preview: ImportPreview) -> None:
        """Show a preview; the current tab stays unless it is empty."""
        notes = (*preview.skipped, *preview.notices, *grouped_differences(preview.different, MAX_LINES // 3))
        self.counts.set_rows(preview.counts)
        self.table.fit(stretch=0, widths={1: 90, 2: 90, 3: 110, 4: 90})
        self.files.set_rows(preview.files)
        self.files_table.fit(stretch=0, widths={1: 90, 2: 100, 3: 100, 4: 130})
        self.notes.setPlainText("\n".join(notes))
        self.problems.setPlainText("\n".join(preview.problems))
        self.tabs.set_text(_FILES, f"Files {len(preview.files):,}")
        self.texts.show_texts(preview.texts)
        self.tabs.set_text(_NOTES, f"Notes {len(notes):,}")
        self.tabs.set_enabled(_TEXTS, bool(preview.texts))
        self.tabs.set_enabled(_FILES, bool(preview.files))
        self.tabs.set_enabled(_NOTES, bool(notes))
        has_tabs = bool(preview.files or notes or preview.texts)
        self.tabs.setVisible(has_tabs and not preview.problems)
        is_empty = {_TEXTS: not preview.texts, _FILES: not preview.files, _NOTES: not notes}
        if is_empty.get(self.tabs.current, False):
            self.tabs.choose(_COUNTS)
        self._show_tab(self.tabs.current)
        if preview.problems:
            self.stack.setCurrentWidget(self.problems)

    def _show_tab(self, key: str) -> None:
        self.stack.setCurrentWidget(self._pages[key])


def _read_only_text(name: str) -> QPlainTextEdit:
    text_edit = QPlainTextEdit()
    text_edit.setReadOnly(True)
    text_edit.setAccessibleName(name)
    return text_edit


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
