"""Prediction with a support vector regression, in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_ROWS_AT_ONCE = 64
"""Texts compared with all examples at once, which limits memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Regressor:
    """Support vector regression with a radial kernel (Drucker et al. 1997).

    examples: support vectors, shape (examples, features). weights: dual coefficients, shape (examples,).
    spread: scale by which each feature is divided, shape (features,).
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
            scores[rows] = (
                self.similarity_by_feature(features[rows]).prod(axis=2) @ self.weights + self.intercept
            )
        return scores

    def similarity_by_feature(self, features: Array) -> Array:
        """Return the similarity of texts to the examples in each feature, in (0, 1].

        Returns shape (texts, examples, features). The kernel is the product over the features.
        """
        difference = (features[:, None, :] - self.examples[None]) / self.spread
        similarity: Array = np.exp(-self.gamma * difference**2)
        return similarity
