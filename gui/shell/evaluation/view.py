"""Dialog of the quick evaluation: files and metrics, progress, and the tables of the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.formatting.tables import Table
from core.operations.options import LEXICAL
from core.progress import Progress
from core.results.result import Result
from gui.results.result_panel import ReportTableView
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import vbox
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.lists.table_view import ROW_HEIGHT
from gui.widgets.notice import Notice
from gui.widgets.progress_bar import ProgressBar, percent, time_left

WIDTH, HEIGHT = 1100, 660
INTRO = tr(
    "Choose a table with summaries, references and ratings, or text files with one text "
    "per line: the references first, then the outputs of systems."
)
NO_FILES = tr("No file chosen")
STOPPED = tr("Stopped. Nothing was kept.")
_ROWS = 9
_NOTES_ROWS = 3


class QuickEvaluationDialog(Dialog):
    """Score and compare the systems of chosen files, and correlate the metrics with their ratings."""

    help_page = "evaluate"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Quick evaluation"), tr("Evaluate"), parent, width=WIDTH, icon="sigma")
        self.files: tuple[Path, ...] = ()
        self._tables: tuple[Table, ...] = ()
        self._is_busy = False
        self.choose_button = plain_button(tr("Choose files…"), "open")
        self.files_label = ElidedLabel(NO_FILES, Type.BODY, "muted")
        self.metrics_box = MultiChoice(tr("Metrics"), tr("All metrics"), needs_one=True)
        self.parts_box = Segmented(tr("Table"), (("0", tr("Scores of systems")), ("1", tr("Correlations"))))
        self.table = ReportTableView()
        self.table.setMinimumHeight(px(ROW_HEIGHT * _ROWS))
        self.notes_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notes_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notice = Notice()
        self.bar = ProgressBar(tr("Evaluation"))
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.stop_button = link_button(tr("Stop"))
        self.save_button = plain_button(tr("Save table…"), "export")
        self.keep_button = plain_button(tr("Keep as study…"), "plus")
        self.cancel_button.setText(tr("Close"))
        self._result = QWidget()
        self._lay_out()
        self.accept_button.clicked.disconnect()
        self.parts_box.chosen.connect(self._show_table)
        self._result.hide()
        self.show_idle()
        self.show_metrics(LEXICAL)
        self.choose_button.setFocus()

    @property
    def chosen_table(self) -> Table | None:
        """The table that is shown, None = there is no result."""
        return self._tables[int(self.parts_box.current)] if self._tables else None

    def show_metrics(self, names: Sequence[str]) -> None:
        """List metrics to choose from; the choice does not change."""
        self.metrics_box.show_choices(
            [Choice(name, name) for name in names], self.metrics_box.current or LEXICAL
        )

    def show_files(self, files: Sequence[Path]) -> None:
        """Show the chosen files in order; the result of others is no longer shown."""
        self.files = tuple(files)
        self.files_label.setText(", ".join(file.name for file in files) or NO_FILES)
        self.notice.show_message("")
        self._tables = ()
        self._result.hide()
        self._update()

    def show_progress(self, progress: Progress) -> None:
        """Show how far the evaluation is."""
        is_first, self._is_busy = not self._is_busy, True
        self.bar.show()
        self.stop_button.show()
        self.bar.show_progress(progress)
        parts = (progress.note or tr("Starting"), percent(progress), time_left(progress.seconds_left))
        self.state_label.setText(" · ".join(filter(None, parts)))
        if is_first:
            self.notice.show_message("")
            self._update()
            self.stop_button.setFocus()

    def show_idle(self, sentence: str = "") -> None:
        """Show that nothing is running, and why it ended."""
        self._is_busy = False
        self.bar.hide()
        self.stop_button.hide()
        self.state_label.setText(sentence)
        self._update()

    def show_result(self, result: Result) -> None:
        """Show the tables of a result, and what could not be computed."""
        self._tables = result.tables
        self.parts_box.setVisible(len(result.tables) > 1)
        self.parts_box.choose("0")
        self.notes_label.setText("\n".join(result.policy))
        self._result.show()
        self._show_table()
        self._grow()
        self.show_idle()
        self.notice.show_message(" ".join(result.warnings))
        self.table.setFocus()

    def _grow(self) -> None:
        """Make room for the result, on the screen."""
        room = self.screen().availableGeometry()
        size = within_screen(self, WIDTH, HEIGHT).expandedTo(self.size()).boundedTo(room.size())
        frame = self.frameGeometry()
        left, top = (frame.width() - self.width(), frame.height() - self.height())
        corner = frame.topLeft()
        corner.setX(max(room.left(), min(corner.x(), room.right() - size.width() - left)))
        corner.setY(max(room.top(), min(corner.y(), room.bottom() - size.height() - top)))
        self.resize(size)
        self.move(corner)

    @Slot()
    def _show_table(self) -> None:
        if (table := self.chosen_table) is not None:
            self.table.show_table(table)

    def _update(self) -> None:
        self.accept_button.setEnabled(bool(self.files) and not self._is_busy)
        for widget in (self.choose_button, self.metrics_box):
            widget.setEnabled(not self._is_busy)
        for button in (self.save_button, self.keep_button):
            button.setEnabled(bool(self._tables) and not self._is_busy)

    def _lay_out(self) -> None:
        files, tools, state = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (files, tools, state):
            row.setSpacing(SMALL)
        files.addWidget(self.choose_button)
        files.addWidget(self.files_label, 1)
        tools.addWidget(self.parts_box)
        tools.addStretch(1)
        tools.addWidget(self.save_button)
        tools.addWidget(self.keep_button)
        state.addWidget(self.state_label, 1)
        state.addWidget(self.stop_button)
        notes = scrolled(self.notes_label)
        notes.setMaximumHeight(px(ROW_HEIGHT * _NOTES_ROWS))
        self.body.addWidget(Label(INTRO, Type.BODY, "muted", wrap=True))
        self.body.addLayout(files)
        self.add_field(tr("Metrics"), self.metrics_box)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.bar)
        self.body.addLayout(state)
        vbox(tools, (self.table, 1), notes, parent=self._result, spacing=SMALL)
        self.body.addWidget(self._result, 1)
