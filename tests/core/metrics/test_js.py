"""Jensen–Shannon divergence by hand, by scipy, and its range."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.snowball import EnglishStemmer
from scipy.spatial.distance import jensenshannon

from core.metrics import registry
from core.text.word_lists import load_word_list


def scored(spec, topic, resources):
    metric = registry.parse(spec)
    return metric.score(metric.prepare(topic, resources))


def test_a_hand_worked_pair(make_topic, resources):
    topic = make_topic({"A": "the courts and a ban"}, {"s": "court court"})
    # without stop words: {court: 1} against {court: 1/2, ban: 1/2}
    mine = np.log(1 / 0.75)
    theirs = 0.5 * np.log(0.5 / 0.75) + 0.5 * np.log(0.5 / 0.25)
    scores = scored("js:n=1", topic, resources)
    assert scores.values[0, 0] == pytest.approx((mine + theirs) / 2)


def test_equal_texts_are_not_apart_strangers_are_as_far_as_can_be_and_nothing_is_undefined(
    make_topic, resources
):
    topic = make_topic(
        {"A": "courts ruled"}, {"copy": "courts ruled", "other": "ferries sank", "empty": "the of"}
    )
    values = scored("js:n=1", topic, resources).values[:, 0]
    assert values[:2].tolist() == pytest.approx([0.0, np.log(2)])
    assert np.isnan(values[2])


def test_a_bigram_with_one_stop_word_counts(make_topic, resources):
    topic = make_topic({"A": "of the court"}, {"s": "the court"})
    assert scored("js:n=2", topic, resources).values[0, 0] == pytest.approx(0.0)  # "of the" is left out


@pytest.mark.data
@pytest.mark.parametrize("n", [1, 2])
def test_values_are_those_of_a_plain_computation(n, multiling, resources):
    stopped = set(load_word_list("stop_words_153.txt"))
    stem = EnglishStemmer().stem
    for topic in multiling:
        ours = scored(f"js:n={n}", topic, resources).stats[:, :, 0]
        for s, summary in enumerate(topic.summaries):
            for r, reference in enumerate(topic.references):
                p, q = (
                    _counts(summary.content, n, stem, stopped),
                    _counts(reference.content, n, stem, stopped),
                )
                keys = sorted({*p, *q})
                expected = jensenshannon([p[k] for k in keys], [q[k] for k in keys]) ** 2
                assert ours[s, r] == pytest.approx(expected, abs=1e-12)


def _counts(text, n, stem, stopped):
    words = [stem(word) for word in re.findall(r"\w+", text.lower())]
    grams = zip(*(words[k:] for k in range(n)), strict=False)
    return Counter(gram for gram in grams if not set(gram) <= stopped)


WORDS = st.lists(st.sampled_from(["the", "court", "courts", "ban", "ferry", "of"]), max_size=10)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.booleans())
def test_it_is_symmetric_bounded_and_explained(make_topic, resources, summary, references, stop_words):
    texts = [" ".join(words) for words in references]
    named = {f"r{i}": text for i, text in enumerate(texts)}
    topic = make_topic(named, {"s": " ".join(summary)})
    metric = registry.metric("js", n=1, stop_words=stop_words)
    prepared = metric.prepare(topic, resources)
    scores = metric.score(prepared)
    value = scores.values[0, 0]
    assert np.isnan(value) or -1e-12 <= value <= np.log(2) + 1e-12
    assert metric.explain(prepared, 0)["js-1.divergence"].evaluate() == pytest.approx(value, nan_ok=True)
    turned = make_topic({"s": " ".join(summary)}, {"r0": texts[0]})
    back = metric.score(metric.prepare(turned, resources)).values[0, 0]
    assert back == pytest.approx(scores.stats[0, 0, 0], nan_ok=True)
