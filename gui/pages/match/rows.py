"""Rows and marks of summaries: units, SCUs, and how references express SCUs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from core.annotation.match_order import in_text_order, repeats_of
from core.annotation.word_coverage import coverage, joined_text, words
from core.domain.pyramid import Match, Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from gui.annotation.match_values import ExpressionRow, UnitCounts, UnitRow
from gui.annotation.scus.scu_values import ScuRow, first_expression, named_weight, reference_letters
from gui.annotation.text.marks import OUTSIDE, Mark
from gui.style.language import tr
from gui.style.theme import weight_step


class MatchRows:
    """Rows and marks of one topic's summaries."""

    def __init__(self, topic: TopicTexts) -> None:
        self.topic = topic
        self._references = [reference.id for reference in topic.references]
        self.letters = reference_letters(topic.references)
        self._contents = {text.id: text.content for text in topic.references}
        self._summaries = {text.id: text for text in topic.summaries}
        self._cache: dict[str, tuple[Scu, ScuRow]] = {}
        self._scus: tuple[Scu, ...] = ()
        self._by_id: dict[str, Scu] = {}

    def summary(self, summary_id: str) -> Text | None:
        """Return a summary of the topic; None if it has no such summary."""
        return self._summaries.get(summary_id)

    def text(self, summary_id: str) -> Text:
        """Return a summary of the topic.

        Raises KeyError if it has no such summary.
        """
        return self._summaries[summary_id]

    def scu_rows(
        self,
        annotation: TopicAnnotation,
        matches: Sequence[Match],
        content: str,
        notes: Mapping[str, str] | None = None,
    ) -> list[ScuRow]:
        """Return one row per SCU, in the order of the pyramid, with its match in the summary.

        content: of the summary. notes: text per SCU id, to show instead of the number of parts.
        """
        by_scu: dict[str, list[Match]] = {}
        for match in matches:
            by_scu.setdefault(match.scu_id or "", []).append(match)
        units: dict[str, list[UnitRow]] = {}
        for unit in self.units(annotation, matches, content):
            units.setdefault(unit.scu_id, []).append(unit)
        rows = []
        for scu in annotation.pyramid.scus:
            row, own = self._row(scu), by_scu.get(scu.id, ())
            note = _note(own) if notes is None else notes.get(scu.id, "")
            details = (*units.get(scu.id, (_UNMATCHED,)), *row.details)
            rows.append(replace(row, is_matched=bool(own), note=note, details=details))
        return rows

    def marks(self, annotation: TopicAnnotation, matches: Sequence[Match]) -> tuple[Mark, ...]:
        """Return the marks of a summary."""
        scus = self._scus_of(annotation)
        repeats = repeats_of(matches)
        return tuple(
            Mark(match.id, OUTSIDE, spans, name=tr("Not in the pyramid"))
            if match.scu_id is None
            else Mark(
                match.scu_id,
                self._row(scus[match.scu_id]).step,
                spans,
                match.id,
                match.id in repeats,
                name=named_weight(scus[match.scu_id]),
            )
            for match in matches
            if (spans := tuple(part.span for part in match.parts))
        )

    def units(
        self, annotation: TopicAnnotation, matches: Sequence[Match], content: str
    ) -> tuple[UnitRow, ...]:
        """Return the units of a summary in text order, those without a span last."""
        scus, repeats, numbers = self._scus_of(annotation), repeats_of(matches), count(1)
        units = []
        for match in in_text_order(matches):
            words = joined_text(content, (part.span for part in match.parts))
            scu = scus.get(match.scu_id or "")
            of_scu = ("", "", 0) if scu is None else (scu.id, scu.label, scu.weight)
            number = next(numbers) if scu is None else 0
            units.append(UnitRow(match.id, *of_scu, words, number, match.id in repeats, match.comment))
        return tuple(units)

    def units_fact(self, matches: Sequence[Match], content: str) -> UnitCounts:
        """Return the numbers of units of a summary and the share of its words in no unit."""
        spans = [part.span for match in matches for part in match.parts]
        outside = sum(match.scu_id is None for match in matches)
        return UnitCounts(
            len(matches), len(repeats_of(matches)), outside, 1 - coverage(words(content), spans)
        )

    def _expressions(self, scu: Scu) -> Iterator[ExpressionRow]:
        for contributor in sorted(scu.contributors, key=lambda c: self._references.index(c.reference_id)):
            spans = sorted(part.span for part in contributor.parts)
            if spans:
                letter = self.letters[self._references.index(contributor.reference_id)]
                text = joined_text(self._contents[contributor.reference_id], spans)
                yield ExpressionRow(contributor.reference_id, letter, text, spans[0])

    def _scus_of(self, annotation: TopicAnnotation) -> Mapping[str, Scu]:
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._by_id = {scu.id: scu for scu in self._scus}
        return self._by_id

    def _row(self, scu: Scu) -> ScuRow:
        """Return the cached row of an SCU with its references, as for a summary without units."""
        cached = self._cache.get(scu.id)
        if cached is not None and cached[0] is scu:
            return cached[1]
        expressing = {c.reference_id for c in scu.contributors}
        weight = scu.weight
        row = ScuRow(
            scu.id,
            scu.label,
            weight,
            weight_step(weight, len(self._references)),
            tuple(reference_id in expressing for reference_id in self._references),
            words=self._text_of(scu),
            first=first_expression(scu, self._references),
            has_comment=bool(scu.comment) or any(c.comment for c in scu.contributors),
            details=tuple(self._expressions(scu)),
        )
        self._cache[scu.id] = scu, row
        return row

    def _text_of(self, scu: Scu) -> str:
        return "\n".join(
            joined_text(self._contents[c.reference_id], (p.span for p in c.parts)) for c in scu.contributors
        )


_UNMATCHED = UnitRow("", "", "", 0, "")
"""Below an SCU that is not matched, so that a match moves no row."""


def _note(matches: Sequence[Match]) -> str:
    if not matches:
        return ""
    parts = sum(len(match.parts) for match in matches)
    text = tr("%n parts", "", parts) if parts else tr("no span")
    return f"{len(matches)}× · {text}" if len(matches) > 1 else text
