"""Analysis of variance, Tukey's test and shared letters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from core.stats.estimators.anova import anova, tukey_rejects
from core.stats.significance_groups import cluster_ranks, compact_letter_display

GROUPS = [
    np.array([24.5, 23.5, 26.4, 27.1, 29.9]),
    np.array([28.4, 34.2, 29.5, 32.2]),
    np.array([26.1, 28.3, 24.3]),
]


def test_anova_as_worked_by_hand():
    # means 2 and 5, grand 3.5: between 6·2.25 / 1 = 13.5; within (1+0+1+1+0+1) / 4 = 1
    result = anova([np.array([1.0, 2, 3]), np.array([4.0, 5, 6])])
    assert (result.f, result.between, result.within) == (pytest.approx(13.5), 1, 4)


def test_anova_equals_scipy_and_omits_missing_values():
    expected = scipy_stats.f_oneway(*GROUPS)
    result = anova([np.append(GROUPS[0], math.nan), *GROUPS[1:]])
    assert (result.f, result.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))


@pytest.mark.parametrize("sizes", [(3, 3), (1, 1), (4, 0)])
def test_groups_without_spread_or_members_have_no_p(sizes):
    groups = [np.ones(n) for n in sizes]
    assert math.isnan(anova(groups).p)
    assert not tukey_rejects(groups).any()


@pytest.mark.slow
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_rejections_equal_those_of_scipy(confidence):
    random = np.random.default_rng(8)
    groups = [random.normal(at / 4, 1.0, size) for at, size in enumerate((9, 14, 30, 30))]
    expected = scipy_stats.tukey_hsd(*groups).pvalue < 1 - confidence
    np.testing.assert_array_equal(tukey_rejects(groups, confidence), expected)


def test_equal_groups_are_not_rejected():
    random = np.random.default_rng(8)
    groups = [random.normal(at / 4, 1.0, size) for at, size in enumerate((9, 14, 30, 30))]
    assert tukey_rejects(groups).any()
    assert not tukey_rejects([np.ones(4), np.zeros(4)]).any()


def test_letters_as_worked_by_hand():
    # 0 and 3 differ, 0 and 2 differ: 0 1 share, 1 2 3 share
    differs = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 3), (0, 2)):
        differs[i, j] = differs[j, i] = True
    assert compact_letter_display(differs, np.array([0.9, 0.8, 0.7, 0.6])) == ("a", "ab", "b", "b")
    assert compact_letter_display(np.zeros((2, 2), dtype=bool), np.array([1.0, 2.0])) == ("a", "a")
    assert compact_letter_display(~np.eye(3, dtype=bool), np.array([1.0, 3.0, 2.0])) == ("c", "a", "b")


relations = arrays(np.bool_, (6, 6)).map(lambda drawn: np.triu(drawn, 1) | np.triu(drawn, 1).T)


@pytest.mark.slow
@given(relations, arrays(np.float64, 6, elements=st.floats(-1, 1)))
@settings(max_examples=50, deadline=None)
def test_groups_share_a_letter_exactly_if_they_do_not_differ(differs, values):
    actual = compact_letter_display(differs, values)
    for i in range(6):
        for j in range(6):
            assert bool(set(actual[i]) & set(actual[j])) == (not differs[i, j])


def test_a_cluster_begins_where_one_differs_from_any_above_it():
    differs = np.zeros((4, 4), dtype=bool)
    differs[1, 3] = differs[3, 1] = True  # the best is 2, then 1, 0, 3
    assert cluster_ranks(np.array([0.5, 0.6, 0.7, 0.4]), differs) == (1, 1, 1, 2)
    assert cluster_ranks(np.array([0.5, math.nan]), np.zeros((2, 2), dtype=bool)) == (1, 1)


@pytest.mark.slow
@given(relations, arrays(np.float64, 6, elements=st.floats(-1, 1)))
@settings(max_examples=60, deadline=None)
def test_members_of_a_cluster_do_not_differ_and_clusters_are_ordered(differs, values):
    ranks = np.array(cluster_ranks(values, differs))
    for rank in range(1, ranks.max() + 1):
        inside = np.flatnonzero(ranks == rank)
        assert inside.size
        assert not differs[np.ix_(inside, inside)].any()
        if rank > 1:
            assert values[ranks == rank - 1].min() >= values[inside].max()
