"""Intervals, tests and agreement of annotators of the Compare page, computed by jobs after the values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.comparison.families import family_of
from core.comparison.inference import (
    CorrelationInputs,
    adjust_p_values,
    correlation_inputs,
    differences,
    intervals,
    oriented,
    williams_refusal,
)
from core.comparison.noise_ceiling import UpperBound
from core.comparison.options import Adjustment, DifferenceTest, InferenceOptions, IntervalMethod, Variants
from core.formatting.numbers import format_count
from core.matrix import Array
from core.operations.correlate import annotator_agreement
from core.operations.method_text import bootstrap_text, permutation_text
from core.operations.options import CorrelateRequest
from core.ports import Study
from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.intervals import Intervals
from core.stats.types import Ends
from gui.background.job_cache import JobCache
from gui.pages.compare.correlations.queries import CorrelationColumn, CorrelationQuery, best_of
from gui.pages.compare.correlations.study_data import ComparisonData

Kind = tuple[IntervalMethod, Ends] | tuple[DifferenceTest, Variants]
Task = tuple[CorrelationQuery, Kind]
"""Intervals or tests of one column."""

Known = Intervals | Array
"""Intervals of all measures, or p of each measure's difference from the best."""

ADJUSTED = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benj.–Hochberg",
    Adjustment.NONE: "not adjusted",
}


@dataclass(frozen=True, slots=True)
class Method:
    """Method of intervals and tests. test: None = no tests."""

    interval: IntervalMethod = IntervalMethod.BOOTSTRAP_BOTH
    ends: Ends = Ends.BCA
    test: DifferenceTest | None = DifferenceTest.PERMUTATION_BOTH
    adjustment: Adjustment = Adjustment.HOLM
    variants: Variants = Variants.MAIN

    def test_for(self, level: Level, coefficient: Coefficient) -> DifferenceTest | None:
        """Return the chosen test; where Williams' test does not fit, the permutation test of both."""
        if self.test is DifferenceTest.WILLIAMS and williams_refusal(level, coefficient):
            return DifferenceTest.PERMUTATION_BOTH
        return self.test

    @property
    def interval_text(self) -> str:
        """The method, as ``BCa bootstrap over systems and topics, 10,000 draws, seed 0``; empty = none."""
        if self.interval in (IntervalMethod.NONE, IntervalMethod.T_TEST):
            return ""
        if self.interval is IntervalMethod.FISHER:
            return "intervals by Fisher's transformation"
        return f"{bootstrap_text(self.interval, self.ends)}, {_drawn()}"

    def text_for(self, level: Level, coefficient: Coefficient) -> str:
        """Return the method of intervals and tests for a coefficient."""
        test = significance_text(self.test_for(level, coefficient))
        return " · ".join(words for words in (self.interval_text, test) if words)

    def options(self, level: Level, coefficient: Coefficient) -> InferenceOptions:
        """Return the options of intervals and tests for a coefficient."""
        test = self.test_for(level, coefficient) or DifferenceTest.PERMUTATION_BOTH
        return InferenceOptions(self.interval, test=test, adjustment=self.adjustment, ends=self.ends)

    @property
    def adjustment_label(self) -> str:
        """The adjustment of p-values; empty = no tests."""
        return "" if self.test is None else ADJUSTED[self.adjustment]


def significance_text(test: DifferenceTest | None) -> str:
    """Return the test, as ``paired permutation of systems, 10,000 draws, seed 0``; empty = none."""
    if test is None:
        return ""
    if test is DifferenceTest.WILLIAMS:
        return "Williams' test, two-sided"
    return f"{permutation_text(test)}, {_drawn()}"


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """Intervals and tests of one column, one per measure.

    intervals: intervals and p-values of the correlations; None = not computed yet.
    p: p of the difference from the best, adjusted over the family; NaN = none.
    """

    intervals: Intervals | None
    p: Array

    @property
    def has_intervals(self) -> bool:
        return self.intervals is not None and bool(np.isfinite(self.intervals.low).any())

    @property
    def tests(self) -> int:
        """The number of tested differences."""
        return int(np.isfinite(self.p).sum())

    @property
    def has_tests(self) -> bool:
        return bool(np.isfinite(self.p).any())


