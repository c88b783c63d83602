"""Statistical inference on correlations: intervals, tests, clusters, required sample sizes.

Used by the command line and the Compare page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.comparison.comparison import Comparison
from core.comparison.eligibility import Eligibility, Status
from core.comparison.measures import MeasureRef
from core.comparison.options import (
    BEST,
    Adjustment,
    DifferenceTest,
    InferenceOptions,
    IntervalMethod,
    williams_refusal,
)
from core.domain.ratings import RatingCube
from core.errors import InputError
from core.formatting.coefficients import p_test
from core.formatting.numbers import pluralize
from core.matrix import ScoreMatrix
from core.names import resolve_name
from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate_many
from core.stats.measure_stack import level_rows
from core.stats.precision import EQUAL_CORRELATIONS, correlation_precision, round_to_grain
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap_annotators, fisher_interval, fisher_p
from core.stats.resampling.intervals import Intervals, bootstrap_intervals, intervals_of
from core.stats.resampling.power import Power, power
from core.stats.resampling.significance import (
    MOST_DRAWS,
    benjamini_hochberg,
    holm,
    permutation,
    required_draws,
    smallest_p,
    williams,
)
from core.stats.significance_groups import cluster_ranks, compact_letter_display
from core.stats.types import UNDEFINED, Alternative, Ends

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class InferenceResult:
    """Intervals and tests of one judgement, one of each per measure.

    Only measures of the family can be best and are tested; measures not ranked against the judgement
    (`Comparison.eligibility`) are in no family.

    intervals: of the correlations.
    against: label of the measure compared with, empty = none.
    family: indices of the tested measures and of the one compared with.
    p: of the difference; adjusted: adjusted over the family; NaN for the measure compared with.
    reasons: why a measure of the family has no p, one sentence per measure, empty = it has one.
    untestable: why no difference can be significant, empty = one can; see `nothing_can_differ`.
    """

    human: str
    intervals: Intervals
    against: str
    family: tuple[int, ...]
    p: Array
    adjusted: Array
    reasons: tuple[str, ...] = ()
    untestable: str = ""

    @property
    def asks_interval(self) -> bool:
        """Return whether intervals were requested, even if none could be computed."""
        return any(self.intervals.reasons) or self.intervals.are_any

    @property
    def tests(self) -> int:
        """Return the number of tested differences."""
        return int(np.isfinite(self.p).sum())

    def adjusted_by(self, judgement: Array, options: InferenceOptions) -> InferenceResult:
        """Return the same tests, adjusted over the family; p may be of a test without adjustment.

        judgement: shape (systems, topics).
        """
        return replace(
            self,
            adjusted=adjust_p_values(self.p, options.adjustment),
            untestable=nothing_can_differ(judgement, self.tests, options),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationInputs:
    """Arrays to correlate, with level and coefficient.

    x: shape (measures, systems, topics).
    z: shape (systems, topics).
    ratings: ratings behind z, shape (annotators, systems, topics); None = z is not a mean of ratings.
    """

    x: Array
    z: Array
    level: Level
    coefficient: Coefficient
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    ratings: Array | None = None

    def values(self) -> Array:
        """Return the correlations, shape (measures,), NaN = undefined."""
        correlations = correlate_many(self.x, self.z, self.level, self.coefficient, self.undefined)
        return np.array([correlation.value for correlation in correlations], dtype=np.float64)

    def own_p(self) -> Array:
        """Return p by the coefficient's own test, shape (measures,), NaN = undefined."""
        correlations = correlate_many(self.x, self.z, self.level, self.coefficient, self.undefined)
        return np.array([correlation.p for correlation in correlations], dtype=np.float64)


def correlation_inputs(
    comparison: Comparison,
    human: str,
    level: Level,
    coefficient: Coefficient,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ratings: RatingCube | None = None,
) -> CorrelationInputs:
    """Return the arrays of one judgement and all measures. ratings: those that the judgement averages.

    For soft pairwise accuracy, whose tests are one-sided, lower-is-better measures are negated.
    """
    z = comparison.judgements[human]
    x = comparison.stacked(z)
    if coefficient is Coefficient.SOFT_ACCURACY:
        x = x * comparison.directions()[:, None, None]
    cube = None
    if ratings is not None:
        each = (
            ScoreMatrix(who, ratings.systems, ratings.topics, ratings.values[i])
            for i, who in enumerate(ratings.annotators)
        )
        cube = np.array([one.select(z.systems, z.topics).values for one in each]).reshape(-1, *z.values.shape)
    return CorrelationInputs(x, z.values, level, coefficient, undefined, cube)


