"""Greedy matching of word pieces: weights, weighted means and their explanation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text
from core.metrics.base import Array, Evidence, Explanation, undefined
from core.models.runtime.word_pieces import DocumentFrequencies, WordPieces

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoded

ROUNDING = 1e-9

Weigh = Callable[[WordPieces], Array]
"""Returns the weights of a text's pieces, shape (pieces,); special ones have weight 0."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedText:
    """A text with the weights of its pieces, shape (pieces,)."""

    role: Literal["summary", "reference"]
    text: Text
    encoded: Encoded
    weights: Array

    @property
    def pieces(self) -> WordPieces:
        return self.encoded.pieces

    @property
    def has_no_weight(self) -> bool:
        """Return whether the text has pieces, all with weight 0."""
        return not self.pieces.is_empty and not self.weights.any()


def uniform_weights(pieces: WordPieces) -> Array:
    """Return weight 1 for every piece except special ones."""
    return (~pieces.is_special).astype(np.float64)


def by_idf(frequencies: DocumentFrequencies) -> Weigh:
    """Return idf weights, log((N + 1) / (n + 1)) for a piece in n of N texts."""

    def weigh(pieces: WordPieces) -> Array:
        counts = np.array([frequencies.of.get(piece, 0) for piece in pieces.ids.tolist()])
        weights: Array = np.log((frequencies.texts + 1) / (counts + 1))
        weights[pieces.is_special] = 0.0
        return weights

    return weigh


def weighted_means(cosines: Array, sides: Sequence[WeightedText]) -> Array:
    """Return the weighted mean of each text's best cosines, shape (texts, others); NaN if all weights are 0.

    cosines: shape (texts, others, longest text).
    """
    weights = np.zeros((len(sides), cosines.shape[2]))
    for row, side in enumerate(sides):
        weights[row, : len(side.weights)] = side.weights
    sums = np.einsum("tol,tl->to", cosines, weights)
    total = weights.sum(axis=1, keepdims=True)
    means: Array = np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0)
    return means


def harmonic(precision: Array, recall: Array) -> Array:
    """Return F of precision and recall; 0 if their sum is 0."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)


def outside_range(values: Array) -> int:
    """Return how many F are below or above both precision and recall. values: shape (…, 3), P, R and F."""
    precision, recall, f = np.moveaxis(values, -1, 0)
    low, high = np.minimum(precision, recall) - ROUNDING, np.maximum(precision, recall) + ROUNDING
    return int(((f < low) | (f > high)).sum())


def explain_mean(
    label: str, mine: WeightedText, theirs: WeightedText, cosines: Array, nearest: NDArray[np.int64]
) -> Explanation:
    """Explain a text's weighted mean against another text; 0 if either is empty, NaN if all weights are 0.

    cosines, nearest: best cosine of each piece of `mine`, and the matching piece of `theirs`.
    """
    if mine.pieces.is_empty or theirs.pieces.is_empty:
        return Explanation(label)
    counted = np.flatnonzero(mine.weights).tolist()
    if not counted:
        return undefined(label, "zero_weights")
    matched = [_match(mine, theirs, i, int(nearest[i]), float(cosines[i])) for i in counted]
    if np.all(mine.weights[counted] == 1.0):
        return Explanation(label, "mean", children=tuple(matched))
    weighted = tuple(
        Explanation(leaf.label, "product", children=(Explanation("idf", value=weight), leaf))
        for leaf, weight in zip(matched, mine.weights[counted].tolist(), strict=True)
    )
    total = Explanation("sum of the weights", value=math.fsum(mine.weights))
    return Explanation(label, "ratio", children=(Explanation("matches", "sum", children=weighted), total))


def _match(mine: WeightedText, theirs: WeightedText, i: int, j: int, cosine: float) -> Explanation:
    evidence = tuple(
        Evidence(side.role, side.text.name, side.pieces.spans[piece], cosine)
        for side, piece in ((mine, i), (theirs, j))
        if not side.pieces.is_special[piece]
    )
    return Explanation(f"{_word(mine, i)} → {_word(theirs, j)}", value=cosine, evidence=evidence)


def _word(side: WeightedText, piece: int) -> str:
    start, end = side.pieces.spans[piece]
    return side.text.content[start:end] or side.pieces.strings[piece]
