"""Filters of systems and topics."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.comparison import load_comparison
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.operations.correlate import CorrelationData, excluded_systems, restrict, weak_systems
from core.operations.options import CorrelateRequest

NAN = float("nan")


def judged(*means: float) -> ScoreMatrix:
    names = tuple("abcdefgh"[: len(means)])
    return ScoreMatrix("rating.x", names, ("1",), np.array(means)[:, None])


def test_the_weakest_systems_have_the_lowest_means_and_unjudged_ones_are_excluded():
    assert weak_systems(judged(4, NAN, 1, 3, 2), 2) == ("c", "e")
    assert weak_systems(judged(4, 1), 0) == ()


def test_far_below_the_mean_is_weak_as_worked_by_hand():
    # mean 4, deviation sqrt((1 + 1 + 1 + 1 + 16) / 4) = 2.236: 0 is 1.79 of them below, 3 is .45
    judgement = judged(5, 5, 5, 5, 0)
    assert weak_systems(judgement, 0, 1.7) == ("e",)
    assert weak_systems(judgement, 0, 1.8) == ()
    assert weak_systems(judgement, 1, 1.7) == ("e",)


@pytest.fixture
def comparison(judged_study):
    return load_comparison(judged_study, ["rating.coherence", "pyramid.modified"])


def test_filters_exclude_the_same_systems_for_every_judgement(comparison):
    means = comparison.judgements["rating.coherence"].system_means()
    weakest = comparison.judgements["rating.coherence"].systems[int(np.nanargmin(means))]
    request = CorrelateRequest(weakest=1)
    assert excluded_systems(comparison, request) == (weakest,)
    less = CorrelationData(comparison, {}).within(request).comparison
    for side in (*less.judgements.values(), *less.scores):
        assert weakest not in side.systems
        assert len(side.topics) == len(comparison.scores[0].topics)


def test_only_selected_systems_and_topics_are_compared(comparison):
    names = comparison.judgements["rating.coherence"].systems[:3]
    topic = comparison.judgements["rating.coherence"].topics[0]
    less = restrict(comparison, names, {topic})
    assert all(side.systems == names for side in less.judgements.values())
    assert all(side.topics == (topic,) for side in less.scores)
    assert CorrelationData(comparison, {}).within(CorrelateRequest()).comparison is comparison


def test_systems_named_twice_or_in_another_order_count_once_in_their_order(comparison):
    names = comparison.judgements["rating.coherence"].systems[:3]
    less = restrict(comparison, (*names[::-1], names[0]), None)
    assert all(side.systems == names for side in (*less.judgements.values(), *less.scores))


def test_missing_systems_and_topics_are_reported(comparison):
    with pytest.raises(InputError, match="No system is named 'nobody'"):
        restrict(comparison, ("nobody",), None)
    with pytest.raises(InputError, match="No compared judgement is named 'rating.charm'".replace(".", r"\.")):
        excluded_systems(comparison, CorrelateRequest(weakest=1, weak_by="rating.charm"))
    with pytest.raises(InputError, match="Exclude fewer"):
        CorrelationData(comparison, {}).within(CorrelateRequest(weakest=4))
