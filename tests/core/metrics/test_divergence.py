"""Divergence from the documents: values of SIMetrix, bounds, explanations, and corner cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from core.metrics import registry
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.scored import values

TOOLS = StudyResources()
DOCUMENTS = [
    "The council banned taxis from the old bridge on Monday.\n"
    "Inspectors had found cracks in two of its arches.",
    "Taxi drivers protested: the ban costs them 40 minutes a day.\n"
    "The bridge's arches will be repaired by May.",
]
SUMMARIES = [
    "Cracks were found in the bridge, so the council banned taxis.",
    "Drivers of taxis protest against bans.",
]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", [[0.25296, 0.23213, 2.00012, 0.79823], [0.34858, 0.31296, 2.39858, 1.15461]]),
        (
            ":stem=no,stop_words=no",
            [[0.36947, 0.3391, 2.55814, 1.94155], [0.57988, 0.51862, 3.26066, 4.23879]],
        ),
    ],
)
def test_values_are_simetrix(settings: str, expected: list[list[float]]) -> None:
    """Made by SIMetrix 1 (Java, github.com/igorbrigadir/simetrix), which prints five decimals."""
    topic = topic_of_texts(SUMMARIES, (), DOCUMENTS)
    assert values(f"divergence{settings}", topic, TOOLS) == pytest.approx(np.array(expected), abs=5.1e-6)


def test_stop_words_alone_are_no_words() -> None:
    for summary, document in (
        ("Nothing new.", "A ban."),
        ("A ban.", "Nothing new."),
        ("", "A ban."),
        ("x", ""),
    ):
        metric = registry.metric("divergence")
        prepared = metric.prepare(topic_of_texts([summary], (), [document]), TOOLS)
        scores = metric.score(prepared)
        assert np.isnan(scores.values).all()
        assert scores.notes == {"no_units": 1}
        assert all(math.isnan(tree.evaluate()) for tree in metric.explain(prepared, 0).values())


WORDS = st.lists(st.sampled_from(["court", "courts", "ban", "ferry", "of", "ended"]), min_size=1, max_size=10)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.booleans())
def test_values_are_those_of_scipy_and_explained(
    summary: list[str], documents: list[list[str]], stem: bool
) -> None:
    topic = topic_of_texts(["ferry", " ".join(summary)], (), [" ".join(words) for words in documents])
    metric = registry.metric("divergence", stem=stem, stop_words=False)
    prepared = metric.prepare(topic, TOOLS)
    found = metric.score(prepared).values[1]
    assert [tree.evaluate() for tree in metric.explain(prepared, 1).values()] == pytest.approx(found)
    joined = [one for words in documents for one in words]
    word = {"courts": "court", "ferry": "ferri", "ended": "end"}
    mine, theirs = ([word.get(one, one) if stem else one for one in words] for words in (summary, joined))
    keys = sorted({*mine, *theirs})
    p, q = ([words.count(key) for key in keys] for words in (mine, theirs))
    assert found[0] == pytest.approx(jensenshannon(p, q) ** 2, abs=1e-9)
    assert 0 <= found[0] <= math.log(2) + 1e-12
