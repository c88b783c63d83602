"""The Report page: what the report will hold, writing it, and writing numbers for other programs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.progress import Progress
from gui.pages.report.report_item_list import ReportItemList
from gui.pages.report.values import (
    Chapter,
    ChapterState,
    ExportRow,
    ReportDetails,
    ReportItemRow,
    WrittenFile,
)
from gui.results.comparison_options import COEFFICIENTS, SYSTEMS
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame
from gui.widgets.progress_bar import ProgressBar, percent, time_left
from gui.widgets.scroll_column import scrolled
from gui.widgets.segmented_control import Segmented

_ICONS = {
    ChapterState.THERE: ("check", "success"),
    ChapterState.LEFT_OUT: ("minus", "muted"),
    ChapterState.EMPTY: ("minus", "muted"),
}


class ReportView(Page):
    """Chapters at the left, files at the right.

    Signals:
        chapter_toggled: key of a chapter to put in or leave out, and whether it is in.
        systems_chosen, coefficient_chosen: a key.
        write_requested, stop_requested, remedy_requested.
        export_requested: key of what is to be written.
        open_requested, folder_requested: a written path, to be opened or shown in its folder.
    """

    chapter_toggled = Signal(str, bool)
    systems_chosen = Signal(str)
    coefficient_chosen = Signal(str)
    write_requested = Signal()
    stop_requested = Signal()
    remedy_requested = Signal()
    export_requested = Signal(str)
    open_requested = Signal(object)
    folder_requested = Signal(object)

    def __init__(self, exports: Sequence[ExportRow]) -> None:
        super().__init__("Report")
        self.about_label = ElidedLabel("", Type.BODY, "muted")
        self.systems_box = QComboBox()
        self.systems_box.setAccessibleName("Systems")
        for key, title in SYSTEMS:
            self.systems_box.addItem(title, key)
        self.coefficient_box = Segmented("Figures by", COEFFICIENTS)
        self.write_button = self.set_primary("Write report…", "report")
        self.notice = Notice()
        self.chapter_boxes: dict[str, QCheckBox] = {}
        self._chapters, self._facts, self._written = QVBoxLayout(), QGridLayout(), QVBoxLayout()
        self._job = QWidget()
        self.job_label = Label("", Type.SMALL)
        self.bar = ProgressBar("Progress of writing")
        self.stop_button = link_button("Cancel")
        self.nothing_label = Label(
            "Nothing is written yet. The report is one HTML file that needs nothing else: tables, figures, "
            "every signature, and the commands that repeat each number.",
            Type.BODY,
            "muted",
            wrap=True,
        )
        self.chosen = ReportItemList()
        self.export_buttons: dict[str, QWidget] = {}
        self._lay_out(exports)
        self._connect()
        self.show_idle()

    def show_sheet(self, sheet: ReportDetails) -> None:
        """Show what the report will hold."""
        self.about_label.setText(sheet.about)
        self.notice.say(sheet.warning, sheet.remedy)
        _empty(self._chapters)
        self.chapter_boxes = {}
        for chapter in sheet.chapters:
            self._chapters.addWidget(self._chapter(chapter))
        _empty(self._facts)
        for row, (what, value) in enumerate(sheet.facts):
            self._facts.addWidget(Label(what, Type.SMALL, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(Label(value, Type.SMALL, wrap=True), row, 1)

    def show_chosen(self, lines: Sequence[ReportItemRow]) -> None:
        """Show the figures and tables that were chosen, in their order."""
        self.chosen.show_lines(lines)

    def show_writing(self, title: str, progress: Progress) -> None:
        """Show how far the writing is."""
        self._job.show()
        self.write_button.setEnabled(False)
        parts = (title, progress.note, percent(progress), time_left(progress.seconds_left))
        self.job_label.setText(" · ".join(part for part in parts if part))
        self.bar.show_progress(progress)

    def show_idle(self) -> None:
        """Show that nothing is being written."""
        self._job.hide()
        self.write_button.setEnabled(True)

    def show_written(self, written: Sequence[WrittenFile]) -> None:
        """Show what was written, the latest first."""
        _empty(self._written)
        self.nothing_label.setVisible(not written)
        for one in written:
            self._written.addWidget(self._written_row(one))

    def _chapter(self, chapter: Chapter) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        is_there = chapter.state is ChapterState.THERE
        row.addWidget(IconLabel(*_ICONS[chapter.state]), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        words.addWidget(Label(chapter.title, Type.STRONG, "text" if is_there else "muted"))
        words.addWidget(Label(chapter.holds, Type.SMALL, "muted", wrap=True))
        row.addLayout(words, 1)
        if chapter.key:
            box = QCheckBox("In the report")
            box.setAccessibleName(f"{chapter.title}: in the report")
            box.setChecked(chapter.state is not ChapterState.LEFT_OUT)
            box.toggled.connect(lambda is_in, key=chapter.key: self.chapter_toggled.emit(key, is_in))
            self.chapter_boxes[chapter.key] = box
            row.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        return whole

    def _written_row(self, written: WrittenFile) -> QWidget:
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("check", "success"), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        name = ElidedLabel(written.path.name, Type.STRONG)
        name.setAccessibleDescription(str(written.path))
        words.addWidget(name)
        words.addWidget(Label(written.holds, Type.SMALL, "muted", wrap=True))
        row.addLayout(words, 1)
        for text, signal in (("Open", self.open_requested), ("Show in folder", self.folder_requested)):
            button = link_button(text)
            button.setAccessibleName(f"{text}: {written.path.name}")
            button.clicked.connect(lambda _=False, signal=signal, path=written.path: signal.emit(path))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return inset_frame(row)

    def _connect(self) -> None:
        self.systems_box.activated.connect(lambda _: self.systems_chosen.emit(self.systems_box.currentData()))
        self.coefficient_box.chosen.connect(self.coefficient_chosen)
        self.write_button.clicked.connect(self.write_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.notice.remedy_requested.connect(self.remedy_requested)

    def _lay_out(self, exports: Sequence[ExportRow]) -> None:
        self.add_place(self.about_label)
        self.add_state(self.systems_box)
        self.add_state(Label("Figures by", Type.BODY, "muted"))
        self.add_state(self.coefficient_box)
        self._facts.setColumnStretch(1, 1)
        self._facts.setHorizontalSpacing(MEDIUM)
        self._facts.setVerticalSpacing(TIGHT)
        self._chapters.setSpacing(LARGE)
        chapters = Panel("What the report holds")
        chosen = Label("Chosen figures and tables", Type.STRONG)
        chapters.add(
            _column_of(self.notice, chosen, self.chosen, rule(), self._chapters, rule(), self._facts), 1
        )
        files = Panel("Written")
        self._written.setSpacing(SMALL)
        files.add(_column_of(self._job_row(), self._written, self.nothing_label), 1)
        numbers = Panel("For other programs")
        numbers.add(_column_of(*(self._export_row(line) for line in exports)), 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(MEDIUM)
        column.addWidget(files, 1)
        column.addWidget(numbers, 2)
        self.add(chapters, 55)
        self.add(right, 45)

    def _job_row(self) -> QWidget:
        column = QVBoxLayout(self._job)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.job_label, 1)
        row.addWidget(self.stop_button)
        column.addLayout(row)
        column.addWidget(self.bar)
        return self._job

    def _export_row(self, line: ExportRow) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        words.addWidget(Label(line.title, Type.STRONG))
        words.addWidget(Label(line.about, Type.SMALL, "muted", wrap=True))
        row.addLayout(words, 1)
        button = plain_button("Write…", "download")
        button.setAccessibleName(f"Write {line.title}")
        button.clicked.connect(lambda: self.export_requested.emit(line.key))
        self.export_buttons[line.key] = button
        row.addWidget(button)
        return whole


def _column_of(*parts: QWidget | QVBoxLayout | QGridLayout) -> QScrollArea:
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    column.setSpacing(MEDIUM)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    column.addStretch(1)
    return scrolled(inner)


def _empty(layout: QVBoxLayout | QGridLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