def infer(
    comparison: Comparison,
    human: str,
    level: Level,
    coefficient: Coefficient,
    options: InferenceOptions,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ratings: RatingCube | None = None,
    family: Sequence[int] | None = None,
) -> JobSteps[InferenceResult]:
    """Return intervals of all measures, and tests of a family against one of them.

    ratings: behind the judgement, for resampling annotators.
    family: indices of the tested measures, among which the best is chosen; None = all. If several are best,
    the others are compared with the first of them, and the other best ones count as tested: a family must
    not depend on the results, as its adjusted p would be too small without those that do not differ.
    Lower-is-better measures are negated for the tests.
    Raises InputError if the measure compared with is unknown, or the test does not apply.
    """
    inputs = correlation_inputs(comparison, human, level, coefficient, undefined, ratings)
    labels = [ref.label for ref in comparison.refs]
    yield Progress(0, 0, human)
    estimates = yield from intervals(inputs, options)
    none = np.full(len(labels), np.nan)
    untested = InferenceResult(human, estimates, "", (), none, none)
    if not options.against:
        return untested
    turned = oriented(inputs, comparison.refs)
    values = round_to_grain(turned.values())
    members = [i for i in (comparison.ranked(human) if family is None else family) if np.isfinite(values[i])]
    place = _place(labels, values, members, options.against, comparison.eligibility(human))
    if place is None:
        return untested
    others = [i for i in members if i != place]
    p = none.copy()
    p[others] = yield from differences(turned, [(place, i) for i in others], options)
    reasons = tuple(
        f"{label}: {_no_p(options.test, labels[place])}." if i in others and not np.isfinite(p[i]) else ""
        for i, label in enumerate(labels)
    )
    tested = InferenceResult(human, estimates, labels[place], (place, *others), p, p, reasons)
    return tested.adjusted_by(turned.z, options)


def _no_p(test: DifferenceTest, other: str) -> str:
    """Return why a difference of two defined correlations has no p."""
    if test is DifferenceTest.WILLIAMS:
        return (
            f"no p of the difference from {other}; Williams' test is undefined for fewer than four systems, "
            "and for measures that mirror each other (r = −1)"
        )
    return f"no p of the difference from {other}, since every permutation is undefined"


def signs_of(refs: Sequence[MeasureRef], coefficient: Coefficient) -> Array:
    """Return -1 for lower-is-better measures, else 1.

    Accuracies are in [0, 1] and have no sign.
    """
    has_sign = not coefficient.is_accuracy
    return np.array([ref.sign if has_sign else 1.0 for ref in refs])


def oriented(inputs: CorrelationInputs, refs: Sequence[MeasureRef]) -> CorrelationInputs:
    """Return inputs in which larger correlations are better: lower-is-better measures negated."""
    return replace(inputs, x=inputs.x * signs_of(refs, inputs.coefficient)[:, None, None])


def method_at(level: Level, method: IntervalMethod) -> IntervalMethod:
    """Return the method itself; for `auto` the quickest one whose p is valid at the level.

    A t-test of system means is valid for other systems. Over topics or summaries it ignores that systems
    were sampled: with 16 systems and 100 topics it finds a third of unrelated measures significant.
    """
    if method is not IntervalMethod.AUTO:
        return method
    return IntervalMethod.NONE if level is Level.SYSTEM else IntervalMethod.BOOTSTRAP_BOTH


def p_method(options: InferenceOptions, level: Level, coefficient: Coefficient) -> str:
    """Return the name of the test behind the p of a correlation; empty = there is no p."""
    method = method_at(level, options.interval)
    if coefficient.is_accuracy:
        return ""
    if method is IntervalMethod.FISHER:
        return "Fisher's z"
    if method is IntervalMethod.T_TEST or (method is IntervalMethod.NONE and level is Level.SYSTEM):
        return p_test(level, coefficient)
    return "" if method is IntervalMethod.NONE else f"{ends_of(options)} {method}"


