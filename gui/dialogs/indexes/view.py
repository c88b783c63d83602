"""Index dialog: list of search indexes, details of one, progress of a build or upload."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import UNDEFINED, format_count
from gui.dialogs.indexes.values import Building, IndexDetails, IndexRow
from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button, primary_button
from gui.widgets.dialog import BareDialog, Dialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel
from gui.widgets.progress_bar import ProgressBar

WIDTH, HEIGHT = 1000, 560
_WIDTHS = {1: 112, 2: 112, 3: 76, 4: 160, 5: 104, 6: 160}


class IndexesDialog(BareDialog):
    """List of indexes, with details and actions for the selected one.

    Signals:
        row_selected: the name of the selected index.
    """

    help_page = "indexes"
    row_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Indexes"))
        self.setAccessibleName(tr("Indexes"))
        self.resize(px(WIDTH), px(HEIGHT))
        self.indexes: TableModel[IndexRow] = TableModel(_COLUMNS)
        self._sorted = SortProxyModel(self.indexes)
        self.table = Table(tr("Indexes"), self._sorted)
        self.table.fit(0, _WIDTHS)
        self.notice = Notice(can_close=True)
        self.build_button = primary_button(tr("Build an index…"), "plus")
        self.build_button.setToolTip(tr("Build an index from text files, tables or this study's documents"))
        self.close_button = plain_button(tr("Close"))
        self.details = _DetailsPanel()
        self.progress = _BuildPanel()
        self.panel = Panel(tr("Indexes"))
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(self._emit_row)
        self.close_button.clicked.connect(self.reject)
        self.show_building(None)

    def begin(self) -> None:
        """Show the dialog in front."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_indexes(self, rows: Sequence[IndexRow], fact: str) -> None:
        """List indexes. fact: their number."""
        self.indexes.set_rows(tuple(rows))
        self.panel.set_fact(fact)

    def show_details(self, details: IndexDetails | None) -> None:
        """Show the details of one index, None = none is selected."""
        self.details.setVisible(details is not None)
        if details is not None:
            self.details.show_details(details)

    def show_building(self, building: Building | None) -> None:
        """Show the progress of a build or upload, None = none is running."""
        self.progress.setVisible(building is not None)
        self.build_button.setEnabled(building is None)
        self.details.upload_button.setEnabled(building is None)
        if building is not None:
            self.progress.show_building(building)

    def choose(self, name: str) -> None:
        """Select an index by its name."""
        for position, row in enumerate(self.indexes.rows()):
            if row.name == name:
                self.table.setCurrentIndex(self._sorted.mapFromSource(self.indexes.index(position, 0)))

    @Slot(QModelIndex, QModelIndex)
    def _emit_row(self, current: QModelIndex, _: QModelIndex) -> None:
        if current.isValid():
            self.row_selected.emit(self.indexes.row(self._sorted.mapToSource(current)).name)

    def _lay_out(self) -> None:
        self.panel.add(self.table, 1)
        buttons = hbox(self.build_button, Stretch(1), self.close_button, spacing=SMALL)
        column = QVBoxLayout(self)
        column.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        column.setSpacing(MEDIUM)
        column.addWidget(self.notice)
        column.addWidget(self.panel, 1)
        column.addWidget(self.progress)
        column.addWidget(self.details)
        column.addLayout(buttons)


class _DetailsPanel(Panel):
    """Details and actions of one index."""

    def __init__(self) -> None:
        super().__init__(tr("Index"))
        self.upload_button = link_button(tr("Upload to a server…"))
        self.upload_button.setToolTip(tr("Send the index to an Elasticsearch server"))
        self.copy_button = link_button(tr("Copy upload command"))
        self.copy_button.setToolTip(
            tr("Terminal command that uploads it to an Elasticsearch server; enter your server's address")
        )
        self.remove_button = link_button(tr("Remove…"))
        self.remove_button.setToolTip(tr("Delete the index from this computer; scores are kept"))
        self.problem = Notice()
        self.lines_label = Label("", Type.BODY, "text", wrap=True)
        self.lines_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._command = ""
        self.add_action(self.upload_button)
        self.add_action(self.copy_button)
        self.add_action(self.remove_button)
        self.copy_button.clicked.connect(self._copy)
        self.add(vbox(self.problem, self.lines_label, spacing=SMALL), padded=True)

    def show_details(self, details: IndexDetails) -> None:
        """Show the details of an index."""
        self._command = details.command
        self.set_title(details.title)
        self.set_fact(details.fact)
        self.problem.show_message(details.problem)
        self.lines_label.setText("\n".join(details.lines))
        self.upload_button.setVisible(bool(details.command))
        self.copy_button.setVisible(bool(details.command))
        self.remove_button.setVisible(details.can_remove)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)


class _BuildPanel(Panel):
    """Progress of the index that is being built or uploaded."""

    def __init__(self) -> None:
        super().__init__(tr("Building"))
        self.cancel_button = plain_button(tr("Cancel"))
        self.bar = ProgressBar(tr("Building or uploading the index"))
        self.progress_label = ElidedLabel("", Type.SMALL, "muted")
        self.add_action(self.cancel_button)
        self.add(vbox(self.bar, self.progress_label, spacing=SMALL), padded=True)

    def show_building(self, building: Building) -> None:
        """Show the progress of the build or upload."""
        self.set_title(
            tr("Uploading {name}", name=building.name)
            if building.is_upload
            else tr("Building {name}", name=building.name)
        )
        self.cancel_button.setToolTip(
            tr("Stop the upload; the next one continues where it stopped")
            if building.is_upload
            else tr("Stop building and delete the unfinished index")
        )
        self.progress_label.setText(building.text)
        self.bar.show_share(building.share)


def ask_removal(name: str, parent: QWidget) -> bool:
    """Ask whether an index may be deleted."""
    dialog = Dialog(tr("Remove the index {name}?", name=name), tr("Remove"), parent, icon="trash")
    explanation = tr(
        "The index is deleted from this computer. Existing scores are kept; to score with it "
        "again, rebuild the index."
    )
    dialog.body.addWidget(Label(explanation, wrap=True))
    dialog.cancel_button.setFocus()
    return bool(dialog.exec())


def _number(value: float) -> str:
    return format_count(value) if value else UNDEFINED


_COLUMNS: tuple[Column[IndexRow], ...] = (
    Column(tr("Index"), lambda row: row.title, cell_tip=lambda row: row.problem or row.title),
    Column(tr("Documents"), lambda row: row.documents, _number),
    Column(tr("Words"), lambda row: row.tokens, _number, tr("Number of words in all documents")),
    Column(tr("Size"), lambda row: row.size, format_known_bytes, tr("Size on disk")),
    Column(tr("Text analysis"), lambda row: row.analysis, tip=tr("Stemming and stop words")),
    Column(tr("Built"), lambda row: row.made),
    Column(tr("Sources"), lambda row: row.origin, cell_tip=lambda row: row.problem or row.origin),
)
