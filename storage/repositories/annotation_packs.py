"""Annotation packs of a study: collect annotators' work, merge the work of others."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, select

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
    matches_to_text,
    parse_content,
    parse_matches,
)
from core.domain.comments import Comment, CommentSubject
from core.domain.decisions import ADJUDICATE, Choice, Decision, DecisionKind
from core.domain.preferences import (
    ComparisonItem,
    ComparisonKind,
    ComparisonPlan,
    check_plan,
    check_preference,
)
from core.domain.pyramid import (
    Contributor,
    Match,
    Part,
    Scu,
    SummaryState,
    TopicAnnotation,
    UnitKind,
    new_id,
)
from core.domain.ratings import Dimension, ScaleKind
from core.errors import BadImport, InputError, Problem
from core.formatting.numbers import pluralize
from core.ports import ChangeKind, ChangeSet
from storage.database.schema import EditRow, ReferenceRow, SummaryRow, SystemRow
from storage.database.writer import WriteResult
from storage.repositories import comments, comparisons, decisions, pyramids, ratings, texts
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row

MERGE = "merge annotations"
"""Verb of the edits that write merged work."""

MERGED = "annotations merged"
"""Verb of the event after them, whose details hold the edits that the work results from."""

_REMEDY = "Merge it into a copy of the study that it was made from."


@dataclass(frozen=True, slots=True)
class _Topic:
    """Ids by name of what annotations of a topic refer to."""

    name: str
    id: str
    references: Mapping[str, str]
    summaries: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Stored:
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
class _Study:
    """A study with the ids of its names.

    problems: why a merge is refused. changes: of everything written. notes: remarks, sentences.
    """

    connection: Connection
    people: dict[str, str] = field(default_factory=dict)
    scales: dict[str, Dimension] = field(default_factory=dict)
    topics: dict[str, _Topic] = field(default_factory=dict)
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
            self.topics[head.name] = _Topic(head.name, head.id, references, summaries)
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
    here = _Study(connection)
    for name in names or ():
        if name not in here.people:
            known = ", ".join(sorted(here.people)) or "none"
            raise InputError(f"The study has no annotator named {name!r}. It has: {known}.")
    works = [
        stored.work
        for topic in here.topics.values()
        for stored in _all_work(here, topic)
        if (names is None or stored.name in names) and stored.name == stored.work.annotator
        if stored.work.history or not stored.work.content.is_empty
    ]
    if not works:
        whose = f"{' and '.join(names)} has" if names else "This study has"
        raise InputError(f"{whose} no annotations, so there is nothing to export.")
    used = sorted({work.topic for work in works})
    scales = {scale for work in works for scale in work.content.scales}
    judged = {answer.plan for work in works for answer in work.content.preferences}
    plans = {name: _packed_plan(here, here.plans[name]) for name in sorted(judged)}
    involved = {name for work in works for name in (work.annotator, *work.content.owners)}
    involved |= {item.annotator for plan in plans.values() for item in plan.items if item.annotator}
    return AnnotationPack(
        study,
        {topic: _digests(connection, ReferenceRow, here.topics[topic].references) for topic in used},
        {topic: _digests(connection, SummaryRow, here.topics[topic].summaries) for topic in used},
        {name: _packed_scale(here.scales[name]) for name in sorted(scales)},
        {person.name: person.group for person in texts.annotators(connection) if person.name in involved},
        tuple(works),
        plans,
    )


def merge(connection: Connection, packs: Sequence[tuple[str, AnnotationPack]]) -> WriteResult[MergeReport]:
    """Merge packs, given with the names of their files.

    Raises BadImport with every difference if they were made on other texts, scales or pyramids.
    """
    here = _Study(connection)
    scales: dict[str, PackedScale] = {}
    plans: dict[str, PackedPlan] = {}
    usable: list[tuple[str, AnnotationPack]] = []
    for file, pack in packs:
        pack = _without_removed_scales(here, file, pack)
        usable.append((file, pack))
        here.problems += _differences(here, file, pack)
        here.problems += _differences_of_packs(file, pack, scales, plans)
        scales, plans = {**pack.scales, **scales}, {**pack.plans, **plans}
    if here.problems:
        raise BadImport(here.problems)
    stored: dict[str, list[_Stored]] = {}
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
                stored[work.topic] = _all_work(here, here.topics[work.topic])
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


def _without_removed_scales(here: _Study, file: str, pack: AnnotationPack) -> AnnotationPack:
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


def _differences(here: _Study, file: str, pack: AnnotationPack) -> Iterator[Problem]:
    """Yield what a pack was made on and the study does not have."""
    for topic in pack.references:
        place = f"topic {topic}"
        known = here.topics.get(topic)
        if known is None:
            yield Problem(file, place, "", "The study has no such topic.", _REMEDY)
            continue
        for what, row, ids, digests in (
            ("reference", ReferenceRow, known.references, pack.references[topic]),
            ("summary", SummaryRow, known.summaries, pack.summaries.get(topic, {})),
        ):
            present = _digests(here.connection, row, ids)
            for name, digest in digests.items():
                if name not in present:
                    yield Problem(file, place, f"{what} {name}", "The study has no such text.", _REMEDY)
                elif present[name] != digest:
                    yield Problem(file, place, f"{what} {name}", "The text is another one here.", _REMEDY)
    for name, theirs in pack.scales.items():
        scale = here.scales.get(name)
        if scale is not None and scale.kind.value != theirs.kind:
            what = f"It asks for {theirs.kind}, here for {scale.kind.value}."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales.")
        elif scale is not None and scale.has_categories and scale.anchors != theirs.anchors:
            what = "It has other categories here."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales, or its categories.")
        elif scale is not None and (scale.low, scale.high) != (theirs.low, theirs.high):
            what = (
                f"It has the range {theirs.low:g} to {theirs.high:g}, here {scale.low:g} to {scale.high:g}."
            )
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales, or change its range.")
    for name, packed in pack.plans.items():
        yield from _plan_differences(here, file, name, packed)
    for work in pack.works:
        yield from _unknown_names(here, file, pack, work)


def _differences_of_packs(
    file: str, pack: AnnotationPack, scales: Mapping[str, PackedScale], plans: Mapping[str, PackedPlan]
) -> Iterator[Problem]:
    """Yield scales and plans that are other ones in an earlier pack of the same merge."""
    for name, scale in pack.scales.items():
        other = scales.get(name, scale)
        has_categories = scale.kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS)
        is_same = (scale.kind, scale.low, scale.high) == (other.kind, other.low, other.high)
        if not is_same or (has_categories and scale.anchors != other.anchors):
            what = "It is another scale in another of these files."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales.")
    for name, plan in pack.plans.items():
        if plans.get(name, plan) != plan:
            what = "These are other comparisons in another of these files."
            yield Problem(file, "", f"comparisons {name}", what, "Merge copies of one study.")


def _plan_differences(here: _Study, file: str, name: str, packed: PackedPlan) -> Iterator[Problem]:
    """Yield why a plan of comparisons cannot be the one of the same name here, or cannot be added."""
    place = f"comparisons {name}"
    if name in here.plans:
        if _packed_plan(here, here.plans[name]) != packed:
            what = "The study has other comparisons of this name."
            yield Problem(file, "", place, what, "Merge copies of one study, made after the comparisons.")
        return
    try:
        check_plan(_plan_of(name, packed))
    except (InputError, ValueError) as error:
        yield Problem(file, "", place, str(error), _REMEDY)
    sizes = (2, 2) if packed.kind == ComparisonKind.PAIRWISE else (2, packed.size)
    if any(not sizes[0] <= len(item.systems) <= sizes[1] for item in packed.items):
        yield Problem(file, "", place, "A comparison has too many or too few systems.", _REMEDY)
    known = {topic.name: topic.summaries for topic in here.topics.values()}
    lost = [item for item in packed.items if not set(item.systems) <= set(known.get(item.topic, ()))]
    if lost:
        what = f"The study lacks a summary of {', '.join(lost[0].systems)} on topic {lost[0].topic}."
        yield Problem(file, "", place, what, _REMEDY)
    if len({item.id for item in packed.items}) < len(packed.items):
        yield Problem(file, "", place, "Two comparisons have the same id.", _REMEDY)


def _unknown_names(here: _Study, file: str, pack: AnnotationPack, work: TopicWork) -> Iterator[Problem]:
    """Yield names that a work uses although the pack does not list them; only a forged pack has them."""
    place = f"topic {work.topic}"
    authors, systems = pack.references.get(work.topic), pack.summaries.get(work.topic, {})
    if authors is None:
        yield Problem(file, place, "", "The pack does not list its texts.", _REMEDY)
        return
    content = work.content
    used = {one.reference for p in content.pyramids for unit in p.units for one in unit.contributors}
    summaries = {
        *(match.system for match in content.matches),
        *(state.system for state in content.states),
        *(rating.system for rating in content.ratings),
        *(decision.system for decision in content.decisions if decision.system),
        *(comment.system for comment in content.comments if comment.system),
    }
    people = {work.annotator, *content.owners}
    for what, names, known in (
        ("reference", used, authors),
        ("summary", summaries, systems),
        ("scale", content.scales, pack.scales),
        ("annotator", people, pack.groups),
        ("comparisons", {answer.plan for answer in content.preferences}, pack.plans),
    ):
        for name in sorted(names - set(known)):
            yield Problem(file, place, f"{what} {name}", "The pack uses it but does not list it.", _REMEDY)
    yield from _foreign_answers(file, pack, work)
    for rating in content.ratings:
        scale = pack.scales.get(rating.scale)
        if scale is None or rating.value is None:
            continue
        if problem := _dimension("", rating.scale, scale).value_problem(rating.value):
            yield Problem(file, place, f"summary {rating.system}", problem, _REMEDY)


def _foreign_answers(file: str, pack: AnnotationPack, work: TopicWork) -> Iterator[Problem]:
    """Yield answers that their comparison does not allow; only a forged pack has them."""
    items = {(name, item.id): item for name, plan in pack.plans.items() for item in plan.items}
    for answer in work.content.preferences:
        item, plan = items.get((answer.plan, answer.item)), pack.plans.get(answer.plan)
        if plan is None:
            continue
        try:
            if item is None or item.topic != work.topic:
                raise InputError("The pack has no such comparison of this topic.")
            compared = ComparisonItem(item.id, "", item.systems)
            check_preference(_plan_of(answer.plan, plan), compared, answer.best or None, answer.worst or None)
        except (InputError, ValueError) as error:
            yield Problem(file, f"topic {work.topic}", f"comparisons {answer.plan}", str(error), _REMEDY)


def _add_plans(here: _Study, pack: AnnotationPack) -> None:
    """Add the plans of comparisons that the study lacks."""
    for name, packed in pack.plans.items():
        if name not in here.plans:
            plan = _plan_of(name, packed)
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


def _plan_of(name: str, packed: PackedPlan) -> ComparisonPlan:
    kind = ComparisonKind(packed.kind)
    settings = packed.size, packed.per_summary, packed.overlap, packed.seed
    return ComparisonPlan(packed.id, name, kind, packed.question, *settings)


def _packed_plan(here: _Study, plan: ComparisonPlan) -> PackedPlan:
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


def _add_scales(here: _Study, pack: AnnotationPack) -> None:
    """Add the scales that the study lacks; those that it has keep their texts."""
    new = []
    for name, theirs in pack.scales.items():
        texts_of = theirs.question, theirs.description, theirs.anchors
        if name not in here.scales:
            new.append(_dimension(new_id(), name, theirs))
        elif (own := here.scales[name]) and (own.question, own.description, own.anchors) != texts_of:
            here.notes.append(
                f"The scale {name} has another question, description or anchors in {pack.study}. "
                "Those of this study were kept."
            )
    if new:
        before = ratings.dimensions(here.connection)
        here.record(ratings.edit_dimensions(here.connection, before, [*before, *new], None))
        here.scales |= {scale.name: scale for scale in new}


def _dimension(scale_id: str, name: str, scale: PackedScale) -> Dimension:
    texts_of = scale.question, scale.description, scale.anchors
    return Dimension(
        scale_id, name, scale.low, scale.high, *texts_of, ScaleKind(scale.kind), scale.required
    )


def _packed_scale(scale: Dimension) -> PackedScale:
    texts_of = scale.question, scale.description, scale.anchors
    return PackedScale(scale.low, scale.high, *texts_of, scale.kind.value, scale.is_required)


def _digests(connection: Connection, row: Any, ids: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of a topic's texts by name."""
    query = select(row.id, row.digest).where(row.id.in_(ids.values()))
    known: dict[str, str] = {row[0]: row[1] for row in connection.execute(query)}
    return {name: known[row_id] for name, row_id in ids.items()}


