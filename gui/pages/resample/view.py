"""View of the Resample page: experiments, the settings of the selected one, its result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from core.experiments.available import ExperimentOption
from core.experiments.experiment import ExperimentRequest
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.results.result_panel import CommandLine, RunPage
from gui.results.settings_form import SettingsForm
from gui.results.values import ExperimentRow, ExperimentStatus, SettingField
from gui.style import icons
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import SearchField, edits, icon_button, link_button
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, scrolled, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, text_width, write
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel

LIST_WIDTH, DETAILS_WIDTH = 200, 235


class ResampleView(RunPage):
    """Select an experiment, change its settings, run it, see the result."""

    def __init__(self) -> None:
        super().__init__(tr("Fewer references or topics"), (tr("Run"), tr("Running…")), "refresh", tr("Run"))
        self.stop_button.setToolTip(tr("Cancel the run. Finished steps are stored; the next run continues."))
        edits(self.run_button)
        self.search = SearchField(tr("Find an experiment"))
        self.experiments = ExperimentList()
        self.details = _DetailsPanel()
        self._list_panel = Panel(tr("Experiments"), hairline=False)
        self.add_state(self.stop_button)
        self._list_panel.add(hbox(self.search, margins=(SMALL, 0, SMALL, SMALL)), (self.experiments, 1))
        self._list_panel.setMinimumWidth(px(LIST_WIDTH))
        self.details.setMinimumWidth(px(DETAILS_WIDTH))
        self.add((self._list_panel, 33), (self.details, 25), (self.result, 54))
        self.search.filter_rows(self.experiments, self.experiments.experiments.find)

    def show_experiments(self, rows: Sequence[ExperimentRow], fact: str) -> None:
        """Show the list of experiments, with a fact about it in the header."""
        self.experiments.experiments.set_rows(rows)
        self._list_panel.set_fact(fact)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Show whether an experiment runs, and whether one can be started."""
        super().show_running(is_running, can_run)
        self.result.empty.quiet.setEnabled(can_run and not is_running)

    def show_delete(self, is_stored: bool, can_delete: bool) -> None:
        """Show the button that deletes the result if there is a stored one."""
        self.details.delete_button.setVisible(is_stored)
        self.details.delete_button.setEnabled(can_delete)

    def start(self) -> QWidget:
        return self.experiments


class _DetailsPanel(Panel):
    """The selected experiment: description, settings, equivalent command line."""

    def __init__(self) -> None:
        super().__init__(tr("Settings"))
        self.form = SettingsForm()
        self.reset_button = link_button(tr("Reset"))
        self.reset_button.setToolTip(tr("Reset all settings to their defaults"))
        self.delete_button = icon_button(
            "trash", tr("Delete result")
        )  # with words it was cut off at 1280 pixels
        self.delete_button.setToolTip(
            tr("Delete the stored result with these settings, and the scores that only it uses")
        )
        self.delete_button.hide()
        edits(self.delete_button)
        self.name_label = Label("", Type.STRONG, wrap=True)
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.problem = Notice()
        self.command_line = CommandLine()
        self.add_action(self.delete_button, self.reset_button)
        inner = QWidget()
        parts = vbox(self.name_label, self.about_label, self.paper_label, spacing=HAIR), self.problem
        vbox(*parts, self.form, Stretch(1), parent=inner, margins=MEDIUM, spacing=MEDIUM)
        self.add((scrolled(inner), 1))
        self.add(vbox(self.command_line), padded=True)

    def show_details(
        self,
        option: ExperimentOption,
        request: ExperimentRequest,
        fields: Sequence[SettingField],
        command: str,
    ) -> None:
        self.name_label.setText(request.title)
        self.about_label.setText(option.about)
        self.paper_label.show_text(option.paper)
        remedy = tr("Go to Score") if "score" in option.problem.lower() else ""
        self.problem.show_message(option.problem, remedy)
        self.form.show_fields(fields)
        self.form.setVisible(bool(fields))
        self.reset_button.setVisible(bool(fields))
        self.reset_button.setEnabled(request.experiment != option.default.experiment)
        self.command_line.show_command(command)


ROW_HEIGHT = 32
INDENT = 32
_ICONS = {
    ExperimentStatus.STORED: ("check", "success"),
    ExperimentStatus.UNAVAILABLE: ("warning", "warning"),
    ExperimentStatus.RUNNING: ("clock", "accent"),
}


class ExperimentDelegate(GroupedDelegate):
    """Paint an experiment's title, with its status on the right."""

    row_height = ROW_HEIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ExperimentRow = index.data(ROW_ROLE)
        right = self._paint_status(painter, area, row)
        title_area = area.adjusted(px(INDENT), 0, -(area.right() - right) - SMALL, 0)
        is_unavailable = row.status is ExperimentStatus.UNAVAILABLE
        write(painter, title_area, row.title, Type.BODY, "muted" if is_unavailable else "text")

    def _paint_status(self, painter: QPainter, area: QRect, row: ExperimentRow) -> int:
        """Paint the status and return its left edge in pixels."""
        right = area.right() - MEDIUM
        if row.status in _ICONS:
            right = icons.trail(painter, area.adjusted(0, 0, -MEDIUM, 0), *_ICONS[row.status]).right()
        needed = (
            px(INDENT) + text_width(row.title, Type.BODY) + text_width(row.status_text, Type.SMALL) + SMALL
        )
        has_room = row.status not in _ICONS or needed <= right - area.left()  # the title is more important
        if row.status_text and row.status is not ExperimentStatus.UNAVAILABLE and has_room:
            text_area = QRect(area.left(), area.top(), right - area.left(), area.height())
            write(painter, text_area, row.status_text, Type.SMALL, "muted", right=True)
            right -= text_width(row.status_text, Type.SMALL)
        return right


class ExperimentList(GroupedTree):
    """Tree view of the experiments."""

    def __init__(self) -> None:
        column: Column[ExperimentRow] = Column(
            tr("Experiment"),
            lambda row: f"{row.title} {row.key}",
            cell_tip=lambda row: row.tip,
            description=lambda row: row.status_text,
        )
        self.experiments = GroupedModel([column], lambda row: row.key, lambda row: row.group)
        super().__init__(tr("Experiments"), self.experiments, ExperimentDelegate())
        self.setHeaderHidden(True)
