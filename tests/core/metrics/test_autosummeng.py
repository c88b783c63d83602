"""AutoSummENG against values of JInsect and a plain restatement of its definition."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts

REFERENCES = (
    "The bridge was closed on Monday after inspectors found cracks.",
    "Inspectors closed the bridge; it may reopen in May.\nCracks were found on Monday.",
)
SUMMARIES = (
    "Cracks were found in the bridge, which inspectors closed on Monday.",
    "aaaa aaaa aaaa",
    "Brücke am Montag geschlossen – Risse 桥梁关闭",
)
JINSECT = {
    "lmin=3,lmax=3,dwin=3": (
        (0.4843750000000013, 0.5630434782608671),
        (0.0, 0.0),
        (0.005649717514124294, 0.004347826086956522),
    ),
    "lmin=2,lmax=4,dwin=5": (
        (0.3965667195958954, 0.496499427353651),
        (0.0, 0.0),
        (0.004142384805845764, 0.0027132745223114613),
    ),
    "lmin=1,lmax=2,dwin=1": (
        (0.6515182186234811, 0.6825222779170141),
        (0.0011160714285714285, 0.0),
        (0.08078405542544886, 0.08180172653856864),
    ),
}
"""Value similarities of the release of 2012, which comes with the authors' program NPowER."""

SETTINGS = st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(1, 5))


def scored(spec, summaries, references):
    metric = parse(f"autosummeng:{spec}" if spec else "autosummeng")
    topic = topic_of_texts(list(summaries), list(references))
    return metric.score(metric.prepare(topic, StudyResources(None, "cpu")))


@pytest.mark.parametrize("spec", JINSECT)
def test_similarities_are_those_of_jinsect(spec):
    scores = scored(spec, SUMMARIES, REFERENCES)
    np.testing.assert_allclose(scores.stats[..., 0], JINSECT[spec], rtol=1e-12)
    np.testing.assert_allclose(scores.values[:, 0], np.mean(JINSECT[spec], axis=1), rtol=1e-12)


def test_an_ngram_next_to_itself_has_one_edge():
    assert scored("lmin=1,lmax=2,dwin=1", ["aaaa aaaa aaaa"], ["aaaa aaa"]).values == pytest.approx(
        0.6361111111111112, rel=1e-12
    )


def graph(text, n, window):
    """The directed edges of a text's graph with their weights."""
    grams = [text[at : at + n] for at in range(len(text) - n + 1)]
    edges = Counter()
    for at, gram in enumerate(grams):
        for before in grams[max(at - window, 0) : at]:
            edges[before, gram] += 1
            edges[gram, before] += 1
    return edges


@given(SETTINGS, st.lists(st.text("ab ü\n", max_size=12), min_size=2, max_size=4))
def test_the_definition_is_met(settings, texts):
    shortest, more, window = settings
    longest = shortest + more
    ended = [text if not text or text.endswith("\n") else text + "\n" for text in texts]
    weights = [sum(range(shortest, n + 1)) for n in range(shortest, longest + 1)]
    expected = []
    for reference in ended[1:]:
        total = 0.0
        for weight, n in zip(weights, range(shortest, longest + 1), strict=True):
            mine, theirs = graph(ended[0], n, window), graph(reference, n, window)
            common = sum(min(mine[e], theirs[e]) / max(mine[e], theirs[e]) for e in mine if e in theirs)
            total += weight * common / max(len(mine), len(theirs), 1)
        expected.append(total / sum(weights))
    found = scored(f"lmin={shortest},lmax={longest},dwin={window}", texts[:1], texts[1:])
    np.testing.assert_allclose(found.stats[0, :, 0], expected, rtol=1e-12, atol=1e-15)


def test_line_breaks_of_any_kind_are_alike():
    alike = ["one two\nthree", "one two\r\nthree", "one two\rthree\n"]
    assert np.array_equal(scored("", alike, REFERENCES).values, scored("", [alike[0]] * 3, REFERENCES).values)


def test_a_text_without_an_edge_counts_as_zero():
    scores = scored("", ["ab", "The bridge"], REFERENCES)
    assert scores.values[0] == 0.0
    assert scores.notes == {"counted_as_zero": 1}


def peak(work):
    """The most memory that a call takes, and what it returns."""
    tracemalloc.start()
    try:
        found = work()
        return tracemalloc.get_traced_memory()[1], found
    finally:
        tracemalloc.stop()


def test_a_wide_window_takes_the_memory_of_a_text_at_a_time():
    texts = [f"{at} " + "".join(chr(97 + (at * k * k + k) % 26) for k in range(400)) for at in range(60)]
    few, many = (
        peak(lambda count=count: scored("dwin=100", texts[:count], REFERENCES))[0] for count in (6, 60)
    )
    assert many < 5 * few


def test_an_explanation_takes_about_the_memory_of_the_score():
    text = "".join(chr(97 + (k * k * k + k // 7) % 26) for k in range(2000))
    metric, resources = parse("autosummeng:dwin=100"), StudyResources(None, "cpu")
    to_score, prepared = peak(lambda: metric.prepare(topic_of_texts([text], [text]), resources))
    to_explain, _ = peak(lambda: metric.explain(prepared, 0))
    assert to_explain < 2 * to_score


def test_an_explanation_shows_where_shared_neighbours_are():
    metric = parse("autosummeng:dwin=1")
    topic = topic_of_texts(["A 😀\r\ncat sat"], ["ä\ncat ran"])
    tree = metric.explain(metric.prepare(topic, StudyResources(None, "cpu")), 0)["autosummeng.value"]

    def evidence(node):
        return [*node.evidence, *(one for child in node.children for one in evidence(child))]

    assert [(one.role, one.span) for one in evidence(tree)] == [("summary", (3, 9)), ("reference", (1, 6))]


def test_the_shortest_length_is_not_more_than_the_longest():
    with pytest.raises(BadSetting, match=r"lmin=4 is more than lmax=3\. Exchange them"):
        parse("autosummeng:lmin=4")
