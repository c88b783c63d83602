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

    Formula:
        one sentence of each cluster in turn, by p(u) of LexRank within the cluster

    Limits:
        Needs citances, or `texts=documents`. Clusters vary with single edges of the graph.
    """

    name: ClassVar[str] = "c-lexrank"
    about: ClassVar[str] = "Central sentences of clusters of similar sentences, in turn."
    paper: ClassVar[str] = "Qazvinian & Radev 2008"
    bibliography: ClassVar[tuple[str, ...]] = ("qazvinian-radev-2008-citation",)

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
    count = len(weights)
    shares = weights - np.diag(np.diag(weights))
    total = shares.sum()
    if total <= 0:
        return [[node] for node in range(count)]
    shares = shares / total
    ends = shares.sum(axis=1)
    members = {node: [node] for node in range(count)}
    # The gain of a merger is above the diagonal, at its first cluster's row and its second one's column.
    gains = _gains(shares, ends[:, None], ends)
    gains[np.tril_indices(count)] = -np.inf
    partners = gains.argmax(axis=1)
    best = gains[np.arange(count), partners]
    while len(members) > 1:
        first = int(best.argmax())
        second = int(partners[first])
        if best[first] <= 0:
            break
        members[first] = sorted(members[first] + members.pop(second))
        shares[first] += shares[second]
        shares[:, first] += shares[:, second]
        ends[first] += ends[second]
        gains[second] = gains[:, second] = -np.inf
        active = np.fromiter(members, dtype=np.intp)
        renewed = _gains(shares[first, active], ends[first], ends[active])
        before, after = active < first, active > first
        gains[active[before], first] = renewed[before]
        gains[first, active[after]] = renewed[after]
        # Rows whose best partner changed are searched again; in the others only the merged cluster is new.
        again = np.flatnonzero((partners == first) | (partners == second))
        again = np.union1d(again, (first, second))
        partners[again] = gains[again].argmax(axis=1)
        best[again] = gains[again, partners[again]]
        column = gains[:first, first]
        is_better = (column > best[:first]) | ((column == best[:first]) & (first < partners[:first]))
        partners[:first][is_better] = first
        best[:first][is_better] = column[is_better]
    return [members[node] for node in sorted(members)]


def _gains(shares: Array, one: Array | float, other: Array) -> Array:
    """Return how much mergers raise the modularity, rounded so that equal gains stay equal."""
    return np.round(2 * (shares - one * other), 12)
