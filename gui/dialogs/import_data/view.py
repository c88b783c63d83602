"""Import dialog: source, format, options and preview."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QWidget

from core.errors import MAX_PROBLEMS
from core.progress import Progress
from gui.dialogs.import_data.column_roles import ColumnRoles, mapping_of
from gui.dialogs.import_data.file_patterns import PAUSE_MS, FileNaming
from gui.dialogs.import_data.preview import ImportPreviewPanel
from gui.dialogs.import_data.table_options import UNREADABLE, TableOptions
from gui.dialogs.import_data.values import FormatRow, ImportPreview, TableLayout
from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.dialog import Dialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.progress_bar import ProgressBar

WIDTH = 760
"""Width that leaves room for the columns of a table and their first values."""

_SHARE_OF_SCREEN = 0.9
"""Maximum height of the dialog when it opens, as a share of the screen."""
_OUTSIDE_HELP = (
    "A settings file can refer to any file on this computer. Texts outside the folder of the settings file "
    "are imported only if this is checked; the preview lists them."
)

_DOCCANO = "doccano"
"""Format whose offsets may count grapheme clusters."""
_ANNOTATOR_HELP = "The annotator of everything in the source that names none."
STOPPED = "Stopped. Press “Check again” to continue."

CHOOSE_ENCODING = "Choose the encoding"
DETECTED = "Detected from the source"
NO_DOCUMENTS = "Source documents: those in the file"


class ImportDialog(Dialog):
    """Dialog with source, format, columns and options of an import, and its preview.

    Signals:
        columns_changed, naming_changed: the user changed the option.
        recheck_requested: read the source again, with or without bad rows.
    """

    help_page = "import-data"
    columns_changed = Signal()
    naming_changed = Signal()
    recheck_requested = Signal()

    def __init__(self, formats: Sequence[FormatRow], parent: QWidget | None = None) -> None:
        super().__init__("Import", "Import", parent, width=WIDTH, icon="import")
        self._formats = {f.name: f for f in formats}
        self.source_label = ElidedLabel("No file or folder chosen yet", Type.BODY, "muted")
        self.file_button = plain_button("File…", "texts")
        self.folder_button = plain_button("Folder…", "folder")
        self.format_box = QComboBox()
        for known in formats:
            self.format_box.addItem(known.title, known.name)
        self.format_box.setPlaceholderText(DETECTED)
        self.about_label = Label("", Type.SMALL, "muted", wrap=True)
        self.table_options, self.columns = TableOptions(), ColumnRoles()
        self.naming = FileNaming()
        self.annotator_field = QLineEdit()
        self.annotator_field.setToolTip(plain_tip(_ANNOTATOR_HELP))
        self._annotator_row = QWidget()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
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
        self.update_box = QCheckBox("Update")
        self.update_box.setToolTip(
            "Replace ratings, and titles, queries and sets of topics, that differ in the study. "
            "Replaced ratings can be undone."
        )
        self.graphemes_box = QCheckBox("Offsets count grapheme clusters")
        self.graphemes_box.setToolTip("As in doccano projects that count grapheme clusters as one character.")
        self.bar = ProgressBar("Reading")
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.stop_button = link_button("Stop")
        self._lay_out()
        self._connect()
        self.show_source("")
        self._grow()
        self.file_button.setFocus()

    @property
    def chosen_format(self) -> str:
        """The name of the chosen format; before a source is chosen, the first one's."""
        return str(self.format_box.currentData() or next(iter(self._formats)))

    @property
    def mapping(self) -> dict[str, str]:
        """The file's column of each role, as far as the user chose it; see `column_roles.mapping_of`."""
        if not self._formats[self.chosen_format].has_columns:
            return {}
        assigned = self.columns.assigned
        if not self._formats[self.chosen_format].is_foreign:
            return {role: column for column, role in assigned.items() if role not in ("", column)}
        by_row = {"topic": "#"} if self.table_options.rows_are_topics else {}
        return {**mapping_of(assigned), **by_row}

    @property
    def reading_options(self) -> dict[str, str]:
        """Options for reading a table, as far as the format has them."""
        return self.table_options.options if self._formats[self.chosen_format].is_table else {}

    @property
    def naming_options(self) -> dict[str, str]:
        """Options for file names, annotator and referenced texts, as far as the format has them."""
        chosen = self._formats[self.chosen_format]
        if chosen.names_texts and self.outside_box.isChecked():
            return {"outside": "anywhere"}
        if chosen.takes_annotator and self.annotator_field.text().strip():
            return {"annotator": self.annotator_field.text().strip()}
        return self.naming.options if chosen.names_files else {}

    @property
    def reading_choices(self) -> dict[str, str]:
        """Options of the check boxes, as far as the format has them."""
        chosen = self._formats[self.chosen_format]
        skipping = {"skip": "yes"} if chosen.has_rows and self.skip_box.isChecked() else {}
        updating = {"update": "yes"} if self.update_box.isChecked() else {}
        has_graphemes = self.chosen_format == _DOCCANO and self.graphemes_box.isChecked()
        return {**skipping, **updating, **({"offsets": "graphemes"} if has_graphemes else {})}

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
        for box in (self.skip_box, self.update_box, self.graphemes_box):
            box.setChecked(False)
        self.recheck_button.setEnabled(bool(path))
        self.outside_box.setChecked(False)  # the permission holds for one source only
        self.annotator_field.clear()
        self.format_box.setEnabled(bool(path))
        if not path:
            self.format_box.setCurrentIndex(-1)
            self._describe_format()
        self.forget_columns()
        self.show_preview(None)

    def forget_columns(self) -> None:
        """Remove what the user chose about columns and the table, for another source or format."""
        self.columns.forget()
        self.table_options.forget()

    def show_format(self, name: str) -> None:
        """Select the detected format of the source."""
        index = self.format_box.findData(name)
        if index >= 0:
            self.format_box.setCurrentIndex(index)
        self._describe_format()

    def show_table(self, layout: TableLayout | None) -> None:
        """Show how a table is read: its options and columns; None = the source is no table."""
        chosen = self._formats[self.chosen_format]
        self.table_options.show_layout(layout if chosen.is_table else None, is_foreign=chosen.is_foreign)
        has_columns = layout is not None and chosen.has_columns
        columns = layout.columns if layout is not None and has_columns else ()
        had_columns = not self.columns.isHidden()
        choices, hidden = (layout.choices, layout.hidden) if layout is not None else ((), 0)
        self.columns.show_columns(columns, choices, hidden)
        self.about_label.setVisible(not columns)  # the table of columns explains more
        if columns and not had_columns:
            self._grow()

    def show_busy(self, progress: Progress) -> None:
        """Show progress and disable the import."""
        self.bar.show()
        self.bar.show_progress(progress)
        self.stop_button.show()
        self.state_label.setText(progress.note or "Reading")
        self.accept_button.setEnabled(False)

    def show_stopped(self) -> None:
        """Show that the user stopped reading the source."""
        self.show_preview(None)
        self.state_label.setText(STOPPED)

    def show_preview(self, preview: ImportPreview | None) -> None:
        """Show the preview of the import; None = nothing was read yet."""
        self.bar.hide()
        self.stop_button.hide()
        known = preview or ImportPreview()
        self.preview.show_preview(known)
        self.show_table(known.table)
        self._show_annotator(known)
        self.accept_button.setEnabled(known.can_import)
        needs_encoding = known.table is not None and known.table.needs_encoding
        self.notice.show_message(
            UNREADABLE if needs_encoding else _summary(known), CHOOSE_ENCODING if needs_encoding else ""
        )
        can_skip = self._formats[self.chosen_format].has_rows
        self.skip_box.setVisible(
            can_skip and bool(known.problems or known.skipped or self.skip_box.isChecked())
        )
        self.update_box.setVisible(bool(known.different) or self.update_box.isChecked())
        self.graphemes_box.setVisible(self.chosen_format == _DOCCANO)
        self.state_label.setText(_state(preview))

    def show_error(self, message: str) -> None:
        """Show why the source could not be read or imported."""
        self.show_preview(None)
        self.notice.show_message(message)

    def _show_annotator(self, preview: ImportPreview) -> None:
        """Ask for the annotator where the source does not name them."""
        chosen = self._formats[self.chosen_format]
        is_asked = bool(preview.assumed_annotator or self.annotator_field.text())
        self.annotator_field.setPlaceholderText(
            "Name of the annotator" if preview.needs_annotator else preview.assumed_annotator
        )
        if chosen.takes_annotator and is_asked and self._annotator_row.isHidden():
            self._annotator_row.show()
            self._grow()
        elif not self.annotator_field.hasFocus():
            self._annotator_row.setVisible(chosen.takes_annotator and is_asked)

    @Slot()
    def _choose_encoding(self) -> None:
        """Open the list of encodings."""
        self.table_options.encoding_box.setFocus()
        self.table_options.encoding_box.showPopup()

    def _grow(self) -> None:
        """Make room for what is displayed, as far as the screen has it."""
        room = self.screen().availableGeometry().height() * _SHARE_OF_SCREEN
        height = max(self.height() if self.isVisible() else 0, self.sizeHint().height())
        self.resize(self.width(), min(height, round(room)))

    def _describe_format(self) -> None:
        chosen = self._formats[self.chosen_format]
        has_source = self.format_box.currentIndex() >= 0
        self.about_label.setText(chosen.about if has_source else "")
        self.naming.setVisible(chosen.names_files)
        self._documents_row.setVisible(chosen.takes_documents and has_source)
        self.outside_box.setVisible(chosen.names_texts)
        self._annotator_row.hide()

    def _connect(self) -> None:
        self.accept_button.clicked.disconnect()
        self.format_box.activated.connect(self._describe_format)
        self.naming.changed.connect(self.naming_changed)
        self.table_options.changed.connect(self.columns_changed)
        self.columns.changed.connect(self.columns_changed)
        self.outside_box.clicked.connect(self.naming_changed)
        self._pause.timeout.connect(self.naming_changed)
        self.annotator_field.textEdited.connect(lambda _: self._pause.start())
        self.notice.remedy_button.clicked.connect(self._choose_encoding)
        self.recheck_button.clicked.connect(self.recheck_requested)
        for box in (self.skip_box, self.update_box, self.graphemes_box):
            box.clicked.connect(self.recheck_requested)
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
        self.body.addWidget(self.table_options)
        self.body.addWidget(self.columns)
        self.body.addWidget(self.naming)
        annotator = QHBoxLayout(self._annotator_row)
        annotator.setContentsMargins(0, 0, 0, 0)
        annotator.setSpacing(SMALL)
        annotator_label = Label("Annotator", Type.SMALL, "muted")
        annotator_label.setBuddy(self.annotator_field)
        self.annotator_field.setAccessibleName("Annotator")
        annotator.addWidget(annotator_label)
        annotator.addWidget(self.annotator_field, 1)
        self.body.addWidget(self._annotator_row)
        documents = QHBoxLayout(self._documents_row)
        documents.setContentsMargins(0, 0, 0, 0)
        documents.setSpacing(SMALL)
        documents.addWidget(self.documents_label, 1)
        documents.addWidget(self.documents_button)
        self.body.addWidget(self._documents_row)
        self.body.addWidget(self.outside_box)
        self.body.addWidget(self.graphemes_box)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.preview, 1)
        self.body.addWidget(self.bar)
        state = QHBoxLayout()
        state.setSpacing(SMALL)
        state.addWidget(self.state_label, 1)
        state.addWidget(self.stop_button)
        self.body.addLayout(state)
        self._buttons.insertWidget(0, self.recheck_button)
        self._buttons.insertWidget(1, self.skip_box)
        self._buttons.insertWidget(2, self.update_box)


