"""Support vector regression as plain arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_ROWS_AT_ONCE = 64
"""Texts compared with all examples at once, so that memory stays small whatever their number."""


@dataclass(frozen=True, slots=True, eq=False)
class Regressor:
    """Support vector regression with a radial kernel (Drucker et al. 1997).

    examples: support vectors, shape (examples, features). weights: dual coefficients, shape (examples,).
    spread: what each feature is divided by, shape (features,).
    """

    examples: Array
    weights: Array
    intercept: float
    gamma: float
    spread: Array

    def predict(self, features: Array) -> Array:
        """Return scores, shape (texts,), NaN where a feature is NaN; features: shape (texts, features)."""
        scores = np.empty(len(features))
        for start in range(0, len(features), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            scores[rows] = self.closeness(features[rows]).prod(axis=2) @ self.weights + self.intercept
        return scores

    def closeness(self, features: Array) -> Array:
        """Return the similarity of texts to the examples in each feature, in (0, 1].

        Returns shape (texts, examples, features). The kernel is the product over the features.
        """
        apart = (features[:, None, :] - self.examples[None]) / self.spread
        close: Array = np.exp(-self.gamma * apart**2)
        return close
