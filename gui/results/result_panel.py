"""Page with a panel for the result of an experiment or comparison: a table, a figure or the notes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from operator import itemgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.formatting.numbers import UNDEFINED
from core.formatting.tables import Cell
from core.formatting.tables import Table as ReportTable
from gui.item_models.table_model import Column
from gui.results.table_and_figure_files import COPY_FORMATS
from gui.results.values import ResultDetails
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.buttons import edits, icon_button, menu_button, plain_button
from gui.widgets.controls import ComboBox
from gui.widgets.figure_view import Draw, FigureView
from gui.widgets.label import Label, breakable_command
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame
from gui.widgets.reading_text import ReadingText

_TONES = {"verdict": {"passes": "success", "fails": "error"}}
"""Colours of words of results, by key of their column; the words say the same."""


class NotesText(ReadingText):
    """Show each note as a paragraph; text can be selected and copied."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dress()

    def show_notes(self, notes: Sequence[str]) -> None:
        self.setPlainText("\n".join(notes))
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        form = cursor.blockFormat()
        form.setTopMargin(MEDIUM)
        form.setLeftMargin(MEDIUM)
        form.setRightMargin(MEDIUM)
        cursor.mergeBlockFormat(form)
        self.moveCursor(QTextCursor.MoveOperation.Start)


class ResultPanel(Panel):
    """Show a result, or the reason why there is none.

    Signals:
        copy_requested: a table format; ignored for figures.
    """

    copy_requested = Signal(str)

    def __init__(self, icon: str, run: str) -> None:
        super().__init__(tr("Result"))
        self.parts_box = ComboBox(tr("Table or figure"), chars=28)
        self.notice = Notice()
        self.table = ReportTableView()
        self.figure = FigureView(tr("Figure of the result"))
        self.notes = NotesText(tr("Notes on the result"))
        self.empty = EmptyPage(icon, "", quiet=run)
        self.report_button = icon_button("report", tr("Add the table or figure to the report"))
        self.policy_label = Label("", Type.SMALL, "muted", wrap=True)
        self._policy = ""
        self._stack = QStackedWidget()
        self._tools = QWidget()
        copy = menu_button("copy", tr("Copy the table or figure"), COPY_FORMATS, self.copy_requested.emit)
        self.save_button = icon_button("download", tr("Save the table or figure…"))
        hbox(self.parts_box, copy, self.save_button, self.report_button, parent=self._tools, spacing=SMALL)
        self.add_action(self._tools)
        self.add(vbox(self.notice, margins=SMALL))
        for widget in (self.empty, self.table, self.figure, self.notes):
            self._stack.addWidget(widget)
        self.add((self._stack, 1))
        self.add(self.policy_label, padded=True)
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))
        edits(self.report_button)

    def show_result(self, details: ResultDetails, selected: str) -> None:
        """Show the texts of a result and list its parts; call `show_table` or `show_chart` next.

        selected: key of the selected part.
        """
        self._tools.show()
        titles = [f"{part.label}: {part.title}" if part.title else part.label for part in details.parts]
        self.parts_box.offer(zip((part.key for part in details.parts), titles, strict=True), selected)
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

    def show_content(self, content: QWidget, note: str) -> None:
        """Show a widget of the page, with a note instead of the method."""
        self.policy_label.setText(note)
        if self._stack.indexOf(content) < 0:
            self._stack.addWidget(content)
        self._stack.setCurrentWidget(content)

    def show_chart(self, draw: Draw) -> None:
        self.policy_label.setText(self._policy)
        self._stack.setCurrentWidget(self.figure)
        self.figure.show_figure(draw)

    def show_notes(self, notes: Sequence[str]) -> None:
        self.notes.show_notes(notes)
        self._stack.setCurrentWidget(self.notes)

    def show_empty(self, sentence: str, *, can_run: bool, remedy: str = "") -> None:
        """Show why there is no result.

        can_run: show the button that computes one. remedy: label of one that leads there, empty = none.
        """
        self._tools.hide()
        self.notice.show_message("")
        self.policy_label.setText("")
        self.policy_label.hide()
        self.empty.sentence_label.setText(sentence)
        self.empty.quiet.setVisible(can_run)
        self.empty.primary.setText(remedy)
        self.empty.primary.setVisible(bool(remedy))
        self._stack.setCurrentWidget(self.empty)


