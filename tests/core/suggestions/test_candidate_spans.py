"""Candidate spans for suggestions."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.word_coverage import words
from core.domain.study import Text
from core.suggestions.candidate_spans import (
    CONJUNCTIONS,
    candidate_spans,
    clauses,
    overlap_share,
    uncovered_clauses,
)
from core.text.sentences import sentence_spans_of

CONTENT = "Sixty people died, against 212 before. Rooms on the hill stood empty because they were far away."


def text(content, sentences=None):
    return Text("t", "A", content, sentences)


def in_words(content, spans):
    return [content[start:end] for start, end in spans]


def test_a_clause_begins_after_punctuation_and_at_a_conjunction():
    assert in_words(CONTENT, clauses(text(CONTENT))) == [
        "Sixty people died",
        "against 212",
        "before",
        "Rooms on the hill stood empty",
        "because they were far away",
    ]


def test_adjacent_conjunctions_begin_one_clause():
    content = "They left and although late were glad."
    assert in_words(content, clauses(text(content))) == ["They left", "and although late were glad"]


def test_candidates_are_runs_of_a_sentences_clauses():
    assert in_words(CONTENT, candidate_spans(text(CONTENT))) == [
        "Sixty people died",
        "Sixty people died, against 212",
        "Sixty people died, against 212 before",
        "against 212",
        "against 212 before",
        "Rooms on the hill stood empty",
        "Rooms on the hill stood empty because they were far away",
        "because they were far away",
    ]


def test_clauses_end_at_imported_sentence_boundaries():
    content = "storm closed harbour ships waited outside"
    segmented = text(content, ((0, 20), (21, 41)))
    assert in_words(content, clauses(segmented)) == ["storm closed harbour", "ships waited outside"]


def test_a_clause_is_uncovered_until_half_of_its_words_are_marked():
    content = "Old ships waited outside, the storm closed the harbour."
    assert in_words(content, uncovered_clauses(text(content), [(0, 3)])) == [
        "Old ships waited outside",
        "the storm closed the harbour",
    ]
    assert in_words(content, uncovered_clauses(text(content), [(0, 9)])) == ["the storm closed the harbour"]


def test_a_short_clause_is_part_of_the_one_before_it_or_else_of_the_next():
    content = "On Monday, the train left Brennick and Port Ostelle, and it never came back. It rained. Why?"
    assert in_words(content, uncovered_clauses(text(content), [])) == [
        "On Monday, the train left Brennick and Port Ostelle",
        "and it never came back",
        "It rained",
    ]


@given(st.lists(st.sampled_from(("and", "harbour", "storm", "closed", ",", ".", "but")), max_size=20))
def test_every_word_of_a_sentence_is_in_one_clause(chosen):
    content = " ".join(chosen)
    spans = uncovered_clauses(text(content), [])
    for start, end in sentence_spans_of(text(content)):
        inside = [word for word in words(content) if start <= word[0] < end]
        own = [word for word in inside if content[slice(*word)] not in CONJUNCTIONS]
        times = [sum(first <= word[0] < last for first, last in spans) for word in inside]
        assert times == [int(len(own) >= 2)] * len(inside)


def test_a_long_list_is_divided_in_steps_per_word():
    content = ", ".join(["storm"] * 300)
    calls = 0

    def count(_frame, event, _called):
        nonlocal calls
        calls += event == "c_call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        spans = uncovered_clauses(text(content), [])
    finally:
        sys.setprofile(before)
    assert in_words(content, spans) == [content]
    assert calls < 100 * 300


@pytest.mark.parametrize(
    ("one", "other", "share"), [((0, 10), (5, 8), 1.0), ((0, 10), (8, 18), 0.2), ((0, 3), (3, 9), 0.0)]
)
def test_overlap_share_is_relative_to_the_shorter_span(one, other, share):
    assert overlap_share(one, other) == overlap_share(other, one) == pytest.approx(share)


@given(st.lists(st.sampled_from(["ban", "and", "because", ",", ".", "🌉", "cafe\u0301s", "—", "\n", "it's"])))
def test_every_word_is_in_one_clause_and_spans_end_at_words(parts):
    content = " ".join(parts)
    known = words(content)
    actual = clauses(text(content))
    assert [w for w in known if sum(a <= w[0] and w[1] <= b for a, b in actual) != 1] == []
    starts, ends = {start for start, _ in known}, {end for _, end in known}
    for start, end in (*actual, *candidate_spans(text(content))):
        assert start in starts
        assert end in ends
