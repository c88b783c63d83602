"""The rule that decides whether two computed numbers are equal: cases worked by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from core.comparison.inference import CorrelationInputs, differences
from core.comparison.options import DifferenceTest, InferenceOptions
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate, correlate_many
from core.stats.precision import normalize, round_to_grain, round_values, weighted_sums
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.significance import permutation, williams
from core.stats.row_coefficients import descending_ranks


def test_sums_of_the_same_numbers_in_every_order_are_equal():
    numbers = [0.1, 0.7, 1e-9, 1 / 3, 0.30000000000000004]
    every = [np.array([order]) for order in itertools.permutations(numbers)]
    assert len({float(weighted_sums(np.ones((1, 5)), x)[0, 0]) for x in every}) == 1
    assert len({sum(order) for order in itertools.permutations(numbers)}) > 1


def test_equal_means_of_thirds_are_equal_since_only_means_are_rounded():
    x = np.array([[1 / 3, 2 / 3, 1.0], [2 / 3, 2 / 3, 2 / 3], [0.0, 1.0, 1.0], [0.2, 0.4, 0.6]])
    means = weighted_sums(np.ones((1, 3)), normalize(x))[0] / 3
    assert len(set(round_to_grain(means)[:3].tolist())) == 1


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300, -7.0, 5e-324])
def test_values_are_rounded_in_their_own_scale(scale):
    rounded = round_values(np.array([1.2, (1.1 + 1.3) / 2, math.nan, 1.2 + 1e-9]) * scale)
    assert rounded[0] == rounded[1]
    assert math.isnan(rounded[2])
    assert abs(scale) < 1e-320 or rounded[3] != rounded[0]


def test_a_value_is_equal_to_those_of_its_whole_measure_not_of_its_part():
    """Means that are 0 but for rounding errors are equal, whatever their own size."""
    assert descending_ranks(np.array([1e-17, -3e-17, 0.0]), np.array([1.0, -1.0])).tolist() == [2, 2, 2]
    assert descending_ranks(np.array([1e-17, -3e-17, 0.0])).tolist() == [1, 3, 2]


@pytest.mark.parametrize(
    ("coefficient", "expected"),
    [("kendall", 0.5477), ("spearman", 0.6325), ("kendall-c", 0.5625), ("gamma", 0.6)],
)
def test_means_of_annotators_tie_at_every_level(coefficient, expected):
    """Ratings 1.1 and 1.3 have the mean of 1.2 and 1.2."""
    z = np.array([[(1.1 + 1.3) / 2], [1.2], [4.0], [1.0]])
    x = np.array([[0.1], [0.4], [0.5], [0.2]])
    values = [correlate(x, z, level, Coefficient(coefficient)) for level in Level]
    assert [one.value for one in values] == pytest.approx([expected] * 3, abs=5e-5)
    assert values[0].p == values[2].p or coefficient == "spearman"


RATINGS = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
SCORES = np.array([[0.21], [0.20], [0.33], [0.30], [0.41]])


@pytest.mark.parametrize(
    "copy",
    [
        lambda m: 100 * m, lambda m: 10 * m, lambda m: 3 * m + 1, lambda m: (m - 0.3) / 0.7,
        lambda m: 1000 * m + 7, lambda m: 2 * m, lambda m: 1e6 + m, lambda m: 1e300 * m, lambda m: 1e-300 * m,
    ],
)  # fmt: skip
@pytest.mark.parametrize("test", list(DifferenceTest))
def test_a_rising_linear_copy_does_not_differ(copy, test):
    sample = CorrelationInputs(np.stack([SCORES, copy(SCORES)]), RATINGS, Level.SYSTEM, Coefficient.PEARSON)
    options = InferenceOptions(test=test, draws=50)
    assert run_to_completion(differences(sample, [(0, 1)], options)).tolist() == [1.0]


@pytest.mark.parametrize("level", list(Level))
def test_a_copy_with_a_large_offset_does_not_differ_in_any_permutation(level):
    """Its last digits are lost, so that both are compared at the coarser one's precision."""
    random = np.random.default_rng(3)
    x, z = random.random((6, 5)), random.integers(1, 6, (6, 5)) / 3
    for coefficient in (Coefficient.PEARSON, Coefficient.KENDALL, Coefficient.ACCURACY):
        both = np.stack((x, 1e6 + x))
        p = run_to_completion(permutation(both, z, level, coefficient, ResampleUnit.BOTH, draws=100))
        assert p.tolist() == [1.0]


def test_williams_test_is_undefined_for_a_mirrored_measure_unless_magnitudes_are_compared():
    mirrored = CorrelationInputs(np.stack([SCORES, 1 - SCORES]), RATINGS, Level.SYSTEM, Coefficient.PEARSON)
    for magnitudes, expected in ((False, math.nan), (True, 1.0)):
        options = InferenceOptions(test=DifferenceTest.WILLIAMS, magnitudes=magnitudes)
        p = run_to_completion(differences(mirrored, [(0, 1)], options))
        assert p == pytest.approx([expected], nan_ok=True)


def test_williams_test_of_nearly_equal_measures_is_not_certain():
    """Copies that differ in the ninth digit: the determinant is lost in rounding errors, as is its p of 0."""
    assert williams(0.9, 0.9 + 1e-9, 1.0, 20) == 1.0
    assert williams(0.9, 0.8, 1 - 1e-9, 20) < 1e-6


@pytest.mark.parametrize(
    "constant",
    [np.full((6, 6), 0.5), 1e6 + 1e-9 * np.arange(36.0).reshape(6, 6), np.full((6, 6), 0.1) * (1 + 2e-16)],
)
@pytest.mark.parametrize("level", list(Level))
def test_a_constant_measure_has_no_correlation_and_no_test(constant, level):
    random = np.random.default_rng(0)
    z = random.integers(1, 6, (6, 6)).astype(float)
    x = np.stack([constant, random.random((6, 6))])
    for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL):
        assert math.isnan(correlate_many(x, z, level, coefficient)[0].value)
        p = run_to_completion(permutation(x, z, level, coefficient, ResampleUnit.BOTH, draws=50))
        assert math.isnan(p[0])


def test_equal_coefficients_of_topics_have_no_t_test():
    x = np.array([[1.0, 0.1, 3], [2, 0.2, 9], [3, 0.3, 27.1], [4, 0.4, 81.3]])
    one = correlate(x, x * 3 + 0.1, Level.TOPIC, Coefficient.PEARSON)
    assert (one.value, one.n) == (pytest.approx(1.0), 3)
    assert math.isnan(one.p)
