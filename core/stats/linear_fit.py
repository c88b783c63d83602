"""Least-squares line with the confidence band of its mean."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import normalize, varies

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """y = intercept + slope·x over n points.

    error: standard deviation of the residuals, n - 2 degrees of freedom.
    x_mean: mean of the points' x.
    x_squares: sum of the squared deviations from it.
    """

    slope: float
    intercept: float
    n: int
    error: float
    x_mean: float
    x_squares: float

    def at(self, x: Array) -> Array:
        """Return y at x."""
        return self.intercept + self.slope * x

    def band(self, x: Array, confidence: float = 0.95) -> tuple[Array, Array]:
        """Return the pointwise confidence bounds of the mean of y at x, under normal errors (Student's t)."""
        from scipy.special import stdtrit

        quantile = float(stdtrit(self.n - 2, (1 + confidence) / 2))
        reach = quantile * self.error * np.sqrt(1 / self.n + (x - self.x_mean) ** 2 / self.x_squares)
        return self.at(x) - reach, self.at(x) + reach


def fit_line(x: Array, y: Array) -> Line | None:
    """Fit a line to points of shape (n,); None for fewer than three points or constant x."""
    n = x.size
    if n < 3 or not varies(normalize(x)):
        return None
    x_mean, y_mean = float(x.mean()), float(y.mean())
    x_squares = float(((x - x_mean) ** 2).sum())
    if x_squares == 0:
        return None
    slope = float(((x - x_mean) * (y - y_mean)).sum()) / x_squares
    residuals = y - y_mean - slope * (x - x_mean)
    error = math.sqrt(float((residuals**2).sum()) / (n - 2))
    return Line(slope, y_mean - slope * x_mean, n, error, x_mean, x_squares)
