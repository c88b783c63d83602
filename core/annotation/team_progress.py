"""Progress of annotators in each kind of work: the one count of the window, the command line and the API."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from core.annotation.shared_pyramid import counted_pyramids
from core.domain.assignment import CellProgress, Work
from core.domain.decisions import MACHINE_GROUP
from core.domain.preferences import ComparisonPlan
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.ratings import is_rated
from core.ports import Study, annotations_of
from core.progress import JobSteps, Progress

Key = tuple[str, str]
"""Names of a topic and an annotator."""

_KIND_OF = {
    Work.PYRAMIDS: UnitKind.SCU,
    Work.MATCHES: UnitKind.SCU,
    Work.NUGGETS: UnitKind.NUGGET,
    Work.HITS: UnitKind.NUGGET,
}
_PER_TOPIC = (Work.PYRAMIDS, Work.NUGGETS)
"""Work whose unit is a topic; that of the others is a summary or a comparison."""


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """What everybody has done of one kind of work.

    A topic is done by its pyramid or nuggets marked done, a summary by its matches or hits marked done
    against a pyramid that counts (the shared one if there is one, else any) or by ratings on all required
    scales, a comparison by an answer.

    totals: number of units by topic that are for everybody. own: of those for one annotator alone.
    done: ids of the finished units; a key without any = begun.
    """

    work: Work
    totals: Mapping[str, int]
    done: Mapping[Key, frozenset[str]]
    own: Mapping[Key, int] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """Names of those who have begun, or have units of their own."""
        return {name for _, name in (*self.done, *self.own)}

    def cell(self, topic: str, name: str) -> CellProgress:
        """Return an annotator's progress on a topic."""
        units = self.done.get((topic, name))
        total = self.totals.get(topic, 0) + self.own.get((topic, name), 0)
        return CellProgress(len(units or ()), total, is_begun=units is not None)

    def of(self, name: str, topics: Collection[str] = ()) -> CellProgress:
        """Return an annotator's progress on some topics, by default on all."""
        return _sum(self.cell(topic, name) for topic in topics or self.totals if topic in self.totals)

    def of_all(self) -> CellProgress:
        """Return the progress of all together: units that somebody has finished."""
        done: dict[str, set[str]] = defaultdict(set)
        for (topic, _), units in self.done.items():
            done[topic] |= units
        total = sum(self.totals.values()) + sum(self.own.values())
        return CellProgress(sum(map(len, done.values())), total, is_begun=bool(self.done))


def work_progress(study: Study, works: Collection[Work] = tuple(Work)) -> JobSteps[dict[Work, WorkProgress]]:
    """Return everybody's progress in some kinds of work, without what machines proposed.

    Run it on a worker thread: it reads all of them.
    """
    heads = study.texts.topics()
    topics = {head.id: head.name for head in heads}
    summaries = {head.name: head.summaries for head in heads}
    people = {one.id: one.name for one in study.annotators.all() if one.group != MACHINE_GROUP}
    found: dict[Work, WorkProgress] = {}
    for kind in UnitKind:
        chosen = [work for work in works if _KIND_OF.get(work) is kind]
        if not chosen:
            continue
        done: dict[Work, dict[Key, set[str]]] = {work: {} for work in chosen}
        annotations = annotations_of(study, kind).annotations()
        for topic_id, group in groupby(annotations, lambda one: one.pyramid.topic_id):
            yield Progress(0, 0, topics[topic_id])
            of_topic = list(group)
            for work in chosen:
                units = _built(of_topic) if work in _PER_TOPIC else finished(study, kind, of_topic)
                done[work] |= {
                    (topics[topic_id], people[who]): ids for who, ids in units.items() if who in people
                }
        for work in chosen:
            totals = dict.fromkeys(summaries, 1) if work in _PER_TOPIC else summaries
            found[work] = WorkProgress(work, totals, _frozen(done[work]))
    if Work.RATINGS in works:
        yield Progress(0, 0, "ratings")
        found[Work.RATINGS] = WorkProgress(Work.RATINGS, summaries, _frozen(_rated(study, people.values())))
    if Work.COMPARISONS in works:
        yield Progress(0, 0, "comparisons")
        found[Work.COMPARISONS] = comparison_progress(study, study.comparisons.plans())
    return found


def finished(study: Study, kind: UnitKind, annotations: Sequence[TopicAnnotation]) -> dict[str, set[str]]:
    """Return the summaries of a topic that annotators, by id, marked done; without any = they have begun.

    annotations: all of the topic. Work against pyramids that no longer count is left out.
    """
    done: dict[str, set[str]] = {}
    for annotation in counted_pyramids(study, kind, annotations):
        for match in annotation.matches:
            if match.is_confirmed:
                done.setdefault(match.annotator_id, set())
        for state in annotation.states:
            if state.is_done:
                done.setdefault(state.annotator_id, set()).add(state.summary_id)
    return done


def comparison_progress(study: Study, plans: Iterable[ComparisonPlan]) -> WorkProgress:
    """Return everybody's progress in the comparisons of some plans."""
    topics = {head.id: head.name for head in study.texts.topics()}
    people = {person.id: person.name for person in study.annotators.all()}
    totals: Counter[str] = Counter(dict.fromkeys(topics.values(), 0))
    own: Counter[Key] = Counter()
    done: dict[Key, set[str]] = {}
    for plan in plans:
        items = {item.id: item for item in study.comparisons.items(plan.id)}
        for item in items.values():
            if item.annotator_id is None:
                totals[topics[item.topic_id]] += 1
            else:
                own[topics[item.topic_id], people[item.annotator_id]] += 1
        for answer in study.comparisons.preferences(plan.id):
            item = items[answer.item_id]
            if item.is_for(answer.annotator_id):
                key = topics[item.topic_id], people[answer.annotator_id]
                done.setdefault(key, set()).add(item.id)
    return WorkProgress(Work.COMPARISONS, totals, _frozen(done), own)


def _built(annotations: Iterable[TopicAnnotation]) -> dict[str, set[str]]:
    """Return by annotator the topic whose pyramid, or nuggets, they marked done; without it = begun."""
    pyramids = [one.pyramid for one in annotations]
    return {p.annotator_id: {p.topic_id} if p.is_done else set() for p in pyramids if p.scus or p.is_done}


def rated_scales(study: Study) -> dict[tuple[str, str, str], set[str]]:
    """Return the ids of the scales with a value, by names of topic, annotator and system."""
    rated: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for scale in study.ratings.dimensions():
        cube = study.ratings.cube(scale.name)
        for who, system, topic in np.argwhere(np.isfinite(cube.values)):
            rated[cube.topics[topic], cube.annotators[who], cube.systems[system]].add(scale.id)
    return rated


def _rated(study: Study, names: Collection[str]) -> dict[Key, set[str]]:
    """Return the systems whose summaries these people rated on all required scales; without any = begun."""
    scales = study.ratings.dimensions()
    done: dict[Key, set[str]] = {}
    for (topic, who, system), given in rated_scales(study).items():
        if who not in names:
            continue
        done.setdefault((topic, who), set()).update({system} if is_rated(scales, given) else ())
    return done


def _frozen(done: Mapping[Key, Iterable[str]]) -> dict[Key, frozenset[str]]:
    return {key: frozenset(units) for key, units in done.items()}


def _sum(cells: Iterable[CellProgress]) -> CellProgress:
    each = list(cells)
    return CellProgress(
        sum(cell.done for cell in each),
        sum(cell.total for cell in each),
        is_begun=any(cell.is_begun for cell in each),
    )
