"""Loops for `Kernel` over rows whose values change between resamples: flat arrays, the last one is filled.

sizes: draws, rows, n, cycle, fields, and 1 or 0 for whether x, z and the weights vary by draw.
x: rows of n values, NaN = missing; row r of x is paired with row r modulo cycle of z.
weights: count of each item.
buffer_x, buffer_z, buffer_weights: buffers for the n items of a row that count.
"""

from __future__ import annotations

import math
from typing import Any


def fill_pearson(sizes: Any, x: Any, z: Any, weights: Any, out: Any) -> None:
    """Fill Pearson's r by draw and row, NaN for fewer than three items or a constant side."""
    draws, rows, n, cycle = sizes[0], sizes[1], sizes[2], sizes[3]
    for draw in range(draws):
        w = draw * n * sizes[7]
        for row in range(rows):
            mine = (draw * rows * sizes[5] + row) * n
            human = (draw * cycle * sizes[6] + row % cycle) * n
            count = x_sum = z_sum = 0.0
            x_low = z_low = math.inf
            x_high = z_high = -math.inf
            for i in range(n):
                a, b, weight = x[mine + i], z[human + i], weights[w + i]
                if weight > 0 and a == a and b == b:
                    count += weight
                    x_sum += weight * a
                    z_sum += weight * b
                    x_low, x_high = min(x_low, a), max(x_high, a)
                    z_low, z_high = min(z_low, b), max(z_high, b)
            at = draw * rows + row
            out[at] = math.nan
            if count < 3 or x_low >= x_high or z_low >= z_high:
                continue
            x_mean, z_mean = x_sum / count, z_sum / count
            xx = zz = xz = 0.0
            for i in range(n):
                a, b, weight = x[mine + i] - x_mean, z[human + i] - z_mean, weights[w + i]
                if weight > 0 and a == a and b == b:
                    xx += weight * a * a
                    zz += weight * b * b
                    xz += weight * a * b
            if xx > 0 and zz > 0:
                out[at] = min(1.0, max(-1.0, xz / (math.sqrt(xx) * math.sqrt(zz))))


def fill_pair_counts(
    sizes: Any, x: Any, z: Any, weights: Any, buffer_x: Any, buffer_z: Any, buffer_weights: Any, out: Any
) -> None:
    """Fill n, C - D, C + D, ties in x and z, distinct values of x and z, by draw and row.

    Compares pair by pair.
    """
    draws, rows, n, cycle, fields = sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
    for draw in range(draws):
        w = draw * n * sizes[7]
        for row in range(rows):
            mine = (draw * rows * sizes[5] + row) * n
            human = (draw * cycle * sizes[6] + row % cycle) * n
            size = total = own = 0
            for i in range(n):
                a, b, weight = x[mine + i], z[human + i], weights[w + i]
                if weight > 0 and a == a and b == b:
                    buffer_x[size], buffer_z[size], buffer_weights[size] = a, b, weight
                    size += 1
                    total += weight
                    own += weight * (weight - 1) // 2
            balance = untied = x_ties = z_ties = x_distinct = z_distinct = 0
            for i in range(size):
                a, b = buffer_x[i], buffer_z[i]
                more = moved = x_same = z_same = 0
                for j in range(i):
                    weight = buffer_weights[j]
                    x_sign = (1 if a > buffer_x[j] else 0) - (1 if a < buffer_x[j] else 0)
                    z_sign = (1 if b > buffer_z[j] else 0) - (1 if b < buffer_z[j] else 0)
                    sign = x_sign * z_sign
                    more += weight * sign
                    moved += weight if sign != 0 else 0
                    x_same += weight if x_sign == 0 else 0
                    z_same += weight if z_sign == 0 else 0
                balance += buffer_weights[i] * more
                untied += buffer_weights[i] * moved
                x_ties += buffer_weights[i] * x_same
                z_ties += buffer_weights[i] * z_same
                x_distinct += 1 if x_same == 0 else 0
                z_distinct += 1 if z_same == 0 else 0
            at = (draw * rows + row) * fields
            out[at], out[at + 1], out[at + 2] = total, balance, untied
            out[at + 3], out[at + 4] = x_ties + own, z_ties + own
            out[at + 5], out[at + 6] = x_distinct, z_distinct
