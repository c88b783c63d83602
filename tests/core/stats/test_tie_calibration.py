"""Tie calibration of many measures, compared with the plain algorithm that checks every pair."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.stats.pairwise_accuracy import accuracies, calibrate_ties
from core.stats.precision import GRAIN
from core.stats.tie_calibration import calibrate_thresholds
from tests.conftest import examples

PLACES = st.sampled_from([(few, bits) for few in (0, 3, 25_000) for bits in (1, 2, 10)])
"""Numbers of pairs that are searched one by one, and of buckets."""


def whole_numbers(most):
    """Return integers for 2 measures, 3 groups and 7 units."""
    return arrays(np.int64, (2, 3, 7), elements=st.integers(-most, most))


def test_the_tie_threshold_as_worked_by_hand():
    """x 1 2 4 8, z 5 5 6 7: without a threshold 5 of 6 pairs are right; a threshold of 1 gains the tie."""
    thresholds, right = calibrate_thresholds(np.array([[[1, 2, 4, 8]]]), np.array([[5.0, 5, 6, 7]]), finer=0)
    assert (thresholds.tolist(), right.tolist()) == ([1], [[6]])


def test_the_smallest_of_equally_good_thresholds_is_used():
    # The tie 1 apart wins one; the pairs 8 and 9 apart are alike; the tie 20 apart would win one back.
    thresholds, _ = calibrate_thresholds(np.array([[[0, 1, 9, 21]]]), np.array([[5.0, 5, 6, 5]]), finer=0)
    wins = {t: sum(_worth([0, 1, 9, 21], [5, 5, 6, 5], t)) for t in range(22)}
    assert thresholds[0] == min(t for t, won in wins.items() if won == max(wins.values())) == 1


def _worth(x, z, t):
    for i, j in itertools.combinations(range(len(x)), 2):
        if abs(x[i] - x[j]) <= t:
            yield (z[i] == z[j]) - ((x[i] - x[j]) * (z[i] - z[j]) > 0)


@pytest.mark.slow
@given(
    st.one_of(whole_numbers(3), whole_numbers(1000), whole_numbers(2**40 - 1)),
    arrays(np.float64, (3, 7), elements=st.integers(0, 3).map(float)),
    PLACES,
)
@settings(max_examples=examples(60), deadline=None)
def test_calibration_equals_a_search_over_all_pairs(units, z, places):
    few, bits = places
    thresholds, right = calibrate_thresholds(units, z, few=few, bits=bits, finer=0)
    for side, threshold, of_groups in zip(units, thresholds, right, strict=True):
        plain = calibrate_ties(side * GRAIN, z)
        assert threshold * GRAIN == pytest.approx(plain.threshold, abs=0)
        assert (of_groups / 21 == plain.values).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 5, 40]), st.sampled_from([1, 4]))
@settings(max_examples=examples(12), deadline=None)
def test_large_matrices_with_missing_values_have_the_exact_accuracy(seed, levels, groups):
    random = np.random.default_rng(seed)
    x = random.normal(size=(3, groups, 60)).round(random.integers(1, 9))
    z = random.integers(0, levels, (groups, 60)) / 3
    gone = random.permuted(np.tile(np.arange(60) < 5, (groups, 1)), axis=1)
    z[gone] = math.nan
    x[:, gone] = math.nan
    whole = np.where(gone, 0, np.rint(x * 2.0**46)).astype(np.int64)
    thresholds, right = calibrate_thresholds(whole, z)
    for side, threshold, of_groups in zip(x, thresholds, right, strict=True):
        plain = calibrate_ties(side / 16, z)
        assert (threshold * GRAIN, (of_groups / (55 * 54 / 2)).tolist()) == (
            plain.threshold,
            plain.values.tolist(),
        )


@pytest.mark.parametrize("missing", [0, 1, 7])
def test_compiled_accuracies_of_many_measures_are_equal(monkeypatch, missing):
    random = np.random.default_rng(missing)
    x, z = random.normal(size=(4, 3, 12)).round(2), random.integers(0, 4, (3, 12)).astype(float)
    z[1, :missing] = x[:, 1, :missing] = math.nan  # 1: groups of unlike size; 7: still three are left
    plain = accuracies(x, z)
    monkeypatch.setattr("core.stats.pairwise_accuracy.MAX_PLAIN_PAIRS", 0)
    actual = accuracies(x, z)
    assert actual.values.tolist() == plain.values.tolist()
    assert actual.thresholds.tolist() == plain.thresholds.tolist()
    assert plain.values.tolist() == [calibrate_ties(side, z).values.tolist() for side in x]


def test_a_group_of_two_has_no_accuracy_and_does_not_count(monkeypatch):
    monkeypatch.setattr("core.stats.pairwise_accuracy.MAX_PLAIN_PAIRS", 0)
    x = np.array([[[1.0, 2, math.nan, math.nan], [1, 2, 4, 8]]])
    z = np.array([[1.0, 2, math.nan, math.nan], [5, 5, 6, 7]])
    assert accuracies(x, z).values[0] == pytest.approx([math.nan, 1.0], nan_ok=True)
