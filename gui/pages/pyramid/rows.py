"""What a pyramid looks like line by line. What an edit leaves alone is computed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.annotation.word_coverage import coverage, joined_text, merge_spans, words, words_within
from core.domain.pyramid import Contributor, Scu, TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from gui.annotation.marks import Mark
from gui.annotation.scu_rows import first_place, letters_of
from gui.annotation.scu_values import ScuRow
from gui.pages.pyramid.values import ContributorRow, OverlapRow, PartRow, ReferenceText, ScuDetails
from gui.style.theme import weight_step


@dataclass(frozen=True, slots=True)
class _Shown:
    """An SCU with all that is shown of it."""

    scu: Scu
    line: ScuRow
    marks: tuple[tuple[str, Mark], ...]


class PyramidLines:
    """Lines and marks of one topic's pyramid."""

    def __init__(self, topic: TopicTexts) -> None:
        self.topic = topic
        self._references: Mapping[str, Text] = {text.id: text for text in topic.references}
        self.letters = letters_of(topic.references)
        self._letter = dict(zip(self._references, self.letters, strict=True))
        self._words: dict[str, tuple[Span, ...]] = {}
        self._shown: dict[str, _Shown] = {}
        self._covered: dict[str, tuple[tuple[Mark, ...], float]] = {}

    def texts(self) -> list[ReferenceText]:
        """The references in order."""
        return [ReferenceText(r.id, self._letter[r.id], r.name, r.content) for r in self._references.values()]

    def lines(self, annotation: TopicAnnotation) -> list[ScuRow]:
        """A line per SCU, as they stand in the pyramid."""
        return [shown.line for shown in self._all(annotation)]

    def marks(self, annotation: TopicAnnotation) -> Mapping[str, tuple[Mark, ...]]:
        """The marks of every reference by its id."""
        found: dict[str, list[Mark]] = {reference_id: [] for reference_id in self._references}
        for shown in self._all(annotation):
            for reference_id, mark in shown.marks:
                found[reference_id].append(mark)
        return {reference_id: tuple(marks) for reference_id, marks in found.items()}

    def coverage(self, reference_id: str, marks: tuple[Mark, ...]) -> float:
        """The share of a reference's words that its marks cover."""
        known = self._covered.get(reference_id)
        if known is None or known[0] != marks:
            spans = (span for mark in marks for span in mark.spans)
            known = marks, coverage(self._words_of(reference_id), spans)
            self._covered[reference_id] = known
        return known[1]

    def label_of(self, reference_id: str, spans: Iterable[Span]) -> str:
        """The label proposed for an SCU of these spans: their words."""
        return joined_text(self._references[reference_id].content, spans, " ")

    def details(self, annotation: TopicAnnotation, scu_id: str) -> ScuDetails:
        """Everything about one SCU. Raises InputError where it is gone."""
        scu = annotation.scu(scu_id)
        contributors = sorted(scu.contributors, key=lambda c: list(self._references).index(c.reference_id))
        return ScuDetails(
            scu.id,
            scu.label,
            scu.comment,
            scu.weight,
            self._step(scu),
            len(self._references),
            tuple(self._contributor(c) for c in contributors),
            tuple(self._overlaps(annotation, scu)),
        )

    def _all(self, annotation: TopicAnnotation) -> list[_Shown]:
        before = self._shown
        self._shown = {scu.id: self._show(scu, before.get(scu.id)) for scu in annotation.pyramid.scus}
        return list(self._shown.values())

    def _show(self, scu: Scu, before: _Shown | None) -> _Shown:
        if before is not None and before.scu is scu:
            return before
        step = self._step(scu)
        marks = tuple(
            (c.reference_id, Mark(scu.id, step, tuple(part.span for part in c.parts)))
            for c in scu.contributors
        )
        return _Shown(scu, self._line(scu, step), marks)

    def _line(self, scu: Scu, step: int) -> ScuRow:
        holders = {c.reference_id for c in scu.contributors}
        return ScuRow(
            scu.id,
            scu.label,
            scu.weight,
            step,
            tuple(reference_id in holders for reference_id in self._references),
            words="\n".join(self._words_in(c) for c in scu.contributors),
            first=first_place(scu, self._references),
            has_comment=bool(scu.comment) or any(c.comment for c in scu.contributors),
        )

    def _step(self, scu: Scu) -> int:
        return weight_step(scu.weight, len(self._references))

    def _words_of(self, reference_id: str) -> tuple[Span, ...]:
        if reference_id not in self._words:
            self._words[reference_id] = words(self._references[reference_id].content)
        return self._words[reference_id]

    def _words_in(self, contributor: Contributor) -> str:
        content = self._references[contributor.reference_id].content
        return joined_text(content, (part.span for part in contributor.parts))

    def _contributor(self, contributor: Contributor) -> ContributorRow:
        content = self._references[contributor.reference_id].content
        parts = sorted(contributor.parts, key=lambda part: part.span)
        return ContributorRow(
            contributor.id,
            self._letter[contributor.reference_id],
            tuple(PartRow(part.id, joined_text(content, [part.span])) for part in parts),
            words_within(self._words_of(contributor.reference_id), (part.span for part in parts)),
            contributor.comment,
        )

    def _overlaps(self, annotation: TopicAnnotation, scu: Scu) -> Iterable[OverlapRow]:
        own = spans_by_text(scu.contributors)
        for other in annotation.pyramid.scus:
            if other.id != scu.id and _meet(own, other.contributors):
                yield OverlapRow(other.id, other.label, other.weight, self._step(other))


def spans_by_text(contributors: Iterable[Contributor]) -> dict[str, tuple[Span, ...]]:
    """The spans of contributors by their reference, merged."""
    found: dict[str, list[Span]] = defaultdict(list)
    for contributor in contributors:
        found[contributor.reference_id] += [part.span for part in contributor.parts]
    return {reference_id: merge_spans(spans) for reference_id, spans in found.items()}


def _meet(own: Mapping[str, Sequence[Span]], contributors: Iterable[Contributor]) -> bool:
    return any(
        start < part.end and part.start < end
        for contributor in contributors
        for start, end in own.get(contributor.reference_id, ())
        for part in contributor.parts
    )
