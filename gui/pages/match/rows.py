"""Rows and marks of summaries: units, SCUs, and how references express SCUs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.annotation.match_order import in_text_order, repeats_of
from core.annotation.word_coverage import coverage, joined_text, words
from core.domain.pyramid import Match, Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from core.formatting.numbers import pluralize
from gui.annotation.match_values import ExpressionRow, UnitCounts, UnitRow
from gui.annotation.scus.scu_values import ScuRow, first_expression, reference_letters
from gui.annotation.text.marks import OUTSIDE, Mark
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
        self, annotation: TopicAnnotation, matches: Iterable[Match], notes: Mapping[str, str] | None = None
    ) -> list[ScuRow]:
        """Return one row per SCU, in the order of the pyramid, with its match in the summary.

        notes: text per SCU id, to show instead of the number of parts.
        """
        by_scu = _by_scu(matches)
        rows = []
        for scu in annotation.pyramid.scus:
            row, is_matched = self._row(scu), scu.id in by_scu
            note = _note(by_scu.get(scu.id, ())) if notes is None else notes.get(scu.id, "")
            if (row.is_matched, row.note) != (is_matched, note):
                row = replace(row, is_matched=is_matched, note=note)
                self._cache[scu.id] = scu, row
            rows.append(row)
        return rows

    def marks(self, annotation: TopicAnnotation, matches: Sequence[Match]) -> tuple[Mark, ...]:
        """Return the marks of a summary."""
        scus = self._scus_of(annotation)
        repeats = repeats_of(matches)
        return tuple(
            Mark(match.id, OUTSIDE, spans)
            if match.scu_id is None
            else Mark(match.scu_id, self._row(scus[match.scu_id]).step, spans, match.id, match.id in repeats)
            for match in matches
            if (spans := tuple(part.span for part in match.parts))
        )

    def units(
        self, annotation: TopicAnnotation, matches: Sequence[Match], content: str
    ) -> tuple[UnitRow, ...]:
        """Return the units of a summary in text order, those without a span last."""
        scus, repeats = self._scus_of(annotation), repeats_of(matches)
        return tuple(
            self._unit(match, scus.get(match.scu_id or ""), content, match.id in repeats)
            for match in in_text_order(matches)
        )

    def expressions(self, annotation: TopicAnnotation, scu_id: str) -> tuple[ExpressionRow, ...]:
        """Return how the references express an SCU, in their order; empty if it does not exist."""
        scu = self._scus_of(annotation).get(scu_id)
        return tuple(self._expressions(scu)) if scu is not None else ()

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
        """Return the cached row of an SCU; only `is_matched` and `note` depend on the summary."""
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
            expressions=tuple((row.letter, row.words) for row in self._expressions(scu)),
        )
        self._cache[scu.id] = scu, row
        return row

    def _unit(self, match: Match, scu: Scu | None, content: str, is_repeat: bool) -> UnitRow:
        text = joined_text(content, (part.span for part in match.parts))
        if scu is None:
            return UnitRow(match.id, "", "", 0, OUTSIDE, text, comment=match.comment)
        row = self._row(scu)
        return UnitRow(match.id, scu.id, row.label, row.weight, row.step, text, is_repeat, match.comment)

    def _text_of(self, scu: Scu) -> str:
        return "\n".join(
            joined_text(self._contents[c.reference_id], (p.span for p in c.parts)) for c in scu.contributors
        )


def _by_scu(matches: Iterable[Match]) -> dict[str, list[Match]]:
    by_scu: dict[str, list[Match]] = {}
    for match in matches:
        if match.scu_id is not None:
            by_scu.setdefault(match.scu_id, []).append(match)
    return by_scu


def _note(matches: Sequence[Match]) -> str:
    if not matches:
        return ""
    parts = sum(len(match.parts) for match in matches)
    text = pluralize(parts, "part") if parts else "no span"
    return f"{len(matches)}× · {text}" if len(matches) > 1 else text
