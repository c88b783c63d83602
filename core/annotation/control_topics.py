"""Control topics: topics with a known annotation, against which every annotator's work is checked.

Nothing in the window shows which topics these are.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np

from core.domain.ratings import Dimension, ScaleKind
from core.ports import EditReceipt, ScoringInputs, Study
from core.progress import JobSteps, Progress

TOLERANCE = 0.25
"""Default share of a scale's range by which a rating may differ: one point of five."""
_KEY = "control_topics"


@dataclass(frozen=True, slots=True)
class ControlAccuracy:
    """An annotator's accuracy on the control topics.

    ratings, matches: number of checked ratings, and of checked decisions (an SCU in a summary that both have
    marked done); right: how many of them are as in the known annotation.
    """

    annotator: str
    ratings: int = 0
    ratings_right: int = 0
    matches: int = 0
    matches_right: int = 0


def control_topics(study: ScoringInputs) -> dict[str, str]:
    """Return by topic the annotator whose annotation is the known one."""
    stored = study.settings.get(_KEY)
    try:
        return {str(topic): str(name) for topic, name in (json.loads(stored) if stored else {}).items()}
    except (AttributeError, TypeError, ValueError):
        return {}


def set_control_topics(
    study: ScoringInputs, known: Mapping[str, str], annotator_id: str | None
) -> Future[EditReceipt]:
    """Store which topics are control topics, as one edit. known: names of annotators by topic."""
    return study.settings.save(
        _KEY, json.dumps(dict(sorted(known.items())), ensure_ascii=False), annotator_id
    )


def control_accuracy(study: Study, tolerance: float = TOLERANCE) -> JobSteps[list[ControlAccuracy]]:
    """Return every annotator's accuracy on the control topics, the lowest first.

    tolerance: share of a scale's range by which ratings in numbers may differ; categories have to be equal.
    """
    known = control_topics(study)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for scale in study.ratings.dimensions():
        yield Progress(0, 0, scale.name)
        if scale.kind is not ScaleKind.TEXT:
            _count_ratings(study, scale, known, tolerance, counts)
    yield Progress(0, 0, "matches")
    _count_matches(study, known, counts)
    found = [ControlAccuracy(name, **counted) for name, counted in counts.items()]
    return sorted(found, key=lambda one: (_share(one), one.annotator))


def _count_ratings(
    study: Study,
    scale: Dimension,
    known: Mapping[str, str],
    tolerance: float,
    counts: Mapping[str, Counter[str]],
) -> None:
    cube = study.ratings.cube(scale.name)
    allowed = tolerance * (scale.high - scale.low) if scale.is_numeric else 0.0
    for place, topic in enumerate(cube.topics):
        if known.get(topic) not in cube.annotators:
            continue
        right = cube.values[cube.annotators.index(known[topic]), :, place]
        for name, values in zip(cube.annotators, cube.values[:, :, place], strict=True):
            if name != known[topic]:
                difference = np.abs(values - right)
                checked = np.isfinite(difference)
                counts[name]["ratings"] += int(checked.sum())
                counts[name]["ratings_right"] += int((difference[checked] <= allowed + 1e-9).sum())


def _count_matches(study: Study, known: Mapping[str, str], counts: Mapping[str, Counter[str]]) -> None:
    people = {person.id: person.name for person in study.annotators.all()}
    names = {topic.id: topic.name for topic in study.texts.topics() if topic.name in known}
    for annotation in study.pyramids.annotations(list(names)):
        right = known[names[annotation.pyramid.topic_id]]
        done: dict[str, set[str]] = defaultdict(set)
        matched: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for state in annotation.states:
            if state.is_done:
                done[people[state.annotator_id]].add(state.summary_id)
        for match in annotation.matches:
            if match.scu_id is not None:
                matched[people[match.annotator_id]].add((match.scu_id, match.summary_id))
        for name, summaries in done.items():
            if name == right:
                continue
            for summary in summaries & done[right]:
                for scu in annotation.pyramid.scus:
                    pair = scu.id, summary
                    counts[name]["matches"] += 1
                    counts[name]["matches_right"] += (pair in matched[name]) == (pair in matched[right])


def _share(one: ControlAccuracy) -> float:
    total = one.ratings + one.matches
    return (one.ratings_right + one.matches_right) / total if total else 2.0
