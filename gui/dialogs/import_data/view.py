"""Import dialog: source, what its columns or files become, and what the import adds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from core.errors import MAX_PROBLEMS
from core.progress import Progress
from gui.commands.shortcuts import KeyHint
from gui.dialogs.import_data.column_roles import ColumnRoles, mapping_of
from gui.dialogs.import_data.examples import ExampleTables
from gui.dialogs.import_data.options import PAUSE_MS, UNREADABLE, FileNaming, TableOptions
from gui.dialogs.import_data.preview import ImportPreviewPanel
from gui.dialogs.import_data.values import FileRow, FormatRow, ImportPreview, TableLayout
from gui.item_models.table_model import Column, TableModel
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.style.tooltips import literal, plain_tip
from gui.widgets.buttons import link_button, open_menu, plain_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.lists.table_view import Table
from gui.widgets.page import KeyHints
from gui.widgets.panel import Panel
from gui.widgets.progress_bar import ProgressBar

WIDTH, SIZE = 1000, (1240, 760)
"""Least width, and the size if the screen has room."""
HINTS = (
    KeyHint(("↑", "↓"), tr("Column")),
    KeyHint(("Enter",), tr("Change it")),
    KeyHint(("Ctrl", "Enter"), tr("Import")),
    KeyHint(("Esc",), tr("Cancel")),
)

_OUTSIDE_HELP = tr(
    "A settings file can refer to any file on this computer. Texts outside the folder of "
    "the settings file are imported only if this is checked; the preview lists them."
)

_DOCCANO = "doccano"
"""Format whose offsets may count grapheme clusters."""
_ANNOTATOR_HELP = tr("The annotator of everything in the source that names none.")
NO_SOURCE = tr("No file or folder chosen yet")
EXAMPLE, HOW = tr("Tables that can be imported"), tr("copy one, fill it in, choose the file")
COPIED = tr("“{}” was copied. Paste it into a spreadsheet, or into a text file named .tsv.")
NOTHING_NEW = tr("Nothing new: the study already contains everything in the source.")
STOPPED = tr("Stopped. Press “Check again” to continue.")

CHOOSE_ENCODING = tr("Choose the encoding")
DETECTED = tr("Detected from the source")
NO_DOCUMENTS = tr("Source documents: those in the file")


class ImportDialog(Dialog):
    """Dialog with source, format, columns and options of an import, and its preview.

    Signals:
        columns_changed, naming_changed: the user changed the option.
        recheck_requested: read the source again, with or without bad rows.
        mapping_file_requested: use a mapping in a file.
        save_requested: save the mapping; True = so that such files are recognized.
    """

    help_page = "import-data"
    columns_changed = Signal()
    naming_changed = Signal()
    recheck_requested = Signal()
    mapping_file_requested = Signal()
    save_requested = Signal(bool)

    def __init__(self, formats: Sequence[FormatRow], parent: QWidget | None = None) -> None:
        super().__init__(tr("Import"), tr("Import"), parent, width=WIDTH, icon="import")
        self._formats = {f.name: f for f in formats}
        self.mapping_text = ""
        self.source_label = ElidedLabel(NO_SOURCE, Type.BODY, "muted")
        self.file_button = plain_button(tr("File…"), "texts")
        self.folder_button = plain_button(tr("Folder…"), "folder")
        self.mapping_button = link_button(tr("Use a mapping…"))
        self.save_button = link_button(tr("Save mapping…"))
        self.format_box = ComboBox()
        for known in formats:
            self.format_box.addItem(known.title, known.name)
        self.format_box.setPlaceholderText(DETECTED)
        self.format_box.setAccessibleName(tr("Format"))
        self.format_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format_box.setMinimumContentsLength(16)
        self.panel = Panel(tr("Format"))
        self.about_label = Label("", Type.BODY, "muted", wrap=True)
        self.examples = ExampleTables()
        self._examples_area = scrolled(self.examples)
        self.table_options, self.columns = TableOptions(), ColumnRoles()
        self.naming = FileNaming()
        self.annotator_field = QLineEdit()
        self.annotator_field.setToolTip(plain_tip(_ANNOTATOR_HELP))
        self._annotator_row = QWidget()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self.documents_label = ElidedLabel(NO_DOCUMENTS, Type.BODY, "muted")
        self.documents_button = plain_button(tr("Source documents…"), "folder")
        self._documents = ""
        self._documents_row = QWidget()
        self.outside_box = QCheckBox(tr("Read texts outside the folder of the file"))
        self.outside_box.setToolTip(_OUTSIDE_HELP)
        self.files = TableModel[FileRow](
            [
                Column(tr("File"), lambda row: row.file),
                Column(tr("Topic"), lambda row: row.topic),
                Column(tr("System"), lambda row: row.system),
                Column(tr("Annotator"), lambda row: row.annotator),
                Column(tr("References by"), lambda row: row.authors),
            ],
            self,
        )
        self.files_table = Table(tr("Contents of each file"), self.files)
        self.preview = ImportPreviewPanel()
        self.problems, self.notice = self.preview.problems, self.preview.notice
        self.recheck_button = plain_button(tr("Check again"), "refresh")
        self.skip_box = QCheckBox(tr("Skip bad rows"))
        self.skip_box.setToolTip(tr("Import only valid rows; skipped rows are listed."))
        self.update_box = QCheckBox(tr("Update"))
        self.update_box.setToolTip(
            tr(
                "Replace ratings, and titles, queries and sets of topics, that differ in the study. "
                "Replaced ratings can be undone."
            )
        )
        self.graphemes_box = QCheckBox(tr("Offsets count grapheme clusters"))
        self.graphemes_box.setToolTip(
            tr("As in doccano projects that count grapheme clusters as one character.")
        )
        self.bar = ProgressBar(tr("Reading"))
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.stop_button = link_button(tr("Stop"))
        self._lay_out()
        self._connect()
        self._list_mappings()
        self.show_source("")
        self.resize(within_screen(self, *SIZE))
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
        self.source_label.setText(Path(path).name if path else NO_SOURCE)
        self.source_label.set_tip(path)
        for box in (self.skip_box, self.update_box, self.graphemes_box):
            box.setChecked(False)
        self.recheck_button.setEnabled(bool(path))
        self.mapping_button.setEnabled(bool(path))
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

    def add_format(self, row: FormatRow) -> None:
        """Choose the format of an import mapping in a file, which need not be among the others."""
        if row.name not in self._formats:
            self.format_box.addItem(row.title, row.name)
        self._formats[row.name] = row
        self.show_format(row.name)

    def show_saved(self, file: str, error: str = "", *, is_kept: bool = False) -> None:
        """Report where the mapping was saved, or why it was not."""
        kept = tr(" Such files are recognized from now on.") if is_kept else ""
        self.state_label.setText(error or tr("The mapping was saved as {file}.", file=file) + kept)

    def show_table(self, layout: TableLayout | None) -> None:
        """Show how a table is read: its options and columns; None = the source is no table."""
        chosen = self._formats[self.chosen_format]
        self.table_options.show_layout(layout if chosen.is_table else None, is_foreign=chosen.is_foreign)
        columns = layout.columns if layout is not None else ()
        self.columns.show_columns(columns, layout.choices if layout is not None else ())
        has_source = self.format_box.isEnabled()
        self._examples_area.setVisible(not has_source)
        self.about_label.setVisible(has_source and not columns)  # the table of columns explains more
        self.panel.set_title(
            tr("What the columns are") if columns else tr("Format") if has_source else EXAMPLE
        )
        self.panel.set_fact(self.columns.fact if columns else "" if has_source else HOW)

    def show_busy(self, progress: Progress) -> None:
        """Show progress and disable the import."""
        self.bar.show()
        self.bar.show_progress(progress)
        self.stop_button.show()
        self.state_label.setText(progress.note or tr("Reading"))
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
        is_new = any(row.added for row in known.counts)
        self.preview.show_preview(known, NOTHING_NEW if known.counts and not is_new else "")
        self.show_table(known.table)
        self.files.set_rows(known.files)
        self.files_table.fit(stretch=0, widths={1: 90, 2: 100, 3: 100, 4: 130})
        self.files_table.setVisible(bool(known.files))
        self._show_annotator(known)
        self.mapping_text = known.mapping
        self.save_button.setEnabled(bool(known.mapping))
        rows = tr(" · %n rows", "", known.rows) if known.rows else ""
        self.source_label.setText(self.source_label.text().partition(" · ")[0] + rows)
        self.accept_button.setEnabled(known.can_import)
        self.accept_button.setText(known.verb)
        self.accept_button.setAccessibleName(known.verb)
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
        self.state_label.setText("")

    def show_error(self, message: str) -> None:
        """Show why the source could not be read or imported."""
        self.show_preview(None)
        self.notice.show_message(message)

    def _show_annotator(self, preview: ImportPreview) -> None:
        """Ask for the annotator where the source does not name them."""
        chosen = self._formats[self.chosen_format]
        is_asked = bool(preview.assumed_annotator or self.annotator_field.text())
        self.annotator_field.setPlaceholderText(
            tr("Name of the annotator") if preview.needs_annotator else preview.assumed_annotator
        )
        if chosen.takes_annotator and is_asked and self._annotator_row.isHidden():
            self._annotator_row.show()
        elif not self.annotator_field.hasFocus():
            self._annotator_row.setVisible(chosen.takes_annotator and is_asked)

    @Slot()
    def _choose_encoding(self) -> None:
        """Open the list of encodings."""
        self.table_options.encoding_box.setFocus()
        self.table_options.encoding_box.showPopup()

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
        self.columns.edited.connect(lambda: self.accept_button.setEnabled(False))  # until it is previewed
        self.columns.changed.connect(self.columns_changed)
        self.outside_box.clicked.connect(self.naming_changed)
        self._pause.timeout.connect(self.naming_changed)
        self.annotator_field.textEdited.connect(lambda _: self._pause.start())
        self.notice.remedy_button.clicked.connect(self._choose_encoding)
        self.examples.copied.connect(lambda title: self.state_label.setText(COPIED.format(title)))
        self.recheck_button.clicked.connect(self.recheck_requested)
        for box in (self.skip_box, self.update_box, self.graphemes_box):
            box.clicked.connect(self.recheck_requested)
        self._describe_format()

    @Slot()
    def _list_mappings(self) -> None:
        """Offer the mappings that are known, and those in files."""
        menu = QMenu(self.mapping_button)
        menu.setToolTipsVisible(True)
        menu.addAction(tr("From a file…")).triggered.connect(self.mapping_file_requested)
        menu.addSeparator()
        for known in self._formats.values():
            if known.is_mapping:
                action = menu.addAction(literal(known.title))
                action.setToolTip(plain_tip(known.about))
                action.triggered.connect(lambda _, name=known.name: self._use(name))
        open_menu(self.mapping_button, menu)
        saving = QMenu(self.save_button)
        saving.addAction(tr("Save as a file…")).triggered.connect(lambda: self.save_requested.emit(False))
        kept = saving.addAction(tr("Recognize such files from now on"))
        kept.triggered.connect(lambda: self.save_requested.emit(True))
        open_menu(self.save_button, saving)

    def _use(self, name: str) -> None:
        self.format_box.setCurrentIndex(self.format_box.findData(name))
        self.format_box.activated.emit(self.format_box.currentIndex())

    def _lay_out(self) -> None:
        self._buttons.removeWidget(self.accept_button)
        self.head.setStretch(0, 0)
        self.head.addWidget(self.source_label, 1)
        sources = self.file_button, self.folder_button, self.mapping_button, self.save_button
        for button in (*sources, self.accept_button):
            self.head.addWidget(button)
        self.panel.add_action(Label(tr("read as"), Type.SMALL, "muted"))
        self.panel.add_action(self.format_box)
        _name(self._annotator_row, self.annotator_field, tr("Annotator"))
        documents = _row(self._documents_row)
        documents.addWidget(self.documents_label, 1)
        documents.addWidget(self.documents_button)
        left = QVBoxLayout()
        left.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        left.setSpacing(SMALL)
        left.addWidget(self._examples_area, 100)
        left.addWidget(self.about_label)
        left.addWidget(self.table_options)
        left.addWidget(self.columns, 100)
        left.addWidget(self.naming)
        left.addWidget(self._annotator_row)
        left.addWidget(self._documents_row)
        left.addWidget(self.outside_box)
        left.addWidget(self.graphemes_box)
        left.addWidget(self.files_table, 100)
        left.addStretch(1)
        self.panel.add(left, 1)
        parts = QHBoxLayout()
        parts.setSpacing(MEDIUM)
        parts.addWidget(self.panel, 9)
        parts.addWidget(self.preview, 5)
        self.body.addLayout(parts, 1)
        self.body.addWidget(self.bar)
        state = QHBoxLayout()
        state.setSpacing(SMALL)
        state.addWidget(self.state_label, 1)
        state.addWidget(self.stop_button)
        self.body.addLayout(state)
        hints = KeyHints()
        hints.show_hints(HINTS)
        self._buttons.insertWidget(0, hints, 100)
        for choice in (self.recheck_button, self.update_box, self.skip_box):
            self._buttons.insertWidget(2, choice)  # after the stretch
        for shortcut in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(shortcut), self).activated.connect(self.accept_button.click)


def _row(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SMALL)
    return row


def _name(widget: QWidget, field: QWidget, name: str) -> None:
    """Fill a row with a field behind its name."""
    row, label = _row(widget), Label(name, Type.SMALL, "muted")
    label.setBuddy(field)
    field.setAccessibleName(name)
    row.addWidget(label)
    row.addWidget(field, 1)


def _summary(preview: ImportPreview) -> str:
    if preview.problems:
        many = preview.problem_count or len(preview.problems)
        counted = tr("%n problems", "", many)
        if many >= MAX_PROBLEMS:  # reading stops there
            counted = tr("%n or more problems", "", many)
        return (
            tr("{problems}. Fix it to import.", problems=counted)
            if many == 1
            else tr("{problems}. Fix them to import.", problems=counted)
        )
    sentences = []
    if preview.needs_annotator:
        sentences.append(tr("The source does not name the annotator. Enter the name."))
    if preview.skipped:
        many = preview.skipped_count or len(preview.skipped)
        sentences.append(tr("%n bad rows will be skipped.", "", many))
    if preview.different:
        heads = [one.partition(" differs from")[0] for one in preview.different[:3]]
        names = "; ".join(heads) + ("; …" if len(preview.different) > 3 else "")
        sentences.append(
            tr(
                "{different:,} differ from the study and are not imported: {names}.",
                different=len(preview.different),
                names=names,
            )
        )
        if any("--update" in one for one in preview.different):
            sentences.append(tr("“Update” replaces ratings and what topics are about."))
    return " ".join(sentences)
