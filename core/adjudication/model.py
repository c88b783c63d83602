"""Items of an adjudication: what annotators did, whether they agree, what was decided."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from core.domain.assignment import Work
from core.domain.decisions import ADJUDICATE, Choice, Decision, DecisionKind
from core.domain.preferences import ComparisonItem, ComparisonPlan, Preference
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, Rating
from core.domain.study import Annotator, Span, TopicTexts
from core.errors import InputError
from core.ports import AdjudicationEdit, NewPreference, NewRatingValue

MERGE_AGREEMENTS = f"{ADJUDICATE}: merge agreements"
"""Verb of the edit that copies what all annotators agree on."""


class ItemState(StrEnum):
    """State of an item.

    OPEN: the annotators differ, and nothing is decided. LATER: deferred by the adjudicator.
    AGREED: they agree, but the result does not have it yet. DONE: the result has it, or it was decided on.
    """

    OPEN = "open"
    LATER = "later"
    AGREED = "agreed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Version:
    """What one annotator has on an item.

    text: description. spans: marked parts by id of their text.
    brief: its value in a few characters, such as ``4``; empty = it has none.
    """

    annotator: str
    text: str
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One item that two or more annotators decided on.

    what: id of the annotations, as agreement names them: ``rating.coherence``.
    summary_id: empty = it is about no single summary.
    title: what it is. place: where it is, such as the summary's number.
    versions: of each annotator, in the order of the selection.
    result: description of what the result has, empty = nothing.
    decision: the last one, None = none. basis: JSON of what the annotators have now.
    both, neither: labels of these choices, empty = not possible.
    scale: of a rating, None = no value can be typed.
    compared: ids of the summaries of a comparison.
    """

    what: str
    kind: DecisionKind
    subject: str
    summary_id: str
    title: str
    place: str
    versions: tuple[Version, ...]
    is_agreed: bool
    result: str
    basis: str
    decision: Decision | None = None
    both: str = ""
    neither: str = ""
    scale: Dimension | None = None
    compared: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a key that is unique within the topic."""
        return f"{self.kind} {self.subject} {self.summary_id}"

    @property
    def values(self) -> str:
        """Return what the annotators have side by side, such as ``1 : 5``; empty = too long for that."""
        briefs = [version.brief for version in self.versions]
        if len(set(briefs)) == 1 and briefs[0]:
            return f"{briefs[0]}, other words"
        return " : ".join(briefs) if all(briefs) else ""

    @property
    def is_outdated(self) -> bool:
        """Return whether an annotator changed something after the decision."""
        return self.decision is not None and self.decision.basis != self.basis

    @property
    def decided(self) -> str:
        """Return who decided what and when, empty = nobody has."""
        if self.decision is None:
            return ""
        return f"{self.decision.words}{' An annotator has changed it since.' if self.is_outdated else ''}"

    @property
    def status(self) -> str:
        """Return what the annotators have side by side if that is to be decided, else what became of it."""
        match self.state:
            case ItemState.OPEN:
                return "changed since it was decided" if self.is_outdated else self.values or "to decide"
            case ItemState.LATER:
                return "decide later"
            case ItemState.AGREED:
                return "agreed, not merged yet"
            case ItemState.DONE:
                return self.decided if self.decision is not None and not self.is_outdated else "agreed"

    @property
    def without_result(self) -> str:
        """Return what is said of a result that has nothing."""
        return "none" if self.state is ItemState.DONE else "nothing yet"

    @property
    def state(self) -> ItemState:
        """Return whether there is something to do."""
        if self.decision is not None and not self.is_outdated:
            return ItemState.LATER if self.decision.choice is Choice.LATER else ItemState.DONE
        if self.is_agreed:
            return ItemState.DONE if self.result else ItemState.AGREED
        return ItemState.OPEN


@dataclass(frozen=True, slots=True)
class TopicPlan:
    """The comparisons of a plan in one topic, with all answers."""

    plan: ComparisonPlan
    items: tuple[ComparisonItem, ...]
    answers: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class TopicData:
    """Everything that an adjudication of one topic reads.

    annotators: of the study.
    annotations: every annotator's pyramid and nuggets with the matches against them, the result's included.
    """

    topic: TopicTexts
    annotators: tuple[Annotator, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    ratings: tuple[Rating, ...] = ()
    annotations: tuple[TopicAnnotation, ...] = ()
    plans: tuple[TopicPlan, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def after(self, edit: AdjudicationEdit) -> TopicData:
        """Return what the topic has after a step."""
        changed = {(one.summary_id, one.dimension_id): one for one in edit.ratings}
        others = [
            one
            for one in self.ratings
            if one.annotator_id != edit.annotator_id or (one.summary_id, one.dimension_id) not in changed
        ]
        made = [
            Rating(f"{summary} {scale}", summary, scale, edit.annotator_id, one.value, spans=one.spans)
            for (summary, scale), one in changed.items()
            if one.value is not None
        ]
        new = {after.pyramid.id: after for _, after in edit.annotations}
        known = {one.pyramid.id for one in self.annotations}
        annotations = [new.get(one.pyramid.id, one) for one in self.annotations]
        annotations += [one for row_id, one in new.items() if row_id not in known]
        answered = {one.item_id for one in edit.preferences}
        answers = [
            Preference(f"{one.item_id} new", one.item_id, edit.annotator_id, *one.chosen)
            for one in edit.preferences
            if one.chosen is not None
        ]
        plans = []
        for plan in self.plans:
            ids = {item.id for item in plan.items}
            old = (
                one
                for one in plan.answers
                if one.annotator_id != edit.annotator_id or one.item_id not in answered
            )
            new_answers = (one for one in answers if one.item_id in ids)
            plans.append(replace(plan, answers=(*old, *new_answers)))
        decided = {one.id for one in edit.decisions}
        decisions = [one for one in self.decisions if one.id not in decided]
        return replace(
            self,
            ratings=(*others, *made),
            annotations=tuple(annotations),
            plans=tuple(plans),
            decisions=(*decisions, *edit.decisions),
        )


@dataclass(frozen=True, slots=True)
class Sides:
    """Who is compared, and who decides.

    annotators: at least two. result: whose annotation the result is. adjudicator: name of who decides.
    """

    annotators: tuple[Annotator, ...]
    result: Annotator
    adjudicator: str


class Draft:
    """Changes of one step, while it is being made."""

    def __init__(self) -> None:
        self.ratings: list[NewRatingValue] = []
        self.preferences: list[NewPreference] = []
        self._before: dict[str, TopicAnnotation] = {}
        self._after: dict[str, TopicAnnotation] = {}

    def current(self, annotation: TopicAnnotation) -> TopicAnnotation:
        """Return an annotation with the changes so far."""
        return self._after.get(annotation.pyramid.id, annotation)

    def change(self, annotation: TopicAnnotation, after: TopicAnnotation) -> None:
        """Replace an annotation, given as it is stored."""
        self._before.setdefault(annotation.pyramid.id, annotation)
        self._after[annotation.pyramid.id] = after

    def edit(self, sides: Sides, topic_id: str, verb: str, decisions: Sequence[Decision]) -> AdjudicationEdit:
        """Return the changes as one edit."""
        annotations = tuple(
            (before, self._after[row_id])
            for row_id, before in self._before.items()
            if self._after[row_id] != before
        )
        changed = tuple(self.ratings), annotations, tuple(decisions), tuple(self.preferences)
        return AdjudicationEdit(topic_id, sides.result.id, verb, *changed)


class TopicAdjudication(ABC):
    """The items of one kind in one topic, and the edits that decide on them."""

    work: Work
    unit: str
    """Name of an item in the history."""
    why_empty: str
    """Why a topic has no items."""

    def __init__(self, data: TopicData, sides: Sides, part: str = "") -> None:
        """part: name of the only scale or plan that is decided on, empty = all."""
        self.data, self.sides, self.part = data, sides, part

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items that two annotators decided on, in the order of the topic."""
        return tuple(self._items())

    def item(self, key: str) -> Item:
        """Return an item. Raises InputError if it is gone."""
        for item in self.items:
            if item.key == key:
                return item
        raise InputError("This item is no longer there; somebody changed it. Select another one.")

    def count(self, *states: ItemState) -> int:
        """Return the number of items in some states."""
        return sum(item.state in states for item in self.items)

    def decide(
        self, item: Item, choice: Choice, version: int = 0, value: float | None = None
    ) -> AdjudicationEdit:
        """Return the edit that decides on an item; everything that is agreed on is merged with it.

        version: index of the accepted version. value: of a rating.
        Raises InputError if the choice is not possible.
        """
        is_possible = {
            Choice.ACCEPT: 0 <= version < len(item.versions),
            Choice.BOTH: bool(item.both),
            Choice.NEITHER: bool(item.neither),
            Choice.VALUE: item.scale is not None and value is not None,
            Choice.LATER: True,
        }
        if not is_possible[choice]:
            raise InputError("This choice is not possible here.")
        draft = Draft()
        if choice is not Choice.LATER:
            self._apply(draft, item, choice, version, value)
        self._merge_agreed(draft)
        decision = Decision(
            self.data.topic.id,
            self.sides.result.id,
            item.kind,
            item.subject,
            item.summary_id,
            choice,
            item.versions[version].annotator if choice is Choice.ACCEPT else "",
            item.basis,
            self.sides.adjudicator,
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return self._finished(draft, f"{ADJUDICATE} {self.unit}", (decision,))

    def merge_agreements(self) -> AdjudicationEdit:
        """Return the edit that copies everything that all annotators agree on."""
        draft = Draft()
        self._merge_agreed(draft)
        return self._finished(draft, MERGE_AGREEMENTS, ())

    def _merge_agreed(self, draft: Draft) -> None:
        for item in self.items:
            if item.state is ItemState.AGREED:
                self._apply(draft, item, Choice.ACCEPT, 0, None)

    def _finished(self, draft: Draft, verb: str, decisions: Sequence[Decision]) -> AdjudicationEdit:
        edit = draft.edit(self.sides, self.data.topic.id, verb, decisions)
        self._mark_done(draft, type(self)(self.data.after(edit), self.sides, self.part))
        return draft.edit(self.sides, self.data.topic.id, verb, decisions)

    def decision(self, kind: DecisionKind, subject: str, summary_id: str = "") -> Decision | None:
        """Return the decision on an item, None = none."""
        return self._decisions.get((kind, subject, summary_id))

    @cached_property
    def _decisions(self) -> dict[tuple[DecisionKind, str, str], Decision]:
        return {
            (one.kind, one.subject, one.summary_id): one
            for one in self.data.decisions
            if one.annotator_id == self.sides.result.id
        }

    @abstractmethod
    def _items(self) -> Iterable[Item]: ...

    @abstractmethod
    def _apply(self, draft: Draft, item: Item, choice: Choice, version: int, value: float | None) -> None:
        """Give the result what was chosen."""

    @abstractmethod
    def _mark_done(self, draft: Draft, after: TopicAdjudication) -> None:
        """Mark as done what has nothing left to decide. after: the topic with the changes so far."""


def basis_of(versions: Iterable[tuple[str, Any]]) -> str:
    """Return what annotators have as JSON, whatever their order."""
    return json.dumps(sorted(versions, key=lambda one: one[0]), ensure_ascii=False, separators=(",", ":"))
