"""The Resample page: experiments at the left, their settings and what they found at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.report.tables import Table as ReportTable
from gui.theme import HAIR, MEDIUM, SMALL, Type
from gui.values.resample import ExperimentLine, ExperimentSheet, ResultSheet
from gui.widgets.buttons import SearchField, icon_button, link_button, plain_button
from gui.widgets.empty import EmptyPage
from gui.widgets.experiment_list import ExperimentList
from gui.widgets.figure_view import Draw, FigureView
from gui.widgets.label import Label
from gui.widgets.measure_panel import COPIES
from gui.widgets.notes_text import NotesText
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, well
from gui.widgets.report_table import ReportTableView
from gui.widgets.settings_form import SettingsForm

NO_BREAK_HYPHEN = "\u2011"
"""For options of commands as they are shown: no line ends within one."""


class ResampleView(Page):
    """Choose an experiment, set it, run it, read what it found.

    Signals:
        experiment_chosen: its key. setting_changed: a setting's key and value. reset_requested.
        run_requested, stop_requested. remedy_requested: what the experiment lacks is to be got.
        part_chosen: the key of a table or figure of the result.
        copy_requested: a format of tables; a figure is copied whatever it says. save_requested.
        report_requested: the table or figure in front should go into the report.
    """

    experiment_chosen = Signal(object)
    setting_changed = Signal(str, object)
    reset_requested = Signal()
    run_requested = Signal()
    stop_requested = Signal()
    remedy_requested = Signal()
    part_chosen = Signal(str)
    copy_requested = Signal(str)
    save_requested = Signal()
    report_requested = Signal()

    def __init__(self) -> None:
        super().__init__("Resample")
        self.stop_button = plain_button("Cancel")
        self.stop_button.setToolTip("Stop; what is done is kept, and the next run goes on from there")
        self.stop_button.hide()
        self.run_button = self.set_primary("Run", "play")
        self.search = SearchField("Find an experiment")
        self.experiments = ExperimentList()
        self.sheet = _Sheet()
        self.parts_box = QComboBox()
        self.parts_box.setAccessibleName("Table or figure")
        self.notice = Notice()
        self.table = ReportTableView()
        self.figure = FigureView("Figure of the experiment")
        self.notes = NotesText("Notes on the result")
        self.empty = EmptyPage("refresh", "", quiet="Run")
        self.policy_label = Label("", Type.SMALL, "muted", wrap=True)
        self._policy = ""
        self._list_panel = Panel("Experiments", hairline=False)
        self._result_panel = Panel("Result")
        self._shown = QStackedWidget()
        self._tools = QWidget()
        self._lay_out()
        self._connect()

    def show_experiments(self, lines: Sequence[ExperimentLine], fact: str) -> None:
        """Show what can be done."""
        self.experiments.experiments.set_rows(lines)
        self._list_panel.set_fact(fact)

    def show_sheet(self, sheet: ExperimentSheet) -> None:
        """Show one experiment in full."""
        self.sheet.show_sheet(sheet)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Allow the run or not."""
        self.run_button.setText("Running…" if is_running else "Run")
        self.run_button.setEnabled(can_run and not is_running)
        self.empty.quiet.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)

    def show_result(self, sheet: ResultSheet, part: str) -> None:
        """Show what was found, one part of it in front; `show_table` or `show_chart` follows."""
        self._tools.show()
        self.parts_box.clear()
        for one in sheet.parts:
            self.parts_box.addItem(f"{one.short}: {one.title}" if one.title else one.short, one.key)
        self.parts_box.setCurrentIndex(self.parts_box.findData(part))
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

    def show_no_result(self, sentence: str, *, can_run: bool) -> None:
        """Say that nothing was found yet, and what to do."""
        self._tools.hide()
        self.notice.say("")
        self.policy_label.setText("")
        self.policy_label.hide()
        self.empty.sentence_label.setText(sentence)
        self.empty.quiet.setVisible(can_run)
        self._shown.setCurrentWidget(self.empty)

    def choose_experiment(self, key: str) -> None:
        """Put an experiment in front."""
        self.experiments.choose(key)

    def take_keyboard(self) -> None:
        self.experiments.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_find(self) -> None:
        """Go to the find field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _connect(self) -> None:
        self.search.textChanged.connect(self.experiments.experiments.find)
        self.experiments.row_chosen.connect(self.experiment_chosen)
        self.experiments.row_opened.connect(lambda _: self.run_requested.emit())
        self.sheet.form.changed.connect(self.setting_changed)
        self.sheet.reset_button.clicked.connect(self.reset_requested)
        self.sheet.problem.remedy_requested.connect(self.remedy_requested)
        self.run_button.clicked.connect(self.run_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.empty.quiet_requested.connect(self.run_requested)
        self.parts_box.activated.connect(lambda _: self.part_chosen.emit(self.parts_box.currentData()))
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))

    def _lay_out(self) -> None:
        self.add_state(self.stop_button)
        find = QHBoxLayout()
        find.setContentsMargins(SMALL, 0, SMALL, SMALL)
        find.addWidget(self.search)
        self._list_panel.add(find)
        self._list_panel.add(self.experiments, 1)
        self._lay_out_tools()
        self._result_panel.add_action(self._tools)
        above = QVBoxLayout()
        above.setContentsMargins(SMALL, SMALL, SMALL, 0)
        above.addWidget(self.notice)
        self._result_panel.add(above)
        for widget in (self.empty, self.table, self.figure, self.notes):
            self._shown.addWidget(widget)
        self._result_panel.add(self._shown, 1)
        self._result_panel.add(self.policy_label, padded=True)
        self.add(self._list_panel, 33)
        self.add(self.sheet, 25)
        self.add(self._result_panel, 54)

    def _lay_out_tools(self) -> None:
        copy = icon_button("copy", "Copy the table or figure")
        menu = QMenu(copy)
        for key, title in COPIES:
            menu.addAction(title).triggered.connect(lambda _, key=key: self.copy_requested.emit(key))
        copy.setMenu(menu)
        copy.setPopupMode(copy.ToolButtonPopupMode.InstantPopup)
        save = icon_button("download", "Save the table or figure…")
        save.clicked.connect(self.save_requested)
        self.report_button = icon_button("report", "Add the table or figure to the report")
        self.report_button.clicked.connect(self.report_requested)
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        for widget in (self.parts_box, copy, save, self.report_button):
            row.addWidget(widget)
        self.parts_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.parts_box.setMinimumContentsLength(28)


def _notice_of(sheet: ResultSheet) -> tuple[str, str]:
    """One sentence over a result, and its remedy; what it stands on comes before what is to be noted."""
    if sheet.is_stale:
        return "Something that this was made from has changed since.", "Run again"
    count = len(sheet.notes)
    if count == 1:
        return sheet.notes[0], ""
    return (f"{count} notes belong to these numbers.", "Read them") if count else ("", "")


class _Sheet(Panel):
    """One experiment: what it asks, its settings, the command that repeats it."""

    def __init__(self) -> None:
        super().__init__("Settings")
        self.form = SettingsForm()
        self.reset_button = link_button("Reset")
        self.reset_button.setToolTip("Every setting as it is by default")
        self.title_words = Label("", Type.STRONG, wrap=True)
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.problem = Notice()
        self.command_label = Label("", "code", wrap=True)
        copy = icon_button("copy", "Copy the command")
        copy.clicked.connect(self._copy)
        self._command = ""
        self._lay_out(copy)

    def show_sheet(self, sheet: ExperimentSheet) -> None:
        """Show this experiment."""
        self.title_words.setText(sheet.title)
        self.about_label.setText(sheet.about)
        self.paper_label.setText(sheet.paper)
        self.paper_label.setVisible(bool(sheet.paper))
        self.problem.say(sheet.problem, sheet.remedy)
        self.form.show_fields(sheet.fields)
        self.form.setVisible(bool(sheet.fields))
        self.reset_button.setVisible(bool(sheet.fields))
        self.reset_button.setEnabled(not sheet.is_default)
        self._command = sheet.command
        self.command_label.setText(sheet.command.replace("-", NO_BREAK_HYPHEN))
        self.command_label.setAccessibleName(sheet.command)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)

    def _lay_out(self, copy: QWidget) -> None:
        self.add_action(self.reset_button)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.setSpacing(MEDIUM)
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        for label in (self.title_words, self.about_label, self.paper_label):
            words.addWidget(label)
        column.addLayout(words)
        column.addWidget(self.problem)
        column.addWidget(self.form)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        self.add(area, 1)
        row = QHBoxLayout()
        row.addWidget(self.command_label, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout()
        box.setSpacing(SMALL)
        box.addWidget(Label("On the command line", Type.CAPTION, "muted"))
        box.addWidget(well(row))
        self.add(box, padded=True)
