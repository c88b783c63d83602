"""The alternative annotator test: whether a judge is at least as close to the annotators as one of them.

Source: Calderon, Reichart & Dror 2025, "The Alternative Annotator Test for LLM-as-a-Judge".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import round_values
from core.stats.resampling.significance import benjamini_yekutieli

Array = NDArray[np.float64]

MIN_PEOPLE = 2
"""Annotators that an item needs."""

MIN_ITEMS = 30
"""Items that an annotator needs; Student's t assumes about as many."""

ENOUGH_WINS = 0.5
"""Winning rate from which on a judge passes."""

FALSE_DISCOVERIES = 0.05
"""False discovery rate of the tests of one judge, one per annotator."""


class Closeness(StrEnum):
    """How close a value is to those of the other annotators.

    ACCURACY: the share of them that chose the same value, for categories.
    RMSE: the negated root of the mean squared difference, for numbers.
    """

    ACCURACY = "accuracy"
    RMSE = "rmse"


@dataclass(frozen=True, slots=True)
class AnnotatorTest:
    """A judge against one annotator, each compared with the other annotators of the same items.

    annotator: index.
    judge, person: share of items on which the judge, or the annotator, is at least as close as the other one.
    p: of the hypothesis that the judge is not better than the annotator by more than −ε; one-sided t-test of
        the differences of both indicators. NaN = undefined.
    adjusted: by Benjamini & Yekutieli over the annotators.
    """

    annotator: int
    items: int
    judge: float
    person: float
    p: float
    adjusted: float

    @property
    def is_won(self) -> bool:
        return self.adjusted <= FALSE_DISCOVERIES


@dataclass(frozen=True, slots=True, eq=False)
class AlternativeAnnotatorTest:
    """Outcome of the test of one judge.

    tests: of the annotators with enough items.
    closer: 1 where the judge is at least as close as an annotator, else 0, shape (items, annotators), NaN =
        not compared.
    items: number of compared items. dropped: items of annotators that were left out, as the judge has no
        value or too few annotators have one.
    left_out: indices of annotators with values on too few items.
    """

    tests: tuple[AnnotatorTest, ...]
    closer: Array
    items: int
    dropped: int
    left_out: tuple[int, ...]

    @property
    def winning_rate(self) -> float:
        """ω: the share of annotators whom the judge may replace, NaN = none was compared."""
        return sum(one.is_won for one in self.tests) / len(self.tests) if self.tests else math.nan

    @property
    def advantage(self) -> float:
        """ρ: the mean share of items on which the judge is at least as close as the annotator."""
        return float(np.mean([one.judge for one in self.tests])) if self.tests else math.nan

    @property
    def passes(self) -> bool:
        """Whether the judge may replace at least half of the annotators."""
        return self.winning_rate >= ENOUGH_WINS


def alternative_annotator_test(
    judge: Array, people: Array, epsilon: float, closeness: Closeness, least_items: int = MIN_ITEMS
) -> AlternativeAnnotatorTest:
    """Test a judge against each annotator.

    judge: shape (items,). people: shape (items, annotators). NaN = no value.
    epsilon: how much worse than an annotator a judge may be, as it costs less: a difference of shares.
    least_items: items that an annotator needs to be compared.
    """
    there = np.isfinite(people)
    used = (there.sum(axis=1) >= MIN_PEOPLE) & np.isfinite(judge)
    closer = np.full(people.shape, np.nan)
    shares: list[tuple[int, int, float, float, float]] = []
    left_out = []
    for who in range(people.shape[1]):
        mine = np.flatnonzero(used & there[:, who])
        if mine.size < max(least_items, 1):
            left_out.append(who)
            continue
        others = np.delete(people[mine], who, axis=1)
        of_judge, of_person = _closeness(np.array([judge[mine], people[mine, who]]), others, closeness)
        judge_wins = (of_judge >= of_person).astype(np.float64)
        person_wins = (of_person >= of_judge).astype(np.float64)
        closer[mine, who] = judge_wins
        p = _p_below(person_wins - judge_wins, epsilon)
        shares.append((who, mine.size, float(judge_wins.mean()), float(person_wins.mean()), p))
    adjusted = benjamini_yekutieli([one[-1] for one in shares])
    tests = tuple(AnnotatorTest(*one, float(p)) for one, p in zip(shares, adjusted, strict=True))
    compared = int(np.isfinite(closer).any(axis=1).sum())
    return AlternativeAnnotatorTest(
        tests, closer, compared, int((there.any(axis=1) & ~used).sum()), tuple(left_out)
    )


def _closeness(values: Array, others: Array, closeness: Closeness) -> Array:
    """Return numbers in the order of closeness, larger is closer, shape (2, items).

    values: of the judge and of the annotator, shape (2, items). others: shape (items, annotators), NaN = no
    value. The others of an item are the same for both, so that sums have the order of means and their roots.
    """
    apart = values[:, :, None] - others
    if closeness is Closeness.ACCURACY:
        equal: Array = (apart == 0).sum(axis=2).astype(np.float64)
        return equal
    return round_values(-np.where(np.isfinite(others), apart**2, 0.0).sum(axis=2))


def _p_below(differences: Array, epsilon: float) -> float:
    """Return the p of Student's one-sided test that the mean is below epsilon; NaN for a single item.

    Without variance it is 0 or 1, and NaN if the mean is epsilon.
    """
    from scipy.special import stdtr

    n = differences.size
    if n < 2:
        return math.nan
    away = float(differences.mean()) - epsilon
    error = float(differences.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return math.nan if away == 0 else float(away > 0)
    return float(stdtr(n - 1, away / error))
