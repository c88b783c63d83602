"""Status line: the study's file, the annotator, the device, a temporary message, the running job."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Slot
from PySide6.QtWidgets import QFrame, QWidget

from core.progress import Progress
from gui.background.jobs import Job, Jobs
from gui.style.language import literal, plain_tip, tr
from gui.style.theme import LARGE, SMALL, Type, px
from gui.widgets.accessible import announce
from gui.widgets.buttons import link_button
from gui.widgets.label import ElidedLabel, IconLabel, Label, divider
from gui.widgets.layouts import Gap, extend, hbox
from gui.widgets.notice import ProgressBar, percent, time_left

HEIGHT, BAR_WIDTH = 30, 120
SENTENCE_MS = 8000
ANNOUNCED_AFTER_MS = 3000
LONGEST_NAME = 24
"""Letters of an annotator's name that are shown."""


class StatusLine(QFrame):
    """Shows the open file, the annotator, the device, a message and a job."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "status")
        self.setFixedHeight(px(HEIGHT))
        self.file_label = ElidedLabel("", Type.SMALL, "muted")
        self.annotator_button = link_button("", "user")
        self.device_label = Label("", Type.SMALL, "muted")
        self.sentence_label = ElidedLabel("", Type.SMALL)
        self.job_label = ElidedLabel("", Type.SMALL)
        self.bar = ProgressBar(tr("Progress of the job"))
        self.bar.setFixedWidth(px(BAR_WIDTH))
        self.percent_label = Label("", Type.SMALL)
        self.left_label = Label("", Type.SMALL, "muted")
        self.cancel_button = link_button(tr("Cancel"))
        self._announced_jobs: list[str] = []
        self._job_time = QElapsedTimer()
        self._forget = QTimer(self, singleShot=True, interval=SENTENCE_MS)
        self._forget.timeout.connect(lambda: self.sentence_label.setText(""))
        self._device_parts: list[QWidget] = [divider(16), IconLabel("chip"), self.device_label]
        self._job_parts: list[QWidget] = [
            self.job_label,
            self.bar,
            self.percent_label,
            self.left_label,
            self.cancel_button,
        ]
        row = hbox(IconLabel("folder"), parent=self, margins=(LARGE, 0), spacing=SMALL)
        extend(row, self.file_label, self.annotator_button, *self._device_parts, Gap(LARGE))
        extend(row, (self.sentence_label, 1), *self._job_parts)
        self.show_study("", "")
        self.show_device("")
        self.show_no_job()

    def show_study(self, name: str, annotator: str) -> None:
        """Show the study's file, empty = none is open, and the name of the annotator."""
        self.file_label.setText(name or tr("No study is open"))
        short = annotator if len(annotator) <= LONGEST_NAME else f"{annotator[: LONGEST_NAME - 1]}…"
        self.annotator_button.setText(literal(f" {short}"))  # style sheets know no gap after an icon
        self.annotator_button.setAccessibleName(tr("Annotator {annotator}, change", annotator=annotator))
        self.annotator_button.setToolTip(
            plain_tip(tr("Annotator {annotator}. Press to change.", annotator=annotator))
        )
        self.annotator_button.setVisible(bool(annotator))

    def show_device(self, device: str) -> None:
        """Show the compute device; empty hides it."""
        self.device_label.setText(device)
        for part in self._device_parts:
            part.setVisible(bool(device))

    def show_message(self, sentence: str) -> None:
        """Show a message for some seconds; empty removes it."""
        self.sentence_label.setText(sentence)
        self._forget.start()
        announce(self, sentence)

    def show_job(self, title: str, progress: Progress) -> None:
        """Show a running job and its progress; one that lasts is announced once, and so is the end of all."""
        if not self._job_time.isValid():
            self._job_time.start()
        if title not in self._announced_jobs and self._job_time.elapsed() >= ANNOUNCED_AFTER_MS:
            self._announced_jobs.append(title)
            announce(self, title)
        note = f" · {progress.note}" if progress.note else ""
        self.job_label.setText(f"{title}{note}")
        self.bar.show_progress(progress)
        self.percent_label.setText(percent(progress))
        self.left_label.setText(time_left(progress.seconds_left))
        for part in self._job_parts:
            part.show()

    def show_no_job(self) -> None:
        self._job_time.invalidate()
        if self._announced_jobs:
            announce(self, tr("{title}: ended.", title=self._announced_jobs[-1]))
            self._announced_jobs.clear()
        for part in self._job_parts:
            part.hide()


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
