"""Dialog that asks for the documents and options of a new index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRegularExpression, Slot
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QListWidget, QWidget

from core.retrieval.index_store import ARTICLE_PARTS, DEFAULT_PARTS, ArticlePart
from core.retrieval.protocols import DEFAULT_MU
from gui.dialogs.indexes.view import BuildChoice, BuildChoices, UploadChoice
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.file_dialogs import ask_files, ask_folder
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, vbox

LIST_HEIGHT = 96
_COLUMNS = (
    ("id", tr("ID column"), "id, docno, pmid …"),
    ("title", tr("Title column"), tr("title, if present")),
    ("text", tr("Text column"), "text, abstract, body …"),
)


class BuildDialog(Dialog):
    """Form for the sources, the text analysis and the name of a new index.

    ask_folder, ask_files: ask for a folder or files; None or an empty list = cancelled.
    """

    help_page = "indexes#build-an-index"

    def __init__(
        self,
        choices: BuildChoices,
        ask_folder: Callable[[], Path | None],
        ask_files: Callable[[], list[Path]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Build an index"), tr("Build"), parent, width=BROAD, icon="plus")
        self._choices, self._ask_folder, self._ask_files = choices, ask_folder, ask_files
        self._sources: list[Path] = []
        self._is_named = False
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
        self.study_box = QCheckBox(tr("This study's {study}", study=tr("%n documents", "", choices.study)))
        self.study_box.setAccessibleName(tr("This study's documents"))
        self.columns = {key: QLineEdit() for key, _, _ in _COLUMNS}
        self._columns_row = QWidget()
        self.part_boxes = {part: QCheckBox(part.capitalize()) for part in ARTICLE_PARTS}
        for part, box in self.part_boxes.items():
            box.setChecked(part in DEFAULT_PARTS)
        self._parts_row = QWidget()
        self.stemmer_box = ComboBox(choices=choices.stemmers)
        self.stop_words_box = QCheckBox(tr("Remove English stop words"))
        self.stop_words_box.setChecked(True)
        self.name_edit = QLineEdit()
        self.name_edit.setValidator(
            QRegularExpressionValidator(QRegularExpression(choices.name_pattern), self)
        )
        self.taken_label = Label("", Type.SMALL, "warning", wrap=True)
        self._lay_out()
        self._connect()
        self._update()

    @property
    def choice(self) -> BuildChoice:
        """The chosen sources and options."""
        return BuildChoice(
            self.name_edit.text(),
            tuple(self._sources),
            self.study_box.isChecked(),
            str(self.stemmer_box.currentData()),
            self.stop_words_box.isChecked(),
            self.columns["id"].text().strip(),
            self.columns["title"].text().strip(),
            self.columns["text"].text().strip(),
            self._parts,
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
        tables = (*self._choices.tables, *(f"{suffix}.gz" for suffix in self._choices.tables))
        self._columns_row.setVisible(any(name.endswith(tables) for name in names))
        has_articles = any(path.is_dir() for path in self._sources) or any(
            name.removesuffix(".gz").endswith(self._choices.articles) for name in names
        )
        self._parts_row.setVisible(has_articles)
        self.remove_button.setEnabled(self.source_list.currentRow() >= 0)
        name = self.name_edit.text()
        is_taken = name in self._choices.taken
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
        self.body.addWidget(label)
        self.body.addWidget(self.source_list)
        self.body.addLayout(buttons)
        self.study_box.setVisible(self._choices.study > 0)
        self.body.addWidget(self.study_box)
        self.body.addSpacing(SMALL)
        self._lay_out_columns()
        self.body.addWidget(self._columns_row)
        self._lay_out_parts()
        self.body.addWidget(self._parts_row)
        self.add_field(tr("Stemming"), self.stemmer_box)
        self.body.addWidget(self.stop_words_box)
        self.body.addSpacing(SMALL)
        self.add_field(
            tr("Name"),
            self.name_edit,
            tr("Letters and digits; also - _ . after the first character. SERA refers to it by this name."),
        )
        self.body.addWidget(self.taken_label)

    def _lay_out_columns(self) -> None:
        row = hbox(parent=self._columns_row, margins=(0, 0, 0, SMALL), spacing=SMALL)
        for key, title, placeholder in _COLUMNS:
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


def ask_build(choices: BuildChoices, parent: QWidget) -> BuildChoice | None:
    """Ask for the sources and options of a new index; None = cancelled."""
    plain = (*choices.tables, *choices.articles)
    packed = tuple(f"{suffix}.gz" for suffix in plain if not suffix.endswith(".gz"))
    kinds = " ".join(f"*{suffix}" for suffix in (*plain, *packed, ".txt", ".pyramidion"))

    def ask_documents() -> list[Path]:
        return ask_files(dialog, tr("Select files with documents"), tr("Documents ({kinds})", kinds=kinds))

    dialog = BuildDialog(
        choices, lambda: ask_folder(dialog, tr("Select a folder of texts")), ask_documents, parent
    )
    return dialog.choice if dialog.exec() else None


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
        self._lay_out(name)
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

    def _lay_out(self, name: str) -> None:
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
        self.body.addWidget(self.replace_box)
        self.body.addSpacing(SMALL)
        self.body.addWidget(
            Label(
                tr(
                    "An API key or password is read from the environment, see Indexes in the help. An "
                    "interrupted upload continues where it stopped."
                ),
                wrap=True,
            )
        )


def ask_upload(name: str, parent: QWidget) -> UploadChoice | None:
    """Ask where to upload an index; None = cancelled."""
    dialog = UploadDialog(name, parent)
    return dialog.choice if dialog.exec() else None
