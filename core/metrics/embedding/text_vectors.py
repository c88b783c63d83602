"""Base class of metrics that compare texts by the cosine of one vector each (Sun & Nenkova 2019).

A text vector may be the mean or the maximum of its word vectors. Either way the cosine is a sum over the
words of a summary, which gives the contribution of each word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from core.domain.study import Span, Text
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Need,
    Pool,
    Prepared,
    TopicScores,
    setting,
)
from core.metrics.embedding.encoder_metric import pool_references


def against_setting() -> Any:
    return setting(
        "reference",
        "What a summary is compared with: the references, or the documents.",
        choices=("reference", "document"),
        title="Against",
    )


def pooling_setting() -> Any:
    return setting(
        "mean",
        "Several texts: mean or max of the cosines.",
        choices=("mean", "max"),
        title="Pooling",
    )


def joining_setting() -> Any:
    return setting(
        "avg",
        "Text vector: avg = mean of the word vectors, max = maximum in each dimension.",
        choices=("avg", "max"),
        title="Words joined",
    )


def words_setting() -> Any:
    explained = (
        "Use only the first words of each reference or document, separated by spaces; 0 = no "
        "limit. The paper cut documents at 400 and 750 words."
    )
    return setting(0, explained, low=0, title="Word limit")


@dataclass(frozen=True, slots=True)
class PreparedVectors(Prepared):
    """A topic's texts as unit vectors, shape (texts, dimension); an empty text has zeros.

    others: the references or documents that summaries are held against.
    """

    others: tuple[Text, ...]
    summary_vectors: Array
    other_vectors: Array
    notes: Mapping[str, int] = field(default_factory=dict)


class WholeTextMetric(Metric):
    """Mean or greatest cosine of a summary to the references (its one statistic each) or the documents.

    Subclasses declare these fields in the order that signatures show, and say which model they need.
    """

    model: ClassVar[Need]
    against: str
    pooling: str

    def __post_init__(self) -> None:
        super().__post_init__()
        needed = Need.DOCUMENTS if self.against == "document" else Need.REFERENCES
        object.__setattr__(self, "needs", frozenset({needed, self.model}))

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.pooling == "max" else Pool.MEAN

    def score(self, prepared: Prepared) -> TopicScores:
        assert isinstance(prepared, PreparedVectors)
        stats = (prepared.summary_vectors @ prepared.other_vectors.T)[:, :, None]
        values = self.combine(stats, np.ones(stats.shape[1], dtype=np.bool_))
        return TopicScores(values, stats if self.against == "reference" else None, prepared.notes)

    def combine(self, stats: Array, references: Mask) -> Array:
        return pool_references(stats, references, best=self.pooling == "max")

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        assert isinstance(prepared, PreparedVectors)
        children = tuple(self.cosine_trees(prepared, system))
        operator: Literal["max", "mean"] = "max" if self.pooling == "max" else "mean"
        return {
            self.measures()[0]: Explanation(f"{operator} of the {self.against}s", operator, children=children)
        }

    def cosine_trees(self, prepared: PreparedVectors, system: int) -> list[Explanation]:
        """For each reference or document the tree of a summary's cosine with it."""
        cosines = prepared.other_vectors @ prepared.summary_vectors[system]
        return [
            Explanation(text.name, value=cosine, evidence=(self._whole(text, cosine),))
            for text, cosine in zip(prepared.others, cosines.tolist(), strict=True)
        ]

    def _whole(self, text: Text, cosine: float) -> Evidence:
        role: Literal["document", "reference"] = "document" if self.against == "document" else "reference"
        return Evidence(role, text.name, (0, len(text.content)), cosine)


@dataclass(frozen=True, slots=True, eq=False)
class WordVectorsWithSpans:
    """A text's words that have vectors, with their places; vectors: shape (words, dimension).

    names: what they are called, empty = as the text has them; marks beside its words have an empty place.
    """

    spans: tuple[Span, ...]
    vectors: Array
    names: tuple[str, ...] = ()


def unit_rows(vectors: Array) -> Array:
    """Rows brought to length 1, zeros for zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def pool_words(words: Array, joining: str) -> Array:
    """A text's vector of its words', shape (dimension,); zeros where there are none."""
    if not len(words):
        return np.zeros(words.shape[1])
    vector: Array = words.max(axis=0) if joining == "max" else words.mean(axis=0)
    return vector


def word_shares(words: Array, joining: str) -> Array:
    """What each word gives to the text's unit vector, shape (words, dimension); their sum is that vector.

    Of words that have the greatest number of a dimension the first gives it.
    """
    if joining == "max":
        is_greatest = np.zeros(words.shape, dtype=np.bool_)
        is_greatest[words.argmax(axis=0), np.arange(words.shape[1])] = True
        parts = np.where(is_greatest, words, 0.0)
    else:
        parts = words / len(words)
    length = np.linalg.norm(parts.sum(axis=0))
    given: Array = parts / length if length else np.zeros_like(parts)
    return given


def explain_by_words(
    summary: Text, words: WordVectorsWithSpans, joining: str, others: tuple[Text, ...], vectors: Array
) -> list[Explanation]:
    """For each other text the cosine as a sum over the summary's words. vectors: the others', of length 1."""
    if not words.spans:
        return [Explanation(f"{other.name}: the summary has no word with a vector") for other in others]
    added = (word_shares(words.vectors, joining) @ vectors.T).T.tolist()
    return [
        Explanation(other.name, "sum", children=_leaves(summary, words, row))
        for other, row in zip(others, added, strict=True)
    ]


def _leaves(summary: Text, words: WordVectorsWithSpans, added: list[float]) -> tuple[Explanation, ...]:
    names = words.names or tuple(summary.content[slice(*span)] for span in words.spans)
    return tuple(
        Explanation(name, value=value, evidence=_evidence(summary, span, value))
        for name, span, value in zip(names, words.spans, added, strict=True)
    )


def _evidence(summary: Text, span: Span, value: float) -> tuple[Evidence, ...]:
    return (Evidence("summary", summary.name, span, value),) if span[0] < span[1] else ()
