"""Cache of the Compare page's correlations, which also computes likely next queries ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.progress import JobSteps, Progress
from core.stats import concordance, tie_calibration
from gui.background.jobs import Job, JobQueue, Jobs
from gui.pages.compare.queries import CorrelationColumn, CorrelationQuery, PartialResult
from gui.pages.compare.study_data import EVERYTHING, ComparisonData, ComparisonFilter

PATIENCE_MS = 90
"""Milliseconds after which a partial result is displayed."""

PAYS_FROM = 20_000
"""Number of scores from which compiled loops pay off."""


class CorrelationCache(QObject):
    """Caches the correlations of one reading of the study.

    Signals:
        answered: new results are available.
    """

    answered = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._numbers: dict[ComparisonFilter, ComparisonData] = {}
        self._known: dict[CorrelationQuery, CorrelationColumn] = {}
        self._coming: dict[CorrelationQuery, CorrelationColumn] = {}
        self._growing: PartialResult | None = None
        self._reading = 0
        self._job: Job | None = None
        self._ahead: Job | None = None
        self._next: list[Sequence[CorrelationQuery]] = []
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._show_growing)

    def start_over(self, numbers: ComparisonData) -> None:
        """Clear the cache, as the study was read again."""
        self._reading += 1
        self._numbers = {EVERYTHING: numbers}
        self._known.clear()
        self._forget_growing()
        self._next.clear()
        for job in (self._job, self._ahead):
            if job is not None:
                job.cancel()

    def warm_up(self) -> None:
        """Compile the loops that a large study needs in the background."""
        comparison = self._numbers[EVERYTHING].comparison
        if sum(one.values.size for one in comparison.scores) >= PAYS_FROM and not concordance.is_warm():
            self._jobs.start("Getting ready to compare", _warm_up(), JobQueue.AHEAD)

    def numbers(self, scope: ComparisonFilter) -> ComparisonData:
        """Return the data of a filter."""
        if scope not in self._numbers:
            self._numbers[scope] = self._numbers[EVERYTHING].within(scope)
        return self._numbers[scope]

    def find(self, question: CorrelationQuery) -> CorrelationColumn | None:
        """Return the column of a query, possibly partial; None = not computed yet."""
        return self._known.get(question) or self._coming.get(question)

    def ask(self, questions: Sequence[CorrelationQuery], first: Sequence[str] = ()) -> None:
        """Compute these queries, all of one filter, before any other. first: measures to compute first."""
        unknown = [question for question in questions if question not in self._known]
        self._forget_growing()
        for job in (self._job, self._ahead) if unknown else (self._job,):
            if job is not None:
                job.cancel()
        if not unknown:
            return
        self._next.clear()
        numbers = self.numbers(unknown[0].scope)
        places = {ref.label: place for place, ref in enumerate(numbers.comparison.refs)}
        requested = [places[label] for label in first if label in places]
        self._growing = PartialResult(numbers, unknown, requested)
        self._job = self._start(self._growing.work(), "Comparing", JobQueue.COMPARING)
        self._job.ended.connect(self._end)
        self._patience.start()

    def look_ahead(self, groups: Iterable[Sequence[CorrelationQuery]]) -> None:
        """Compute these in the background, group by group, each of one filter."""
        self._next = list(groups)
        if self._ahead is None:
            self._go_ahead()

    def _go_ahead(self) -> None:
        while self._next and self._ahead is None:
            unknown = [question for question in self._next.pop(0) if question not in self._known]
            if unknown:
                work = PartialResult(self.numbers(unknown[0].scope), unknown).work()
                self._ahead = self._start(work, "Comparing ahead", JobQueue.AHEAD)
                self._ahead.ended.connect(self._end)

    def _start(self, work: JobSteps[list[CorrelationColumn]], title: str, lane: JobQueue) -> Job:
        job = self._jobs.start(title, _of_reading(self._reading, work), lane)
        job.finished.connect(self._take)
        return job

    @Slot(object)
    def _take(self, result: tuple[int, Sequence[CorrelationColumn]]) -> None:
        reading, answers = result
        if reading == self._reading:
            self._known |= {answer.question: answer for answer in answers}
            if self._growing is not None and all(one in self._known for one in self._growing.questions):
                self._forget_growing()
            self.answered.emit()

    @Slot()
    def _show_growing(self) -> None:
        """Publish partial results of slow queries, and check again later."""
        if self._growing is not None and self._job is not None:
            self._coming = {answer.question: answer for answer in self._growing.answers()}
            self.answered.emit()
            self._patience.start(2 * PATIENCE_MS)

    def _forget_growing(self) -> None:
        self._patience.stop()
        self._growing = None
        self._coming.clear()

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
        if job is self._ahead:
            self._ahead = None
            self._go_ahead()


def _of_reading(
    reading: int, work: JobSteps[list[CorrelationColumn]]
) -> JobSteps[tuple[int, list[CorrelationColumn]]]:
    """Return the columns with the number of the reading that they are from."""
    answers = yield from work
    return reading, answers


def _warm_up() -> JobSteps[None]:
    for done, make_ready in enumerate((concordance.warm_up, tie_calibration.warm_up)):
        yield Progress(done, 2, "compiling loops")
        make_ready()
