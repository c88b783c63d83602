"""Import dialog: source, what its columns or files become, and what the import adds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from core.domain.formats import FormatDescription
from core.domain.import_batch import ImportedFile
from core.errors import MAX_LINES, MAX_PROBLEMS, grouped_differences
from gui.background.turn_queue import TurnQueue
from gui.commands.definitions import KeyHint
from gui.commands.registry import key_labels
from gui.dialogs.import_data.column_roles import ColumnRoles, mapping_of
from gui.dialogs.import_data.options import PAUSE_MS, UNREADABLE, FileNaming, TableOptions
from gui.dialogs.import_data.values import ImportPreview, PreviewTopic, TableLayout
from gui.item_models.table_model import Column, TableModel
from gui.style import theme
from gui.style.language import literal, plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button, open_menu, plain_button
from gui.widgets.controls import ComboBox, Stepper
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import ElidedLabel, Label, rule
from gui.widgets.layouts import Gap, Stretch, clear, extend, grid, hbox, scrolled, vbox
from gui.widgets.lists.table_view import ROW_HEIGHT, Table
from gui.widgets.notice import JobState, Notice
from gui.widgets.page import KeyHints
from gui.widgets.panel import Panel

_BOXES = 4
"""Notes in a box of their own; the last box has the others too."""
_TEXT_HEIGHT = 190
NO_PROBLEMS = tr("✓ No other problems")


class ImportPreviewPanel(Panel):
    """Counts, the first topics with their texts, and notes; problems replace topics and notes."""

    def __init__(self) -> None:
        super().__init__(tr("What you get"), tr("nothing is written yet"))
        self.counts: dict[str, str] = {}
        self.notes: tuple[str, ...] = ()
        self.topics: tuple[PreviewTopic, ...] = ()
        self.notice = Notice()
        self.stepper = Stepper(tr("topic"), tr("Topic"))
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "reading")
        self.text.setAccessibleName(tr("Texts of the topic"))
        self.text.setMinimumHeight(px(_TEXT_HEIGHT))
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setAccessibleName(tr("Problems in the import"))
        self.problems.setMinimumHeight(px(_TEXT_HEIGHT))
        self.note_boxes: list[Notice] = []  # as many as are needed
        self.state_label = Label("", Type.STRONG, "success")
        self.fact_at_end = ElidedLabel("", Type.SMALL, "muted")
        self._counts = QWidget()
        self._topic = QWidget()
        self._at = 0
        self._count_rows = grid(self._counts, across=SMALL, down=TIGHT)
        vbox(rule(), self.stepper, parent=self._topic, spacing=SMALL)
        inside = QWidget()
        above = self.notice, self._counts, (self.problems, 1), self._topic, (self.text, 1)
        self._notes = vbox(spacing=SMALL)
        vbox(*above, self._notes, Stretch(0), parent=inside, margins=(MEDIUM, SMALL), spacing=SMALL)
        area = scrolled(inside)
        area.setAccessibleName(tr("Preview of the import"))
        self.add((area, 1))
        foot = hbox(self.state_label, (self.fact_at_end, 1), spacing=SMALL)
        self.fact_at_end.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.add_foot(foot)
        self.stepper.stepped.connect(lambda by: self._show_topic(self._at + by))
        theme.signal().changed.connect(self._repaint)

    def show_preview(self, preview: ImportPreview, state: str = "") -> None:
        """Show a preview; the topic stays as far as there is one. state: a sentence instead of its result."""
        different = grouped_differences(preview.different, MAX_LINES // 3)
        self.notes = (*preview.skipped, *different, *preview.notices)
        self.counts = {row.kind: row.sentence for row in preview.counts}
        left_out = preview.skipped_count or len(preview.skipped)
        if left_out:
            self.counts["left out"] = tr("%n bad rows", "", left_out)
        self._show_counts()
        has_problems = bool(preview.problems)
        self.problems.setVisible(has_problems)
        self.problems.setPlainText("\n".join(preview.problems))
        self.topics = () if has_problems else preview.topics
        self._show_topic(self._at)
        notes = () if has_problems else self.notes
        while len(self.note_boxes) < min(len(notes), _BOXES):
            self.note_boxes.append(Notice())
            self._notes.addWidget(self.note_boxes[-1])
        for at, box in enumerate(self.note_boxes):
            rest = notes[at:] if at == _BOXES - 1 else notes[at : at + 1]
            box.show_message(rest[0] if rest else "", "", rest[1:])
        many = preview.problem_count or len(preview.problems)
        self.state_label.set_tone("error" if has_problems else "success")
        problems = tr("%n problems", "", many)
        is_read = bool(preview.counts) or has_problems
        self.state_label.setText(state or ((problems if has_problems else NO_PROBLEMS) if is_read else ""))
        self.fact_at_end.setText(tr("checked all %n rows", "", preview.rows) if preview.rows else "")

    def _show_counts(self) -> None:
        clear(self._count_rows)
        for row, (kind, number) in enumerate(self.counts.items()):
            name, value = Label(kind[:1].upper() + kind[1:]), ElidedLabel(number, Type.STRONG)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name.setBuddy(value)
            self._count_rows.addWidget(name, row, 0)
            self._count_rows.addWidget(value, row, 1)
        self._counts.setVisible(bool(self.counts))

    @Slot()
    def _repaint(self) -> None:
        self._show_topic(self._at)

    def _show_topic(self, at: int) -> None:
        """Show a topic by its place; beyond the last one, the last."""
        self._topic.setVisible(bool(self.topics))
        self.text.setVisible(bool(self.topics))
        if not self.topics:
            self._at = 0
            return
        self._at = max(0, min(at, len(self.topics) - 1))
        topic = self.topics[self._at]
        self.stepper.show_place(topic.name, "", self._at + 1, len(self.topics))
        self.text.clear()
        plain, strong, muted = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        strong.setFontWeight(600)
        muted.setForeground(theme.colour("muted"))
        cursor = QTextCursor(self.text.document())
        if topic.about:
            cursor.insertText(f"{topic.about}\n", muted)
        for text in topic.texts:
            cursor.insertText(text.title, strong)
            cursor.insertText(f"  {text.content}\n", plain)
            if text.numbers:
                cursor.insertText(f"{text.numbers}\n", muted)
        if topic.more:
            cursor.insertText(tr("%n more texts", "", topic.more), muted)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)


_STORM, _CLOSED = "A storm closed the harbour.", "The harbour was closed."
_STAYED = "Boats stayed in port."
EXAMPLES = (
    (
        tr("One row per text"),
        ("topic", "kind", "who", "text"),
        (
            ("harbour", "document", "report", "A storm closed the harbour on Monday. Boats stayed in port."),
            ("harbour", "reference", "A", _STORM),
            ("harbour", "summary", "bart", _CLOSED),
        ),
    ),
    (
        tr("One row per summary, with its reference"),
        ("topic", "system", "summary", "reference"),
        (("harbour", "bart", _CLOSED, _STORM), ("harbour", "lead", _STAYED, _STORM)),
    ),
    (
        tr("Ratings of summaries"),
        ("topic", "system", "summary", "annotator", "coherence", "fluency"),
        (("harbour", "bart", _CLOSED, "w1", "4", "5"), ("harbour", "lead", _STAYED, "w1", "2", "5")),
    ),
)
"""Title, headings and rows of each table."""
_LONG = 15
"""Characters of a text, whose column takes the room that is left."""


class ExampleTables(QWidget):
    """Tables in a column, each with a button that copies it; once shown, each is built in a turn of its own.

    Signals:
        copied: the title of a table that was copied.
    """

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.copy_buttons: list[QPushButton] = []
        self._column = vbox(parent=self, spacing=TIGHT)
        self._turns = TurnQueue(self)

    def showEvent(self, event: object) -> None:
        if not self.tables and not self._turns.isActive():
            self._turns.add(*(partial(self._add, *example) for example in EXAMPLES))

    def _add(self, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        table, button = _table(title, headings, rows), link_button(tr("Copy"), "copy")
        self.tables.append(table)
        self.copy_buttons.append(button)
        button.setAccessibleName(tr("Copy the table “{title}”", title=title))
        button.clicked.connect(table.copy)
        button.clicked.connect(lambda: self.copied.emit(title))
        head = hbox((Label(title, Type.STRONG), 1), button, spacing=SMALL)
        extend(self._column, head, table, Gap(MEDIUM))


class _Example(Table):
    """A table as high as its rows."""

    def sizeHint(self) -> QSize:
        rows = px(ROW_HEIGHT) * self.model().rowCount()
        return QSize(super().sizeHint().width(), rows + self.horizontalHeader().sizeHint().height() + 2)


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    columns: list[Column[Sequence[str]]] = [Column(name, itemgetter(at)) for at, name in enumerate(headings)]
    model = TableModel(columns)
    model.set_rows(rows)
    table = _Example(title, model)
    model.setParent(table)
    table.setSortingEnabled(False)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    mode = QHeaderView.ResizeMode
    for at, cells in enumerate(zip(*rows, strict=True)):
        is_text = max(map(len, cells)) >= _LONG
        table.horizontalHeader().setSectionResizeMode(at, mode.Stretch if is_text else mode.ResizeToContents)
    table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return table


WIDTH, SIZE = 1000, (1240, 760)
"""Least width, and the size if the screen has room."""
HINTS = (
    KeyHint(("↑", "↓"), tr("Column")),
    KeyHint(("Enter",), tr("Change it")),
    KeyHint(tuple(key_labels(QKeySequence("Ctrl+Return"))), tr("Import")),
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
        options_changed: the source is to be read again.
        mapping_file_requested: use a mapping in a file.
        save_requested: save the mapping; True = so that such files are recognized.
    """

    help_page = "import-data"
    options_changed = Signal()
    mapping_file_requested = Signal()
    save_requested = Signal(bool)

    def __init__(self, formats: Sequence[FormatDescription], parent: QWidget | None = None) -> None:
        super().__init__(tr("Import"), tr("Import"), parent, width=WIDTH, icon="import")
        self._formats = {f.name: f for f in formats}
        self.mapping_text = ""
        self.source_label = ElidedLabel(NO_SOURCE, Type.BODY, "muted")
        self.file_button = plain_button(tr("File…"))
        self.folder_button = plain_button(tr("Folder…"))
        self.mapping_button = link_button(tr("Mapping"))
        self.format_box = ComboBox(tr("Format"), [(known.name, known.title) for known in formats], chars=16)
        self.format_box.setPlaceholderText(DETECTED)
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
        self.files = TableModel[ImportedFile](
            [
                Column(tr("File"), lambda row: row.file),
                Column(tr("Topic"), lambda row: row.topic),
                Column(tr("System"), lambda row: row.system),
                Column(tr("Annotator"), lambda row: row.annotator),
                Column(tr("References by"), lambda row: ", ".join(row.authors)),
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
        self.job = JobState(tr("Reading"))
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

    def add_format(self, row: FormatDescription) -> None:
        """Choose the format of an import mapping in a file, which need not be among the others."""
        if row.name not in self._formats:
            self.format_box.addItem(row.title, row.name)
        self._formats[row.name] = row
        self.show_format(row.name)

    def show_saved(self, file: str, error: str = "", *, is_kept: bool = False) -> None:
        """Report where the mapping was saved, or why it was not."""
        kept = tr(" Such files are recognized from now on.") if is_kept else ""
        self.job.label.setText(error or tr("The mapping was saved as {file}.", file=file) + kept)

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

    def show_stopped(self) -> None:
        """Show that the user stopped reading the source."""
        self.show_preview(None)
        self.job.show_idle(STOPPED)

    def show_preview(self, preview: ImportPreview | None) -> None:
        """Show the preview of the import; None = nothing was read yet."""
        self.job.show_idle()
        known = preview or ImportPreview()
        is_new = any(row.added for row in known.counts)
        self.preview.show_preview(known, NOTHING_NEW if known.counts and not is_new else "")
        self.show_table(known.table)
        self.files.set_rows(known.files)
        self.files_table.fit(stretch=0, widths={1: 90, 2: 100, 3: 100, 4: 130})
        self.files_table.setVisible(bool(known.files))
        self._show_annotator(known)
        self.mapping_text = known.mapping
        for action in self.save_actions:
            action.setEnabled(bool(known.mapping))
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
        self.about_label.setText(chosen.description if has_source else "")
        self.naming.setVisible(chosen.names_files)
        self._documents_row.setVisible(chosen.takes_documents and has_source)
        self.outside_box.setVisible(chosen.names_texts)
        self._annotator_row.hide()

    def _connect(self) -> None:
        self.accept_button.clicked.disconnect()
        self.format_box.activated.connect(self._describe_format)
        self.columns.edited.connect(lambda: self.accept_button.setEnabled(False))  # until it is previewed
        for part in (self.naming, self.table_options, self.columns):
            part.changed.connect(self.options_changed)
        self._pause.timeout.connect(self.options_changed)
        self.annotator_field.textEdited.connect(lambda _: self._pause.start())
        self.notice.remedy_button.clicked.connect(self._choose_encoding)
        self.examples.copied.connect(lambda title: self.job.label.setText(COPIED.format(title)))
        self.job.busy_changed.connect(lambda: self.accept_button.setEnabled(False))  # until it is previewed
        boxes = self.outside_box, self.skip_box, self.update_box, self.graphemes_box
        for button in (self.recheck_button, *boxes):
            button.clicked.connect(self.options_changed)
        self._describe_format()

    def _list_mappings(self) -> None:
        """Offer the mappings that are known, and those in files."""
        menu = QMenu(self.mapping_button)
        menu.setToolTipsVisible(True)
        menu.addAction(tr("From a file…")).triggered.connect(self.mapping_file_requested)
        menu.addSeparator()
        for known in self._formats.values():
            if known.is_mapping:
                action = menu.addAction(literal(known.title))
                action.setToolTip(plain_tip(known.description))
                action.triggered.connect(lambda _, name=known.name: self._use(name))
        menu.addSeparator()
        titles = tr("Save as a file…"), tr("Recognize such files from now on")
        self.save_actions = [menu.addAction(title) for title in titles]
        for action, is_kept in zip(self.save_actions, (False, True), strict=True):
            action.setEnabled(False)
            action.triggered.connect(lambda _, kept=is_kept: self.save_requested.emit(kept))
        open_menu(self.mapping_button, menu)

    def _use(self, name: str) -> None:
        self.format_box.setCurrentIndex(self.format_box.findData(name))
        self.format_box.activated.emit(self.format_box.currentIndex())

    def _lay_out(self) -> None:
        self._buttons.removeWidget(self.accept_button)
        self.head.setStretch(0, 0)
        self.head.addWidget(self.source_label, 1)
        sources = self.file_button, self.folder_button, self.mapping_button
        for button in (*sources, self.accept_button):
            self.head.addWidget(button)
        self.panel.add_action(Label(tr("read as"), Type.SMALL, "muted"), self.format_box)
        _name(self._annotator_row, self.annotator_field, tr("Annotator"))
        documents = _row(self._documents_row)
        documents.addWidget(self.documents_label, 1)
        documents.addWidget(self.documents_button)
        left = vbox((self._examples_area, 100), self.about_label, margins=(MEDIUM, SMALL), spacing=SMALL)
        left.addWidget(self.table_options)
        left.addWidget(self.columns, 100)
        left.addWidget(self.naming)
        left.addWidget(self._annotator_row)
        left.addWidget(self._documents_row)
        left.addWidget(self.outside_box)
        left.addWidget(self.graphemes_box)
        left.addWidget(self.files_table, 100)
        left.addStretch(1)
        self.panel.add((left, 1))
        extend(self.body, (hbox((self.panel, 9), (self.preview, 5), spacing=MEDIUM), 1), self.job)
        hints = KeyHints()
        hints.show_hints(HINTS)
        self._buttons.insertWidget(0, hints, 100)
        for choice in (self.recheck_button, self.update_box, self.skip_box):
            self._buttons.insertWidget(2, choice)  # after the stretch
        for shortcut in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(shortcut), self).activated.connect(self.accept_button.click)


def _row(widget: QWidget) -> QHBoxLayout:
    return hbox(parent=widget, spacing=SMALL)


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
        if many == 1:
            return tr("{problems}. Fix it to import.", problems=counted)
        return tr("{problems}. Fix them to import.", problems=counted)
    sentences = []
    if preview.needs_annotator:
        sentences.append(tr("The source does not name the annotator. Enter the name."))
    if preview.skipped:
        many = preview.skipped_count or len(preview.skipped)
        sentences.append(tr("%n bad rows will be skipped.", "", many))
    if preview.different:
        heads = [one.partition(" differs from")[0] for one in preview.different[:3]]
        names = "; ".join(heads) + (" …" if len(preview.different) > 3 else ".")
        sentences.append(
            tr(
                "{different:,} differ from the study and are not imported: {names}",
                different=len(preview.different),
                names=names,
            )
        )
        if any("--update" in one for one in preview.different):
            sentences.append(tr("“Update” replaces ratings and what topics are about."))
    return " ".join(sentences)
