"""Steps of a correlation by judgement, for faces that compute and cache them one by one.

A step is identified by a request that has only what the step depends on, so equal requests have equal
results. Together the steps are what `correlate` computes for the same request.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.comparison.comparison import Comparison, CorrelationRow
from core.comparison.inference import InferenceResult, draws_for
from core.comparison.measures import MeasureRef
from core.comparison.options import Adjustment, IntervalMethod
from core.errors import InputError
from core.operations.correlate import (
    CorrelationData,
    best_cautions,
    read_data,
    requested_judgements,
    strongest,
    tested_family,
)
from core.operations.options import CorrelateRequest
from core.ports import Study
from core.progress import JobSteps, Progress
from core.stats.resampling.intervals import Intervals
from core.stats.types import Coefficient, Level

AT_ONCE_NS = 4e7
"""Estimated nanoseconds of work between two checks for cancellation and partial results."""

_NS_PER_CELL = {
    Coefficient.ACCURACY: 250.0,
    Coefficient.SOFT_ACCURACY: 2000.0,
    Coefficient.PEARSON: 10.0,
    Coefficient.SPEARMAN: 20.0,
}
_NS_OF_TAUS = 50.0

_RESAMPLING = ("confidence", "draws", "seed")
_TESTS = ("compare", "test", "family", "sides", "freedom", "magnitudes", *_RESAMPLING)


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationColumn:
    """The correlations of all measures with one judgement.

    query: see `values_query`. rows: one per measure, in order.
    refusal: why there are no values, where undefined ones are an error.
    coming: places of the rows that are not known yet.
    cautions: of a whole column at system level, see `Comparison.text_cautions`.
    """

    query: CorrelateRequest
    rows: Sequence[CorrelationRow]
    refusal: str = ""
    coming: frozenset[int] = frozenset()
    cautions: tuple[str, ...] = ()

    @property
    def human(self) -> str:
        """The judgement."""
        return self.query.judgements[0]

    def best(self, comparison: Comparison, request: CorrelateRequest) -> tuple[int, ...]:
        """Return the places of the strongest measures that are tested together; several if tied."""
        if self.coming:
            return ()
        return strongest(self.rows, tested_family(comparison, self.human, request))

    def best_cautions(
        self, comparison: Comparison, request: CorrelateRequest, title: str, result: InferenceResult | None
    ) -> list[str]:
        """Return `correlate.best_cautions` on the judgement of this title; none while values are coming."""
        if self.coming or result is None:
            return []
        family = tested_family(comparison, self.human, request)
        return best_cautions(title, self.rows, family, result.intervals, request.confidence)


def likely_requests(request: CorrelateRequest, known: Sequence[str]) -> Iterator[CorrelateRequest]:
    """Yield likely next requests: other coefficients, other levels, then other judgements.

    known: all judgements of the study.
    """
    levels = sorted(Level, key=lambda level: level is not request.level)
    quick = [coefficient for coefficient in Coefficient if not coefficient.is_accuracy]
    for level in levels:
        for coefficient in quick:
            yield replace(request, level=level, coefficient=coefficient)
    others = tuple(human for human in known if human not in request.judgements)
    yield replace(request, judgements=others)
    for level in levels:
        yield replace(request, level=level, coefficient=Coefficient.ACCURACY)


def load_whole(study: Study, request: CorrelateRequest) -> JobSteps[CorrelationData]:
    """Read every measure and judgement of a request's selection of systems."""
    yield Progress(0, 0, "reading scores and judgements")
    every = CorrelateRequest(systems=request.systems, include_experiments=request.include_experiments)
    judged = {name: one for name, one in requested_judgements(study, every).items() if one.ref.cells}
    return read_data(study, every, judged)


def values_query(request: CorrelateRequest, human: str) -> CorrelateRequest:
    """Return what the correlations with one judgement depend on."""
    return replace(request.with_only(), judgements=(human,))


def intervals_query(request: CorrelateRequest, human: str) -> CorrelateRequest:
    """Return what the intervals of one judgement depend on."""
    return replace(request.with_only("interval", "interval_method", *_RESAMPLING), judgements=(human,))


def tests_query(data: CorrelationData, request: CorrelateRequest, human: str) -> CorrelateRequest:
    """Return what the tests of one judgement depend on: on their adjustment only if it needs more draws."""
    query = replace(request.with_only(*_TESTS), judgements=(human,), interval=IntervalMethod.NONE)
    options, tests = request.inference(), len(tested_family(data.comparison, human, request))
    needs_more = draws_for(options, tests) > options.draws
    return replace(query, adjust=request.adjust if needs_more else Adjustment.NONE)


