"""Values displayed on the Pyramid page; rows and marks are cached per SCU, so an edit recomputes few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.annotation.word_coverage import coverage, joined_text, merge_spans, words, words_within
from core.domain.pyramid import Contributor, Scu, TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from gui.annotation.scus.scu_values import ScuRow, first_expression, named_weight, reference_letters
from gui.annotation.text.marks import Mark
from gui.style.language import tr
from gui.style.theme import weight_step

PYRAMID, SCU = "pyramid", "scu"
"""Scope of the history: the whole pyramid, or the selected SCU."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a contributor."""

    part_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ContributorRow:
    """A contributor of an SCU; parts in text order. is_confirmed: False = found automatically."""

    contributor_id: str
    letter: str
    parts: tuple[PartRow, ...]
    word_count: int
    comment: str = ""
    is_confirmed: bool = True

    @property
    def fact(self) -> str:
        """Return the number of parts and words, as ``2 parts · 5 words``."""
        fact = tr("%n parts", "", len(self.parts)) + " · " + tr("%n words", "", self.word_count)
        return fact if self.is_confirmed else tr("to confirm · {fact}", fact=fact)


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Another SCU that overlaps the selected one."""

    scu_id: str
    label: str
    weight: int
    step: int


@dataclass(frozen=True, slots=True)
class ScuDetails:
    """Details of one SCU. references: number of references of the topic. importance: of a nugget."""

    scu_id: str
    label: str
    comment: str
    weight: int
    step: int
    references: int
    contributors: tuple[ContributorRow, ...]
    overlaps: tuple[OverlapRow, ...]
    importance: str = ""


@dataclass(frozen=True, slots=True)
class WordSelection:
    """Spans selected in one text, in text order; empty without a selection."""

    text_id: str = ""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A problem found in the pyramid.

    repair: label of the proposed fix; empty without one.
    about: one sentence on what the fix does.
    """

    key: str
    heading: str
    sentence: str
    repair: str = ""
    about: str = ""
    is_ignored: bool = False


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """An edit in the history. is_viewed: the page displays the version after this edit."""

    edit_id: str
    day: str
    when: str
    who: str
    what: str
    is_undone: bool = False
    is_viewed: bool = False


@dataclass(frozen=True, slots=True)
class _CachedScu:
    """An SCU with its row and its marks by reference id."""

    scu: Scu
    row: ScuRow
    marks: tuple[tuple[str, Mark], ...]


