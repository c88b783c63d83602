"""What a text asks of an index: all its words, those of its noun phrases, or its keywords.

Cohan & Goharian 2016. Numbers and stop words, where the index drops these, are no part of any query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from core.domain.study import Span
from core.retrieval.analysis import Term
from core.retrieval.ports import SearchIndex, idf

LONGEST = 3
"""Words of the longest expression that may be a keyword."""

Query = tuple[Term, ...]
Phrase = tuple[str, ...]


def plain(content: str, index: SearchIndex) -> Query:
    """A text's words without numbers."""
    return tuple(term for term in index.analysis.terms(content) if not term.word.isdecimal())


def within(query: Query, spans: Iterable[Span]) -> Query:
    """The words that lie in any of the spans, as in noun phrases."""
    inside = sorted(spans)
    return tuple(
        term for term in query if any(start <= term.span[0] and term.span[1] <= end for start, end in inside)
    )


def keywords(queries: Sequence[Query], index: SearchIndex, factor: float = 1.0) -> list[Query]:
    """For each text the words that lie in a keyword.

    A keyword is one to three words in a row, with nothing between, that some document has and whose idf is
    above so many times the mean over the index's words.
    """
    least = index.mean_idf() * factor
    alone = {(term.word,) for query in queries for term in query}
    rare = _rarer(alone, index, least)
    # only what may bring in another word need be counted: phrases cost more than words
    asked = {phrase for query in queries for phrase, terms in _phrases(query) if not _are_in(terms, rare)}
    rare |= _rarer(asked, index, least)
    return [_covered(query, rare) for query in queries]


def _rarer(phrases: Collection[Phrase], index: SearchIndex, least: float) -> set[Phrase]:
    """The phrases that some document has and whose idf is above the least."""
    listed = sorted(phrases)
    if all(len(phrase) == 1 for phrase in listed):
        counts = index.document_frequencies([phrase[0] for phrase in listed])
    else:
        counts = index.phrase_frequencies(listed)
    is_rare = (counts > 0) & (idf(counts, index.documents) > least)
    return {phrase for phrase, rare in zip(listed, is_rare, strict=True) if rare}


def _phrases(query: Query) -> Iterator[tuple[Phrase, Query]]:
    """Every two and three words that follow each other."""
    for length in range(2, LONGEST + 1):
        for at in range(len(query) - length + 1):
            terms = query[at : at + length]
            if terms[-1].place - terms[0].place == length - 1:
                yield tuple(term.word for term in terms), terms


def _are_in(terms: Query, rare: Collection[Phrase]) -> bool:
    return all((term.word,) in rare for term in terms)


def _covered(query: Query, rare: Collection[Phrase]) -> Query:
    kept = {term.place for term in query if (term.word,) in rare}
    kept.update(term.place for phrase, terms in _phrases(query) if phrase in rare for term in terms)
    return tuple(term for term in query if term.place in kept)
