"""Pyramid scores of many texts under many subsets of references.

The same scores as `core.domain.pyramid.scores` computes one by one, from counts alone, so that thousands of
subsets cost a few matrix products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.pyramid import Match, Pyramid
from core.domain.pyramid.scores import matched_scus

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]

KINDS = ("modified", "original", "comprehensive", "presence")
"""The scores that a pyramid gives, in the order of their last axis."""


@dataclass(frozen=True, slots=True, eq=False)
class ScuCounts:
    """Expressions of the SCUs of one pyramid in references and in scored texts.

    expressed: shape (references, SCUs), whether a reference expresses an SCU. As numbers, an SCU's weight is
        their sum over the included references.
    hits: number of expressions of an SCU in a text, shape (texts, SCUs).
    outside: units of a text outside the pyramid, shape (texts,).
    is_human: shape (texts,). Whether a unit counts as outside if no included reference shares its SCU;
    otherwise such units are ignored.
    """

    expressed: Flags | Counts
    hits: Counts
    outside: Counts
    is_human: Flags

    def scores(self, subsets: Flags) -> Array:
        """Return every text's scores under every subset of references, shape (n, texts, kinds)."""
        return score_subsets(self, subsets)


def count_scus(
    pyramid: Pyramid,
    references: Sequence[str],
    summaries: Sequence[Sequence[Match]],
    humans: Sequence[str] = (),
) -> ScuCounts:
    """Count the SCUs of a pyramid and of one annotator's matches.

    references: ids.
    summaries: each one's matches.
    humans: ids of references that are scored as systems too; they are the last rows, and an SCU with two
    contributors in one of them is repeated by it.
    """
    texts = [[match.scu_id for match in matches] for matches in summaries]
    own = [matched_scus(pyramid, human) for human in humans]
    return ScuCounts(
        expressed=_hits(pyramid, [matched_scus(pyramid, reference) for reference in references]) > 0,
        hits=_hits(pyramid, [*texts, *own]),
        outside=np.array([*(text.count(None) for text in texts), *(0 for _ in own)], dtype=np.int64),
        is_human=np.arange(len(texts) + len(own)) >= len(texts),
    )


def score_subsets(counts: ScuCounts, subsets: Flags) -> Array:
    """Return every text's scores under every subset of references, with weights counted over the subset.

    subsets: shape (n, references).
    Returns shape (n, texts, 4) in the order of KINDS, NaN = undefined.
    An SCU that no included reference expresses leaves the pyramid, and its matches are ignored.
    """
    weights = subsets.astype(np.int64) @ counts.expressed.astype(np.int64)
    is_held = (weights > 0).astype(np.int64)
    is_matched = (counts.hits > 0).astype(np.int64).T
    original = original_scores(counts, subsets)
    modified = _ratio(weights @ is_matched, best_weights(weights, _average_units(weights, subsets)))
    presence = _ratio(is_held @ is_matched, is_held.sum(axis=1, keepdims=True))
    return np.stack([modified, original, _harmonic(original, modified), presence], axis=2)


def original_scores(counts: ScuCounts, subsets: Flags) -> Array:
    """Return every text's original score under every subset of references, shape (n, texts).

    subsets: shape (n, references). 0 without units, NaN without SCUs.
    """
    weights = subsets.astype(np.int64) @ counts.expressed.astype(np.int64)
    is_held = (weights > 0).astype(np.int64)
    units = counts.outside + is_held @ counts.hits.T
    units += np.where(counts.is_human, (1 - is_held) @ counts.hits.T, 0)
    reached = weights @ (counts.hits > 0).astype(np.int64).T
    original = _ratio(reached, best_weights(weights, units))
    has_scus = is_held.any(axis=1, keepdims=True)
    scores: Array = np.where(has_scus, np.where(units > 0, original, 0.0), np.nan)
    return scores


def best_weights(weights: Counts, units: Counts) -> Counts:
    """Return the highest total weight of a number of SCUs; of all if there are fewer.

    weights: shape (n, SCUs). units: shape (n, m). Returns shape (n, m).
    """
    totals = np.pad(np.cumsum(-np.sort(-weights, axis=1), axis=1), ((0, 0), (1, 0)))
    best: Counts = np.take_along_axis(totals, np.minimum(units, weights.shape[1]), axis=1)
    return best


def leave_one_out(references: int) -> Flags:
    """Return the subsets that leave out one reference each, shape (references, references)."""
    return ~np.eye(references, dtype=np.bool_)


def _average_units(weights: Counts, subsets: Flags) -> Counts:
    """Return the SCUs in the average included reference, rounded half up.

    Shape (n, 1); 0 without references.
    """
    references = subsets.sum(axis=1, keepdims=True)
    total = weights.sum(axis=1, keepdims=True)
    average: Counts = (2 * total + references) // np.maximum(2 * references, 1)
    return average


def _ratio(above: Counts, below: Counts) -> Array:
    """Return quotients, NaN where the denominator is 0."""
    ratio: Array = np.where(below > 0, above / np.maximum(below, 1), np.nan)
    return ratio


def _harmonic(original: Array, modified: Array) -> Array:
    """Return the harmonic mean, the modified score capped at 1.

    0 if both are 0, NaN if one is undefined.
    """
    capped = np.minimum(modified, 1.0)
    total = original + capped
    return np.where(total == 0, 0.0, 2 * original * capped / np.where(total == 0, 1.0, total))


def _hits(pyramid: Pyramid, texts: Sequence[Sequence[str | None]]) -> Counts:
    """Return the number of expressions of each SCU in each text, shape (texts, SCUs)."""
    rows = [[counts[scu.id] for scu in pyramid.scus] for counts in map(Counter, texts)]
    return np.array(rows, dtype=np.int64).reshape(len(texts), len(pyramid.scus))
