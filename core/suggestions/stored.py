"""Suggestions from what machine annotators proposed for a topic and stored."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.domain.decisions import MACHINE_GROUP
from core.domain.pyramid import Match, Part, Scu, TopicAnnotation, UnitKind, new_id
from core.domain.study import Span
from core.errors import InputError
from core.ports import Study, annotations_of
from core.suggestions.candidate_spans import COVERED_SHARE, overlap_share
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

PROPOSE = "propose"
"""Verb of the edits that store proposals."""


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """The pyramid and the matches that a machine annotator proposed for a topic.

    by: its name. metric: signature of what made the proposal, empty = not recorded.
    """

    by: str
    metric: str
    annotation: TopicAnnotation


def stored_proposals(
    study: Study, topic_id: str, kind: UnitKind = UnitKind.SCU
) -> tuple[StoredProposal, ...]:
    """Return the proposals for a topic, by name of the machine annotator."""
    machines = {person.id: person.name for person in study.annotators.all() if person.group == MACHINE_GROUP}
    if not machines:
        return ()
    found = [
        StoredProposal(machines[owner], _last_metric(study, topic_id, owner), annotation)
        for annotation in annotations_of(study, kind).annotations([topic_id])
        if (owner := annotation.pyramid.annotator_id) in machines and annotation.pyramid.scus
    ]
    return tuple(sorted(found, key=lambda one: one.by))


def open_scus(
    proposal: StoredProposal, own: TopicAnnotation, dismissed: DismissedSuggestions
) -> tuple[Suggestion, ...]:
    """Return the proposed SCUs and contributors that are neither in a pyramid nor dismissed, in their order.

    A proposed SCU is in the pyramid as the SCU that shares most of its words; of such a one, contributors in
    references that this SCU does not express are proposed.
    """
    found: list[Suggestion] = []
    for scu in proposal.annotation.pyramid.scus:
        places = [
            SuggestedSpan(contributor.reference_id, part.span)
            for contributor in scu.contributors
            for part in contributor.parts
        ]
        in_place = counterpart(scu, own.pyramid.scus)
        if in_place is None:
            if places and not all(dismissed.holds(SuggestionKind.SCU, place) for place in places):
                found.append(_suggestion(proposal, SuggestionKind.SCU, places, label=scu.label))
            continue
        expressed = {contributor.reference_id for contributor in in_place.contributors}
        found += [
            _suggestion(proposal, SuggestionKind.CONTRIBUTOR, [place], in_place.id, in_place.label)
            for place in places
            if place.text_id not in expressed
            and not dismissed.holds(SuggestionKind.CONTRIBUTOR, place, in_place.id)
        ]
    return tuple(found)


def open_matches(
    proposal: StoredProposal,
    own: TopicAnnotation,
    summary_id: str,
    annotator_id: str,
    dismissed: DismissedSuggestions,
) -> tuple[Suggestion, ...]:
    """Return the proposed units of a summary that an annotator has not decided or dismissed, in text order.

    Units of a proposed SCU that is not in the pyramid, and units without words, are left out. A unit is
    decided if the same words are a unit of the same SCU, or of one that was not proposed for them.
    """
    machine = proposal.annotation
    by_id = {scu.id: scu for scu in machine.pyramid.scus}
    units = machine.matches_of(summary_id, machine.pyramid.annotator_id)
    mine = own.matches_of(summary_id, annotator_id)
    at = {id_: counterpart(scu, own.pyramid.scus) for id_, scu in by_id.items()}
    targets = {m.id: at.get(m.scu_id) if m.scu_id is not None else None for m in units}
    found: list[Suggestion] = []
    for unit in units:
        scu = targets[unit.id]
        if not unit.parts or (unit.scu_id is not None and scu is None):
            continue
        places = [SuggestedSpan(summary_id, part.span) for part in unit.parts]
        kind = SuggestionKind.UNIT if scu is None else SuggestionKind.MATCH
        scu_id = "" if scu is None else scu.id
        same_words = {
            target.id if (target := targets[m.id]) is not None else ""
            for m in units
            if _shares_words(m.parts, unit.parts)
        }
        if _is_decided(unit.parts, scu_id, same_words, mine):
            continue
        if not all(dismissed.holds(kind, place, scu_id) for place in places):
            found.append(_suggestion(proposal, kind, places, scu_id))
    return tuple(sorted(found, key=lambda one: one.places[0].span))


def open_nuggets(
    proposal: StoredProposal, own: TopicAnnotation, dismissed: DismissedSuggestions
) -> tuple[Suggestion, ...]:
    """Return the proposed nuggets that are neither among one's own, by their label, nor dismissed."""
    known = {nugget.label.casefold() for nugget in own.pyramid.scus}
    first = {nugget.label.casefold(): nugget.label for nugget in reversed(proposal.annotation.pyramid.scus)}
    return tuple(
        _suggestion(proposal, SuggestionKind.NUGGET, (), label=label)
        for folded, label in reversed(first.items())
        if folded not in known and not dismissed.holds_nugget(label)
    )


