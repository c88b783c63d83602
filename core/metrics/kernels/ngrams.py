"""N-gram matches of many pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.recent import Recent

Words = NDArray[np.int32]
Units = NDArray[np.int64]
Floats = NDArray[np.float64]


class NumberedUnits(NamedTuple):
    """The units of several texts as ids below `total`; equal units have equal ids.

    units: shape (units of all texts,).
    ends: shape (texts + 1,), offset of each text's first unit, then the number of units.
    """

    units: Units
    total: int
    ends: Units


class _NumberedTexts:
    """Texts whose words are numbered, with their n-grams up to the longest that was asked for."""

    def __init__(self, texts: Sequence[Words]) -> None:
        self._lock = Lock()
        self._sizes = np.array([len(text) for text in texts], dtype=np.int64)
        flat = np.concatenate([*texts, np.empty(0, dtype=np.int64)])
        words = NumberedUnits(flat, 0, ends_of(self._sizes))
        self._grams = [_renumber(words, words, 1, words.ends)]

    def grams(self, longest: int) -> list[NumberedUnits]:
        with self._lock:
            for n in range(len(self._grams) + 1, longest + 1):
                ends = ends_of(np.maximum(self._sizes - n + 1, 0))
                self._grams.append(_renumber(self._grams[-1], self._grams[0], n, ends))
            return self._grams[:longest]


_recent = Recent[_NumberedTexts](2)


def _numbered(texts: Sequence[Words]) -> _NumberedTexts:
    return _recent.get("", tuple(texts), lambda: _NumberedTexts(texts))


def number_grams(texts: Sequence[Words], n: int) -> NumberedUnits:
    """Return the n-grams of each text."""
    return all_grams(texts, n)[-1]


def all_grams(texts: Sequence[Words], longest: int) -> list[NumberedUnits]:
    """Return the n-grams of each text, for each n from 1 to the longest. The arrays are shared: read only."""
    return _numbered(texts).grams(longest)


def unit_statistics(numbered: NumberedUnits, summaries: int) -> NDArray[np.float64]:
    """Count the units shared by each summary and reference, in the reference and in the summary.

    summaries: number of texts that are summaries; they come first, references follow.
    Returns shape (summaries, references, 3). A unit that both texts contain several times is shared as often
    as the text with fewer occurrences contains it.
    """
    units, total, ends = numbered
    references = len(ends) - 1 - summaries
    statistics = np.empty(3 * summaries * references)
    tables = np.zeros(2 * total, dtype=np.int64)
    steps = int(ends[summaries]) * 2 * references + len(units)
    _match(units, ends, np.array([summaries, total]), tables, statistics, steps=steps)
    return statistics.reshape(summaries, references, 3)


def stacked(*statistics: NDArray[np.float64 | np.int64]) -> NDArray[np.float64]:
    """Return statistics of pairs, the first of shape (summaries, references), along a new last axis."""
    all_of_them = np.empty((*statistics[0].shape, len(statistics)))
    for place, one in enumerate(statistics):
        all_of_them[..., place] = one
    return all_of_them


def _fill_statistics(units: Units, ends: Units, sizes: Units, tables: Units, statistics: Floats) -> None:
    """Fill `statistics`. tables: zeros; counts of each unit in the reference, then of its matches."""
    summaries, total = sizes[0], sizes[1]
    references = len(ends) - 1 - summaries
    for r in range(references):
        begin, end = ends[summaries + r], ends[summaries + r + 1]
        for at in range(begin, end):
            tables[units[at]] += 1
        for s in range(summaries):
            count = 0
            for at in range(ends[s], ends[s + 1]):
                if tables[total + units[at]] < tables[units[at]]:
                    tables[total + units[at]] += 1
                    count += 1
            for at in range(ends[s], ends[s + 1]):
                tables[total + units[at]] = 0
            pair = 3 * (s * references + r)
            statistics[pair], statistics[pair + 1], statistics[pair + 2] = (
                count,
                end - begin,
                ends[s + 1] - ends[s],
            )
        for at in range(begin, end):
            tables[units[at]] = 0


_match = Kernel(_fill_statistics)


def joint_matches(numbered: NumberedUnits, summaries: int) -> NDArray[np.int64]:
    """Count the units of each summary that match, each at most as often as in any one reference.

    summaries: number of texts that are summaries; they come first, references follow.
    Returns shape (summaries,).
    """
    units, total, ends = numbered
    matched = np.zeros(summaries, dtype=np.int64)
    tables = np.zeros(2 * total, dtype=np.int64)
    _match_joint(units, ends, np.array([summaries, total]), tables, matched, steps=3 * len(units))
    return matched


def _fill_joint_matches(units: Units, ends: Units, sizes: Units, tables: Units, matched: Units) -> None:
    """Fill `matched`. tables: zeros; counts of each unit in one text, then its largest in a reference."""
    summaries, total = sizes[0], sizes[1]
    for r in range(summaries, len(ends) - 1):
        for at in range(ends[r], ends[r + 1]):
            tables[units[at]] += 1
        for at in range(ends[r], ends[r + 1]):
            count = tables[units[at]]
            if count > tables[total + units[at]]:
                tables[total + units[at]] = count
            tables[units[at]] = 0
    for s in range(summaries):
        for at in range(ends[s], ends[s + 1]):
            if tables[units[at]] < tables[total + units[at]]:
                tables[units[at]] += 1
                matched[s] += 1
        for at in range(ends[s], ends[s + 1]):
            tables[units[at]] = 0


_match_joint = Kernel(_fill_joint_matches)


def concatenate(texts: Sequence[Words]) -> tuple[Units, int]:
    """Return the words of all texts as consecutive ids from 0, and the number of distinct words.

    The array is shared: read only.
    """
    words = number_grams(texts, 1)
    return words.units, words.total


def ends_of(sizes: Sequence[int] | Units) -> Units:
    """Return the offset of each of several consecutive items, and the end of the last."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.add.accumulate(sizes, out=ends[1:])
    return ends