def inference_tasks(
    numbers: ComparisonData, answers: Sequence[CorrelationColumn], method: Method
) -> dict[Task, JobSteps[Known]]:
    """Return the computation of the intervals and tests of these columns, in order."""
    tasks = [
        ((answer.question, kind), answer)
        for answer in answers
        for kind in _kinds(method, answer.question)
        if not answer.refusal
    ]
    return {task: compute_task(task, numbers, answer) for task, answer in tasks}


def inference_title(task: Task) -> str:
    """Return the title of the job that computes intervals or tests."""
    return "Drawing intervals" if isinstance(task[1][0], IntervalMethod) else "Testing differences"


def find_inference(
    computed: JobCache[Task, Known], answer: CorrelationColumn, method: Method
) -> Inference | None:
    """Return the results of a column; None = none yet."""
    results = [computed.get((answer.question, kind)) for kind in _kinds(method, answer.question)]
    known = [one for one in results if one is not None]
    if not known:
        return None
    intervals = next((one for one in known if isinstance(one, Intervals)), None)
    p = next((one for one in known if not isinstance(one, Intervals)), np.full(len(answer.rows), np.nan))
    return Inference(intervals, adjust_p_values(p, method.adjustment))


def compute_agreement(
    study: Study, numbers: ComparisonData, question: CorrelationQuery
) -> JobSteps[UpperBound | None]:
    """Return the agreement behind a column with two or more annotators; None = none."""
    level, coefficient, undefined = question.method
    request = CorrelateRequest(level=level, coefficient=coefficient, undefined=undefined)
    comparison, options = numbers.comparison, InferenceOptions()
    return (yield from annotator_agreement(study, comparison, question.human, request, options))


def test_pairs(
    numbers: ComparisonData,
    answer: CorrelationColumn,
    labels: Sequence[str],
    test: DifferenceTest,
    adjustment: Adjustment,
) -> JobSteps[Array]:
    """Return p of the difference between any two measures, signed: above 0 where the row is the better one.

    Shape (labels, labels), NaN on the diagonal. Adjusted over all pairs.
    """
    at = {ref.label: i for i, ref in enumerate(numbers.comparison.refs)}
    chosen = [at[label] for label in labels]
    rows, columns = np.triu_indices(len(chosen), 1)
    pairs = [(chosen[i], chosen[j]) for i, j in zip(rows, columns, strict=True)]
    tested = yield from differences(_turned(numbers, answer.question), pairs, InferenceOptions(test=test))
    p = adjust_p_values(tested, adjustment)
    values = np.array([row.ranked_by for row in answer.rows])
    is_better = np.array([values[i] >= values[j] for i, j in pairs], dtype=bool)
    signed = np.full((len(chosen), len(chosen)), np.nan)
    signed[rows, columns] = np.where(is_better, p, -p)
    signed[columns, rows] = np.where(is_better, -p, p)
    return signed


def _kinds(method: Method, question: CorrelationQuery) -> list[Kind]:
    test = method.test_for(question.level, question.coefficient)
    kinds: list[Kind] = [(method.interval, method.ends)]
    return kinds if test is None else [*kinds, (test, method.variants)]


def compute_task(task: Task, numbers: ComparisonData, answer: CorrelationColumn) -> JobSteps[Known]:
    """Return intervals of all measures; or p against the best of the family, shape (measures,)."""
    question, (kind, how) = task
    if isinstance(kind, IntervalMethod):
        sample = correlation_inputs(numbers.comparison, question.human, *question.method)
        return (yield from intervals(sample, InferenceOptions(interval=kind, ends=Ends(how))))
    comparison, variants = numbers.comparison, Variants(how)
    best = best_of(answer, comparison, variants)
    p = np.full(len(answer.rows), np.nan)
    family = family_of(comparison.refs, variants, comparison.ranked(question.human))
    others = [i for i in family if i not in best]
    if best and others:
        pairs = [(best[0], i) for i in others]
        p[others] = yield from differences(_turned(numbers, question), pairs, InferenceOptions(test=kind))
    return p


def _turned(numbers: ComparisonData, question: CorrelationQuery) -> CorrelationInputs:
    """Return the inputs with lower-is-better measures negated."""
    sample = correlation_inputs(numbers.comparison, question.human, *question.method)
    return oriented(sample, numbers.comparison.refs)


def _drawn() -> str:
    return f"{format_count(InferenceOptions().draws)} draws, seed {InferenceOptions().seed}"