class PyramidRows:
    """Rows and marks of one topic's pyramid."""

    def __init__(self, topic: TopicTexts) -> None:
        self.topic = topic
        self._references: Mapping[str, Text] = {text.id: text for text in topic.references}
        self.letters = reference_letters(topic.references)
        self._letter = dict(zip(self._references, self.letters, strict=True))
        self._word_spans: dict[str, tuple[Span, ...]] = {}
        self._cache: dict[str, _CachedScu] = {}
        self._covered: dict[str, tuple[tuple[Mark, ...], float]] = {}

    def rows(self, annotation: TopicAnnotation) -> list[ScuRow]:
        """Return one row per SCU, in the order of the pyramid."""
        return [cached.row for cached in self._all(annotation)]

    def marks(self, annotation: TopicAnnotation) -> Mapping[str, tuple[Mark, ...]]:
        """Return the marks of every reference by its id."""
        by_reference: dict[str, list[Mark]] = {reference_id: [] for reference_id in self._references}
        for cached in self._all(annotation):
            for reference_id, mark in cached.marks:
                by_reference[reference_id].append(mark)
        return {reference_id: tuple(marks) for reference_id, marks in by_reference.items()}

    def coverage(self, reference_id: str, marks: tuple[Mark, ...]) -> float:
        """Return the share of the words of a reference that its marks cover, from 0 to 1."""
        known = self._covered.get(reference_id)
        if known is None or known[0] != marks:
            spans = (span for mark in marks if not mark.is_automatic for span in mark.spans)
            known = marks, coverage(self._words(reference_id), spans)
            self._covered[reference_id] = known
        return known[1]

    def label_of(self, reference_id: str, spans: Iterable[Span]) -> str:
        """Return the label proposed for an SCU of these spans: their text."""
        return joined_text(self._references[reference_id].content, spans, " ")

    def details(self, annotation: TopicAnnotation, scu_id: str) -> ScuDetails:
        """Return the details of one SCU.

        Raises InputError if it does not exist.
        """
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
            tuple(self._overlap_rows(annotation, scu)),
            scu.importance,
        )

    def _all(self, annotation: TopicAnnotation) -> list[_CachedScu]:
        before = self._cache
        self._cache = {scu.id: self._cached(scu, before.get(scu.id)) for scu in annotation.pyramid.scus}
        return list(self._cache.values())

    def _cached(self, scu: Scu, before: _CachedScu | None) -> _CachedScu:
        if before is not None and before.scu is scu:
            return before
        step = self._step(scu)
        marks = tuple(
            (
                c.reference_id,
                Mark(scu.id, step, spans_of(c), is_automatic=not c.is_confirmed, name=named_weight(scu)),
            )
            for c in scu.contributors
        )
        return _CachedScu(scu, self._row(scu, step), marks)

    def _row(self, scu: Scu, step: int) -> ScuRow:
        waiting = sum(not c.is_confirmed for c in scu.contributors)
        expressing = {c.reference_id for c in scu.contributors if c.is_confirmed}
        return ScuRow(
            scu.id,
            scu.label,
            scu.weight,
            step,
            tuple(reference_id in expressing for reference_id in self._references),
            words="\n".join(self._text_of(c) for c in scu.contributors),
            first=first_expression(scu, self._references),
            has_comment=bool(scu.comment) or any(c.comment for c in scu.contributors),
            note=" · ".join(filter(None, (f"+{waiting}" if waiting else "", scu.importance))),
            contributors=scu.occurrences,
            to_confirm=waiting,
        )

    def _step(self, scu: Scu) -> int:
        return weight_step(scu.weight, len(self._references))

    def _words(self, reference_id: str) -> tuple[Span, ...]:
        if reference_id not in self._word_spans:
            self._word_spans[reference_id] = words(self._references[reference_id].content)
        return self._word_spans[reference_id]

    def _text_of(self, contributor: Contributor) -> str:
        content = self._references[contributor.reference_id].content
        return joined_text(content, (part.span for part in contributor.parts))

    def _contributor(self, contributor: Contributor) -> ContributorRow:
        content = self._references[contributor.reference_id].content
        parts = sorted(contributor.parts, key=lambda part: part.span)
        return ContributorRow(
            contributor.id,
            self._letter[contributor.reference_id],
            tuple(PartRow(part.id, joined_text(content, [part.span])) for part in parts),
            words_within(self._words(contributor.reference_id), (part.span for part in parts)),
            contributor.comment,
            contributor.is_confirmed,
        )

    def _overlap_rows(self, annotation: TopicAnnotation, scu: Scu) -> Iterable[OverlapRow]:
        own = spans_by_text(scu.contributors)
        for other in annotation.pyramid.scus:
            if other.id != scu.id and _overlaps(own, other.contributors):
                yield OverlapRow(other.id, other.label, other.weight, self._step(other))


def spans_of(contributor: Contributor) -> tuple[Span, ...]:
    return tuple(part.span for part in contributor.parts)


def spans_by_text(contributors: Iterable[Contributor]) -> dict[str, tuple[Span, ...]]:
    """Return the spans of contributors by their reference, merged."""
    by_reference: dict[str, list[Span]] = defaultdict(list)
    for contributor in contributors:
        by_reference[contributor.reference_id] += [part.span for part in contributor.parts]
    return {reference_id: merge_spans(spans) for reference_id, spans in by_reference.items()}


def _overlaps(own: Mapping[str, Sequence[Span]], contributors: Iterable[Contributor]) -> bool:
    return any(
        start < part.end and part.start < end
        for contributor in contributors
        for start, end in own.get(contributor.reference_id, ())
        for part in contributor.parts
    )