def p_caution(options: InferenceOptions, level: Level, coefficient: Coefficient) -> str:
    """Return why the p of a correlation, and its interval, hold for less than they seem to; empty if not."""
    method = method_at(level, options.interval)
    if level is Level.SYSTEM or coefficient.is_accuracy:
        return ""
    if method is IntervalMethod.BOOTSTRAP_TOPICS or (
        method is IntervalMethod.T_TEST and level is Level.TOPIC
    ):
        return "holds for other topics, not for other systems, so it is too small for claims about a measure"
    if method in (IntervalMethod.T_TEST, IntervalMethod.FISHER):
        return "takes summaries of one system or topic as independent, which they are not, so it is too small"
    return ""


def short_p_method(method: str) -> str:
    """Return the name of a test for a heading. method: from `p_method`."""
    return "bootstrap" if "bootstrap" in method else method


def ends_of(options: InferenceOptions) -> Ends:
    """Return the type of bootstrap interval; percentile for annotators, who are too few for BCa."""
    return Ends.PERCENTILE if options.interval is IntervalMethod.BOOTSTRAP_ANNOTATORS else options.ends


def intervals(inputs: CorrelationInputs, options: InferenceOptions) -> JobSteps[Intervals]:
    """Return the interval of each measure's correlation, with its p by the same method.

    p of an interval inverts it. There are too few annotators for BCa, so intervals over annotators are
    percentile intervals.
    """
    method = method_at(inputs.level, options.interval)
    if method in (IntervalMethod.NONE, IntervalMethod.T_TEST):
        blank = Intervals.none(inputs.x.shape[0])
        has_p = bool(p_method(options, inputs.level, inputs.coefficient))
        return replace(blank, p=inputs.own_p()) if has_p else blank
    estimates = yield from _intervals(inputs, options, method)
    return estimates.without(~np.isfinite(inputs.values()), UNDEFINED)


def _intervals(
    inputs: CorrelationInputs, options: InferenceOptions, method: IntervalMethod
) -> JobSteps[Intervals]:
    if method is IntervalMethod.FISHER:
        return _by_fisher(inputs, options.confidence)
    if method is IntervalMethod.BOOTSTRAP_ANNOTATORS:
        samples = yield from _annotators_drawn(inputs, options)
        has_null = not inputs.coefficient.is_accuracy
        return intervals_of(samples, confidence=options.confidence, has_null=has_null)
    over = ResampleUnit(method.removeprefix("bootstrap-"))
    return (
        yield from bootstrap_intervals(
            inputs.x,
            inputs.z,
            inputs.level,
            inputs.coefficient,
            over,
            draws=options.draws,
            seed=options.seed,
            undefined=inputs.undefined,
            confidence=options.confidence,
            ends=options.ends,
        )
    )


def _by_fisher(inputs: CorrelationInputs, confidence: float) -> Intervals:
    both = np.isfinite(inputs.x) & np.isfinite(inputs.z)
    n = np.array([effective_n(here, inputs.level) for here in both], dtype=np.float64)
    values = inputs.values()
    low, high = fisher_interval(values, n, inputs.coefficient, confidence)
    p = fisher_p(values, n, inputs.coefficient)
    reasons = tuple("" if math.isfinite(end) else "this kind of interval is not available" for end in low)
    none = np.zeros(values.size, dtype=np.int64)
    return Intervals(low, high, p, none, reasons, np.full(values.size, np.nan))


def differences(
    inputs: CorrelationInputs, pairs: Sequence[tuple[int, int]], options: InferenceOptions
) -> JobSteps[Array]:
    """Return p of each pair of measures, by index, not adjusted; shape (pairs,), NaN = undefined.

    Permutations are as many as the number of pairs requires; see `draws_for`.
    Raises InputError if Williams' test is requested for anything but Pearson's r at the system level.
    """
    if options.test is DifferenceTest.WILLIAMS:
        refusal = williams_refusal(inputs.level, inputs.coefficient)
        if refusal:
            raise InputError(refusal)
        return (yield from williams_differences(inputs, pairs, options))
    over, draws = ResampleUnit(options.test.removeprefix("permutation-")), draws_for(options, len(pairs))
    settings = (inputs.level, inputs.coefficient, over, pairs, draws, options.seed, options.sides)
    return (yield from permutation(inputs.x, inputs.z, *settings))


def draws_for(options: InferenceOptions, tests: int) -> int:
    """Return the number of permutations of a family of tests, so that a difference can be significant in it.

    The requested number, or more where Holm's adjustment of so many tests needs it, up to `MOST_DRAWS`.
    """
    needed = required_draws(tests, 1 - options.confidence) if options.adjustment is Adjustment.HOLM else 0
    return max(options.draws, min(needed, MOST_DRAWS))


