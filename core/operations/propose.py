"""Annotations proposed by a program, stored as the work of a named machine annotator."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.annotator_filter import name_refusal
from core.domain.decisions import MACHINE_GROUP, ProposalKind
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.formatting.numbers import pluralize
from core.metrics.base import Need, TopicScores
from core.metrics.base.model_requests import NO_REQUESTS, ModelRequests
from core.metrics.judge.auto_nugget import AutoNugget
from core.metrics.judge.judge import Judge
from core.metrics.judge.rubric import Mode, find_rubric
from core.metrics.pyramid.auto_pyramid import AutoPyramid
from core.metrics.registry import parse
from core.names import joined_names
from core.ports import Study, annotations_of
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.suggestions.stored import PROPOSE

Proposer = AutoPyramid | AutoNugget | Judge
_METRICS: Mapping[ProposalKind, type[Proposer]] = {
    ProposalKind.PYRAMIDS: AutoPyramid,
    ProposalKind.NUGGETS: AutoNugget,
    ProposalKind.RATINGS: Judge,
}
_WORDS = {
    "scus": ("SCU",),
    "matches": ("match", "matches"),
    "nuggets": ("nugget",),
    "hits": ("hit",),
    "ratings": ("rating",),
}


@dataclass(frozen=True, slots=True)
class Proposed:
    """What was stored.

    topics: their number. counts: numbers of what was stored, by its name. without: names of topics that lack
    the texts that the proposals need. failures: answers of a model that could not be read and are left out.
    """

    topics: int
    counts: Mapping[str, int]
    without: tuple[str, ...] = ()
    failures: int = 0

    def sentence(self, name: str) -> str:
        """Describe the proposals of a machine annotator."""
        made = " and ".join(pluralize(count, *_WORDS[what]) for what, count in self.counts.items())
        text = f"{made or 'Nothing'} proposed for {pluralize(self.topics, 'topic')}, as the work of {name}."
        if self.failures:
            text += f" {pluralize(self.failures, 'answer')} of the model could not be read."
        return f"{text} Without the texts needed: {', '.join(self.without)}." if self.without else text


def default_metric(kind: ProposalKind) -> Proposer:
    """Return the metric that makes proposals of a kind, with its default settings."""
    return _METRICS[kind]()


def proposing_metric(config: str, kind: ProposalKind = ProposalKind.PYRAMIDS) -> Proposer:
    """Return the metric of a configuration, empty = the default.

    Raises InputError if it proposes another kind.
    """
    wanted = _METRICS[kind]
    metric = parse(config or wanted.name)
    if not isinstance(metric, wanted):
        raise InputError(f"{config} proposes no {kind}. Choose {wanted.name}, with or without settings.")
    return metric


@dataclass
class _Store:
    """Stores what a metric proposes for one topic after another.

    details: stored with each edit. counts: of what was stored so far.
    """

    study: Study
    machine_id: str
    details: str
    counts: dict[str, int] = field(default_factory=dict)

    def keep(self, **counts: int) -> None:
        self.counts = {what: self.counts.get(what, 0) + count for what, count in counts.items()}

    def annotation(self, made: TopicAnnotation, what: tuple[str, str]) -> None:
        """Store a pyramid or nuggets with what was found in summaries, in place of an earlier proposal.

        what: names of the content units and of the matches.
        """
        store = annotations_of(self.study, made.pyramid.kind)
        before = store.annotation(made.pyramid.topic_id, self.machine_id)
        after = _owned(made, before, self.machine_id)
        store.commit(before, after, PROPOSE, self.machine_id, details=self.details).result()
        units, matches = what
        found = sum(match.scu_id is not None for match in made.matches)
        self.keep(**{units: len(made.pyramid.scus), matches: found})

    def ratings(self, topic: TopicTexts, scales: Sequence[Dimension | None], scores: TopicScores) -> None:
        """Store ratings, in place of earlier ones. scales: of each measure, None = it has none."""
        values: dict[tuple[str, str], float | None] = {}
        for text, row in zip(topic.summaries, scores.values.tolist(), strict=True):
            for scale, value in zip(scales, row, strict=True):
                if scale is not None:
                    is_value = not math.isnan(value) and not scale.value_problem(value)
                    values[text.id, scale.id] = value if is_value else None
        self.study.ratings.rate_all(topic.id, self.machine_id, values, PROPOSE, self.details).result()
        self.keep(ratings=sum(value is not None for value in values.values()))


def planned_requests(
    study: Study, metric: Proposer, topic_ids: Sequence[str], device: str = "auto"
) -> JobSteps[ModelRequests]:
    """Return what `propose` would ask a language model; raises as it does where a model is missing."""
    resources = StudyResources(study, device)
    if reason := metric.unavailable(resources):
        raise MissingResource(reason)
    total = NO_REQUESTS
    for number, topic_id in enumerate(topic_ids):
        topic = study.texts.topic(topic_id)
        yield Progress(number, len(topic_ids), topic.name)
        if not _lacks_texts(topic, metric):
            total += metric.requests(topic, resources)
    return total


def propose(
    study: Study, metric: Proposer, name: str, topic_ids: Sequence[str], device: str
) -> JobSteps[Proposed]:
    """Store what a metric proposes; what was proposed before under this name is replaced.

    name: of the machine annotator; the edits of each topic are one, with the metric's signature. topic_ids:
    in order. Of ratings, the criteria of the rubric that are named like a scale of the study are stored.
    Raises InputError if a person has this name, or for a rubric without such a scale, MissingResource if a
    model is missing.
    """
    resources = StudyResources(study, device)
    if reason := metric.unavailable(resources):
        raise MissingResource(reason)
    people = {person.name: person for person in study.annotators.all()}
    name = name.strip()
    if not name:
        raise InputError("The machine annotator needs a name, such as that of its model.")
    if name not in people and (reason := name_refusal(name)):
        raise InputError(reason)
    if name in people and people[name].group != MACHINE_GROUP:
        raise InputError(f"{name} is an annotator, whose work is not replaced. Choose another name.")
    scales = _scales(study, metric) if isinstance(metric, Judge) else ()
    details = json.dumps({"metric": metric.signature(resources)})
    store = _Store(study, study.annotators.get_or_create(name, MACHINE_GROUP).id, details)
    without: list[str] = []
    failures = 0
    for number, topic_id in enumerate(topic_ids):
        topic = study.texts.topic(topic_id)
        yield Progress(number, len(topic_ids), topic.name)
        if _lacks_texts(topic, metric):
            without.append(topic.name)
            continue
        scores = _stored(metric, topic, resources, store, scales)
        failures += scores.notes.get("no_value", 0) + scores.notes.get("failed_as_zero", 0)
        if scores.answers:
            study.settings.save_all(scores.answers).result()
    return Proposed(len(topic_ids) - len(without), store.counts, tuple(without), failures)


def _stored(
    metric: Proposer,
    topic: TopicTexts,
    resources: StudyResources,
    store: _Store,
    scales: Sequence[Dimension | None],
) -> TopicScores:
    """Store the proposals for a topic, and return the scores that they give."""
    if isinstance(metric, Judge):
        scores = metric.score(metric.prepare(topic, resources))
        store.ratings(topic, scales, scores)
        return scores
    if isinstance(metric, AutoNugget):
        nuggets = metric.prepare(topic, resources)
        store.annotation(nuggets.annotation, ("nuggets", "hits"))
        return metric.score(nuggets)
    pyramids = metric.prepare(topic, resources)
    store.annotation(pyramids.pyramids[0].annotation, ("scus", "matches"))
    return metric.score(pyramids)


def _lacks_texts(topic: TopicTexts, metric: Proposer) -> bool:
    needs: Mapping[Need, Sequence[object]] = {
        Need.REFERENCES: topic.references,
        Need.DOCUMENTS: topic.documents,
    }
    return any(need in metric.needs and not texts for need, texts in needs.items())


def _scales(study: Study, metric: Judge) -> tuple[Dimension | None, ...]:
    """Return the scale of each criterion of a rubric, None = the study has none of this name.

    Raises InputError if none has a scale, or a scale does not hold the values of its criterion.
    """
    rubric = find_rubric(metric.rubric)
    if rubric.mode is not Mode.RATING:
        raise InputError(f"The rubric {metric.rubric} rates on no scale. Choose one of the mode rating.")
    known = {scale.name.casefold(): scale for scale in study.ratings.dimensions()}
    found = tuple(known.get(criterion.name.casefold()) for criterion in rubric.criteria)
    for scale, criterion in zip(found, rubric.criteria, strict=True):
        if scale is None:
            continue
        if (
            scale.kind is not ScaleKind.NUMBER
            or not scale.low <= criterion.low < criterion.high <= scale.high
        ):
            raise InputError(
                f"The scale {scale.name} is {scale.range_text}, but the criterion of the rubric goes from "
                f"{criterion.low} to {criterion.high}. Change one of the two."
            )
    if not any(found):
        names = joined_names([criterion.name for criterion in rubric.criteria])
        raise InputError(f"The study has no scale {names}. Add one on Ratings, or choose another rubric.")
    return found


def _owned(made: TopicAnnotation, before: TopicAnnotation, machine_id: str) -> TopicAnnotation:
    """Return a proposal as the work of a machine annotator, in place of its earlier one."""
    known = {state.summary_id: state.id for state in before.states if state.annotator_id == machine_id}
    return TopicAnnotation(
        replace(before.pyramid, scus=made.pyramid.scus, is_done=True),
        (
            *(match for match in before.matches if match.annotator_id != machine_id),
            *(replace(match, annotator_id=machine_id) for match in made.matches),
        ),
        (
            *(state for state in before.states if state.annotator_id != machine_id),
            *(
                replace(state, id=known.get(state.summary_id, state.id), annotator_id=machine_id)
                for state in made.states
            ),
        ),
    )
