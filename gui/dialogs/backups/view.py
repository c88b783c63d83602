"""Dialogs that restore a backup and wait for the backup made on closing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.files.backups import Backup, BackupContent
from core.formatting.numbers import format_known_bytes
from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label
from gui.widgets.layouts import extend
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import ProgressBar

BackupFile = tuple[Backup, BackupContent]
_WIDTH, _HEIGHT = 820, 260
_WIDTHS = {0: 165, 1: 165, 2: 80, 3: 75, 4: 125}


class RestoreDialog(Dialog):
    """List of the backups of a study; the selected one replaces the study."""

    help_page = "backups#restore"

    def __init__(self, study: Path, parent: QWidget | None = None) -> None:
        super().__init__(tr("Restore a backup"), tr("Restore"), parent, width=_WIDTH, icon="refresh")
        self._other: Path | None = None
        self.table = RowTable[BackupFile](
            tr("Backups"),
            (
                Column(
                    tr("Made"),
                    lambda row: row[0].made,
                    lambda made: made.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
                ),
                Column(tr("Kind"), lambda row: row[0].kind.description),
                Column(tr("Size"), lambda row: row[0].bytes, format_known_bytes),
                Column(tr("Edits"), lambda row: row[1].edits, "{:,}".format),
                Column(tr("Annotations"), lambda row: row[1].annotations, "{:,}".format),
                Column(
                    tr("Status"),
                    lambda row: row[1].problem or tr("Verified"),
                    cell_tip=lambda row: row[1].problem,
                ),
            ),
            can_sort=False,
        )
        self.table.fit(5, _WIDTHS)
        self.table.setMinimumHeight(px(_HEIGHT))
        self.notice = Label(tr("Checking the backups…"), Type.SMALL, "muted", wrap=True)
        self.other_button = plain_button(tr("Choose another file…"), "open")
        extend(self.body, Label(str(study), Type.BODY, "muted", wrap=True), (self.table, 1), self.notice)
        extend(self.body, (self.other_button, 0, Qt.AlignmentFlag.AlignLeft))
        self.accept_button.setEnabled(False)
        self.table.row_chosen.connect(
            lambda row: self.accept_button.setEnabled(row is not None and not row[1].problem)
        )
        self.table.doubleClicked.connect(self.accept_button.click)

    @property
    def chosen(self) -> Path | None:
        """The backup to restore, None = none is selected."""
        if self._other is not None:
            return self._other
        return self.table.current[0].path if self.table.current is not None else None

    def show_backups(self, rows: Sequence[BackupFile], where: str) -> None:
        """List backups, newest first. where: the folders that were searched, as text."""
        self.table.rows.set_rows(rows)
        self.notice.setText(
            tr("The current file is backed up first, so you can return to it.")
            if rows
            else tr("There are no backups in {where}.", where=where)
        )
        if self.table.choose(lambda row: not row[1].problem):
            self.table.setFocus()

    def choose_other(self, path: Path) -> None:
        """Accept the dialog with a file that is not in the list."""
        self._other = path
        self.accept()


class ClosingDialog(Dialog):
    """Progress of a slow backup on closing; accepting closes the window without the backup."""

    help_page = "trouble"

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, tr("Close without backup"), parent, icon="close")
        self.cancel_button.hide()
        self.bar = ProgressBar(tr("Backup"))
        self.bar.show_share(None)
        self.body.addWidget(
            Label(tr("All edits are saved. The window closes when the backup is complete."), wrap=True)
        )
        self.body.addWidget(self.bar)
