"""LexRank: sentences that are central in the graph of similar sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Array, Source, cosines

_TOLERANCE, _MOST_STEPS = 1e-12, 10_000


@register
@dataclass(frozen=True)
class LexRank(TermSummarizer):
    """Central sentences of the graph whose edges are idf-modified cosines.

    degree: number of sentences with a similarity above the threshold. lexrank: stationary distribution of the
    random walk on that graph. continuous: of the walk on all similarities. The graph has an edge from each
    sentence to itself, as in the paper. The paper takes idf from a large corpus, here it is the study's
    documents. Its reranker leaves out sentences that repeat a chosen one.

    Formula:
        sim        = idf-modified cosine
        p(u)       = damping / N + (1 − damping) · Σ over neighbors v: sim(u, v) / Σ sim(·, v) · p(v)

    Limits:
        The threshold was chosen for news clusters. The idf of a small study is rough.
    """

    name: ClassVar[str] = "lexrank"
    about: ClassVar[str] = "Central sentences of a graph of similar sentences."
    paper: ClassVar[str] = "Erkan & Radev 2004"
    bibliography: ClassVar[tuple[str, ...]] = ("erkan-radev-2004-lexrank",)

    mode: str = setting(
        "lexrank",
        "degree, lexrank (walk above the threshold) or continuous (walk on all similarities).",
        choices=("degree", "lexrank", "continuous"),
        title="Mode",
    )
    threshold: float = setting(0.1, "Least similarity of an edge.", low=0.0, high=1.0, title="Threshold")
    damping: float = setting(
        0.15, "Probability of a jump to any sentence.", low=0.0, high=1.0, title="Damping"
    )
    idf: str = setting(
        "collection",
        "Inverse document frequency over the study's documents, the topic's sentences, or none.",
        choices=("collection", "sentences", "none"),
        title="idf",
    )
    redundancy: float = setting(
        0.7, "Leave out a sentence more similar than this to a chosen one, 1 = none.", low=0.0, high=1.0,
        title="Redundancy",
    )  # fmt: skip

    def unused(self) -> dict[str, str]:
        by_mode = {"degree": "damping", "continuous": "threshold"}
        return {by_mode[self.mode]: f"mode={self.mode}"} if self.mode in by_mode else {}

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences by centrality; equal ones by position."""
        similarity = cosines(source.counts @ sparse.diags(source.idf(self.idf)))
        scores = self.centrality(similarity)
        order = [int(place) for place in np.argsort(-scores, kind="stable")]
        return without_similar(order, similarity, self.redundancy)

    def centrality(self, similarity: Array) -> Array:
        """Return the centrality of sentences. similarity: shape (sentences, sentences)."""
        edges = (similarity > self.threshold).astype(float)
        if self.mode == "degree":
            degrees: Array = edges.sum(axis=1)
            return degrees
        return stationary(similarity if self.mode == "continuous" else edges, self.damping)


def stationary(weights: Array, damping: float) -> Array:
    """Return the stationary distribution of a random walk, which sums to 1.

    weights: of the edges, shape (nodes, nodes). damping: probability of a jump to any node.
    A node without edges jumps to any node.
    """
    count = len(weights)
    totals = weights.sum(axis=1, keepdims=True)
    walk = np.divide(weights, totals, out=np.full_like(weights, 1 / max(count, 1)), where=totals > 0)
    shares = np.full(count, 1 / max(count, 1))
    for _ in range(_MOST_STEPS):
        after = damping / count + (1 - damping) * (shares @ walk)
        change, shares = np.abs(after - shares).sum(), after
        if change < _TOLERANCE:
            break
    rounded: Array = np.round(shares, 12)  # so that equal sentences stay equal
    return rounded


def without_similar(order: Iterable[int], similarity: Array, most: float) -> Iterator[int]:
    """Yield indices without those more similar than `most` to an earlier one; 1 = all are yielded."""
    chosen: list[int] = []
    for index in order:
        if most >= 1 or not chosen or similarity[index, chosen].max() <= most:
            chosen.append(index)
            yield index
