"""Nugget scores of many texts under many subsets of references.

Cohan & Goharian 2016 (a pyramid of nuggets, in two readings of X) and Pradeep et al. 2024 (nuggetizer: vital
and okay nuggets, full and partial support).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.pyramid.model import Match, Pyramid
from core.domain.pyramid.nugget_edits import VITAL
from core.domain.pyramid.subset_scores import Flags, ScuCounts, best_weights, count_scus, original_scores

Array = NDArray[np.float64]

NUGGET_KINDS = ("units", "found", "strict_vital", "strict_all", "vital", "all")
"""The scores that nuggets give, in the order of their last axis.

units: P, the weight of the distinct nuggets found divided by that of the best X nuggets; X = units of the
    summary: nuggets found, repetitions, and units outside the nuggets. In [0, 1]; 0 without units.
found: P with X = distinct nuggets found.
strict_vital, strict_all: share of the vital nuggets, or of all, that the summary supports in full.
vital, all: the same, where partial support counts one half.
NaN without nuggets, or without vital ones (nuggetizer's program returns 0 there).
"""

PARTIAL_SUPPORT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class NuggetCounts(ScuCounts):
    """Expressions of the nuggets of one annotation in references and in scored texts.

    support: highest support of a nugget by a text, 0, 0.5 or 1; shape (texts, nuggets).
    is_vital, is_unplaced: shape (nuggets,); unplaced = without an occurrence in any reference.
    """

    support: Array
    is_vital: Flags
    is_unplaced: Flags

    def scores(self, subsets: Flags) -> Array:
        """Return every text's scores under every subset of references, in the order of NUGGET_KINDS.

        subsets: shape (n, references). Returns shape (n, texts, 6), NaN = undefined.
        A nugget in none of the included references leaves the pyramid, and hits of it are ignored.
        One without an occurrence in any reference, as of nuggetizer, has no tier but counts in the shares.
        """
        weights = subsets.astype(np.int64) @ self.expressed.astype(np.int64)
        is_held = weights > 0
        matched = is_held.astype(np.int64) @ (self.hits > 0).astype(np.int64).T
        reached = weights @ (self.hits > 0).astype(np.int64).T
        best = best_weights(weights, matched)
        with np.errstate(invalid="ignore", divide="ignore"):
            weighted = np.where(matched > 0, reached / best, 0.0)
        weighted = np.where(is_held.any(axis=1, keepdims=True), weighted, np.nan)
        counts = is_held | self.is_unplaced
        shares = [
            _share(support, counts & of_them)
            for support in ((self.support == 1).astype(np.float64), self.support)
            for of_them in (self.is_vital, np.ones_like(self.is_vital))
        ]
        return np.stack([original_scores(self, subsets), weighted, *shares], axis=2)


def count_nuggets(
    pyramid: Pyramid,
    references: Sequence[str],
    summaries: Sequence[Sequence[Match]],
    humans: Sequence[str] = (),
    *,
    by_occurrences: bool = False,
) -> NuggetCounts:
    """Count the nuggets of an annotation and of one annotator's hits.

    references: ids.
    summaries: each one's hits.
    humans: ids of references that are scored as systems too; they are the last rows.
    by_occurrences: the tier is the number of occurrences, instead of distinct references.
    """
    counts = count_scus(pyramid, references, summaries, humans)
    expressed: NDArray[np.int64] = counts.expressed.astype(np.int64)
    if by_occurrences:
        rows = [Counter(c.reference_id for c in nugget.contributors) for nugget in pyramid.scus]
        expressed = np.array([[row[reference] for row in rows] for reference in references], dtype=np.int64)
        expressed = expressed.reshape(len(references), len(pyramid.scus))
    support = (counts.hits > 0).astype(np.float64)
    place = {nugget.id: at for at, nugget in enumerate(pyramid.scus)}
    for row, matches in enumerate(summaries):
        full = {match.scu_id for match in matches if not match.is_partial}
        for match in matches:
            if match.scu_id in place and match.scu_id not in full:
                support[row, place[match.scu_id]] = PARTIAL_SUPPORT
    is_vital, is_unplaced = (
        np.array(flags, dtype=np.bool_)
        for flags in (
            [nugget.importance == VITAL for nugget in pyramid.scus],
            [not nugget.contributors for nugget in pyramid.scus],
        )
    )
    return NuggetCounts(
        expressed, counts.hits, counts.outside, counts.is_human, support, is_vital, is_unplaced
    )


def _share(support: Array, included: Flags) -> Array:
    """Return the mean support of the included nuggets by each text, NaN without any.

    support: shape (texts, nuggets). included: shape (n, nuggets). Returns shape (n, texts).
    """
    number = included.sum(axis=1, keepdims=True)
    share: Array = np.where(
        number > 0, included.astype(np.float64) @ support.T / np.maximum(number, 1), np.nan
    )
    return share