def nothing_can_differ(z: Array, tests: int, options: InferenceOptions) -> str:
    """Return why no difference of a family of tests can be significant, however large; empty if one can.

    z: the judgement, shape (systems, topics), NaN = missing.
    tests: number of tests that are adjusted together.
    """
    if options.test is DifferenceTest.WILLIAMS or not tests:
        return ""
    alpha, over = 1 - options.confidence, ResampleUnit(options.test.removeprefix("permutation-"))
    judged = np.isfinite(z)
    systems, topics = int(judged.any(axis=1).sum()), int(judged.any(axis=0).sum())
    raised = tests if options.adjustment is Adjustment.HOLM else 1
    if raised * smallest_p(systems, topics, over, draws_for(options, tests), options.sides) < alpha:
        return ""
    claim = f"no difference can be significant after {pluralize(tests, 'test')}, as"
    needed = required_draws(raised, alpha)
    if raised * smallest_p(systems, topics, over, needed, options.sides) < alpha:
        return f"{claim} {draws_for(options, tests):,} permutations are too few: use --draws {needed}"
    units = {
        ResampleUnit.TOPICS: pluralize(systems, "system"),
        ResampleUnit.SYSTEMS: pluralize(topics, "topic"),
    }
    named = " and ".join(text for other, text in units.items() if over is not other)
    return f"{claim} there are too few different permutations of {named}"


def williams_differences(
    inputs: CorrelationInputs, pairs: Sequence[tuple[int, int]], options: InferenceOptions
) -> JobSteps[Array]:
    """Return p of each pair by Williams' test at any level, as used in papers.

    Above the system level and for rank coefficients its assumptions do not hold; `differences` rejects it
    there.
    """
    p = np.full(len(pairs), np.nan)
    first = dict.fromkeys(one for one, _ in pairs)
    for done, one in enumerate(first):
        yield Progress(done, len(first), "Williams' test")
        places = [i for i, pair in enumerate(pairs) if pair[0] == one]
        p[places] = _williams(inputs, one, [pairs[i][1] for i in places], options)
    return p


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceGroups:
    """Groups of measures that do not differ significantly.

    p: of each pair's difference, adjusted over all pairs, shape (measures, measures), NaN on the diagonal and
    outside the family.
    ranks: each measure's cluster from 1, as in WMT's metric rankings; 0 = no pair of it could be tested.
    letters: two measures share one exactly if they do not differ; empty = not tested.
    draws: number of permutations.
    reason: why there are no clusters, empty = there are; see `nothing_can_differ`.
    """

    p: Array
    ranks: tuple[int, ...]
    letters: tuple[str, ...]
    draws: int
    reason: str = ""

    @property
    def tests(self) -> int:
        """Return the number of tested pairs."""
        return int(np.isfinite(self.p).sum()) // 2


def pairwise_differences(
    inputs: CorrelationInputs, members: Sequence[int], options: InferenceOptions
) -> JobSteps[Array]:
    """Test every pair of measures, by index, two-sidedly.

    Returns p, adjusted over all pairs, shape (measures, measures), NaN = not tested or undefined.
    """
    count, every = inputs.x.shape[0], list(combinations(members, 2))
    tested = yield from differences(inputs, every, replace(options, sides=Alternative.TWO))
    p = np.full((count, count), np.nan)
    for (one, other), value in zip(every, adjust_p_values(tested, options.adjustment), strict=True):
        p[one, other] = p[other, one] = value
    return p


def significance_groups(
    inputs: CorrelationInputs, options: InferenceOptions, family: Sequence[int] | None = None
) -> JobSteps[SignificanceGroups]:
    """Test every pair of a family two-sidedly, and group pairs that do not differ at the given confidence.

    family: indices of the tested measures, None = all. There are no groups where nothing could differ.
    """
    count, values = inputs.x.shape[0], round_to_grain(inputs.values())
    members = [i for i in (range(count) if family is None else sorted(family)) if np.isfinite(values[i])]
    pairs = len(members) * (len(members) - 1) // 2
    draws = draws_for(options, pairs)
    if reason := nothing_can_differ(inputs.z, pairs, options):
        none = np.full((count, count), np.nan)
        return SignificanceGroups(none, (0,) * count, ("",) * count, draws, reason)
    p = yield from pairwise_differences(inputs, members, options)
    members = [one for one in members if np.isfinite(p[one]).any()]
    values = values[members]
    differs = p[np.ix_(members, members)] < 1 - options.confidence
    ranks, signs = [0] * count, [""] * count
    groups = zip(
        members, cluster_ranks(values, differs), compact_letter_display(differs, values), strict=True
    )
    for member, rank, shared in groups:
        ranks[member], signs[member] = rank, shared
    return SignificanceGroups(p, tuple(ranks), tuple(signs), draws)


