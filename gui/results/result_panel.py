"""Panel for the result of an experiment or comparison: a table, a figure or the notes, with the method."""

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
    """Show a result, or the reason why there is none.

    Signals:
        part_chosen: key of a table, a figure or the notes.
        copy_requested: a table format; ignored for figures.
    """

    part_chosen = Signal(str)
    copy_requested = Signal(str)

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
        self._stack = QStackedWidget()
        self._tools = QWidget()
        self._lay_out_result()
        self._connect_result()

    def show_result(self, details: ResultDetails, selected: str) -> None:
        """Show the texts of a result and list its parts; call `show_table` or `show_chart` next.

        selected: key of the selected part.
        """
        self._tools.show()
        self.parts_box.clear()
        for part in details.parts:
            self.parts_box.addItem(f"{part.label}: {part.title}" if part.title else part.label, part.key)
        self.choose_part(selected)
        self.parts_box.setVisible(len(details.parts) > 1)
        self.notice.show_message(*_notice(details))
        self._policy = "\n".join(line for line in (details.policy, details.fact) if line)
        self.policy_label.setText(self._policy)
        self.policy_label.show()

    def show_table(self, table: ReportTable) -> None:
        """Show a table, with its note above the method."""
        self.policy_label.setText("\n".join(text for text in (table.note, self._policy) if text))
        self.table.show_table(table)
        self._stack.setCurrentWidget(self.table)

    def show_chart(self, draw: Draw) -> None:
        """Show a figure."""
        self.policy_label.setText(self._policy)
        self._stack.setCurrentWidget(self.figure)
        self.figure.show_figure(draw)

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show the notes."""
        self.notes.show_notes(notes)
        self._stack.setCurrentWidget(self.notes)

    def choose_part(self, key: str) -> None:
        """Select a part in the box."""
        self.parts_box.setCurrentIndex(self.parts_box.findData(key))

    def show_empty(self, sentence: str, *, can_run: bool) -> None:
        """Show why there is no result. can_run: show the button that computes one."""
        self._tools.hide()
        self.notice.show_message("")
        self.policy_label.setText("")
        self.policy_label.hide()
        self.empty.sentence_label.setText(sentence)
        self.empty.quiet.setVisible(can_run)
        self._stack.setCurrentWidget(self.empty)

    def _connect_result(self) -> None:
        self.parts_box.activated.connect(lambda _: self.part_chosen.emit(self.parts_box.currentData()))
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))
        edits(self.report_button)

    def _lay_out_result(self) -> None:
        self._lay_out_tools()
        self.add_action(self._tools)
        above = QVBoxLayout()
        above.setContentsMargins(SMALL, SMALL, SMALL, 0)
        above.addWidget(self.notice)
        self.add(above)
        for widget in (self.empty, self.table, self.figure, self.notes):
            self._stack.addWidget(widget)
        self.add(self._stack, 1)
        self.add(self.policy_label, padded=True)

    def _lay_out_tools(self) -> None:
        copy = menu_button("copy", "Copy the table or figure", COPY_FORMATS, self.copy_requested.emit)
        self.save_button = icon_button("download", "Save the table or figure…")
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        for widget in (self.parts_box, copy, self.save_button, self.report_button):
            row.addWidget(widget)
        self.parts_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.parts_box.setMinimumContentsLength(28)


def _notice(details: ResultDetails) -> tuple[str, str]:
    """Return the sentence of the notice and the label of its button; changed inputs outrank notes."""
    if details.is_stale:
        return details.unread or "The inputs have changed since this result was computed.", "Run again"
    count = len(details.notes)
    if count == 1:
        return details.notes[0], ""
    return (f"{count} notes on this result.", "View") if count else ("", "")
