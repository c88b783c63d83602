"""Luhn's summarizer: clusters of significant words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Source


@register
@dataclass(frozen=True)
class Luhn(TermSummarizer):
    """Sentences with the densest clusters of significant words.

    Significant words are frequent words that are no stop words. A cluster begins and ends with significant
    words, with at most `gap` other words between two of them, and has at least two. A sentence scores the
    highest (significant words)² / (all words) of its clusters. Luhn gives no frequency; 2 is usual.

    Formula:
        score = largest (significant words)² / (all words) of the sentence's clusters

    Limits:
        Repeats what is frequent: nothing keeps sentences of the same content apart.
    """

    name: ClassVar[str] = "luhn"
    about: ClassVar[str] = "Sentences with the densest clusters of frequent words."
    paper: ClassVar[str] = "Luhn 1958"
    bibliography: ClassVar[tuple[str, ...]] = ("luhn-1958-abstracts",)

    frequency: int = setting(2, "Least frequency of a significant word.", low=1, title="Frequency")
    gap: int = setting(4, "Most other words between two significant ones.", low=0, title="Gap")

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences by score; equal ones by position."""
        frequent = {
            term
            for term, count in zip(source.vocabulary, source.frequencies, strict=True)
            if count >= self.frequency
        }
        scores = [self._score([word in frequent for word in sentence.words]) for sentence in source.sentences]
        return sorted(range(len(scores)), key=lambda i: -scores[i])

    def _score(self, is_significant: Sequence[bool]) -> float:
        places = [place for place, significant in enumerate(is_significant) if significant]
        best, begin = 0.0, 0
        for end, place in enumerate(places):
            is_last = end + 1 == len(places) or places[end + 1] - place > self.gap + 1
            if is_last:
                count = end - begin + 1
                best = max(best, count**2 / (place - places[begin] + 1) if count > 1 else 0.0)
                begin = end + 1
        return best
