"""Statistical inference on correlations: intervals, tests, clusters, required sample sizes.

Used by the command line and the Compare page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.comparison.comparison import Comparison
from core.comparison.eligibility import Eligibility, Status
from core.comparison.measures import MeasureRef
from core.domain.ratings import RatingCube
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.progress import JobSteps, Progress
from core.stats.annotator_bootstrap import bootstrap_annotators
from core.stats.bootstrap import fisher_interval, fisher_p
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate_many
from core.stats.intervals import DRAWS, Ends, Intervals, bootstrap_intervals, intervals_of
from core.stats.measure_stack import level_rows
from core.stats.power import Power, power
from core.stats.precision import correlation_precision, round_to_grain
from core.stats.resample_counts import ResampleUnit
from core.stats.significance import (
    MINIMUM_PRECISION,
    Alternative,
    WilliamsDf,
    benjamini_hochberg,
    holm,
    permutation,
    williams,
)
from core.stats.significance_groups import cluster_ranks, compact_letter_display
from core.stats.types import UNDEFINED

Array = NDArray[np.float64]

BEST = "best"
"""Value of `against` that compares each measure with the one of the highest correlation."""


class IntervalMethod(StrEnum):
    """Source of an interval: resamples, Fisher's transformation, or none."""

    BOOTSTRAP_BOTH = "bootstrap-both"
    BOOTSTRAP_SYSTEMS = "bootstrap-systems"
    BOOTSTRAP_TOPICS = "bootstrap-topics"
    BOOTSTRAP_ANNOTATORS = "bootstrap-annotators"
    FISHER = "fisher"
    NONE = "none"


class DifferenceTest(StrEnum):
    """Test of the difference between two measures' correlations."""

    PERMUTATION_BOTH = "permutation-both"
    WILLIAMS = "williams"
    PERMUTATION_SYSTEMS = "permutation-systems"
    PERMUTATION_TOPICS = "permutation-topics"


class Adjustment(StrEnum):
    """Adjustment of p-values for multiple testing."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class InferenceOptions:
    """Options of intervals and tests.

    against: label of the measure to compare with, `BEST`, or empty = none.
    draws, seed: of resamples and permutations.
    simulated: simulated studies per size for required sample sizes.
    ends: ends of bootstrap intervals.
    confidence: of intervals.
    freedom, magnitudes: of Williams' test.
    """

    interval: IntervalMethod = IntervalMethod.BOOTSTRAP_BOTH
    against: str = BEST
    test: DifferenceTest = DifferenceTest.PERMUTATION_BOTH
    adjustment: Adjustment = Adjustment.HOLM
    sides: Alternative = Alternative.TWO
    draws: int = DRAWS
    simulated: int = 1000
    seed: int = 0
    ends: Ends = Ends.BCA
    confidence: float = 0.95
    freedom: WilliamsDf = WilliamsDf.N_MINUS_3
    magnitudes: bool = False


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
    """

    human: str
    intervals: Intervals
    against: str
    family: tuple[int, ...]
    p: Array
    adjusted: Array
    reasons: tuple[str, ...] = ()

    @property
    def asks_interval(self) -> bool:
        """Return whether intervals were requested, even if none could be computed."""
        estimates = self.intervals
        return any(estimates.reasons) or bool(np.isfinite(estimates.low).any())

    @property
    def tests(self) -> int:
        """Return the number of tested differences."""
        return int(np.isfinite(self.p).sum())


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
    chance: InferenceOptions,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ratings: RatingCube | None = None,
    family: Sequence[int] | None = None,
) -> JobSteps[InferenceResult]:
    """Return intervals of all measures, and tests of a family against one of them.

    ratings: behind the judgement, for resampling annotators.
    family: indices of the tested measures, among which the best is chosen; None = all.
    Lower-is-better measures are negated for the tests.
    Raises InputError if the measure compared with is unknown, or the test does not apply.
    """
    sample = correlation_inputs(comparison, human, level, coefficient, undefined, ratings)
    labels = [ref.label for ref in comparison.refs]
    yield Progress(0, 0, human)
    estimates = yield from intervals(sample, chance)
    turned = replace(sample, x=sample.x * signs_of(comparison.refs, coefficient)[:, None, None])
    values = round_to_grain(turned.values())
    members = [i for i in (comparison.ranked(human) if family is None else family) if np.isfinite(values[i])]
    place = _place(labels, values, members, chance.against, comparison.eligibility(human))
    none = np.full(len(labels), np.nan)
    if place is None:
        return InferenceResult(human, estimates, "", (), none, none)
    others = [i for i in members if i != place]
    p = none.copy()
    p[others] = yield from differences(turned, [(place, i) for i in others], chance)
    reasons = tuple(
        f"{label}: {_no_p(chance.test, labels[place])}." if i in others and not np.isfinite(p[i]) else ""
        for i, label in enumerate(labels)
    )
    adjusted = adjust_p_values(p, chance.adjustment)
    return InferenceResult(human, estimates, labels[place], (place, *others), p, adjusted, reasons)


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
    return np.array([-1.0 if has_sign and not ref.config.higher_is_better else 1.0 for ref in refs])


