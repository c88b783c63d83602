"""What a summary's units look like line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.annotation.word_coverage import coverage, joined_text, words
from core.domain.pyramid import Match, Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from core.formatting.numbers import pluralize
from gui.annotation.marks import OUTSIDE, Mark
from gui.annotation.match_values import ExpressionRow, UnitCounts, UnitRow
from gui.annotation.scu_rows import first_expression, reference_letters
from gui.annotation.scu_values import ScuRow
from gui.style.theme import weight_step


class MatchRows:
    """Lines and marks of one topic's summaries."""

    def __init__(self, topic: TopicTexts, annotator_id: str) -> None:
        self.topic, self._annotator_id = topic, annotator_id
        self._references = [reference.id for reference in topic.references]
        self.letters = reference_letters(topic.references)
        self._contents = {text.id: text.content for text in topic.references}
        self._summaries = {text.id: text for text in topic.summaries}
        self._known: dict[str, tuple[Scu, ScuRow]] = {}
        self._scus: tuple[Scu, ...] = ()
        self._by_id: dict[str, Scu] = {}

    def summary(self, summary_id: str) -> Text | None:
        """A summary of the topic."""
        return self._summaries.get(summary_id)

    def text(self, summary_id: str) -> Text:
        """A summary that the topic is known to have."""
        return self._summaries[summary_id]

    def scu_lines(
        self, annotation: TopicAnnotation, matches: Iterable[Match], notes: Mapping[str, str] | None = None
    ) -> list[ScuRow]:
        """A line per SCU, as they stand in the pyramid, with what the summary has of it.

        notes: per SCU what to say instead of the number of its parts.
        """
        held = _by_scu(matches)
        lines = []
        for scu in annotation.pyramid.scus:
            line, is_matched = self._line(scu), scu.id in held
            note = _note(held.get(scu.id, ())) if notes is None else notes.get(scu.id, "")
            if (line.is_matched, line.note) != (is_matched, note):
                line = replace(line, is_matched=is_matched, note=note)
                self._known[scu.id] = scu, line
            lines.append(line)
        return lines

    def marks(self, annotation: TopicAnnotation, matches: Sequence[Match]) -> tuple[Mark, ...]:
        """What is marked in a summary."""
        scus = self._scus_of(annotation)
        repeats = repeats_of(matches)
        return tuple(
            Mark(match.id, OUTSIDE, spans)
            if match.scu_id is None
            else Mark(match.scu_id, self._line(scus[match.scu_id]).step, spans, match.id, match.id in repeats)
            for match in matches
            if (spans := tuple(part.span for part in match.parts))
        )

    def units(
        self, annotation: TopicAnnotation, matches: Sequence[Match], content: str
    ) -> tuple[UnitRow, ...]:
        """The units of a summary in the order of its words, those without a span last."""
        scus, repeats = self._scus_of(annotation), repeats_of(matches)
        return tuple(
            self._unit(match, scus.get(match.scu_id or ""), content, match.id in repeats)
            for match in in_text_order(matches)
        )

    def expressions(self, annotation: TopicAnnotation, scu_id: str) -> tuple[ExpressionRow, ...]:
        """What the references say for an SCU, in their order; empty for one that is gone."""
        scu = self._scus_of(annotation).get(scu_id)
        return tuple(self._expressions(scu)) if scu is not None else ()

    def units_fact(self, matches: Sequence[Match], content: str) -> UnitCounts:
        """The units of a summary in numbers."""
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
                words_ = joined_text(self._contents[contributor.reference_id], spans)
                yield ExpressionRow(contributor.reference_id, letter, words_, spans[0])

    def _scus_of(self, annotation: TopicAnnotation) -> Mapping[str, Scu]:
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._by_id = {scu.id: scu for scu in self._scus}
        return self._by_id

    def _line(self, scu: Scu) -> ScuRow:
        """An SCU's line as it was shown last; all but `is_matched` and `note` holds for any summary."""
        known = self._known.get(scu.id)
        if known is not None and known[0] is scu:
            return known[1]
        holders = {c.reference_id for c in scu.contributors}
        weight = scu.weight
        line = ScuRow(
            scu.id,
            scu.label,
            weight,
            weight_step(weight, len(self._references)),
            tuple(reference_id in holders for reference_id in self._references),
            words=self._words_of(scu),
            first=first_expression(scu, self._references),
            has_comment=bool(scu.comment) or any(c.comment for c in scu.contributors),
            said=tuple((line.letter, line.words) for line in self._expressions(scu)),
        )
        self._known[scu.id] = scu, line
        return line

    def _unit(self, match: Match, scu: Scu | None, content: str, is_repeat: bool) -> UnitRow:
        said = joined_text(content, (part.span for part in match.parts))
        if scu is None:
            return UnitRow(match.id, "", "", 0, OUTSIDE, said, comment=match.comment)
        line = self._line(scu)
        return UnitRow(match.id, scu.id, line.label, line.weight, line.step, said, is_repeat, match.comment)

    def _words_of(self, scu: Scu) -> str:
        return "\n".join(
            joined_text(self._contents[c.reference_id], (p.span for p in c.parts)) for c in scu.contributors
        )


def in_text_order(matches: Iterable[Match]) -> list[Match]:
    """Units by their first word, those without a span last, ties as they were made."""
    return sorted(matches, key=lambda match: min((p.span for p in match.parts), default=(_NEVER, 0)))


def repeats_of(matches: Iterable[Match]) -> frozenset[str]:
    """The units whose SCU an earlier unit of the summary expresses already."""
    seen: set[str] = set()
    repeats = set()
    for match in in_text_order(matches):
        if match.scu_id is not None and match.scu_id in seen:
            repeats.add(match.id)
        seen.add(match.scu_id or "")
    return frozenset(repeats)


_NEVER = 1 << 62  # behind every place of a text


def _by_scu(matches: Iterable[Match]) -> dict[str, list[Match]]:
    held: dict[str, list[Match]] = {}
    for match in matches:
        if match.scu_id is not None:
            held.setdefault(match.scu_id, []).append(match)
    return held


def _note(matches: Sequence[Match]) -> str:
    if not matches:
        return ""
    parts = sum(len(match.parts) for match in matches)
    said = pluralize(parts, "part") if parts else "no span"
    return f"{len(matches)}× · {said}" if len(matches) > 1 else said
