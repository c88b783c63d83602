"""Rankings compared with Lucene's, stored in tests/reference/lucene."""

from __future__ import annotations

import json

import pytest

from core.retrieval.analysis import Analysis
from core.retrieval.protocols import Smoothing
from tests.benchmarks.retrieval import LIMIT, PLAIN, REFERENCE, index_of, made_case, summeval


def ranked(index, queries, limit, mu):
    actual = index.rank(queries, limit, Smoothing(mu))
    return [[(int(hit.document), hit.score) for hit in hits] for hits in actual]


def same(ours, theirs):
    """Return whether lists have the same documents in the same order, with scores equal to a millionth."""
    assert [[at for at, _ in hits] for hits in ours] == [[at for at, _ in hits] for hits in theirs]
    scores = [[score for hits in side for _, score in hits] for side in (ours, theirs)]
    return scores[0] == pytest.approx(scores[1], rel=2e-7, abs=1e-6)


@pytest.mark.slow
def test_random_documents_rank_as_by_lucene_8():
    texts, queries = made_case()
    index = index_of(texts, PLAIN)
    for mu, theirs in json.loads((REFERENCE / "made.json").read_text(encoding="utf-8")).items():
        assert same(ranked(index, queries, LIMIT, float(mu)), theirs)


@pytest.mark.slow
def test_other_length_norms_change_the_ranking():
    texts, queries = made_case()
    index = index_of(texts, PLAIN)
    by_norms = [
        index.rank(queries, LIMIT, Smoothing(50.0, norms)) for norms in ("lucene7", "lucene4", "exact")
    ]
    assert by_norms[0] != by_norms[1] != by_norms[2] != by_norms[0]


@pytest.mark.slow
@pytest.mark.data
def test_the_articles_of_summeval_rank_as_by_lucene_8(shared_data):
    articles, texts = summeval()
    index = index_of(list(articles), Analysis())
    queries = [Analysis().words(text) for text in texts[::27]]
    for mu, theirs in json.loads((REFERENCE / "summeval.json").read_text(encoding="utf-8")).items():
        assert len(theirs) == 100
        assert same(ranked(index, queries, 10, float(mu)), theirs)