def required_sample_sizes(
    inputs: CorrelationInputs, pairs: Sequence[tuple[int, int]], over: ResampleUnit, options: InferenceOptions
) -> JobSteps[list[Power]]:
    """Estimate the number of systems or topics required to distinguish each pair of measures, by index."""
    settings = (inputs.level, inputs.coefficient, over, pairs)
    estimates = yield from power(
        inputs.x,
        inputs.z,
        *settings,
        confidence=options.confidence,
        draws=options.simulated,
        seed=options.seed,
    )
    return estimates


def adjust_p_values(p: Array, adjustment: Adjustment) -> Array:
    """Return the p-values of one table, NaN = not tested."""
    if adjustment is Adjustment.NONE:
        return p
    return holm(p) if adjustment is Adjustment.HOLM else benjamini_hochberg(p)


def effective_n(both: NDArray[np.bool_], level: Level) -> int:
    """Return the effective sample size of a correlation. both: shape (systems, topics).

    Systems, or summaries; at the topic level the largest number of systems in a topic, as in Deutsch et al.
    2021.
    """
    if level is Level.SYSTEM:
        return int(both.any(axis=1).sum())
    return int(both.sum() if level is Level.GLOBAL else both.sum(axis=0).max(initial=0))


def _annotators_drawn(inputs: CorrelationInputs, options: InferenceOptions) -> JobSteps[Array]:
    if inputs.ratings is None:
        raise InputError("Annotators can be resampled for ratings only. Resample systems or topics instead.")
    return (
        yield from bootstrap_annotators(
            inputs.x,
            inputs.ratings,
            inputs.level,
            inputs.coefficient,
            draws=options.draws,
            seed=options.seed,
            undefined=inputs.undefined,
        )
    )


def _williams(inputs: CorrelationInputs, one: int, others: Sequence[int], options: InferenceOptions) -> Array:
    """Return p of one measure against others, each pair over the cells that both have."""
    p = np.full(len(others), np.nan)
    there = np.isfinite(inputs.x) & np.isfinite(inputs.z)
    sharing: dict[bytes, list[int]] = {}
    for place, other in enumerate(others):
        sharing.setdefault((there[one] & there[other]).tobytes(), []).append(place)
    for places in sharing.values():
        both = there[one] & there[others[places[0]]]
        mine, z = (np.where(both, side, np.nan) for side in (inputs.x[one], inputs.z))
        theirs = np.where(both, inputs.x[[others[place] for place in places]], np.nan)
        r12 = _correlations(inputs, mine[None], z)
        r13, r23 = _correlations(inputs, theirs, z), _correlations(inputs, theirs, mine)
        n, settings = effective_n(both, inputs.level), (options.sides, options.freedom)
        rows = level_rows(np.concatenate((mine[None], theirs)), both, inputs.level)
        each = correlation_precision(rows.reshape(len(places) + 1, -1))
        precision = np.maximum(each[0] + each[1:], EQUAL_CORRELATIONS)
        magnitudes = options.magnitudes
        p[places] = williams(r12, r13, r23, n, *settings, magnitudes=magnitudes, precision=precision)
    return p


def _correlations(inputs: CorrelationInputs, x: Array, z: Array) -> Array:
    correlations = correlate_many(x, z, inputs.level, inputs.coefficient)
    return np.array([correlation.value for correlation in correlations], dtype=np.float64)


def _place(
    labels: Sequence[str], values: Array, family: Sequence[int], against: str, eligible: Sequence[Eligibility]
) -> int | None:
    """Return the index of the measure to compare with, None = none.

    values: larger is better; those of the family are defined. Raises InputError if the measure is unknown or
    incomplete.
    """
    if against == BEST:
        return max(family, key=lambda i: values[i], default=None)
    place = labels.index(resolve_name("compared measure", against, labels))
    if eligible[place].status is Status.INCOMPLETE:
        raise InputError(
            f"{against} has scores for only {eligible[place].coverage}, so nothing can be compared with it. "
            "Complete its scores, or compare on common topics."
        )
    return place if eligible[place].is_ranked and np.isfinite(values[place]) else None
