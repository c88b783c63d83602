"""Maximal marginal relevance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Source, cosines, term_counts


@register
@dataclass(frozen=True)
class MaximalMarginalRelevance(TermSummarizer):
    """Sentences that are relevant and unlike those chosen before.

    The next sentence maximizes λ · relevance - (1 - λ) · (highest similarity to a chosen one), both cosines
    of tf-idf. Relevant to the documents together, or to the topic's query. Sentences of the earlier set count
    as chosen. Neither paper gives λ.

    Formula:
        next = largest relevance · cosine(u, documents) − (1 − relevance) · max over chosen v of cosine(u, v)

    Limits:
        λ was never published; 0.7 is a common choice.
    """

    name: ClassVar[str] = "mmr"
    about: ClassVar[str] = "Sentences that are relevant and unlike the chosen ones."
    paper: ClassVar[str] = "Carbonell & Goldstein 1998"
    bibliography: ClassVar[tuple[str, ...]] = ("carbonell-goldstein-1998-mmr",)
    sees_earlier: ClassVar[bool] = True

    relevance: float = setting(0.7, "λ, the weight of relevance.", low=0.0, high=1.0, title="λ")
    to: str = setting(
        "documents",
        "What sentences are relevant to: the documents, or the topic's query.",
        choices=("documents", "query"),
        title="Relevant to",
    )
    idf: str = setting(
        "collection",
        "Inverse document frequency over the study's documents, the topic's sentences, or none.",
        choices=("collection", "sentences", "none"),
        title="idf",
    )

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        count = len(source.sentences)
        weights = sparse.diags(source.idf(self.idf))
        rows = source.counts @ weights
        if self.to == "query" and source.query_terms:
            target = term_counts([source.query_terms], source.vocabulary) @ weights
        else:
            target = sparse.csr_matrix(source.frequencies[None, :]) @ weights
        relevance = cosines(rows, target)[:, 0] if count else np.zeros(0)
        similarity = cosines(rows)
        likeness = np.zeros(count)
        if source.earlier:
            likeness = cosines(rows, source.counts_of(source.earlier) @ weights).max(axis=1)
        remaining = np.ones(count, dtype=bool)
        while remaining.any():
            value = np.round(self.relevance * relevance - (1 - self.relevance) * likeness, 12)
            best = int(np.argmax(np.where(remaining, value, -np.inf)))
            yield best
            remaining[best] = False
            likeness = np.maximum(likeness, similarity[:, best])
