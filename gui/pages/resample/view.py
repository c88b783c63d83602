"""The Resample page: experiments at the left, their settings and what they found at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from gui.pages.resample.experiment_list import ExperimentList
from gui.results.result_panel import ResultPanel
from gui.results.settings_form import SettingsForm
from gui.results.values import ExperimentDetails, ExperimentRow
from gui.style.theme import HAIR, MEDIUM, SMALL, Type
from gui.widgets.buttons import SearchField, icon_button, link_button, plain_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame
from gui.widgets.scroll_column import scrolled

NO_BREAK_HYPHEN = "\u2011"
"""For options of commands as they are shown: no line ends within one."""


class ResampleView(Page):
    """Choose an experiment, set it, run it, read what it found.

    Signals:
        experiment_chosen: its key. setting_changed: a setting's key and value. reset_requested.
        forget_requested: the kept result with these settings is to go.
        run_requested, stop_requested. remedy_requested: what the experiment lacks is to be got.
        `result` has those of what was found.
    """

    experiment_chosen = Signal(object)
    setting_changed = Signal(str, object)
    reset_requested = Signal()
    forget_requested = Signal()
    run_requested = Signal()
    stop_requested = Signal()
    remedy_requested = Signal()

    def __init__(self) -> None:
        super().__init__("Resample")
        self.stop_button = plain_button("Cancel")
        self.stop_button.setToolTip("Stop; what is done is kept, and the next run goes on from there")
        self.stop_button.hide()
        self.run_button = self.set_primary("Run", "play")
        edits(self.run_button)
        self.search = SearchField("Find an experiment")
        self.experiments = ExperimentList()
        self.sheet = _Sheet()
        self.result = panel = ResultPanel("refresh", "Run")
        self.parts_box, self.report_button, self.empty = panel.parts_box, panel.report_button, panel.empty
        self.notice, self.policy_label = panel.notice, panel.policy_label
        self.table, self.figure, self.notes = panel.table, panel.figure, panel.notes
        self._list_panel = Panel("Experiments", hairline=False)
        self._lay_out()
        self._connect()

    def show_experiments(self, lines: Sequence[ExperimentRow], fact: str) -> None:
        """Show what can be done."""
        self.experiments.experiments.set_rows(lines)
        self._list_panel.set_fact(fact)

    def show_sheet(self, sheet: ExperimentDetails) -> None:
        """Show one experiment in full."""
        self.sheet.show_sheet(sheet)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Allow the run or not."""
        self.run_button.setText("Running…" if is_running else "Run")
        self.run_button.setEnabled(can_run and not is_running)
        self.empty.quiet.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)

    def show_kept(self, is_kept: bool, can_forget: bool) -> None:
        """Offer to forget what the study keeps with these settings, where it keeps something."""
        self.sheet.forget_button.setVisible(is_kept)
        self.sheet.forget_button.setEnabled(can_forget)

    def choose_experiment(self, key: str) -> None:
        """Put an experiment in front."""
        self.experiments.choose(key)

    def focus_default(self) -> None:
        self.experiments.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_find(self) -> None:
        """Go to the find field."""
        self.search.focus_default()

    def _connect(self) -> None:
        self.search.textChanged.connect(self.experiments.experiments.find)
        self.experiments.row_chosen.connect(self.experiment_chosen)
        self.experiments.row_opened.connect(lambda _: self.run_requested.emit())
        self.sheet.form.changed.connect(self.setting_changed)
        self.sheet.reset_button.clicked.connect(self.reset_requested)
        self.sheet.forget_button.clicked.connect(self.forget_requested)
        self.sheet.problem.remedy_requested.connect(self.remedy_requested)
        self.run_button.clicked.connect(self.run_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.result.run_requested.connect(self.run_requested)

    def _lay_out(self) -> None:
        self.add_state(self.stop_button)
        find = QHBoxLayout()
        find.setContentsMargins(SMALL, 0, SMALL, SMALL)
        find.addWidget(self.search)
        self._list_panel.add(find)
        self._list_panel.add(self.experiments, 1)
        self.add(self._list_panel, 33)
        self.add(self.sheet, 25)
        self.add(self.result, 54)


class _Sheet(Panel):
    """One experiment: what it asks, its settings, the command that repeats it."""

    def __init__(self) -> None:
        super().__init__("Settings")
        self.form = SettingsForm()
        self.reset_button = link_button("Reset")
        self.reset_button.setToolTip("Every setting as it is by default")
        self.forget_button = link_button("Forget")
        self.forget_button.setToolTip(
            "Take the result with these settings out of the study, and the scores that it alone used"
        )
        self.forget_button.hide()
        edits(self.forget_button)
        self.title_words = Label("", Type.STRONG, wrap=True)
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.problem = Notice()
        self.command_label = Label("", "code", wrap=True)
        copy = icon_button("copy", "Copy the command")
        copy.clicked.connect(self._copy)
        self._command = ""
        self._lay_out(copy)

    def show_sheet(self, sheet: ExperimentDetails) -> None:
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
        for button in (self.forget_button, self.reset_button):
            self.add_action(button)
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
        self.add(scrolled(inner), 1)
        row = QHBoxLayout()
        row.addWidget(self.command_label, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout()
        box.setSpacing(SMALL)
        box.addWidget(Label("Command line", Type.CAPTION, "muted"))
        box.addWidget(inset_frame(row))
        self.add(box, padded=True)
