"""Index dialog: list of search indexes, details of one, progress of a build or upload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import UNDEFINED, format_count
from core.progress import Progress
from core.retrieval.index_store import DEFAULT_PARTS, ArticlePart
from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type
from gui.widgets.buttons import link_button, plain_button, primary_button
from gui.widgets.dialog import Dialog, ToolDialog
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import JobState, Notice
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One index.

    size: bytes. analysis: stemming and stop words. origin: sources it was built from.
    problem: why it cannot be used, empty = none.
    """

    name: str
    title: str
    documents: int
    tokens: int
    size: float
    analysis: str
    made: str
    origin: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class IndexDetails:
    """Details of one index.

    lines: facts, one per line. command: terminal command that uploads it to a server, empty = none.
    """

    title: str
    fact: str
    lines: tuple[str, ...]
    problem: str = ""
    command: str = ""
    can_remove: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """An index that is being built or uploaded."""

    name: str
    progress: Progress
    is_upload: bool = False


@dataclass(frozen=True, slots=True)
class UploadChoice:
    """Destination of an upload of an index.

    address: URL of the server, with or without the name there. mu: smoothing of its ranking.
    replaces: another index of that name may be replaced.
    """

    address: str
    mu: float
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class BuildChoices:
    """Choices that the build dialog offers.

    taken: names of existing indexes. name_pattern: regular expression for names.
    stemmers: keys with titles. tables: file name suffixes of tables.
    study: number of documents of the open study, 0 = none.
    articles: file name suffixes of PubMed citations, PMC articles and their archives.
    """

    taken: tuple[str, ...]
    name_pattern: str
    stemmers: tuple[tuple[str, str], ...]
    tables: tuple[str, ...]
    study: int = 0
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildChoice:
    """Sources and options of an index to build.

    from_study: include the documents of the open study. columns: of tables, empty = the usual names.
    parts: indexed parts of citations and articles.
    """

    name: str
    sources: tuple[Path, ...]
    from_study: bool
    stemmer: str
    drops_stop_words: bool
    id_column: str = ""
    title_column: str = ""
    text_column: str = ""
    parts: tuple[ArticlePart, ...] = DEFAULT_PARTS


WIDTH, HEIGHT = 1000, 560
_WIDTHS = {1: 112, 2: 112, 3: 76, 4: 160, 5: 104, 6: 160}


class IndexesDialog(ToolDialog):
    """List of indexes, with details and actions for the selected one."""

    is_kept = True
    help_page = "indexes"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Indexes"), (WIDTH, HEIGHT), parent)
        self.table = RowTable(tr("Indexes"), _COLUMNS)
        self.table.fit(0, _WIDTHS)
        self.notice = Notice(can_close=True)
        self.build_button = primary_button(tr("Build an index…"), "plus")
        self.build_button.setToolTip(tr("Build an index from text files, tables or this study's documents"))
        self.close_button = plain_button(tr("Close"))
        self.details = _DetailsPanel()
        self.progress = _BuildPanel()
        self.panel = Panel(tr("Indexes"))
        self.panel.add(self.table, 1)
        buttons = hbox(self.build_button, Stretch(1), self.close_button, spacing=SMALL)
        column = vbox(self.notice, (self.panel, 1), self.progress, parent=self, margins=LARGE, spacing=MEDIUM)
        column.addWidget(self.details)
        column.addLayout(buttons)
        self.close_button.clicked.connect(self.reject)
        self.show_building(None)

    def show_indexes(self, rows: Sequence[IndexRow], fact: str) -> None:
        """List indexes. fact: their number."""
        self.table.rows.set_rows(tuple(rows))
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
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._command))
        self.add(vbox(self.problem, self.lines_label, spacing=SMALL), padded=True)

    def show_details(self, details: IndexDetails) -> None:
        self._command = details.command
        self.set_title(details.title)
        self.set_fact(details.fact)
        self.problem.show_message(details.problem)
        self.lines_label.setText("\n".join(details.lines))
        self.upload_button.setVisible(bool(details.command))
        self.copy_button.setVisible(bool(details.command))
        self.remove_button.setVisible(details.can_remove)


class _BuildPanel(Panel):
    """Progress of the index that is being built or uploaded."""

    def __init__(self) -> None:
        super().__init__(tr("Building"))
        self.job = JobState(tr("Building or uploading the index"))
        self.add(vbox(self.job), padded=True)

    def show_building(self, building: Building) -> None:
        self.set_title(
            tr("Uploading {name}", name=building.name)
            if building.is_upload
            else tr("Building {name}", name=building.name)
        )
        self.job.stop_button.setToolTip(
            tr("Stop the upload; the next one continues where it stopped")
            if building.is_upload
            else tr("Stop building and delete the unfinished index")
        )
        self.job.show_progress(building.progress)


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
