"""Word-wise movement of selections and of span ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.annotation.word_coverage import snap_to_words
from core.domain.study import Span
from gui.style.language import tr

ENDS = (
    ("part.start_out", -1, +1),
    ("part.start_in", -1, -1),
    ("part.end_out", +1, +1),
    ("part.end_in", +1, -1),
)
"""Commands with the end that they move (-1 = start, +1 = end) and by how many words outwards."""
AT_EDGE = tr("The text has no more words there.")


@dataclass(frozen=True, slots=True)
class Caret:
    """A selection with a direction, in code points."""

    anchor: int
    position: int

    @property
    def span(self) -> Span:
        return min(self.anchor, self.position), max(self.anchor, self.position)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.position

    def snap(self, words: Sequence[Span]) -> Caret:
        """Return the selection extended to whole words, in the same direction."""
        if self.is_empty:
            return self
        start, end = snap_to_words(words, self.span)
        return Caret(start, end) if self.anchor < self.position else Caret(end, start)

    def step(self, words: Sequence[Span], *, forward: bool, clauses: Sequence[Span] | None = None) -> Caret:
        """Return the selection extended or reduced by one word, or by one of `clauses`."""
        by = words if clauses is None else clauses
        moved = self._forward(by) if forward else self._backward(by)
        return Caret(self.anchor, moved).snap(words)

    def walk(self, words: Sequence[Span], *, forward: bool) -> Caret:
        """Return an empty selection at the start of the next or previous word.

        A selection collapses to its end in that direction.
        """
        if not self.is_empty:
            at = self.span[1] if forward else self.span[0]
        elif forward:
            place = bisect_right(words, self.position, key=lambda word: word[0])
            at = words[place][0] if place < len(words) else max(self.position, words[-1][1] if words else 0)
        else:
            place = bisect_left(words, self.position, key=lambda word: word[0])
            at = words[place - 1][0] if place else 0
        return Caret(at, at)

    def _forward(self, words: Sequence[Span]) -> int:
        if self.position < self.anchor:
            at = bisect_right(words, self.position, key=lambda word: word[0])
            return min(words[at][0], self.anchor) if at < len(words) else self.anchor
        at = bisect_right(words, self.position, key=lambda word: word[1])
        return words[at][1] if at < len(words) else self.position

    def _backward(self, words: Sequence[Span]) -> int:
        if self.position > self.anchor:
            at = bisect_left(words, self.position, key=lambda word: word[1]) - 1
            return max(words[at][1], self.anchor) if at >= 0 else self.anchor
        at = bisect_left(words, self.position, key=lambda word: word[0]) - 1
        return words[at][0] if at >= 0 else self.position


def span_at(spans: Sequence[Span], place: int) -> Span | None:
    """Return the span that contains a position or ends there; None = no such span."""
    at = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return spans[at] if at >= 0 and place <= spans[at][1] else None


def with_end_at(words: Sequence[Span], span: Span, place: int, *, at_end: bool) -> Span:
    """Return a span with one end moved to the word edge nearest to a position; it keeps at least one word."""
    start, end = span
    edges = [word[1] for word in words if word[1] > start] if at_end else [w[0] for w in words if w[0] < end]
    if not edges:
        return span
    nearest = min(edges, key=lambda edge: abs(edge - place))
    return (start, nearest) if at_end else (nearest, end)


def with_end_moved(words: Sequence[Span], span: Span, by: int, *, at_end: bool) -> Span:
    """Return a span with one end moved a word outwards (+1) or inwards (-1), if possible."""
    start, end = span
    if at_end:
        edges = [
            word[1] for word in words if word[1] > start and (word[1] > end) is (by > 0) and word[1] != end
        ]
        return (start, edges[0 if by > 0 else -1]) if edges else span
    edges = [
        word[0] for word in words if word[0] < end and (word[0] < start) is (by > 0) and word[0] != start
    ]
    return (edges[-1 if by > 0 else 0], end) if edges else span
