"""The indexes of documents: which are here, what they were built from; building and removing them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import UNDEFINED, format_count
from gui.dialogs.indexes.values import Building, IndexDetails, IndexRow
from gui.item_models.table_model import Column, SortedRows, TableModel
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button, primary_button
from gui.widgets.dialog import Dialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.table_view import Table

WIDTH, HEIGHT = 1000, 560
_WIDTHS = {1: 112, 2: 112, 3: 76, 4: 160, 5: 104, 6: 160}


class IndexesDialog(QDialog):
    """A list of indexes, and one of them in full with what can be done about it.

    Signals:
        row_shown: the name of the index that is looked at. build_requested: another is to be built.
        cancel_requested: of the one under way. remove_requested: the index in full is to go.
    """

    row_shown = Signal(object)
    build_requested = Signal()
    cancel_requested = Signal()
    remove_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Indexes")
        self.setAccessibleName("Indexes")
        self.resize(px(WIDTH), px(HEIGHT))
        self.indexes: TableModel[IndexRow] = TableModel(_COLUMNS)
        self._sorted = SortedRows(self.indexes)
        self.table = Table("Indexes", self._sorted)
        self.table.fit(0, _WIDTHS)
        self.notice = Notice(can_close=True)
        self.build_button = primary_button("Build an index…", "plus")
        self.build_button.setToolTip("Of text files, tables or this study's documents")
        self.close_button = plain_button("Close")
        self.sheet = _Sheet()
        self.work = _Work()
        self._panel = Panel("Indexes")
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(self._tell_row)
        self.build_button.clicked.connect(self.build_requested)
        self.work.cancel_button.clicked.connect(self.cancel_requested)
        self.sheet.remove_button.clicked.connect(self.remove_requested)
        self.close_button.clicked.connect(self.reject)
        self.show_building(None)

    def begin(self) -> None:
        """Come to the front."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_indexes(self, rows: Sequence[IndexRow], fact: str) -> None:
        """List these indexes."""
        self.indexes.set_rows(tuple(rows))
        self._panel.set_fact(fact)

    def show_sheet(self, sheet: IndexDetails | None) -> None:
        """Show one index in full, None = there is none."""
        self.sheet.setVisible(sheet is not None)
        if sheet is not None:
            self.sheet.show_sheet(sheet)

    def show_building(self, building: Building | None) -> None:
        """Show how far the index is that is being built, None = none is."""
        self.work.setVisible(building is not None)
        self.build_button.setEnabled(building is None)
        if building is not None:
            self.work.show_building(building)

    def choose(self, name: str) -> None:
        """Put an index in front."""
        for at, row in enumerate(self.indexes.rows()):
            if row.name == name:
                self.table.setCurrentIndex(self._sorted.mapFromSource(self.indexes.index(at, 0)))

    def complain(self, sentence: str) -> None:
        """Say what did not work; empty = nothing."""
        self.notice.say(sentence)

    @Slot(QModelIndex, QModelIndex)
    def _tell_row(self, current: QModelIndex, _: QModelIndex) -> None:
        if current.isValid():
            self.row_shown.emit(self.indexes.row(self._sorted.mapToSource(current)).name)

    def _lay_out(self) -> None:
        self._panel.add(self.table, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(SMALL)
        buttons.addWidget(self.build_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        column.setSpacing(MEDIUM)
        column.addWidget(self.notice)
        column.addWidget(self._panel, 1)
        column.addWidget(self.work)
        column.addWidget(self.sheet)
        column.addLayout(buttons)


class _Sheet(Panel):
    """One index: what is known of it, and what can be done."""

    def __init__(self) -> None:
        super().__init__("Index")
        self.copy_button = link_button("Copy command to send it")
        self.copy_button.setToolTip("In a terminal, sends it to an Elasticsearch server; put its address in")
        self.remove_button = link_button("Remove…")
        self.remove_button.setToolTip("Delete it from this computer; scores stay")
        self.problem = Notice()
        self.lines_label = Label("", Type.BODY, "text", wrap=True)
        self.lines_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._command = ""
        self.add_action(self.copy_button)
        self.add_action(self.remove_button)
        self.copy_button.clicked.connect(self._copy)
        words = QVBoxLayout()
        words.setSpacing(SMALL)
        words.addWidget(self.problem)
        words.addWidget(self.lines_label)
        self.add(words, padded=True)

    def show_sheet(self, sheet: IndexDetails) -> None:
        """Show this index."""
        self._command = sheet.command
        self.set_title(sheet.title)
        self.set_fact(sheet.fact)
        self.problem.say(sheet.problem)
        self.lines_label.setText("\n".join(sheet.lines))
        self.copy_button.setVisible(bool(sheet.command))
        self.remove_button.setVisible(sheet.can_remove)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)


class _Work(Panel):
    """The index that is being built."""

    def __init__(self) -> None:
        super().__init__("Building")
        self.cancel_button = plain_button("Cancel")
        self.cancel_button.setToolTip("Stop; nothing of it is left")
        self.bar = ProgressBar("Building the index")
        self.words_label = ElidedLabel("", Type.SMALL, "muted")
        self.add_action(self.cancel_button)
        words = QVBoxLayout()
        words.setSpacing(SMALL)
        words.addWidget(self.bar)
        words.addWidget(self.words_label)
        self.add(words, padded=True)

    def show_building(self, building: Building) -> None:
        """Show how far it is."""
        self.set_title(f"Building {building.name}")
        self.words_label.setText(building.words)
        self.bar.show_share(building.share)


def ask_removal(name: str, parent: QWidget) -> bool:
    """Whether an index may be deleted."""
    dialog = Dialog(f"Remove the index {name}?", "Remove", parent, icon="trash")
    sentence = (
        "It is deleted from this computer. What was scored with it stays; to score again, build it anew."
    )
    dialog.body.addWidget(Label(sentence, wrap=True))
    dialog.cancel_button.setFocus()
    return bool(dialog.exec())


def _number(value: float) -> str:
    return format_count(value) if value else UNDEFINED


_COLUMNS: tuple[Column[IndexRow], ...] = (
    Column("Index", lambda row: row.title, cell_tip=lambda row: row.problem or row.title),
    Column("Documents", lambda row: row.documents, _number),
    Column("Words", lambda row: row.tokens, _number, "Of all documents together"),
    Column("Size", lambda row: row.size, format_known_bytes, "On the disk"),
    Column("Words made", lambda row: row.words, tip="Which stems, and whether stop words count"),
    Column("Built", lambda row: row.made),
    Column("From", lambda row: row.origin, cell_tip=lambda row: row.problem or row.origin),
)
