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


def fill_cluster_counts(
    sizes: Any,
    order: Any,
    groups: Any,
    z: Any,
    clusters: Any,
    below: Any,
    here: Any,
    lower: Any,
    total: Any,
    owner: Any,
    out: Any,
) -> None:
    """Fill what `fill_pair_counts` does, by row and cluster, of the pairs of its items with all items.

    n and distinct values are those of the cluster alone.
    sizes: rows, n, cycle, levels, clusters.
    lower, total: by level: numbers of items of lower levels, and of this one.
    owner: by level: 1 + the cluster that alone has it, 0 = none yet, -1 = several.
    """
    rows, n, cycle, levels, many = sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
    for row in range(rows):
        x, human = row * n, (row % cycle) * n
        for level in range(levels):
            below[level + 1] = here[level] = total[level] = owner[level] = 0
        size = 0
        while size < n and order[x + size] >= 0:
            level, mine = z[human + order[x + size]], clusters[order[x + size]] + 1
            total[level] += 1
            owner[level] = mine if owner[level] == 0 or owner[level] == mine else -1
            size += 1
        less = 0
        for level in range(levels):
            lower[level] = less
            less += total[level]
            if owner[level] > 0:
                out[(row * many + owner[level] - 1) * 7 + 6] += 1
        first = 0
        while first < size:
            last = first
            alone = clusters[order[x + first]]
            while last < size and groups[x + last] == groups[x + first]:  # compare with items of smaller x
                thing = order[x + last]
                level = z[human + thing]
                less, at = 0, level
                while at > 0:
                    less += below[at]
                    at -= at & -at
                more = first - less - here[level]
                to = (row * many + clusters[thing]) * 7
                out[to + 1] += less - more
                out[to + 2] += less + more
                alone = alone if clusters[thing] == alone else -1
                last += 1
            if alone >= 0:
                out[(row * many + alone) * 7 + 5] += 1
            for i in range(first, last):
                at = z[human + order[x + i]]
                here[at] += 1
                at += 1
                while at <= levels:
                    below[at] += 1
                    at += at & -at
            for i in range(first, last):  # compare with items of larger x: all but these and the smaller
                thing = order[x + i]
                level = z[human + thing]
                less, at = lower[level], level
                while at > 0:
                    less -= below[at]
                    at -= at & -at
                more = size - last - less - (total[level] - here[level])
                to = (row * many + clusters[thing]) * 7
                out[to] += 1
                out[to + 1] += more - less
                out[to + 2] += less + more
                out[to + 3] += last - first - 1
                out[to + 4] += total[level] - 1
            first = last


def fill_rank_products(
    sizes: Any, order: Any, groups: Any, z: Any, weights: Any, _below: Any, here: Any, ranked: Any, out: Any
) -> None:
    """Fill n, the sum of products of doubled mean ranks, and the sums of t³ - t over ties of x and of z.

    What z has is computed once for all rows that are paired with it.
    ranked: a buffer for the weight of each item, and its product with the rank in z.
    """
    draws, rows, n, cycle, levels, fields = sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
    for draw in range(draws):
        for of_z in range(cycle):
            x, human, w = row_starts(sizes, draw, of_z)
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
                here[level] = 2 * less + tied + 1
                less += tied
                z_ties += tied * tied * tied - tied
            for place in range(n):
                thing = order[x + place]
                if thing < 0:
                    break
                ranked[2 * thing] = weights[w + thing]
                ranked[2 * thing + 1] = weights[w + thing] * here[z[human + thing]]
            for row in range(of_z, rows, cycle):
                x = row_starts(sizes, draw, row)[0]
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
                    group += ranked[2 * thing]
                    of_group += ranked[2 * thing + 1]
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
