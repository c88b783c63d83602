"""Index dialog: list of search indexes, details of one, progress of a build or upload."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRegularExpression, Qt, Slot
from PySide6.QtGui import QGuiApplication, QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QListWidget, QWidget

from core.files.study_address import StudyAddress
from core.formatting.numbers import UNDEFINED, format_count, format_known_bytes
from core.progress import Progress
from core.retrieval.analysis import Analysis
from core.retrieval.index_store import (
    ARCHIVE_SUFFIXES,
    ARTICLE_PARTS,
    ARTICLE_SUFFIXES,
    DEFAULT_PARTS,
    NAME_PATTERN,
    TABLE_SUFFIXES,
    ArticlePart,
    DocumentColumns,
    IndexRequest,
    StoredIndex,
)
from core.retrieval.protocols import DEFAULT_MU, STUDY_INDEX
from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button, primary_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import BROAD, Dialog, ToolDialog
from gui.widgets.file_dialogs import ask_files, ask_folder
from gui.widgets.label import Label
from gui.widgets.layouts import Gap, Stretch, extend, hbox, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import JobState, Notice
from gui.widgets.panel import Panel

LIST_HEIGHT = 96
_ARTICLES = (*ARTICLE_SUFFIXES, *ARCHIVE_SUFFIXES)
_FIELDS = (
    ("id", tr("ID column"), "id, docno, pmid …"),
    ("title", tr("Title column"), tr("title, if present")),
    ("text", tr("Text column"), "text, abstract, body …"),
)


class BuildDialog(Dialog):
    """Form for the sources, the text analysis and the name of a new index.

    taken: names of existing indexes. study, documents: the open study and how many it has; None = no study.
    ask_folder, ask_files: ask for a folder or files; None or an empty list = cancelled.
    """

    help_page = "indexes#build-an-index"

    def __init__(
        self,
        taken: Collection[str],
        study: StudyAddress | None,
        documents: int,
        ask_folder: Callable[[], Path | None],
        ask_files: Callable[[], list[Path]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Build an index"), tr("Build"), parent, width=BROAD, icon="plus")
        self._taken, self._study, self._ask_folder, self._ask_files = taken, study, ask_folder, ask_files
        self._sources: list[Path] = []
        self._is_named, self._has_documents = False, documents > 0
        self.source_list = QListWidget()
        self.source_list.setAccessibleName(tr("Files and folders"))
        self.source_list.setFixedHeight(px(LIST_HEIGHT))
        self.folder_button = link_button(tr("Add a folder…"), "folder")
        self.folder_button.setToolTip(
            tr(
                "Adds every .txt file in the folder and its subfolders as a document; without .txt "
                "files, its PubMed and PMC files"
            )
        )
        self.files_button = link_button(tr("Add files…"), "plus")
        self.files_button.setToolTip(
            tr("Tables with one document per row, PubMed and PMC files, text files, or other studies")
        )
        self.remove_button = link_button(tr("Remove"))
        self.remove_button.setToolTip(tr("Remove the selected file or folder from this list"))
        self.study_box = QCheckBox(tr("This study's {study}", study=tr("%n documents", "", documents)))
        self.study_box.setAccessibleName(tr("This study's documents"))
        self.columns = {key: QLineEdit() for key, _, _ in _FIELDS}
        self._columns_row = QWidget()
        self.part_boxes = {part: QCheckBox(part.capitalize()) for part in ARTICLE_PARTS}
        for part, box in self.part_boxes.items():
            box.setChecked(part in DEFAULT_PARTS)
        self._parts_row = QWidget()
        self.stemmer_box = ComboBox(choices=STEMMERS)
        self.stop_words_box = QCheckBox(tr("Remove English stop words"))
        self.stop_words_box.setChecked(True)
        self.name_edit = QLineEdit()
        self.name_edit.setValidator(QRegularExpressionValidator(QRegularExpression(NAME_PATTERN), self))
        self.taken_label = Label("", Type.SMALL, "warning", wrap=True)
        self._lay_out()
        self._connect()
        self._update()

    @property
    def request(self) -> IndexRequest:
        """The chosen sources and options; the dialog has warned if an index is replaced."""
        own = (self._study,) if self._study is not None and self.study_box.isChecked() else ()
        return IndexRequest(
            self.name_edit.text(),
            (*own, *self._sources),
            Analysis(self.stemmer_box.currentData(), self.stop_words_box.isChecked()),
            DocumentColumns(*(self.columns[key].text().strip() for key, _, _ in _FIELDS)),
            replaces=True,
            parts=self._parts,
        )

    def add_sources(self, paths: list[Path]) -> None:
        """Add files and folders; the first one suggests a name unless the user typed one."""
        self._sources += [path for path in paths if path not in self._sources]
        if self._sources and not self._is_named:
            self.name_edit.setText(_suggested_name(self._sources[0]))
        self._show_sources()

    @property
    def _parts(self) -> tuple[ArticlePart, ...]:
        return tuple(part for part, box in self.part_boxes.items() if box.isChecked())

    @Slot()
    def _add_folder(self) -> None:
        if (path := self._ask_folder()) is not None:
            self.add_sources([path])

    @Slot()
    def _remove(self) -> None:
        if (at := self.source_list.currentRow()) >= 0:
            del self._sources[at]
            self._show_sources()

    def _show_sources(self) -> None:
        self.source_list.clear()
        self.source_list.addItems([str(path) for path in self._sources])
        self._update()

    @Slot()
    def _update(self) -> None:
        """Show the controls that the sources need, and enable the button if the form is complete."""
        names = [path.name.lower() for path in self._sources]
        tables = (*TABLE_SUFFIXES, *(f"{suffix}.gz" for suffix in TABLE_SUFFIXES))
        self._columns_row.setVisible(any(name.endswith(tables) for name in names))
        has_articles = any(path.is_dir() for path in self._sources) or any(
            name.removesuffix(".gz").endswith(_ARTICLES) for name in names
        )
        self._parts_row.setVisible(has_articles)
        self.remove_button.setEnabled(self.source_list.currentRow() >= 0)
        name = self.name_edit.text()
        is_taken = name in self._taken
        self.taken_label.setText(tr("The index {name} will be replaced.", name=name) if is_taken else "")
        self.taken_label.setVisible(is_taken)
        has_source = bool(self._sources) or self.study_box.isChecked()
        has_parts = bool(self._parts) or not has_articles
        self.accept_button.setEnabled(has_source and has_parts and self.name_edit.hasAcceptableInput())

    @Slot()
    def _mark_named(self) -> None:
        self._is_named = True

    def _connect(self) -> None:
        self.folder_button.clicked.connect(self._add_folder)
        self.files_button.clicked.connect(lambda: self.add_sources(self._ask_files()))
        self.remove_button.clicked.connect(self._remove)
        self.source_list.currentRowChanged.connect(self._update)
        self.study_box.toggled.connect(self._update)
        for box in self.part_boxes.values():
            box.toggled.connect(self._update)
        self.name_edit.textChanged.connect(self._update)
        self.name_edit.textEdited.connect(self._mark_named)

    def _lay_out(self) -> None:
        buttons = hbox(self.folder_button, self.files_button, Stretch(1), self.remove_button)
        label = Label(tr("Files and folders"), Type.STRONG)
        label.setBuddy(self.source_list)
        extend(self.body, label, self.source_list, buttons)
        self.study_box.setVisible(self._has_documents)
        extend(self.body, self.study_box, Gap(SMALL))
        self._lay_out_columns()
        self.body.addWidget(self._columns_row)
        self._lay_out_parts()
        self.body.addWidget(self._parts_row)
        self.add_field(tr("Stemming"), self.stemmer_box)
        extend(self.body, self.stop_words_box, Gap(SMALL))
        self.add_field(
            tr("Name"),
            self.name_edit,
            tr("Letters and digits; also - _ . after the first character. SERA refers to it by this name."),
        )
        self.body.addWidget(self.taken_label)

    def _lay_out_columns(self) -> None:
        row = hbox(parent=self._columns_row, margins=(0, 0, 0, SMALL), spacing=SMALL)
        for key, title, placeholder in _FIELDS:
            field = self.columns[key]
            field.setPlaceholderText(placeholder)
            field.setAccessibleName(title)
            field.setToolTip(tr("Name of the column in the tables, if it is not one of the usual names"))
            row.addLayout(vbox(Label(title, Type.SMALL, "muted"), field))

    def _lay_out_parts(self) -> None:
        row = hbox(parent=self._parts_row, margins=(0, 0, 0, SMALL), spacing=SMALL)
        row.addWidget(Label(tr("PubMed and PMC"), Type.SMALL, "muted"))
        for part, box in self.part_boxes.items():
            box.setAccessibleName(tr("Index the {part} of citations and articles", part=part))
            row.addWidget(box)
        row.addStretch(1)


def ask_build(
    taken: Collection[str], study: StudyAddress | None, documents: int, parent: QWidget
) -> IndexRequest | None:
    """Ask for the sources and options of a new index, as `BuildDialog` says; None = cancelled."""
    plain = (*TABLE_SUFFIXES, *_ARTICLES)
    packed = tuple(f"{suffix}.gz" for suffix in plain if not suffix.endswith(".gz"))
    kinds = " ".join(f"*{suffix}" for suffix in (*plain, *packed, ".txt", ".pyramidion"))

    def ask_documents() -> list[Path]:
        return ask_files(dialog, tr("Select files with documents"), tr("Documents ({kinds})", kinds=kinds))

    where = tr("Select a folder of texts")
    dialog = BuildDialog(taken, study, documents, lambda: ask_folder(dialog, where), ask_documents, parent)
    return dialog.request if dialog.exec() else None


def _suggested_name(path: Path) -> str:
    """Return an index name made from a file name; characters that are not allowed become hyphens."""
    stem = path.with_suffix("").stem if path.suffix.lower() == ".gz" else path.stem
    name = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in stem)
    return name.strip("-_.")[:80] or "index"


_LEAST_MU, _MOST_MU = 0.1, 1e6


class UploadDialog(Dialog):
    """Form for the address of a server and the ranking there. name: of the index here."""

    help_page = "indexes#elasticsearch"

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Upload {name} to a server", name=name), tr("Upload"), parent, width=BROAD)
        self.address_edit = QLineEdit()
        self.address_edit.setPlaceholderText(f"https://localhost:9200/{name.lower()}")
        self.mu_box = QDoubleSpinBox()
        self.mu_box.setDecimals(1)
        self.mu_box.setRange(_LEAST_MU, _MOST_MU)
        self.mu_box.setValue(DEFAULT_MU)
        self.replace_box = QCheckBox(tr("Replace another index of that name"))
        self.replace_box.setToolTip(tr("The old index is searched until this one is complete, then removed"))
        self.add_field(
            tr("Address"),
            self.address_edit,
            tr(
                "URL of an Elasticsearch server, version 8 or 9. The index is called {lower} there, "
                "or as the address ends.",
                lower=name.lower(),
            ),
        )
        self.add_field("Mu", self.mu_box, tr("Smoothing of the ranking. SERA needs the same value."))
        extend(self.body, self.replace_box, Gap(SMALL))
        self.body.addWidget(
            Label(
                tr(
                    "An API key or password is read from the environment, see Indexes in the help. An "
                    "interrupted upload continues where it stopped."
                ),
                wrap=True,
            )
        )
        self.address_edit.textChanged.connect(self._update)
        self._update()
        self.address_edit.setFocus()

    @property
    def choice(self) -> UploadChoice:
        return UploadChoice(
            self.address_edit.text().strip(), self.mu_box.value(), self.replace_box.isChecked()
        )

    @Slot()
    def _update(self) -> None:
        self.accept_button.setEnabled(bool(self.address_edit.text().strip()))


def ask_upload(name: str, parent: QWidget) -> UploadChoice | None:
    """Ask where to upload an index; None = cancelled."""
    dialog = UploadDialog(name, parent)
    return dialog.choice if dialog.exec() else None


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
        self.progress, self.job = Panel(tr("Building")), JobState(tr("Building or uploading the index"))
        self.progress.add(vbox(self.job), padded=True)
        self.panel = Panel(tr("Indexes"))
        self.panel.add((self.table, 1))
        buttons = hbox(self.build_button, Stretch(1), self.close_button, spacing=SMALL)
        parts = self.notice, (self.panel, 1), self.progress, self.details, buttons
        vbox(*parts, parent=self, margins=LARGE, spacing=MEDIUM)
        self.close_button.clicked.connect(self.reject)
        self.show_building(None)

    def show_indexes(self, rows: Sequence[StoredIndex], fact: str) -> None:
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
        if building is None:
            return
        if building.is_upload:
            self.progress.set_title(tr("Uploading {name}", name=building.name))
            self.job.stop_button.setToolTip(tr("Stop the upload; the next one continues where it stopped"))
        else:
            self.progress.set_title(tr("Building {name}", name=building.name))
            self.job.stop_button.setToolTip(tr("Stop building and delete the unfinished index"))
        self.job.show_progress(building.progress)


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
        self.add_action(self.upload_button, self.copy_button, self.remove_button)
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


STEMMERS = (
    ("porter", tr("Porter stemmer")),
    ("english", tr("English stemmer (Porter 2)")),
    ("none", tr("No stemming")),
)
OWN = tr("This study's documents")
_WITHOUT = tr(", stop words removed")


def analysis_text(analysis: str) -> str:
    """Return a text analysis in words: ``Porter stemmer, stop words removed``."""
    stemmer, _, stops = analysis.partition("-")
    title = dict(STEMMERS).get(stemmer, stemmer)
    return f"{title}{_WITHOUT}" if stops.startswith("without") else tr("{title}, all words", title=title)


def _title(one: StoredIndex) -> str:
    return OWN if one.name == STUDY_INDEX else one.name


def _analysis(one: StoredIndex) -> str:
    if one.name == STUDY_INDEX:
        return tr("set in SERA")
    return "" if one.problem else analysis_text(one.analysis).removesuffix(_WITHOUT)


def _origin(one: StoredIndex) -> str:
    if one.name == STUDY_INDEX:
        return tr("this study")
    return tr("not usable") if one.problem else ", ".join(one.sources)


_COLUMNS: tuple[Column[StoredIndex], ...] = (
    Column(tr("Index"), _title, cell_tip=lambda one: one.problem or _title(one)),
    Column(tr("Documents"), lambda one: one.documents, _number),
    Column(tr("Words"), lambda one: one.tokens, _number, tr("Number of words in all documents")),
    Column(tr("Size"), lambda one: float(one.bytes), format_known_bytes, tr("Size on disk")),
    Column(tr("Text analysis"), _analysis, tip=tr("Stemming and stop words")),
    Column(tr("Built"), lambda one: one.made),
    Column(tr("Sources"), _origin, cell_tip=lambda one: one.problem or _origin(one)),
)
