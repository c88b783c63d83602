"""Import dialog: source, format, options and preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from core.errors import MAX_PROBLEMS
from core.progress import Progress
from gui.dialogs.import_data.file_patterns import FileNaming
from gui.dialogs.import_data.preview import ImportPreviewPanel
from gui.dialogs.import_data.values import FormatRow, ImportPreview
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.progress_bar import ProgressBar

COLUMNS_HEIGHT, MIN_COLUMNS_HEIGHT = 130, 44
_SHARE_OF_SCREEN = 0.9
"""Maximum height of the dialog when it opens, as a share of the screen."""
_OUTSIDE_HELP = (
    "A settings file can refer to any file on this computer. Texts outside the folder of the settings file "
    "are imported only if this is checked; the preview lists them."
)

NO_DOCUMENTS = "Source documents: those in the file"


class ImportDialog(Dialog):
    """Dialog with source, format, columns and options of an import, and its preview.

    Signals:
        file_requested, folder_requested: choose a source.
        documents_requested: choose a folder of source documents.
        format_changed, columns_changed, naming_changed: the user changed the option.
        recheck_requested: read the source again, with or without bad rows.
        import_requested: start the import.
    """

    help_page = "import-data"
    file_requested = Signal()
    folder_requested = Signal()
    documents_requested = Signal()
    format_changed = Signal()
    columns_changed = Signal()
    naming_changed = Signal()
    recheck_requested = Signal()
    import_requested = Signal()

    def __init__(self, formats: Sequence[FormatRow], parent: QWidget | None = None) -> None:
        super().__init__("Import", "Import", parent, width=BROAD, icon="import")
        self._formats = {f.name: f for f in formats}
        self.source_label = ElidedLabel("No file or folder chosen yet", Type.BODY, "muted")
        self.file_button = plain_button("File…", "texts")
        self.folder_button = plain_button("Folder…", "folder")
        self.format_box = QComboBox()
        for known in formats:
            self.format_box.addItem(known.title, known.name)
        self.about_label = Label("", Type.SMALL, "muted", wrap=True)
        self._columns, self._columns_area = QGridLayout(), QScrollArea()
        self._boxes: dict[str, QComboBox] = {}
        self.naming = FileNaming()
        self.documents_label = ElidedLabel(NO_DOCUMENTS, Type.BODY, "muted")
        self.documents_button = plain_button("Source documents…", "folder")
        self._documents = ""
        self._documents_row = QWidget()
        self.outside_box = QCheckBox("Read texts outside the folder of the file")
        self.outside_box.setToolTip(_OUTSIDE_HELP)
        self.preview = ImportPreviewPanel()
        self.counts, self.problems = self.preview.counts, self.preview.problems
        self.notice = Notice()
        self.recheck_button = plain_button("Check again", "refresh")
        self.skip_box = QCheckBox("Skip bad rows")
        self.skip_box.setToolTip("Import only valid rows; skipped rows are listed under “Notes”.")
        self.bar = ProgressBar("Reading")
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self._lay_out()
        self._connect()
        self.show_source("")
        room = self.screen().availableGeometry().height() * _SHARE_OF_SCREEN
        self.resize(self.width(), min(self.sizeHint().height(), round(room)))
        self.file_button.setFocus()

    @property
    def chosen_format(self) -> str:
        """The name of the chosen format."""
        return str(self.format_box.currentData())

    def column_box(self, name: str) -> QComboBox:
        """Return the box that chooses the file's column for an expected one."""
        return self._boxes[name]

    @property
    def mapping(self) -> dict[str, str]:
        """Map of expected column names to the file's, where they differ."""
        pairs = ((name, str(box.currentData())) for name, box in self._boxes.items())
        return {name: column for name, column in pairs if column not in ("", name)}

    @property
    def naming_options(self) -> dict[str, str]:
        """Options for file names and referenced texts, as far as the format has them."""
        chosen = self._formats[self.chosen_format]
        if chosen.names_texts and self.outside_box.isChecked():
            return {"outside": "anywhere"}
        return self.naming.options if chosen.names_files else {}

    @property
    def skips_bad_rows(self) -> bool:
        """Whether rows with problems are skipped."""
        return self._formats[self.chosen_format].has_rows and self.skip_box.isChecked()

    @property
    def documents(self) -> str:
        """The folder of source documents, empty = none or not used by the format."""
        return self._documents if self._formats[self.chosen_format].takes_documents else ""

    def show_documents(self, folder: str) -> None:
        """Show the folder of source documents, empty = none."""
        self._documents = folder
        self.documents_label.setText(folder or NO_DOCUMENTS)

    def show_source(self, path: str) -> None:
        """Show the source and enable the other controls; empty = no source."""
        self.source_label.setText(path or "No file or folder chosen yet")
        self.skip_box.setChecked(False)
        self.recheck_button.setEnabled(bool(path))
        self.outside_box.setChecked(False)  # the permission holds for one source only
        self.format_box.setEnabled(bool(path))
        self.show_preview(None)

    def show_format(self, name: str) -> None:
        """Select the detected format of the source."""
        index = self.format_box.findData(name)
        if index >= 0:
            self.format_box.setCurrentIndex(index)
        self._describe_format()

    def show_columns(self, names: Sequence[str], file_columns: Sequence[str]) -> None:
        """Show a box for each expected column with the columns of the file; none hides the boxes."""
        self._boxes.clear()
        while (item := self._columns.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for index, name in enumerate(names):
            box = self._column_box(name, file_columns)
            self._boxes[name] = box
            row, column = divmod(index, 3)
            self._columns.addWidget(Label(name, Type.SMALL, "muted"), row, 2 * column)
            self._columns.addWidget(box, row, 2 * column + 1)
        self._columns_area.setVisible(bool(names))

    def map_columns(self, mapping: Mapping[str, str]) -> None:
        """Select columns of the file for expected columns, if the file still has them."""
        for name, column in mapping.items():
            if name in self._boxes and (index := self._boxes[name].findData(column)) >= 0:
                self._boxes[name].setCurrentIndex(index)

    def show_busy(self, progress: Progress) -> None:
        """Show progress and disable the import."""
        self.bar.show()
        self.bar.show_progress(progress)
        self.state_label.setText(progress.note or "Reading")
        self.accept_button.setEnabled(False)

    def show_preview(self, preview: ImportPreview | None) -> None:
        """Show the preview of the import; None = nothing was read yet."""
        self.bar.hide()
        known = preview or ImportPreview()
        self.preview.show_preview(known)
        self.accept_button.setEnabled(known.can_import)
        self.notice.show_message(_summary(known))
        can_skip = self._formats[self.chosen_format].has_rows
        self.skip_box.setVisible(
            can_skip and bool(known.problems or known.skipped or self.skip_box.isChecked())
        )
        self.state_label.setText(_state(preview))

    def show_error(self, message: str) -> None:
        """Show why the source could not be read or imported."""
        self.show_preview(None)
        self.notice.show_message(message)

    def _column_box(self, name: str, file_columns: Sequence[str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"Column for {name}")
        box.addItem("–", "")
        for column in file_columns:
            box.addItem(column, column)
        box.setCurrentIndex(max(box.findData(name), 0))
        box.activated.connect(self.columns_changed)
        return box

    def _describe_format(self) -> None:
        chosen = self._formats[self.chosen_format]
        self.about_label.setText(chosen.about)
        self.naming.setVisible(chosen.names_files)
        self._documents_row.setVisible(chosen.takes_documents)
        self.outside_box.setVisible(chosen.names_texts)

    def _connect(self) -> None:
        self.accept_button.clicked.disconnect()
        self.accept_button.clicked.connect(self.import_requested)
        self.file_button.clicked.connect(self.file_requested)
        self.folder_button.clicked.connect(self.folder_requested)
        self.documents_button.clicked.connect(self.documents_requested)
        self.format_box.activated.connect(self._describe_format)
        self.format_box.activated.connect(self.format_changed)
        self.naming.changed.connect(self.naming_changed)
        self.outside_box.clicked.connect(self.naming_changed)
        self.recheck_button.clicked.connect(self.recheck_requested)
        self.skip_box.clicked.connect(self.recheck_requested)
        self._describe_format()

    def _lay_out(self) -> None:
        source = QHBoxLayout()
        source.setSpacing(SMALL)
        source.addWidget(self.source_label, 1)
        source.addWidget(self.file_button)
        source.addWidget(self.folder_button)
        self.body.addLayout(source)
        self.add_field("Format", self.format_box)
        self.body.addWidget(self.about_label)
        inside = QWidget()
        inside.setLayout(self._columns)
        self._columns.setHorizontalSpacing(SMALL)
        self._columns.setVerticalSpacing(SMALL)
        self._columns_area.setWidget(inside)
        self._columns_area.setWidgetResizable(True)
        self._columns_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._columns_area.setMinimumHeight(px(MIN_COLUMNS_HEIGHT))
        self._columns_area.setMaximumHeight(px(COLUMNS_HEIGHT))
        self._columns_area.hide()
        self.body.addWidget(self._columns_area)
        self.body.addWidget(self.naming)
        documents = QHBoxLayout(self._documents_row)
        documents.setContentsMargins(0, 0, 0, 0)
        documents.setSpacing(SMALL)
        documents.addWidget(self.documents_label, 1)
        documents.addWidget(self.documents_button)
        self.body.addWidget(self._documents_row)
        self.body.addWidget(self.outside_box)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.preview, 1)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.state_label)
        self._buttons.insertWidget(0, self.recheck_button)
        self._buttons.insertWidget(1, self.skip_box)


def _summary(preview: ImportPreview) -> str:
    if preview.problems:
        many = len(preview.problems)
        more = " or more" if many >= MAX_PROBLEMS else ""  # reading stops there
        counted = f"{many:,}{more} problem{'s' if many != 1 else ''}"
        return f"{counted}. Fix {'it' if many == 1 else 'them'} to import."
    sentences = []
    if preview.skipped:
        many = len(preview.skipped)
        sentences.append(f"{many:,} bad {'row' if many == 1 else 'rows'} will be skipped: see “Notes”.")
    if preview.different:
        names = ", ".join(preview.different[:3]) + ("…" if len(preview.different) > 3 else "")
        sentences.append(f"{len(preview.different):,} differ from the study and are not imported: {names}")
    if preview.notices:
        many = len(preview.notices)
        sentences.append(f"{many:,} {'note' if many == 1 else 'notes'} on the files: see “Notes”.")
    return " ".join(sentences)


def _state(preview: ImportPreview | None) -> str:
    if preview is None or preview.problems:
        return ""
    if not preview.can_import:
        return "Nothing new: the study already contains everything in the source."
    return "Preview only. Nothing has been imported yet."
