"""Correlations between measures, and their hierarchical clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.matrix import Array, ScoreMatrix
from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate_many
from core.stats.measure_stack import MeasureStack


@dataclass(frozen=True, slots=True)
class Dendrogram:
    """Dendrogram of a hierarchical clustering.

    order: leaves from left to right, as indices of the clustered items.
    links: for each merge the four corners of its bracket, as positions (of a leaf: its position in the
    order) and heights.
    """

    order: tuple[int, ...]
    links: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]


def intercorrelations(
    matrices: Sequence[ScoreMatrix],
    level: Level,
    coefficient: Coefficient,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> JobSteps[Array]:
    """Return the correlation of each pair of matrices, shape (n, n), NaN = undefined.

    A pair uses the cells that both have; the diagonal is 1 if defined.
    """
    if not matrices:
        return np.empty((0, 0))
    systems = sorted({name for matrix in matrices for name in matrix.systems})
    topics = sorted({name for matrix in matrices for name in matrix.topics})
    x = np.array([matrix.select(systems, topics).values for matrix in matrices])
    values = np.full((len(matrices), len(matrices)), np.nan)
    stack = MeasureStack(x)
    for i in range(len(matrices)):
        yield Progress(i, len(matrices), "correlating measures")
        if coefficient is Coefficient.ACCURACY:  # symmetric and without precomputed sides: compute half
            row = correlate_many(x[i:], x[i], level, coefficient, undefined)
        else:
            row = stack.correlate(x[i], level, coefficient, undefined)[i:]
        values[i, i:] = values[i:, i] = [one.value for one in row]
    return values


def cluster_measures(values: Array) -> Dendrogram:
    """Cluster by average linkage over 1 - |r|, with leaves ordered so that neighbours are similar.

    values: shape (n, n), symmetric; NaN counts as 0. Bar-Joseph et al. 2001 for the order of the leaves.
    """
    n = values.shape[0]
    if n < 2:
        return Dendrogram(tuple(range(n)), ())
    from scipy.cluster.hierarchy import dendrogram, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    distances = 1.0 - np.abs(np.nan_to_num(values))
    np.fill_diagonal(distances, 0.0)
    flat = squareform(np.clip((distances + distances.T) / 2, 0.0, None), checks=False)
    drawn = dendrogram(optimal_leaf_ordering(linkage(flat, "average"), flat), no_plot=True)
    links = zip(drawn["icoord"], drawn["dcoord"], strict=True)
    # scipy places leaf i at 10 i + 5
    return Dendrogram(
        tuple(int(leaf) for leaf in drawn["leaves"]),
        tuple((tuple((x - 5) / 10 for x in across), tuple(map(float, up))) for across, up in links),
    )
