"""Noun phrases of texts, found by a spaCy pipeline or, roughly, by rules for English.

Rules that find English noun phrases by function words and endings, without part-of-speech tags.

Words between two function words or punctuation marks form a run. A run is a noun phrase after removing words
that the preceding word marks as a verb (*they* ran, *will* run, *was* shown), adverbs at its ends, and final
words in -ed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Protocol

from core.domain.study import Span, Text
from core.models.nlp.parser import Parser, Phrase
from core.text.sentences import sentence_spans_of
from core.text.tokenization import stop_words

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEFORE_A_VERB = _set(
    """i you he she it we they who which that to will would can could may might must shall should do does did
    not never won't can't don't didn't doesn't couldn't wouldn't"""
)
_BE = _set("be is are was were been being am has have had having get gets got isn't wasn't")
_BEFORE_A_NOUN = _set("a an the this these those my your his her its our their no some any each")
_IS_NO_ADVERB = _set(
    """family reply supply july italy ally rally assembly anomaly monopoly butterfly fly belly bully jelly
    lily early daily weekly monthly yearly elderly friendly likely deadly only"""
)


def phrases_of(content: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """Yield spans of noun phrases in order; none crosses a sentence boundary."""
    for start, end in sentences:
        before, tokens = "", list(_TOKEN.finditer(content, start, end))
        for is_content, run in groupby(tokens, key=lambda token: _is_content(token.group())):
            words = list(run)
            if is_content and (nouns := _nouns([word.group() for word in words], before)):
                yield words[nouns.start].start(), words[nouns.stop - 1].end()
            before = words[-1].group().lower()


def _is_content(token: str) -> bool:
    return token[0].isalnum() and token.lower() not in stop_words() | _BEFORE_A_VERB | _BE | _BEFORE_A_NOUN


def _nouns(words: Sequence[str], before: str) -> range:
    """Return which words of a run form a noun phrase. before: function word or punctuation before the run."""
    first, last = 0, len(words)
    while first < last and _is_adverb(words[first]):
        first += 1
    if before in _BEFORE_A_VERB or (before in _BE and first < last and _is_participle(words[first])):
        first += 1
    while last > first and (_is_adverb(words[last - 1]) or (last > first + 1 and _is_past(words[last - 1]))):
        last -= 1
    return range(first, last)


def _is_adverb(word: str) -> bool:
    lower = word.lower()
    return len(lower) > 4 and lower.endswith("ly") and lower not in _IS_NO_ADVERB and word.islower()


def _is_past(word: str) -> bool:
    return word.lower().endswith("ed")


def _is_participle(word: str) -> bool:
    return word.lower().endswith(("ed", "ing", "en", "wn"))


class PhraseFinder(Protocol):
    """Finds noun phrases in texts."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Phrase, ...]]:
        """Return the noun phrases of each text, in order."""
        ...


class SpacyPhraseFinder:
    """Base noun phrases of a spaCy pipeline; they are not nested."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Phrase, ...]]:
        """Return the noun phrases of each text, in order. Raises InputError if the pipeline has none."""
        return self._parser.noun_phrases(texts)


class RulePhraseFinder:
    """Noun phrases found from English function words and endings."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Phrase, ...]]:
        """Return the noun phrases of each text, in order."""
        return [tuple(_by_rules(text)) for text in texts]


def _by_rules(text: Text) -> Iterator[Phrase]:
    for sentence in sentence_spans_of(text):
        yield from (Phrase(span, sentence) for span in phrases_of(text.content, [sentence]))