def _notice(details: ResultDetails) -> tuple[str, str]:
    """Return the sentence of the notice and the label of its button; changed inputs outrank notes."""
    if details.is_stale:
        return details.reason or tr("The inputs have changed since this result was computed."), tr(
            "Run again"
        )
    count = len(details.notes)
    if count == 1:
        return details.notes[0], ""
    return (tr("{count} notes on this result.", count=count), tr("View")) if count else ("", "")


Row = tuple[Cell, ...]


def _columns(table: ReportTable) -> list[Column[Row]]:
    """Return the columns on the screen: intervals in brackets, and without those that the note repeats."""
    pairs = enumerate(pairwise(table.columns))
    with_ends = {at for at, (one, following) in pairs if following.is_end and not one.is_end}
    return [
        Column(
            one.title,
            itemgetter(at),
            one.text,
            tr("With the ends of its interval") if at in with_ends else "",
            tones=_TONES.get(one.key, {}),
            row_text=partial(_with_ends, table, at) if at in with_ends else None,
        )
        for at, one in enumerate(table.columns)
        if not one.is_end and not one.is_in_note
    ]


def _with_ends(table: ReportTable, at: int, row: Row) -> str:
    """Return a value with the ends of its interval, which are the next two cells."""
    value, low, high = (table.columns[place].text(row[place]) for place in range(at, at + 3))
    return value if UNDEFINED in (low, high) else f"{value} [{low}, {high}]"


class ReportTableView(RowTable[Row]):
    """Show one table of a result at a time. Columns sort by raw values.

    Signals:
        copy_requested: the copy shortcut was pressed.
    """

    copy_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Result table"), [])
        self._titles: tuple[str, ...] = ()
        self._widths: tuple[int, ...] = ()

    def show_table(self, table: ReportTable) -> None:
        """Show this table with columns as wide as their contents, or evenly wider where there is room."""
        self.setAccessibleName(table.title)
        self.sorted.sort(-1)
        self.horizontalHeader().setSortIndicator(-1, self.sorted.sortOrder())
        self._titles = tuple(column.title for column in table.columns)
        self.rows.set_rows(table.rows, _columns(table))
        self.horizontalHeader().setStretchLastSection(False)
        self.resizeColumnsToContents()
        self._widths = tuple(map(self.columnWidth, range(self.rows.columnCount())))
        self._spread()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()

    def _spread(self) -> None:
        room = self.viewport().width() - sum(self._widths)
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, width + max(room, 0) // len(self._widths))
        self.horizontalHeader().setStretchLastSection(room >= 0)

    def copy(self) -> None:
        self.copy_requested.emit()

    def cells(self, row: Row) -> dict[str, Cell]:
        """Return the cells of a row by the titles of their columns."""
        return dict(zip(self._titles, row, strict=True))


class RunPage(Page):
    """A page that runs a job. The panel `result` has signals of its own.

    labels: of the button that runs it: before and during a run.
    icon, offer: of the panel without a result.
    is_primary: whether the button is the primary one of the page.
    """

    def __init__(
        self, title: str, labels: tuple[str, str], icon: str, offer: str, *, is_primary: bool = True
    ) -> None:
        super().__init__(title)
        self._labels = labels
        self.stop_button = plain_button(tr("Cancel"))
        self.stop_button.hide()
        self.run_button = self.set_primary(labels[0], "play") if is_primary else plain_button(labels[0])
        self.result = ResultPanel(icon, offer)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Show whether the job runs, and whether it can be started."""
        self.run_button.setText(self._labels[is_running])
        self.run_button.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)


class CommandLine(QWidget):
    """The command line that does the same as the page, with a button that copies it."""

    def __init__(self) -> None:
        super().__init__()
        self.command = ""
        self._label = Label("", "code", wrap=True)
        copy = icon_button("copy", tr("Copy the command"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command))
        frame = inset_frame(hbox((self._label, 1), (copy, 0, Qt.AlignmentFlag.AlignTop)))
        vbox(Label(tr("Command line"), Type.CAPTION, "muted"), frame, parent=self, spacing=SMALL)

    def show_command(self, command: str) -> None:
        self.command = command
        self._label.setText(breakable_command(command))
        self._label.setAccessibleName(command)
