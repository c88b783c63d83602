"""Dialog of comments and flags: a list, the selected thread, a field for a comment."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from core.annotation.flag_list import FlaggedItem, FlagKind
from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type
from gui.widgets.buttons import SearchField, edits, plain_button, primary_button
from gui.widgets.controls import Segmented
from gui.widgets.dialog import ToolDialog, within_screen
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import Notice
from gui.widgets.typed_text import TypedText

WIDTH, HEIGHT, THREAD_PX = 860, 600, 150
_WIDTHS = {0: 92, 1: 120, 2: 170, 3: 110}


Row = tuple[FlaggedItem, str]
"""An item, and what it is on, without the topic."""
_TITLES = {FlagKind.COMMENT: tr("Comment"), FlagKind.FLAG: tr("Flag"), FlagKind.NOTE: tr("Note")}


class CommentsDialog(ToolDialog):
    """Comments and flags; a comment goes to the selected item, else to the current one of the page.

    Signals:
        written: text of a new comment; whether it resolves the thread.
    """

    is_kept = True
    help_page = "comments"
    written = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Comments and flags"), (WIDTH, HEIGHT), parent)
        self.choice = Segmented(
            tr("Comments and flags"), (("open", tr("Open", "adjective")), ("all", tr("All")))
        )
        self.search = SearchField(tr("Filter by any word"))
        self.table = RowTable[Row](
            tr("Comments and flags"),
            [
                Column(tr("Kind"), _kind),
                Column(tr("Topic"), lambda row: row[0].topic, cell_tip=lambda row: row[0].topic),
                Column(tr("About"), lambda row: row[1], cell_tip=lambda row: row[1]),
                Column(tr("Annotator"), lambda row: row[0].annotator),
                Column(tr("Text"), lambda row: row[0].text, cell_tip=lambda row: row[0].text),
            ],
        )
        self.thread_text = QPlainTextEdit()
        self.thread_text.setReadOnly(True)
        self.thread_text.setAccessibleName(tr("Thread"))
        self.target_label = ElidedLabel("", Type.STRONG)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Write a comment"))
        self.field.setAccessibleName(tr("Comment"))
        # a comment is for others: it is added by its button, and when the study is closed
        self._typed = TypedText(
            self.field, lambda *_: self._write(), stores_in_pauses=False, stores_when_left=False
        )
        self.here_button = plain_button(tr("Current item"))
        self.open_button = plain_button(tr("Show"))
        self.resolve_button = plain_button(tr("Resolve"), "check")
        self.add_button = primary_button(tr("Comment"), "comment")
        self.notice = Notice(can_close=True)
        edits(self.field, self.resolve_button, self.add_button)
        top = hbox(self.choice, (self.search, 1), spacing=SMALL)
        about = hbox((self.target_label, 1), self.here_button, self.open_button, spacing=SMALL)
        self.thread_text.setFixedHeight(within_screen(self, 0, THREAD_PX).height())
        column = vbox(top, (self.table, 1), about, parent=self, margins=LARGE, spacing=MEDIUM)
        column.addWidget(self.thread_text)
        column.addLayout(hbox((self.field, 1), self.resolve_button, self.add_button, spacing=SMALL))
        column.addWidget(
            Label(
                tr("A resolved thread is listed under All; another comment opens it again."),
                Type.SMALL,
                "muted",
            )
        )
        column.addWidget(self.notice)
        self._connect()

    def show_items(self, rows: Sequence[Row], selected: FlaggedItem | None) -> None:
        """List items and select one, None = none."""
        with QSignalBlocker(self.table.selectionModel()):
            self.table.rows.set_rows(rows)
        self.table.fit(4, _WIDTHS)
        if not self.table.choose(lambda row: row[0] == selected):
            self.table.clearSelection()

    def show_thread(self, target: str, text: str, *, can_open: bool, can_resolve: bool) -> None:
        """Show what a comment would be on, and the comments so far."""
        self.target_label.setText(target)
        self.thread_text.setPlainText(text)
        self.open_button.setEnabled(can_open)
        self.resolve_button.setEnabled(can_resolve)
        edits(self.resolve_button, now=True)

    @Slot()
    def _write(self) -> None:
        self.written.emit(self.field.text().strip(), False)

    def _connect(self) -> None:
        self.search.filter_rows(self.table, self.table.sorted.find)
        self.here_button.clicked.connect(self.table.clearSelection)
        self.here_button.clicked.connect(lambda: self.table.setCurrentIndex(QModelIndex()))
        self.field.returnPressed.connect(self._write)
        self.add_button.clicked.connect(self._write)
        self.resolve_button.clicked.connect(lambda: self.written.emit(self.field.text().strip(), True))
        self.add_button.setAutoDefault(False)


def _kind(row: Row) -> str:
    item, _ = row
    return _TITLES[item.kind] + (f" ({item.comments})" if item.comments > 1 else "")
