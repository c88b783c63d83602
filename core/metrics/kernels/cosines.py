"""Clipped cosines of many pairs of weighted vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

Floats = NDArray[np.float64]
Units = NDArray[np.int64]


def clipped_cosines(
    units: Units, weights: Floats, ends: Units, norms: Floats, texts: int, summaries: int
) -> Floats:
    """Return Σ min(summary, reference) · reference / norms by summary, reference and kind of unit.

    units, weights: of all vectors after one another. ends: where each vector begins, by text and kind.
    norms: by text and kind. The summaries are the first texts. A norm of 0 divides by 1.
    Sums have twice the digits of a number, so that the order of units changes none.
    """
    kinds = (len(ends) - 1) // texts
    references = texts - summaries
    out = np.zeros(summaries * references * kinds)
    total = int(units.max(initial=-1)) + 1
    sizes = np.array([summaries, references, kinds], dtype=np.int64)
    steps = 8 * references * int(ends[summaries * kinds])
    _FILL(sizes, units, weights, ends, norms, np.zeros(total), out, steps=steps)
    return out.reshape(summaries, references, kinds)


def _fill(sizes: Any, units: Any, weights: Any, ends: Any, norms: Any, table: Any, out: Any) -> None:
    """Fill the cosines. table: zeros, the weight of each unit in a reference."""
    summaries, references, kinds = sizes[0], sizes[1], sizes[2]
    for r in range(references):
        for kind in range(kinds):
            theirs = (summaries + r) * kinds + kind
            for at in range(ends[theirs], ends[theirs + 1]):
                table[units[at]] = weights[at]
            for s in range(summaries):
                mine = s * kinds + kind
                product = norms[mine] * norms[theirs]
                if product == 0:
                    product = 1.0
                high = low = 0.0
                for at in range(ends[mine], ends[mine + 1]):
                    weight = table[units[at]]
                    if weight > 0:
                        term = min(weights[at], weight) * weight / product
                        total = high + term
                        part = total - high
                        low += (high - (total - part)) + (term - part)
                        high = total
                out[(s * references + r) * kinds + kind] = high + low
            for at in range(ends[theirs], ends[theirs + 1]):
                table[units[at]] = 0.0


_FILL = Kernel(_fill)
