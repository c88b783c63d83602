"""F of recall and precision, each rounded as C's printf prints it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

Floats = NDArray[np.float64]

DECIMALS = 5
"""Decimals to which ROUGE-1.5.5 rounds recall and precision before it computes F."""


def round_as_printed(values: Floats) -> Floats:
    """Round values to DECIMALS places like C's printf: by their exact binary value, ties to even."""
    rounded = np.empty(values.size)
    _round(values.ravel(), _SCALE, rounded, steps=values.size)
    return rounded.reshape(values.shape)


def with_f(recall: Floats, precision: Floats, alpha: float, *, is_rounded: bool) -> Floats:
    """Return recall, precision and F, shape (values, 3); an F of 0/0 is 0.

    is_rounded: all of them, as printed.
    """
    values = np.empty(3 * len(recall))
    options = np.array([alpha, _SCALE[0] if is_rounded else 0.0])
    _fill(recall, precision, options, values, steps=len(values))
    return values.reshape(-1, 3)


_SCALE = np.array([10.0**DECIMALS])


def _fill_rounded(values: Floats, scale: Floats, rounded: Floats) -> None:
    for at in range(len(values)):
        rounded[at] = _printed(values[at], scale[0])


def _fill_measures(recalls: Floats, precisions: Floats, options: Floats, values: Floats) -> None:
    """Fill `values`. options: alpha, and the power of ten of the last decimal, 0 = all decimals."""
    alpha, scale = options[0], options[1]
    for at in range(len(recalls)):
        recall, precision = _printed(recalls[at], scale), _printed(precisions[at], scale)
        whole = (1 - alpha) * precision + alpha * recall
        f = precision * recall / whole if whole > 0 else 0.0
        values[3 * at], values[3 * at + 1], values[3 * at + 2] = recall, precision, _printed(f, scale)


def _printed(value: float, scale: float) -> float:
    """Round a value: its exact product with the scale decides, in two parts as by Dekker 1971."""
    if scale == 0 or value - value != 0:  # nothing to do, infinite or undefined
        return value
    size = abs(value)
    product = size * scale
    high = size * 134217729.0  # 2^27 + 1, which splits the digits into two halves
    high -= high - size
    rest = (high * scale - product) + (size - high) * scale
    whole = int(product)
    above_half = (product - whole - 0.5) + rest
    if above_half > 0 or (above_half == 0 and whole % 2 == 1):
        whole += 1
    return math.copysign(whole / scale, value)


_round = Kernel(_fill_rounded, _printed)
_fill = Kernel(_fill_measures, _printed)
