"""Rankings that skip postings compared with those that sum over all of them: equal to the last digit."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jit import Kernel
from core.retrieval import impact_ranker, top_documents
from core.retrieval.dirichlet import DirichletRanker
from core.retrieval.protocols import Smoothing
from tests.benchmarks.retrieval import PLAIN, made_case
from tests.core.retrieval.made_index import index_of

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=12)
SMOOTHINGS = st.builds(
    Smoothing, st.sampled_from([0.5, 20.0, 2000.0]), st.sampled_from(["lucene7", "lucene4", "exact"])
)


@pytest.fixture(autouse=True, scope="module")
def _plain_loops():
    """Run the loops as they are, without the compiler, in blocks so small that every branch is taken."""
    with pytest.MonkeyPatch.context() as patch:
        for kernel, loop in (
            ("FIND_WORDS", top_documents.find_words),
            ("HIGHEST_FREQUENCIES", top_documents.highest_frequencies),
            ("FILL_IMPACTS", top_documents.fill_impacts),
            ("SELECT", top_documents.select),
        ):
            patch.setattr(impact_ranker, kernel, lambda *arrays, steps, loop=loop: loop(*arrays))
        patch.setattr(top_documents, "BLOCK", 4)
        patch.setattr(top_documents, "SEEDS", 6)
        patch.setattr(top_documents, "PEAKS", 3)
        yield


def _both(index, smoothing):
    ranker = DirichletRanker(index.arrays, smoothing)
    return ranker._rank_all, ranker._compiled_ranker().rank


def _assert_equal(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.dtype.kind == other.dtype.kind
        assert mine.tolist() == other.tolist()


@pytest.mark.slow
@given(st.lists(WORDS, min_size=1, max_size=14), st.lists(WORDS, min_size=1, max_size=3), SMOOTHINGS)
def test_skipping_changes_no_digit(texts, queries, smoothing):
    summed, skipping = _both(index_of([" ".join(words) for words in texts]), smoothing)
    for query in [*queries, ["a", "absent"]]:
        for limit in (0, 1, 2, 5, 99):
            _assert_equal(skipping(query, limit), summed(query, limit))


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", [Smoothing(), Smoothing(50.0, "lucene4"), Smoothing(5.0, "exact")])
def test_skipping_changes_no_digit_on_longer_texts(smoothing):
    texts, queries = made_case()
    summed, skipping = _both(index_of(texts, PLAIN), smoothing)
    for query in queries[:8]:
        _assert_equal(skipping(query, 5), summed(query, 5))


class _Read(np.ndarray):
    """Postings that count how many of them are read as parts."""

    postings = 0

    def __getitem__(self, at):
        if isinstance(at, slice):
            _Read.postings += at.stop - at.start
        return super().__getitem__(at)


def test_frequent_words_are_not_read(monkeypatch):
    drawn = random.Random(3)
    texts = [" ".join(["often"] * drawn.randint(1, 3) + ["x"] * 5) for _ in range(400)]
    for at in range(0, 400, 40):
        texts[at] = f"rare rarer {texts[at]}" if at % 80 else f"rare {texts[at]}"
    summed, skipping = _both(index_of(texts), Smoothing())

    def counting(documents, *arrays, steps):
        top_documents.select(documents.view(_Read), *arrays)

    monkeypatch.setattr(impact_ranker, "SELECT", counting)
    _assert_equal(skipping(["often", "rare", "rarer"], 3), summed(["often", "rare", "rarer"], 3))
    assert _Read.postings <= 10 + 5  # those of rare and rarer, and none of the 400 of often


def test_cached_impacts_are_replaced_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(impact_ranker, "CACHED_POSTINGS", 5)
    summed, skipping = _both(index_of(["a b c", "a b", "a d", "b c d"]), Smoothing())
    for query in (["a", "b"], ["c", "d"], ["a", "d"], ["a", "b", "c", "d"], ["a", "b"]):
        _assert_equal(skipping(query, 3), summed(query, 3))


def test_words_are_found_by_their_bytes():
    words = ["a", "ab", "b", "ä", "橋", "\ud800", "z" * 300]
    index = index_of([" ".join(words[:5]), words[6]])
    ranker = DirichletRanker(index.arrays, Smoothing())._compiled_ranker()
    targets = [*words, "", "aba", "y", "zz", "橋橋"]
    assert ranker._numbers(targets).tolist() == [index.arrays.number(word) for word in targets]


def test_compiled_loops_take_over_when_they_pay_off(monkeypatch):
    index = index_of(["a b", "b c", "b"] * 20)
    monkeypatch.setattr("core.jit.COMPILE_THRESHOLD", 20)
    monkeypatch.setattr(Kernel, "interpreted_steps", 0)
    select = Kernel(top_documents.select)
    monkeypatch.setattr(select, "_is_cached", False, raising=False)
    monkeypatch.setattr(impact_ranker.SELECT, "pays_off", select.pays_off, raising=False)
    ranker = DirichletRanker(index.arrays, Smoothing())
    before = ranker.rank(["a", "b"], 4)
    while ranker._compiled is None:
        after = ranker.rank(["a", "b"], 4)
    _assert_equal(after, before)
    assert np.all(np.diff(after[1]) <= 0)
