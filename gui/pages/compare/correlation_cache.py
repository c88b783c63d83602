"""Cache of the steps of the Compare page's correlations, which also computes likely next ones ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.comparison.comparison import Comparison
from core.comparison.inference import InferenceResult
from core.comparison.noise_ceiling import UpperBound
from core.comparison.options import BEST, IntervalMethod
from core.errors import InputError
from core.operations.columns import (
    CorrelationColumn,
    PartialResult,
    agreement_query,
    intervals_query,
    join_inference,
    tests_query,
    values_query,
)
from core.operations.correlate import CorrelationData, annotator_agreement, infer_judgement
from core.operations.options import CorrelateRequest
from core.progress import JobSteps, Progress
from core.stats import concordance, tie_calibration
from gui.background.jobs import JobCache, JobQueue, Jobs
from gui.style.language import tr

DEFAULT_REQUEST = CorrelateRequest(interval=IntervalMethod.BOOTSTRAP_BOTH, compare=BEST)
"""What the page shows first, of the judgements that are its columns."""

PATIENCE_MS = 90
"""Milliseconds after which a partial result is displayed."""

PAYS_FROM = 20_000
"""Number of scores from which compiled loops pay off."""


_Columns = JobCache[tuple[CorrelateRequest, ...], list[CorrelationColumn]]


class CorrelationCache(QObject):
    """Caches the correlations of one reading of the study; each step is a job of its own.

    Signals:
        answered: new correlations are available. inferred: new intervals, tests or agreement are.
    """

    answered = Signal()
    inferred = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._asked: _Columns = JobCache(jobs, lambda _: tr("Comparing"), JobQueue.COMPARING, self)
        self._ahead: _Columns = JobCache(jobs, lambda _: tr("Comparing ahead"), JobQueue.AHEAD, self)
        for columns in (self._asked, self._ahead):
            columns.computed.connect(self._take)
        self._inferences: JobCache[CorrelateRequest, InferenceResult] = JobCache(
            jobs,
            lambda query: tr("Testing differences") if query.compare else tr("Drawing intervals"),
            JobQueue.DRAWING,
            self,
        )
        self._agreements: JobCache[CorrelateRequest, UpperBound | None] = JobCache(
            jobs, lambda _: tr("Measuring agreement"), JobQueue.DRAWING, self
        )
        self._inferences.computed.connect(lambda _: self.inferred.emit())
        self._agreements.computed.connect(lambda _: self.inferred.emit())
        self._whole = CorrelationData(Comparison((), (), {}), {})
        self._parts: dict[CorrelateRequest, CorrelationData] = {}
        self._known: dict[CorrelateRequest, CorrelationColumn] = {}
        self._coming: dict[CorrelateRequest, CorrelationColumn] = {}
        self._growing: PartialResult | None = None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._show_growing)

    def start_over(self, data: CorrelationData) -> None:
        """Clear the cache, as the study was read again."""
        self._whole = data
        self._parts.clear()
        self._known.clear()
        self._forget_growing()
        for cache in (self._asked, self._ahead, self._inferences, self._agreements):
            cache.clear()

    def warm_up(self) -> None:
        """Compile the loops that a large study needs in the background."""
        scores = self._whole.comparison.scores
        if sum(one.values.size for one in scores) >= PAYS_FROM and not concordance.is_warm():
            self._jobs.start(tr("Getting ready to compare"), _warm_up(), JobQueue.AHEAD)

    def data(self, request: CorrelateRequest) -> CorrelationData:
        """Return the systems and topics of a request, or why not only common ones, in the notes."""
        part = CorrelateRequest(
            only_systems=request.only_systems,
            topic_set=request.topic_set,
            common_topics=request.common_topics,
        )
        if part not in self._parts:
            try:
                self._parts[part] = self._whole.within(part)
            except InputError as error:
                every = self._whole.within(replace(part, common_topics=False))
                self._parts[part] = replace(every, notes=(*every.notes, str(error)))
        return self._parts[part]

    def columns(self, request: CorrelateRequest) -> list[CorrelationColumn] | None:
        """Return the columns of a request, possibly partial; None = not all are known yet."""
        queries = [values_query(request, human) for human in request.judgements]
        found = [self._known.get(query) or self._coming.get(query) for query in queries]
        known = [column for column in found if column is not None]
        return known if len(known) == len(found) else None

    def inference(self, request: CorrelateRequest, human: str) -> InferenceResult | None:
        """Return the intervals and tests of a column; None = none yet."""
        data = self.data(request)
        intervals = self._inferences.get(intervals_query(request, human))
        tests = self._inferences.get(tests_query(data, request, human)) if request.compare else None
        return join_inference(data, request, intervals, tests)

    def agreement(self, request: CorrelateRequest, human: str) -> UpperBound | None:
        """Return the agreement of the annotators behind a column; None = none, or not computed yet."""
        return self._agreements.get(agreement_query(request, human))

    def ask(self, request: CorrelateRequest, first: Sequence[str] = ()) -> None:
        """Compute the columns of a request before anything else. first: measures to compute first."""
        for cache in (self._inferences, self._agreements, self._asked):
            cache.pause()
        self._forget_growing()
        unknown = self._unknown(request)
        if not unknown:
            return
        self._ahead.pause()
        data = self.data(request)
        places = {ref.label: place for place, ref in enumerate(data.comparison.refs)}
        requested = [places[label] for label in first if label in places]
        self._growing = PartialResult(data, unknown, requested)
        self._asked.ask({unknown: self._growing.work()})
        self._patience.start()

    def look_ahead(self, requests: Iterable[CorrelateRequest]) -> None:
        """Compute the columns of these in the background, one request after the other."""
        groups = {self._unknown(request): request for request in requests}
        self._ahead.ask(
            {group: PartialResult(self.data(one), group).work() for group, one in groups.items() if group}
        )

    def infer(self, request: CorrelateRequest, columns: Sequence[CorrelationColumn]) -> None:
        """Compute the intervals and tests of these columns and the agreement behind them, in order."""
        data, humans = self.data(request), [column.human for column in columns]
        self._agreements.ask(
            {agreement_query(request, human): annotator_agreement(data, human, request) for human in humans}
        )
        tasks: dict[CorrelateRequest, JobSteps[InferenceResult]] = {}
        for human in (column.human for column in columns if not column.refusal):
            queries = [intervals_query(request, human)]
            queries += [tests_query(data, request, human)] if request.compare else []
            tasks |= {query: infer_judgement(data, human, query) for query in queries}
        self._inferences.ask(tasks)

    def _unknown(self, request: CorrelateRequest) -> tuple[CorrelateRequest, ...]:
        queries = (values_query(request, human) for human in request.judgements)
        return tuple(query for query in queries if query not in self._known)

    @Slot(object)
    def _take(self, queries: tuple[CorrelateRequest, ...]) -> None:
        columns = self._asked.get(queries) or self._ahead.get(queries) or []
        self._known |= {column.query: column for column in columns}
        if self._growing is not None and all(one in self._known for one in self._growing.queries):
            self._forget_growing()
        self.answered.emit()

    @Slot()
    def _show_growing(self) -> None:
        """Publish partial results of slow queries, and check again later."""
        if self._growing is not None and self._asked.is_running:
            self._coming = {column.query: column for column in self._growing.columns()}
            self.answered.emit()
            self._patience.start(2 * PATIENCE_MS)

    def _forget_growing(self) -> None:
        self._patience.stop()
        self._growing = None
        self._coming.clear()


def _warm_up() -> JobSteps[None]:
    for done, make_ready in enumerate((concordance.warm_up, tie_calibration.warm_up)):
        yield Progress(done, 2, tr("compiling loops"))
        make_ready()
