"""Intercorrelation of measures, compared with scipy, and its order by clustering."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from core.comparison.intercorrelation import cluster_measures, intercorrelations
from core.matrix import ScoreMatrix
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level

SYSTEMS, TOPICS = ("a", "b", "c", "d", "e"), ("t0", "t1", "t2")


def matrices(count: int) -> list[ScoreMatrix]:
    random = np.random.default_rng(3)
    return [ScoreMatrix(f"m{i}", SYSTEMS, TOPICS, random.normal(size=(5, 3))) for i in range(count)]


@pytest.mark.parametrize(
    ("coefficient", "theirs"), [(Coefficient.PEARSON, pearsonr), (Coefficient.KENDALL, kendalltau)]
)
def test_every_pair_equals_scipy(coefficient, theirs):
    scores = matrices(4)
    values = run_to_completion(intercorrelations(scores, Level.SYSTEM, coefficient))
    for i, one in enumerate(scores):
        for j, other in enumerate(scores):
            expected = theirs(one.values.mean(axis=1), other.values.mean(axis=1)).statistic
            assert values[i, j] == pytest.approx(expected, abs=1e-11)


def test_a_pair_uses_shared_cells():
    one, other = matrices(2)
    gone = other.values.copy()
    gone[4] = np.nan
    values = run_to_completion(
        intercorrelations([one, ScoreMatrix("o", SYSTEMS, TOPICS, gone)], Level.GLOBAL, Coefficient.PEARSON)
    )
    expected = pearsonr(one.values[:4].ravel(), other.values[:4].ravel()).statistic
    assert values[0, 1] == pytest.approx(expected)


def test_measures_of_other_systems_share_no_cell():
    one = matrices(1)[0]
    other = ScoreMatrix("o", ("x", "y", "z"), TOPICS, np.arange(9.0).reshape(3, 3))
    values = run_to_completion(intercorrelations([one, other], Level.SYSTEM, Coefficient.PEARSON))
    assert np.isnan(values[0, 1])
    assert values[1, 1] == pytest.approx(1.0)


def test_similar_measures_are_adjacent():
    values = np.eye(4)
    for i, j, r in ((0, 2, 0.9), (1, 3, -0.8)):
        values[i, j] = values[j, i] = r
    tree = cluster_measures(values)
    order = list(tree.order)
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(3)) == 1
    heights = sorted(max(up) for _, up in tree.links)
    assert heights == pytest.approx([0.1, 0.2, 1.0]), "1 - |r|, whatever its sign; last what is unlike"


@pytest.mark.parametrize("n", [0, 1])
def test_clustering_accepts_one_or_no_pair(n):
    assert cluster_measures(np.ones((n, n))).order == tuple(range(n))
