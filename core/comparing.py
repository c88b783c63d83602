"""What chance alone could do: intervals of correlations, and which measures really differ.

The command line and the Compare page ask the same questions here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.comparison import Comparison
from core.domain.ratings import RatingCube
from core.eligibility import Eligibility, Status
from core.errors import InputError
from core.matrix import Matrix
from core.progress import Progress, Steps
from core.stats.annotator_resampling import bootstrap_annotators
from core.stats.clusters import cluster_ranks, letters
from core.stats.correlation import Coefficient, Level, Undefined, correlate_many
from core.stats.counts import Over
from core.stats.power import Power, power
from core.stats.resampling import bootstrap, fisher_interval, interval
from core.stats.significance import Freedom, Sides, benjamini_hochberg, holm, permutation, williams

Array = NDArray[np.float64]

BEST = "best"
"""Compare each measure with the one of the highest correlation."""


class IntervalKind(StrEnum):
    """How an interval is made: from resamples, by Fisher's transformation, or not at all."""

    BOOTSTRAP_BOTH = "bootstrap-both"
    BOOTSTRAP_SYSTEMS = "bootstrap-systems"
    BOOTSTRAP_TOPICS = "bootstrap-topics"
    BOOTSTRAP_ANNOTATORS = "bootstrap-annotators"
    FISHER = "fisher"
    NONE = "none"


class DifferenceTest(StrEnum):
    """What tells two measures apart."""

    WILLIAMS = "williams"
    PERMUTATION_BOTH = "permutation-both"
    PERMUTATION_SYSTEMS = "permutation-systems"
    PERMUTATION_TOPICS = "permutation-topics"


