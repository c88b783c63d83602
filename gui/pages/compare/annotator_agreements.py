"""Agreement of the annotators behind a rating, with which measures are compared; computed by jobs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from core.comparison.inference import correlation_inputs
from core.comparison.judgements import included_ratings
from core.comparison.noise_ceiling import UpperBound, judgement_noise_ceiling
from core.ports import Study
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue
from gui.pages.compare.queries import CorrelationQuery
from gui.pages.compare.study_data import ComparisonData
from gui.session.context import Context


class AnnotatorAgreements(QObject):
    """Computes the agreement behind each column, one at a time, and caches it.

    Signals:
        computed: a new result is available.
    """

    computed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._known: dict[CorrelationQuery, UpperBound | None] = {}
        self._tasks: list[tuple[CorrelationQuery, ComparisonData]] = []
        self._job: Job | None = None
        self._reading = 0

    def start_over(self) -> None:
        """Clear the cache, as the study was read again."""
        self._reading += 1
        self._known.clear()
        self.pause()

    def pause(self) -> None:
        """Stop computing until the next `ask`."""
        self._tasks = []
        if self._job is not None:
            self._job.cancel()

    def ask(self, numbers: ComparisonData, questions: Sequence[CorrelationQuery]) -> None:
        """Compute the agreement of these columns in order; drop other requests."""
        self._tasks = [(question, numbers) for question in questions if question not in self._known]
        self._go_on()

    def find(self, question: CorrelationQuery) -> UpperBound | None:
        """Return the agreement of a column with two or more annotators; None = none, or not computed yet."""
        found = self._known.get(question)
        return found if found is not None and found.short_text else None

    def _go_on(self) -> None:
        if self._tasks and self._job is None:
            question, numbers = self._tasks.pop(0)
            work = _agreement_of(self._reading, self._context.study, numbers, question)
            self._job = self._context.jobs.start("Measuring agreement", work, JobQueue.DRAWING)
            self._job.finished.connect(self._take)
            self._job.ended.connect(self._end)

    @Slot(object)
    def _take(self, result: tuple[int, CorrelationQuery, UpperBound | None]) -> None:
        reading, question, found = result
        if reading == self._reading:
            self._known[question] = found
            if found is not None:
                self.computed.emit()

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._go_on()


def _agreement_of(
    reading: int, study: Study, numbers: ComparisonData, question: CorrelationQuery
) -> JobSteps[tuple[int, CorrelationQuery, UpperBound | None]]:
    human = question.human
    ratings = included_ratings(study, human)
    if ratings is None:
        return reading, question, None
    sample = correlation_inputs(
        numbers.comparison, human, question.level, question.coefficient, question.undefined, ratings
    )
    return reading, question, (yield from judgement_noise_ceiling(human, sample))
