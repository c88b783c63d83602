"""Dialog of comments and flags: a list, the selected thread, a field for a comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type
from gui.widgets.buttons import SearchField, plain_button, primary_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.dialog import BareDialog, within_screen
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.lists.table_view import Table
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


class CommentsDialog(BareDialog):
    """Comments and flags; a comment goes to the selected item, else to the current one of the page.

    Signals:
        row_chosen: key of the selected item, -1 = none.
        opened: key of an item to show on its page.
        written: text of a new comment; whether it resolves the thread.
    """

    help_page = "comments"
    row_chosen = Signal(int)
    opened = Signal(int)
    written = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Comments and flags"))
        self.setAccessibleName(tr("Comments and flags"))
        self.resize(within_screen(self, WIDTH, HEIGHT))
        self.choice = Segmented(
            tr("Comments and flags"), (("open", tr("Open", "adjective")), ("all", tr("All")))
        )
        self.search = SearchField(tr("Filter by any word"))
        self.model = TableModel[ItemRow](
            [
                Column(tr("Kind"), lambda row: row.kind),
                Column(tr("Topic"), lambda row: row.topic, cell_tip=lambda row: row.topic),
                Column(tr("About"), lambda row: row.about, cell_tip=lambda row: row.about),
                Column(tr("Annotator"), lambda row: row.annotator),
                Column(tr("Text"), lambda row: row.text, cell_tip=lambda row: row.text),
            ],
            self,
        )
        self._sorted = SortProxyModel(self.model, self)
        self.table = Table(tr("Comments and flags"), self._sorted)
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
        self._arrange()
        self._connect()

    def show_items(self, rows: Sequence[ItemRow], selected: int) -> None:
        """List items and select one by its key, -1 = none."""
        with QSignalBlocker(self.table.selectionModel()):
            self.model.set_rows(rows)
        self.table.fit(4, _WIDTHS)
        place = next((at for at, row in enumerate(rows) if row.key == selected), -1)
        if place >= 0:
            self.table.setCurrentIndex(self._sorted.mapFromSource(self.model.index(place, 0)))
        else:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())

    def show_thread(self, target: str, text: str, *, can_open: bool, can_resolve: bool) -> None:
        """Show what a comment would be on, and the comments so far."""
        self.target_label.setText(target)
        self.thread_text.setPlainText(text)
        self.open_button.setEnabled(can_open)
        self.resolve_button.setEnabled(can_resolve)
        edits(self.resolve_button, now=True)

    @Slot()
    def _select(self) -> None:
        index = self.table.currentIndex()
        row = self.model.row(self._sorted.mapToSource(index)) if index.isValid() else None
        self.row_chosen.emit(row.key if row is not None else -1)

    @Slot()
    def _open(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            self.opened.emit(self.model.row(self._sorted.mapToSource(index)).key)

    @Slot()
    def _write(self) -> None:
        self.written.emit(self.field.text().strip(), False)

    @Slot()
    def _resolve(self) -> None:
        self.written.emit(self.field.text().strip(), True)

    def _arrange(self) -> None:
        top, foot, about = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (top, foot, about):
            row.setSpacing(SMALL)
        top.addWidget(self.choice)
        top.addWidget(self.search, 1)
        about.addWidget(self.target_label, 1)
        about.addWidget(self.here_button)
        about.addWidget(self.open_button)
        foot.addWidget(self.field, 1)
        foot.addWidget(self.resolve_button)
        foot.addWidget(self.add_button)
        self.thread_text.setFixedHeight(within_screen(self, 0, THREAD_PX).height())
        column = QVBoxLayout(self)
        column.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        column.setSpacing(MEDIUM)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        column.addLayout(about)
        column.addWidget(self.thread_text)
        column.addLayout(foot)
        column.addWidget(
            Label(
                tr("A resolved thread is listed under All; another comment opens it again."),
                Type.SMALL,
                "muted",
            )
        )
        column.addWidget(self.notice)

    def _connect(self) -> None:
        self.search.filter_rows(self.table, self._sorted.find)
        self.table.selectionModel().currentRowChanged.connect(self._select)
        self.table.activated.connect(self._open)
        self.here_button.clicked.connect(self.table.clearSelection)
        self.here_button.clicked.connect(lambda: self.table.setCurrentIndex(QModelIndex()))
        self.open_button.clicked.connect(self._open)
        self.field.returnPressed.connect(self._write)
        self.add_button.clicked.connect(self._write)
        self.resolve_button.clicked.connect(self._resolve)
        self.add_button.setAutoDefault(False)

    def focus_field(self) -> None:
        """Focus the field for a comment."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
