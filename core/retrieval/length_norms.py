"""Lucene's encodings of document lengths in one byte.

``lucene7``: exact up to 39, then four significant bits of the excess over 24. ``lucene4``: the inverse square
root of the length with three significant bits, which decodes to another, often fractional, length.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.retrieval.protocols import Norms

_FREE = 24
"""Lengths up to this number are exact in Lucene 7, in addition to its floating-point range."""


def encoded_lengths(lengths: NDArray[np.integer], norms: Norms) -> NDArray[np.float64]:
    """Return lengths in words as the ranking uses them."""
    match norms:
        case "lucene7":
            return _of_lucene_7(lengths.astype(np.int64))
        case "lucene4":
            return _of_lucene_4(lengths)
        case "exact":
            return lengths.astype(np.float64)
        case _:
            assert_never(norms)


def _of_lucene_7(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    above = np.maximum(lengths - _FREE, 0)
    bits = np.frexp(above.astype(np.float64))[1].astype(np.int64)
    lost = np.maximum(bits - 4, 0)
    encoded: NDArray[np.int64] = np.minimum(lengths, _FREE) + ((above >> lost) << lost)
    return encoded.astype(np.float64)


def _of_lucene_4(lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    roots = np.sqrt(np.maximum(lengths, 1).astype(np.float64)).astype(np.float32)
    norms = np.float32(1) / roots
    encoded = (norms.view(np.int32) >> 21 << 21).view(np.float32)
    back = np.float32(1) / (encoded * encoded)
    return np.where(lengths == 0, 0.0, back.astype(np.float64))