def _renumber(before: NumberedUnits, words: NumberedUnits, n: int, ends: Units) -> NumberedUnits:
    """Return the n-grams of texts, numbered in order of first occurrence.

    before: their (n - 1)-grams; any units if there are no ids of words yet (words.total = 0).
    ends: of the result.
    """
    size = int(ends[-1])
    table, numbers = np.zeros(2 << size.bit_length(), dtype=np.int64), np.empty(size, dtype=np.int64)
    ids = np.empty(size + 1, dtype=np.int64)
    sizes = np.array([n, words.total])
    _number(before.units, before.ends, words.units, words.ends, sizes, ends, table, numbers, ids, steps=size)
    return NumberedUnits(ids[:size], int(ids[size]), ends)


def _fill_ids(
    before: Units, before_ends: Units, words: Units, word_ends: Units, sizes: Units, ends: Units,
    table: Units, numbers: Units, ids: Units,
) -> None:  # fmt: skip
    """Fill `ids`, and the number of distinct ones behind them.

    table: zeros, a hash table of places + 1; its length is a power of 2. numbers: scratch.
    """
    n, total = sizes[0], sizes[1]
    mask, count = len(table) - 1, 0
    for text in range(len(ends) - 1):
        first, last = before_ends[text] - ends[text], word_ends[text] - ends[text] + n - 1
        for at in range(ends[text], ends[text + 1]):
            number = before[at + first] * total + words[at + last]
            numbers[at] = number
            place = (number ^ (number >> 15)) * 31 & mask
            while table[place] and numbers[table[place] - 1] != number:
                place = (place + 1) & mask
            if not table[place]:
                table[place] = at + 1
                ids[at] = count
                count += 1
            ids[at] = ids[table[place] - 1]
    ids[len(numbers)] = count


_number = Kernel(_fill_ids)
