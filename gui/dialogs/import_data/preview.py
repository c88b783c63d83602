"""What an import would do: what comes in, what each file is and what is odd; or its problems."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from gui.dialogs.import_data.text_preview import TextPreview
from gui.dialogs.import_data.values import CountRow, FileRow, ImportPreview
from gui.item_models.table_model import Column, TableModel
from gui.style.theme import SMALL, px
from gui.widgets.segmented_control import Segmented
from gui.widgets.table_view import Table

HEIGHT, LEAST_HEIGHT = 290, 110
_COUNTS, _TEXTS, _FILES, _NOTES = "counts", "texts", "files", "notes"


class ImportFindings(QWidget):
    """Counts, the first texts, files and notes, one of them in front; problems take the place of all."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = TableModel[CountRow](
            [
                Column("What", lambda line: line.what),
                Column("New", lambda line: line.added, "{:,}".format),
                Column("Already there", lambda line: line.equal, "{:,}".format),
            ],
            self,
        )
        self.files = TableModel[FileRow](
            [
                Column("File", lambda line: line.file),
                Column("Topic", lambda line: line.topic),
                Column("System", lambda line: line.system),
                Column("Annotator", lambda line: line.annotator),
                Column("References by", lambda line: line.authors),
            ],
            self,
        )
        self.table = Table("What will be imported", self.counts)
        self.files_table = Table("What each file is taken for", self.files)
        self.notes, self.problems = _list("What is odd in the import"), _list("Problems in the import")
        self.texts = TextPreview()
        leaves = ((_COUNTS, "Counts"), (_TEXTS, "Texts"), (_FILES, "Files"), (_NOTES, "Notes"))
        self.leaves = Segmented("What the preview shows", leaves)
        self.stack = QStackedWidget()
        self._pages = {_COUNTS: self.table, _TEXTS: self.texts, _FILES: self.files_table, _NOTES: self.notes}
        for page in (*self._pages.values(), self.problems):
            self.stack.addWidget(page)
        self.stack.setMinimumHeight(px(LEAST_HEIGHT))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.leaves)
        column.addWidget(self.stack, 1)
        self.leaves.chosen.connect(self._turn)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEIGHT))

    def show_preview(self, preview: ImportPreview) -> None:
        """Show what would happen; the leaf in front stays, where it has something to show."""
        notes = (*preview.skipped, *preview.notices, *preview.different)
        self.counts.set_rows(preview.counts)
        self.table.fit(stretch=0, widths={1: 110, 2: 140})
        self.files.set_rows(preview.files)
        self.files_table.fit(stretch=0, widths={1: 90, 2: 100, 3: 100, 4: 130})
        self.notes.setPlainText("\n".join(notes))
        self.problems.setPlainText("\n".join(preview.problems))
        self.leaves.set_text(_FILES, f"Files {len(preview.files):,}")
        self.texts.show_texts(preview.texts)
        self.leaves.set_text(_NOTES, f"Notes {len(notes):,}")
        self.leaves.set_enabled(_TEXTS, bool(preview.texts))
        self.leaves.set_enabled(_FILES, bool(preview.files))
        self.leaves.set_enabled(_NOTES, bool(notes))
        is_shown = bool(preview.files or notes or preview.texts)
        self.leaves.setVisible(is_shown and not preview.problems)
        is_empty = {_TEXTS: not preview.texts, _FILES: not preview.files, _NOTES: not notes}
        if is_empty.get(self.leaves.current, False):
            self.leaves.choose(_COUNTS)
        self._turn(self.leaves.current)
        if preview.problems:
            self.stack.setCurrentWidget(self.problems)

    def _turn(self, key: str) -> None:
        self.stack.setCurrentWidget(self._pages[key])


def _list(name: str) -> QPlainTextEdit:
    found = QPlainTextEdit()
    found.setReadOnly(True)
    found.setAccessibleName(name)
    return found
