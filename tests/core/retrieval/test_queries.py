"""Queries made from texts."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.analysis import Analysis
from core.retrieval.queries import keyword_query, noun_phrase_query, text_query
from tests.core.retrieval.made_index import index_of

WORDS = st.lists(st.sampled_from("abcdef"), max_size=8)


def words(query):
    return [term.word for term in query]


def test_queries_contain_all_words_but_numbers_and_stop_words():
    index = index_of([""], Analysis())
    assert words(text_query("In 2014 the courts banned 30 bridges and 4th graders", index)) == [
        "court", "ban", "bridg", "4th", "grader",
    ]  # fmt: skip


def test_words_within_phrases_are_kept():
    text = "old bridge fell on a dog"
    query = text_query(text, index_of([""]))
    assert words(noun_phrase_query(query, [(0, 10), (19, 24)])) == ["old", "bridge", "a", "dog"]
    assert noun_phrase_query(query, [(1, 10)]) == query[1:2]  # a word that is cut does not count


def test_keywords_are_worked_by_hand():
    index = index_of(["court ban", "court storm", "court bridge", "ban bridge court", "court ban"])
    # five documents: court in 5, ban in 3, bridge in 2, storm in 1;
    # idf: court ln(.5/5.5) = -2.4, ban ln(2.5/3.5) = -.34, bridge .34, storm ln(4.5/1.5) = 1.1; mean -.32
    (query,) = keyword_query([text_query("court x ban x storm bridge", index)], index)
    assert words(query) == ["storm", "bridge"]
    # one document has "ban bridge": its idf of 1.1 brings ban in; nothing brings court in
    (query,) = keyword_query([text_query("court x ban bridge", index)], index)
    assert words(query) == ["ban", "bridge"]


def test_a_higher_threshold_keeps_fewer_words():
    index = index_of(["court ban", "storm", "bridge", "ban bridge", "dog"])
    actual = [
        len(keyword_query([text_query("court ban storm", index)], index, factor)[0])
        for factor in (0.0, 1.0, 3.0)
    ]
    assert actual == sorted(actual, reverse=True)
    assert actual[-1] == 0


@pytest.mark.slow
@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=3))
def test_keywords_equal_those_of_all_expressions(texts, query_texts):
    index = index_of([" ".join(text) for text in texts])
    queries = [text_query(" ".join(text), index) for text in query_texts]
    least = index.mean_idf()
    for query, actual in zip(queries, keyword_query(queries, index), strict=True):
        places = set()
        for length in (1, 2, 3):
            for at in range(len(query) - length + 1):
                phrase = tuple(words(query[at : at + length]))
                count = index.phrase_frequencies([phrase])[0]
                if count and _idf(count, len(texts)) > least:
                    places |= set(range(at, at + length))
        assert [term.place for term in actual] == sorted(query[at].place for at in places)


def _idf(n, documents):
    return log((documents - n + 0.5) / (n + 0.5))