class Adjustment(StrEnum):
    """How p-values are raised for the number of tests in a table."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Chance:
    """What is asked about chance.

    against: the label of the measure that all others are compared with, `BEST`, or empty = none. draws, seed:
    of resamples and permutations. confidence: of intervals. freedom, magnitudes: of Williams' test.
    """

    interval: IntervalKind = IntervalKind.BOOTSTRAP_BOTH
    against: str = BEST
    test: DifferenceTest = DifferenceTest.WILLIAMS
    adjustment: Adjustment = Adjustment.HOLM
    sides: Sides = Sides.TWO
    draws: int = 1000
    seed: int = 0
    confidence: float = 0.95
    freedom: Freedom = Freedom.N_MINUS_3
    magnitudes: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How sure the numbers of one judgement are, one of each per measure.

    Only measures that are ranked against the judgement (`Comparison.eligibility`) may be the best and are
    tested. low, high: the interval, NaN = none. against: the label of the measure that others were compared
    with, empty = none. p: of the difference from it; adjusted: the same, over the table; NaN at itself.
    """

    human: str
    low: Array
    high: Array
    against: str
    p: Array
    adjusted: Array


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Numbers, and how they are correlated.

    x: shape (measures, systems, topics), z: (systems, topics). ratings: those behind z, of shape (annotators,
    systems, topics), None = z is no mean of ratings.
    """

    x: Array
    z: Array
    level: Level
    coefficient: Coefficient
    undefined: Undefined = Undefined.SKIP
    ratings: Array | None = None

    def values(self) -> Array:
        """The correlations, shape (measures,), NaN = undefined."""
        found = correlate_many(self.x, self.z, self.level, self.coefficient, self.undefined)
        return np.array([correlation.value for correlation in found], dtype=np.float64)


def sample_of(
    comparison: Comparison,
    human: str,
    level: Level,
    coefficient: Coefficient,
    undefined: Undefined = Undefined.SKIP,
    ratings: RatingCube | None = None,
) -> Sample:
    """The numbers of one judgement and of all measures. ratings: those that the judgement is the mean of."""
    z = comparison.judgements[human]
    cube = None
    if ratings is not None:
        each = (
            Matrix(who, ratings.systems, ratings.topics, ratings.values[i])
            for i, who in enumerate(ratings.annotators)
        )
        cube = np.array([one.select(z.systems, z.topics).values for one in each]).reshape(-1, *z.values.shape)
    return Sample(comparison.stacked(z), z.values, level, coefficient, undefined, cube)


def standing(
    comparison: Comparison,
    human: str,
    level: Level,
    coefficient: Coefficient,
    chance: Chance,
    undefined: Undefined = Undefined.SKIP,
    ratings: RatingCube | None = None,
) -> Steps[Standing]:
    """Intervals of all measures, and how far each differs from the one that it is compared with.

    ratings: behind the judgement, for drawing annotators. Raises InputError where that measure is not there,
    or what is asked has no answer.
    """
    sample = sample_of(comparison, human, level, coefficient, undefined, ratings)
    labels = [ref.label for ref in comparison.refs]
    yield Progress(0, 0, human)
    values = sample.values()
    low, high = yield from intervals(sample, chance)
    eligible = comparison.eligibility(human)
    place = _place(labels, values, chance.against, eligible)
    if place is None:
        none = np.full(values.shape, np.nan)
        return Standing(human, low, high, "", none, none)
    others = [i for i in comparison.ranked(human) if i != place]
    p = np.full(values.shape, np.nan)
    p[others] = yield from differences(sample, [(place, i) for i in others], chance)
    return Standing(human, low, high, labels[place], p, adjusted(p, chance.adjustment))


def intervals(sample: Sample, chance: Chance) -> Steps[tuple[Array, Array]]:
    """Low and high of each measure's correlation, shape (measures,), NaN = none."""
    if chance.interval is IntervalKind.NONE:
        none = np.full(sample.x.shape[0], np.nan)
        return none, none
    if chance.interval is IntervalKind.FISHER:
        both = np.isfinite(sample.x) & np.isfinite(sample.z)
        n = np.array([pairs(here, sample.level) for here in both], dtype=np.float64)
        return fisher_interval(sample.values(), n, sample.coefficient, chance.confidence)
    if chance.interval is IntervalKind.BOOTSTRAP_ANNOTATORS:
        return interval((yield from _annotators_drawn(sample, chance)), chance.confidence)
    over = Over(chance.interval.removeprefix("bootstrap-"))
    asked = (sample.level, sample.coefficient, over, chance.draws, chance.seed, sample.undefined)
    samples = yield from bootstrap(sample.x, sample.z, *asked)
    return interval(samples, chance.confidence)


