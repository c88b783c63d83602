"""Running jobs in the status line: the first one, once it has run for some time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from gui.background.jobs import Job, Jobs

if TYPE_CHECKING:
    from gui.shell.status_line import StatusLine

SHOW_AFTER_MS = 400  # what ends sooner would only flicker


class JobStatus(QObject):
    """Connects the jobs to the status line."""

    def __init__(self, line: StatusLine, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._line, self._jobs = line, jobs
        self._late = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._late.timeout.connect(self._show)
        line.cancel_button.clicked.connect(self._cancel)
        jobs.started.connect(self._started)
        jobs.ended.connect(self._ended)

    @Slot(object)
    def _started(self, job: Job) -> None:
        job.progressed.connect(self._progressed)
        self._late.start()

    @Slot(object)
    def _progressed(self, _: object) -> None:
        if not self._late.isActive():
            self._show()

    @Slot(object)
    def _ended(self, _: object) -> None:
        running = self._jobs.running()
        if not running:
            self._line.show_no_job()
        elif not self._late.isActive():
            self._show()

    @Slot()
    def _show(self) -> None:
        for job in self._jobs.running()[:1]:
            self._line.show_job(job.title, job.latest)

    @Slot()
    def _cancel(self) -> None:
        for job in self._jobs.running()[:1]:
            job.cancel()
