"""Dialog of comments and flags: a list, the selected thread, a field for a comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

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


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item of the list. about: what it is on, without the topic. text: the last comment or the note."""

    key: int
    kind: str
    topic: str
    about: str
    annotator: str
    text: str


class CommentsDialog(ToolDialog):
    """Comments and flags; a comment goes to the selected item, else to the current one of the page.

    Signals:
        row_chosen: key of the selected item, -1 = none.
        opened: key of an item to show on its page.
        written: text of a new comment; whether it resolves the thread.
    """

    is_kept = True
    help_page = "comments"
    row_chosen = Signal(int)
    opened = Signal(int)
    written = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Comments and flags"), (WIDTH, HEIGHT), parent)
        self.choice = Segmented(
            tr("Comments and flags"), (("open", tr("Open", "adjective")), ("all", tr("All")))
        )
        self.search = SearchField(tr("Filter by any word"))
        self.table = RowTable[ItemRow](
            tr("Comments and flags"),
            [
                Column(tr("Kind"), lambda row: row.kind),
                Column(tr("Topic"), lambda row: row.topic, cell_tip=lambda row: row.topic),
                Column(tr("About"), lambda row: row.about, cell_tip=lambda row: row.about),
                Column(tr("Annotator"), lambda row: row.annotator),
                Column(tr("Text"), lambda row: row.text, cell_tip=lambda row: row.text),
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

    def show_items(self, rows: Sequence[ItemRow], selected: int) -> None:
        """List items and select one by its key, -1 = none."""
        with QSignalBlocker(self.table.selectionModel()):
            self.table.rows.set_rows(rows)
        self.table.fit(4, _WIDTHS)
        if not self.table.choose(lambda row: row.key == selected):
            self.table.clearSelection()

    def show_thread(self, target: str, text: str, *, can_open: bool, can_resolve: bool) -> None:
        """Show what a comment would be on, and the comments so far."""
        self.target_label.setText(target)
        self.thread_text.setPlainText(text)
        self.open_button.setEnabled(can_open)
        self.resolve_button.setEnabled(can_resolve)
        edits(self.resolve_button, now=True)

    @Slot()
    def _open(self) -> None:
        if self.table.current is not None:
            self.opened.emit(self.table.current.key)

    @Slot()
    def _write(self) -> None:
        self.written.emit(self.field.text().strip(), False)

    def _connect(self) -> None:
        self.search.filter_rows(self.table, self.table.sorted.find)
        self.table.row_chosen.connect(lambda row: self.row_chosen.emit(-1 if row is None else row.key))
        self.table.activated.connect(self._open)
        self.here_button.clicked.connect(self.table.clearSelection)
        self.here_button.clicked.connect(lambda: self.table.setCurrentIndex(QModelIndex()))
        self.open_button.clicked.connect(self._open)
        self.field.returnPressed.connect(self._write)
        self.add_button.clicked.connect(self._write)
        self.resolve_button.clicked.connect(lambda: self.written.emit(self.field.text().strip(), True))
        self.add_button.setAutoDefault(False)
