"""What is marked in one text, and how overlapping marks share its ground and the space below its letters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.study import Span

OUTSIDE = 0
"""The step of a unit that the pyramid does not have."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A content unit's parts in one text.

    unit_id: the SCU, or the match of a unit outside the pyramid. step: of its weight, 1 to 5, or OUTSIDE.
    spans: code points of the text, in any order, possibly overlapping other marks.
    match_id: the unit itself where several units of one text may express one SCU.
    is_repeat: the text has expressed the SCU before, so this adds no weight: a rail without a tint.
    """

    unit_id: str
    step: int
    spans: tuple[Span, ...]
    match_id: str = ""
    is_repeat: bool = False

    def belongs_to(self, unit_id: str) -> bool:
        """Whether these parts are of a unit, or of one of its repetitions."""
        return bool(unit_id) and unit_id in (self.unit_id, self.match_id)

    def within(self, length: int) -> Mark:
        """The parts as far as a text of that length goes; a part beyond it is a finding, and not painted."""
        if all(end <= length for _, end in self.spans):
            return self
        return replace(
            self, spans=tuple((start, min(end, length)) for start, end in self.spans if start < length)
        )


@dataclass(frozen=True, slots=True)
class Tint:
    """A stretch of ground in one weight step's colour."""

    start: int
    end: int
    step: int


@dataclass(frozen=True, slots=True)
class Rail:
    """A line under one part; rails that overlap lie in different lanes, lane 0 nearest to the letters."""

    start: int
    end: int
    step: int
    lane: int


@dataclass(frozen=True, slots=True)
class MarkLayout:
    """All marks of a text, ready to paint.

    tints: disjoint, in the text's order. lanes: the rails of each lane, disjoint, in the text's order.
    outside: spans of the units outside the pyramid, in the text's order. quiet: what of them has no tint.
    """

    tints: tuple[Tint, ...] = ()
    lanes: tuple[tuple[Rail, ...], ...] = ()
    outside: tuple[Span, ...] = ()
    quiet: tuple[Span, ...] = ()


def layout_marks(marks: Sequence[Mark]) -> MarkLayout:
    """Share out ground (the heaviest mark wins) and lanes."""
    stretches = _stretches(mark for mark in marks if mark.step)
    outside = sorted(span for mark in marks if not mark.step for span in mark.spans)
    tints = tuple(_tints(_stretches(mark for mark in marks if mark.step and not mark.is_repeat)))
    quiet = tuple(bare for span in outside for bare in _untinted(tints, span))
    return MarkLayout(tints, _lanes(stretches), tuple(outside), quiet)


def units_at(marks: Iterable[Mark], first: int, last: int) -> tuple[str, ...]:
    """The units whose parts hold some of ``first:last``, heaviest first."""
    hit = [mark for mark in marks if any(start < last and first < end for start, end in mark.spans)]
    return tuple(dict.fromkeys(mark.unit_id for mark in sorted(hit, key=lambda mark: -mark.step)))


def stretches_in(stretches: Sequence[Tint] | Sequence[Rail], start: int, end: int) -> Iterator[Tint | Rail]:
    """The disjoint, ordered stretches that share a place with ``start:end``."""
    at = bisect_right(stretches, start, key=lambda stretch: stretch.end)
    while at < len(stretches) and stretches[at].start < end:
        yield stretches[at]
        at += 1


def _stretches(marks: Iterable[Mark]) -> list[tuple[int, int, int]]:
    """Start, end and step of every part, in the text's order, the heavier first."""
    parts = sorted((start, -mark.step, end) for mark in marks for start, end in mark.spans)
    return [(start, end, -negative) for start, negative, end in parts]


def _tints(stretches: Sequence[tuple[int, int, int]]) -> Iterator[Tint]:
    edges = sorted(edge for start, end, step in stretches for edge in ((start, step, 1), (end, step, -1)))
    open_by_step = [0] * 6
    begun, shown = 0, 0
    for place, step, change in edges:
        open_by_step[step] += change
        heaviest = next((s for s in range(5, 0, -1) if open_by_step[s]), 0)
        if heaviest != shown and place > begun:
            if shown:
                yield Tint(begun, place, shown)
            begun = place
        shown = heaviest


def _untinted(tints: Sequence[Tint], span: Span) -> Iterator[Span]:
    start, end = span
    for tint in stretches_in(tints, start, end):
        if tint.start > start:
            yield start, tint.start
        start = tint.end
    if start < end:
        yield start, end


def _lanes(stretches: Sequence[tuple[int, int, int]]) -> tuple[tuple[Rail, ...], ...]:
    lanes: list[list[Rail]] = []
    for start, end, step in stretches:
        lane = next((i for i, rails in enumerate(lanes) if rails[-1].end <= start), len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append(Rail(start, end, step, lane))
    return tuple(tuple(rails) for rails in lanes)
