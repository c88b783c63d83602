"""N-grams of word pieces as points, with weighted mean vectors as in MoverScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics.base import Array
from core.models.runtime.word_pieces import WordPieces
from core.text.scripts import is_inside_word

_WORD_STARTS = ("Ġ", "▁")
"""Characters that mark the start of a word in vocabularies other than WordPiece's."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """A text's n-grams.

    pieces: indices of each n-gram's pieces. vectors: unit vectors, shape (n-grams, dimension).
    weights: sums of the pieces' weights.
    """

    pieces: tuple[tuple[int, ...], ...]
    vectors: Array
    weights: Array


def windows_of(selected: Sequence[int], vectors: Array, weights: Array, n: int) -> Windows:
    """Return all runs of n selected pieces; a text with fewer is one n-gram.

    vectors: shape (pieces, dimension). weights: shape (pieces,). A run of weight 0 has a zero vector.
    """
    if not selected:
        return Windows((), np.zeros((0, vectors.shape[1])), np.zeros(0))
    length = min(n, len(selected))
    runs = np.lib.stride_tricks.sliding_window_view(np.array(selected), length)
    parts = weights[runs]
    sums = np.einsum("wl,wld->wd", parts, vectors[runs])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    units = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    return Windows(tuple(map(tuple, runs.tolist())), units, parts.sum(axis=1))


def is_continuation(pieces: WordPieces, i: int, content: str) -> bool:
    """Return whether a piece continues the word of the previous piece."""
    if pieces.strings[i].startswith("##"):
        return True
    start, end = pieces.spans[i]
    if start == end or start == 0 or not any(s.startswith(_WORD_STARTS) for s in pieces.strings):
        return False
    return is_inside_word(content, start)
