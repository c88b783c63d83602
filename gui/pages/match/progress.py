"""Matching progress of a study: read on a worker thread, updated by edits on the page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.annotation.shared_pyramid import counted_pyramids, pyramids_to_match, shared_owner
from core.domain.assignment import Work
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.study import Annotator, Text, TopicTexts
from core.formatting.numbers import format_duration
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from gui.annotation.match_values import OwnerRow
from gui.annotation.progress.progress_grid import count_done, replace_row, seconds_per_summary, summary_order
from gui.pages.match.rows import EditName
from gui.session.context import Context
from gui.session.topic_navigation import Cell, GridRow, assigned_topics_of
from gui.style.language import tr

_STALE_AFTER = frozenset({ChangeKind.TEXTS, ChangeKind.PYRAMIDS, ChangeKind.PEOPLE, ChangeKind.SETTINGS})


class MatchProgress(QObject):
    """The annotator's progress in all topics, and the pyramids to match against.

    Signals:
        updated: the study was read again.
    """

    updated = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._overview = MatchOverview()
        # edited since the survey began, so newer than its result
        self._edited: dict[str, tuple[TopicTexts, TopicAnnotation]] = {}
        self._chosen_owners: dict[str, str] = {}
        self._assigned = assigned_topics_of(context)
        self._is_fresh = self._is_running = False

    @property
    def rows(self) -> tuple[GridRow, ...]:
        """Return the topics that are shown, in order."""
        return self._assigned.rows(Work.MATCHES, self._overview.rows)

    @property
    def fact(self) -> str:
        """Return how many summaries are done and an estimate of the time left; empty until it is known."""
        if not (rows := self.rows):
            return ""
        done, total = count_done(rows)
        left = self._overview.pace * (total - done)
        share = tr("{done:,} of {total:,} summaries done", done=done, total=total)
        if left:
            return tr("{share} · about {left} left", share=share, left=format_duration(left))
        return share

    def begin(self) -> None:
        """Read the progress, unless it is up to date."""
        if self._is_fresh or self._is_running:
            return
        self._is_fresh = self._is_running = True
        self._edited.clear()
        steps = survey(self._context.study, self._context.annotator)
        job = self._context.jobs.start(tr("Reading the progress"), steps)
        job.finished.connect(self._store)
        job.ended.connect(self._finish)

    def note_change(self, changes: ChangeSet) -> bool:
        """Register a change of the study; return whether to read the progress again at once.

        Edits on the page itself are known, so for these it is read only when the page is shown again.
        """
        if changes.is_external or changes.kinds & _STALE_AFTER:
            self._is_fresh = False
        return changes.is_external or ChangeKind.TEXTS in changes.kinds

    def note_topic(self, topic: TopicTexts, annotation: TopicAnnotation) -> None:
        self._edited[topic.id] = topic, annotation
        self._overview = self._overview.with_annotation(topic, self._context.annotator.id, annotation)

    def others(self, topic_id: str) -> str:
        """Return a sentence on who else has matched a topic; empty if nobody has."""
        return self._overview.others.get(topic_id, "")

    def owners(self, topic_id: str) -> tuple[OwnerRow, ...]:
        """Return the pyramids of a topic that have SCUs."""
        return self._overview.owners.get(topic_id, ())

    def owner_of(self, topic_id: str) -> str:
        """Return whose pyramid to match against: the chosen, else the best, else the annotator's own."""
        chosen = "" if self.withholds(topic_id) else self._chosen_owners.get(topic_id)
        return chosen or self._overview.owner_of(topic_id) or self._context.annotator.id

    def withholds(self, topic_id: str) -> bool:
        """Return whether a blind study has pyramids of a topic that are not visible yet."""
        return topic_id in self._overview.withheld

    def choose_owner(self, topic_id: str, owner_id: str) -> None:
        """Match against this annotator's pyramid of a topic."""
        self._chosen_owners[topic_id] = owner_id

    @Slot(object)
    def _store(self, overview: MatchOverview) -> None:
        self._overview = overview
        for topic, annotation in self._edited.values():
            self.note_topic(topic, annotation)
        self.updated.emit()

    @Slot()
    def _finish(self) -> None:
        self._is_running = False
        if self._context.selection.topic_id:
            self.begin()  # if something has changed in the meantime


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
    entries = [
        tr("{names} ({done} done)", names=names[p], done=done[p])
        if done[p]
        else tr("{names} (started)", names=names[p])
        for p in people
    ]
    return tr("Also matched by {entries}", entries=", ".join(entries)) if entries else ""
