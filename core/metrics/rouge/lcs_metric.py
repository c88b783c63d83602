"""Base class of ROUGE-L and ROUGE-W: common subsequences of sentences, clipped by word counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from core.domain.study import Span, TopicTexts
from core.metrics.base import Array, Resources
from core.metrics.rouge.overlap import PreparedWords, WordOverlapMetric, ratio
from core.text.tokenization import TokenizedText
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.metrics.kernels.lcs import Ints, Texts


@dataclass(frozen=True, slots=True)
class PreparedSequences(PreparedWords):
    """Texts as sequences are sought in them, and as their words are counted; they differ by a byte limit."""

    counted_summaries: tuple[TokenizedText, ...]
    counted_references: tuple[TokenizedText, ...]

    def pair(self, system: int, reference: int) -> PreparedSequences:
        """One summary and one reference alone."""
        return PreparedSequences(
            self.topic,
            self.summaries[system : system + 1],
            self.references[reference : reference + 1],
            self.counted_summaries[system : system + 1],
            self.counted_references[reference : reference + 1],
        )


class LcsMarks(NamedTuple):
    """Words of the references on common subsequences.

    marked, kept: shape (summaries, words of all references), the summary's word or -1; kept: clipped.
    """

    references: Texts
    marked: Ints
    kept: Ints

    def per_reference(self, values: Array) -> Array:
        """Values of words, shape as `kept`, added up for each reference, first word first."""
        summaries, references = len(self.kept), len(self.references.ends) - 1
        text = np.repeat(np.arange(references), np.diff(self.references.ends))
        places = (np.arange(summaries)[:, None] * references + text).ravel()
        sums = np.bincount(places, values.ravel(), summaries * references)
        return sums.reshape(summaries, references).astype(np.float64)


class LcsMetric(WordOverlapMetric):
    """A metric of sentences: their common subsequences count."""

    def marks(self, prepared: PreparedSequences) -> LcsMarks:
        """The words of the references that common subsequences hold."""
        from core.metrics.kernels.lcs import clip_marks, number_words, texts_in_a_row, word_counts

        rows, known = number_words(
            prepared.references, prepared.summaries, prepared.counted_references, prepared.counted_summaries
        )
        references = texts_in_a_row(rows[0], prepared.references)
        marked = self.mark(references, texts_in_a_row(rows[1], prepared.summaries))
        there = word_counts(rows[2], prepared.counted_references, known)
        here = word_counts(rows[3], prepared.counted_summaries, known)
        kept = clip_marks(marked, references, np.minimum(here[:, None], there[None]))
        return LcsMarks(references, marked, kept)

    def mark(self, references: Texts, summaries: Texts) -> Ints:
        """The words on the best common subsequence of each two sentences, as this metric ranks them."""
        raise NotImplementedError

    def prepare(self, topic: TopicTexts, tools: Resources) -> PreparedSequences:
        counted = super().prepare(topic, tools)
        if not self.bytes:
            return PreparedSequences(
                topic, counted.summaries, counted.references, counted.summaries, counted.references
            )
        extent = replace(self.extent(), for_sequences=True)
        summaries, references = (
            self._words_of(texts, extent, tools) for texts in (topic.summaries, topic.references)
        )
        return PreparedSequences(topic, summaries, references, counted.summaries, counted.references)

    def extent(self) -> TextLimit:
        return replace(super().extent(), split="sentences")

    def preference(self, stats: Array) -> Array:
        return ratio(stats[..., 0], stats[..., 1])


def sizes(texts: tuple[TokenizedText, ...]) -> Array:
    """How many words each text has."""
    return np.array([len(words.ids) for words in texts], dtype=np.float64)


def matched_places(marks: LcsMarks, prepared: PreparedSequences) -> list[tuple[Span, Span]]:
    """Of one pair of texts each kept word's place in the reference and in the summary."""
    reference, summary = prepared.references[0], prepared.summaries[0]
    return [
        (_place(reference, there), _place(summary, here))
        for there, here in enumerate(marks.kept[0].tolist())
        if here >= 0
    ]


def sequences_of(prepared: PreparedWords) -> PreparedSequences:
    """What a metric of sequences prepared."""
    return cast(PreparedSequences, prepared)


def _place(words: TokenizedText, at: int) -> Span:
    return int(words.spans[at, 0]), int(words.spans[at, 1])
