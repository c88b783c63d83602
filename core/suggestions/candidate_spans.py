"""Candidate spans of a text: clauses, runs of consecutive clauses, sentences.

No parser is needed: a clause begins after punctuation and at a conjunction or relative pronoun.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from core.annotation.word_coverage import coverage, words
from core.domain.study import Span, Text
from core.text.sentences import sentence_spans_of

_JOINING = (
    *("after", "although", "and", "as", "because", "before", "but", "if", "nor", "or", "since", "so", "than"),
    *("that", "though", "unless", "until", "when", "where", "whereas", "which", "while", "who", "whom"),
    *("whose", "yet"),
)
CONJUNCTIONS = frozenset(_JOINING)
"""English words that begin a clause, or another member of a list."""

LINKING_WORDS = frozenset(
    ("although", "and", "because", "but", "nor", "or", "that", "though", "whereas", "while", "yet")
)
"""Conjunctions that have no role of their own within the clause they begin."""

MIN_WORDS, MAX_WORDS = 2, 40
COVERED_SHARE = 0.5
"""Minimum share of covered words at which a span counts as covered."""


@lru_cache(maxsize=256)
def clauses(text: Text) -> tuple[Span, ...]:
    """Return a text's clauses in order, from their first to their last word; every word is in one."""
    return tuple(clause for sentence in _sentences(text) for clause in _clauses(text.content, sentence))


@lru_cache(maxsize=256)
def candidate_spans(text: Text) -> tuple[Span, ...]:
    """Return every run of a sentence's clauses with 2 to 40 words, in text order."""
    return tuple(
        span
        for sentence in _sentences(text)
        for span in _runs(_clauses(text.content, sentence))
        if MIN_WORDS <= len(_inside(sentence, span)) <= MAX_WORDS
    )


def uncovered_clauses(text: Text, covered: Sequence[Span], min_words: int = 3) -> tuple[Span, ...]:
    """Return the clauses with less than half of their words covered; sentences of one word have none.

    min_words: a clause with fewer words that are not conjunctions is part of the one before it in its
    sentence, the first one of that after it, so that no other word is left out.
    """
    return tuple(
        _span(clause)
        for sentence in _sentences(text)
        for clause in _whole_clauses(text.content, sentence, min_words)
        if coverage(clause, covered) < COVERED_SHARE
    )


def _whole_clauses(content: str, sentence: Sequence[Span], min_words: int) -> list[list[Span]]:
    """Return the words of each clause of a sentence, where short ones are part of others."""
    joined: list[list[Span]] = []
    own: list[int] = []
    for clause in _divided(content, sentence):
        count = sum(content[start:end].casefold() not in CONJUNCTIONS for start, end in clause)
        if joined and min(own[-1], count) < min_words:
            joined[-1] += clause
            own[-1] += count
        else:
            joined.append([*clause])
            own.append(count)
    return [clause for clause, count in zip(joined, own, strict=True) if count >= MIN_WORDS]


def _inside(sentence: Sequence[Span], span: Span) -> list[Span]:
    return [word for word in sentence if span[0] <= word[0] < span[1]]


def overlap_share(one: Span, other: Span) -> float:
    """Return the share of the shorter span that the other one covers, in [0, 1]."""
    both = min(one[1], other[1]) - max(one[0], other[0])
    return max(0, both) / max(1, min(one[1] - one[0], other[1] - other[0]))


def _sentences(text: Text) -> Iterator[tuple[Span, ...]]:
    """Yield the words of each non-empty sentence."""
    known = words(text.content)
    for start, end in sentence_spans_of(text):
        first, last = (bisect_left(known, at, key=lambda word: word[0]) for at in (start, end))
        if first < last:
            yield known[first:last]


def _clauses(content: str, sentence: Sequence[Span]) -> list[Span]:
    return [_span(clause) for clause in _divided(content, sentence)]


def _divided(content: str, sentence: Sequence[Span]) -> list[Sequence[Span]]:
    """Return the words of each clause of a sentence."""
    begins = [
        at for at in range(len(sentence)) if at == 0 or _begins(content, sentence[at - 1], sentence[at])
    ]
    return [sentence[begin:end] for begin, end in pairwise([*begins, len(sentence)])]


def _span(clause: Sequence[Span]) -> Span:
    return clause[0][0], clause[-1][1]


def _begins(content: str, before: Span, word: Span) -> bool:
    """Return whether a clause begins at a word: after punctuation or at the first conjunction."""
    joins = [content[start:end].casefold() in CONJUNCTIONS for start, end in (before, word)]
    return bool(content[before[1] : word[0]].strip()) or joins == [False, True]


def _runs(spans_: Sequence[Span]) -> Iterator[Span]:
    for first, (start, _) in enumerate(spans_):
        for _, end in spans_[first:]:
            yield start, end
