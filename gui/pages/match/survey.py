"""Where an annotator stands with every summary of a study, whose pyramids there are, and who else matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.domain.pyramid import TopicAnnotation
from core.domain.study import Annotator, Text, TopicTexts
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.annotation.match_values import OwnerRow
from gui.annotation.progress_rows import replace_row, seconds_per_summary, summary_order
from gui.pages.match.location import EditName
from gui.session.progress_values import Cell, GridRow

_VERBS = frozenset(map(str, EditName))


@dataclass(frozen=True, slots=True)
class MatchOverview:
    """rows: the topics in order. owners: per topic, the pyramids that have SCUs, the fittest first.

    others: per topic, a sentence on who else has matched. pace: seconds per summary, 0 = not known.
    withheld: topics with pyramids that a blind study does not show yet.
    """

    rows: tuple[GridRow, ...] = ()
    owners: Mapping[str, tuple[OwnerRow, ...]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    pace: float = 0.0
    withheld: frozenset[str] = frozenset()

    def owner_of(self, topic_id: str) -> str:
        """Whose pyramid to match against, empty = the annotator's own."""
        lines = self.owners.get(topic_id, ())
        return lines[0].annotator_id if lines else ""

    def with_row(self, row: GridRow) -> MatchOverview:
        """With one topic as it is now."""
        return replace(self, rows=replace_row(self.rows, row))


def survey(study: Study, annotator: Annotator) -> JobSteps[MatchOverview]:
    """Look through the whole study; reads every text, so it is work for a worker thread."""
    names = {person.id: person.name for person in study.annotators.all()}
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in study.pyramids.annotations():
        by_topic[annotation.pyramid.topic_id].append(annotation)
    owners = {topic_id: owners_of(found, annotator.id, names) for topic_id, found in by_topic.items()}
    others = {topic_id: others_of(found, annotator.id, names) for topic_id, found in by_topic.items()}
    withheld: frozenset[str] = frozenset()
    if is_blind(study):
        seen = {t: visible_pyramids(found, annotator.id) for t, found in by_topic.items()}
        allowed = {t: owners_of(found, annotator.id, names) for t, found in seen.items()}
        withheld = frozenset(t for t in owners if owners[t] != allowed[t])
        owners, others = allowed, {}
    total, rows = len(study.texts.topics()), []
    for place, topic in enumerate(study.texts.load()):
        yield Progress(place, total, topic.name)
        lines = owners.get(topic.id, ())
        owner_id = lines[0].annotator_id if lines else annotator.id
        front = next((a for a in by_topic[topic.id] if a.pyramid.annotator_id == owner_id), None)
        rows.append(row_of(topic, annotator.id, front))
    pace = seconds_per_summary(study.edits.seconds_worked(annotator.id, _VERBS), rows)
    return MatchOverview(tuple(rows), owners, others, pace, withheld)


def row_of(topic: TopicTexts, annotator_id: str, annotation: TopicAnnotation | None) -> GridRow:
    """One topic's summaries with the marks of an annotator on them."""
    states = annotation.states if annotation is not None else ()
    mine = {state.summary_id: state for state in states if state.annotator_id == annotator_id}
    texts: dict[str, Text] = {text.id: text for text in topic.summaries}
    cells = []
    for summary_id in summary_order(topic, annotator_id):
        cell, state = Cell(summary_id, system=texts[summary_id].name), mine.get(summary_id)
        if state is not None:
            cell = replace(cell, is_done=state.is_done, is_flagged=state.is_flagged, note=state.note)
        cells.append(cell)
    return GridRow(topic.id, topic.name, tuple(cells))


def owners_of(
    annotations: Sequence[TopicAnnotation], annotator_id: str, names: Mapping[str, str]
) -> tuple[OwnerRow, ...]:
    """The pyramids that have SCUs: the annotator's own first, then finished ones, then the larger ones."""

    def rank(annotation: TopicAnnotation) -> tuple[bool, bool, int, str]:
        own = annotation.pyramid
        return own.annotator_id != annotator_id, not own.is_done, -len(own.scus), names[own.annotator_id]

    return tuple(
        OwnerRow(a.pyramid.annotator_id, names[a.pyramid.annotator_id], len(a.pyramid.scus))
        for a in sorted(annotations, key=rank)
        if a.pyramid.scus
    )


def others_of(annotations: Iterable[TopicAnnotation], annotator_id: str, names: Mapping[str, str]) -> str:
    """Who else has matched a topic and how far they are, never what they chose; empty = nobody."""
    begun: set[str] = set()
    done: Counter[str] = Counter()
    for annotation in annotations:
        begun |= {match.annotator_id for match in annotation.matches}
        done.update(state.annotator_id for state in annotation.states if state.is_done)
    people = sorted((begun | set(done)) - {annotator_id}, key=lambda person: names[person])
    lines = [f"{names[p]} ({done[p]} done)" if done[p] else f"{names[p]} (begun)" for p in people]
    return f"Also matched by {', '.join(lines)}" if lines else ""
