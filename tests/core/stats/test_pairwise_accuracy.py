"""Pairwise accuracy with calibrated ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.stats.correlation import Coefficient, Level, correlate
from core.stats.pairwise_accuracy import accuracy, calibrate_ties

NAN = math.nan


def share_right(x, z, threshold: float) -> float:
    """Return the share of correctly ordered pairs, counted pair by pair."""
    pairs = list(itertools.combinations(range(len(x)), 2))
    right = 0
    for i, j in pairs:
        if abs(x[i] - x[j]) <= threshold:
            right += z[i] == z[j]
        else:
            right += (x[i] - x[j]) * (z[i] - z[j]) > 0
    return right / len(pairs)


def test_the_tie_threshold_as_worked_by_hand():
    """x 1 2 4 8, z 5 5 6 7: without a threshold 5 of 6 are right; a threshold of 1 gains the tie."""
    result = calibrate_ties(np.array([[1.0, 2, 4, 8]]), np.array([[5.0, 5, 6, 7]]))
    assert (result.values[0], result.threshold) == (1.0, 1.0)


def test_a_threshold_that_lowers_accuracy_is_not_used():
    # The tied pair is 4 apart, as far as or further than three pairs that stand right.
    result = calibrate_ties(np.array([[1.0, 2, 3, 5]]), np.array([[5.0, 6, 7, 5]]))
    assert result.threshold == 0.0
    assert result.values[0] == pytest.approx(share_right([1, 2, 3, 5], [5, 6, 7, 5], 0.0)) == 0.5


def test_topics_share_one_threshold():
    x = np.array([[1.0, 2, 4], [1.0, 2, 4]])
    z = np.array([[5.0, 5, 6], [5.0, 6, 7]])  # the first would have 1, the second 0
    result = calibrate_ties(x, z)
    assert result.threshold == 0.0
    assert result.values == pytest.approx([2 / 3, 1.0])
    got = correlate(x.T, z.T, Level.TOPIC, Coefficient.ACCURACY)
    assert (got.value, got.n, got.dropped) == (pytest.approx(5 / 6), 2, 0)
    assert math.isnan(got.p)


def test_a_constant_judgement_is_all_ties():
    assert accuracy(np.array([[1.0, 2, 9]]), np.array([[4.0, 4, 4]])) == pytest.approx([1.0])


def test_two_units_have_no_accuracy_and_missing_ones_do_not_count():
    x, z = np.array([[1.0, 2, NAN], [1, 2, 3]]), np.array([[1.0, 2, NAN], [3, 2, 1]])
    assert accuracy(x, z) == pytest.approx([NAN, 0.0], nan_ok=True)


def test_equal_differences_of_unequal_numbers_are_equal():
    x, z = np.array([[0.1, 0.2, 0.3, 0.7]]), np.array([[1.0, 1, 1, 2]])
    assert x[0, 1] - x[0, 0] != x[0, 2] - x[0, 1]
    assert calibrate_ties(x[:, :2].repeat(2, axis=1), z[:, :2].repeat(2, axis=1)).values[0] == 1.0
    assert calibrate_ties(x, z).values[0] == 1.0


sides = arrays(np.float64, (2, 6), elements=st.integers(-4, 4).map(float))


@pytest.mark.slow
@given(sides, sides)
@settings(max_examples=50, deadline=None)
def test_no_other_threshold_is_better(x, z):
    result = calibrate_ties(x, z)
    thresholds = {0.0, *(abs(a - b) for row in x for a, b in itertools.combinations(row, 2))}
    means = {t: np.mean([share_right(*row, t) for row in zip(x, z, strict=True)]) for t in thresholds}
    assert result.values.mean() == pytest.approx(max(means.values()))
    assert means[result.threshold] == pytest.approx(max(means.values()))


@pytest.mark.slow
@given(sides, sides)
@settings(max_examples=40, deadline=None)
def test_accuracy_is_in_0_to_1_and_independent_of_order(x, z):
    got = accuracy(x, z)
    assert ((got >= 0) & (got <= 1)).all()
    assert accuracy(x[:, ::-1], z[:, ::-1]) == pytest.approx(got)