def intervals(sample: CorrelationInputs, chance: InferenceOptions) -> JobSteps[Intervals]:
    """Return the interval of each measure's correlation, with the p-value that inverts it.

    There are too few annotators for BCa, so intervals over annotators are percentile intervals.
    """
    if chance.interval is IntervalMethod.NONE:
        return Intervals.none(sample.x.shape[0])
    estimates = yield from _intervals(sample, chance)
    return estimates.without(~np.isfinite(sample.values()), UNDEFINED)


def _intervals(sample: CorrelationInputs, chance: InferenceOptions) -> JobSteps[Intervals]:
    if chance.interval is IntervalMethod.FISHER:
        return _by_fisher(sample, chance.confidence)
    if chance.interval is IntervalMethod.BOOTSTRAP_ANNOTATORS:
        samples = yield from _annotators_drawn(sample, chance)
        has_null = not sample.coefficient.is_accuracy
        return intervals_of(samples, confidence=chance.confidence, has_null=has_null)
    over = ResampleUnit(chance.interval.removeprefix("bootstrap-"))
    return (
        yield from bootstrap_intervals(
            sample.x,
            sample.z,
            sample.level,
            sample.coefficient,
            over,
            draws=chance.draws,
            seed=chance.seed,
            undefined=sample.undefined,
            confidence=chance.confidence,
            ends=chance.ends,
        )
    )


def _by_fisher(sample: CorrelationInputs, confidence: float) -> Intervals:
    both = np.isfinite(sample.x) & np.isfinite(sample.z)
    n = np.array([effective_n(here, sample.level) for here in both], dtype=np.float64)
    values = sample.values()
    low, high = fisher_interval(values, n, sample.coefficient, confidence)
    p = fisher_p(values, n, sample.coefficient)
    reasons = tuple("" if math.isfinite(end) else "this kind of interval is not available" for end in low)
    none = np.zeros(values.size, dtype=np.int64)
    return Intervals(low, high, p, none, reasons, np.full(values.size, np.nan))


def differences(
    sample: CorrelationInputs, pairs: Sequence[tuple[int, int]], chance: InferenceOptions
) -> JobSteps[Array]:
    """Return p of each pair of measures, by index, not adjusted; shape (pairs,), NaN = undefined.

    Raises InputError if Williams' test is requested for anything but Pearson's r at the system level.
    """
    if chance.test is DifferenceTest.WILLIAMS:
        refusal = williams_refusal(sample.level, sample.coefficient)
        if refusal:
            raise InputError(refusal)
        return (yield from williams_differences(sample, pairs, chance))
    over = ResampleUnit(chance.test.removeprefix("permutation-"))
    settings = (sample.level, sample.coefficient, over, pairs, chance.draws, chance.seed, chance.sides)
    return (yield from permutation(sample.x, sample.z, *settings))


def williams_refusal(level: Level, coefficient: Coefficient) -> str:
    """Return why Williams' test does not apply; empty if it does."""
    if level is Level.SYSTEM and coefficient is Coefficient.PEARSON:
        return ""
    return (
        "Williams' test applies to Pearson's r of independent pairs, so to the system level only. Choose a "
        "permutation test."
    )


