"""Base class of metrics with values against each reference, which are pooled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import ClassVar, TypeVar

import numpy as np

from core.metrics.base.explanation import Explanation, Operator
from core.metrics.base.metric import Metric, P
from core.metrics.base.needs import Pool
from core.metrics.base.scores import Array, Mask, TopicScores

T = TypeVar("T")
R = TypeVar("R")


class PooledMetric(Metric[P]):
    """A metric whose values against several references are pooled, measure by measure.

    `pool` says how: by their mean, or the best one (`Pool.MAX`). The values are the statistics per reference.
    """

    default_pool: ClassVar[Pool] = Pool.MEAN

    def per_reference(self, prepared: P) -> Array:
        """Return the values against each reference, shape (systems, references, measures)."""
        raise NotImplementedError

    def notes(self, prepared: P) -> Mapping[str, int]:
        """Return the counts of warnings and reasons, by key of ``NOTES``."""
        return {}

    def trees(self, prepared: P, system: int) -> Iterable[Sequence[Explanation]]:
        """Yield, for each reference, the tree of each measure."""
        raise NotImplementedError

    def score(self, prepared: P) -> TopicScores:
        return self.combine_all(self.per_reference(prepared), self.notes(prepared))

    def combine(self, stats: Array, references: Mask) -> Array:
        return pool_references(stats, references, best=self.pool is Pool.MAX)

    def explain(self, prepared: P, system: int) -> dict[str, Explanation]:
        label = "best reference" if self.pool is Pool.MAX else "mean of the references"
        return self.pool_trees(label, self.trees(prepared, system))

    def pool_trees(self, label: str, trees: Iterable[Sequence[Explanation]]) -> dict[str, Explanation]:
        """Return the tree of each measure: the mean or the largest value of those of several texts."""
        operator: Operator = "max" if self.pool is Pool.MAX else "mean"
        rows = list(trees)
        return {
            measure: Explanation(label, operator, children=tuple(row[column] for row in rows))
            for column, measure in enumerate(self.measures())
        }


def compare_pairs(
    summaries: Sequence[T],
    references: Sequence[R],
    compare: Callable[[T, R], float | tuple[float, ...]],
    width: int = 1,
) -> Array:
    """Return the values of all pairs, shape (summaries, references, width)."""
    values = [compare(*pair) for pair in product(summaries, references)]
    return np.array(values, dtype=np.float64).reshape(len(summaries), len(references), width)


def pool_references(stats: Array, references: Mask, *, best: bool) -> Array:
    """Return the maximum or mean of stats[systems, references, k] over included references; NaN if none.

    Values are added in ascending order, so that the order of references changes no digit.
    """
    included = np.sort(stats[:, references], axis=1)
    if not included.shape[1]:
        return np.full((stats.shape[0], stats.shape[2]), np.nan)
    pooled: Array = included.max(axis=1) if best else included.mean(axis=1)
    return pooled
