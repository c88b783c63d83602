"""Adjudication of matches against the same pyramid, or of hits of the same nuggets: or not, and which words.

An annotator has decided on a summary if it is marked done. Annotators agree on an SCU where all of them
matched the same words, or none matched it; of a nugget they also agree on whether it is supported only in
part. Hits that nobody confirmed are none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.adjudication.model import Draft, Item, ItemState, TopicAdjudication, Version, basis_of
from core.agreement.spans import words_in
from core.agreement.titles import annotations_name
from core.annotation.word_coverage import merge_spans, words
from core.domain.assignment import Work
from core.domain.decisions import Choice, DecisionKind
from core.domain.pyramid import Match, Part, TopicAnnotation, UnitKind, set_summary_state
from core.domain.study import Annotator, Span, Text
from core.formatting.unit_terms import in_terms_of

_Sides = Mapping[str, tuple[Match, ...]]
"""Matches by the id of their annotator."""


class MatchAdjudication(TopicAdjudication):
    """Matches in a topic; an item is one SCU in one summary, or one unit outside the pyramid."""

    work, unit, kind = Work.MATCHES, "match", UnitKind.SCU
    why_empty = (
        "No summary of this topic was matched by two of the annotators against the same pyramid. A summary "
        "counts when its matching is marked done."
    )
    verb = "matched"

    def _items(self) -> Iterable[Item]:
        total = len(self.data.topic.summaries)
        names = {one.id: one.name for one in self.data.annotators}
        summaries = self.data.topic.summaries
        shared = [
            annotation
            for annotation in self._annotations
            if any(len(self._deciders(annotation, summary.id)) > 1 for summary in summaries)
        ]
        for annotation in shared:
            owner = names.get(annotation.pyramid.annotator_id, "")
            of = in_terms_of(self.kind, f" · pyramid of {owner}") if len(shared) > 1 else ""
            for number, summary in enumerate(self.data.topic.summaries, 1):
                people = self._deciders(annotation, summary.id)
                if len(people) < 2:
                    continue
                place = f"Summary {number} of {total}{of}"
                for scu in annotation.pyramid.scus:
                    sides = self._matches(annotation, summary.id, scu.id)
                    yield from self._item(people, sides, scu.id, summary, scu.label, place)
                for subject, sides in self._outside(annotation, people, summary):
                    yield from self._item(people, sides, subject, summary, "", place)

    def _item(
        self, people: Sequence[Annotator], sides: _Sides, subject: str, summary: Text, label: str, place: str
    ) -> Iterator[Item]:
        """Yield the item of an SCU, or of units outside the pyramid (no label), unless nobody has it."""
        own = sides.get(self.sides.result.id, ())
        found = [sides.get(person.id, ()) for person in people]
        decision = self.decision(DecisionKind.MATCH, subject, summary.id)
        if not any(found) and not own and decision is None:
            return
        is_agreed = len({self._touched(summary, matches) for matches in found}) == 1
        versions = tuple(
            Version(
                person.name,
                self._described(summary, matches, outside=not label),
                {summary.id: _spans(matches)} if matches else {},
                brief=self._brief(matches) if label else "noted" if matches else "not noted",
            )
            for person, matches in zip(people, found, strict=True)
        )
        has_spans = sum(any(match.parts for match in matches) for matches in found) > 1
        if not label:
            first = next((matches for matches in (*found, own) if matches), ())
            label = f"{in_terms_of(self.kind, 'Not in the pyramid')}: {self._quoted(summary, first)}"
        result = self._described(summary, own, outside=False) if own else ""
        yield Item(
            annotations_name(self.work),
            DecisionKind.MATCH,
            subject,
            summary.id,
            label,
            place,
            versions,
            is_agreed,
            result if any(found) else result or f"not {self.verb}",
            basis_of(
                (person.name, [_content(match) for match in matches])
                for person, matches in zip(people, found, strict=True)
            ),
            decision,
            "All words of both" if has_spans and not is_agreed else "",
            in_terms_of(self.kind, "No match"),
        )

    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        annotation, sides = self._found[item.key]
        chosen: Sequence[Match] = ()
        if choice is Choice.ACCEPT:
            name = item.versions[version].annotator
            chosen = next(sides.get(one.id, ()) for one in self.sides.annotators if one.name == name)
        elif choice is Choice.BOTH:
            chosen = self._united([sides.get(one.id, ()) for one in self.sides.annotators])
        gone = {match.id for match in sides.get(self.sides.result.id, ())}
        current = draft.current(annotation)
        left = tuple(match for match in current.matches if match.id not in gone)
        copies = tuple(self._copy(match) for match in chosen)
        draft.change(annotation, replace(current, matches=(*left, *copies)))

    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Mark the result's matching of each summary done when all its items are, and not before."""
        states: dict[tuple[str, str], list[ItemState]] = {}
        found = after._found if isinstance(after, MatchAdjudication) else {}
        for item in after.items:
            annotation, _ = found[item.key]
            states.setdefault((annotation.pyramid.id, item.summary_id), []).append(item.state)
        for annotation in self._annotations:
            for summary in self.data.topic.summaries:
                if len(self._deciders(annotation, summary.id)) < 2:
                    continue
                key = annotation.pyramid.id, summary.id
                is_done = all(state is ItemState.DONE for state in states.get(key, ()))
                current = draft.current(annotation)
                state = current.state_of(summary.id, self.sides.result.id)
                if is_done != (state is not None and state.is_done):
                    marked = set_summary_state(current, summary.id, self.sides.result.id, is_done=is_done)
                    draft.change(annotation, marked)

    @cached_property
    def _annotations(self) -> tuple[TopicAnnotation, ...]:
        return tuple(one for one in self.data.annotations if one.pyramid.kind is self.kind)

    @cached_property
    def _found(self) -> dict[str, tuple[TopicAnnotation, _Sides]]:
        """The pyramid of each item, and the matches of each annotator, by the item's key."""
        found: dict[str, tuple[TopicAnnotation, _Sides]] = {}
        for annotation in self._annotations:
            for summary in self.data.topic.summaries:
                people = self._deciders(annotation, summary.id)
                if len(people) < 2:
                    continue
                each = [
                    *(
                        (scu.id, self._matches(annotation, summary.id, scu.id))
                        for scu in annotation.pyramid.scus
                    ),
                    *self._outside(annotation, people, summary),
                ]
                for subject, sides in each:
                    found[f"{DecisionKind.MATCH} {subject} {summary.id}"] = annotation, sides
        return found

    def _deciders(self, annotation: TopicAnnotation, summary_id: str) -> list[Annotator]:
        """Return the compared annotators who have decided on a summary."""
        states = ((person, annotation.state_of(summary_id, person.id)) for person in self.sides.annotators)
        return [person for person, state in states if state is not None and state.is_done]

    def _matches(self, annotation: TopicAnnotation, summary_id: str, scu_id: str) -> _Sides:
        """Return each annotator's matches of an SCU in a summary."""
        return {
            person.id: tuple(
                match
                for match in annotation.matches_of(summary_id, person.id)
                if match.scu_id == scu_id and match.is_confirmed
            )
            for person in (*self.sides.annotators, self.sides.result)
        }

    def _outside(
        self, annotation: TopicAnnotation, people: Sequence[Annotator], summary: Text
    ) -> list[tuple[str, _Sides]]:
        """Return the units outside the pyramid, those of several annotators that share words together."""
        groups: list[dict[str, Match]] = []
        for person in (*people, self.sides.result):
            for match in annotation.matches_of(summary.id, person.id):
                if match.scu_id is not None or not match.is_confirmed:
                    continue
                mine = self._words_of(summary, match)
                shared = [
                    (max(len(mine & self._words_of(summary, one)) for one in group.values()), place)
                    for place, group in enumerate(groups)
                    if person.id not in group
                ]
                common, place = max(shared, default=(0, 0), key=lambda one: (one[0], -one[1]))
                if common:
                    groups[place][person.id] = match
                else:
                    groups.append({person.id: match})
        result = self.sides.result.id
        return [
            (
                min(match.id for who, match in group.items() if who != result or len(group) == 1),
                {who: (match,) for who, match in group.items()},
            )
            for group in groups
        ]

    def _touched(self, summary: Text, matches: Sequence[Match]) -> tuple[tuple[int, ...], ...]:
        """Return the words of each match and whether it is in part, in a canonical order."""
        return tuple(
            sorted((int(match.is_partial), *sorted(self._words_of(summary, match))) for match in matches)
        )

    def _words_of(self, summary: Text, match: Match) -> set[int]:
        known = self._words.get(summary.id)
        if known is None:
            known = self._words[summary.id] = words(summary.content)
        return words_in([tuple(part.span for part in match.parts)], known)

    @cached_property
    def _words(self) -> dict[str, tuple[Span, ...]]:
        return {}

    def _brief(self, matches: Sequence[Match]) -> str:
        is_partial = bool(matches) and all(match.is_partial for match in matches)
        return "in part" if is_partial else self.verb if matches else f"not {self.verb}"

    def _described(self, summary: Text, matches: Sequence[Match], *, outside: bool) -> str:
        if not matches:
            return "no such unit" if outside else f"not {self.verb}"
        return " and again ".join(
            f"{self._quoted(summary, (match,))}{' in part' if match.is_partial else ''}" for match in matches
        )

    def _quoted(self, summary: Text, matches: Sequence[Match]) -> str:
        spans = _spans(matches)
        if not spans:
            return f"{self.verb} without a span"
        return "“{}”".format(" … ".join(" ".join(summary.content[a:b].split()) for a, b in spans))

    def _united(self, sides: Sequence[tuple[Match, ...]]) -> tuple[Match, ...]:
        """Return one match with the words of all."""
        matches = [match for side in sides for match in side]
        united = merge_spans(part.span for match in matches for part in match.parts)
        first = matches[0]
        parts = tuple(Part(f"{first.id} {start} {end}", start, end) for start, end in united)
        comments = dict.fromkeys(match.comment for match in matches if match.comment)
        return (replace(first, parts=parts, comment="\n".join(comments)),)

    def _copy(self, match: Match) -> Match:
        """Return a match as the result's own; its ids follow from those of the original."""
        parts = tuple(replace(part, id=self._derived(part.id)) for part in match.parts)
        return replace(match, id=self._derived(match.id), annotator_id=self.sides.result.id, parts=parts)

    def _derived(self, row_id: str) -> str:
        return hashlib.sha256(f"{self.sides.result.id} {row_id}".encode()).hexdigest()[:32]


def _spans(matches: Sequence[Match]) -> tuple[Span, ...]:
    return tuple(part.span for match in matches for part in match.parts)


class HitAdjudication(MatchAdjudication):
    """Hits in a topic; an item is one nugget in one summary, or one fact that is no nugget."""

    work, unit, kind = Work.HITS, "hit", UnitKind.NUGGET
    why_empty = (
        "No two of the annotators looked for the same nuggets in a summary of this topic. A summary counts "
        "when its hits are marked done."
    )
    verb = "found"


def _content(match: Match) -> list[object]:
    """Return what of a match can differ; hits in part are marked."""
    spans: list[object] = [list(part.span) for part in match.parts]
    return [*spans, "partial"] if match.is_partial else spans
