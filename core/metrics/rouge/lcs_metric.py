"""Base class of ROUGE-L and ROUGE-W: common subsequences of sentences, clipped by word counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Array, Resources, noted
from core.metrics.rouge.overlap import PreparedWords, WordOverlapMetric, first_of_equal, ratio
from core.recent import Recent
from core.text.sentences import are_wrapped
from core.text.tokenization import TokenizedText
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.metrics.kernels.lcs import Ints, LcsTexts


@dataclass(frozen=True, slots=True)
class PreparedSequences(PreparedWords):
    """Texts in which subsequences are searched, and in which words are counted.

    They differ only with a byte limit.
    """

    counted_summaries: tuple[TokenizedText, ...]
    counted_references: tuple[TokenizedText, ...]

    def pair(self, system: int, reference: int) -> PreparedSequences:
        """Return one summary and one reference."""
        return PreparedSequences(
            self.topic,
            self.summaries[system : system + 1],
            self.references[reference : reference + 1],
            self.counted_summaries[system : system + 1],
            self.counted_references[reference : reference + 1],
        )


class LcsMarks(NamedTuple):
    """Words of the references on common subsequences.

    marked: shape (summaries, words of all references), index of the matched summary word, -1 = none.
    clipped: same shape, after clipping by word counts.
    """

    references: LcsTexts
    marked: Ints
    clipped: Ints


class LcsMetric(WordOverlapMetric[PreparedSequences]):
    """Base class of metrics that count words on common subsequences of sentences."""

    def notes(self, prepared: PreparedSequences) -> dict[str, int]:
        notes = super().notes(prepared)
        if self.rules[1].split != "sentences":
            return notes
        topic = prepared.topic
        wrapped = _wrapped_texts.get("", (topic,), lambda: _count_wrapped(topic.summaries + topic.references))
        return {**notes, **noted(wrapped_lines=wrapped)}

    def marks(self, prepared: PreparedSequences) -> LcsMarks:
        """Return the words of the references on common subsequences."""
        from core.metrics.kernels.lcs import clip_marks, lcs_input

        texts = lcs_input(
            prepared.summaries, prepared.references, prepared.counted_summaries, prepared.counted_references
        )
        marked = self.mark(texts.references, texts.summaries)
        return LcsMarks(texts.references, marked, clip_marks(marked, texts))

    def mark(self, references: LcsTexts, summaries: LcsTexts) -> Ints:
        """Return the words on the best common subsequence of each pair of sentences."""
        raise NotImplementedError

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSequences:
        extent = self.rules[1]
        counted = searched = self.cut_words(topic, extent, resources)
        if self.bytes:
            searched = self.cut_words(topic, first_of_equal(replace(extent, for_sequences=True)), resources)
        return PreparedSequences(
            topic, searched.summaries, searched.references, counted.summaries, counted.references
        )

    def extent(self) -> TextLimit:
        return replace(super().extent(), split="sentences")

    def preference(self, stats: Array) -> Array:
        return ratio(stats[..., 0], stats[..., 1])


_wrapped_texts = Recent[int](2)


def _count_wrapped(texts: Sequence[Text]) -> int:
    return sum(text.sentence_spans is None and are_wrapped(text.content) for text in texts)


def sizes(texts: tuple[TokenizedText, ...]) -> Array:
    """Return the number of words in each text."""
    return np.array([len(words.ids) for words in texts], dtype=np.float64)


def matched_places(marks: LcsMarks, prepared: PreparedSequences) -> list[tuple[Span, Span]]:
    """Return the spans of each clipped match in the reference and in the summary, for one pair of texts."""
    reference, summary = prepared.references[0], prepared.summaries[0]
    return [
        (_place(reference, there), _place(summary, here))
        for there, here in enumerate(marks.clipped[0].tolist())
        if here >= 0
    ]


def _place(words: TokenizedText, at: int) -> Span:
    return int(words.spans[at, 0]), int(words.spans[at, 1])
