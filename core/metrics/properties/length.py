"""Length of a summary in words, sentences or characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Array, Evidence, Explanation, setting
from core.metrics.properties.text_property import PreparedProperty, WordProperty, quoted, words_setting
from core.metrics.registry import register
from core.text.sentences import sentence_spans_of
from core.text.tokenization import TokenizedText


@register
@dataclass(frozen=True)
class Length(WordProperty):
    """Number of words, sentences or characters of a summary; 0 for a text without any.

    Formula:
        unit=words       words of any script, without punctuation
        unit=sentences   sentences with a word: those that the text came with, else a splitter's
        unit=characters  code points without blanks at the ends of the text

    Limits:
        Neither long nor short is better. Recall grows with length, and so may judgements.
    """

    name: ClassVar[str] = "length"
    about: ClassVar[str] = "Number of words, sentences or characters of the summary."
    paper: ClassVar[str] = "Fabbri, Kryściński, McCann, Xiong, Socher & Radev 2021 (SummEval)"
    bibliography: ClassVar[tuple[str, ...]] = ("fabbri-2021-summeval",)
    is_in_summeval: ClassVar[bool] = True
    counts_empty: ClassVar[bool] = True

    unit: str = setting(
        "words", "What is counted.", choices=("words", "sentences", "characters"), title="Unit"
    )
    text: str = words_setting()

    def unused(self) -> dict[str, str]:
        return {"text": "unit=characters"} if self.unit == "characters" else {}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.unit}",)

    def values(self, prepared: PreparedProperty) -> Array:
        pairs = zip(prepared.topic.summaries, prepared.summaries, strict=True)
        match self.unit:
            case "words":
                counts = [len(words.ids) for _, words in pairs]
            case "sentences":
                counts = [len(sentences_with_words(text, words)) for text, words in pairs]
            case _:
                counts = [len(text.content.strip()) for text, _ in pairs]
        return np.array(counts, dtype=np.float64)

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        text, words = prepared.topic.summaries[system], prepared.summaries[system]
        if self.unit == "characters":
            return Explanation(self.measures()[0], value=float(len(text.content.strip())))
        spans = sentences_with_words(text, words)
        starts = words.spans[:, 0]
        counts = [1 if self.unit == "sentences" else _inside(starts, span) for span in spans]
        outside = len(words.ids) - sum(counts) if self.unit == "words" else 0
        leaves = [
            Explanation(
                quoted(text.content, *span),
                value=float(count),
                evidence=(Evidence("summary", text.name, span),),
            )
            for span, count in zip(spans, counts, strict=True)
        ]
        leaves += [Explanation("outside of sentences", value=float(outside))] if outside else []
        return Explanation(self.measures()[0], "sum", children=tuple(leaves))


def sentences_with_words(text: Text, words: TokenizedText) -> list[Span]:
    """Return the sentences of a text in which a word begins."""
    return [span for span in sentence_spans_of(text) if _inside(words.spans[:, 0], span)]


def _inside(starts: NDArray[np.int32], span: Span) -> int:
    """Return the number of words that begin in a range. starts: of words, ascending."""
    first, last = np.searchsorted(starts, span)
    return int(last - first)
