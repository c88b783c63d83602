"""Summaries by latent semantic analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Array, Source

_LEAST_SHARE = 0.5
"""Singular values below this share of the largest are left out (Steinberger and Ježek 2004)."""


@register
@dataclass(frozen=True)
class LsaSummarizer(TermSummarizer):
    """Sentences that are strong in the main topics of the term × sentence matrix.

    gong-liu: for each topic, the strongest first, the sentence with the largest absolute value.
    steinberger-jezek: sentences by the length of their vectors, √Σ v²σ², over the topics with at least half
    of the largest singular value.

    Formula:
        A = U Σ Vᵀ of the term × sentence matrix
        steinberger-jezek: score = √Σ v²σ² over the main topics; gong-liu: largest |v| of each topic in turn

    Limits:
        Prefers long sentences; the sign and order of nearly equal topics are arbitrary.
    """

    name: ClassVar[str] = "lsa"
    about: ClassVar[str] = "Sentences that are strong in the main latent topics."
    paper: ClassVar[str] = "Gong & Liu 2001; Steinberger & Ježek 2004"
    bibliography: ClassVar[tuple[str, ...]] = ("gong-liu-2001-lsa", "steinberger-jezek-2004-lsa")

    mode: str = setting(
        "steinberger-jezek",
        "gong-liu: one sentence per topic; steinberger-jezek: sentences strong in all main topics.",
        choices=("gong-liu", "steinberger-jezek"),
        title="Mode",
    )
    weight: str = setting(
        "tf",
        "Weights of words: frequency, tf-idf over the topic's sentences, or 1.",
        choices=("tf", "tf-idf", "binary"),
        title="Weights",
    )
    topics: int = setting(
        0, "Number of topics, 0 = those with half the largest singular value.", low=0, title="Topics"
    )

    def unused(self) -> dict[str, str]:
        return {"topics": f"mode={self.mode}"} if self.mode == "gong-liu" else {}

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences in the order of choice."""
        if not source.vocabulary:
            return ()
        values, vectors = self._topics(source)
        if self.mode == "gong-liu":
            return _one_per_topic(vectors)
        kept = values >= _LEAST_SHARE * values[0] if not self.topics else np.arange(len(values)) < self.topics
        lengths = np.round(np.sqrt(((vectors[:, kept] * values[kept]) ** 2).sum(axis=1)), 12)
        return [int(place) for place in np.argsort(-lengths, kind="stable")]

    def _topics(self, source: Source) -> tuple[Array, Array]:
        """Return singular values, the largest first, and vectors of shape (sentences, topics)."""
        matrix = source.counts
        if self.weight == "binary":
            matrix = (matrix > 0).astype(float)
        elif self.weight == "tf-idf":
            matrix = matrix @ sparse.diags(source.idf("sentences"))
        found, vectors = np.linalg.eigh(np.asarray((matrix @ matrix.T).todense()))
        return np.sqrt(np.maximum(found[::-1], 0.0)), vectors[:, ::-1]


def _one_per_topic(vectors: Array) -> Iterator[int]:
    chosen: set[int] = set()
    for topic in np.round(np.abs(vectors.T), 12):
        order = (int(place) for place in np.argsort(-topic, kind="stable"))
        best = next(place for place in order if place not in chosen)
        chosen.add(best)
        yield best
