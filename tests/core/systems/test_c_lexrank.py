"""C-LexRank against cases worked by hand and a plain restatement of its clustering."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts, join_sentences
from core.systems.c_lexrank import CLexRank, clusters
from core.systems.run import source_of
from core.systems.source import count_collection


def test_takes_the_centre_of_each_cluster_in_turn():
    """Clusters {1, 3, 4} and {0, 2}; in the first, sentence 3 has the largest similarities."""
    summarizer = CLexRank(idf="none", stem=False, stop_words=False)
    content, spans = join_sentences(["x y", "a b c", "x z", "a b", "a b d"])
    texts = (Text("d", "d", content, spans),)
    topic = TopicTexts("t", "t", documents=texts)
    source = source_of(topic, summarizer, count_collection(texts, summarizer.analysis))
    assert list(summarizer.rank(source)) == [3, 0, 1, 2, 4]


def test_a_weak_edge_does_not_join_clusters():
    """Merging {0, 1} and {2, 3} would change the modularity by 2 (0.1 / 4.2 - 0.5²) < 0."""
    weights = np.eye(4)
    for one, other, weight in ((0, 1, 1.0), (2, 3, 1.0), (1, 2, 0.1)):
        weights[one, other] = weights[other, one] = weight
    assert clusters(weights) == [[0, 1], [2, 3]]


def test_nodes_without_edges_stay_alone():
    assert clusters(np.eye(3)) == [[0], [1], [2]]


@pytest.mark.parametrize("seed", range(5))
def test_clusters_against_a_restatement(seed):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((9, 9)) * (rng.random((9, 9)) < 0.4), 1)
    weights = weights + weights.T

    def modularity(parts):
        degrees, total = weights.sum(axis=1), weights.sum()
        return sum(
            weights[i, j] / total - degrees[i] * degrees[j] / total**2
            for part in parts for i in part for j in part
        )  # fmt: skip

    parts = [[node] for node in range(9)]
    while len(parts) > 1:
        merged = [
            [*(part for part in parts if part not in (one, other)), sorted(one + other)]
            for one, other in combinations(parts, 2)
        ]
        best = max(merged, key=modularity)
        if modularity(best) <= modularity(parts) + 1e-12:
            break
        parts = best
    assert sorted(clusters(weights)) == sorted(parts)
