"""CIDEr-D by hand, against pycocoevalcap, and its dependence on the study."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from nltk.stem.snowball import EnglishStemmer

from core.metrics import registry
from core.scoring.engine import ScoringConfig
from core.scoring.study_resources import StudyResources


def tools_of(topics):
    return StudyResources(corpus=tuple(topic.references for topic in topics))


def scored(topic, resources, spec="cider"):
    metric = registry.parse(spec)
    return metric.score(metric.prepare(topic, resources)).values[:, 0]


def test_a_hand_worked_pair(make_topic):
    one = make_topic({"A": "courts ban ferries"}, {"s": "courts ban"})
    two = replace(make_topic({"A": "courts sleep"}, {"s": "x"}), id="two")
    # idf: court 0, ban and ferri ln 2; bigrams of one topic ln 2; no longer n-gram is in both
    rare = math.log(2)
    words = rare * rare / (rare * math.hypot(rare, rare))
    pairs = rare * rare / (rare * math.hypot(rare, rare))
    penalty = math.exp(-1 / 72)
    expected = 10 * (words + pairs) * penalty / 4
    assert scored(one, tools_of([one, two]))[0] == pytest.approx(expected)


def test_one_topic_alone_gives_no_score(make_topic):
    topic = make_topic({"A": "courts ban ferries"}, {"s": "courts ban ferries"})
    assert scored(topic, tools_of([topic])) == pytest.approx([math.nan], nan_ok=True)


@pytest.mark.data
def test_scores_are_those_of_pycocoevalcap(summeval):
    peer = pytest.importorskip("pycocoevalcap.cider.cider").Cider()
    resources = tools_of(summeval.values())
    ours = {key: scored(topic, resources) for key, topic in summeval.items()}
    references = {key: [_cut(text.content) for text in topic.references] for key, topic in summeval.items()}
    for place in (0, 5, 11):
        summaries = {key: [_cut(topic.summaries[place].content)] for key, topic in summeval.items()}
        _, theirs = peer.compute_score(references, summaries)
        assert [ours[key][place] for key in references] == pytest.approx(list(theirs), abs=1e-9)


_STEM = EnglishStemmer().stem
_STEMS: dict[str, str] = {}


def _cut(text):
    words = re.findall(r"\w+", text.lower())
    return " ".join(_STEMS.setdefault(word, _STEM(word)) for word in words)


def test_the_signature_contains_the_document_frequencies(make_topic):
    one, two = (make_topic({"A": text, "B": "x"}, {"s": "courts"}) for text in ("courts", "bans"))
    metric = registry.parse("cider")
    both, alone = tools_of([one, two]), tools_of([one])
    assert "|df:2-topics-" in metric.signature(both)
    assert metric.signature(both) != metric.signature(alone)
    only_a = ScoringConfig(metric, ("A",)).signature(both)
    assert only_a.split("df:")[1].split("|")[0] != metric.signature(both).split("df:")[1].split("|")[0]


def test_the_explanation_evaluates_to_the_score(make_topic):
    topics = [
        make_topic(
            {"A": f"courts ban ferry {i} today", "B": "ferries"}, {"s": f"courts ban {i}", "empty": ""}
        )
        for i in range(3)
    ]
    resources = tools_of(topics)
    metric = registry.parse("cider")
    prepared = metric.prepare(topics[0], resources)
    values = metric.score(prepared).values[:, 0]
    trees = [metric.explain(prepared, system)["cider.d"].evaluate() for system in (0, 1)]
    assert trees == pytest.approx(values.tolist())
    assert values[1] == 0.0
    assert np.isfinite(values).all()
