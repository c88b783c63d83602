"""Word alignment of METEOR 1.5: selection of compatible matches between two texts.

A beam search over the words of the reference. Alignments are ranked by more matched words, then fewer
chunks, then shorter distances. Like the published program, it truncates the weight of a match to whole
words, and adds the distance of a match only to alignments that are created after it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

BEAM = 40

Ints = NDArray[np.int64]

MATCHED, CHUNKS, DISTANCE, NEXT, END = range(5)
"""Columns of an alignment's state: weighted matched words, completed chunks, distance, next undecided word of
the reference, and end of the last match in the summary (-1 = no chunk is open)."""


class Matches(NamedTuple):
    """Every possible match of a summary with a reference, in the order of their first words there.

    first: shape (words of the reference + 1,), index of the first match that begins at or after each word.
    there, here: first word in the reference and in the summary.
    long_there, long_here: number of words.
    module: module that produced the match.
    """

    first: Ints
    there: Ints
    here: Ints
    long_there: Ints
    long_here: Ints
    module: Ints


def align(matches: Matches, words_here: int, weights: NDArray[np.float64]) -> Ints:
    """Return the indices of the selected matches, in the order of the reference. weights: of the modules."""
    words_there = len(matches.first) - 1
    chosen = np.full(words_there, -1, dtype=np.int64)
    each = _word_weights(matches, weights)
    heaviest = int(each.max(initial=0))
    room = successors(int(np.diff(matches.first).max(initial=0)), heaviest)
    _search(
        np.array([words_here, words_there, BEAM, room, heaviest], dtype=np.int64),
        matches.first,
        np.stack(
            [
                matches.there,
                matches.here,
                matches.long_there,
                matches.long_here,
                each,
                np.maximum(matches.long_there, matches.long_here) > 1,
            ]
        ),
        _certain(matches, words_here),
        chosen,
        steps=4 * BEAM * (len(matches.there) + words_there),
    )
    return chosen[chosen >= 0]


def chunks_of(matches: Matches, chosen: Ints) -> int:
    """Return the number of chunks: runs of matches that are adjacent in both texts."""
    if not len(chosen):
        return 0
    there, here = matches.there[chosen], matches.here[chosen]
    continues = (there[1:] == there[:-1] + matches.long_there[chosen][:-1]) & (
        here[1:] == here[:-1] + matches.long_here[chosen][:-1]
    )
    return 1 + int((~continues).sum())


def _word_weights(matches: Matches, weights: NDArray[np.float64]) -> Ints:
    each = weights[matches.module]
    words = np.floor(matches.long_here * each) + np.floor(matches.long_there * each)
    return words.astype(np.int64)


def _certain(matches: Matches, words_here: int) -> Ints:
    """Return 1 for each match that shares no word with another match, 0 for the others."""
    is_alone = np.diff(matches.first)[matches.there] == 1
    for at, length, words in (
        (matches.there, matches.long_there, len(matches.first) - 1),
        (matches.here, matches.long_here, words_here),
    ):
        claims = np.zeros(words + 1, dtype=np.int64)
        np.add.at(claims, at, 1)
        np.add.at(claims, at + length, -1)
        crowded = np.concatenate([[0], np.cumsum(np.cumsum(claims[:-1]) != 1)])
        is_alone &= crowded[at + length] == crowded[at]
    alone: Ints = is_alone.astype(np.int64)
    return alone


def _rank(state: Any) -> int:
    """Return a number that is smaller for a better alignment."""
    rank: int = (16383 - state[0]) * 70368744177664 + state[1] * 4294967296 + min(state[2], 4294967295)
    return rank


def _ordered(rank: Any, beam: int) -> Any:
    """Return the places of the lowest ranks in order, at least `beam` of them; ties as they come."""
    if len(rank) <= 2 * beam:
        return np.argsort(rank, kind="mergesort")
    low = np.flatnonzero(rank <= np.partition(rank, beam - 1)[beam - 1])
    return low[np.argsort(rank[low], kind="mergesort")]


def _take(match: int, matches: Any, here: Any, there: Any) -> None:
    """Add a match to an alignment."""
    for k in range(matches[2][match]):
        there[matches[0][match] + k] = 1
    for k in range(matches[3][match]):
        here[matches[1][match] + k] = 1


def _is_free(match: int, matches: Any, here: Any, there: Any) -> bool:
    for k in range(matches[3][match]):
        if here[matches[1][match] + k]:
            return False
    for k in range(matches[2][match]):  # noqa: SIM110 - compiled as a loop
        if there[matches[0][match] + k]:
            return False
    return True


def _follow(match: int, matches: Any, state: Any, new: Any) -> None:
    """Compute an alignment's state after a match, except for the distance."""
    new[0] = state[0] + matches[4][match]
    new[1] = state[1] + (1 if state[4] != -1 and matches[1][match] != state[4] else 0)
    new[2] = state[2]
    new[3] = matches[0][match] + matches[2][match]
    new[4] = matches[1][match] + matches[3][match]


