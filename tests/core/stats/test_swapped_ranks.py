"""Rank coefficients within topics under swaps: equal to counting the pairs of each permutation."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.stats import within_topic_tau
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling import swapped_ranks
from core.stats.resampling.paired_permutation import PairedPermutation
from core.stats.resampling.swap_signs import draw_swaps
from core.stats.resampling.swapped_ranks import SwappedRanks
from core.stats.types import Coefficient, Level
from core.stats.weighted.weighted_rank_coefficients import SortedRows
from tests.conftest import examples

NAN = math.nan
RANKED = [Coefficient.KENDALL, Coefficient.SPEARMAN, Coefficient.STUART_TAU_C, Coefficient.GAMMA]
cells = st.one_of(st.just(NAN), st.integers(-2, 2).map(float), st.floats(-1, 1, width=32))


def swapped_by_hand(x, y, system_signs, topic: int, measure: int) -> np.ndarray:
    """Return the scores of a measure in a topic, of which those with a negative sign are the other's."""
    own, other = ((x, y), (y, x))[measure]
    return np.where(system_signs > 0, own[:, topic], other[:, topic])


def by_counting(x: np.ndarray, z: np.ndarray, coefficient: Coefficient) -> float:
    """Compare every pair of systems in whole numbers, and divide once."""
    both = [(a, b) for a, b in zip(x.tolist(), z.tolist(), strict=True) if a == a and b == b]
    n = len(both)
    balance = untied = x_untied = z_untied = 0
    for i, (a, b) in enumerate(both):
        for c, d in both[:i]:
            sign = ((a > c) - (a < c)) * ((b > d) - (b < d))
            balance, untied = balance + sign, untied + abs(sign)
            x_untied, z_untied = x_untied + (a != c), z_untied + (b != d)
    distinct = min(len({a for a, _ in both}), len({b for _, b in both}))
    if n < 3 or x_untied == 0 or z_untied == 0:
        return NAN
    if coefficient is Coefficient.KENDALL:
        return min(1.0, max(-1.0, balance / (math.sqrt(x_untied) * math.sqrt(z_untied))))
    if coefficient is Coefficient.GAMMA:
        return balance / untied if untied else NAN
    if coefficient is Coefficient.STUART_TAU_C:
        return min(1.0, max(-1.0, 2 * balance * distinct / (n**2 * (distinct - 1))))
    ranks = [
        [sum(value > side[i] for value in side) - sum(value < side[i] for value in side) for i in range(n)]
        for side in zip(*both, strict=True)
    ]
    product = sum(a * b for a, b in zip(*ranks, strict=True))
    x_spread, z_spread = (3 * sum(a * a for a in side) for side in ranks)
    return min(1.0, max(-1.0, 3 * product / (math.sqrt(x_spread) * math.sqrt(z_spread))))


@pytest.mark.parametrize("pairs_at_once", [1, 7, within_topic_tau.PAIRS_AT_ONCE])
@pytest.mark.parametrize("coefficient", RANKED)
@given(
    arrays(np.float64, (2, 6, 4), elements=cells),
    arrays(np.float64, (6, 4), elements=cells),
    st.integers(0, 99),
)
@settings(max_examples=examples(25), deadline=None)
def test_it_equals_counting_the_pairs_of_each_permutation(pairs_at_once, coefficient, x, z, seed):
    """To the last digit, with ties on all sides and across measures, missing cells and constant scores."""
    z = np.where(np.isfinite(x).all(axis=0), z, NAN)
    x, y = np.where(np.isfinite(z), x, NAN)
    systems = draw_swaps(6, 4, ResampleUnit.SYSTEMS, 8, seed).systems
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(within_topic_tau, "PAIRS_AT_ONCE", pairs_at_once)
        values = SwappedRanks.of(x, y, z, coefficient).coefficients(systems, slice(None))
    expected = [
        [
            [by_counting(swapped_by_hand(x, y, row, t, side), z[:, t], coefficient) for t in range(4)]
            for side in range(2)
        ]
        for row in systems
    ]
    np.testing.assert_array_equal(values, expected, strict=True)


@pytest.mark.parametrize("over", list(ResampleUnit))
@pytest.mark.parametrize("coefficient", RANKED)
@given(
    arrays(np.float64, (2, 5, 7), elements=cells),
    arrays(np.float64, (5, 7), elements=cells),
    st.integers(0, 99),
    st.sampled_from([1, 3, 7]),
)
@settings(max_examples=examples(15), deadline=None)
def test_differences_equal_those_of_swapped_values(over, coefficient, x, z, seed, topics):
    """In any division of the topics."""
    x, z, draws = x[:, :, :topics], z[:, :topics], 20
    signs = draw_swaps(5, topics, over, draws, seed)
    whole = PairedPermutation.of(*x, z, Level.TOPIC, coefficient)
    by_values = dataclasses.replace(whole, sums=None).differences(signs)
    for numbers in (swapped_ranks._NUMBERS, 10**5):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(swapped_ranks, "_NUMBERS", numbers)
            np.testing.assert_allclose(whole.differences(signs), by_values, rtol=0, atol=1e-14)


def test_more_than_single_precision_counts_is_exact():
    """Spearman's sums over 700 systems are 4 · 700³ / 3, more than 2^28."""
    random = np.random.default_rng(3)
    z = random.random((700, 1))
    x, y = z + random.normal(0, 0.01, (2, 700, 1))
    signs = draw_swaps(700, 1, ResampleUnit.SYSTEMS, 5, 0)
    values = SwappedRanks.of(x, y, z, Coefficient.SPEARMAN).coefficients(signs.systems, slice(None))
    rows = np.array([[swapped_by_hand(x, y, row, 0, side) for side in range(2)] for row in signs.systems])
    expected = SortedRows.of(rows, z.T[None]).coefficients(
        np.ones((1, 700)), Coefficient.SPEARMAN, np.zeros(2)
    )
    np.testing.assert_array_equal(values[:, :, 0], expected, strict=True)
