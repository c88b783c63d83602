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
        self.flat, self.words = _renumber(np.concatenate([*texts, np.empty(0, dtype=np.int32)]))
        self._sizes = np.array([len(text) for text in texts], dtype=np.int64)
        ends = ends_of(self._sizes)
        self._left = np.repeat(ends[1:], self._sizes) - np.arange(len(self.flat))
        self._first = np.arange(len(self.flat))
        self._grams = [NumberedUnits(self.flat, self.words, ends)]

    def grams(self, longest: int) -> list[NumberedUnits]:
        with self._lock:
            for n in range(len(self._grams) + 1, longest + 1):
                before = self._grams[-1].units
                is_inside = self._left[self._first] >= n
                self._first = self._first[is_inside]
                both = before[is_inside] * self.words + self.flat[self._first + n - 1]
                ends = ends_of(np.maximum(self._sizes - n + 1, 0))
                self._grams.append(NumberedUnits(*_renumber(both), ends))
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
    matched = _matched(numbered, summaries)
    sizes = numbered.ends[1:] - numbered.ends[:-1]
    return stacked(matched, sizes[None, summaries:], sizes[:summaries, None])


def stacked(*statistics: NDArray[np.float64 | np.int64]) -> NDArray[np.float64]:
    """Return statistics of pairs, the first of shape (summaries, references), along a new last axis."""
    all_of_them = np.empty((*statistics[0].shape, len(statistics)))
    for place, one in enumerate(statistics):
        all_of_them[..., place] = one
    return all_of_them


def _matched(numbered: NumberedUnits, summaries: int) -> Units:
    units, total, ends = numbered
    references = len(ends) - 1 - summaries
    matched = np.zeros(summaries * references, dtype=np.int64)
    tables = np.zeros(2 * total, dtype=np.int64)
    steps = int(ends[summaries]) * 2 * references + len(units)
    _match(units, ends, np.array([summaries, total]), tables, matched, steps=steps)
    return matched.reshape(summaries, references)


def _fill_matches(units: Units, ends: Units, sizes: Units, tables: Units, matched: Units) -> None:
    """Fill `matched`. tables: zeros; counts of each unit in the reference, then of its matches."""
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
            matched[s * references + r] = count
        for at in range(begin, end):
            tables[units[at]] = 0


_match = Kernel(_fill_matches)


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
    numbered = _numbered(texts)
    return numbered.flat, numbered.words


def ends_of(sizes: Sequence[int] | Units) -> Units:
    """Return the offset of each of several consecutive items, and the end of the last."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def _renumber(numbers: NDArray[np.integer]) -> tuple[Units, int]:
    """Return an id of each number, from 0 in order of first occurrence, and the number of distinct ones."""
    table = np.zeros(2 << len(numbers).bit_length(), dtype=np.int64)
    ids = np.empty(len(numbers), dtype=np.int64)
    _number(numbers, table, ids, steps=len(numbers))
    return ids, int(ids.max(initial=-1)) + 1


def _fill_ids(numbers: Units, table: Units, ids: Units) -> None:
    """Fill `ids`. table: zeros, a hash table of places + 1; its length is a power of 2."""
    mask, count = len(table) - 1, 0
    for at in range(len(numbers)):
        number = numbers[at]
        place = (number ^ (number >> 15)) * 31 & mask
        while table[place] and numbers[table[place] - 1] != number:
            place = (place + 1) & mask
        if not table[place]:
            table[place] = at + 1
            ids[at] = count
            count += 1
        ids[at] = ids[table[place] - 1]


_number = Kernel(_fill_ids)