def _summary(preview: ImportPreview) -> str:
    if preview.problems:
        many = preview.problem_count or len(preview.problems)
        more = " or more" if many >= MAX_PROBLEMS else ""  # reading stops there
        counted = f"{many:,}{more} problem{'s' if many != 1 else ''}"
        return f"{counted}. Fix {'it' if many == 1 else 'them'} to import."
    sentences = []
    if preview.needs_annotator:
        sentences.append("The source does not name the annotator. Enter the name above.")
    if preview.skipped:
        many = preview.skipped_count or len(preview.skipped)
        sentences.append(f"{many:,} bad {'row' if many == 1 else 'rows'} will be skipped: see “Notes”.")
    if preview.different:
        heads = [one.partition(" differs from")[0] for one in preview.different[:3]]
        names = "; ".join(heads) + ("; …" if len(preview.different) > 3 else "")
        sentences.append(f"{len(preview.different):,} differ from the study and are not imported: {names}.")
        if any("--update" in one for one in preview.different):
            sentences.append("“Update” replaces ratings and what topics are about.")
    if preview.notices:
        many = len(preview.notices)
        sentences.append(f"{many:,} {'note' if many == 1 else 'notes'} on the files: see “Notes”.")
    return " ".join(sentences)


def _state(preview: ImportPreview | None) -> str:
    if preview is None or preview.problems:
        return ""
    if not any(row.added for row in preview.counts):
        return "Nothing new: the study already contains everything in the source."
    return "Preview only. Nothing has been imported yet."
