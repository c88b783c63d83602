"""Queries from a text: all its words, those of its noun phrases, or its keywords.

Cohan & Goharian 2016. Numbers, and stop words if the index drops them, are never part of a query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from core.domain.study import Span
from core.retrieval.analysis import Term
from core.retrieval.protocols import CountsRarePhrases, SearchIndex, idf

MAX_KEYWORD_WORDS = 3
"""Maximum number of words in a keyword."""

Query = tuple[Term, ...]
Phrase = tuple[str, ...]


def text_query(content: str, index: SearchIndex) -> Query:
    """Return a text's words without numbers."""
    return tuple(term for term in index.analysis.terms(content) if not term.word.isdecimal())


def noun_phrase_query(query: Query, spans: Iterable[Span]) -> Query:
    """Return the words within any of the spans, e.g. noun phrases."""
    inside = sorted(spans)
    return tuple(
        term for term in query if any(start <= term.span[0] and term.span[1] <= end for start, end in inside)
    )


def keyword_query(queries: Sequence[Query], index: SearchIndex, factor: float = 1.0) -> list[Query]:
    """Return, for each text, the words within a keyword.

    A keyword is one to three consecutive words that some document contains and whose idf is more than
    `factor` times the mean over the index's words.
    """
    least = index.mean_idf() * factor
    selected: list[set[int]] = [set() for _ in queries]
    absent: set[Phrase] = set()
    most = _most_documents(index, least)
    for length in range(1, MAX_KEYWORD_WORDS + 1):
        # counting phrases is slow: skip those that cannot add a word
        rows = [
            (places, phrase, range(place, place + length))
            for query, places in zip(queries, selected, strict=True)
            for phrase, place in _phrases(query, length)
            if not (places.issuperset(range(place, place + length)) or _has(phrase, absent))
        ]
        rarities = _rarities({phrase for _, phrase, _ in rows}, index, most)
        absent |= {phrase for phrase, rarity in rarities.items() if rarity is None}
        for places, phrase, inside in rows:
            rarity = rarities[phrase]
            if rarity is not None and rarity > least:
                places.update(inside)
    return [_at(query, places) for query, places in zip(queries, selected, strict=True)]


def _most_documents(index: SearchIndex, least: float) -> int:
    """Return the largest number of documents whose idf is above `least`, 0 = none is."""
    above = np.flatnonzero(idf(np.arange(index.documents + 1), index.documents)[1:] > least)
    return int(above[-1]) + 1 if len(above) else 0


def _rarities(phrases: Collection[Phrase], index: SearchIndex, most: int) -> dict[Phrase, float | None]:
    """Return the idf of phrases of one length, None if no document contains them.

    most: documents above which only that they are more matters.
    """
    listed = sorted(phrases)
    if all(len(phrase) == 1 for phrase in listed):
        counts = index.document_frequencies([phrase[0] for phrase in listed])
    elif isinstance(index, CountsRarePhrases):
        counts = index.rare_phrase_frequencies(listed, most)
    else:
        counts = index.phrase_frequencies(listed)
    rows = zip(listed, counts.tolist(), idf(counts, index.documents).tolist(), strict=True)
    return {phrase: rarity if count else None for phrase, count, rarity in rows}


def _phrases(query: Query, length: int) -> Iterator[tuple[Phrase, int]]:
    """Yield runs of `length` consecutive words, each with the place of its first word."""
    words, places = [term.word for term in query], [term.place for term in query]
    for at in range(len(query) - length + 1):
        if places[at + length - 1] - places[at] == length - 1:
            yield tuple(words[at : at + length]), places[at]


def _has(phrase: Phrase, absent: Collection[Phrase]) -> bool:
    """Return whether a phrase one word shorter within a phrase is absent, so that it is absent too."""
    return len(phrase) > 1 and (phrase[1:] in absent or phrase[:-1] in absent)


def _at(query: Query, places: Collection[int]) -> Query:
    return tuple(term for term in query if term.place in places)
