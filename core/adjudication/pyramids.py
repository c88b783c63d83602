"""Adjudication of two pyramids, or of two annotators' nuggets, whose units are paired as for their agreement.

Annotators agree on a pair whose contributors touch the same words, and of nuggets on its importance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.adjudication.model import Draft, Item, ItemState, TopicAdjudication, Version, basis_of
from core.agreement.pyramid_pairs import pair_pyramids
from core.agreement.titles import annotations_name
from core.annotation.word_coverage import merge_spans, words
from core.domain.assignment import Work
from core.domain.decisions import Choice, DecisionKind
from core.domain.pyramid import Contributor, Part, Scu, TopicAnnotation, UnitKind, empty, mark_pyramid_done
from core.domain.pyramid.nugget_edits import only_confirmed
from core.domain.pyramid.scu_edits import merge_occurrences
from core.domain.study import Annotator, Span
from core.formatting.unit_terms import in_terms_of

NO_SCU = "no such SCU"
_SUBJECT = " "


class PyramidAdjudication(TopicAdjudication):
    """Pyramids of a topic; an item is a pair of SCUs, or an SCU of one annotator only."""

    work, unit, kind = Work.PYRAMIDS, "SCU", UnitKind.SCU
    why_empty = "Fewer than two of the annotators have a pyramid of this topic."
    together = "In both pyramids"

    def _items(self) -> Iterable[Item]:
        if len(self._compared) < 2:
            return
        names = [person.name for person in self._people]
        own = {scu.id: scu for scu in self._result.pyramid.scus}
        order = sorted(self._pairs.items(), key=lambda one: (None in one[1], one[1][0] is None))
        for subject, (first, second) in order:  # pairs, then what only one annotator has
            sides = (first, second)
            scu = own.get(self._scu_id(subject))
            both = [one for one in sides if one is not None]
            yield Item(
                annotations_name(self.work),
                DecisionKind.UNIT,
                subject,
                "",
                next(one.label for one in both),
                self.together if len(both) == 2 else f"Only {names[0 if second is None else 1]}",
                tuple(
                    Version(name, self._described(side), _spans(side), self._brief(side))
                    for name, side in zip(names, sides, strict=True)
                ),
                self._overlaps[subject] == 1.0 and len({one.importance for one in both}) == 1,
                "" if scu is None else self._described(scu),
                basis_of((name, _content(side)) for name, side in zip(names, sides, strict=True)),
                self.decision(DecisionKind.UNIT, subject),
                "Merge" if len(both) == 2 else "",
                "Drop",
            )

    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        first, second = self._pairs[item.subject]
        made: Scu | None = None
        if choice is Choice.ACCEPT:
            made = (first, second)[version]
        elif choice is Choice.BOTH and first is not None and second is not None:
            made = self._merged(first, second)
        row_id = self._scu_id(item.subject)
        current = draft.current(self._result)
        order = {self._scu_id(subject): place for place, subject in enumerate(self._pairs)}
        scus = [scu for scu in current.pyramid.scus if scu.id != row_id]
        if made is not None:
            copy = self._copy(made, row_id)
            place = next(
                (at for at, scu in enumerate(scus) if order.get(scu.id, len(order)) > order[row_id]),
                len(scus),
            )
            scus.insert(place, copy)
        left = {None, *(scu.id for scu in scus)}
        matches = tuple(match for match in current.matches if match.scu_id in left)
        pyramid = replace(current.pyramid, scus=tuple(scus))
        draft.change(self._result, replace(current, pyramid=pyramid, matches=matches))

    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Mark the result done when all its items are, and not before."""
        is_done = bool(after.items) and all(item.state is ItemState.DONE for item in after.items)
        current = draft.current(self._result)
        if current.pyramid.is_done != is_done:
            draft.change(self._result, mark_pyramid_done(current, is_done))

    @cached_property
    def _compared(self) -> list[TopicAnnotation]:
        """The first two pyramids of the compared annotators."""
        by_owner = {
            one.pyramid.annotator_id: only_confirmed(one)
            for one in self.data.annotations
            if one.pyramid.kind is self.kind and one.pyramid.scus
        }
        return [by_owner[one.id] for one in self.sides.annotators if one.id in by_owner][:2]

    @cached_property
    def _people(self) -> list[Annotator]:
        owners = [one.pyramid.annotator_id for one in self._compared]
        return [person for person in self.sides.annotators if person.id in owners]

    @cached_property
    def _result(self) -> TopicAnnotation:
        owner = self.sides.result.id, self.kind
        found = (
            one for one in self.data.annotations if (one.pyramid.annotator_id, one.pyramid.kind) == owner
        )
        return next(found, empty(self.data.topic.id, self.sides.result.id, self.kind))

    @cached_property
    def _paired(self) -> list[tuple[Scu | None, Scu | None, float]]:
        """Pairs in the order of the first pyramid, then what only the second has."""
        first, second = self._compared
        pair = pair_pyramids(first.pyramid, second.pyramid, self._words)
        partner = {one.first.id: one for one in pair.pairs}
        rows: list[tuple[Scu | None, Scu | None, float]] = []
        for scu in first.pyramid.scus:
            one = partner.get(scu.id)
            rows.append((scu, None, 0.0) if one is None else (scu, one.second, one.overlap))
        return [*rows, *((None, scu, 0.0) for scu in pair.only_second)]

    @cached_property
    def _pairs(self) -> dict[str, tuple[Scu | None, Scu | None]]:
        """Both sides of each item by its subject."""
        return {_subject(first, second): (first, second) for first, second, _ in self._paired}

    @cached_property
    def _overlaps(self) -> dict[str, float]:
        return {_subject(first, second): overlap for first, second, overlap in self._paired}

    @cached_property
    def _words(self) -> Mapping[str, tuple[Span, ...]]:
        return {text.id: words(text.content) for text in self.data.topic.references}

    def _described(self, scu: Scu | None) -> str:
        if scu is None:
            return in_terms_of(self.kind, NO_SCU)
        texts = {text.id: text for text in self.data.topic.references}
        rated = f", {scu.importance}" if scu.importance else ""
        lines = [f"{scu.label} ({in_terms_of(self.kind, 'weight')} {scu.weight}{rated})"]
        for one in scu.contributors:
            text = texts.get(one.reference_id)
            if text is not None:
                spans = (" ".join(text.content[part.start : part.end].split()) for part in one.parts)
                lines.append("{}: “{}”".format(text.name, " … ".join(spans)))
        return "\n".join(lines)

    def _brief(self, scu: Scu | None) -> str:
        if scu is None:
            return in_terms_of(self.kind, NO_SCU)
        return scu.importance or in_terms_of(self.kind, f"weight {scu.weight}")

    def _merged(self, first: Scu, second: Scu) -> Scu:
        """Return a unit with the words of both in each reference; its label is that of the first."""
        if self.kind is UnitKind.NUGGET:
            both = merge_occurrences(first, second.contributors)
            comment = _joined((first.comment, second.comment))
            return replace(both, importance=first.importance or second.importance, comment=comment)
        by_reference: dict[str, list[Contributor]] = {}
        for one in (*first.contributors, *second.contributors):
            by_reference.setdefault(one.reference_id, []).append(one)
        contributors = []
        for several in by_reference.values():
            spans = merge_spans(part.span for one in several for part in one.parts)
            parts = tuple(Part(f"{several[0].id} {start} {end}", start, end) for start, end in spans)
            comment = _joined(one.comment for one in several)
            contributors.append(replace(several[0], parts=parts, comment=comment))
        comment = _joined((first.comment, second.comment))
        return replace(first, contributors=tuple(contributors), comment=comment)

    def _copy(self, scu: Scu, row_id: str) -> Scu:
        """Return an SCU as the result's own; the ids of its rows follow from those of the original."""
        contributors = tuple(
            replace(
                one,
                id=_derived(row_id, one.id),
                parts=tuple(replace(part, id=_derived(row_id, part.id)) for part in one.parts),
            )
            for one in scu.contributors
        )
        return replace(scu, id=row_id, contributors=contributors)

    def _scu_id(self, subject: str) -> str:
        return _derived(self.sides.result.id, subject)


