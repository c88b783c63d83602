"""Result of looking up the vectors of words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class VectorLookup:
    """Vectors of a list of words.

    vectors: shape (words, dimension), zeros for unknown words.
    is_known: shape (words,).
    """

    vectors: Vectors
    is_known: NDArray[np.bool_]
