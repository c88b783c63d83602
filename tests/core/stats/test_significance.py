"""Significance tests of two measures, and adjustments for many tests."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.paired_permutation import PairedPermutation
from core.stats.resampling.significance import benjamini_hochberg, holm, permutation, smallest_p, williams
from core.stats.resampling.swap_signs import SwapSigns, draw_swaps
from core.stats.types import OF_ROWS, Alternative, WilliamsDf

NAN = math.nan


def test_williams_gives_the_published_example_with_either_degrees_of_freedom():
    """Graham's README prints .209243482964009, by n - 2; the second value has n - 3."""
    old = williams(0.65, 0.55, 0.3, 50, Alternative.GREATER, WilliamsDf.N_MINUS_2)
    assert float(old) == pytest.approx(0.209243482964009, abs=1e-14)
    assert float(williams(0.65, 0.55, 0.3, 50, Alternative.GREATER)) == pytest.approx(0.20928617, abs=1e-8)


def test_two_sided_p_is_twice_the_smaller_one_sided_p():
    two, greater, less = (float(williams(0.65, 0.55, 0.3, 50, sides)) for sides in Alternative)
    assert two == pytest.approx(2 * greater)
    assert greater + less == pytest.approx(1)


def test_magnitudes_treat_negative_correlations_as_positive():
    assert williams(-0.65, 0.55, -0.3, 50, magnitudes=True) == williams(0.65, 0.55, 0.3, 50)
    assert williams(-0.65, 0.55, -0.3, 50) < 1e-6


def test_a_measure_does_not_differ_from_itself_and_three_pairs_are_undefined():
    assert float(williams(0.4, 0.4, 1.0, 20)) == 1.0
    assert np.isnan(williams([0.5, NAN], 0.4, 0.2, [3, 20])).all()


def every_sign(systems: int, topics: int, over: ResampleUnit) -> SwapSigns:
    rows = itertools.product((1.0, -1.0), repeat=systems if over is not ResampleUnit.TOPICS else 0)
    columns = list(itertools.product((1.0, -1.0), repeat=topics if over is not ResampleUnit.SYSTEMS else 0))
    both = [(a or (1.0,) * systems, b or (1.0,) * topics) for a in rows for b in columns]
    return SwapSigns(np.array([a for a, _ in both]), np.array([b for _, b in both]))


def unswapped(shape: tuple[int, int]) -> SwapSigns:
    return SwapSigns(np.ones((1, shape[0])), np.ones((1, shape[1])))


def written_out(x, y, z, signs: SwapSigns, level, coefficient) -> np.ndarray:
    """Standardize, swap cell by cell and correlate, permutation by permutation."""
    x, y = ((side - side.mean()) / side.std() for side in (x, y))
    results = []
    for system_signs, topic_signs in zip(signs.systems, signs.topics, strict=True):
        is_swapped = system_signs[:, None] * topic_signs[None, :] < 0
        first, second = np.where(is_swapped, y, x), np.where(is_swapped, x, y)
        results.append(
            correlate(first, z, level, coefficient).value - correlate(second, z, level, coefficient).value
        )
    return np.array(results)


