"""Skip-bigram matches of many pairs of texts, counted without listing them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.metrics.kernels.ngrams import Words, concatenate, ends_of

Ints = NDArray[np.int64]


def skip_statistics(
    summaries: Sequence[Words], references: Sequence[Words], gap: int, *, with_words: bool
) -> NDArray[np.float64]:
    """For each summary and reference how many pairs of words they share, the reference has, the summary has.

    A pair has at most `gap` words between its two, any number where that is below 0. with_words: single words
    count as well, each text's last one left out. Returns shape (summaries, references, 3).
    """
    texts = (*summaries, *references)
    flat, known = concatenate(texts)
    ends = ends_of([len(text) for text in texts])
    reach = int(np.diff(ends).max(initial=0)) if gap < 0 else gap + 1
    sizes = np.array([_units(len(text), reach, with_words) for text in texts], dtype=np.int64)
    widest = max((len(np.unique(text)) for text in references), default=0)
    scratch = (
        np.full(known, -1),
        np.zeros(widest * (widest + 1), np.int64),
        np.zeros(sizes.max(initial=0), np.int64),
    )
    matched = np.zeros(len(summaries) * len(references), dtype=np.int64)
    steps = int(sizes[: len(summaries)].sum()) * len(references) + 2 * int(sizes[len(summaries) :].sum())
    options = np.array([len(summaries), reach, with_words])
    _match(flat, ends, options, *scratch, matched, steps=steps)
    shape = len(summaries), len(references)
    wanted, offered = sizes[None, len(summaries) :], sizes[: len(summaries), None]
    counts = (matched.reshape(shape), np.broadcast_to(wanted, shape), np.broadcast_to(offered, shape))
    return np.stack(counts, axis=-1).astype(np.float64)


def _units(words: int, reach: int, with_words: bool) -> int:
    """How many units a text of so many words has."""
    far = min(reach, max(words - 1, 0))
    return far * words - far * (far + 1) // 2 + (max(words - 1, 0) if with_words else 0)


def _fill_matches(
    words: Ints, ends: Ints, options: Ints, local: Ints, wanted: Ints, taken: Ints, matched: Ints
) -> None:
    """Number a reference's words from 0, count its units in a table, take from that what summaries have.

    options: how many texts are summaries, how far a pair reaches, whether single words count. local: all -1.
    wanted: all zero, a row of pairs and a single word for each of a reference's words. taken: scratch.
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
        _count(words, begin, end, reach, singles, local, known, wanted, 1)
        for s in range(summaries):
            found = _take(words, ends[s], ends[s + 1], reach, singles, local, known, wanted, taken)
            for i in range(found):
                wanted[taken[i]] += 1
            matched[s * references + r] = found
        _count(words, begin, end, reach, singles, local, known, wanted, -1)
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
    wanted: Ints,
    by: int,
) -> None:
    for i in range(begin, end - 1):
        row = local[words[i]] * (known + 1)
        if singles:
            wanted[row + known] += by
        for j in range(i + 1, min(i + reach + 1, end)):
            wanted[row + local[words[j]]] += by


def _take(
    words: Ints,
    begin: int,
    end: int,
    reach: int,
    singles: int,
    local: Ints,
    known: int,
    wanted: Ints,
    taken: Ints,
) -> int:
    """Take each unit from the table while it lasts; taken: which, to be put back."""
    found = 0
    for i in range(begin, end - 1):
        if local[words[i]] >= 0:
            row = local[words[i]] * (known + 1)
            if singles and wanted[row + known] > 0:
                wanted[row + known] -= 1
                taken[found] = row + known
                found += 1
            for j in range(i + 1, min(i + reach + 1, end)):
                unit = row + local[words[j]]
                if local[words[j]] >= 0 and wanted[unit] > 0:
                    wanted[unit] -= 1
                    taken[found] = unit
                    found += 1
    return found


_match = Kernel(_fill_matches, _count, _take)
