"""Cache of the Compare page's correlations, which also computes likely next queries ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.comparison.filters import NO_FILTER, Filter
from core.progress import JobSteps, Progress
from core.stats import concordance, tie_calibration
from gui.background.job_cache import JobCache
from gui.background.jobs import JobQueue, Jobs
from gui.pages.compare.correlations.queries import CorrelationColumn, CorrelationQuery, PartialResult
from gui.pages.compare.correlations.study_data import ComparisonData

PATIENCE_MS = 90
"""Milliseconds after which a partial result is displayed."""

PAYS_FROM = 20_000
"""Number of scores from which compiled loops pay off."""


_Columns = JobCache[tuple[CorrelationQuery, ...], list[CorrelationColumn]]


class CorrelationCache(QObject):
    """Caches the correlations of one reading of the study.

    Signals:
        answered: new results are available.
    """

    answered = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._asked: _Columns = JobCache(jobs, lambda _: "Comparing", JobQueue.COMPARING, self)
        self._ahead: _Columns = JobCache(jobs, lambda _: "Comparing ahead", JobQueue.AHEAD, self)
        for columns in (self._asked, self._ahead):
            columns.computed.connect(self._take)
        self._numbers: dict[Filter, ComparisonData] = {}
        self._known: dict[CorrelationQuery, CorrelationColumn] = {}
        self._coming: dict[CorrelationQuery, CorrelationColumn] = {}
        self._growing: PartialResult | None = None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._show_growing)

    def start_over(self, numbers: ComparisonData) -> None:
        """Clear the cache, as the study was read again."""
        self._numbers = {NO_FILTER: numbers}
        self._known.clear()
        self._forget_growing()
        self._asked.clear()
        self._ahead.clear()

    def warm_up(self) -> None:
        """Compile the loops that a large study needs in the background."""
        comparison = self._numbers[NO_FILTER].comparison
        if sum(one.values.size for one in comparison.scores) >= PAYS_FROM and not concordance.is_warm():
            self._jobs.start("Getting ready to compare", _warm_up(), JobQueue.AHEAD)

    def numbers(self, scope: Filter) -> ComparisonData:
        """Return the data of a filter."""
        if scope not in self._numbers:
            self._numbers[scope] = self._numbers[NO_FILTER].within(scope)
        return self._numbers[scope]

    def find(self, question: CorrelationQuery) -> CorrelationColumn | None:
        """Return the column of a query, possibly partial; None = not computed yet."""
        return self._known.get(question) or self._coming.get(question)

    def ask(self, questions: Sequence[CorrelationQuery], first: Sequence[str] = ()) -> None:
        """Compute these queries, all of one filter, before any other. first: measures to compute first."""
        unknown = [question for question in questions if question not in self._known]
        self._forget_growing()
        self._asked.pause()
        if not unknown:
            return
        self._ahead.pause()
        numbers = self.numbers(unknown[0].scope)
        places = {ref.label: place for place, ref in enumerate(numbers.comparison.refs)}
        requested = [places[label] for label in first if label in places]
        self._growing = PartialResult(numbers, unknown, requested)
        self._asked.ask({tuple(unknown): self._growing.work()})
        self._patience.start()

    def look_ahead(self, groups: Iterable[Sequence[CorrelationQuery]]) -> None:
        """Compute these in the background, group by group, each of one filter."""
        unknown = [tuple(one for one in group if one not in self._known) for group in groups]
        self._ahead.ask(
            {group: PartialResult(self.numbers(group[0].scope), group).work() for group in unknown if group}
        )

    @Slot(object)
    def _take(self, questions: tuple[CorrelationQuery, ...]) -> None:
        columns = self._asked.get(questions) or self._ahead.get(questions) or []
        self._known |= {column.question: column for column in columns}
        if self._growing is not None and all(one in self._known for one in self._growing.questions):
            self._forget_growing()
        self.answered.emit()

    @Slot()
    def _show_growing(self) -> None:
        """Publish partial results of slow queries, and check again later."""
        if self._growing is not None and self._asked.is_running:
            self._coming = {answer.question: answer for answer in self._growing.answers()}
            self.answered.emit()
            self._patience.start(2 * PATIENCE_MS)

    def _forget_growing(self) -> None:
        self._patience.stop()
        self._growing = None
        self._coming.clear()


def _warm_up() -> JobSteps[None]:
    for done, make_ready in enumerate((concordance.warm_up, tie_calibration.warm_up)):
        yield Progress(done, 2, "compiling loops")
        make_ready()
