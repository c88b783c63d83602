"""Rows, columns and marks of the hit matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.annotation.match_order import repeats_of
from core.domain.pyramid import Match, Scu, TopicAnnotation
from core.domain.pyramid.nugget_edits import only_confirmed
from core.domain.pyramid.nugget_scores import NUGGET_KINDS, count_nuggets
from core.domain.study import TopicTexts
from gui.annotation.scus.scu_values import named_weight
from gui.annotation.text.marks import OUTSIDE, Mark
from gui.pages.hits.values import HitCell, HitCounts, HitState, NuggetRow, SummaryHead
from gui.style.language import tr
from gui.style.theme import weight_step

_UNITS, _FOUND = NUGGET_KINDS.index("units"), NUGGET_KINDS.index("found")


class HitRows:
    """The matrix of one topic for one annotator.

    order: ids of the summaries, as columns.
    """

    def __init__(self, topic: TopicTexts, annotator_id: str, order: Sequence[str]) -> None:
        self.topic, self.order = topic, tuple(order)
        self._annotator_id = annotator_id
        self._references = [reference.id for reference in topic.references]
        self._texts = {text.id: text for text in topic.summaries}

    def hits(self, annotation: TopicAnnotation, summary_id: str) -> tuple[Match, ...]:
        """Return the annotator's units of a summary."""
        return annotation.matches_of(summary_id, self._annotator_id)

    def rows(self, annotation: TopicAnnotation) -> list[NuggetRow]:
        """Return the nuggets, the highest tier first, then in their order."""
        cells = [self._cells(self.hits(annotation, summary_id)) for summary_id in self.order]
        nuggets = sorted(annotation.pyramid.scus, key=lambda nugget: -nugget.weight)
        return [
            NuggetRow(
                nugget.id,
                nugget.label,
                nugget.weight,
                self._step(nugget),
                nugget.importance,
                tuple(column.get(nugget.id, HitCell()) for column in cells),
            )
            for nugget in nuggets
        ]

    def heads(self, annotation: TopicAnnotation, *, shows_names: bool) -> list[SummaryHead]:
        """Return the columns with their scores."""
        scores = self._scores(annotation)
        heads = []
        for place, summary_id in enumerate(self.order):
            state = annotation.state_of(summary_id, self._annotator_id)
            heads.append(
                SummaryHead(
                    summary_id,
                    place + 1,
                    scores[place][0],
                    state is not None and state.is_done,
                    state is not None and state.is_flagged,
                    self._texts[summary_id].name if shows_names else "",
                )
            )
        return heads

    def counts(self, annotation: TopicAnnotation, summary_id: str) -> HitCounts:
        """Return the numbers of a summary's units and its two scores; only confirmed hits count."""
        hits = self.hits(annotation, summary_id)
        confirmed = [hit for hit in hits if hit.is_confirmed]
        found = {hit.scu_id for hit in confirmed if hit.scu_id is not None}
        outside = sum(hit.scu_id is None for hit in confirmed)
        tiers = sum(nugget.weight for nugget in annotation.pyramid.scus if nugget.id in found)
        units, found_score = self._scores(annotation)[self.order.index(summary_id)]
        repeated = len(confirmed) - outside - len(found)
        waiting = len(hits) - len(confirmed)
        return HitCounts(len(found), waiting, repeated, outside, tiers, units, found_score)

    def marks(self, annotation: TopicAnnotation, summary_id: str) -> tuple[Mark, ...]:
        """Return the marks of a summary; hits to confirm are only outlined."""
        nuggets = {nugget.id: nugget for nugget in annotation.pyramid.scus}
        hits = self.hits(annotation, summary_id)
        repeats = repeats_of(hits)
        marks = []
        for hit in hits:
            spans = tuple(part.span for part in hit.parts)
            if not spans:
                continue
            if hit.scu_id is None:
                marks.append(Mark(hit.id, OUTSIDE, spans, name=tr("Outside the nuggets")))
            else:
                nugget = nuggets[hit.scu_id]
                is_repeat, is_automatic = hit.id in repeats, not hit.is_confirmed
                step, name = self._step(nugget), named_weight(nugget)
                marks.append(Mark(hit.scu_id, step, spans, hit.id, is_repeat, is_automatic, name))
        return tuple(marks)

    def _cells(self, hits: Sequence[Match]) -> dict[str, HitCell]:
        by_nugget: dict[str, list[Match]] = {}
        for hit in hits:
            if hit.scu_id is not None:
                by_nugget.setdefault(hit.scu_id, []).append(hit)
        return {nugget_id: HitCell(_state(own), len(own) - 1) for nugget_id, own in by_nugget.items()}

    def _scores(self, annotation: TopicAnnotation) -> list[tuple[float, float]]:
        counted = only_confirmed(annotation)
        summaries = [self.hits(counted, summary_id) for summary_id in self.order]
        counts = count_nuggets(counted.pyramid, self._references, summaries)
        (scores,) = counts.scores(np.ones((1, len(self._references)), dtype=np.bool_))
        return [(float(row[_UNITS]), float(row[_FOUND])) for row in scores]

    def _step(self, nugget: Scu) -> int:
        return weight_step(nugget.weight, len(self._references))


def _state(hits: Sequence[Match]) -> HitState:
    confirmed = [hit for hit in hits if hit.is_confirmed]
    if not confirmed:
        return HitState.AUTOMATIC
    return HitState.PARTIAL if all(hit.is_partial for hit in confirmed) else HitState.CONFIRMED