def accept_nugget(
    annotation: TopicAnnotation, proposal: StoredProposal, label: str, annotator_id: str
) -> TopicAnnotation:
    """Add a proposed nugget with its importance; its hits are added as not confirmed, so that none counts.

    Summaries in which the annotator has a hit of it cannot exist, as it is new. Raises InputError if the
    proposal was replaced meanwhile.
    """
    machine = proposal.annotation
    nugget = next((one for one in machine.pyramid.scus if one.label == label), None)
    if nugget is None:
        raise InputError("This nugget is no longer proposed.")
    added = Scu(new_id(), nugget.label, importance=nugget.importance)
    hits = tuple(
        replace(match, id=new_id(), annotator_id=annotator_id, scu_id=added.id, is_confirmed=False)
        for match in machine.matches
        if match.scu_id == nugget.id and match.annotator_id == machine.pyramid.annotator_id
    )
    pyramid = replace(annotation.pyramid, scus=(*annotation.pyramid.scus, added))
    return replace(annotation, pyramid=pyramid, matches=(*annotation.matches, *hits))


def counterpart(proposed: Scu, scus: Sequence[Scu]) -> Scu | None:
    """Return the SCU of another pyramid that shares the words of most contributors, None = none does."""

    def shared(scu: Scu) -> int:
        return sum(
            any(
                one.reference_id == other.reference_id and _shares_words(one.parts, other.parts)
                for other in scu.contributors
            )
            for one in proposed.contributors
        )

    best = max(scus, key=shared, default=None)
    return best if best is not None and shared(best) else None


def without_proposed(
    suggestions: Sequence[Suggestion], proposed: Sequence[Suggestion]
) -> tuple[Suggestion, ...]:
    """Return the suggestions that are not among the proposed ones."""

    def is_among(one: Suggestion) -> bool:
        return any(
            (one.kind, one.scu_id) == (other.kind, other.scu_id)
            and all(any(_meet(place, its) for its in other.places) for place in one.places)
            for other in proposed
        )

    return tuple(one for one in suggestions if not is_among(one))


def _is_decided(
    parts: Sequence[Part], scu_id: str, same_words: Collection[str], mine: Sequence[Match]
) -> bool:
    units = {match.scu_id or "" for match in mine if _shares_words(match.parts, parts)}
    return scu_id in units or bool(units - set(same_words))


def _suggestion(
    proposal: StoredProposal,
    kind: SuggestionKind,
    places: Sequence[SuggestedSpan],
    scu_id: str = "",
    label: str = "",
) -> Suggestion:
    return Suggestion(kind, tuple(places), math.nan, scu_id, label, proposal.by, proposal.metric)


def _shares_words(parts: Sequence[Part], others: Sequence[Part]) -> bool:
    """Return whether one of the first parts overlaps one of the others by at least half."""
    return any(_overlap(part.span, other.span) for part in parts for other in others)


def _meet(place: SuggestedSpan, other: SuggestedSpan) -> bool:
    return place.text_id == other.text_id and _overlap(place.span, other.span)


def _overlap(one: Span, other: Span) -> bool:
    return overlap_share(one, other) >= COVERED_SHARE


def _last_metric(study: Study, topic_id: str, machine_id: str) -> str:
    """Return the signature of what made a machine annotator's last proposal, empty = not recorded."""
    for details in reversed(study.edits.events(topic_id, machine_id, PROPOSE)):
        try:
            return str(json.loads(details)["metric"])
        except (ValueError, TypeError, KeyError, RecursionError):  # of another program
            return ""
    return ""
