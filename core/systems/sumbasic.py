"""SumBasic: sentences of probable words, whose probability falls once they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Source


@register
@dataclass(frozen=True)
class SumBasic(TermSummarizer):
    """Sentences with the highest mean probability of their words.

    The probability of a word is its share of all words that count. With `choice=word` only sentences with the
    most probable word are considered, as in the paper's step 3. Then the probability of each word of the
    chosen sentence is squared.

    Formula:
        score    = mean probability of the sentence's words
        update   = p(w) ← p(w)² for the words of a chosen sentence

    Limits:
        Prefers short sentences of frequent words.
    """

    name: ClassVar[str] = "sumbasic"
    about: ClassVar[str] = "Sentences with the most probable words, without repeating them."
    paper: ClassVar[str] = "Vanderwende, Suzuki, Brockett & Nenkova 2007"
    bibliography: ClassVar[tuple[str, ...]] = ("vanderwende-2007-sumbasic",)

    choice: str = setting(
        "word",
        "word: the best sentence with the most probable word; sentence: the best sentence.",
        choices=("word", "sentence"),
        title="Choice",
    )

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        total = source.frequencies.sum()
        if not total:
            return
        probability = source.frequencies / total
        counts = source.counts
        lengths = np.asarray(counts.sum(axis=1)).ravel()
        remaining = lengths > 0
        columns = counts.tocsc()
        while remaining.any():
            mean = np.divide(counts @ probability, lengths, out=np.zeros_like(lengths), where=lengths > 0)
            candidates = remaining.copy()
            if self.choice == "word":
                present = np.asarray(counts[remaining].sum(axis=0)).ravel() > 0
                word = int(np.argmax(np.where(present, probability, -1.0)))
                with_word = np.zeros(len(lengths), dtype=bool)
                with_word[columns.indices[columns.indptr[word] : columns.indptr[word + 1]]] = True
                candidates &= with_word
            best = int(np.argmax(np.where(candidates, mean, -1.0)))
            yield best
            remaining[best] = False
            used = counts.indices[counts.indptr[best] : counts.indptr[best + 1]]
            probability[used] **= 2
