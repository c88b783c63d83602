"""N-grams of word pieces as points, with weighted mean vectors as in MoverScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics.base import Array
from core.models.encoders.word_pieces import WordPieces

_WORD_STARTS = ("Ġ", "▁")
"""Signs by which vocabularies other than WordPiece's mark the start of a word."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """A text's n-grams.

    pieces: each one's. vectors: unit, shape (n-grams, dimension). weights: the sums of their pieces'.
    """

    pieces: tuple[tuple[int, ...], ...]
    vectors: Array
    weights: Array


def windows_of(kept: Sequence[int], vectors: Array, weights: Array, n: int) -> Windows:
    """All runs of n kept pieces; a text with fewer is one n-gram.

    vectors: shape (pieces, dimension). weights: shape (pieces,). A run without weight has the vector 0.
    """
    if not kept:
        return Windows((), np.zeros((0, vectors.shape[1])), np.zeros(0))
    length = min(n, len(kept))
    runs = np.lib.stride_tricks.sliding_window_view(np.array(kept), length)
    parts = weights[runs]
    sums = np.einsum("wl,wld->wd", parts, vectors[runs])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    units = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    return Windows(tuple(map(tuple, runs.tolist())), units, parts.sum(axis=1))


def is_continuation(pieces: WordPieces, i: int, content: str) -> bool:
    """Whether a piece goes on with the word of the piece before it."""
    if pieces.strings[i].startswith("##"):
        return True
    start, end = pieces.spans[i]
    if start == end or start == 0 or not any(s.startswith(_WORD_STARTS) for s in pieces.strings):
        return False
    return content[start - 1].isalnum() and content[start].isalnum()
