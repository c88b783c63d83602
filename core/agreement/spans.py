"""Agreement of two annotators' spans: F1 and boundary similarity.

A unit is one or more spans of one text, e.g. a nugget with discontinuous parts. All counts add up over texts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from core.agreement.estimates import Estimator, ratio
from core.domain.study import Span

Unit = tuple[Span, ...]
"""Spans of one annotated unit in one text."""

NEAR_MISS = 2
"""Distance below which two boundaries are a near miss, n_t of Fournier 2013."""

NO_SPANS = "neither annotator marked a span"


@dataclass(frozen=True, slots=True)
class SpanPair:
    """Two annotators' units in one text.

    topic: index. words: spans of the text's words, for agreement by words and for boundaries.
    """

    topic: int
    first: tuple[Unit, ...]
    second: tuple[Unit, ...]
    words: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class OverlapCounts:
    """Things that both annotators marked, and that each marked; they add up."""

    both: int
    first: int
    second: int

    @property
    def f1(self) -> float:
        """F1, NaN if neither annotator marked anything."""
        total = self.first + self.second
        return 2 * self.both / total if total else float("nan")


@dataclass(frozen=True, slots=True)
class BoundaryEdits:
    """Boundary edit distance of two sets of boundaries; it adds up.

    matches: boundaries of both. near: distances of near misses. missing: boundaries of one annotator only.
    """

    matches: int
    near: tuple[int, ...]
    missing: int
    limit: int = NEAR_MISS

    @property
    def operations(self) -> int:
        """Matches and edits: the denominator of boundary similarity."""
        return self.matches + len(self.near) + self.missing

    @property
    def penalty(self) -> float:
        """Weighted edits: 1 per missing boundary, distance / n_t per near miss."""
        return self.missing + sum(self.near) / self.limit

    @property
    def similarity(self) -> float:
        """Boundary similarity in [0, 1], NaN without boundaries."""
        return 1 - self.penalty / self.operations if self.operations else float("nan")


def exact_overlap(pair: SpanPair) -> OverlapCounts:
    """Return the units with exactly the same spans."""
    first, second = (Counter(map(_normalized, units)) for units in (pair.first, pair.second))
    return OverlapCounts((first & second).total(), first.total(), second.total())


def character_overlap(pair: SpanPair) -> OverlapCounts:
    """Return the characters inside any unit."""
    return _overlap(_characters(pair.first), _characters(pair.second))


def word_overlap(pair: SpanPair) -> OverlapCounts:
    """Return the words that any unit touches."""
    return _overlap(words_in(pair.first, pair.words), words_in(pair.second, pair.words))


def words_in(units: Iterable[Unit], words: Sequence[Span]) -> set[int]:
    """Return the indices of the words that any unit touches. words: in order, none overlaps another."""
    return {place for unit in units for span in unit for place in _touched(span, words)}


def boundary_edits(first: Collection[int], second: Collection[int], limit: int = NEAR_MISS) -> BoundaryEdits:
    """Compare two sets of boundary positions.

    limit: n_t; boundaries of only one annotator that are less than this apart are a near miss, closest first.
    Source: Fournier 2013, boundary edit distance with one type of boundary.
    """
    ours, theirs = set(first), set(second)
    matches = len(ours & theirs)
    left, right = ours - theirs, theirs - ours
    near = []
    for distance in range(1, limit):
        for place in sorted(left):
            found = next((other for other in (place - distance, place + distance) if other in right), None)
            if found is not None:
                near.append(distance)
                left.remove(place)
                right.remove(found)
    return BoundaryEdits(matches, tuple(near), len(left) + len(right), limit)


def unit_boundaries(pair: SpanPair, limit: int = NEAR_MISS) -> tuple[BoundaryEdits, BoundaryEdits]:
    """Compare the starts, and the ends, of all spans in words; a near miss is one word off."""
    sides = (pair.first, pair.second)
    first, second = (_places(units, pair.words, end=False) for units in sides)
    first_ends, second_ends = (_places(units, pair.words, end=True) for units in sides)
    return boundary_edits(first, second, limit), boundary_edits(first_ends, second_ends, limit)


def span_f1(pairs: Sequence[SpanPair], topics: int, by: str) -> Estimator:
    """Return F1 of two annotators' units over all texts. by: ``exact``, ``characters`` or ``words``."""
    count = {"exact": exact_overlap, "characters": character_overlap, "words": word_overlap}[by]
    above, below = np.zeros(topics), np.zeros(topics)
    items = 0
    for pair in pairs:
        counts = count(pair)
        above[pair.topic] += 2 * counts.both
        below[pair.topic] += counts.first + counts.second
        items += counts.first + counts.second - counts.both
    return ratio(above, below, items, NO_SPANS)


def boundary_similarity(pairs: Sequence[SpanPair], topics: int, limit: int = NEAR_MISS) -> Estimator:
    """Return the boundary similarity B over all texts. Source: Fournier 2013.

    Starts and ends are two types of boundaries; edits and matches are summed over texts.
    """
    above, below = np.zeros(topics), np.zeros(topics)
    for pair in pairs:
        for edits in unit_boundaries(pair, limit):
            above[pair.topic] += edits.operations - edits.penalty
            below[pair.topic] += edits.operations
    return ratio(above, below, int(below.sum()), NO_SPANS)


def _normalized(unit: Unit) -> Unit:
    return tuple(sorted(set(unit)))


def _characters(units: Iterable[Unit]) -> set[int]:
    return {place for unit in units for start, end in unit for place in range(start, end)}


def _overlap(first: set[int], second: set[int]) -> OverlapCounts:
    return OverlapCounts(len(first & second), len(first), len(second))


def _places(units: Iterable[Unit], words: Sequence[Span], *, end: bool) -> set[int]:
    """Return the index of the first (or last) word of each span; spans without a word are left out."""
    touched = (_touched(span, words) for unit in units for span in unit)
    return {inside[-1] if end else inside[0] for inside in touched if inside}


def _touched(span: Span, words: Sequence[Span]) -> range:
    """Return the indices of the words that a span touches."""
    first = bisect_right(words, span[0], key=itemgetter(1))
    return range(first, bisect_left(words, span[1], key=itemgetter(0)) if span[0] < span[1] else first)
