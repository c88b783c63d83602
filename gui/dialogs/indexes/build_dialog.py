"""The question what an index is to be built from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRegularExpression, Slot
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from core.formatting.numbers import pluralize
from gui.dialogs.indexes.values import BuildChoices, BuildWish
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.file_dialogs import ask_files, ask_folder
from gui.widgets.label import Label

LIST_HEIGHT = 96
_COLUMNS = (
    ("id", "Column of ids", "id, docno, pmid …"),
    ("title", "Column of titles", "title, if there is one"),
    ("text", "Column of texts", "text, abstract, body …"),
)


class BuildDialog(Dialog):
    """Files, folders and the study's documents, how words are made, a name; `wish` is what was chosen.

    ask_folder, ask_files: ask for some, None or nothing = none were chosen.
    """

    def __init__(
        self,
        choices: BuildChoices,
        ask_folder: Callable[[], Path | None],
        ask_files: Callable[[], list[Path]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("What should be searched?", "Build", parent, width=BROAD, icon="plus")
        self._choices, self._ask_folder, self._ask_files = choices, ask_folder, ask_files
        self._sources: list[Path] = []
        self._is_named = False
        self.source_list = QListWidget()
        self.source_list.setAccessibleName("Files and folders")
        self.source_list.setFixedHeight(px(LIST_HEIGHT))
        self.folder_button = link_button("Add a folder…", "folder")
        self.folder_button.setToolTip("Every .txt file in it, at any depth, is a document")
        self.files_button = link_button("Add files…", "plus")
        self.files_button.setToolTip("Tables with a document in each row, text files, other studies")
        self.drop_button = link_button("Take out")
        self.drop_button.setToolTip("Take the chosen one off this list")
        self.study_box = QCheckBox(f"This study's {pluralize(choices.study, 'document')}")
        self.study_box.setAccessibleName("This study's documents")
        self.columns = {key: QLineEdit() for key, _, _ in _COLUMNS}
        self._columns_row = QWidget()
        self.stemmer_box = QComboBox()
        for key, title in choices.stemmers:
            self.stemmer_box.addItem(title, key)
        self.stop_words_box = QCheckBox("Leave out English stop words")
        self.stop_words_box.setChecked(True)
        self.name_edit = QLineEdit()
        self.name_edit.setValidator(
            QRegularExpressionValidator(QRegularExpression(choices.name_pattern), self)
        )
        self.taken_label = Label("", Type.SMALL, "warning", wrap=True)
        self._lay_out()
        self._connect()
        self._look()

    @property
    def wish(self) -> BuildWish:
        """What was chosen."""
        return BuildWish(
            self.name_edit.text(),
            tuple(self._sources),
            self.study_box.isChecked(),
            str(self.stemmer_box.currentData()),
            self.stop_words_box.isChecked(),
            *(self.columns[key].text().strip() for key, _, _ in _COLUMNS),
        )

    def add_sources(self, paths: list[Path]) -> None:
        """Put files and folders on the list; a name is made of the first."""
        self._sources += [path for path in paths if path not in self._sources]
        if self._sources and not self._is_named:
            self.name_edit.setText(_name_of(self._sources[0]))
        self._show_sources()

    @Slot()
    def _add_folder(self) -> None:
        if (path := self._ask_folder()) is not None:
            self.add_sources([path])

    @Slot()
    def _add_files(self) -> None:
        self.add_sources(self._ask_files())

    @Slot()
    def _drop(self) -> None:
        if (at := self.source_list.currentRow()) >= 0:
            del self._sources[at]
            self._show_sources()

    def _show_sources(self) -> None:
        self.source_list.clear()
        self.source_list.addItems([str(path) for path in self._sources])
        self._look()

    @Slot()
    def _look(self) -> None:
        """Show what the choices ask for, and whether they are enough."""
        tables = [path for path in self._sources if path.suffix.lower() in self._choices.tables]
        self._columns_row.setVisible(bool(tables))
        self.drop_button.setEnabled(self.source_list.currentRow() >= 0)
        name = self.name_edit.text()
        is_taken = name in self._choices.taken
        self.taken_label.setText(f"The index {name} will be replaced." if is_taken else "")
        self.taken_label.setVisible(is_taken)
        has_source = bool(self._sources) or self.study_box.isChecked()
        self.accept_button.setEnabled(has_source and self.name_edit.hasAcceptableInput())

    @Slot()
    def _be_named(self) -> None:
        self._is_named = True

    def _connect(self) -> None:
        self.folder_button.clicked.connect(self._add_folder)
        self.files_button.clicked.connect(self._add_files)
        self.drop_button.clicked.connect(self._drop)
        self.source_list.currentRowChanged.connect(self._look)
        self.study_box.toggled.connect(self._look)
        self.name_edit.textChanged.connect(self._look)
        self.name_edit.textEdited.connect(self._be_named)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.folder_button, self.files_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.drop_button)
        label = Label("Files and folders", Type.STRONG)
        label.setBuddy(self.source_list)
        self.body.addWidget(label)
        self.body.addWidget(self.source_list)
        self.body.addLayout(buttons)
        self.study_box.setVisible(self._choices.study > 0)
        self.body.addWidget(self.study_box)
        self.body.addSpacing(SMALL)
        self._lay_out_columns()
        self.body.addWidget(self._columns_row)
        self.add_field("Words", self.stemmer_box)
        self.body.addWidget(self.stop_words_box)
        self.body.addSpacing(SMALL)
        self.add_field(
            "Name", self.name_edit, "Letters, digits, and - _ . after the first; SERA finds it by it."
        )
        self.body.addWidget(self.taken_label)

    def _lay_out_columns(self) -> None:
        row = QHBoxLayout(self._columns_row)
        row.setContentsMargins(0, 0, 0, SMALL)
        row.setSpacing(SMALL)
        for key, title, usual in _COLUMNS:
            field = self.columns[key]
            field.setPlaceholderText(usual)
            field.setAccessibleName(title)
            field.setToolTip("What the tables call it, where it is none of the usual names")
            column = QVBoxLayout()
            column.addWidget(Label(title, Type.SMALL, "muted"))
            column.addWidget(field)
            row.addLayout(column)


def ask_build(choices: BuildChoices, parent: QWidget) -> BuildWish | None:
    """What to build, None = nothing."""
    kinds = " ".join(f"*{suffix}" for suffix in (*choices.tables, ".txt", ".pyramidion"))

    def ask_documents() -> list[Path]:
        return ask_files(dialog, "Which files hold the documents?", f"Documents ({kinds})")

    dialog = BuildDialog(
        choices, lambda: ask_folder(dialog, "Which folder holds the texts?"), ask_documents, parent
    )
    return dialog.wish if dialog.exec() else None


def _name_of(path: Path) -> str:
    """A name for an index, made of a file's: other signs become hyphens."""
    made = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "-" for sign in path.stem
    )
    return made.strip("-_.")[:80] or "index"
