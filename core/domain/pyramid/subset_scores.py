"""Pyramid scores of many texts under many subsets of references at once.

The same scores as `pyramid_scores` gives one by one, from counts alone, so that thousands of subsets cost
a few products of matrices.
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
    """Who expresses which SCU of one pyramid: references, and texts that are scored.

    expressed: shape (references, SCUs). hits: how often a text expresses an SCU, shape (texts, SCUs).
    outside: units of a text that no SCU covers, shape (texts,). is_human: whose units count as outside where
    no counted reference shares their SCU; of other texts such units are ignored. Shape (texts,).
    """

    expressed: Flags
    hits: Counts
    outside: Counts
    is_human: Flags


def count_scus(
    pyramid: Pyramid,
    references: Sequence[str],
    summaries: Sequence[Sequence[Match]],
    humans: Sequence[str] = (),
) -> ScuCounts:
    """A pyramid and one annotator's matches as counts.

    references: ids. summaries: each one's matches. humans: ids of references that are scored as systems too;
    theirs are the last rows, and an SCU with two contributors in one is repeated by it.
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
    """Every text's scores under every subset of references, weights counted anew for each.

    subsets: shape (n, references). Returns shape (n, texts, 4) in the order of KINDS, NaN where undefined.
    An SCU that no counted reference expresses leaves the pyramid, and its matches are ignored.
    """
    weights = subsets.astype(np.int64) @ counts.expressed.astype(np.int64)
    is_held = (weights > 0).astype(np.int64)
    is_found = (counts.hits > 0).astype(np.int64).T
    reached = weights @ is_found
    units = counts.outside + is_held @ counts.hits.T
    units += np.where(counts.is_human, (1 - is_held) @ counts.hits.T, 0)
    ideals = np.pad(np.cumsum(-np.sort(-weights, axis=1), axis=1), ((0, 0), (1, 0)))
    scus = is_held.sum(axis=1, keepdims=True)
    original = _ratio(reached, np.take_along_axis(ideals, np.minimum(units, weights.shape[1]), axis=1))
    original = np.where(scus > 0, np.where(units > 0, original, 0.0), np.nan)
    modified = _ratio(reached, np.take_along_axis(ideals, _average_units(weights, subsets), axis=1))
    presence = _ratio(is_held @ is_found, scus)
    return np.stack([modified, original, _harmonic(original, modified), presence], axis=2)


def leave_one_out(references: int) -> Flags:
    """The subsets that each leave one reference out, in their order, shape (references, references)."""
    return ~np.eye(references, dtype=np.bool_)


def _average_units(weights: Counts, subsets: Flags) -> Counts:
    """SCUs in the average counted reference, rounded half up, shape (n, 1); 0 where none counts."""
    references = subsets.sum(axis=1, keepdims=True)
    total = weights.sum(axis=1, keepdims=True)
    average: Counts = (2 * total + references) // np.maximum(2 * references, 1)
    return average


def _ratio(above: Counts, below: Counts) -> Array:
    """Quotients, NaN over 0."""
    ratio: Array = np.where(below > 0, above / np.maximum(below, 1), np.nan)
    return ratio


def _harmonic(original: Array, modified: Array) -> Array:
    """Harmonic mean, the modified score capped at 1; 0 where both are, NaN where one is undefined."""
    capped = np.minimum(modified, 1.0)
    total = original + capped
    return np.where(total == 0, 0.0, 2 * original * capped / np.where(total == 0, 1.0, total))


def _hits(pyramid: Pyramid, texts: Sequence[Sequence[str | None]]) -> Counts:
    """How often each text expresses each SCU, shape (texts, SCUs)."""
    rows = [[found[scu.id] for scu in pyramid.scus] for found in map(Counter, texts)]
    return np.array(rows, dtype=np.int64).reshape(len(texts), len(pyramid.scus))
