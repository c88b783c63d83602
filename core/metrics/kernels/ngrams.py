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
"""Numbers up to here are used as they are; larger ones are numbered anew, so that tables stay small."""


class Numbered(NamedTuple):
    """Texts' units as numbers below `total` that equal units share.

    units: shape (units of all texts,). ends: shape (texts + 1,), where each text's begin, and their number.
    """

    units: Units
    total: int
    ends: Units


def number_grams(texts: Sequence[Words], n: int) -> Numbered:
    """Each text's n-grams."""
    flat, words = concatenate(texts)
    ends = ends_of([len(text) for text in texts])
    last = np.repeat(ends[1:], np.diff(ends))
    first = np.flatnonzero(np.arange(len(flat)) + n <= last)
    grams, total = flat[first], words
    for k in range(1, n):
        grams, total = _small(grams * words + flat[first + k], total * words)
    return Numbered(grams, total, ends_of(np.maximum(np.diff(ends) - n + 1, 0)))


def unit_statistics(numbered: Numbered, summaries: int) -> NDArray[np.float64]:
    """For each summary and reference how many units they share, the reference has, the summary has.

    summaries: how many of the texts are summaries; the others, behind them, are references. A unit is shared
    as often as both hold it. Returns shape (summaries, references, 3).
    """
    matched = _matched(numbered, summaries)
    sizes = np.diff(numbered.ends).astype(np.float64)
    wanted = np.broadcast_to(sizes[None, summaries:], matched.shape)
    offered = np.broadcast_to(sizes[:summaries, None], matched.shape)
    return np.stack([matched, wanted, offered], axis=-1)


def _matched(numbered: Numbered, summaries: int) -> NDArray[np.float64]:
    units, total, ends = numbered
    references = len(ends) - 1 - summaries
    matched = np.zeros(summaries * references, dtype=np.int64)
    tables = np.zeros(2 * total, dtype=np.int64)
    steps = int(ends[summaries]) * 2 * references + len(units)
    _match(units, ends, np.array([summaries, total]), tables, matched, steps=steps)
    return matched.reshape(summaries, references).astype(np.float64)


def _fill_matches(units: Units, ends: Units, sizes: Units, tables: Units, matched: Units) -> None:
    """tables: how often the reference has each unit, then how often the summary's were matched; all zero."""
    summaries, total = sizes[0], sizes[1]
    references = len(ends) - 1 - summaries
    for r in range(references):
        begin, end = ends[summaries + r], ends[summaries + r + 1]
        for at in range(begin, end):
            tables[units[at]] += 1
        for s in range(summaries):
            found = 0
            for at in range(ends[s], ends[s + 1]):
                if tables[total + units[at]] < tables[units[at]]:
                    tables[total + units[at]] += 1
                    found += 1
            for at in range(ends[s], ends[s + 1]):
                tables[total + units[at]] = 0
            matched[s * references + r] = found
        for at in range(begin, end):
            tables[units[at]] = 0


_match = Kernel(_fill_matches)


def concatenate(texts: Sequence[Words]) -> tuple[Units, int]:
    """All words in one row, numbered from 0 without gaps, and how many numbers there are."""
    return _dense(np.concatenate([*texts, np.empty(0, dtype=np.int32)]))


def ends_of(sizes: Sequence[int] | Units) -> Units:
    """Where each of several things in a row begins, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _small(units: Units, total: int) -> tuple[Units, int]:
    """Units as they are while a table of them is small, else numbered anew."""
    return (units, total) if total <= _TABLE else _dense(units)


def _dense(numbers: NDArray[np.integer]) -> tuple[Units, int]:
    unique, inverse = np.unique(numbers, return_inverse=True)
    return inverse.astype(np.int64), len(unique)
