"""Noun phrases of texts, found by a spaCy pipeline or, roughly, by rules for English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.study import Span, Text
from core.models.nlp.noun_phrase_rules import phrases_of
from core.models.nlp.parser import Parser
from core.text.sentences import sentence_spans_of


class PhraseFinder(Protocol):
    """Finds noun phrases in texts."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """Return for each text the spans of its noun phrases, in order."""
        ...


class SpacyPhraseFinder:
    """Base noun phrases of a spaCy pipeline; they are not nested."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """Return the spans of noun phrases per text, in order. Raises InputError if the pipeline has none."""
        return self._parser.noun_phrases(texts)


class RulePhraseFinder:
    """Noun phrases found from English function words and endings."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """Return for each text the spans of its noun phrases, in order."""
        return [tuple(phrases_of(text.content, sentence_spans_of(text))) for text in texts]
