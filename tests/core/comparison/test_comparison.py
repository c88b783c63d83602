"""Measures beside judgements: rows, points, and who takes part."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from core.comparison.comparison import load_comparison
from core.comparison.judgements import judgement_matrix
from core.comparison.options import SystemSelection
from core.errors import InputError
from core.matrix import ScoreMatrix, align_matrices
from core.stats.correlation import Coefficient, Level

HUMANS = ["pyramid.modified", "rating.coherence"]


def test_matrices_are_aligned_by_name_in_the_order_of_the_first():
    a = ScoreMatrix("a", ("x", "y", "z"), ("1", "2"), np.array([[1.0, 2], [3, 4], [5, 6]]))
    b = ScoreMatrix("b", ("z", "x", "w"), ("2", "3"), np.array([[10.0, 11], [12, 13], [14, 15]]))
    left, right = align_matrices(a, b)
    assert (left.systems, left.topics) == (right.systems, right.topics) == (("x", "z"), ("2",))
    assert left.values.tolist() == [[2], [6]]
    assert right.values.tolist() == [[12], [10]]


def test_every_measure_is_compared_with_every_judgement(judged_study):
    rows = load_comparison(judged_study, HUMANS).rows(Level.SYSTEM, Coefficient.PEARSON)
    measures = ["rouge-1.recall", "rouge-1.f", "rouge-2.recall", "rouge-2.f"]
    assert [(row.human, row.measure) for row in rows] == [(h, m) for h in HUMANS for m in measures]
    assert rows[0].signature == "rouge-n|n:1|version:1"
    assert {row.n for row in rows if row.human == "pyramid.modified"} == {4}


def test_a_measure_requested_twice_is_compared_once(judged_study):
    comparison = load_comparison(judged_study, HUMANS, measures=["rouge-2.f", "rouge-1.f", "rouge-2.f"])
    assert [ref.label for ref in comparison.refs] == ["rouge-2.f", "rouge-1.f"]


def test_references_are_included_only_on_request(judged_study):
    automatic = load_comparison(judged_study, HUMANS)
    everybody = load_comparison(judged_study, HUMANS, systems=SystemSelection.ALL)
    assert [row.n for row in automatic.rows(Level.SYSTEM, Coefficient.KENDALL)][-1] == 5
    assert [row.n for row in everybody.rows(Level.SYSTEM, Coefficient.KENDALL)][-1] == 6


def test_a_row_equals_scipy_on_shared_cells(judged_study):
    comparison = load_comparison(judged_study, ["rating.coherence"], measures=["rouge-2.f"])
    (row,) = comparison.rows(Level.GLOBAL, Coefficient.SPEARMAN)
    points = comparison.points("rouge-2.f", "rating.coherence", Level.GLOBAL, Coefficient.SPEARMAN)
    expected = scipy_stats.spearmanr(points.x, points.y)
    assert row.value == pytest.approx(expected.statistic)
    assert row.n == points.x.size == 5 * 4 - 2  # D3 has no score of lead, D10 no rating of east
    assert row.dropped == 1


def test_points_of_systems_are_means_over_shared_topics(judged_study):
    points = load_comparison(judged_study, HUMANS).points("rouge-1.f", "pyramid.modified", Level.SYSTEM)
    assert set(points.names) == {"lead", "north", "south", "east"}
    judged = judgement_matrix(judged_study, "pyramid.modified")
    south = points.names.index("south")
    assert points.y[south] == pytest.approx(np.nanmean(judged.values[judged.systems.index("south")]))
    assert points.correlation.value == pytest.approx(np.corrcoef(points.x, points.y)[0, 1])
    assert set(points.topics) == {""}


def test_points_within_topics_are_centred_on_the_topic_mean(judged_study):
    points = load_comparison(judged_study, HUMANS).points("rouge-1.f", "rating.coherence", Level.TOPIC)
    for topic in set(points.topics):
        mine = [i for i, name in enumerate(points.topics) if name == topic]
        assert points.x[mine].mean() == pytest.approx(0, abs=1e-12)
        assert points.y[mine].mean() == pytest.approx(0, abs=1e-12)
    assert points.names[0] == f"{points.systems[0]} · {points.topics[0]}"


def test_unknown_measures_and_judgements_are_reported(judged_study):
    with pytest.raises(InputError, match=r"No measure is named 'rouge-3.f'"):
        load_comparison(judged_study, HUMANS, measures=["rouge-3.f"])
    with pytest.raises(InputError, match=r"No judgement is named 'rating.charm'"):
        load_comparison(judged_study, ["rating.charm"])
