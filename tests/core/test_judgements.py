"""Judgements: what counts, how it is averaged, and what their policies say."""

from __future__ import annotations

import math

import pytest

from core.errors import InputError
from core.judgements import judgement_matrices, judgement_matrix, judgements


def cell(matrix, system, topic):
    return matrix.values[matrix.systems.index(system), matrix.topics.index(topic)]


def test_a_study_lists_what_people_judged(judged_study):
    found = {ref.name: ref for ref in judgements(judged_study)}
    assert list(found) == [
        "pyramid.modified",
        "pyramid.original",
        "pyramid.comprehensive",
        "pyramid.presence",
        "rating.coherence",
    ]
    assert found["pyramid.modified"].cells == 8  # four summaries marked done in each of two topics
    assert found["pyramid.modified"].annotators == ("ann", "ben")
    assert found["rating.coherence"].cells == 23


def test_experts_alone_count_where_they_rated(judged_study):
    ref = judgements(judged_study)[-1]
    assert ref.annotators == ("expert-1", "expert-2")
    assert "1 further annotator is left out" in ref.policy
    matrix = judgement_matrix(judged_study, "rating.coherence")
    assert cell(matrix, "south", "D2") == pytest.approx((3 + 4) / 2)  # the crowd says 5


def test_annotators_are_chosen_by_name_or_by_group(judged_study):
    crowd = judgement_matrix(judged_study, "rating.coherence", ["crowd"])
    one = judgement_matrix(judged_study, "rating.coherence", ["crowd-1"])
    everybody = judgement_matrix(judged_study, "rating.coherence", ["expert", "crowd-1"])
    assert cell(crowd, "south", "D2") == cell(one, "south", "D2") == 5
    assert cell(everybody, "south", "D2") == pytest.approx((3 + 4 + 5) / 3)


def test_pyramid_scores_are_averaged_over_annotators_of_summaries_marked_done(judged_study):
    """Weights 2, 1, 1 in two references: 4 contributions, 2 units on average, so the ideal is 3."""
    modified = judgement_matrix(judged_study, "pyramid.modified")
    assert cell(modified, "lead", "D1") == 0
    assert cell(modified, "north", "D1") == pytest.approx(2 / 3)
    assert cell(modified, "east", "D2") == pytest.approx(4 / 3)
    assert cell(modified, "east", "D1") == pytest.approx((4 / 3 + 3 / 3) / 2)  # ben found two of three
    assert math.isnan(cell(modified, "=west", "D1"))  # matched, but not marked done
    assert math.isnan(cell(modified, "north", "D3"))
    assert cell(judgement_matrix(judged_study, "pyramid.presence", ["ben"]), "east", "D1") == pytest.approx(
        2 / 3
    )


def test_several_judgements_read_at_once_equal_each_alone(judged_study):
    names = ["rating.coherence", "pyramid.original", "pyramid.presence"]
    together = judgement_matrices(judged_study, names)
    assert list(together) == names
    for name, matrix in together.items():
        assert repr(matrix) == repr(judgement_matrix(judged_study, name))


def test_unknown_names_are_answered_with_the_nearest(judged_study):
    with pytest.raises(InputError, match=r"named 'rating.coherense'. Did you mean 'rating.coherence'"):
        judgement_matrix(judged_study, "rating.coherense")
    with pytest.raises(InputError, match="no annotator or group named 'expert-9'"):
        judgement_matrix(judged_study, "rating.coherence", ["expert-9"])
