"""Base class of metrics that compare texts by the cosine of one vector each (Sun & Nenkova 2019).

A text vector may be the mean or the maximum of its word vectors. Either way the cosine is a sum over the
words of a summary, which gives the contribution of each word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from typing_extensions import TypeVar

from core.domain.study import Span, Text
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Need,
    Pool,
    Prepared,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.pooling import PooledMetric


def against_setting() -> Any:
    return setting(
        "reference",
        "What a summary is compared with: the references, or the documents.",
        choices=("reference", "document"),
        title="Against",
    )


def pooling_setting() -> Any:
    return setting(
        "mean", "Several texts: mean or max of the cosines.", choices=("mean", "max"), title="Pooling"
    )


def joining_setting() -> Any:
    return setting(
        "avg",
        "Text vector: avg = mean of the word vectors, max = maximum in each dimension.",
        choices=("avg", "max"),
        title="Words joined",
    )


def words_setting() -> Any:
    description = (
        "Use only the first words of each reference or document, separated by spaces; 0 = no "
        "limit. The paper cut documents at 400 and 750 words."
    )
    return setting(0, description, low=0, title="Word limit")


@dataclass(frozen=True, slots=True)
class PreparedVectors(Prepared):
    """Unit vectors of a topic's texts, shape (texts, dimension); zeros for an empty text.

    others: references or documents that summaries are compared with.
    """

    others: tuple[Text, ...]
    summary_vectors: Array
    other_vectors: Array
    notes: Mapping[str, int] = field(default_factory=dict)

    def are_defined(self) -> tuple[Mask, Mask]:
        """Return which summaries and which other texts have a vector."""
        return (self.summary_vectors != 0).any(axis=1), (self.other_vectors != 0).any(axis=1)


V = TypeVar("V", bound=PreparedVectors, default=PreparedVectors)


class WholeTextMetric(PooledMetric[V]):
    """Mean or maximum cosine of a summary with the references or documents; NaN for a text without a vector.

    The statistic per reference is the cosine. Subclasses declare these fields in the order of their
    signatures, and the model that they need.
    """

    version: ClassVar[int] = 2
    paper: ClassVar[str] = "Sun & Nenkova 2019, Feasibility of Embedding Based Automatic Evaluation, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("sun-nenkova-2019-feasibility",)
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

    def score(self, prepared: V) -> TopicScores:
        scores = super().score(prepared)
        return scores if self.against == "reference" else replace(scores, stats=None)

    def per_reference(self, prepared: V) -> Array:
        mine, theirs = prepared.are_defined()
        cosines = np.einsum("sd,od->so", prepared.summary_vectors, prepared.other_vectors)  # in one order
        return np.where(mine[:, None] & theirs, cosines, np.nan)[:, :, None]

    def notes(self, prepared: V) -> dict[str, int]:
        mine, theirs = prepared.are_defined()
        return {**prepared.notes, **noted(no_units=(~mine).sum() + (~theirs).sum())}

    def explain(self, prepared: V, system: int) -> dict[str, Explanation]:
        return self.pool_trees(f"{self.pooling} of the {self.against}s", self.trees(prepared, system))

    def trees(self, prepared: V, system: int) -> Iterator[Sequence[Explanation]]:
        mine, theirs = prepared.are_defined()
        for tree, has_vector in zip(self.cosine_trees(prepared, system), theirs.tolist(), strict=True):
            yield (tree if mine[system] and has_vector else undefined(tree.label, "no_units"),)

    def cosine_trees(self, prepared: V, system: int) -> list[Explanation]:
        """Explain a summary's cosine with each reference or document."""
        cosines = prepared.other_vectors @ prepared.summary_vectors[system]
        summary = prepared.topic.summaries[system]
        size = len(summary.content)
        own = (Evidence("summary", summary.name, (0, size)),) if size else ()
        return [
            Explanation(text.name, value=cosine, evidence=(self._whole(text, cosine), *own))
            for text, cosine in zip(prepared.others, cosines.tolist(), strict=True)
        ]

    def _whole(self, text: Text, cosine: float) -> Evidence:
        role: Literal["document", "reference"] = "document" if self.against == "document" else "reference"
        return Evidence(role, text.name, (0, len(text.content)), cosine)


@dataclass(frozen=True, slots=True, eq=False)
class WordVectorsWithSpans:
    """The words of a text that have vectors, with their spans. vectors: shape (words, dimension).

    names: display names, empty = as written in the text; markers have an empty span.
    """

    spans: tuple[Span, ...]
    vectors: Array
    names: tuple[str, ...] = ()


def unit_rows(vectors: Array) -> Array:
    """Return rows scaled to length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def pool_words(words: Array, joining: str) -> Array:
    """Return a text's vector from its word vectors, shape (dimension,); zeros if there are none."""
    if not len(words):
        return np.zeros(words.shape[1])
    vector: Array = words.max(axis=0) if joining == "max" else words.mean(axis=0)
    return vector


def word_shares(words: Array, joining: str) -> Array:
    """Return the contribution of each word to the text's unit vector, shape (words, dimension).

    The contributions sum to that vector. With ``max``, the first word with the maximum of a dimension
    contributes it.
    """
    if joining == "max":
        is_maximum = np.zeros(words.shape, dtype=np.bool_)
        is_maximum[words.argmax(axis=0), np.arange(words.shape[1])] = True
        parts = np.where(is_maximum, words, 0.0)
    else:
        parts = words / len(words)
    length = np.linalg.norm(parts.sum(axis=0))
    contributions: Array = parts / length if length else np.zeros_like(parts)
    return contributions


def explain_by_words(
    summary: Text, words: WordVectorsWithSpans, joining: str, others: tuple[Text, ...], vectors: Array
) -> list[Explanation]:
    """Explain each cosine as a sum over the summary's words. vectors: unit vectors of the other texts."""
    if not words.spans:
        return [Explanation(other.name) for other in others]
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
