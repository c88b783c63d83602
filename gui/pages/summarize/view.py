"""Dialog of baseline summaries: summarizers, the settings of the selected one, the study's systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLineEdit, QWidget

from core.manual.page import page_key
from core.systems.base import Summarizer
from gui.item_models.table_model import Column
from gui.results.result_panel import CommandLine
from gui.results.run_dialog import RunDialog
from gui.results.settings_form import setting_fields
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.label import Label, field_label
from gui.widgets.layouts import Stretch, hbox, scrolled, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import JobState
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system of the study. made_by: configuration of the summarizer, empty = imported."""

    name: str
    summaries: int
    words: float
    made_by: str


_LIST_WIDTH, _DETAILS_WIDTH = 230, 260
WIDTH, HEIGHT = 1100, 680
TITLE = tr("Baseline summaries")


def kind_of(row: Summarizer) -> str:
    return tr("upper bound") if row.upper_bound_by else tr("baseline")


class SummarizeDialog(RunDialog):
    """Select a summarizer, change its settings, make a system of it."""

    help_page = "summarizers"

    def __init__(self, parent: QWidget | None = None) -> None:
        job = JobState(tr("Progress of the run"))
        job.stop_button.setToolTip(tr("Stop the run. The summaries made so far are stored."))
        super().__init__(TITLE, (WIDTH, HEIGHT), tr("Make system"), job, parent)
        self.list = RowTable[Summarizer](
            tr("Summarizers"),
            [
                Column(tr("Summarizer"), lambda row: row.name, cell_tip=lambda row: row.about),
                Column(tr("Kind"), kind_of, tip=tr("Upper bounds read the references")),
            ],
            can_sort=False,
        )
        self.system_table = RowTable[SystemRow](
            tr("Systems"),
            [
                Column(tr("System"), lambda row: row.name, cell_tip=lambda row: row.name),
                Column(tr("Summaries"), lambda row: row.summaries, lambda count: f"{count:,}"),
                Column(
                    tr("Words"),
                    lambda row: row.words,
                    lambda mean: f"{mean:.0f}",
                    tip=tr("Mean length in words"),
                ),
                Column(tr("Made by"), lambda row: row.made_by, cell_tip=lambda row: row.made_by),
            ],
        )
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.name_field = QLineEdit()
        self.reset_button = link_button(tr("Reset"))
        self.reset_button.setToolTip(tr("Reset all settings to their defaults"))
        self.command_line = CommandLine()
        self._details_panel, self._systems_panel = Panel(tr("Settings")), Panel(tr("Systems of the study"))
        self._arrange()
        self._show_busy()

    def show_summarizers(self, rows: Sequence[Summarizer]) -> None:
        """Show the list of summarizers and select the first."""
        self.list.rows.set_rows(rows)
        if rows:
            self.list.selectRow(0)

    def show_details(
        self, summarizer: Summarizer, system: str, placeholder: str, problem: str, command: str
    ) -> None:
        """Show the selected summarizer.

        system: name of the system to make; placeholder: its name if that is empty. problem: why it cannot
        run, empty = it can. command: the equivalent command line.
        """
        self.help_page = page_key("summarizers", summarizer.name)
        self._details_panel.set_title(summarizer.name)
        self.about_label.setText(summarizer.about)
        self.paper_label.setText(summarizer.paper)
        self.form.show_fields(setting_fields(summarizer))
        with QSignalBlocker(self.name_field):
            if self.name_field.text() != system:
                self.name_field.setText(system)
        self.name_field.setPlaceholderText(placeholder)
        self.command_line.show_command(command)
        self.show_problem(problem)

    def show_systems(self, rows: Sequence[SystemRow]) -> None:
        self.system_table.rows.set_rows(rows)
        self._systems_panel.set_fact(f"{len(rows)}" if rows else "")

    def _show_busy(self) -> None:
        super()._show_busy()
        self.job.setVisible(self.job.is_busy)

    def _arrange(self) -> None:
        left = Panel(tr("Summarizers"), hairline=False)
        self.list.fit(0, {1: 120})
        left.add((self.list, 1))
        left.setMinimumWidth(px(_LIST_WIDTH))
        inner = QWidget()
        name_label = field_label(tr("Name of the system"), self.name_field)
        parts = self.about_label, self.paper_label, name_label, self.name_field, self.form
        vbox(*parts, Stretch(1), parent=inner, margins=(MEDIUM, SMALL, MEDIUM, MEDIUM), spacing=SMALL)
        self._details_panel.add_action(self.reset_button)
        self._details_panel.add((scrolled(inner), 1))
        self._details_panel.add(vbox(self.command_line), padded=True)
        self._details_panel.setMinimumWidth(px(_DETAILS_WIDTH))
        self.system_table.fit(3, {0: 110, 1: 112, 2: 75})
        self._systems_panel.add(vbox(self.job), padded=True)
        self._systems_panel.add((self.system_table, 1))
        panels = hbox((left, 30), (self._details_panel, 36), (self._systems_panel, 46), spacing=MEDIUM)
        vbox((panels, 1), self.notice, self._buttons, parent=self, margins=LARGE, spacing=MEDIUM)
