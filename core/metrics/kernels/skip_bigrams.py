"""Skip-bigram matches of many pairs of texts, counted without listing them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.metrics.kernels.ngrams import Floats, Words, number_grams

Ints = NDArray[np.int64]


def skip_statistics(
    summaries: Sequence[Words], references: Sequence[Words], gap: int, *, with_words: bool
) -> NDArray[np.float64]:
    """Count the word pairs shared by each summary and reference, in the reference and in the summary.

    gap: maximum number of words between the two words of a pair; negative = unlimited.
    with_words: single words count as well, except the last one of each text.
    Returns shape (summaries, references, 3).
    """
    words, known, ends = number_grams((*summaries, *references), 1)
    sizes = (ends[1:] - ends[:-1]).tolist()
    reach = max(sizes, default=0) if gap < 0 else gap + 1
    widest = min(known, max(sizes[len(summaries) :], default=0))
    scratch = (
        np.full(known, -1),
        np.zeros(widest * (widest + 1), np.int64),
        np.empty(_units(max(sizes, default=0), reach, with_words), np.int64),
    )
    statistics = np.empty(3 * len(summaries) * len(references))
    steps = reach * (int(ends[len(summaries)]) * len(references) + 2 * len(words))
    options = np.array([len(summaries), reach, with_words])
    _match(words, ends, options, *scratch, statistics, steps=steps)
    return statistics.reshape(len(summaries), len(references), 3)


def _units(words: int, reach: int, singles: int) -> int:
    """Return the number of units in a text with a given number of words."""
    pairs = max(words - 1, 0)
    far = min(reach, pairs)
    return far * words - far * (far + 1) // 2 + pairs * singles


def _fill_statistics(
    words: Ints, ends: Ints, options: Ints, local: Ints, remaining: Ints, taken: Ints, statistics: Floats
) -> None:
    """Count each reference's units in a table, and match the summaries' units against it.

    options: number of summaries, maximum distance of the words of a pair, whether single words count.
    local: all -1; ids of a reference's words, from 0.
    remaining: zeros; counts of the reference's pairs, one row per word, with the single word at its end.
    taken: scratch.
    """
    summaries, reach, singles = options[0], options[1], options[2]
    references = len(ends) - 1 - summaries
    for r in range(references):
        begin, end = ends[summaries + r], ends[summaries + r + 1]
        known = 0
        for at in range(begin, end):
            if local[words[at]] < 0:
                local[words[at]] = known
                known += 1
        _count(words, begin, end, reach, singles, local, known, remaining, 1)
        for s in range(summaries):
            count = _take(words, ends[s], ends[s + 1], reach, singles, local, known, remaining, taken)
            for i in range(count):
                remaining[taken[i]] += 1
            pair = 3 * (s * references + r)
            statistics[pair] = count
            statistics[pair + 1] = _units(end - begin, reach, singles)
            statistics[pair + 2] = _units(ends[s + 1] - ends[s], reach, singles)
        _count(words, begin, end, reach, singles, local, known, remaining, -1)
        for at in range(begin, end):
            local[words[at]] = -1


def _count(
    words: Ints,
    begin: int,
    end: int,
    reach: int,
    singles: int,
    local: Ints,
    known: int,
    remaining: Ints,
    by: int,
) -> None:
    for i in range(begin, end - 1):
        row = local[words[i]] * (known + 1)
        if singles:
            remaining[row + known] += by
        for j in range(i + 1, min(i + reach + 1, end)):
            remaining[row + local[words[j]]] += by


def _take(
    words: Ints,
    begin: int,
    end: int,
    reach: int,
    singles: int,
    local: Ints,
    known: int,
    remaining: Ints,
    taken: Ints,
) -> int:
    """Match each unit while the table has any left; taken: the matched units, which are restored later."""
    count = 0
    for i in range(begin, end - 1):
        if local[words[i]] >= 0:
            row = local[words[i]] * (known + 1)
            if singles and remaining[row + known] > 0:
                remaining[row + known] -= 1
                taken[count] = row + known
                count += 1
            for j in range(i + 1, min(i + reach + 1, end)):
                unit = row + local[words[j]]
                if local[words[j]] >= 0 and remaining[unit] > 0:
                    remaining[unit] -= 1
                    taken[count] = unit
                    count += 1
    return count


_match = Kernel(_fill_statistics, _units, _count, _take)
