"""Loop of the p-values of pairs of systems."""

from __future__ import annotations

from typing import Any


def fill_shares(sizes: Any, permuted: Any, bounds: Any, out: Any) -> None:
    """Fill the share of permutations in which the difference of two rows reaches its bound.

    sizes: groups, rows of a group, permutations. permuted: permuted sums, by group, row and permutation.
    bounds, out: by group and pair of rows, (0, 1), (0, 2), ...
    """
    groups, rows, draws = sizes[0], sizes[1], sizes[2]
    at = 0
    for group in range(groups):
        for one in range(rows):
            start = (group * rows + one) * draws
            first = permuted[start : start + draws]
            for other in range(one + 1, rows):
                start = (group * rows + other) * draws
                second = permuted[start : start + draws]
                bound, count = bounds[at], 0
                for draw in range(draws):
                    if first[draw] - second[draw] >= bound:
                        count += 1
                out[at] = count / draws
                at += 1
