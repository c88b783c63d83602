"""Marks of one text and their layout: background tints, and lanes of lines below the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.domain.study import Span
from gui.style import theme
from gui.style.language import tr

OUTSIDE = 0
"""Weight step of a unit that is not in the pyramid."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Parts of a content unit in one text.

    unit_id: the SCU, or the match for a unit outside the pyramid.
    step: weight step, 1 to 5, or OUTSIDE.
    spans: code points of the text, in any order; they may overlap other marks.
    match_id: the match, if several matches in one text can express the same SCU.
    is_repeat: an earlier match expresses the same SCU, so this one adds no weight and gets no tint.
    is_automatic: found automatically and not confirmed, so it does not count: outlined only.
    name: of the unit and its weight, for screen readers.
    """

    unit_id: str
    step: int
    spans: tuple[Span, ...]
    match_id: str = ""
    is_repeat: bool = False
    is_automatic: bool = False
    name: str = ""

    def belongs_to(self, unit_id: str) -> bool:
        """Return whether the parts belong to a unit, given by its SCU or match."""
        return bool(unit_id) and unit_id in (self.unit_id, self.match_id)

    def within(self, length: int) -> Mark:
        """Return the mark with its parts clipped to a text length; findings report the others."""
        if all(end <= length for _, end in self.spans):
            return self
        return replace(
            self, spans=tuple((start, min(end, length)) for start, end in self.spans if start < length)
        )


@dataclass(frozen=True, slots=True)
class WeightSpan:
    """A span that is painted as of one weight step: its background, or a line below it."""

    start: int
    end: int
    step: int


@dataclass(frozen=True, slots=True)
class MarkLayout:
    """All marks of a text, ready for painting; all fields in text order.

    tints: disjoint.
    lanes: the rails of each lane, the one nearest to the text first, disjoint within a lane.
    outside: spans of units outside the pyramid.
    muted: the parts of `outside` without a tint.
    automatic: spans that are not confirmed.
    """

    tints: tuple[WeightSpan, ...] = ()
    lanes: tuple[tuple[WeightSpan, ...], ...] = ()
    outside: tuple[Span, ...] = ()
    muted: tuple[Span, ...] = ()
    automatic: tuple[Span, ...] = ()


def layout_marks(marks: Sequence[Mark]) -> MarkLayout:
    """Compute tints (the heaviest mark wins) and lanes of marks."""
    automatic = sorted(span for mark in marks if mark.is_automatic for span in mark.spans)
    marks = [mark for mark in marks if not mark.is_automatic]
    stretches = _stretches(mark for mark in marks if mark.step)
    outside = sorted(span for mark in marks if not mark.step for span in mark.spans)
    tints = tuple(_tints(_stretches(mark for mark in marks if mark.step and not mark.is_repeat)))
    muted = tuple(part for span in outside for part in _untinted(tints, span))
    return MarkLayout(tints, _lanes(stretches), tuple(outside), muted, tuple(automatic))


def units_at(marks: Iterable[Mark], first: int, last: int) -> tuple[str, ...]:
    """Return the units with parts that overlap ``first:last``, heaviest first."""
    overlapping = [mark for mark in marks if any(start < last and first < end for start, end in mark.spans)]
    return tuple(dict.fromkeys(mark.unit_id for mark in sorted(overlapping, key=lambda mark: -mark.step)))


def parts_at(marks: Iterable[Mark], position: int) -> tuple[str, ...]:
    """Describe the parts of units that contain a position: name, weight, and which part of several it is."""
    found = []
    for mark in sorted(marks, key=lambda mark: -mark.step):
        for number, (start, end) in enumerate(sorted(mark.spans), 1):
            if mark.name and start <= position < end:
                of = (
                    tr(", part {number} of {spans}", number=number, spans=len(mark.spans))
                    if len(mark.spans) > 1
                    else ""
                )
                found.append(f"{mark.name}{of}")
    return tuple(found)


def stretches_in(stretches: Sequence[WeightSpan], start: int, end: int) -> Iterator[WeightSpan]:
    """Yield those of the disjoint, ordered stretches that overlap ``start:end``."""
    at = bisect_right(stretches, start, key=lambda stretch: stretch.end)
    while at < len(stretches) and stretches[at].start < end:
        yield stretches[at]
        at += 1


def _stretches(marks: Iterable[Mark]) -> list[tuple[int, int, int]]:
    """Return start, end and step of every part, in text order, heavier ones first."""
    parts = sorted((start, -mark.step, end) for mark in marks for start, end in mark.spans)
    return [(start, end, -negative) for start, negative, end in parts]


def _tints(stretches: Sequence[tuple[int, int, int]]) -> Iterator[WeightSpan]:
    edges = sorted(edge for first, last, step in stretches for edge in ((first, step, 1), (last, step, -1)))
    open_by_step = [0] * 6
    start, current = 0, 0
    for position, step, change in edges:
        open_by_step[step] += change
        heaviest = next((s for s in range(5, 0, -1) if open_by_step[s]), 0)
        if heaviest != current and position > start:
            if current:
                yield WeightSpan(start, position, current)
            start = position
        current = heaviest


def _untinted(tints: Sequence[WeightSpan], span: Span) -> Iterator[Span]:
    start, end = span
    for tint in stretches_in(tints, start, end):
        if tint.start > start:
            yield start, tint.start
        start = tint.end
    if start < end:
        yield start, end


def _lanes(stretches: Sequence[tuple[int, int, int]]) -> tuple[tuple[WeightSpan, ...], ...]:
    lanes: list[list[WeightSpan]] = []
    for start, end, step in stretches:
        lane = next((i for i, rails in enumerate(lanes) if rails[-1].end <= start), len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append(WeightSpan(start, end, step))
    return tuple(tuple(rails) for rails in lanes)


LANE_PX = 3
_DASHES = {1: [0.1, 1.7], 2: [2.0, 1.3], 3: [4.2, 1.4]}  # in pen widths
_WIDTH = 2.0


def draw_weight_line(painter: QPainter, left: float, right: float, y: float, step: int) -> None:
    """Draw the line of a weight step; `y` is its upper edge."""
    ink = QColor(theme.tokens().weights[step - 1].ink)
    if step >= 5:
        painter.setPen(QPen(ink, 1.0))
        painter.drawLine(QLineF(left, y + 0.5, right, y + 0.5))
        painter.drawLine(QLineF(left, y + 2.5, right, y + 2.5))
        return
    pen = QPen(ink, _WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if step == 1 else Qt.PenCapStyle.FlatCap)
    if step in _DASHES:
        pen.setDashPattern(_DASHES[step])
    painter.setPen(pen)
    painter.drawLine(QLineF(left, y + 1, right, y + 1))


def draw_dots(painter: QPainter, left: float, right: float, y: float, token: str) -> None:
    """Draw a dotted line in a theme colour; `y` is its upper edge."""
    pen = QPen(theme.colour(token), _WIDTH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([0.1, 1.9])
    painter.setPen(pen)
    painter.drawLine(QLineF(left, y + 1, right, y + 1))
