"""Merge of annotation packs: what annotators are to have, and the edits that lead to it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from core.domain.annotation_merge import (
    DetachedMatches,
    MergeConflict,
    MergedWork,
    MergeOutcome,
    MergeReport,
    changed_items,
    conflict_name,
    distinct,
    join,
)
from core.domain.annotation_pack import (
    AnnotationPack,
    PackedComment,
    PackedDecision,
    PackedMatch,
    PackedPlan,
    PackedRating,
    PackedScale,
    PackedUnit,
    PartRow,
    TopicWork,
    WorkContent,
)
from core.domain.comments import Comment, CommentSubject
from core.domain.decisions import Choice, Decision, DecisionKind
from core.domain.preferences import ComparisonItem
from core.domain.pyramid import Contributor, Match, Part, Scu, SummaryState, TopicAnnotation, UnitKind, new_id
from core.domain.ratings import ScaleKind
from core.errors import BadImport
from core.formatting.numbers import pluralize
from core.json_schema import to_json
from core.ports import ChangeKind, ChangeSet
from storage.database.writer import WriteResult
from storage.repositories import comments, comparisons, decisions, pyramids, ratings
from storage.repositories.annotation_packs.collect import (
    MERGE,
    MERGED,
    StoredWork,
    StudyIds,
    TopicIds,
    all_work,
)
from storage.repositories.annotation_packs.compare import (
    differences,
    differences_of_packs,
    dimension_of,
    plan_of,
)
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row


def merge(connection: Connection, packs: Sequence[tuple[str, AnnotationPack]]) -> WriteResult[MergeReport]:
    """Merge packs, given with the names of their files.

    Raises BadImport with every difference if they were made on other texts, scales or pyramids.
    """
    here = StudyIds(connection)
    scales: dict[str, PackedScale] = {}
    plans: dict[str, PackedPlan] = {}
    usable: list[tuple[str, AnnotationPack]] = []
    for file, pack in packs:
        pack = _without_removed_scales(here, file, pack)
        usable.append((file, pack))
        here.problems += differences(here, file, pack)
        here.problems += differences_of_packs(file, pack, scales, plans)
        scales, plans = {**pack.scales, **scales}, {**pack.plans, **plans}
    if here.problems:
        raise BadImport(here.problems)
    stored: dict[str, list[StoredWork]] = {}
    versions: dict[tuple[str, str], tuple[TopicWork, ...]] = {}
    works = []
    groups: dict[str, list[str]] = defaultdict(list)
    for _, pack in usable:
        for name, group in pack.groups.items():
            groups[name].append(group)
    for name, given in sorted(groups.items()):
        here.person(name, min(filter(None, given), default=""))
    for _, pack in usable:
        _add_scales(here, pack)
        _add_plans(here, pack)
    for file, pack in usable:
        for work in pack.works:
            key = work.topic, work.annotator
            if work.topic not in stored:
                stored[work.topic] = all_work(here, here.topics[work.topic])
            if key not in versions:
                of_work = [one for one in stored[work.topic] if one.work.annotator == work.annotator]
                versions[key] = tuple(version for one in of_work for version in one.versions)
            before = versions[key]
            versions[key], outcome = join(before, work)
            old = before[0].content if outcome is MergeOutcome.UPDATED else work.content
            works.append(MergedWork(file, *key, outcome, *map(dict, changed_items(old, work.content))))
    detached = _Writing(here, stored, versions).write()
    conflicts = sorted(
        (
            MergeConflict(*key, conflict_name(same[0]))
            for key, of in versions.items()
            for same in distinct(of)[1:]
        ),
        key=lambda one: (one.topic, one.kept_as),
    )
    kinds = frozenset({ChangeKind.PEOPLE}.union(*(change.kinds for change in here.changes)))
    topics = frozenset(topic for change in here.changes for topic in change.topics)
    report = MergeReport(tuple(works), tuple(conflicts), tuple(detached), tuple(here.notes))
    return WriteResult(report, ChangeSet(kinds, topics, is_external=True))  # unknown to open pages


def _without_removed_scales(here: StudyIds, file: str, pack: AnnotationPack) -> AnnotationPack:
    """Return a pack without what refers to scales that were removed from the study, with a note on each."""
    removed = ratings.removed_dimensions(here.connection) & set(pack.scales)
    if not removed:
        return pack
    for name in sorted(removed):
        count = sum(rating.scale == name for work in pack.works for rating in work.content.ratings)
        here.notes.append(
            f"The scale {name} was removed from this study, so {file} is merged without its "
            f"{pluralize(count, 'rating')} on it. To have them, add the scale again and merge the file again."
        )
    scales = {name: scale for name, scale in pack.scales.items() if name not in removed}
    works = tuple(replace(work, content=work.content.without_scales(removed)) for work in pack.works)
    return replace(pack, scales=scales, works=works)


def _add_plans(here: StudyIds, pack: AnnotationPack) -> None:
    """Add the plans of comparisons that the study lacks."""
    for name, packed in pack.plans.items():
        if name not in here.plans:
            plan = plan_of(name, packed)
            items = [
                ComparisonItem(
                    item.id,
                    here.topics[item.topic].id,
                    tuple(here.topics[item.topic].summaries[system] for system in item.systems),
                    here.person(item.annotator) if item.annotator else None,
                )
                for item in packed.items
            ]
            here.record(comparisons.add_plan(here.connection, plan, items, None))
            here.plans[name] = plan


def _add_scales(here: StudyIds, pack: AnnotationPack) -> None:
    """Add the scales that the study lacks; those that it has keep their texts."""
    new = []
    for name, theirs in pack.scales.items():
        texts_of = theirs.question, theirs.description, theirs.anchors
        if name not in here.scales:
            new.append(dimension_of(new_id(), name, theirs))
        elif (own := here.scales[name]) and (own.question, own.description, own.anchors) != texts_of:
            here.notes.append(
                f"The scale {name} has another question, description or anchors in {pack.study}. "
                "Those of this study were kept."
            )
    if new:
        before = ratings.dimensions(here.connection)
        here.record(ratings.edit_dimensions(here.connection, before, [*before, *new], None))
        here.scales |= {scale.name: scale for scale in new}


def _parts(rows: Sequence[PartRow]) -> tuple[Part, ...]:
    return tuple(Part(*row) for row in rows)


def _sources(versions: Sequence[TopicWork]) -> set[tuple[frozenset[str], str]]:
    return {(one.history, one.last_edit) for one in versions}


@dataclass(frozen=True, slots=True)
class _Task:
    """Content that an annotator is to have on a topic.

    content, before: with the matches that are kept aside.
    owner, same: the versions that it is; None = those that are stored.
    """

    topic: TopicIds
    name: str
    content: WorkContent
    before: WorkContent
    known: StoredWork | None
    owner: str = ""
    same: Sequence[TopicWork] | None = None
    seconds: float = 0.0


class _Writing:
    """Writes the versions that remain: own pyramids first, since others' matches refer to them."""

    def __init__(
        self,
        here: StudyIds,
        stored: Mapping[str, Sequence[StoredWork]],
        versions: Mapping[tuple[str, str], Sequence[TopicWork]],
    ) -> None:
        self._here, self._stored, self._versions = here, stored, versions

    def write(self) -> list[DetachedMatches]:
        """Write everything that differs; return the matches that are kept aside on the topics."""
        tasks = self._tasks()
        for task in tasks:
            if task.content.digest != task.before.digest:
                self._write_own(task)
        detached = []
        for task in tasks:
            aside = self._write_matches(task)
            self._write_ratings(task)
            self._write_decisions(task)
            self._write_preferences(task)
            self._write_comments(task)
            self._write_event(task, aside)
            for owner in sorted({match.owner for match in aside}):
                count = sum(match.owner == owner for match in aside)
                detached.append(DetachedMatches(task.topic.name, task.name, owner, count))
        return detached

    def _tasks(self) -> list[_Task]:
        """Return what every annotator is to have on the topics that are merged."""
        tasks = []
        for topic, everybody in self._stored.items():
            of_topic = self._here.topics[topic]
            known = {one.name: one for one in everybody}
            merged: set[str] = set()
            for (name_of_topic, owner), works in self._versions.items():
                if name_of_topic != topic:
                    continue
                wanted: dict[str, Sequence[TopicWork]] = {
                    one.name: () for one in everybody if one.work.annotator == owner
                }
                for place, group in enumerate(distinct(works)):
                    wanted[conflict_name(group[0]) if place else owner] = group
                tasks += [self._task(of_topic, name, owner, known.get(name), s) for name, s in wanted.items()]
                merged |= set(wanted)
            tasks += [
                _Task(of_topic, name, one.content, one.content, one)
                for name, one in known.items()
                if name not in merged
            ]
        return tasks

    def _task(
        self, topic: TopicIds, name: str, owner: str, known: StoredWork | None, same: Sequence[TopicWork]
    ) -> _Task:
        content, seconds = WorkContent(), 0.0
        if same:
            content = same[0].content
            if name == owner:
                spent = 0.0 if known is None else known.work.active_seconds
                seconds = max(0.0, max(one.active_seconds for one in same) - spent)
            else:
                content = content.renamed(owner, name, content.digest)
        before = WorkContent() if known is None else known.content
        return _Task(topic, name, content, before, known, owner, same, seconds)

    def _write_event(self, task: _Task, aside: Sequence[PackedMatch]) -> None:
        """Record the edits that a version results from and its matches that are kept aside, if new.

        A former conflict belongs to nobody.
        """
        known = task.known
        is_same = known is not None and frozenset(match.id for match in aside) == known.detached
        same, owner = task.same, task.owner
        if same is None:
            if known is None or is_same:
                return
            same, owner = known.versions, known.work.annotator
        elif known is not None and is_same:
            was, now = (_sources(one) for one in (known.versions, same))
            if (
                (was == now and known.work.content.digest == same[0].content.digest)
                if same
                else (task.name == owner)
            ):
                return
        elif known is None and not same:
            return
        details: dict[str, Any] = {
            "of": owner if same else task.name,
            "versions": [
                {"history": sorted(one.history), "last_edit": one.last_edit}
                for one in sorted(same, key=lambda one: (one.last_edit, sorted(one.history)), reverse=True)
            ]
            or [{"history": [], "last_edit": ""}],
            "detached": to_json(aside),
        }
        if same and task.name != owner:
            details["content"] = same[0].content.to_text()
        header = EditHeader(
            MERGED, self._here.person(task.name), task.topic.id, task.seconds, json.dumps(details)
        )
        self._here.record(edit_log.record_event(self._here.connection, header))

    def _write_own(self, task: _Task) -> None:
        """Write an annotator's own pyramids; others' matches against units that are gone are removed."""
        for kind in UnitKind:
            packed = next((one for one in task.content.pyramids if one.kind == kind), None)
            before = self._annotation(task, task.name, kind)
            units = packed.units if packed is not None else ()
            scus = tuple(self._scu(unit, task.topic) for unit in units)
            own = replace(before.pyramid, scus=scus, is_done=packed is not None and packed.is_done)
            ids = {scu.id for scu in scus}
            matches = tuple(one for one in before.matches if one.scu_id is None or one.scu_id in ids)
            self._commit(task, before, replace(before, pyramid=own, matches=matches))

    def _write_matches(self, task: _Task) -> list[PackedMatch]:
        """Write an annotator's matches and progress, against their own pyramids and those of others.

        Returns the matches whose content units are missing, which are not written.
        """
        person = self._here.person(task.name)
        aside = []
        for kind in UnitKind:
            for owner in sorted({*task.content.owners_of(kind), *task.before.owners_of(kind)}):
                before = self._annotation(task, owner, kind)
                ids = {"", *(scu.id for scu in before.pyramid.scus)}
                mine = [one for one in task.content.matches if (one.kind, one.owner) == (kind, owner)]
                aside += [one for one in mine if one.unit not in ids]
                matches = [one for one in before.matches if one.annotator_id != person]
                matches += [self._match(one, task.topic, person) for one in mine if one.unit in ids]
                states = self._states(task, before, owner, kind, person)
                own = {
                    frozenset(one for one in side if one.annotator_id == person)
                    for side in (before.matches, tuple(matches))
                }
                if len(own) > 1 or frozenset(states) != frozenset(before.states):
                    self._commit(task, before, replace(before, matches=tuple(matches), states=states))
        return aside

    def _states(
        self, task: _Task, before: TopicAnnotation, owner: str, kind: UnitKind, person: str
    ) -> tuple[SummaryState, ...]:
        known = {state.summary_id: state.id for state in before.states if state.annotator_id == person}
        states = [state for state in before.states if state.annotator_id != person]
        for one in task.content.states:
            if (one.kind, one.owner) == (kind, owner):
                summary = task.topic.summaries[one.system]
                new = hashlib.sha256(f"{before.pyramid.id} {summary} {person}".encode()).hexdigest()[:32]
                marks = one.is_done, one.is_flagged, one.note
                states.append(SummaryState(known.get(summary, new), summary, person, *marks))
        return tuple(states)

    def _write_ratings(self, task: _Task) -> None:
        was, now = (
            {(one.scale, one.system): one for one in content.ratings}
            for content in (task.before, task.content)
        )
        person = self._here.person(task.name)
        edits: list[RowEdit] = []
        for scale, system in sorted({*was, *now}):
            if was.get((scale, system)) != now.get((scale, system)):
                names = {
                    "summary_id": task.topic.summaries[system],
                    "dimension_id": self._here.scales[scale].id,
                    "annotator_id": person,
                }
                one = now.get((scale, system))
                edits += ratings.row_edits(self._here.connection, names, self._rating_row(one, names))
        self._record(task, edits)

    def _rating_row(self, one: PackedRating | None, names: Row) -> Row | None:
        if one is None:
            return None
        value, spans = one.value, one.spans
        scale = self._here.scales[one.scale]
        if scale.kind is ScaleKind.SPANS and value is not None:
            value, spans = ratings.rated_spans(self._here.connection, scale, names["summary_id"], spans)
        return ratings.rating_row(value, one.note, spans, is_flagged=one.flagged)

    def _write_decisions(self, task: _Task) -> None:
        if task.before.decisions == task.content.decisions:
            return
        was, now = (
            {self._decision(one, task).id: self._decision(one, task) for one in content.decisions}
            for content in (task.before, task.content)
        )
        gone = [decision for row_id, decision in was.items() if row_id not in now]
        self._record(task, decisions.row_edits(self._here.connection, list(now.values()), gone))

    def _write_comments(self, task: _Task) -> None:
        was, now = ({one.id: one for one in content.comments} for content in (task.before, task.content))
        there = {one.id for one in comments.all_comments(self._here.connection)}
        added = [self._comment(one, task) for row_id, one in now.items() if row_id not in {*was, *there}]
        gone = [self._comment(one, task) for row_id, one in was.items() if row_id not in now]
        self._record(task, comments.row_edits(added, gone))

    def _comment(self, one: PackedComment, task: _Task) -> Comment:
        subject = CommentSubject(
            task.topic.id,
            task.topic.summaries[one.system] if one.system else "",
            one.unit,
            self._here.scales[one.scale].id if one.scale else "",
        )
        person = self._here.person(task.name)
        return Comment(one.id, subject, person, one.text, one.resolves, one.written_at)

    def _write_preferences(self, task: _Task) -> None:
        was, now = (
            {(one.plan, one.item): one for one in content.preferences}
            for content in (task.before, task.content)
        )
        person, summaries = self._here.person(task.name), task.topic.summaries
        edits: list[RowEdit] = []
        for key in sorted({*was, *now}):
            if was.get(key) != now.get(key):
                one = now.get(key)
                row: Row | None = None
                if one is not None:
                    row = {"best": summaries.get(one.best), "worst": summaries.get(one.worst)}
                edits += comparisons.row_edits(self._here.connection, key[1], person, row)
        self._record(task, edits)

    def _decision(self, one: PackedDecision, task: _Task) -> Decision:
        is_rating = one.kind == DecisionKind.RATING
        return Decision(
            task.topic.id,
            self._here.person(task.name),
            DecisionKind(one.kind),
            self._here.scales[one.subject].id if is_rating else one.subject,
            task.topic.summaries[one.system] if one.system else "",
            Choice(one.choice),
            one.source,
            one.basis,
            one.decided_by,
            one.decided_at,
        )

    def _annotation(self, task: _Task, owner: str, kind: UnitKind) -> TopicAnnotation:
        return pyramids.annotation(self._here.connection, task.topic.id, self._here.person(owner), kind)

    def _commit(self, task: _Task, before: TopicAnnotation, after: TopicAnnotation) -> None:
        if after != before:
            self._record(task, pyramids.row_edits(self._here.connection, before, after))

    def _record(self, task: _Task, edits: Sequence[RowEdit]) -> None:
        if edits:
            header = EditHeader(MERGE, self._here.person(task.name), task.topic.id)
            self._here.record(edit_log.record(self._here.connection, header, edits))

    def _scu(self, unit: PackedUnit, topic: TopicIds) -> Scu:
        contributors = tuple(
            Contributor(
                one.id, topic.references[one.reference], _parts(one.parts), one.comment, one.is_confirmed
            )
            for one in unit.contributors
        )
        return Scu(unit.id, unit.label, contributors, unit.comment, unit.importance)

    def _match(self, one: PackedMatch, topic: TopicIds, person: str) -> Match:
        return Match(
            one.id,
            topic.summaries[one.system],
            person,
            one.unit or None,
            _parts(one.parts),
            one.comment,
            one.is_confirmed,
            one.is_partial,
        )
