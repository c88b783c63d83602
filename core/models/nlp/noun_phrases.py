"""The noun phrases of texts, by a spaCy pipeline or, roughly, by rules for English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.study import Span, Text
from core.models.nlp.noun_phrase_rules import phrases_of
from core.models.nlp.parser import Parser
from core.text.sentences import sentence_spans_of


class PhraseFinder(Protocol):
    """Finds the noun phrases of texts."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """For each text the spans of its noun phrases, in order."""
        ...


class SpacyPhraseFinder:
    """A pipeline's base noun phrases, which hold no other."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """For each text the spans of its noun phrases, in order. Raises InputError where it finds none."""
        return self._parser.noun_phrases(texts)


class RulePhraseFinder:
    """Function words and endings of English tell where noun phrases are."""

    def phrases(self, texts: Sequence[Text]) -> list[tuple[Span, ...]]:
        """For each text the spans of its noun phrases, in order."""
        return [tuple(phrases_of(text.content, sentence_spans_of(text))) for text in texts]
