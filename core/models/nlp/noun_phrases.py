"""Noun phrases of texts, found by a spaCy pipeline or, roughly, by rules for English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.domain.study import Text
from core.models.nlp.noun_phrase_rules import phrases_of
from core.models.nlp.parser import Parser, Phrase
from core.text.sentences import sentence_spans_of


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
