"""Text view that highlights the spans that contributed to a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from PySide6.QtGui import QTextBlockFormat, QTextCursor

from core.domain.study import Span
from gui.style.language import tr
from gui.widgets.reading_text import ReadingText
from gui.widgets.utf16_offsets import offsets_of

_LIGHTEST, _DEEPEST = 0.10, 0.34
"""Share of the accent colour for the weakest and the strongest evidence."""

_STEPS = 6
_MOST_DESCRIBED = 10
"""Marked spans that are described for screen readers."""
LINE_HEIGHT = 145  # per cent


class EvidenceText(ReadingText):
    """Displays one text; all positions are code points."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._text, self._offsets = "", offsets_of("")
        self._evidence: tuple[tuple[Span, float], ...] = ()
        self.dress()

    @property
    def evidence(self) -> tuple[tuple[Span, float], ...]:
        """The marked spans with their weights."""
        return self._evidence

    def dress(self) -> None:
        super().dress()
        self._paint()

    def show_text(self, text: str) -> None:
        """Show a text without evidence."""
        self._text, self._offsets, self._evidence = text, offsets_of(text), ()
        self.setPlainText(self._offsets.shown)
        self.setExtraSelections([])
        self._describe()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        whole = QTextCursor(self.document())
        whole.select(QTextCursor.SelectionType.Document)
        whole.mergeBlockFormat(spacing)

    def show_evidence(self, evidence: Sequence[tuple[Span, float]]) -> None:
        """Mark spans with weights from 0 to 1; where they overlap, the heaviest counts."""
        self._evidence = tuple(evidence)
        self._paint()
        self._describe()

    def _describe(self) -> None:
        """Describe the marked words for screen readers, the first of them if they are many."""
        spans = sorted({span for span, _ in self._evidence})
        words = [" ".join(self._text[start:end].split()) for start, end in spans[:_MOST_DESCRIBED]]
        more = (
            tr(" and {spans} more", spans=len(spans) - _MOST_DESCRIBED)
            if len(spans) > _MOST_DESCRIBED
            else ""
        )
        self.setAccessibleDescription(
            tr("Marked: {words}{more}", words=" · ".join(words), more=more) if words else ""
        )

    def marked(self) -> list[Span]:
        """Return the highlighted spans."""
        return [span for span, _ in heaviest(self._evidence)]

    def _paint(self) -> None:
        self.tint(
            (self._offsets.span_to_document(span), _LIGHTEST + (_DEEPEST - _LIGHTEST) * step / _STEPS)
            for span, step in heaviest(self._evidence)
        )


def heaviest(evidence: Sequence[tuple[Span, float]]) -> list[tuple[Span, int]]:
    """Return disjoint spans in order, each with the step (1 to 6) of its strongest evidence."""
    weights: dict[Span, float] = {}
    for span, weight in evidence:
        weights[span] = max(weight, weights.get(span, weight))
    edges = sorted({edge for span in weights for edge in span})
    waiting = sorted(weights, reverse=True)  # the next one to start is last
    open_spans: list[tuple[float, int]] = []  # a heap of negative weights and ends, the heaviest first
    stretches = []
    for start, end in pairwise(edges):
        while waiting and waiting[-1][0] <= start:
            span = waiting.pop()
            heappush(open_spans, (-weights[span], span[1]))
        while open_spans and open_spans[0][1] < end:
            heappop(open_spans)
        if open_spans:
            stretches.append(((start, end), max(1, round(_STEPS * min(-open_spans[0][0], 1.0)))))
    return list(_merged(stretches))


def _merged(stretches: Sequence[tuple[Span, int]]) -> Iterator[tuple[Span, int]]:
    """Merge adjacent spans of the same step, which paints faster."""
    waiting: tuple[Span, int] | None = None
    for (start, end), step in stretches:
        if waiting is not None and waiting[0][1] == start and waiting[1] == step:
            waiting = ((waiting[0][0], end), step)
            continue
        if waiting is not None:
            yield waiting
        waiting = ((start, end), step)
    if waiting is not None:
        yield waiting
