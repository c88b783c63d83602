"""Annotators' work on a study as an annotation pack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, select

from core.domain.annotation_pack import (
    AnnotationPack,
    PackedComment,
    PackedComparison,
    PackedContributor,
    PackedDecision,
    PackedMatch,
    PackedPlan,
    PackedPreference,
    PackedPyramid,
    PackedRating,
    PackedScale,
    PackedState,
    PackedUnit,
    PartRow,
    TopicWork,
    WorkContent,
)
from core.domain.decisions import ADJUDICATE, Decision, DecisionKind
from core.domain.preferences import ComparisonPlan
from core.domain.pyramid import Match, Part, Scu, UnitKind
from core.domain.ratings import Dimension
from core.errors import InputError, Problem
from core.json_schema import from_json
from core.json_text import parse_json
from core.names import resolve_name
from core.ports import ChangeSet
from storage.database.schema import EditRow, ReferenceRow, SummaryRow, SystemRow
from storage.database.writer import WriteResult
from storage.repositories import comments, comparisons, decisions, pyramids, ratings, texts
from storage.repositories.edits import edit_log

MERGE = "merge annotations"
"""Verb of the edits that write merged work."""

MERGED = "annotations merged"
"""Verb of the event after them, whose details hold the edits that the work results from."""


@dataclass(frozen=True, slots=True)
class TopicIds:
    """Ids by name of what annotations of a topic refer to."""

    name: str
    id: str
    references: Mapping[str, str]
    summaries: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredWork:
    """An annotator's work on a topic as it is in the study.

    content: current, with the matches that are kept aside.
    detached: ids of those, because their content units are missing.
    versions: what it is, one for each set of edits that it results from; of a conflict, as it was before it
        was renamed.
    """

    name: str
    content: WorkContent
    detached: frozenset[str]
    versions: tuple[TopicWork, ...]

    @property
    def work(self) -> TopicWork:
        """Return the newest version."""
        return self.versions[0]


@dataclass(slots=True)
class StudyIds:
    """A study with the ids of its names.

    problems: why a merge is refused. changes: of everything written. notes: remarks, sentences.
    """

    connection: Connection
    people: dict[str, str] = field(default_factory=dict)
    scales: dict[str, Dimension] = field(default_factory=dict)
    topics: dict[str, TopicIds] = field(default_factory=dict)
    plans: dict[str, ComparisonPlan] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    changes: list[ChangeSet] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.people = {person.name: person.id for person in texts.annotators(self.connection)}
        self.scales = {scale.name: scale for scale in ratings.dimensions(self.connection)}
        for head in texts.heads(self.connection):
            authors = select(ReferenceRow.author, ReferenceRow.id).where(ReferenceRow.topic_id == head.id)
            systems = (
                select(SystemRow.name, SummaryRow.id)
                .join(SummaryRow, SummaryRow.system_id == SystemRow.id)
                .where(SummaryRow.topic_id == head.id)
            )
            references, summaries = (
                {row[0]: row[1] for row in self.connection.execute(query)} for query in (authors, systems)
            )
            self.topics[head.name] = TopicIds(head.name, head.id, references, summaries)
        self.plans = {plan.name: plan for plan in comparisons.plans(self.connection)}

    def person(self, name: str, group: str = "") -> str:
        """Return the id of an annotator, created if new."""
        if name not in self.people:
            self.people[name] = texts.annotator(self.connection, name, group).answer.id
        return self.people[name]

    def record(self, written: WriteResult[Any]) -> None:
        """Collect the changes of a write."""
        self.changes.append(written.changes)


def collect(connection: Connection, study: str, names: Sequence[str] | None) -> AnnotationPack:
    """Return the work of some annotators, None = of all. study: its name.

    Raises InputError for an unknown annotator, and if there is no work.
    """
    here = StudyIds(connection)
    if names is not None:
        names = [resolve_name("annotator", name, sorted(here.people)) for name in names]
    works = [
        stored.work
        for topic in here.topics.values()
        for stored in all_work(here, topic)
        if (names is None or stored.name in names) and stored.name == stored.work.annotator
        if stored.work.history or not stored.work.content.is_empty
    ]
    if not works:
        whose = f"{' and '.join(names)} has" if names else "This study has"
        raise InputError(f"{whose} no annotations, so there is nothing to export.")
    used = sorted({work.topic for work in works})
    scales = {scale for work in works for scale in work.content.scales}
    judged = {answer.plan for work in works for answer in work.content.preferences}
    plans = {name: packed_plan(here, here.plans[name]) for name in sorted(judged)}
    involved = {name for work in works for name in (work.annotator, *work.content.owners)}
    involved |= {item.annotator for plan in plans.values() for item in plan.items if item.annotator}
    return AnnotationPack(
        study,
        {topic: digests_of(connection, ReferenceRow, here.topics[topic].references) for topic in used},
        {topic: digests_of(connection, SummaryRow, here.topics[topic].summaries) for topic in used},
        {name: _packed_scale(here.scales[name]) for name in sorted(scales)},
        {person.name: person.group for person in texts.annotators(connection) if person.name in involved},
        tuple(works),
        plans,
    )


def all_work(here: StudyIds, topic: TopicIds) -> list[StoredWork]:
    """Return the work of every annotator on a topic, with the edits that it results from."""
    contents = _contents(here, topic)
    columns = EditRow.id, EditRow.annotator_id, EditRow.verb, EditRow.at, EditRow.active_seconds
    query = select(*columns, EditRow.details).where(EditRow.topic_id == topic.id).order_by(EditRow.number)
    edits: dict[str | None, list[Any]] = defaultdict(list)
    results: dict[str, str | None] = {}
    for row in here.connection.execute(query):
        whose = row.annotator_id
        if row.verb.startswith(ADJUDICATE) and row.details:  # not the adjudicator's own work
            whose = results[row.id] = parse_json(row.details).get("result", whose)
        elif row.verb in (edit_log.UNDO, edit_log.REDO) and row.details:
            whose = results.get(parse_json(row.details).get("edit"), whose)
        edits[whose].append(row)
    return [
        _stored(topic.name, name, contents.get(name, WorkContent()), edits[row_id])
        for name, row_id in here.people.items()
        if name in contents or row_id in edits
    ]


def _stored(topic: str, name: str, content: WorkContent, edits: Sequence[Any]) -> StoredWork:
    owner, seconds = name, 0.0
    aside: tuple[PackedMatch, ...] = ()
    original: WorkContent | None = None
    sources: list[tuple[set[str], str]] = [(set(), "")]
    for edit in edits:
        seconds += edit.active_seconds
        if edit.verb == MERGED:
            details = parse_json(edit.details)
            owner = details["of"]
            sources = [(set(source["history"]), source["last_edit"]) for source in details["versions"]]
            aside = from_json(tuple[PackedMatch, ...], details["detached"])
            original = from_json(WorkContent, details["content"]) if owner != name else None
        elif edit.verb not in (MERGE, "change set"):
            sources = [({*history, edit.id}, edit.at) for history, _ in sources]
    present = {match.id for match in content.matches}
    aside = tuple(match for match in aside if match.id not in present)
    whole = replace(content, matches=(*content.matches, *aside))
    versions = tuple(
        TopicWork(topic, owner, original or whole, frozenset(history), last, seconds)
        for history, last in sources
    )
    return StoredWork(name, whole, frozenset(match.id for match in aside), versions)


def _contents(here: StudyIds, topic: TopicIds) -> dict[str, WorkContent]:
    """Return what every annotator did on a topic, by name."""
    names = {row_id: name for name, row_id in here.people.items()}
    authors = {row_id: name for name, row_id in topic.references.items()}
    systems = {row_id: name for name, row_id in topic.summaries.items()}
    found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for kind in UnitKind:
        annotations = pyramids.of_topics(here.connection, [topic.id], kind)
        for annotation in sorted(annotations, key=lambda one: names[one.pyramid.annotator_id]):
            own, owner = annotation.pyramid, names[annotation.pyramid.annotator_id]
            if own.scus or own.is_done:
                units = tuple(_packed_unit(scu, authors) for scu in own.scus)
                found[owner]["pyramids"].append(PackedPyramid(kind.value, own.is_done, units))
            for match in annotation.matches:
                packed = _packed_match(match, kind, owner, systems)
                found[names[match.annotator_id]]["matches"].append(packed)
            for state in sorted(annotation.states, key=lambda one: systems[one.summary_id]):
                marks = state.is_done, state.is_flagged, state.note
                packed_state = PackedState(kind.value, owner, systems[state.summary_id], *marks)
                found[names[state.annotator_id]]["states"].append(packed_state)
    scales = {scale.id: scale.name for scale in here.scales.values()}
    for rating in ratings.of_topic(here.connection, topic.id):
        names_of = scales[rating.dimension_id], systems[rating.summary_id]
        packed_rating = PackedRating(*names_of, rating.value, rating.note, rating.is_flagged, rating.spans)
        found[names[rating.annotator_id]]["ratings"].append(packed_rating)
    for decision in decisions.of_topic(here.connection, topic.id):
        if (packed_decision := _packed_decision(decision, scales, systems)) is not None:
            found[names[decision.annotator_id]]["decisions"].append(packed_decision)
    for plan in here.plans.values():
        for answer in comparisons.preferences(here.connection, plan.id, topic.id):
            chosen = (systems[one] if one else "" for one in (answer.best, answer.worst))
            packed_answer = PackedPreference(plan.name, answer.item_id, *chosen)
            found[names[answer.annotator_id]]["preferences"].append(packed_answer)
    for comment in comments.all_comments(here.connection, topic.id):
        about, scale = comment.subject, scales.get(comment.subject.scale_id, "")
        system = systems.get(about.summary_id, "")
        if (about.summary_id and not system) or (about.scale_id and not scale):
            continue  # on something that is gone
        packed_comment = PackedComment(
            comment.id, system, about.unit_id, scale, comment.text, comment.resolves, comment.written_at
        )
        found[names[comment.annotator_id]]["comments"].append(packed_comment)
    return {
        name: WorkContent(
            tuple(of["pyramids"]),
            tuple(of["matches"]),
            tuple(of["states"]),
            tuple(sorted(of["ratings"], key=lambda one: (one.scale, one.system))),
            tuple(sorted(of["decisions"], key=lambda one: (one.kind, one.subject, one.system))),
            tuple(sorted(of["preferences"], key=lambda one: (one.plan, one.item))),
            tuple(sorted(of["comments"], key=lambda one: (one.written_at, one.id))),
        )
        for name, of in found.items()
    }


def _packed_decision(
    decision: Decision, scales: Mapping[str, str], systems: Mapping[str, str]
) -> PackedDecision | None:
    """Return a decision with names for ids, None if its scale or summary is gone."""
    is_rating = decision.kind is DecisionKind.RATING
    subject = scales.get(decision.subject) if is_rating else decision.subject
    system = systems.get(decision.summary_id) if decision.summary_id else ""
    if subject is None or system is None:
        return None
    about = decision.choice.value, decision.source, decision.basis, decision.decided_by, decision.decided_at
    return PackedDecision(decision.kind.value, subject, system, *about)


def _packed_unit(scu: Scu, authors: Mapping[str, str]) -> PackedUnit:
    contributors = tuple(
        PackedContributor(
            one.id, authors[one.reference_id], one.comment, one.is_confirmed, _packed_parts(one.parts)
        )
        for one in scu.contributors
    )
    return PackedUnit(scu.id, scu.label, scu.comment, scu.importance, contributors)


def _packed_match(match: Match, kind: UnitKind, owner: str, systems: Mapping[str, str]) -> PackedMatch:
    return PackedMatch(
        match.id,
        kind.value,
        owner,
        match.scu_id or "",
        systems[match.summary_id],
        match.comment,
        match.is_confirmed,
        match.is_partial,
        _packed_parts(match.parts),
    )


def _packed_parts(parts: Sequence[Part]) -> tuple[PartRow, ...]:
    return tuple((part.id, part.start, part.end) for part in parts)


def _packed_scale(scale: Dimension) -> PackedScale:
    texts_of = scale.question, scale.description, scale.anchors
    return PackedScale(scale.low, scale.high, *texts_of, scale.kind.value, scale.is_required)


def packed_plan(here: StudyIds, plan: ComparisonPlan) -> PackedPlan:
    topics = {topic.id: topic for topic in here.topics.values()}
    names = {row_id: name for name, row_id in here.people.items()}
    systems = {row_id: system for topic in topics.values() for system, row_id in topic.summaries.items()}
    items = tuple(
        PackedComparison(
            item.id,
            topics[item.topic_id].name,
            tuple(systems[one] for one in item.summary_ids),
            names.get(item.annotator_id, "") if item.annotator_id else "",
        )
        for item in comparisons.items(here.connection, plan.id)
    )
    settings = plan.question, plan.size, plan.per_summary, plan.overlap, plan.seed
    return PackedPlan(plan.id, plan.kind.value, *settings, items)


def digests_of(connection: Connection, row: Any, ids: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of a topic's texts by name."""
    query = select(row.id, row.digest).where(row.id.in_(ids.values()))
    known: dict[str, str] = {row[0]: row[1] for row in connection.execute(query)}
    return {name: known[row_id] for name, row_id in ids.items()}
