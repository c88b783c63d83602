"""Pyramids as lists of content units with a label for each unit and summary, as data sets hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import TopicTexts
from core.errors import InputError
from core.ports import Study


@dataclass(frozen=True, slots=True)
class LabelledUnits:
    """The units of a topic by one annotator, and which of them each summary has, by another or the same.

    labels: by id of the summary, in the order of the units; only summaries whose matching is marked done.
    """

    topic: TopicTexts
    owner: str
    matcher: str
    units: tuple[Scu, ...]
    labels: Mapping[str, tuple[int, ...]]


def labelled_units(study: Study) -> Iterator[LabelledUnits]:
    """Yield the units of each topic, annotator of the pyramid and annotator of the matches.

    Raises InputError if the study has no pyramid with an SCU.
    """
    topics = {topic.id: topic for topic in study.texts.load() if topic.references}
    annotations = [a for a in study.pyramids.annotations() if a.pyramid.scus and a.pyramid.topic_id in topics]
    if not annotations:
        raise InputError("The study has no pyramid with an SCU yet. Create or import one first.")
    people = {person.id: person.name for person in study.annotators.all()}
    for annotation in annotations:
        owner = annotation.pyramid.annotator_id
        done = dict.fromkeys(state.annotator_id for state in annotation.states if state.is_done)
        for matcher in done or (owner,):
            yield LabelledUnits(
                topics[annotation.pyramid.topic_id],
                people[owner],
                people[matcher],
                annotation.pyramid.scus,
                _labels(annotation, matcher),
            )


def _labels(annotation: TopicAnnotation, matcher: str) -> dict[str, tuple[int, ...]]:
    labels = {}
    for state in annotation.states:
        if state.annotator_id == matcher and state.is_done:
            present = {match.scu_id for match in annotation.matches_of(state.summary_id, matcher)}
            labels[state.summary_id] = tuple(int(scu.id in present) for scu in annotation.pyramid.scus)
    return labels
