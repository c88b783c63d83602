"""Phrases counted as far as they matter, compared with a plain restatement."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval import array_index as module
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import PhraseSearch
from core.retrieval.protocols import Smoothing
from core.retrieval.queries import keyword_query, text_query
from tests.core.retrieval.made_index import index_of
from tests.core.retrieval.plain_keywords import documents_with, keyword_queries

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)
PHRASES = st.lists(st.lists(st.sampled_from("abcde"), max_size=4).map(tuple), max_size=8)


@pytest.fixture
def in_small_steps(monkeypatch):
    """Searches take one occurrence of the rarest word at a time."""
    monkeypatch.setattr(module, "_FIRST", 1)
    monkeypatch.setattr(module, "_GROWTH", 1)


@pytest.fixture(scope="module", params=["numpy", "compiled"])
def way(request):
    """Count by numpy, as few phrases are, or by the compiled loop."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.COUNT_PHRASES, "pays_off", lambda _: request.param == "compiled")
        yield request.param


@pytest.mark.slow
@given(st.lists(WORDS, max_size=6), PHRASES, st.lists(st.integers(0, 6), min_size=1, max_size=3))
def test_counts_are_exact_up_to_the_limit(way, texts, phrases, limits):
    arrays = index_of([" ".join(text) for text in texts]).arrays
    search = PhraseSearch(arrays)
    exact = [documents_with(arrays, phrase) for phrase in phrases]
    for most in limits:  # in any order: what one search found, the next one knows
        expected = [min(count, most + 1) for count in exact]
        assert search.documents_with(phrases, most).tolist() == expected


def test_a_document_is_counted_once_across_the_steps_of_a_search(way, in_small_steps):
    search = PhraseSearch(index_of(["a b a b x", "b a", "a b"]).arrays)
    assert search.documents_with([("a", "b"), ("b", "a"), ("a", "b", "a")], 9).tolist() == [2, 2, 1]
    assert search.documents_with([("b", "x"), ("x", "b")], 0).tolist() == [1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("factor", [0.0, 0.5, 1.0, 1.3])
def test_keyword_queries_and_their_rankings_equal_the_plain_ones(way, factor):
    drawn = random.Random(7)
    texts = [" ".join(f"w{int(300 ** drawn.random())}" for _ in range(60)) for _ in range(120)]
    index = index_of(texts, Analysis("none"))
    asked = [" ".join(text.split()[:40]) for text in texts[:6]] + ["w1 w1 w2 unknown w1 w2 w1"]
    queries = [text_query(text, index) for text in asked]
    expected = keyword_queries(queries, index, factor)
    actual = keyword_query(queries, index, factor)
    assert actual == expected
    assert any(actual)
    words = [[term.word for term in query] for query in actual]
    plain = [[term.word for term in query] for query in expected]
    assert index.rank(words, 5, Smoothing()) == index.rank(plain, 5, Smoothing())


def test_caches_are_bounded(way, monkeypatch):
    monkeypatch.setattr(module, "_CACHED_WORDS", 2)
    monkeypatch.setattr(module, "_CACHED_PHRASES", 2)
    index = index_of(["a b c d", "b c", "c d"])
    asked = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "b", "c"), ("b", "c")]
    np.testing.assert_array_equal(index.phrase_frequencies(asked), [1, 2, 2, 1, 2])
