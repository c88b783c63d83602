"""Summaries on which a measure and the annotators differ most."""

from __future__ import annotations

import numpy as np

from core.comparison.disagreement import Disagreement, all_disagreements, disagreements
from core.matrix import ScoreMatrix

NAN = np.nan
SYSTEMS, TOPICS = ("a", "b", "c"), ("T1", "T2", "T3", "T4")


def matrix(rows: list[list[float]]) -> ScoreMatrix:
    return ScoreMatrix("m", SYSTEMS, TOPICS, np.array(rows, dtype=np.float64))


SCORES = matrix([[0.9, 0.1, 0.5, 0.5], [0.5, 0.5, 0.5, NAN], [0.1, 0.9, 0.2, NAN]])
PEOPLE = matrix([[1, 3, 2, 5], [2, 2, 2, 5], [3, 1, 1, 5]])


def test_topics_are_sorted_by_rank_difference():
    actual = disagreements(SCORES, PEOPLE, "a")
    assert actual == [
        Disagreement("T1", 1.0, 3.0, 3, "a"),
        Disagreement("T2", 3.0, 1.0, 3, "a"),
        Disagreement("T3", 1.5, 1.5, 3, "a"),
    ]


def test_topics_with_a_single_system_are_left_out():
    assert "T4" not in [one.topic for one in disagreements(SCORES, PEOPLE, "a")]
    assert [one.topic for one in disagreements(SCORES, PEOPLE, "b")] == ["T1", "T2", "T3"]


def test_lower_is_better_measures_rank_the_smallest_first():
    actual = disagreements(SCORES, PEOPLE, "a", higher_is_better=False)
    assert {one.topic: one.measure_rank for one in actual} == {"T1": 3.0, "T2": 1.0, "T3": 2.5}


def test_matrices_are_aligned_by_name():
    turned = PEOPLE.select(SYSTEMS[::-1], TOPICS[::-1])
    assert set(disagreements(SCORES, turned, "a")) == set(disagreements(SCORES, PEOPLE, "a"))
    assert disagreements(SCORES, turned.only(["b", "c"]), "a") == []


def test_all_disagreements_are_in_one_list():
    actual = all_disagreements(SCORES, PEOPLE)
    assert [(one.system, one.topic, one.distance) for one in actual] == [
        ("a", "T1", 2.0),
        ("c", "T1", 2.0),
        ("a", "T2", 2.0),
        ("c", "T2", 2.0),
        ("b", "T1", 0.0),
        ("b", "T2", 0.0),
        ("a", "T3", 0.0),
        ("b", "T3", 0.0),
        ("c", "T3", 0.0),
    ]


def test_ranks_can_be_computed_over_all_summaries():
    actual = all_disagreements(SCORES, PEOPLE, within_topics=False)
    by_place = {(one.system, one.topic): one for one in actual}
    assert {one.systems for one in actual} == {10}
    assert by_place["a", "T1"].measure_rank == 1.5, "shared with c on T2"
    assert by_place["a", "T1"].human_rank == 9.0, "1 shared by three that stand 8 to 10"
    assert by_place["a", "T4"].human_rank == 1.0