def agreement_query(request: CorrelateRequest, human: str) -> CorrelateRequest:
    """Return what the agreement of the annotators of one judgement depends on."""
    return replace(request.with_only("draws", "seed"), judgements=(human,))


def join_inference(
    data: CorrelationData,
    request: CorrelateRequest,
    intervals: InferenceResult | None,
    tests: InferenceResult | None,
) -> InferenceResult | None:
    """Return the intervals and tests of one judgement; None = neither is computed yet."""
    if tests is None:
        return intervals
    estimates = intervals.intervals if intervals is not None else Intervals.none(len(tests.p))
    judgement = data.comparison.judgements[tests.human].values
    return replace(tests, intervals=estimates).adjusted_by(judgement, request.inference())


class PartialResult:
    """Columns computed measure by measure by a job's thread and read by another.

    queries: of one filter, level and coefficient. first: indices of the measures to compute first.
    """

    def __init__(
        self, data: CorrelationData, queries: Sequence[CorrelateRequest], first: Sequence[int] = ()
    ) -> None:
        self.data, self.queries = data, tuple(queries)
        count = len(data.comparison.refs)
        self._order = list(dict.fromkeys([*first, *range(count)]))
        self._rows: list[list[CorrelationRow | None]] = [[None] * count for _ in self.queries]
        self._refusals = [""] * len(self.queries)
        self._cautions: dict[CorrelateRequest, tuple[str, ...]] = {}

    def work(self) -> JobSteps[list[CorrelationColumn]]:
        """Correlate every measure with each requested judgement."""
        parts = list(self._parts())
        for query in self.queries:
            tested_family(self.data.comparison, query.judgements[0], query)  # which is asked for by the table
        for done, places in enumerate(parts):
            yield Progress(done, len(parts), "correlating")
            everything = len(places) == len(self._order)
            part = self.data.comparison if everything else self.data.comparison.part(places)
            for column, query in enumerate(self.queries):
                rows, refusal = _rows_of(part, query)
                self._refusals[column] = self._refusals[column] or refusal
                for place, row in zip(places, rows, strict=True):
                    self._rows[column][place] = row
        for query in self.queries:
            if query.level is Level.SYSTEM:
                yield Progress(len(parts), len(parts), "comparing texts")
                self._cautions[query] = tuple(self.data.comparison.text_cautions(query.judgements))
        return self.columns()

    def columns(self) -> list[CorrelationColumn]:
        """Return the columns with all rows computed so far."""
        return [self._column(column) for column in range(len(self.queries))]

    def _column(self, column: int) -> CorrelationColumn:
        found, query = list(self._rows[column]), self.queries[column]
        coming = frozenset(place for place, row in enumerate(found) if row is None)
        rows = [
            row or _unknown(ref, query) for row, ref in zip(found, self.data.comparison.refs, strict=True)
        ]
        cautions = self._cautions.get(query, ())
        return CorrelationColumn(query, rows, self._refusals[column], coming, cautions)

    def _parts(self) -> Iterator[list[int]]:
        """Yield the places of measures to compute together: all if that is quick, else in small groups."""
        coefficient = self.queries[0].coefficient
        cells = max((one.values.size for one in self.data.comparison.scores), default=1)
        slow = _NS_PER_CELL.get(coefficient, _NS_OF_TAUS) * cells * len(self.queries)
        size = max(1, int(AT_ONCE_NS / slow))
        if size >= len(self._order):
            yield list(range(len(self._order)))
            return
        for at in range(0, len(self._order), size):
            yield sorted(self._order[at : at + size])


def _rows_of(comparison: Comparison, query: CorrelateRequest) -> tuple[list[CorrelationRow], str]:
    """Return a row for each measure, and the error message if undefined values are an error."""
    (human,), (level, coefficient, undefined) = query.judgements, query.method
    try:
        return comparison.rows_against(human, level, coefficient, undefined), ""
    except InputError as error:
        skipped = comparison.rows_against(human, level, coefficient)
        return [replace(row, value=math.nan) for row in skipped], str(error)


def _unknown(ref: MeasureRef, query: CorrelateRequest) -> CorrelationRow:
    """Return the row of a measure whose coefficient is not computed yet."""
    against = (query.judgements[0], query.level, query.coefficient)
    return CorrelationRow(ref.label, ref.signature, ref.family, *against, math.nan, 0, 0)
