"""Correlations: worked by hand, equal to scipy's, and edge cases."""

from __future__ import annotations

import math
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from core.errors import InputError
from core.stats.correlation import (
    Coefficient,
    Level,
    UndefinedPolicy,
    correlate,
    correlate_many,
    topic_coefficients,
)
from core.stats.row_coefficients import average_ranks, inversions
from core.stats.types import OF_ROWS
from tests.conftest import examples

NAN = math.nan
SCIPY = {
    Coefficient.PEARSON: scipy_stats.pearsonr,
    Coefficient.SPEARMAN: scipy_stats.spearmanr,
    Coefficient.KENDALL: scipy_stats.kendalltau,
    Coefficient.STUART_TAU_C: partial(scipy_stats.kendalltau, variant="c"),
}
SIGNED = [coefficient for coefficient in OF_ROWS if coefficient is not Coefficient.ACCURACY]
every_coefficient = pytest.mark.parametrize("coefficient", list(OF_ROWS))
every_signed = pytest.mark.parametrize("coefficient", SIGNED)
scipys = pytest.mark.parametrize("coefficient", list(SCIPY))


def column(*values: float) -> np.ndarray:
    """Return a matrix of one topic."""
    return np.array(values, dtype=float)[:, None]


def test_ties_are_counted_as_worked_by_hand():
    """x 1 2 2 3, z 1 3 2 2: of 6 pairs 3 agree, 1 disagrees, 1 is tied in x alone, 1 in z alone."""
    x, z = column(1, 2, 2, 3), column(1, 3, 2, 2)
    assert correlate(x, z, Level.GLOBAL, Coefficient.KENDALL).value == pytest.approx((3 - 1) / 5)
    assert correlate(x, z, Level.GLOBAL, Coefficient.GAMMA).value == pytest.approx((3 - 1) / (3 + 1))
    # three distinct values on either side: 2 · 2 · 3 / (4² · 2)
    assert correlate(x, z, Level.GLOBAL, Coefficient.STUART_TAU_C).value == pytest.approx(12 / 32)
    # ranks 1 2.5 2.5 4 and 1 4 2.5 2.5: deviations -1.5 0 0 1.5 and -1.5 1.5 0 0
    assert correlate(x, z, Level.GLOBAL, Coefficient.SPEARMAN).value == pytest.approx(2.25 / 4.5)
    # deviations -1 0 0 1 and -1 1 0 0
    assert correlate(x, z, Level.GLOBAL, Coefficient.PEARSON).value == pytest.approx(1 / 2)


def test_three_ordered_systems_have_the_exact_p_of_six_permutations():
    perfect = correlate(column(1, 2, 3), column(2, 5, 9), Level.SYSTEM, Coefficient.KENDALL)
    assert (perfect.value, perfect.p) == (1.0, pytest.approx(2 / 6))


def test_the_system_level_uses_means_over_shared_topics():
    x = np.array([[1, 3, NAN], [2, 2, 9], [6, NAN, 0]])
    z = np.array([[1, 1, 7], [NAN, 2, 4], [3, 3, 3]])
    # shared cells: means 2, 5.5, 3 against 1, 3, 3
    got = correlate(x, z, Level.SYSTEM, Coefficient.PEARSON)
    assert got.value == pytest.approx(scipy_stats.pearsonr([2, 5.5, 3], [1, 3, 3]).statistic)
    assert (got.n, got.dropped) == (3, 0)


def test_a_system_without_a_shared_cell_is_dropped_and_one_never_judged_is_not():
    x = np.array([[1.0, 2], [2, 3], [4, 4], [NAN, 5], [7, 8]])
    z = np.array([[1.0, NAN], [2, NAN], [4, NAN], [3, NAN], [NAN, NAN]])
    got = correlate(x, z, Level.SYSTEM, Coefficient.PEARSON)
    assert (got.value, got.n, got.dropped) == (pytest.approx(1.0), 3, 1)


def test_the_topic_level_is_the_mean_over_topics_and_counts_those_it_drops():
    x = np.array([[1.0, 3, 1, 1, 5], [2, 2, 1, 2, 5], [3, 1, 1, NAN, 5]])
    z = np.array([[1.0, 1, 1, 1, NAN], [2, 2, 2, 2, NAN], [3, 3, 3, 3, NAN]])
    got = correlate(x, z, Level.TOPIC, Coefficient.PEARSON)
    # topics: 1, -1, a constant side, two systems only, never judged
    assert (got.value, got.n, got.dropped) == (pytest.approx(0), 2, 2)
    zeros = correlate(x[:, [0, 2]], z[:, [0, 2]], Level.TOPIC, Coefficient.PEARSON, UndefinedPolicy.ZERO)
    assert (zeros.value, zeros.n, zeros.dropped) == (0.5, 2, 1)


def test_the_topic_levels_p_is_a_t_test_over_the_topics():
    random = np.random.default_rng(3)
    x, z = random.random((6, 12)), random.random((6, 12))
    got = correlate(x, z, Level.TOPIC, Coefficient.SPEARMAN)
    each = topic_coefficients(x, z, Coefficient.SPEARMAN)
    assert each == pytest.approx([scipy_stats.spearmanr(x[:, t], z[:, t]).statistic for t in range(12)])
    assert got.p == pytest.approx(scipy_stats.ttest_1samp(each, 0).pvalue)


def test_the_global_level_pools_pairs_and_drops_judged_summaries_without_a_score():
    x = np.array([[1.0, 2], [NAN, 4], [5, 7]])
    z = np.array([[1.0, 3], [2, 4], [6, NAN]])
    got = correlate(x, z, Level.GLOBAL, Coefficient.PEARSON)
    expected = scipy_stats.pearsonr([1, 2, 4, 5], [1, 3, 4, 6])
    assert (got.value, got.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))
    assert (got.n, got.dropped) == (4, 1)


