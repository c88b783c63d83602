"""Agreement of sets and spans."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import jaccard_distance as nltk_jaccard
from nltk.metrics import masi_distance as nltk_masi
from nltk.metrics.agreement import AnnotationTask

from core.agreement.analysis import AgreementOptions, span_agreement
from core.agreement.estimates import BootstrapOptions
from core.agreement.set_values import jaccard_distance, masi_distance, set_alpha
from core.agreement.spans import (
    SpanPair,
    boundary_edits,
    character_overlap,
    exact_overlap,
    unit_boundaries,
    word_overlap,
)

SETS = st.frozensets(st.sampled_from("abcd"), min_size=1)


def between(distance, a, b):
    return float(distance(len(set(a) & set(b)), len(set(a)), len(set(b))))


@pytest.mark.parametrize(
    ("a", "b", "jaccard", "monotonicity"),
    [("ab", "ab", 1, 1), ("ab", "abcd", 1 / 2, 2 / 3), ("ab", "bc", 1 / 3, 1 / 3), ("ab", "cd", 0, 0)],
)
def test_masi_has_the_four_cases_of_the_paper(a, b, jaccard, monotonicity):
    """Passonneau 2006: M is 1 for equal sets, 2/3 for subsets, 1/3 for others that overlap, else 0."""
    assert between(masi_distance, a, b) == pytest.approx(1 - jaccard * monotonicity)
    assert between(jaccard_distance, a, b) == pytest.approx(1 - jaccard)


@given(SETS, SETS)
def test_distances_are_those_of_nltk(a, b):
    assert between(masi_distance, a, b) == pytest.approx(nltk_masi(a, b))
    assert between(jaccard_distance, a, b) == pytest.approx(nltk_jaccard(a, b))
    assert between(masi_distance, a, b) == between(masi_distance, b, a)


@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=12))
def test_alpha_of_sets_is_that_of_nltk(pairs):
    for ours, theirs in ((masi_distance, nltk_masi), (jaccard_distance, nltk_jaccard)):
        found = set_alpha([pairs], ours)
        if len({value for pair in pairs for value in pair}) == 1:
            assert math.isnan(found.value)
            assert found.reason == "both annotators always chose the same set"
            continue
        data = [(who, i, pair[who]) for i, pair in enumerate(pairs) for who in (0, 1)]
        assert found.value == pytest.approx(AnnotationTask(data, distance=theirs).alpha(), abs=1e-9)


def test_alpha_of_sets_of_several_topics_estimates_chance_within_each():
    topics = [
        [(frozenset("a"), frozenset("ab"))],
        [(frozenset("c"), frozenset("c")), (frozenset("d"), frozenset("d"))],
    ]
    together = set_alpha(topics, jaccard_distance)
    # observed: 2 · 1/2; expected: 2 · 1/2 / 1 in the first topic, 2 · 4 / 3 in the second
    assert together.value == pytest.approx(1 - 1 / (1 + 8 / 3))
    assert together.of(np.array([[0.0, 1.0]]))[0] == 1


def positions(masses):
    return np.cumsum(masses)[:-1].tolist()


@pytest.mark.parametrize(
    ("first", "second", "published"),
    [
        ([2, 3, 6], [5, 6], 0.5),
        ([2, 3, 6], [2, 3, 3, 3], 2 / 3),
        ([2, 3, 6], [2, 2, 7], 0.75),
        ([2, 3, 6], [1, 1, 3, 1, 5], 0.5),
    ],
)
def test_boundary_similarity_of_segeval(first, second, published):
    """Values of the tests of SegEval 2.0, Fournier's own implementation; n_t = 2, as segment lengths."""
    assert boundary_edits(positions(first), positions(second)).similarity == pytest.approx(published)
    assert boundary_edits(positions(second), positions(first)).similarity == pytest.approx(published)


PLACES = st.sets(st.integers(0, 8))


@given(PLACES, PLACES)
def test_edits_account_for_every_boundary(first, second):
    edits = boundary_edits(first, second)
    assert 2 * (edits.matches + len(edits.near)) + edits.missing == len(first) + len(second)
    if first or second:
        assert 0 <= edits.similarity <= 1
        assert (edits.similarity == 1) == (first == second)


@given(PLACES, PLACES)
def test_near_misses_are_as_many_as_possible(first, second):
    left, right = first - second, second - first
    pairs = [(a, b) for a in left for b in right if abs(a - b) == 1]
    best = max(
        n
        for n in range(len(pairs) + 1)
        if any(
            len({a for a, _ in chosen}) == len({b for _, b in chosen}) == n
            for chosen in combinations(pairs, n)
        )
    )
    assert len(boundary_edits(first, second).near) == best


TEXT = "the court lifted the ban on bridges"
WORDS = ((0, 3), (4, 9), (10, 16), (17, 20), (21, 24), (25, 27), (28, 35))


def test_spans_are_compared_exactly_by_characters_and_by_words():
    pair = SpanPair(0, (((4, 16),), ((21, 24),)), (((4, 16),), ((17, 24),)), WORDS)
    exact, characters, words = exact_overlap(pair), character_overlap(pair), word_overlap(pair)
    assert (exact.both, exact.first, exact.second, exact.f1) == (1, 2, 2, 0.5)
    assert characters.f1 == pytest.approx(2 * 15 / (15 + 19))
    assert words.f1 == pytest.approx(2 * 3 / (3 + 4))
    starts, ends = unit_boundaries(pair)
    assert (starts.matches, starts.near, starts.missing) == (1, (1,), 0)
    assert ends.similarity == 1


def test_agreement_of_no_spans_is_undefined():
    rows = span_agreement({("A", "B"): [SpanPair(0, (), (), WORDS)]}, 1, "errors", AgreementOptions())
    assert {row.reason for row in rows} == {"neither annotator marked a span"}
    assert all(math.isnan(row.value) for row in rows)


def test_spans_of_many_texts_have_intervals_over_topics():
    pairs = [SpanPair(topic, (((4, 16),),), (((4, 16 if topic % 3 else 9),),), WORDS) for topic in range(9)]
    rows = span_agreement({("A", "B"): pairs}, 9, "errors", AgreementOptions(BootstrapOptions(300)))
    assert rows[0].coefficient == "f1-exact"
    assert rows[0].value == pytest.approx(2 / 3)
    assert all(row.low < row.value < row.high for row in rows)
