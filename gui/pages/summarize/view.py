"""Dialog of baseline summaries: summarizers, the settings of the selected one, the study's systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.manual.page import page_key
from core.progress import Progress
from gui.item_models.table_model import Column, TableModel
from gui.results.settings_form import SettingsForm
from gui.results.values import SettingField
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import icon_button, link_button, plain_button, primary_button
from gui.widgets.dialog import BareDialog, within_screen
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label, breakable_command
from gui.widgets.layouts import vbox
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel, inset_frame
from gui.widgets.progress_bar import ProgressBar, percent, time_left


@dataclass(frozen=True, slots=True)
class SummarizerRow:
    """A summarizer in the list. name: as on the command line. kind: baseline or upper bound."""

    name: str
    about: str
    kind: str


@dataclass(frozen=True, slots=True)
class SummarizerDetails:
    """The selected summarizer.

    system: name of the system to make; placeholder: its name if that is empty. problem: why it cannot run,
    empty = it can. command: the equivalent command line.
    """

    title: str
    about: str
    paper: str
    fields: tuple[SettingField, ...]
    system: str
    placeholder: str
    problem: str
    command: str


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system of the study. made_by: configuration of the summarizer, empty = imported."""

    name: str
    summaries: int
    words: float
    made_by: str


_LIST_WIDTH, _DETAILS_WIDTH = 220, 260
WIDTH, HEIGHT = 1100, 680
TITLE = tr("Baseline summaries")


class SummarizeDialog(BareDialog):
    """Select a summarizer, change its settings, make a system of it.

    Signals:
        summarizer_chosen: its name.
        system_named: name of the system to make, empty = the configuration.
        shown: the dialog became visible.
    """

    help_page = "summarizers"
    shown = Signal()
    summarizer_chosen = Signal(str)
    system_named = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self.setAccessibleName(TITLE)
        self.resize(within_screen(self, WIDTH, HEIGHT))
        self.stop_button = plain_button(tr("Cancel"))
        self.stop_button.setToolTip(tr("Cancel the run. The summaries made so far are stored."))
        self.stop_button.hide()
        self.close_button = plain_button(tr("Close"))
        self.run_button = primary_button(tr("Make system"), "play")
        edits(self.run_button)
        self.summarizers = TableModel[SummarizerRow](
            [
                Column(tr("Summarizer"), lambda row: row.name, cell_tip=lambda row: row.about),
                Column(tr("Kind"), lambda row: row.kind, tip=tr("Upper bounds read the references")),
            ],
            self,
        )
        self.systems = TableModel[SystemRow](
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
            self,
        )
        self.list = Table(tr("Summarizers"), self.summarizers)
        self.system_table = Table(tr("Systems"), self.systems)
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.name_field = QLineEdit()
        self.form = SettingsForm()
        self.reset_button = link_button(tr("Reset"))
        self.reset_button.setToolTip(tr("Reset all settings to their defaults"))
        self.command_label = Label("", "code", wrap=True)
        self.copy_button = icon_button("copy", tr("Copy the command line"))
        self.notice = Notice()
        self.bar, self.progress_label = ProgressBar(tr("Progress of the run")), Label("", Type.SMALL, "muted")
        self._details_panel, self._systems_panel = Panel(tr("Settings")), Panel(tr("Systems of the study"))
        self._command = ""
        self._arrange()
        self._connect()
        self.show_progress(None)

    def show_summarizers(self, rows: Sequence[SummarizerRow]) -> None:
        """Show the list of summarizers and select the first."""
        self.summarizers.set_rows(rows)
        if rows:
            self.list.selectRow(0)

    def show_details(self, details: SummarizerDetails) -> None:
        """Show the selected summarizer."""
        self.help_page = page_key("summarizers", details.title)
        self._details_panel.set_title(details.title)
        self.about_label.setText(details.about)
        self.paper_label.setText(details.paper)
        self.form.show_fields(details.fields)
        with QSignalBlocker(self.name_field):
            if self.name_field.text() != details.system:
                self.name_field.setText(details.system)
        self.name_field.setPlaceholderText(details.placeholder)
        self._command = details.command
        self.command_label.setText(breakable_command(details.command))
        self.command_label.setAccessibleName(details.command)
        self.notice.show_message(details.problem)
        self.run_button.setEnabled(not details.problem and not self.stop_button.isVisibleTo(self))

    def show_systems(self, rows: Sequence[SystemRow]) -> None:
        """Show the systems of the study."""
        self.systems.set_rows(rows)
        self._systems_panel.set_fact(f"{len(rows)}" if rows else "")

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of a run, None = none runs."""
        is_running = progress is not None
        for widget in (self.bar, self.progress_label, self.stop_button):
            widget.setVisible(is_running)
        self.run_button.setText(tr("Running…") if is_running else tr("Make system"))
        self.run_button.setEnabled(not is_running and not self.notice.sentences[0])
        if progress is not None:
            self.bar.show_progress(progress)
            parts = (progress.note, percent(progress), time_left(progress.seconds_left))
            self.progress_label.setText(" · ".join(filter(None, parts)))

    def begin(self) -> None:
        """Show the dialog in front."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    @Slot()
    def _choose(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self.summarizer_chosen.emit(self.summarizers.row(index).name)

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.name_field.textEdited.connect(lambda text: self.system_named.emit(text.strip()))
        self.close_button.clicked.connect(self.reject)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._command))

    def _arrange(self) -> None:
        left = Panel(tr("Summarizers"), hairline=False)
        self.list.setSortingEnabled(False)
        self.list.fit(0, {1: 110})
        left.add(self.list, 1)
        left.setMinimumWidth(px(_LIST_WIDTH))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(MEDIUM, SMALL, MEDIUM, MEDIUM)
        column.setSpacing(SMALL)
        name_label = Label(tr("Name of the system"), Type.STRONG)
        name_label.setBuddy(self.name_field)
        self.name_field.setAccessibleName(tr("Name of the system"))
        for part in (self.about_label, self.paper_label, name_label, self.name_field, self.form):
            column.addWidget(part)
        column.addStretch(1)
        self._details_panel.add_action(self.copy_button)
        self._details_panel.add_action(self.reset_button)
        self._details_panel.add(scrolled(inner), 1)
        row = QHBoxLayout()
        row.addWidget(self.command_label, 1)
        box = QVBoxLayout()
        box.setSpacing(SMALL)
        box.addWidget(Label(tr("Command line"), Type.CAPTION, "muted"))
        box.addWidget(inset_frame(row))
        self._details_panel.add(box, padded=True)
        self._details_panel.setMinimumWidth(px(_DETAILS_WIDTH))
        running = vbox(self.bar, self.progress_label, spacing=SMALL)
        self.system_table.fit(3, {0: 140, 1: 110, 2: 75})
        self._systems_panel.add(running, padded=True)
        self._systems_panel.add(self.system_table, 1)
        panels, buttons, whole = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        panels.setSpacing(MEDIUM)
        for panel, stretch in ((left, 26), (self._details_panel, 36), (self._systems_panel, 50)):
            panels.addWidget(panel, stretch)
        buttons.setSpacing(SMALL)
        buttons.addStretch(1)
        for button in (self.stop_button, self.close_button, self.run_button):
            buttons.addWidget(button)
        whole.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        whole.setSpacing(MEDIUM)
        whole.addLayout(panels, 1)
        whole.addWidget(self.notice)
        whole.addLayout(buttons)
