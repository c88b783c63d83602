"""N-gram matches of many pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

Words = NDArray[np.int32]
Units = NDArray[np.int64]

_TABLE = 2**16
"""Largest range of n-gram ids; larger ones are renumbered, so that tables stay small."""


class NumberedUnits(NamedTuple):
    """The units of several texts as ids below `total`; equal units have equal ids.

    units: shape (units of all texts,).
    ends: shape (texts + 1,), offset of each text's first unit, then the number of units.
    """

    units: Units
    total: int
    ends: Units


def number_grams(texts: Sequence[Words], n: int) -> NumberedUnits:
    """Return the n-grams of each text."""
    return all_grams(texts, n)[-1]


def all_grams(texts: Sequence[Words], longest: int) -> list[NumberedUnits]:
    """Return the n-grams of each text, for each n from 1 to the longest."""
    flat, words = concatenate(texts)
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    left = np.repeat(ends_of(sizes)[1:], sizes) - np.arange(len(flat))
    grams, total, first = flat, words, np.arange(len(flat))
    found = [NumberedUnits(grams, total, ends_of(sizes))]
    for n in range(2, longest + 1):
        is_inside = left[first] >= n
        first = first[is_inside]
        grams, total = _renumber_large(grams[is_inside] * words + flat[first + n - 1], total * words)
        found.append(NumberedUnits(grams, total, ends_of(np.maximum(sizes - n + 1, 0))))
    return found


def unit_statistics(numbered: NumberedUnits, summaries: int) -> NDArray[np.float64]:
    """Count the units shared by each summary and reference, in the reference and in the summary.

    summaries: number of texts that are summaries; they come first, references follow.
    Returns shape (summaries, references, 3). A unit that both texts contain several times is shared as often
    as the text with fewer occurrences contains it.
    """
    matched = _matched(numbered, summaries)
    sizes = np.diff(numbered.ends).astype(np.float64)
    in_reference = np.broadcast_to(sizes[None, summaries:], matched.shape)
    in_summary = np.broadcast_to(sizes[:summaries, None], matched.shape)
    return np.stack([matched, in_reference, in_summary], axis=-1)


def _matched(numbered: NumberedUnits, summaries: int) -> NDArray[np.float64]:
    units, total, ends = numbered
    references = len(ends) - 1 - summaries
    matched = np.zeros(summaries * references, dtype=np.int64)
    tables = np.zeros(2 * total, dtype=np.int64)
    steps = int(ends[summaries]) * 2 * references + len(units)
    _match(units, ends, np.array([summaries, total]), tables, matched, steps=steps)
    return matched.reshape(summaries, references).astype(np.float64)


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
    """Return the words of all texts as consecutive ids from 0, and the number of distinct words."""
    return _renumber(np.concatenate([*texts, np.empty(0, dtype=np.int32)]))


def ends_of(sizes: Sequence[int] | Units) -> Units:
    """Return the offset of each of several consecutive items, and the end of the last."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _renumber_large(units: Units, total: int) -> tuple[Units, int]:
    """Return units unchanged while a table of them is small, otherwise renumbered."""
    return (units, total) if total <= _TABLE else _renumber(units)


def _renumber(numbers: NDArray[np.integer]) -> tuple[Units, int]:
    unique, inverse = np.unique(numbers, return_inverse=True)
    return inverse.astype(np.int64), len(unique)
