"""Loops for `Kernel` over sorted rows: flat arrays, the last one is filled.

sizes: draws, rows, n, cycle, levels, fields, and 1 or 0 for whether the rows, z and the weights vary by draw.
order, groups, z, weights: as in `SortedRows`, flat.
below: a Fenwick tree over the levels of z.
here: weight at each level.
"""

from __future__ import annotations

from typing import Any


def row_starts(sizes: Any, draw: int, row: int) -> tuple[int, int, int]:
    """Return the offsets of a row's order, of its z, and of the draw's weights."""
    n, cycle = sizes[2], sizes[3]
    x = (draw * sizes[1] * sizes[6] + row) * n
    return x, (draw * cycle * sizes[7] + row % cycle) * n, draw * n * sizes[8]


def fill_pair_counts(
    sizes: Any,
    order: Any,
    groups: Any,
    z: Any,
    weights: Any,
    below: Any,
    here: Any,
    used_weights: Any,
    level_of: Any,
    group_of: Any,
    out: Any,
) -> None:
    """Fill n, C - D, C + D, ties in x, ties in z, distinct values of x and z, by draw and row.

    used_weights, level_of, group_of: buffers for the n items of a row that count.
    """
    draws, rows, n, levels, fields = sizes[0], sizes[1], sizes[2], sizes[4], sizes[5]
    for draw in range(draws):
        for row in range(rows):
            x, human, w = row_starts(sizes, draw, row)
            for level in range(levels):
                below[level + 1] = 0
                here[level] = 0
            size = 0
            for place in range(n):
                thing = order[x + place]
                if thing < 0:
                    break
                used_weights[size], level_of[size], group_of[size] = (
                    weights[w + thing],
                    z[human + thing],
                    groups[x + place],
                )
                size += 1 if used_weights[size] > 0 else 0  # branch-free: avoids mispredictions
            placed = balance = untied = x_ties = x_distinct = first = 0
            while first < size:
                last = first
                group = 0
                while (
                    last < size and group_of[last] == group_of[first]
                ):  # compare with all items of smaller x
                    less, at = 0, level_of[last]
                    while at > 0:
                        less += below[at]
                        at -= at & -at
                    more = placed - less - here[level_of[last]]
                    balance += used_weights[last] * (less - more)
                    untied += used_weights[last] * (less + more)
                    group += used_weights[last]
                    last += 1
                for i in range(first, last):
                    here[level_of[i]] += used_weights[i]
                    at = level_of[i] + 1
                    while at <= levels:
                        below[at] += used_weights[i]
                        at += at & -at
                placed += group
                x_ties += group * (group - 1) // 2
                x_distinct += 1
                first = last
            z_ties = z_distinct = 0
            for level in range(levels):
                z_ties += here[level] * (here[level] - 1) // 2
                z_distinct += 1 if here[level] > 0 else 0
            at = (draw * rows + row) * fields
            out[at], out[at + 1], out[at + 2] = placed, balance, untied
            out[at + 3], out[at + 4], out[at + 5], out[at + 6] = x_ties, z_ties, x_distinct, z_distinct


def fill_rank_products(
    sizes: Any, order: Any, groups: Any, z: Any, weights: Any, rank: Any, here: Any, out: Any
) -> None:
    """Fill n, the sum of products of doubled mean ranks, and the sums of t³ - t over ties of x and of z."""
    draws, rows, n, levels, fields = sizes[0], sizes[1], sizes[2], sizes[4], sizes[5]
    for draw in range(draws):
        for row in range(rows):
            x, human, w = row_starts(sizes, draw, row)
            for level in range(levels):
                here[level] = 0
            for place in range(n):
                thing = order[x + place]
                if thing < 0:
                    break
                here[z[human + thing]] += weights[w + thing]
            less = z_ties = 0
            for level in range(levels):
                tied = here[level]
                rank[level] = 2 * less + tied + 1
                less += tied
                z_ties += tied * tied * tied - tied
            placed = group = of_group = product = x_ties = 0
            present = -1
            for place in range(n):
                thing = order[x + place]
                if thing < 0:
                    break
                if groups[x + place] != present:
                    present = groups[x + place]
                    product += (2 * placed + group + 1) * of_group
                    x_ties += group * group * group - group
                    placed += group
                    group = of_group = 0
                group += weights[w + thing]
                of_group += weights[w + thing] * rank[z[human + thing]]
            product += (2 * placed + group + 1) * of_group
            x_ties += group * group * group - group
            at = (draw * rows + row) * fields
            out[at], out[at + 1], out[at + 2], out[at + 3] = placed + group, product, x_ties, z_ties


def fill_concordance(
    sizes: Any,
    order: Any,
    _groups: Any,
    z: Any,
    weights: Any,
    values: Any,
    thresholds: Any,
    below: Any,
    here: Any,
    out: Any,
) -> None:
    """Fill n, the pairs of different items, and the correct ones with ties up to a threshold.

    values: x in order.
    here: weights of items within the threshold below the current one.
    below: weights of the rest.
    """
    draws, rows, n, levels, fields = sizes[0], sizes[1], sizes[2], sizes[4], sizes[5]
    for draw in range(draws):
        for row in range(rows):
            x, human, w = row_starts(sizes, draw, row)
            for level in range(levels):
                below[level + 1] = 0
                here[level] = 0
            placed = right = behind = copies = 0
            for place in range(n):
                thing = order[x + place]
                if thing < 0:
                    break
                while values[x + place] - values[x + behind] > thresholds[row]:
                    far = order[x + behind]
                    if weights[w + far] > 0:
                        here[z[human + far]] -= weights[w + far]
                        at = z[human + far] + 1
                        while at <= levels:
                            below[at] += weights[w + far]
                            at += at & -at
                    behind += 1
                weight, level = weights[w + thing], z[human + thing]
                if weight == 0:
                    continue
                at = level
                while at > 0:
                    right += weight * below[at]
                    at -= at & -at
                right += weight * here[level]
                copies += weight * (weight - 1) // 2
                here[level] += weight
                placed += weight
            at = (draw * rows + row) * fields
            out[at], out[at + 1], out[at + 2] = placed, placed * (placed - 1) // 2 - copies, right
