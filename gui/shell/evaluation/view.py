"""Dialog of the quick evaluation: files and metrics, progress, and the tables of the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from core.formatting.tables import Table
from core.operations.options import LEXICAL
from core.results.result import Result
from gui.results.result_panel import ReportTableView
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.controls import Choice, MultiChoice, Segmented
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Stretch, extend, hbox, scrolled, vbox
from gui.widgets.lists.table_view import ROW_HEIGHT
from gui.widgets.notice import JobState, Notice

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
        self.choose_button = plain_button(tr("Choose files…"), "open")
        self.files_label = ElidedLabel(NO_FILES, Type.BODY, "muted")
        self.metrics_box = MultiChoice(tr("Metrics"), tr("All metrics"), needs_one=True)
        self.parts_box = Segmented(tr("Table"), (("0", tr("Scores of systems")), ("1", tr("Correlations"))))
        self.table = ReportTableView()
        self.table.setMinimumHeight(px(ROW_HEIGHT * _ROWS))
        self.notes_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notes_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notice = Notice()
        self.job = JobState(tr("Evaluation"))
        self.save_button = plain_button(tr("Save table…"), "export")
        self.keep_button = plain_button(tr("Keep as study…"), "plus")
        self.cancel_button.setText(tr("Close"))
        self._result = QWidget()
        tools = hbox(self.parts_box, Stretch(1), self.save_button, self.keep_button, spacing=SMALL)
        notes = scrolled(self.notes_label)
        notes.setMaximumHeight(px(ROW_HEIGHT * _NOTES_ROWS))
        self.body.addWidget(Label(INTRO, Type.BODY, "muted", wrap=True))
        self.body.addLayout(hbox(self.choose_button, (self.files_label, 1), spacing=SMALL))
        self.add_field(tr("Metrics"), self.metrics_box)
        extend(self.body, self.notice, self.job)
        vbox(tools, (self.table, 1), notes, parent=self._result, spacing=SMALL)
        self.body.addWidget(self._result, 1)
        self.accept_button.clicked.disconnect()
        self.parts_box.chosen.connect(self._show_table)
        self.job.busy_changed.connect(self._show_busy)
        self._result.hide()
        self._update()
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

    def show_result(self, result: Result) -> None:
        """Show the tables of a result, and what could not be computed."""
        self._tables = result.tables
        self.parts_box.setVisible(len(result.tables) > 1)
        self.parts_box.choose("0")
        self.notes_label.setText("\n".join(result.policy))
        self._result.show()
        self._show_table()
        self._grow()
        self.job.show_idle()
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

    @Slot()
    def _show_busy(self) -> None:
        self._update()
        if self.job.is_busy:
            self.notice.show_message("")
            self.job.stop_button.setFocus()

    def _update(self) -> None:
        is_idle = not self.job.is_busy
        self.accept_button.setEnabled(bool(self.files) and is_idle)
        for widget in (self.choose_button, self.metrics_box):
            widget.setEnabled(is_idle)
        for button in (self.save_button, self.keep_button):
            button.setEnabled(bool(self._tables) and is_idle)
