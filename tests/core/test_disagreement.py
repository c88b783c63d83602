from __future__ import annotations

import numpy as np

from core.disagreement import Disagreement, disagreements
from core.matrix import Matrix

NAN = np.nan
SYSTEMS, TOPICS = ("a", "b", "c"), ("T1", "T2", "T3", "T4")


def matrix(rows: list[list[float]]) -> Matrix:
    return Matrix("m", SYSTEMS, TOPICS, np.array(rows, dtype=np.float64))


SCORES = matrix([[0.9, 0.1, 0.5, 0.5], [0.5, 0.5, 0.5, NAN], [0.1, 0.9, 0.2, NAN]])
PEOPLE = matrix([[1, 3, 2, 5], [2, 2, 2, 5], [3, 1, 1, 5]])


def test_topics_stand_by_how_far_the_ranks_lie_apart():
    found = disagreements(SCORES, PEOPLE, "a")
    assert found == [
        Disagreement("T1", 1.0, 3.0, 3),
        Disagreement("T2", 3.0, 1.0, 3),
        Disagreement("T3", 1.5, 1.5, 3),
    ]


def test_a_topic_where_a_system_stands_alone_is_left_out():
    assert "T4" not in [one.topic for one in disagreements(SCORES, PEOPLE, "a")]
    assert [one.topic for one in disagreements(SCORES, PEOPLE, "b")] == ["T1", "T2", "T3"]


def test_of_a_measure_of_errors_the_smallest_ranks_first():
    found = disagreements(SCORES, PEOPLE, "a", higher_is_better=False)
    assert {one.topic: one.measure_rank for one in found} == {"T1": 3.0, "T2": 1.0, "T3": 2.5}


def test_matrices_are_aligned_by_name():
    turned = PEOPLE.select(SYSTEMS[::-1], TOPICS[::-1])
    assert set(disagreements(SCORES, turned, "a")) == set(disagreements(SCORES, PEOPLE, "a"))
    assert disagreements(SCORES, turned.only(["b", "c"]), "a") == []