def _all_work(here: _Study, topic: _Topic) -> list[_Stored]:
    """Return the work of every annotator on a topic, with the edits that it results from."""
    contents = _contents(here, topic)
    columns = EditRow.id, EditRow.annotator_id, EditRow.verb, EditRow.at, EditRow.active_seconds
    query = select(*columns, EditRow.details).where(EditRow.topic_id == topic.id).order_by(EditRow.number)
    edits: dict[str | None, list[Any]] = defaultdict(list)
    results: dict[str, str | None] = {}
    for row in here.connection.execute(query):
        whose = row.annotator_id
        if row.verb.startswith(ADJUDICATE) and row.details:  # not the adjudicator's own work
            whose = results[row.id] = json.loads(row.details).get("result", whose)
        elif row.verb in (edit_log.UNDO, edit_log.REDO) and row.details:
            whose = results.get(json.loads(row.details).get("edit"), whose)
        edits[whose].append(row)
    return [
        _stored(topic.name, name, contents.get(name, WorkContent()), edits[row_id])
        for name, row_id in here.people.items()
        if name in contents or row_id in edits
    ]


def _stored(topic: str, name: str, content: WorkContent, edits: Sequence[Any]) -> _Stored:
    owner, seconds = name, 0.0
    aside: tuple[PackedMatch, ...] = ()
    original: WorkContent | None = None
    sources: list[tuple[set[str], str]] = [(set(), "")]
    for edit in edits:
        seconds += edit.active_seconds
        if edit.verb == MERGED:
            details = json.loads(edit.details)
            owner = details["of"]
            sources = [(set(source["history"]), source["last_edit"]) for source in details["versions"]]
            aside = parse_matches(details["detached"])
            original = parse_content(details["content"]) if owner != name else None
        elif edit.verb not in (MERGE, "change set"):
            sources = [({*history, edit.id}, edit.at) for history, _ in sources]
    present = {match.id for match in content.matches}
    aside = tuple(match for match in aside if match.id not in present)
    whole = replace(content, matches=(*content.matches, *aside))
    versions = tuple(
        TopicWork(topic, owner, original or whole, frozenset(history), last, seconds)
        for history, last in sources
    )
    return _Stored(name, whole, frozenset(match.id for match in aside), versions)


