"""The dialogs of backups: which one to restore, and waiting for one while the window closes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.formatting.byte_sizes import format_known_bytes
from gui.dialogs.backups.values import BackupRow
from gui.item_models.table_model import Column, TableModel
from gui.style.theme import Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.table_view import Table

_WIDTH, _HEIGHT = 820, 260
_WIDTHS = {0: 165, 1: 165, 2: 80, 3: 75, 4: 125}


class RestoreDialog(Dialog):
    """The backups of a study, one of which can replace it.

    Signals:
        other_requested: choose a file that is not in the list.
    """

    other_requested = Signal()

    def __init__(self, study: Path, parent: QWidget | None = None) -> None:
        super().__init__("Restore a backup", "Restore", parent, width=_WIDTH, icon="refresh")
        self._other: Path | None = None
        self._model: TableModel[BackupRow] = TableModel(
            (
                Column(
                    "Made",
                    lambda line: line.made,
                    lambda made: made.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
                ),
                Column("Kind", lambda line: line.kind),
                Column("Size", lambda line: line.bytes, format_known_bytes),
                Column("Edits", lambda line: line.edits, "{:,}".format),
                Column("Annotations", lambda line: line.annotations, "{:,}".format),
                Column("State", lambda line: line.problem or "Verified", cell_tip=lambda line: line.problem),
            ),
            self,
        )
        self.table = Table("Backups", self._model)
        self.table.setSortingEnabled(False)
        self.table.fit(5, _WIDTHS)
        self.table.setMinimumHeight(px(_HEIGHT))
        self.notice = Label("Checking the backups…", Type.SMALL, "muted", wrap=True)
        self.other_button = plain_button("Choose another file…", "open")
        self.other_button.clicked.connect(self.other_requested)
        self.body.addWidget(Label(str(study), Type.BODY, "muted", wrap=True))
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.other_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.accept_button.setEnabled(False)
        self.table.selectionModel().currentRowChanged.connect(self._heed)
        self.table.doubleClicked.connect(self._take)

    @property
    def chosen(self) -> Path | None:
        """The backup to restore."""
        if self._other is not None:
            return self._other
        index = self.table.currentIndex()
        return self._model.row(index).path if index.isValid() else None

    def show_backups(self, lines: Sequence[BackupRow], where: str) -> None:
        """List backups, newest first. where: the folders that were searched, in words."""
        self._model.set_rows(lines)
        self.notice.setText(
            "The present file is saved as a backup first, so this can be undone."
            if lines
            else f"There are no backups in {where}."
        )
        first = next((row for row, line in enumerate(lines) if not line.problem), None)
        if first is not None:
            self.table.setCurrentIndex(self._model.index(first, 0))
            self.table.setFocus()

    def show_problem(self, sentence: str) -> None:
        """Report why nothing can be listed."""
        self.notice.setText(sentence)

    def choose_other(self, path: Path) -> None:
        """Restore a file that is not in the list."""
        self._other = path
        self.accept()

    @Slot(QModelIndex, QModelIndex)
    def _heed(self, now: QModelIndex, before: QModelIndex) -> None:
        self.accept_button.setEnabled(now.isValid() and not self._model.row(now).problem)

    @Slot(QModelIndex)
    def _take(self, index: QModelIndex) -> None:
        if self.accept_button.isEnabled():
            self.accept()


class ClosingDialog(Dialog):
    """Shown while the backup that is made on closing takes long; accepting closes without it."""

    def __init__(self, study: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Backing up {study}", "Close without backup", parent, icon="close")
        self.cancel_button.hide()
        self.bar = ProgressBar("Backup")
        self.bar.show_share(None)
        self.body.addWidget(
            Label("All edits are saved. The window closes when the backup is complete.", wrap=True)
        )
        self.body.addWidget(self.bar)
