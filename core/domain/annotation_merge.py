"""Merge of versions of one annotator's work on one topic.

A version is contained in another if its edits are a subset of the other's. The versions that are contained in
no other remain: one if the work was done in one copy of the study at a time, several if it was done in two
copies at once. The result does not depend on the order, and merging a version twice changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.annotation_pack import TopicWork, WorkContent

_CONFLICT_DIGITS = 6
_CONFLICT_NAME = re.compile(rf"(.+) \(conflict [0-9a-f]{{{_CONFLICT_DIGITS}}}\)", re.DOTALL)


class MergeOutcome(StrEnum):
    """Effect of merging one annotator's work on one topic.

    ADDED: the study had no work of the annotator on the topic. UPDATED: the study had an earlier version.
    EQUAL: the study has the same annotations. CONTAINED: the study has a later version.
    CONFLICT: both sides were edited; both are kept.
    """

    ADDED = "added"
    UPDATED = "updated"
    EQUAL = "equal"
    CONTAINED = "contained"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class MergedWork:
    """Effect of one work of one file. added, removed: by an update, number of items by their kind."""

    file: str
    topic: str
    annotator: str
    outcome: MergeOutcome
    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_loss(self) -> bool:
        """Return whether more is removed than added, as whoever merges has to confirm."""
        return sum(self.removed.values()) > sum(self.added.values())


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """A version that is not the current one. kept_as: the annotator under whose name it is stored."""

    topic: str
    annotator: str
    kept_as: str


@dataclass(frozen=True, slots=True)
class DetachedMatches:
    """Matches against content units that their owner does not have in this study.

    They are kept aside and come back when the owner's version with these units is merged.
    """

    topic: str
    annotator: str
    owner: str
    count: int


@dataclass(frozen=True, slots=True)
class MergeReport:
    """Result of a merge.

    conflicts, detached: all that the merged topics have, also from earlier merges.
    notes: other remarks, a sentence each.
    """

    works: tuple[MergedWork, ...] = ()
    conflicts: tuple[MergeConflict, ...] = ()
    detached: tuple[DetachedMatches, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def losses(self) -> tuple[MergedWork, ...]:
        """Return the updates that remove more of an annotator's work than they add."""
        return tuple(work for work in self.works if work.is_loss)

    def count(self, outcome: MergeOutcome) -> int:
        """Return the number of works with an outcome."""
        return sum(work.outcome is outcome for work in self.works)


def join(versions: Sequence[TopicWork], incoming: TopicWork) -> tuple[tuple[TopicWork, ...], MergeOutcome]:
    """Return the versions that remain, the current one first, and the effect of the incoming one.

    Versions with equal content but different edits stay apart, next to each other; see `distinct`.
    """
    digest = incoming.content.digest
    known = {one.content.digest for one in versions}
    pool = [*versions, *([] if incoming in versions else [incoming])]
    remaining = [one for one in pool if not any(is_contained(one, other) for other in pool)]
    newest = {one.content.digest: "" for one in remaining}
    for one in remaining:
        newest[one.content.digest] = max(newest[one.content.digest], one.last_edit)
    remaining.sort(
        key=lambda one: (newest[one.content.digest], one.content.digest, one.last_edit, sorted(one.history)),
        reverse=True,
    )
    if digest in known:
        outcome = MergeOutcome.EQUAL
    elif incoming not in remaining:
        outcome = MergeOutcome.CONTAINED
    elif len(newest) > 1:
        outcome = MergeOutcome.CONFLICT
    else:
        had_work = any(not one.content.is_empty for one in versions)
        outcome = MergeOutcome.UPDATED if had_work else MergeOutcome.ADDED
    return tuple(remaining), outcome


def changed_items(before: WorkContent, after: WorkContent) -> tuple[Counter[str], Counter[str]]:
    """Return how many items of each kind a later version adds, and removes; a changed one counts as both."""
    old, new = _items(before), _items(after)
    added, removed = Counter(kind for kind, _ in new - old), Counter(kind for kind, _ in old - new)
    return added, removed


def _items(content: WorkContent) -> set[tuple[str, object]]:
    units = {("content unit", unit) for pyramid in content.pyramids for unit in pyramid.units}
    several = {
        "match": content.matches,
        "rating": content.ratings,
        "decision": content.decisions,
        "judgement": content.preferences,
        "comment": content.comments,
    }
    return units | {(kind, item) for kind, items in several.items() for item in items}


def distinct(versions: Sequence[TopicWork]) -> list[list[TopicWork]]:
    """Return versions grouped by content, the current one first."""
    groups: dict[str, list[TopicWork]] = {}
    for one in versions:
        groups.setdefault(one.content.digest, []).append(one)
    return list(groups.values())


def is_contained(one: TopicWork, other: TopicWork) -> bool:
    """Return whether another version results from all edits of one, and from more.

    Imported annotations have no edits; they are contained in a version that still has one of them. A version
    from a copy in which a scale was removed is contained in one with the same edits that still has the scale.
    """
    if one.history == other.history and one.content.scales < other.content.scales:
        lost = other.content.scales - one.content.scales
        return one.content == other.content.without_scales(lost)
    if one.content.is_empty and not other.content.is_empty:
        return one.history <= other.history
    if not one.history and not one.content.is_empty:
        return bool(other.history) and bool(_marks(one.content) & _marks(other.content))
    return one.history < other.history


def conflict_name(work: TopicWork) -> str:
    """Return the name of the annotator under which a version is kept that is not the current one."""
    return f"{work.annotator} (conflict {work.content.digest[:_CONFLICT_DIGITS]})"


def conflict_owner(name: str) -> str:
    """Return the annotator whose other version is kept under a name, empty = it is no such name."""
    found = _CONFLICT_NAME.fullmatch(name)
    return found[1] if found else ""


def detached_sentence(matches: DetachedMatches) -> str:
    """Return a sentence on matches that are kept aside."""
    them = "match" if matches.count == 1 else "matches"
    return (
        f"Topic {matches.topic}: {matches.count} {them} of {matches.annotator} refer to content units that "
        f"{matches.owner} does not have in this study. They are kept aside, do not count, and come back when "
        f"a version of {matches.owner} with these units is merged."
    )


def removal_sentence(work: MergedWork) -> str:
    """Return a sentence on what an update removes; empty = nothing."""
    if not work.removed:
        return ""
    removed, added = _counts(work.removed), _counts(work.added)
    return (
        f"{work.file} removes or changes {removed} of {work.annotator} on topic {work.topic}, and adds "
        f"{added or 'nothing'}."
    )


def _counts(counts: Mapping[str, int]) -> str:
    plurals = {"match": "matches"}
    return ", ".join(
        f"{count:,} {kind if count == 1 else plurals.get(kind, f'{kind}s')}"
        for kind, count in sorted(counts.items())
    )


def conflict_sentence(conflict: MergeConflict) -> str:
    """Return a sentence on a version that is not the current one."""
    return (
        f"{conflict.annotator} worked on topic {conflict.topic} in two copies at once. The newer version is "
        f"kept as {conflict.annotator}, the other as {conflict.kept_as}."
    )


def _marks(content: WorkContent) -> set[object]:
    """Return what tells apart annotations of different origin: ids, and ratings with their values."""
    units = {unit.id for pyramid in content.pyramids for unit in pyramid.units}
    matches = (match.id for match in content.matches)
    return {*units, *matches, *content.ratings, *content.decisions, *content.preferences, *content.comments}
