"""ROUGE-L (Lin 2004): longest common subsequences with the references, as ROUGE-1.5.5 counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.domain.study import Span, TopicTexts
from core.metrics.base import Array, Tools
from core.metrics.overlap import (
    Overlap,
    OverlapMetric,
    PreparedWords,
    alpha_setting,
    rounding_setting,
    stem_setting,
    stop_words_setting,
    text_setting,
)
from core.metrics.registry import register
from core.tokens import Words


@register
@dataclass(frozen=True)
class RougeL(OverlapMetric):
    """Words in a longest common subsequence of a reference's sentence with any sentence of the summary."""

    name: ClassVar[str] = "rouge-l"
    about: ClassVar[str] = (
        "Words in the same order, sentence by sentence: recall, precision and F of ROUGE-L."
    )
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    usual: ClassVar[tuple[str, ...]] = ("stem=yes",)

    stem: bool = stem_setting()
    stop_words: bool = stop_words_setting()
    text: str = text_setting()
    alpha: float = alpha_setting()
    rounding: str = rounding_setting()

    def prefix(self) -> str:
        return "rouge-l"

    def seconds_per_text(self, tools: Tools) -> float:
        return 5e-4

    def prepare(self, topic: TopicTexts, tools: Tools) -> PreparedWords:
        return self.words_of(topic, tools, by_sentence=True)

    def count(self, prepared: PreparedWords) -> Array:
        stats = [
            [
                (np.count_nonzero(_partners(summary, reference) >= 0), len(reference.ids), len(summary.ids))
                for reference in prepared.references
            ]
            for summary in prepared.summaries
        ]
        shape = (len(prepared.summaries), len(prepared.references), 3)
        return np.array(stats, dtype=np.float64).reshape(shape)

    def overlap(self, prepared: PreparedWords, system: int, reference: int) -> Overlap:
        summary, wanted = prepared.summaries[system], prepared.references[reference]
        matched = [
            (_place(wanted, theirs), _place(summary, int(mine)))
            for theirs, mine in enumerate(_partners(summary, wanted))
            if mine >= 0
        ]
        name = prepared.topic.references[reference].name
        return Overlap(name, matched, len(wanted.ids), len(summary.ids))


def _partners(summary: Words, reference: Words) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    from core.metrics.kernels.lcs import union_lcs

    return union_lcs(reference.ids, reference.sentences, summary.ids, summary.sentences)


def _place(words: Words, at: int) -> Span:
    return int(words.spans[at, 0]), int(words.spans[at, 1])
