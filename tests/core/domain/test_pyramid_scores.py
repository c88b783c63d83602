"""Pyramid scores: cases worked by hand, the ideal against brute force."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.pyramid import Pyramid
from core.domain.pyramid.scores import WeightedScu, max_weights, score_summary
from tests.core.domain.small_pyramid import PYRAMID, REFERENCES, matches, scu


def test_a_summary_is_scored_as_worked_by_hand():
    score = score_summary(PYRAMID, matches("w", "y", "w", "u", None), REFERENCES)
    assert score.weight == 4 + 2 + 1
    assert (score.units, score.repeats, score.outside) == (5, 1, 1)
    assert score.ideal_of_units == (4, 3, 2, 2, 1)
    assert score.original == pytest.approx(7 / 12)
    assert (score.contributions, score.average_units, score.ideal_of_average) == (13, 3, (4, 3, 2))
    assert score.modified == pytest.approx(7 / 9)
    assert score.comprehensive == pytest.approx(2 * (7 / 12) * (7 / 9) / (7 / 12 + 7 / 9))
    assert score.presence == pytest.approx(3 / 6)


def test_matched_scus_are_sorted_by_weight():
    score = score_summary(PYRAMID, matches("u", "y", "v", "w"), REFERENCES)
    assert [(s.scu_id, s.weight) for s in score.matched] == [("w", 4), ("v", 2), ("y", 2), ("u", 1)]


def test_the_average_is_rounded_half_up():
    """10 contributions in 4 references are 2.5 units: 3, where rounding to even gives 2."""
    pyramid = Pyramid("p", "t", "x", (scu("u", "abcd"), scu("v", "abcd"), scu("w", "ab")))
    assert score_summary(pyramid, (), REFERENCES).average_units == 3


def test_more_units_than_scus_are_compared_with_the_whole_pyramid():
    score = score_summary(PYRAMID, matches("w", *[None] * 9), REFERENCES)
    assert score.units == 10
    assert score.original == pytest.approx(4 / 13)


def test_a_subset_of_references_recounts_weights_and_drops_empty_scus():
    score = score_summary(PYRAMID, matches("w", "z", "x", None), ("a", "b"))
    assert [(s.scu_id, s.weight) for s in score.scus] == [("v", 2), ("w", 2), ("u", 1), ("x", 1)]
    assert [s.scu_id for s in score.matched] == ["w", "x"]
    assert score.units == 3  # z is in neither reference: its match is ignored
    assert score.average_units == 3
    assert score.modified == pytest.approx(3 / 5)


def test_two_contributors_of_one_reference_count_once():
    pyramid = Pyramid("p", "t", "x", (scu("u", "aab"),))
    assert score_summary(pyramid, matches("u"), REFERENCES).weight == 2


def test_a_summary_may_exceed_the_ideal_and_coverage_is_capped_in_the_comprehensive_score():
    score = score_summary(PYRAMID, matches("u", "v", "w", "x", "y", "z"), REFERENCES)
    assert score.modified == pytest.approx(13 / 9)
    assert score.original == 1.0
    assert score.comprehensive == 1.0


def test_an_empty_summary_scores_zero_and_an_empty_pyramid_is_undefined():
    nothing = score_summary(PYRAMID, (), REFERENCES)
    assert (nothing.original, nothing.modified, nothing.comprehensive, nothing.presence) == (0, 0, 0, 0)
    undefined = score_summary(Pyramid("p", "t", "x"), matches(None), REFERENCES)
    for value in (undefined.original, undefined.modified, undefined.comprehensive, undefined.presence):
        assert math.isnan(value)


weights = st.lists(st.integers(1, 5), max_size=8)


@given(weights, st.integers(0, 10))
def test_the_ideal_is_the_maximum_for_the_number_of_units(weights, units):
    scus = [WeightedScu(str(i), "", weight) for i, weight in enumerate(weights)]
    best = max(
        sum(chosen) for n in range(units + 1) for chosen in combinations(weights, min(n, len(weights)))
    )
    assert sum(max_weights(scus, units)) == best


@given(st.lists(st.sampled_from([*"uvwxyz", None])), st.sets(st.sampled_from(REFERENCES), min_size=1))
def test_precision_is_between_0_and_1(hits, references):
    score = score_summary(PYRAMID, matches(*hits), references)
    assert 0 <= score.original <= 1
    assert 0 <= score.presence <= 1
    assert 0 <= score.comprehensive <= 1
    assert score.weight <= score.contributions