def differences(sample: Sample, wanted: Sequence[tuple[int, int]], chance: Chance) -> Steps[Array]:
    """p of each pair of measures, by their places, not adjusted; shape (pairs,), NaN = undefined.

    Raises InputError where Williams' test is asked about accuracy, which is no correlation.
    """
    if chance.test is not DifferenceTest.WILLIAMS:
        over = Over(chance.test.removeprefix("permutation-"))
        asked = (sample.level, sample.coefficient, over, wanted, chance.draws, chance.seed, chance.sides)
        return (yield from permutation(sample.x, sample.z, *asked))
    if sample.coefficient is Coefficient.ACCURACY:
        raise InputError("Williams' test is for correlations, not for accuracy. Choose a permutation test.")
    p = np.full(len(wanted), np.nan)
    first = dict.fromkeys(one for one, _ in wanted)
    for done, one in enumerate(first):
        yield Progress(done, len(first), "Williams' test")
        places = [i for i, pair in enumerate(wanted) if pair[0] == one]
        p[places] = _williams(sample, one, [wanted[i][1] for i in places], chance)
    return p


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Measures that do not differ; those that are not ranked have rank 0 and no letter.

    p: of each pair's difference, adjusted over all pairs, shape (measures, measures), NaN on the diagonal.
    ranks: each measure's cluster from 1, as WMT ranks metrics. letters: two measures share one exactly where
    they do not differ.
    """

    p: Array
    ranks: tuple[int, ...]
    letters: tuple[str, ...]


def clusters(sample: Sample, chance: Chance, ranked: Sequence[int]) -> Steps[Clusters]:
    """Test every pair of measures on two sides and find which do not differ at the confidence asked for.

    ranked: places of the measures that take part, as `Comparison.ranked` has them; the others get rank 0 and
    no letter.
    """
    count = sample.x.shape[0]
    every = list(combinations(ranked, 2))
    tested = yield from differences(sample, every, replace(chance, sides=Sides.TWO))
    found = adjusted(tested, chance.adjustment)
    p = np.full((count, count), np.nan)
    for (one, other), value in zip(every, found, strict=True):
        p[one, other] = p[other, one] = value
    inner = np.ix_(ranked, ranked)
    differs, values = p[inner] < 1 - chance.confidence, sample.values()[list(ranked)]
    ranks, signs = [0] * count, [""] * count
    for place, rank, sign in zip(
        ranked, cluster_ranks(values, differs), letters(differs, values), strict=True
    ):
        ranks[place], signs[place] = rank, sign
    return Clusters(p, tuple(ranks), tuple(signs))


def how_many(
    sample: Sample, wanted: Sequence[tuple[int, int]], over: Over, chance: Chance
) -> Steps[list[Power]]:
    """How many systems or topics would tell each pair of measures apart, by their places."""
    asked = (sample.level, sample.coefficient, over, wanted)
    found = yield from power(
        sample.x, sample.z, *asked, confidence=chance.confidence, draws=chance.draws, seed=chance.seed
    )
    return found


def adjusted(p: Array, adjustment: Adjustment) -> Array:
    """p-values of one table, NaN = no question."""
    if adjustment is Adjustment.NONE:
        return p
    return holm(p) if adjustment is Adjustment.HOLM else benjamini_hochberg(p)


def pairs(both: NDArray[np.bool_], level: Level) -> int:
    """How many things a correlation stands on. both: shape (systems, topics).

    Systems, or summaries; at the topic level the most systems of one topic, as Deutsch et al. 2021 have it.
    """
    if level is Level.SYSTEM:
        return int(both.any(axis=1).sum())
    return int(both.sum() if level is Level.GLOBAL else both.sum(axis=0).max(initial=0))


def _annotators_drawn(sample: Sample, chance: Chance) -> Steps[Array]:
    if sample.ratings is None:
        raise InputError("Annotators can be drawn for ratings alone. Draw systems or topics instead.")
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


def _williams(sample: Sample, one: int, others: Sequence[int], chance: Chance) -> Array:
    """p of one measure against others, each pair over the cells that both have."""
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
        n, asked = pairs(both, sample.level), (chance.sides, chance.freedom)
        p[places] = williams(r12, r13, r23, n, *asked, magnitudes=chance.magnitudes)
    return p


def _correlations(sample: Sample, x: Array, z: Array) -> Array:
    found = correlate_many(x, z, sample.level, sample.coefficient)
    return np.array([correlation.value for correlation in found], dtype=np.float64)


def _place(labels: Sequence[str], values: Array, against: str, eligible: Sequence[Eligibility]) -> int | None:
    """The place of the measure that others are compared with, None = there is none.

    Raises InputError where it is not there, or incomplete.
    """
    if against in ("", BEST):
        ranked = np.where([one.is_ranked for one in eligible], values, np.nan)
        return int(np.nanargmax(ranked)) if against and np.isfinite(ranked).any() else None
    if against not in labels:
        raise InputError(f"{against!r} is not among the measures compared; there are: {', '.join(labels)}.")
    place = labels.index(against)
    if eligible[place].status is Status.INCOMPLETE:
        raise InputError(
            f"{against} has scores for {eligible[place].coverage} only, so nothing can be compared with it. "
            "Score it further, or compare on common topics."
        )
    return place if eligible[place].is_ranked and np.isfinite(values).any() else None
