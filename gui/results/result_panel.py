"""What an experiment or a comparison found: one table, figure or its notes at a time, with its policy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.formatting.tables import Table as ReportTable
from gui.results.notes_text import NotesText
from gui.results.report_table import ReportTableView
from gui.results.table_and_figure_files import COPY_FORMATS
from gui.results.values import ResultDetails
from gui.style.theme import SMALL, Type
from gui.widgets.buttons import icon_button, menu_button
from gui.widgets.edit_lock import edits
from gui.widgets.empty_state import EmptyPage
from gui.widgets.figure_view import Draw, FigureView
from gui.widgets.label import Label
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel


class ResultPanel(Panel):
    """A result, or why there is none.

    Signals:
        run_requested: from the empty panel. part_chosen: the key of a table or figure.
        copy_requested: a format of tables; a figure is copied whatever it says. save_requested.
        report_requested: the table or figure in front should go into the report.
        remedy_requested: what the notice offers.
    """

    run_requested = Signal()
    part_chosen = Signal(str)
    copy_requested = Signal(str)
    save_requested = Signal()
    report_requested = Signal()
    remedy_requested = Signal()

    def __init__(self, icon: str, run: str) -> None:
        super().__init__("Result")
        self.parts_box = QComboBox()
        self.parts_box.setAccessibleName("Table or figure")
        self.notice = Notice()
        self.table = ReportTableView()
        self.figure = FigureView("Figure of the result")
        self.notes = NotesText("Notes on the result")
        self.empty = EmptyPage(icon, "", quiet=run)
        self.report_button = icon_button("report", "Add the table or figure to the report")
        self.policy_label = Label("", Type.SMALL, "muted", wrap=True)
        self._policy = ""
        self._shown = QStackedWidget()
        self._tools = QWidget()
        self._lay_out_result()
        self._connect_result()

    def show_result(self, sheet: ResultDetails, part: str) -> None:
        """Show what was found, one part of it in front; `show_table` or `show_chart` follows."""
        self._tools.show()
        self.parts_box.clear()
        for one in sheet.parts:
            self.parts_box.addItem(f"{one.short}: {one.title}" if one.title else one.short, one.key)
        self.choose_part(part)
        self.parts_box.setVisible(len(sheet.parts) > 1)
        self.notice.say(*_notice_of(sheet))
        self._policy = "\n".join(line for line in (sheet.policy, sheet.fact) if line)
        self.policy_label.setText(self._policy)
        self.policy_label.show()

    def show_table(self, table: ReportTable) -> None:
        """Put a table in front, with its note above the policy."""
        self.policy_label.setText("\n".join(text for text in (table.note, self._policy) if text))
        self.table.show_table(table)
        self._shown.setCurrentWidget(self.table)

    def show_chart(self, draw: Draw) -> None:
        """Put a figure in front."""
        self.policy_label.setText(self._policy)
        self._shown.setCurrentWidget(self.figure)
        self.figure.show_figure(draw)

    def show_notes(self, notes: Sequence[str]) -> None:
        """Put what a reader must know in front."""
        self.notes.show_notes(notes)
        self._shown.setCurrentWidget(self.notes)

    def choose_part(self, key: str) -> None:
        """Show which part is in front."""
        self.parts_box.setCurrentIndex(self.parts_box.findData(key))

    def show_empty(self, sentence: str, *, can_run: bool) -> None:
        """Say that nothing was found yet, and what to do."""
        self._tools.hide()
        self.notice.say("")
        self.policy_label.setText("")
        self.policy_label.hide()
        self.empty.sentence_label.setText(sentence)
        self.empty.quiet.setVisible(can_run)
        self._shown.setCurrentWidget(self.empty)

    def _connect_result(self) -> None:
        self.empty.quiet_requested.connect(self.run_requested)
        self.parts_box.activated.connect(lambda _: self.part_chosen.emit(self.parts_box.currentData()))
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))
        self.report_button.clicked.connect(self.report_requested)
        edits(self.report_button)
        self.notice.remedy_requested.connect(self.remedy_requested)

    def _lay_out_result(self) -> None:
        self._lay_out_tools()
        self.add_action(self._tools)
        above = QVBoxLayout()
        above.setContentsMargins(SMALL, SMALL, SMALL, 0)
        above.addWidget(self.notice)
        self.add(above)
        for widget in (self.empty, self.table, self.figure, self.notes):
            self._shown.addWidget(widget)
        self.add(self._shown, 1)
        self.add(self.policy_label, padded=True)

    def _lay_out_tools(self) -> None:
        copy = menu_button("copy", "Copy the table or figure", COPY_FORMATS, self.copy_requested.emit)
        save = icon_button("download", "Save the table or figure…")
        save.clicked.connect(self.save_requested)
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        for widget in (self.parts_box, copy, save, self.report_button):
            row.addWidget(widget)
        self.parts_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.parts_box.setMinimumContentsLength(28)


def _notice_of(sheet: ResultDetails) -> tuple[str, str]:
    """One sentence over a result, and its remedy; what it stands on comes before what is to be noted."""
    if sheet.is_stale:
        return "Something that this was made from has changed since.", "Run again"
    count = len(sheet.notes)
    if count == 1:
        return sheet.notes[0], ""
    return (f"{count} notes belong to these numbers.", "Read them") if count else ("", "")