@pytest.mark.slow
@pytest.mark.parametrize("over", list(ResampleUnit))
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("coefficient", list(OF_ROWS))
def test_every_permutation_equals_an_explicit_one(over, level, coefficient):
    random = np.random.default_rng(8)
    x, y = random.random((2, 4, 3))
    z = random.integers(1, 5, (4, 3)).astype(float)
    signs = every_sign(4, 3, over)
    actual = PairedPermutation.of(x, y, z, level, coefficient).differences(signs)
    assert actual == pytest.approx(written_out(x, y, z, signs, level, coefficient), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("second", [0.25, 0.75, None])
def test_permutations_of_constant_topics_equal_explicit_ones(level, second):
    random = np.random.default_rng(9)
    x, y, z = random.random((3, 4, 3))
    z[:, 0] = 3.0
    x[:, 1] = 0.25
    if second is not None:
        y[:, 1] = second
    signs = every_sign(4, 3, ResampleUnit.BOTH)
    actual = PairedPermutation.of(x, y, z, level, Coefficient.PEARSON).differences(signs)
    expected = written_out(x, y, z, signs, level, Coefficient.PEARSON)
    assert np.isfinite(expected).all()
    assert actual == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", [Level.SYSTEM, Level.GLOBAL])
def test_a_permutation_whose_variance_loses_its_digits_equals_an_explicit_one(level):
    random = np.random.default_rng(7)
    same, z = random.random((2, 4, 3))
    x, y = 0.5 + 1e-7 * same, 0.5 - 1e-7 * same
    x[0], y[0] = y[0].copy(), x[0].copy()
    signs = every_sign(4, 3, ResampleUnit.SYSTEMS)
    swapped = PairedPermutation.of(x, y, z, level, Coefficient.PEARSON)
    expected = written_out(x, y, z, signs, level, Coefficient.PEARSON)
    assert swapped.differences(signs) == pytest.approx(expected, abs=swapped.precision)
    flat = PairedPermutation.of(
        np.stack([x[0]] * 4), np.stack([y[0]] * 4), z, Level.SYSTEM, Coefficient.PEARSON
    )
    whole = unswapped(z.shape)
    assert np.isinf(flat.sums.differences(whole)).all(), "which would be correlations of rounding errors"
    assert np.isnan(flat.differences(whole)).all()


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0)])
@pytest.mark.parametrize("coefficient", [Coefficient.PEARSON, Coefficient.SPEARMAN])
def test_permutation_without_summaries_is_undefined(shape, coefficient):
    for level in Level:
        args = (np.zeros((3, *shape)), np.zeros(shape), level, coefficient, ResampleUnit.BOTH)
        assert np.isnan(run_to_completion(permutation(*args, draws=20))).tolist() == [True] * 3


def test_drawn_permutations_approximate_the_exact_p():
    random = np.random.default_rng(1)
    z = random.random((6, 5))
    x = np.stack([z + random.normal(0, 0.2, z.shape), z + random.normal(0, 0.6, z.shape)])
    swapped = PairedPermutation.of(*x, z, Level.GLOBAL, Coefficient.PEARSON)
    every = swapped.differences(every_sign(6, 5, ResampleUnit.BOTH))
    observed = swapped.differences(unswapped(z.shape))
    exact = (np.abs(every) >= abs(observed[0]) - 1e-10).mean()
    args = (x, z, Level.GLOBAL, Coefficient.PEARSON, ResampleUnit.BOTH)
    drawn = run_to_completion(permutation(*args, draws=4000, corrected=False))[0]
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4000))
    assert 0 < exact < 0.2


@pytest.mark.parametrize(
    ("sides", "turned"),
    [(Alternative.TWO, np.abs), (Alternative.GREATER, np.positive), (Alternative.LESS, np.negative)],
)
def test_the_sample_counts_among_its_permutations_only_with_the_correction(sides, turned):
    random = np.random.default_rng(4)
    z = random.random((6, 5))
    x = np.stack([z + random.normal(0, 0.4, z.shape), z + random.normal(0, 0.6, z.shape)])
    how = (Level.GLOBAL, Coefficient.PEARSON)
    swapped = PairedPermutation.of(*x, z, *how)
    observed = swapped.differences(unswapped(z.shape))
    permuted = swapped.differences(draw_swaps(6, 5, ResampleUnit.BOTH, 200, 3))
    extreme = (turned(permuted) >= turned(observed)).sum()
    corrected, plain = (
        run_to_completion(permutation(x, z, *how, ResampleUnit.BOTH, None, 200, 3, sides, corrected=flag))[0]
        for flag in (True, False)
    )
    assert corrected == pytest.approx((extreme + 1) / 201)
    assert plain == pytest.approx(extreme / 200)


