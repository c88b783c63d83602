"""Survey of a study for the Match page: progress, pyramids to match against, and other annotators."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.annotation.shared_pyramid import counted_pyramids, pyramids_to_match, shared_owner
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.study import Annotator, Text, TopicTexts
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.annotation.match_values import OwnerRow
from gui.annotation.progress.progress_rows import replace_row, seconds_per_summary, summary_order
from gui.pages.match.location import EditName
from gui.session.topic_values import Cell, GridRow

_VERBS = frozenset(map(str, EditName))


@dataclass(frozen=True, slots=True)
class MatchOverview:
    """Result of a survey.

    rows: the topics in order.
    owners: by topic id, the pyramids that have SCUs, the best one first.
    others: by topic id, a sentence on who else has matched.
    pace: seconds per summary; 0 if unknown.
    withheld: ids of topics with pyramids that a blind study hides.
    done: by topic id and owner, the summaries that the annotator marked done against pyramids that count.
    shared: ids of topics in which only one pyramid counts.
    """

    rows: tuple[GridRow, ...] = ()
    owners: Mapping[str, tuple[OwnerRow, ...]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    pace: float = 0.0
    withheld: frozenset[str] = frozenset()
    done: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()

    def owner_of(self, topic_id: str) -> str:
        """Return whose pyramid to match against; empty for the annotator's own."""
        owners = self.owners.get(topic_id, ())
        return owners[0].annotator_id if owners else ""

    def with_annotation(
        self, topic: TopicTexts, annotator_id: str, annotation: TopicAnnotation
    ) -> MatchOverview:
        """Return the overview with the matches against one pyramid updated."""
        owner_id, of_topic = annotation.pyramid.annotator_id, dict(self.done.get(topic.id, {}))
        if owner_id in of_topic or topic.id not in self.shared:
            of_topic[owner_id] = _done(annotation, annotator_id)
        row = row_of(topic, annotator_id, annotation, frozenset().union(*of_topic.values()))
        return replace(self, rows=replace_row(self.rows, row), done={**self.done, topic.id: of_topic})


def survey(study: Study, annotator: Annotator) -> JobSteps[MatchOverview]:
    """Read the progress in the whole study. Run it on a worker thread: it reads every text."""
    names = {person.id: person.name for person in study.annotators.all()}
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in study.pyramids.annotations():
        by_topic[annotation.pyramid.topic_id].append(annotation)
    owners = {
        topic_id: owners_of(annotations, annotator.id, names) for topic_id, annotations in by_topic.items()
    }
    others = {
        topic_id: others_of(annotations, annotator.id, names) for topic_id, annotations in by_topic.items()
    }
    withheld: frozenset[str] = frozenset()
    if is_blind(study):
        visible = {t: visible_pyramids(annotations, annotator.id) for t, annotations in by_topic.items()}
        visible_owners = {
            t: owners_of(annotations, annotator.id, names) for t, annotations in visible.items()
        }
        withheld = frozenset(t for t in owners if owners[t] != visible_owners[t])
        owners, others = visible_owners, {}
    if shared_owner(study, UnitKind.SCU):
        to_match = {
            t: owners_of(pyramids_to_match(study, UnitKind.SCU, each, annotator.id), annotator.id, names)
            for t, each in by_topic.items()
        }
        withheld = frozenset(t for t in withheld if to_match[t] == owners[t])
        owners = to_match
    done = {
        topic_id: {
            one.pyramid.annotator_id: _done(one, annotator.id)
            for one in counted_pyramids(study, UnitKind.SCU, each)
        }
        for topic_id, each in by_topic.items()
    }
    shared = frozenset(topic_id for topic_id, each in by_topic.items() if len(done[topic_id]) < len(each))
    total, rows = len(study.texts.topics()), []
    for place, topic in enumerate(study.texts.load()):
        yield Progress(place, total, topic.name)
        topic_owners = owners.get(topic.id, ())
        owner_id = topic_owners[0].annotator_id if topic_owners else annotator.id
        matched = next((a for a in by_topic[topic.id] if a.pyramid.annotator_id == owner_id), None)
        finished = frozenset().union(*done.get(topic.id, {}).values())
        rows.append(row_of(topic, annotator.id, matched, finished))
    pace = seconds_per_summary(study.edits.seconds_worked(annotator.id, _VERBS), rows)
    return MatchOverview(tuple(rows), owners, others, pace, withheld, done, shared)


def _done(annotation: TopicAnnotation, annotator_id: str) -> frozenset[str]:
    return frozenset(s.summary_id for s in annotation.states if s.is_done and s.annotator_id == annotator_id)


def row_of(
    topic: TopicTexts, annotator_id: str, annotation: TopicAnnotation | None, done: Collection[str]
) -> GridRow:
    """Return the row of one topic: its summaries with an annotator's states.

    annotation: against which the annotator matches. done: summaries marked done, against whichever pyramid.
    """
    states = annotation.states if annotation is not None else ()
    own = {state.summary_id: state for state in states if state.annotator_id == annotator_id}
    texts: dict[str, Text] = {text.id: text for text in topic.summaries}
    cells = []
    for summary_id in summary_order(topic, annotator_id):
        cell, state = Cell(summary_id, summary_id in done, system=texts[summary_id].name), own.get(summary_id)
        if state is not None:
            cell = replace(cell, is_flagged=state.is_flagged, note=state.note)
        cells.append(cell)
    return GridRow(topic.id, topic.name, tuple(cells))


def owners_of(
    annotations: Sequence[TopicAnnotation], annotator_id: str, names: Mapping[str, str]
) -> tuple[OwnerRow, ...]:
    """Return the pyramids that have SCUs: the annotator's own, then those marked done, then larger ones."""

    def rank(annotation: TopicAnnotation) -> tuple[bool, bool, int, str]:
        p = annotation.pyramid
        return p.annotator_id != annotator_id, not p.is_done, -len(p.scus), names[p.annotator_id]

    return tuple(
        OwnerRow(a.pyramid.annotator_id, names[a.pyramid.annotator_id], len(a.pyramid.scus))
        for a in sorted(annotations, key=rank)
        if a.pyramid.scus
    )


def others_of(annotations: Iterable[TopicAnnotation], annotator_id: str, names: Mapping[str, str]) -> str:
    """Return a sentence on who else has matched a topic and how many summaries; empty if nobody has."""
    started: set[str] = set()
    done: Counter[str] = Counter()
    for annotation in annotations:
        started |= {match.annotator_id for match in annotation.matches}
        done.update(state.annotator_id for state in annotation.states if state.is_done)
    people = sorted((started | set(done)) - {annotator_id}, key=lambda person: names[person])
    entries = [f"{names[p]} ({done[p]} done)" if done[p] else f"{names[p]} (started)" for p in people]
    return f"Also matched by {', '.join(entries)}" if entries else ""
