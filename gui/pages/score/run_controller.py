"""Execution of scoring runs, one at a time."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, Signal, Slot

from core.ports import Study
from core.progress import Progress
from core.scoring.engine import RunReport
from core.scoring.engine_tools import StudyResources
from core.scoring.experiment_scores import score_and_promote
from core.scoring.plan import ScoringPlan
from core.scoring.process_pool import cores, local_workers
from gui.background.jobs import Job, JobQueue, Jobs
from gui.pages.score.run_summary import ActiveRun


class RunController(QObject):
    """Runs plans. A loaded encoder is reused by later runs.

    Signals:
        moved: the progress has changed.
        ended: a sentence on the result.
    """

    moved = Signal()
    ended = Signal(str)

    def __init__(self, study: Study, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._study, self._jobs = study, jobs
        self._tools: dict[str, StudyResources] = {}
        self._job: Job | None = None
        self.latest: ActiveRun | None = None

    @property
    def is_on(self) -> bool:
        """Whether a run is in progress."""
        return self._job is not None

    def start(self, plan: ScoringPlan, device: str) -> None:
        """Start a plan."""
        tools = self._tools.setdefault(device, StudyResources(self._study, device)).with_fresh_caches()
        self.latest = ActiveRun(plan, datetime.now(), device)
        workers = local_workers(self._study, plan, max(1, cores() - 1), are_nice=True)
        self._job = self._jobs.start(
            "Scoring", score_and_promote(self._study, plan, tools, workers), JobQueue.SCORING
        )
        self._job.progressed.connect(self._move)
        self._job.finished.connect(self._finish)
        self._job.cancelled.connect(self._cancel)
        self._job.failed.connect(self._fail)

    @Slot()
    def stop(self) -> None:
        """Stop after the current topic; finished topics are stored."""
        if self._job is not None:
            self._job.cancel()

    @Slot(object)
    def _move(self, progress: Progress) -> None:
        if self.latest is not None:
            self.latest.progress = progress
            self.moved.emit()

    @Slot(object)
    def _finish(self, report: RunReport) -> None:
        if self.latest is not None:
            self.latest.report = report
        self._end(f"{report.scored:,} pairs of metric and topic scored.")

    @Slot()
    def _cancel(self) -> None:
        self._stop_short("Cancelled; finished topics are stored.")

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._stop_short(f"Stopped: {error}")

    def _stop_short(self, sentence: str) -> None:
        if self.latest is not None:
            self.latest.ending = sentence
        self._end(sentence)

    def _end(self, sentence: str) -> None:
        self._job = None
        self.ended.emit(sentence)
