"""C-LexRank: central sentences of each cluster of similar sentences, the clusters in turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.lexrank import stationary
from core.systems.registry import register
from core.systems.source import Array, Source, cosines


@register
@dataclass(frozen=True)
class CLexRank(TermSummarizer):
    """Sentences of the clusters of a graph of similar sentences, one of each cluster in turn.

    Clusters are those of the largest modularity found by merging. Within each, sentences are ordered by
    LexRank's walk on all similarities. The largest cluster comes first. As in the paper, the sentences are
    those that cite the topic's document; they may be those of its documents instead.
    """

    name: ClassVar[str] = "c-lexrank"
    about: ClassVar[str] = "Central sentences of clusters of similar sentences, in turn."
    paper: ClassVar[str] = "Qazvinian & Radev 2008"

    texts: str = setting(
        "citances",
        "Summarize the sentences of the topic's citances, or of its documents.",
        choices=("citances", "documents"),
        title="Texts",
    )
    damping: float = setting(
        0.15, "Probability of a jump to any sentence.", low=0.0, high=1.0, title="Damping"
    )
    idf: str = setting(
        "collection",
        "Inverse document frequency over the study's documents, the topic's sentences, or none.",
        choices=("collection", "sentences", "none"),
        title="idf",
    )

    @property
    def reads_citances(self) -> bool:
        return self.texts == "citances"

    def summarize(self, source: Source) -> tuple[str, ...]:
        """Return the sentences of the summary, in the order of the citances or documents."""
        return super().summarize(source.of_citing_sentences() if self.reads_citances else source)

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the best sentence of each cluster, the largest first, then each one's second, and so on."""
        similarity = cosines(source.counts @ sparse.diags(source.idf(self.idf)))
        ordered = []
        for members in sorted(clusters(similarity), key=lambda found: (-len(found), found[0])):
            scores = stationary(similarity[np.ix_(members, members)], self.damping)
            ordered.append([members[place] for place in np.argsort(-scores, kind="stable")])
        return (index for index in chain.from_iterable(zip_longest(*ordered)) if index is not None)


def clusters(weights: Array) -> list[list[int]]:
    """Return clusters of nodes by greedy merging (Clauset, Newman and Moore 2004), each in order.

    The two clusters whose merger raises the modularity most are merged until none raises it; of equal ones
    the first. weights: of the edges, symmetric, shape (nodes, nodes); those of a node to itself are ignored.
    """
    found = [[node] for node in range(len(weights))]
    shares = weights - np.diag(np.diag(weights))
    total = shares.sum()
    if total <= 0:
        return found
    shares = shares / total
    while len(found) > 1:
        ends = shares.sum(axis=1)
        gains = np.round(2 * (shares - np.outer(ends, ends)), 12)  # so that equal gains stay equal
        gains[np.tril_indices(len(found))] = -np.inf
        first, second = divmod(int(gains.argmax()), len(found))
        if gains[first, second] <= 0:
            break
        found[first] = sorted(found[first] + found.pop(second))
        shares[first] += shares[second]
        shares[:, first] += shares[:, second]
        shares = np.delete(np.delete(shares, second, axis=0), second, axis=1)
    return found
