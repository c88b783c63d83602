"""Loops for `Kernel` over permutations of two measures: flat arrays, the last one is filled."""

from __future__ import annotations

import math
from typing import Any


def fill_swap_differences(sizes: Any, moved: Any, squares: Any, fixed: Any, out: Any) -> None:
    """Fill the difference of two Pearson's r by draw, each the mean over groups.

    It is inf where a variance loses digits or is 0, and NaN without a group whose values vary.

    sizes: draws, groups, and 1 or 0 for whether squares vary by draw.
    moved: by kind, group and draw: what the first measure has more than the mean of both, and the second
    less: the sum of its values, of their squares, of their products with z.
    squares: of the mean of both measures and of what is moved, by group, by draw if they vary.
    fixed: by group: sum of the mean of both and of its products with z; n, sum and sum of squares of z.
    """
    draws, groups, varies = sizes[0], sizes[1], sizes[2]
    used = 0
    for group in range(groups):
        x, xz, n = fixed[group], fixed[groups + group], fixed[2 * groups + group]
        z, zz = fixed[3 * groups + group], fixed[4 * groups + group]
        z_spread = n * zz - z * z
        if n < 3 or z_spread <= 0 or (varies == 0 and squares[group] <= 0):
            continue
        used += 1
        sums = moved[group * draws : (group + 1) * draws]
        more = moved[(groups + group) * draws : (groups + group + 1) * draws]
        products = moved[(2 * groups + group) * draws : (2 * groups + group + 1) * draws]
        for draw in range(draws):
            whole = squares[draw if varies else group]
            one, other = x + sums[draw], x - sums[draw]
            of_one, of_other = n * (whole + more[draw]) - one * one, n * (whole - more[draw]) - other * other
            least = min(of_one, of_other)
            is_kept = least > n * (1e-9 * whole + 1e-18 * n)
            one_scale = math.sqrt((of_one if is_kept else 1.0) * z_spread)
            other_scale = math.sqrt((of_other if is_kept else 1.0) * z_spread)
            first = n * (xz + products[draw]) - one * z
            second = n * (xz - products[draw]) - other * z
            out[draw] += first / one_scale - second / other_scale if is_kept else math.inf
    for draw in range(draws):
        out[draw] = out[draw] / used if used else math.nan


def fill_swap_ties(sizes: Any, ranks: Any, swapped: Any, here: Any, out: Any) -> None:
    """Fill tied pairs, distinct values, and the sum of t³ - t over ties, by topic, draw and measure.

    sizes: draws, topics, systems.
    ranks: by topic, measure and system, -1 = missing.
    swapped: 1 or 0 by draw and system.
    here: a buffer of zeros for the number of scores of each rank.
    """
    draws, topics, systems = sizes[0], sizes[1], sizes[2]
    for topic in range(topics):
        for draw in range(draws):
            for measure in range(2):
                ties = distinct = cubes = 0
                for i in range(systems):
                    other = swapped[draw * systems + i] ^ measure
                    rank = ranks[(2 * topic + other) * systems + i]
                    if rank >= 0:
                        t = here[rank]
                        here[rank] = t + 1
                        ties += t
                        distinct += 1 if t == 0 else 0
                        cubes += 3 * t * (t + 1)
                for i in range(systems):
                    other = swapped[draw * systems + i] ^ measure
                    rank = ranks[(2 * topic + other) * systems + i]
                    if rank >= 0:
                        here[rank] = 0
                at = ((topic * draws + draw) * 2 + measure) * 3
                out[at], out[at + 1], out[at + 2] = ties, distinct, cubes
