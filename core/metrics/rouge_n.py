"""ROUGE-N (Lin 2004): n-grams shared with the references, as ROUGE-1.5.5 counts them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.domain.study import Span, TopicTexts
from core.metrics.base import Array, Tools, setting
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
class RougeN(OverlapMetric):
    """Shared n-grams, each counted at most as often as the reference holds it; they cross sentences."""

    name: ClassVar[str] = "rouge-n"
    about: ClassVar[str] = (
        "Shared n-grams with the references: recall, precision and F of ROUGE-1 to ROUGE-9."
    )
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    usual: ClassVar[tuple[str, ...]] = ("n=1,stem=yes", "n=2,stem=yes")

    n: int = setting(2, "Length of the n-grams in words.", low=1, high=9, title="N")
    stem: bool = stem_setting()
    stop_words: bool = stop_words_setting()
    text: str = text_setting()
    alpha: float = alpha_setting()
    rounding: str = rounding_setting()

    def prefix(self) -> str:
        return f"rouge-{self.n}"

    def prepare(self, topic: TopicTexts, tools: Tools) -> PreparedWords:
        return self.words_of(topic, tools, by_sentence=False)

    def count(self, prepared: PreparedWords) -> Array:
        from core.metrics.kernels.grams import matched_grams, number_grams

        texts = [words.ids for words in (*prepared.summaries, *prepared.references)]
        grams, total = number_grams(texts, self.n)
        summaries, references = grams[: len(prepared.summaries)], grams[len(prepared.summaries) :]
        matched = matched_grams(summaries, references, total)
        wanted = np.broadcast_to([float(len(each)) for each in references], matched.shape)
        offered = np.broadcast_to([[float(len(each))] for each in summaries], matched.shape)
        return np.stack([matched, wanted, offered], axis=-1)

    def overlap(self, prepared: PreparedWords, system: int, reference: int) -> Overlap:
        summary, wanted = prepared.summaries[system], prepared.references[reference]
        places: dict[bytes, list[Span]] = defaultdict(list)
        offered = _grams(summary, self.n)
        for gram, span in reversed(offered):
            places[gram].append(span)
        theirs = _grams(wanted, self.n)
        matched = [(span, places[gram].pop()) for gram, span in theirs if places[gram]]
        return Overlap(prepared.topic.references[reference].name, matched, len(theirs), len(offered))


def _grams(words: Words, n: int) -> list[tuple[bytes, Span]]:
    """A text's n-grams in order, each with its place."""
    return [
        (words.ids[i : i + n].tobytes(), (int(words.spans[i, 0]), int(words.spans[i + n - 1, 1])))
        for i in range(len(words.ids) - n + 1)
    ]