def williams_differences(
    sample: CorrelationInputs, pairs: Sequence[tuple[int, int]], chance: InferenceOptions
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
        p[places] = _williams(sample, one, [pairs[i][1] for i in places], chance)
    return p


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceGroups:
    """Groups of measures that do not differ significantly.

    p: of each pair's difference, adjusted over all pairs, shape (measures, measures), NaN on the diagonal and
    outside the family.
    ranks: each measure's cluster from 1, as in WMT's metric rankings; 0 = no pair of it could be tested.
    letters: two measures share one exactly if they do not differ; empty = not tested.
    """

    p: Array
    ranks: tuple[int, ...]
    letters: tuple[str, ...]

    @property
    def tests(self) -> int:
        """Return the number of tested pairs."""
        return int(np.isfinite(self.p).sum()) // 2


def significance_groups(
    sample: CorrelationInputs, chance: InferenceOptions, family: Sequence[int] | None = None
) -> JobSteps[SignificanceGroups]:
    """Test every pair of a family two-sidedly, and group pairs that do not differ at the given confidence.

    family: indices of the tested measures, None = all.
    """
    count, values = sample.x.shape[0], round_to_grain(sample.values())
    members = [i for i in (range(count) if family is None else sorted(family)) if np.isfinite(values[i])]
    every = list(combinations(members, 2))
    tested = yield from differences(sample, every, replace(chance, sides=Alternative.TWO))
    adjusted = adjust_p_values(tested, chance.adjustment)
    p = np.full((count, count), np.nan)
    for (one, other), value in zip(every, adjusted, strict=True):
        p[one, other] = p[other, one] = value
    members = [one for one in members if np.isfinite(p[one]).any()]
    values = values[members]
    differs = p[np.ix_(members, members)] < 1 - chance.confidence
    ranks, signs = [0] * count, [""] * count
    groups = zip(
        members, cluster_ranks(values, differs), compact_letter_display(differs, values), strict=True
    )
    for member, rank, shared in groups:
        ranks[member], signs[member] = rank, shared
    return SignificanceGroups(p, tuple(ranks), tuple(signs))


def required_sample_sizes(
    sample: CorrelationInputs, pairs: Sequence[tuple[int, int]], over: ResampleUnit, chance: InferenceOptions
) -> JobSteps[list[Power]]:
    """Estimate the number of systems or topics required to distinguish each pair of measures, by index."""
    settings = (sample.level, sample.coefficient, over, pairs)
    estimates = yield from power(
        sample.x, sample.z, *settings, confidence=chance.confidence, draws=chance.simulated, seed=chance.seed
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


def _annotators_drawn(sample: CorrelationInputs, chance: InferenceOptions) -> JobSteps[Array]:
    if sample.ratings is None:
        raise InputError("Annotators can be resampled for ratings only. Resample systems or topics instead.")
    return (
        yield from bootstrap_annotators(
            sample.x,
            sample.ratings,
            sample.level,
            sample.coefficient,
            draws=chance.draws,
            seed=chance.seed,
            undefined=sample.undefined,
        )
    )


def _williams(sample: CorrelationInputs, one: int, others: Sequence[int], chance: InferenceOptions) -> Array:
    """Return p of one measure against others, each pair over the cells that both have."""
    p = np.full(len(others), np.nan)
    there = np.isfinite(sample.x) & np.isfinite(sample.z)
    sharing: dict[bytes, list[int]] = {}
    for place, other in enumerate(others):
        sharing.setdefault((there[one] & there[other]).tobytes(), []).append(place)
    for places in sharing.values():
        both = there[one] & there[others[places[0]]]
        mine, z = (np.where(both, side, np.nan) for side in (sample.x[one], sample.z))
        theirs = np.where(both, sample.x[[others[place] for place in places]], np.nan)
        r12 = _correlations(sample, mine[None], z)
        r13, r23 = _correlations(sample, theirs, z), _correlations(sample, theirs, mine)
        n, settings = effective_n(both, sample.level), (chance.sides, chance.freedom)
        rows = level_rows(np.concatenate((mine[None], theirs)), both, sample.level)
        each = correlation_precision(rows.reshape(len(places) + 1, -1))
        precision = np.maximum(each[0] + each[1:], MINIMUM_PRECISION)
        magnitudes = chance.magnitudes
        p[places] = williams(r12, r13, r23, n, *settings, magnitudes=magnitudes, precision=precision)
    return p


def _correlations(sample: CorrelationInputs, x: Array, z: Array) -> Array:
    correlations = correlate_many(x, z, sample.level, sample.coefficient)
    return np.array([correlation.value for correlation in correlations], dtype=np.float64)


def _place(
    labels: Sequence[str],
    values: Array,
    family: Sequence[int],
    against: str,
    eligible: Sequence[Eligibility],
) -> int | None:
    """Return the index of the measure to compare with, None = none.

    values: larger is better. Raises InputError if the measure is unknown or incomplete.
    """
    if against in ("", BEST):
        defined = [i for i in family if np.isfinite(values[i])]
        return max(defined, key=lambda i: values[i]) if against and defined else None
    if against not in labels:
        raise InputError(
            f"Measure {against!r} is not part of this comparison. Available: {', '.join(labels)}."
        )
    place = labels.index(against)
    if eligible[place].status is Status.INCOMPLETE:
        raise InputError(
            f"{against} has scores for only {eligible[place].coverage}, so nothing can be compared with it. "
            "Complete its scores, or compare on common topics."
        )
    return place if eligible[place].is_ranked and np.isfinite(values[place]) else None