class NuggetAdjudication(PyramidAdjudication):
    """Nuggets of a topic; an item is a pair of nuggets, or a nugget of one annotator only."""

    work, unit, kind = Work.NUGGETS, "nugget", UnitKind.NUGGET
    why_empty = "Fewer than two of the annotators have nuggets of this topic."
    together = "Of both annotators"


def _subject(first: Scu | None, second: Scu | None) -> str:
    return _SUBJECT.join(scu.id for scu in (first, second) if scu is not None)


def _derived(owner: str, row_id: str) -> str:
    return hashlib.sha256(f"{owner} {row_id}".encode()).hexdigest()[:32]


def _spans(scu: Scu | None) -> dict[str, tuple[Span, ...]]:
    contributors: Sequence[Contributor] = () if scu is None else scu.contributors
    return {one.reference_id: tuple(part.span for part in one.parts) for one in contributors}


def _content(scu: Scu | None) -> list[object]:
    if scu is None:
        return []
    spans = [[one.reference_id, [list(part.span) for part in one.parts]] for one in scu.contributors]
    return [scu.label, sorted(spans, key=str), *([scu.importance] if scu.importance else [])]


def _joined(comments: Iterable[str]) -> str:
    return "\n".join(text for text in dict.fromkeys(comments) if text)
