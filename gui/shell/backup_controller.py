"""Automatic backups of the open study: hourly while it is edited, and on closing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from core.errors import PyramidionError
from core.files.preferences import PreferencesFile
from gui.background.jobs import Job
from gui.session.context import Context
from gui.shell.study_opener import BackupFiles
from gui.style.language import tr

HOURLY_MS = 3_600_000
SHOW_AFTER_MS = 400
"""Duration of a backup on closing after which a dialog shows it."""


class BackupController(QObject):
    """Makes automatic backups. Editing continues meanwhile, as a backup copies one state of the study.

    Signals:
        idle: the last running backup has finished, failed or was cancelled.
        failed: an error message; once per study while the program runs.
    """

    idle = Signal()
    failed = Signal(str)

    def __init__(
        self,
        files: BackupFiles,
        settings: PreferencesFile,
        window: QWidget,
        open_dialog: Callable[[QDialog], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files, self._settings = files, settings
        self._window, self._open_dialog = window, open_dialog
        self._study: Path | None = None
        self._edited = Event()  # set on the writer's thread
        self._jobs: list[Job] = []
        self._reported: set[Path] = set()
        self._closing: QDialog | None = None
        self.hourly = QTimer(self, interval=HOURLY_MS)
        self.hourly.timeout.connect(self.back_up)
        self._patience = QTimer(self, interval=SHOW_AFTER_MS, singleShot=True)
        self._patience.timeout.connect(self._show_closing)

    @property
    def is_busy(self) -> bool:
        return bool(self._jobs)

    def serve(self, context: Context) -> None:
        """Watch a study that was opened."""
        path, self._edited = context.study.path, Event()
        self._study = path if isinstance(path, Path) else None  # a server makes its own backups
        edited = self._edited
        context.study.subscribe(lambda changes: edited.set())
        self.hourly.start()

    def leave(self, *, backup: bool = True) -> None:
        """Back up the closed study if it was edited; else stop the running backup."""
        self.hourly.stop()
        if backup:
            self.back_up()
        else:
            self.stop()
        self._study = None

    @Slot()
    def back_up(self) -> None:
        """Back up the study now if it was edited since the last backup."""
        now = self._settings.now
        if self._study is None or not self._edited.is_set() or now.backups <= 0:
            return
        self._edited.clear()
        study = self._study
        work = self._files.back_up(study, now.backups, now.backups_in)
        job = Job(tr("Backing up {name}", name=study.name), work, parent=self)
        job.failed.connect(lambda error: self._report(study, error))
        job.ended.connect(self._end)
        self._jobs.append(job)
        job.start()

    def stop(self) -> None:
        """Stop the running backup and wait for its end; its incomplete file is removed."""
        for job in self._jobs:
            job.cancel()
        for job in self._jobs:
            job.wait(10.0)

    def wait_visibly(self) -> None:
        """Show the running backup if it takes long, with a button to stop it."""
        self._patience.start()

    @Slot()
    def _show_closing(self) -> None:
        from gui.dialogs.backups.view import ClosingDialog  # not at start-up

        if self.is_busy:
            self._closing = ClosingDialog(self._jobs[-1].title, self._window)
            self._closing.accepted.connect(self.stop)
            self._closing.finished.connect(self._forget_closing)
            self._open_dialog(self._closing)

    @Slot()
    def _forget_closing(self) -> None:
        self._closing = None

    def _report(self, study: Path, error: Exception) -> None:
        if not isinstance(error, PyramidionError):
            raise error
        if study not in self._reported:
            self._reported.add(study)
            self.failed.emit(
                tr("{name} is saved, but it could not be backed up: {error}", name=study.name, error=error)
            )

    @Slot(object)
    def _end(self, job: Job) -> None:
        self._jobs.remove(job)
        job.deleteLater()
        if self.is_busy:
            return
        self._patience.stop()
        if self._closing is not None:
            self._closing.close()
        self.idle.emit()