def _skip(state: Any, new: Any) -> None:
    """Compute an alignment's state after a reference word without a match."""
    new[0], new[2], new[3], new[4] = state[0], state[2], state[3] + 1, -1
    new[1] = state[1] + (1 if state[4] != -1 else 0)


def _branch(
    word: int, p: int, beam: int, first: Any, matches: Any, alone: Any, here: Any, there: Any, state: Any,
    kept: Any, count: int, parent: Any, match: Any, new: Any,
) -> int:  # fmt: skip
    """Write the successors of alignment p at a word from index `count` on; return the next free index.

    Successors of the same weight that begin a chunk, or that continue one, are ranked in their order, because
    each adds to the distance of the following ones. So only the first `beam` of such a kind can be among the
    best `beam` of all, and the others are not written. kept: number of successors written, by kind.
    """
    if there[word]:
        certain = alone[state[3]]
        if word < state[3]:  # inside a match of several words
            new[count] = state
        elif certain >= 0:
            _follow(certain, matches, state, new[count])
            new[count][2] += abs(matches[0][certain] - matches[1][certain])
        else:
            return count
        parent[count], match[count] = p, -1
        return count + 1
    for kind in range(len(kept)):
        kept[kind] = 0
    begin, weight, is_long = matches[1], matches[4], matches[5]
    end, distance = state[4], state[2]
    for m in range(first[word], first[word + 1]):  # millions of times if words are repeated
        at = begin[m]
        if here[at] or (is_long[m] and not _is_free(m, matches, here, there)):
            continue
        if at == end or kept[2 * weight[m]] < beam:
            kind = 2 * weight[m] + (1 if at == end else 0)
            if kept[kind] < beam:
                kept[kind] += 1
                state[2] = distance
                _follow(m, matches, state, new[count])
                parent[count], match[count] = p, m
                count += 1
        distance += abs(word - at)
    state[2] = distance
    _skip(state, new[count])
    parent[count], match[count] = p, -1
    return count + 1


def successors(most: int, heaviest: int) -> int:
    """Return the largest number of successors of an alignment at a word.

    most: matches that begin at one word of the reference. heaviest: largest weight of a match.
    """
    return min(most, 2 * (heaviest + 1) * BEAM) + 1


def _beam_search(sizes: Any, first: Any, matches: Any, certain: Any, chosen: Any) -> None:
    words_here, words_there, beam, room = sizes[0], sizes[1], sizes[2], sizes[3]
    kept = np.zeros(2 * (sizes[4] + 1), dtype=np.int64)
    alone = np.full(words_there + 1, -1, dtype=np.int64)
    there = np.zeros((2, beam, words_there + 1), dtype=np.uint8)
    here = np.zeros((2, beam, words_here + 1), dtype=np.uint8)
    state = np.zeros((beam, 5), dtype=np.int64)
    parent = np.zeros(beam * room, dtype=np.int64)
    match = np.full(beam * room, -1, dtype=np.int64)
    new = np.zeros((beam * room, 5), dtype=np.int64)
    rank = np.zeros(beam * room, dtype=np.int64)
    came_from = np.zeros((words_there + 1, beam), dtype=np.int64)
    took = np.full((words_there + 1, beam), -1, dtype=np.int64)
    for m in range(len(certain)):
        if certain[m]:
            _take(m, matches, here[0, 0], there[0, 0])
            alone[matches[0][m]] = m
    new[0, 4] = -1
    count, old = 1, 0
    for word in range(words_there + 1):
        for c in range(count):
            rank[c] = _rank(new[c])
        order = _ordered(rank[:count], beam)
        alive = min(count, beam)
        for p in range(alive):
            c = order[p]
            state[p] = new[c]
            came_from[word, p], took[word, p] = parent[c], match[c]
            there[1 - old, p] = there[old, parent[c]]
            here[1 - old, p] = here[old, parent[c]]
            if match[c] >= 0:
                _take(match[c], matches, here[1 - old, p], there[1 - old, p])
        old = 1 - old
        count = 0
        for p in range(alive):
            if word == words_there:
                parent[count], new[count] = p, state[p]
                new[count, 1] += 1 if state[p, 4] != -1 else 0
                count += 1
            else:
                count = _branch(
                    word, p, beam, first, matches, alone, here[old, p], there[old, p], state[p], kept,
                    count, parent, match, new,
                )  # fmt: skip
    best = 0
    for c in range(count):
        if _rank(new[c]) < _rank(new[best]):
            best = c
    p = parent[best]
    for word in range(words_there - 1, -1, -1):
        chosen[word] = alone[word] if alone[word] >= 0 else took[word + 1, p]
        p = came_from[word + 1, p]


_search = Kernel(_beam_search, _rank, _ordered, _take, _is_free, _follow, _skip, _branch)
