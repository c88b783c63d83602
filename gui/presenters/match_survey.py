"""Where an annotator stands with every summary of a study, and whose pyramids there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.ordering import blind_order
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import Study
from core.progress import Progress, Steps
from gui.values.match import Cell, GridColumn, OwnerLine


@dataclass(frozen=True, slots=True)
class MatchSurvey:
    """columns: the topics in order. owners: per topic, the pyramids that have SCUs, the fittest first."""

    columns: tuple[GridColumn, ...] = ()
    owners: Mapping[str, tuple[OwnerLine, ...]] | None = None

    def owner_of(self, topic_id: str) -> str:
        """Whose pyramid to match against, empty = the annotator's own."""
        lines = (self.owners or {}).get(topic_id, ())
        return lines[0].annotator_id if lines else ""

    def next_undone(self, summary_id: str) -> tuple[str, str] | None:
        """Topic and summary of the next one to do after a summary, going round; None = all are done."""
        cells = [(column.topic_id, cell) for column in self.columns for cell in column.cells]
        at = next((i for i, (_, cell) in enumerate(cells) if cell.summary_id == summary_id), -1)
        following = (*cells[at + 1 :], *cells[: at + 1])
        return next(((topic, cell.summary_id) for topic, cell in following if not cell.is_done), None)

    def with_column(self, column: GridColumn) -> MatchSurvey:
        """With one topic as it is now."""
        columns = tuple(column if old.topic_id == column.topic_id else old for old in self.columns)
        return MatchSurvey(columns, self.owners)

    @property
    def done(self) -> int:
        return sum(cell.is_done for column in self.columns for cell in column.cells)

    @property
    def total(self) -> int:
        return sum(len(column.cells) for column in self.columns)


def survey(study: Study, annotator_id: str) -> Steps[MatchSurvey]:
    """Look through the whole study; reads every text, so it is work for a worker thread."""
    names = {person.id: person.name for person in study.annotators()}
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in study.annotations():
        by_topic[annotation.pyramid.topic_id].append(annotation)
    owners = {topic_id: owners_of(found, annotator_id, names) for topic_id, found in by_topic.items()}
    heads = study.topics()
    columns = []
    for place, topic in enumerate(study.texts()):
        yield Progress(place, len(heads), topic.name)
        lines = owners.get(topic.id, ())
        owner_id = lines[0].annotator_id if lines else annotator_id
        front = next((a for a in by_topic[topic.id] if a.pyramid.annotator_id == owner_id), None)
        order = order_of(topic, annotator_id)
        columns.append(column_of(topic.id, topic.name, order, annotator_id, front))
    return MatchSurvey(tuple(columns), owners)


def order_of(topic: TopicTexts, annotator_id: str) -> tuple[str, ...]:
    """A topic's summaries in the order in which an annotator meets them."""
    return blind_order((text.id for text in topic.summaries), annotator_id, topic.id)


def column_of(
    topic_id: str,
    name: str,
    summaries: Iterable[str],
    annotator_id: str,
    annotation: TopicAnnotation | None,
) -> GridColumn:
    """One topic's summaries with the marks of an annotator on them."""
    states = (
        {}
        if annotation is None
        else {state.summary_id: state for state in annotation.states if state.annotator_id == annotator_id}
    )
    cells = tuple(
        Cell(summary, states[summary].is_done, states[summary].is_flagged)
        if summary in states
        else Cell(summary)
        for summary in summaries
    )
    return GridColumn(topic_id, name, cells)


def owners_of(
    annotations: Sequence[TopicAnnotation], annotator_id: str, names: Mapping[str, str]
) -> tuple[OwnerLine, ...]:
    """The pyramids that have SCUs: the annotator's own first, then finished ones, then the larger ones."""

    def rank(annotation: TopicAnnotation) -> tuple[bool, bool, int, str]:
        own = annotation.pyramid
        return own.annotator_id != annotator_id, not own.is_done, -len(own.scus), names[own.annotator_id]

    return tuple(
        OwnerLine(a.pyramid.annotator_id, names[a.pyramid.annotator_id], len(a.pyramid.scus))
        for a in sorted(annotations, key=rank)
        if a.pyramid.scus
    )
