"""Rankings compared with hand-worked ones and with a plain implementation of the formula."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.protocols import Smoothing, idf
from tests.core.retrieval.made_index import index_of

EXACT = Smoothing(mu=2.0, norms="exact")
WORDS = st.lists(st.sampled_from("abcde"), max_size=8)
COLLECTIONS = st.lists(WORDS, min_size=1, max_size=6)
SMOOTHINGS = st.builds(
    Smoothing, st.sampled_from([0.5, 2.0, 2000.0]), st.sampled_from(["lucene7", "lucene4", "exact"])
)


def test_a_ranking_is_worked_by_hand():
    index = index_of(["court ban", "court court bridge", "storm"])
    # six words, court thrice: p = 4/7; mu p = 8/7. Short: ln(1 + 7/8) + ln(2/4); long: ln(1 + 14/8) + ln(2/5)
    (hits,) = index.rank([["court"]], 10, EXACT)
    assert [hit.document for hit in hits] == ["1", "0"]
    assert [hit.score for hit in hits] == pytest.approx([math.log(2.75 * 0.4), 0.0], abs=1e-7)


def test_negative_word_scores_are_not_counted():
    index = index_of(["court " * 5 + "x " * 20, "court ban"])
    (hits,) = index.rank([["court", "ban"]], 10, Smoothing(1.0, "exact"))
    # in the long text court gives ln(1 + 5 / (7/28)) + ln(1/26) < 0: it counts as 0, yet the text is a hit
    assert [(hit.document, hit.score) for hit in hits][1] == ("0", 0.0)


def test_equal_scores_are_in_index_order():
    index = index_of(["ban", "court ban", "ban", "ban", "storm"])
    (hits,) = index.rank([["ban"]], 2, EXACT)
    assert [hit.document for hit in hits] == ["0", "2"]


def test_a_repeated_query_word_counts_twice():
    index = index_of(["court ban", "ban ban bridge", "storm"])
    once, twice = index.rank([["court"], ["court", "court"]], 1, EXACT)
    assert twice[0].score == pytest.approx(2 * once[0].score)


def test_unknown_words_and_empty_queries_have_no_hits():
    assert index_of(["court"]).rank([["storm"], []], 5, EXACT) == [(), ()]
    assert index_of([]).rank([["storm"]], 5, EXACT) == [()]


@given(COLLECTIONS, st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 7), SMOOTHINGS)
def test_a_ranking_follows_the_formula(texts, queries, limit, smoothing):
    index = index_of([" ".join(words) for words in texts])
    lengths = _counted(texts, smoothing)
    for query, hits in zip(queries, index.rank(queries, limit, smoothing), strict=True):
        expected = _by_formula(texts, lengths, query, smoothing.mu)
        best = sorted(expected.values(), reverse=True)[:limit]
        assert [hit.score for hit in hits] == pytest.approx(best, rel=1e-5, abs=1e-6)
        own = [expected[int(hit.document)] for hit in hits]
        assert [hit.score for hit in hits] == pytest.approx(own, rel=1e-5, abs=1e-6)


@given(COLLECTIONS, WORDS, SMOOTHINGS)
def test_a_shorter_list_is_a_prefix_of_a_longer_one(texts, query, smoothing):
    index = index_of([" ".join(words) for words in texts])
    (whole,) = index.rank([query], 100, smoothing)
    assert all(index.rank([query], limit, smoothing) == [whole[:limit]] for limit in (0, 1, 2, 3))
    assert {hit.document for hit in whole} == {
        str(at) for at, words in enumerate(texts) if set(words) & set(query)
    }


@given(COLLECTIONS, st.lists(WORDS, min_size=2, max_size=4), SMOOTHINGS)
def test_batched_queries_equal_single_ones(texts, queries, smoothing):
    index = index_of([" ".join(words) for words in texts])
    alone = [index.rank([query], 3, smoothing)[0] for query in queries]
    assert index.rank(queries, 3, smoothing) == alone


@given(COLLECTIONS, WORDS, st.permutations(range(8)), SMOOTHINGS)
def test_the_order_of_a_query_does_not_matter(texts, query, order, smoothing):
    index = index_of([" ".join(words) for words in texts])
    mixed = [query[at] for at in order if at < len(query)]
    assert index.rank([query], 9, smoothing) == index.rank([mixed], 9, smoothing)


@given(COLLECTIONS)
def test_frequencies_are_counted_document_by_document(texts):
    index = index_of([" ".join(words) for words in texts])
    phrases = [("a",), ("a", "b"), ("b", "b"), ("a", "b", "a"), ("c", "z")]
    assert index.document_frequencies(list("abz")).tolist() == [sum(w in t for t in texts) for w in "abz"]
    counted = [sum(_holds(text, phrase) for text in texts) for phrase in phrases]
    assert index.phrase_frequencies(phrases).tolist() == counted
    assert (index.documents, index.tokens) == (len(texts), sum(map(len, texts)))


def test_idf_equals_that_of_the_authors_code():
    assert idf(np.array([0, 1, 5, 10]), 10).tolist() == pytest.approx(
        [0.0, math.log(9.5 / 1.5), 0.0, math.log(0.5 / 10.5)]
    )


def test_the_mean_idf_excludes_stop_words():
    index = index_of(["the court", "the ban", "the ban"])
    assert index.mean_idf() == pytest.approx((math.log(2.5 / 1.5) + math.log(1.5 / 2.5)) / 2)
    assert math.isnan(index_of(["the"]).mean_idf())


def _by_formula(texts, lengths, query, mu) -> dict[int, float]:
    """Return the score of every hit in double precision."""
    total = sum(map(len, texts))
    in_all = Counter(word for text in texts for word in text)
    scores = {}
    for at, text in enumerate(texts):
        if set(text) & set(query):
            scores[at] = 0.0
            for word in query:
                share = (in_all[word] + 1) / (total + 1)
                weight = math.log(1 + text.count(word) / (mu * share)) + math.log(mu / (lengths[at] + mu))
                scores[at] += max(0.0, weight) if word in text else 0.0
    return scores


FIELD_NORMS = (1.0, 1.0, 0.625, 0.5, 0.5, 0.4375, 0.375, 0.375, 0.3125)
"""What Lucene 4 kept for texts of up to eight words, as its explanations print it."""


def _counted(texts, smoothing) -> list[float]:
    """Lengths below nine: only Lucene 4 changes any of them."""
    if smoothing.norms != "lucene4":
        return [len(text) for text in texts]
    return [FIELD_NORMS[len(text)] ** -2 for text in texts]


def _holds(text, phrase) -> bool:
    return any(tuple(text[at : at + len(phrase)]) == phrase for at in range(len(text)))
