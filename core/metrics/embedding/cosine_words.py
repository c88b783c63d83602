"""Cosine of texts by averaged or max-pooled word vectors (Sun & Nenkova 2019).

Words without a vector are skipped and noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Explanation, Need, Resources, setting
from core.metrics.base.word_vectors import unknown_word_shares, word_vector_signature
from core.metrics.embedding.text_vectors import (
    PreparedVectors,
    WholeTextMetric,
    WordVectorsWithSpans,
    against_setting,
    explain_by_words,
    joining_setting,
    pool_words,
    pooling_setting,
    unit_rows,
    words_setting,
)
from core.metrics.registry import register
from core.metrics.rouge.rouge_settings import stop_words_setting
from core.models.encoders.word_vectors import find_vectors
from core.text.tokenization import TokenizerSettings
from core.text.truncation import TextLimit

Placed = list[tuple[str, Span]]
"""Words of a text as looked up, with their spans."""


@dataclass(frozen=True, slots=True)
class PreparedWords(PreparedVectors):
    """Vectors of a topic's texts, and the words of each summary that have vectors."""

    summary_words: tuple[WordVectorsWithSpans, ...] = ()


@register
@dataclass(frozen=True)
class CosineOfWords(WholeTextMetric[PreparedWords]):
    """Cosine of vectors pooled from word vectors; a text without known words has the cosine 0.

    Formula:
        text   = mean (avg) or elementwise maximum (max) of its words' vectors
        score  = mean (or largest value) of the cosines with the references or documents

    Limits:
        Cosines of different encoders, layers or windows are not comparable, and neither are their absolute
        values: only the order of summaries is meaningful. The order of words is ignored, and words without
        a vector are skipped.
    """

    name: ClassVar[str] = "cosine-words"
    family: ClassVar[str] = "Embeddings"
    about: ClassVar[str] = "Cosine similarity of pooled static word vectors."
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.WORD_VECTORS})
    default_configs: ClassVar[tuple[str, ...]] = ("joining=avg", "joining=max")
    model: ClassVar[Need] = Need.WORD_VECTORS
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"vectors": ("google-news",)}

    vectors: str = setting(
        "minilm",
        "Word vectors: a file in word2vec, GloVe or fastText format, or an encoder, whose "
        "input embeddings are used; minilm is installed with the program and replaces the "
        "vectors used in the paper.",
        title="Word vectors",
    )
    joining: str = joining_setting()
    against: str = against_setting()
    pooling: str = pooling_setting()
    words: int = words_setting()
    case: str = setting(
        "kept",
        "Look up words as written, or in lower case, which some vector files require.",
        choices=("kept", "lower"),
        title="Capitals",
    )
    stop_words: bool = stop_words_setting()

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}-{self.joining}.{self.pooling}",)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        return word_vector_signature(self.vectors, resources)

    def check(self, resources: Resources) -> None:
        find_vectors(self.vectors)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return unknown_word_shares(texts, self.vectors, resources, lower=self.case == "lower")

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedWords:
        others = topic.documents if self.against == "document" else topic.references
        placed = [self._placed(text, resources, TextLimit()) for text in topic.summaries]
        placed += [self._placed(text, resources, TextLimit(words=self.words)) for text in others]
        texts, unknown = _look_up(placed, self.vectors, resources)
        vectors = unit_rows(np.stack([pool_words(text.vectors, self.joining) for text in texts]))
        count = len(topic.summaries)
        notes = {"unknown_words": unknown} if unknown else {}
        return PreparedWords(topic, others, vectors[:count], vectors[count:], notes, tuple(texts[:count]))

    def cosine_trees(self, prepared: PreparedWords, system: int) -> list[Explanation]:
        words, summary = prepared.summary_words[system], prepared.topic.summaries[system]
        return explain_by_words(summary, words, self.joining, prepared.others, prepared.other_vectors)

    def _placed(self, text: Text, resources: Resources, extent: TextLimit) -> Placed:
        cut = TokenizerSettings("unicode", drop_stop_words=self.stop_words)
        spans: list[list[int]] = resources.words(text, cut, extent).spans.tolist()
        written = [(text.content[a:b], (a, b)) for a, b in spans]
        return [(word.lower(), span) for word, span in written] if self.case == "lower" else written


def _look_up(texts: list[Placed], name: str, resources: Resources) -> tuple[list[WordVectorsWithSpans], int]:
    """Return each text's words that have vectors, and the number of texts with words without one."""
    words = sorted({word for text in texts for word, _ in text})
    lookup = resources.word_vectors(name).of(words)
    rows = {word: row for row, word in enumerate(words)}
    placed = []
    for text in texts:
        known = [(rows[word], span) for word, span in text if lookup.is_known[rows[word]]]
        vectors = lookup.vectors[np.array([row for row, _ in known], dtype=np.int64)]
        placed.append(WordVectorsWithSpans(tuple(span for _, span in known), vectors))
    unknown = sum(len(one.spans) < len(text) for one, text in zip(placed, texts, strict=True))
    return placed, unknown