def test_p_is_undefined_for_a_constant_judgement():
    x = np.random.default_rng(4).random((2, 6, 5))
    args = (x, np.ones((6, 5)), Level.GLOBAL, Coefficient.PEARSON, ResampleUnit.BOTH)
    assert np.isnan(run_to_completion(permutation(*args, draws=50))).all()


def test_equal_measures_have_p_1_and_the_better_one_is_significant_on_its_side():
    random = np.random.default_rng(2)
    z = random.random((8, 6))
    x = np.stack([z, z + random.normal(0, 1, z.shape), z])
    for level in Level:
        args = (x, z, level, Coefficient.KENDALL, ResampleUnit.SYSTEMS, [(0, 2), (0, 1)], 200, 0)
        same, greater = run_to_completion(permutation(*args, Alternative.GREATER))
        assert same == 1.0
        assert greater < 0.2 < run_to_completion(permutation(*args, Alternative.LESS))[1]


def test_scores_missing_in_one_measure_count_for_neither():
    random = np.random.default_rng(4)
    x, z = random.random((2, 6, 4)), random.random((6, 4))
    x[1, :, 3] = NAN
    signs = draw_swaps(6, 4, ResampleUnit.SYSTEMS, 20, seed=0)
    fewer = SwapSigns(signs.systems, np.ones((1, 3)))
    args = (Level.GLOBAL, Coefficient.PEARSON)
    incomplete = PairedPermutation.of(*x, z, *args).differences(signs)
    complete = PairedPermutation.of(*x[:, :, :3], z[:, :3], *args).differences(fewer)
    assert incomplete == pytest.approx(complete)


def test_adjustments_as_worked_by_hand():
    p = [0.01, 0.04, NAN, 0.03]
    # holm: 3·.01, 2·.03, max(.06, .04); b. & h.: 3·.01, then .04 for both as .03·3/2 is more
    assert holm(p) == pytest.approx([0.03, 0.06, NAN, 0.06], nan_ok=True)
    assert benjamini_hochberg(p) == pytest.approx([0.03, 0.04, NAN, 0.04], nan_ok=True)
    assert holm([]).size == benjamini_hochberg([]).size == 0


some_p = arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1))


@given(some_p)
@settings(max_examples=60, deadline=None)
def test_benjamini_hochberg_equals_scipy(p):
    assert benjamini_hochberg(p) == pytest.approx(scipy_stats.false_discovery_control(p))


@pytest.mark.slow
@given(some_p)
@settings(max_examples=60, deadline=None)
def test_adjusting_keeps_the_order_and_lowers_no_p(p):
    for adjusted in (holm(p), benjamini_hochberg(p)):
        assert (adjusted >= p - 1e-12).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-12).all()
    assert (holm(p) >= benjamini_hochberg(p) - 1e-12).all()


def test_pairs_that_clearly_do_not_differ_need_no_more_permutations():
    """If p of the first thousand draws is .1 or more, it is the result; otherwise all draws are used."""
    random = np.random.default_rng(6)
    z = random.random((10, 4))
    x = np.stack([z + random.normal(0, s, z.shape) for s in (0.3, 0.31, 3.0)])
    args = (x, z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.BOTH, [(0, 1), (0, 2)])
    few, all_draws = (
        run_to_completion(permutation(*args, 1_000)),
        run_to_completion(permutation(*args, 4_000)),
    )
    assert few[0] >= 0.1
    assert all_draws[0] == few[0]
    assert few[1] < 0.1
    assert all_draws[1] < 0.1
    assert (all_draws[1] * 4_001) == pytest.approx(round(all_draws[1] * 4_001))


def test_the_smallest_p_of_thousands_of_topics_is_that_of_the_draws():
    """Few units limit p, swapping all counts too: 2 of 2^9. So many that 2^-units is no number do not."""
    assert smallest_p(5, 5, ResampleUnit.BOTH, 10_000) == 2 / 2**9
    for topics in (1_000, 5_000):
        assert smallest_p(100, topics, ResampleUnit.BOTH, 10_000) == 1 / 10_001