def test_equal_means_tie_for_any_summation_order():
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.9, 0.9, 0.9]])
    assert x[0].sum() != x[1].sum()
    z = np.array([[1.0, 1, 1], [2, 2, 2], [3, 3, 3]])
    got = correlate(x, z, Level.SYSTEM, Coefficient.KENDALL)
    assert got.value == pytest.approx(2 / math.sqrt(2 * 3))


def test_the_three_taus_share_the_p_of_concordant_against_discordant_pairs():
    random = np.random.default_rng(5)
    x, z = random.integers(0, 4, (2, 20, 1)).astype(float)
    ps = [correlate(x, z, Level.GLOBAL, c).p for c in (Coefficient.KENDALL, *SIGNED[-2:])]
    assert ps[0] == ps[1] == ps[2] == pytest.approx(scipy_stats.kendalltau(x[:, 0], z[:, 0]).pvalue)


@every_signed
@pytest.mark.parametrize("level", [Level.SYSTEM, Level.GLOBAL])
def test_a_constant_side_is_undefined_zero_or_an_error_by_policy(coefficient, level):
    x, z = np.full((4, 2), 0.1), np.arange(8.0).reshape(4, 2)
    skipped = correlate(x, z, level, coefficient)
    assert math.isnan(skipped.value)
    assert math.isnan(skipped.p)
    assert correlate(x, z, level, coefficient, UndefinedPolicy.ZERO).value == 0.0
    with pytest.raises(InputError, match="constant"):
        correlate(x, z, level, coefficient, UndefinedPolicy.ERROR)
    with pytest.raises(InputError, match="2 of 2 topics"):
        correlate(x, z, Level.TOPIC, coefficient, UndefinedPolicy.ERROR)


@every_coefficient
@pytest.mark.parametrize("level", list(Level))
def test_an_empty_judgement_gives_no_correlation(coefficient, level):
    got = correlate(np.ones((3, 2)), np.full((3, 2), NAN), level, coefficient)
    assert math.isnan(got.value)
    assert (got.n, got.dropped) == (0, 0)


@every_coefficient
def test_two_systems_have_no_correlation(coefficient):
    assert math.isnan(correlate(column(1, 2), column(1, 2), Level.SYSTEM, coefficient).value)


@pytest.mark.parametrize("n", [3, 4, 9, 33, 34, 60, 200])
@scipys
def test_values_and_ps_equal_scipys_with_and_without_ties(coefficient, n):
    random = np.random.default_rng(n)
    smooth, coarse = random.random((2, n)), random.integers(0, 6, (2, n)).astype(float)
    almost = np.arange(n, dtype=float)[[1, 0, *range(2, n)]]
    for x, z in [smooth, coarse, (smooth[0], coarse[0]), (almost, np.arange(n)), (almost, -np.arange(n))]:
        if np.ptp(x) == 0 or np.ptp(z) == 0:
            continue
        got = correlate(column(*x), column(*z), Level.GLOBAL, coefficient)
        expected = SCIPY[coefficient](x, z)
        assert got.value == pytest.approx(expected.statistic, abs=1e-12)
        assert got.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-12)


cells = st.one_of(st.just(NAN), st.integers(-3, 3).map(float), st.integers(-500, 500).map(lambda i: i / 7))
matrices = arrays(np.float64, (5, 4), elements=cells)


@pytest.mark.slow
@given(matrices, matrices, st.sampled_from(list(SCIPY)))
@settings(max_examples=examples(60), deadline=None)
def test_random_matrices_with_missing_values_agree_with_scipy(x, z, coefficient):
    there = np.isfinite(x) & np.isfinite(z)
    got = correlate(x, z, Level.GLOBAL, coefficient)
    a, b = x[there], z[there]
    if a.size < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        assert math.isnan(got.value)
    else:
        expected = SCIPY[coefficient](a, b)
        assert got.value == pytest.approx(expected.statistic, abs=1e-9)
        assert got.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-9)


@pytest.mark.slow
@given(matrices, matrices, st.sampled_from(SIGNED), st.sampled_from(list(Level)))
@settings(max_examples=examples(60), deadline=None)
def test_a_correlation_is_in_its_range_and_changes_sign_with_its_input(x, z, coefficient, level):
    got, turned = correlate(x, z, level, coefficient), correlate(-x, z, level, coefficient)
    assert got.n == turned.n
    if math.isfinite(got.value):
        assert -1 <= got.value <= 1
        assert turned.value == pytest.approx(-got.value, abs=1e-9)
        assert math.isnan(got.p) or 0 <= got.p <= 1


@pytest.mark.slow
@given(arrays(np.float64, (3, 5, 4), elements=cells), matrices, st.sampled_from(list(Level)))
@settings(max_examples=examples(20), deadline=None)
def test_stacked_measures_equal_each_separately(x, z, level):
    for coefficient in OF_ROWS:
        together = correlate_many(x, z, level, coefficient)
        alone = [correlate(measure, z, level, coefficient) for measure in x]
        assert repr(together) == repr(alone)


@given(st.lists(st.integers(0, 1000), max_size=40))
def test_inversions_equal_a_pairwise_count(values):
    counted = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
    assert inversions(np.array([values], dtype=np.int64)).tolist() == [counted]


@pytest.mark.slow
@given(arrays(np.float64, (2, 7), elements=st.integers(-3, 3).map(float)))
def test_ranks_equal_scipys(x):
    assert average_ranks(x) == pytest.approx(scipy_stats.rankdata(x, axis=1))


@pytest.mark.slow
def test_importing_loads_neither_scipy_nor_numba():
    code = "import sys, core.stats.correlation; sys.exit(bool({'scipy', 'numba'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