def _contents(here: _Study, topic: _Topic) -> dict[str, WorkContent]:
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

    topic: _Topic
    name: str
    content: WorkContent
    before: WorkContent
    known: _Stored | None
    owner: str = ""
    same: Sequence[TopicWork] | None = None
    seconds: float = 0.0


class _Writing:
    """Writes the versions that remain: own pyramids first, since others' matches refer to them."""

    def __init__(
        self,
        here: _Study,
        stored: Mapping[str, Sequence[_Stored]],
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
        self, topic: _Topic, name: str, owner: str, known: _Stored | None, same: Sequence[TopicWork]
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
            "detached": matches_to_text(aside),
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
        if edits:
            header = EditHeader(MERGE, person, task.topic.id)
            self._here.record(edit_log.record(self._here.connection, header, edits))

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
        edits = decisions.row_edits(self._here.connection, list(now.values()), gone)
        header = EditHeader(MERGE, self._here.person(task.name), task.topic.id)
        self._here.record(edit_log.record(self._here.connection, header, edits))

    def _write_comments(self, task: _Task) -> None:
        was, now = ({one.id: one for one in content.comments} for content in (task.before, task.content))
        there = {one.id for one in comments.all_comments(self._here.connection)}
        added = [self._comment(one, task) for row_id, one in now.items() if row_id not in {*was, *there}]
        gone = [self._comment(one, task) for row_id, one in was.items() if row_id not in now]
        edits = comments.row_edits(added, gone)
        if edits:
            header = EditHeader(MERGE, self._here.person(task.name), task.topic.id)
            self._here.record(edit_log.record(self._here.connection, header, edits))

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
        if edits:
            header = EditHeader(MERGE, person, task.topic.id)
            self._here.record(edit_log.record(self._here.connection, header, edits))

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
            header = EditHeader(MERGE, self._here.person(task.name), task.topic.id)
            rows = pyramids.row_edits(self._here.connection, before, after)
            self._here.record(edit_log.record(self._here.connection, header, rows))

    def _scu(self, unit: PackedUnit, topic: _Topic) -> Scu:
        contributors = tuple(
            Contributor(
                one.id, topic.references[one.reference], _parts(one.parts), one.comment, one.is_confirmed
            )
            for one in unit.contributors
        )
        return Scu(unit.id, unit.label, contributors, unit.comment, unit.importance)

    def _match(self, one: PackedMatch, topic: _Topic, person: str) -> Match:
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
