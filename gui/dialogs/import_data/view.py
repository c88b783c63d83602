"""The import: choose, see what will happen, then let it happen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from core.errors import MAX_PROBLEMS
from core.progress import Progress
from gui.dialogs.import_data.file_patterns import FileNaming
from gui.dialogs.import_data.preview import ImportFindings
from gui.dialogs.import_data.values import FormatRow, ImportPreview
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.progress_bar import ProgressBar

COLUMNS_HEIGHT, LEAST_COLUMNS_HEIGHT = 130, 44
_SHARE_OF_SCREEN = 0.9
"""How high the dialog is at most when it opens."""
_OUTSIDE_HELP = (
    "A settings file can name any file of this computer. Texts outside of its own folder become part of the "
    "study only if this is checked; the preview lists them."
)

NO_DOCUMENTS = "Source documents: as in the file"


class ImportDialog(Dialog):
    """Source, format, columns, a table of what would be added, and what is wrong.

    Signals:
        file_requested, folder_requested: choose a source.
        documents_requested: choose a folder with the source documents.
        format_changed, columns_changed, naming_changed: the user chose another one.
        recheck_requested: the source is to be read once more, with bad rows or without.
        import_requested.
    """

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
        self.outside_box = QCheckBox("Also read the texts outside of the file's folder")
        self.outside_box.setToolTip(_OUTSIDE_HELP)
        self.findings = ImportFindings()
        self.counts, self.problems = self.findings.counts, self.findings.problems
        self.notice = Notice()
        self.recheck_button = plain_button("Check again", "refresh")
        self.skip_box = QCheckBox("Skip bad rows")
        self.skip_box.setToolTip("Import the other rows; each one that is left out is listed.")
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

    @property
    def mapping(self) -> dict[str, str]:
        """Our column names to the file's, where they differ."""
        pairs = ((ours, str(box.currentData())) for ours, box in self._boxes.items())
        return {ours: theirs for ours, theirs in pairs if theirs not in ("", ours)}

    @property
    def naming_options(self) -> dict[str, str]:
        """What is said of many files at once, where the format takes many, and of texts that it names."""
        chosen = self._formats[self.chosen_format]
        if chosen.names_texts and self.outside_box.isChecked():
            return {"outside": "anywhere"}
        return self.naming.options if chosen.names_files else {}

    @property
    def skips_bad_rows(self) -> bool:
        """Whether rows with problems are to be left out."""
        return self._formats[self.chosen_format].has_rows and self.skip_box.isChecked()

    @property
    def documents(self) -> str:
        """The folder with the source documents, where the format takes one; empty = none."""
        return self._documents if self._formats[self.chosen_format].takes_documents else ""

    def show_documents(self, folder: str) -> None:
        """Show which folder was chosen for the source documents."""
        self._documents = folder
        self.documents_label.setText(folder or NO_DOCUMENTS)

    def show_source(self, path: str) -> None:
        """Show what was chosen; the rest can be chosen from then on."""
        self.source_label.setText(path or "No file or folder chosen yet")
        self.skip_box.setChecked(False)
        self.recheck_button.setEnabled(bool(path))
        self.outside_box.setChecked(False)  # what is allowed to one file is not allowed to the next
        self.format_box.setEnabled(bool(path))
        self.show_preview(None)

    def show_format(self, name: str) -> None:
        """Show the format that the source seems to have."""
        index = self.format_box.findData(name)
        if index >= 0:
            self.format_box.setCurrentIndex(index)
        self._describe_format()

    def show_columns(self, ours: Sequence[str], theirs: Sequence[str]) -> None:
        """Offer the file's columns for ours; none of ours hides the choice."""
        self._boxes.clear()
        while (item := self._columns.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for place, name in enumerate(ours):
            box = self._column_box(name, theirs)
            self._boxes[name] = box
            row, column = divmod(place, 3)
            self._columns.addWidget(Label(name, Type.SMALL, "muted"), row, 2 * column)
            self._columns.addWidget(box, row, 2 * column + 1)
        self._columns_area.setVisible(bool(ours))

    def map_columns(self, mapping: Mapping[str, str]) -> None:
        """Choose columns of the file for ours, where it still has them."""
        for ours, theirs in mapping.items():
            if ours in self._boxes and (place := self._boxes[ours].findData(theirs)) >= 0:
                self._boxes[ours].setCurrentIndex(place)

    def show_busy(self, progress: Progress) -> None:
        """Show how far the reading is."""
        self.bar.show()
        self.bar.show_progress(progress)
        self.state_label.setText(progress.note or "reading")
        self.accept_button.setEnabled(False)

    def show_preview(self, preview: ImportPreview | None) -> None:
        """Show what would happen; None = nothing is known yet."""
        self.bar.hide()
        known = preview or ImportPreview()
        self.findings.show_preview(known)
        self.accept_button.setEnabled(known.can_import)
        self.notice.say(_finding(known))
        can_skip = self._formats[self.chosen_format].has_rows
        self.skip_box.setVisible(
            can_skip and bool(known.problems or known.skipped or self.skip_box.isChecked())
        )
        self.state_label.setText(_state(preview))

    def show_refusal(self, sentence: str) -> None:
        """Say why nothing was read or written."""
        self.show_preview(None)
        self.notice.say(sentence)

    def _column_box(self, name: str, theirs: Sequence[str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"Column for {name}")
        box.addItem("–", "")
        for column in theirs:
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
        self._columns_area.setMinimumHeight(px(LEAST_COLUMNS_HEIGHT))
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
        self.body.addWidget(self.findings, 1)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.state_label)
        self._buttons.insertWidget(0, self.recheck_button)
        self._buttons.insertWidget(1, self.skip_box)


def _finding(preview: ImportPreview) -> str:
    if preview.problems:
        many = len(preview.problems)
        more = " or more" if many >= MAX_PROBLEMS else ""  # reading stops there
        words = f"{many:,}{more} problem{'s' if many != 1 else ''}"
        return f"{words}. Fix {'it' if many == 1 else 'them'} to import."
    said = []
    if preview.skipped:
        many = len(preview.skipped)
        said.append(f"{many:,} bad {'row' if many == 1 else 'rows'} will be skipped: see “Notes”.")
    if preview.different:
        names = ", ".join(preview.different[:3]) + ("…" if len(preview.different) > 3 else "")
        said.append(f"{len(preview.different):,} differ from the study and stay as they are there: {names}")
    if preview.notices:
        many = len(preview.notices)
        said.append(f"{many:,} {'thing' if many == 1 else 'things'} in the files: see “Notes”.")
    return " ".join(said)


def _state(preview: ImportPreview | None) -> str:
    if preview is None or preview.problems:
        return ""
    if not preview.can_import:
        return "Everything in it is in the study already."
    return "Preview only; nothing imported yet."
