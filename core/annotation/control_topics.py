"""Control and training topics: topics with a known annotation, against which annotators' work is checked.

Annotators are not shown which topics are control topics. On training topics they see the known annotation
once they have stored their own.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.domain.ratings import Dimension, ScaleKind
from core.formatting.tables import Cell, Column, Table
from core.json_text import stored_values
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress

TOLERANCE = 0.25
"""Default share of a scale's range by which a rating may differ: one point of five."""


class KnownUse(StrEnum):
    """What the known annotation of a topic is used for."""

    CONTROL = "control"
    TRAINING = "training"


KnownTopic = tuple[KnownUse, str]
"""What a topic is used for, and the name of the annotator with the known annotation."""


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

    @property
    def total(self) -> int:
        """Number of everything that was checked."""
        return self.ratings + self.matches

    @property
    def right(self) -> int:
        """How many of these are as in the known annotation."""
        return self.ratings_right + self.matches_right


def known_annotators(study: Study, use: KnownUse) -> dict[str, str]:
    """Return by topic the name of the annotator whose annotation is the known one."""
    return stored_values(study.settings.get(_key(use)), str)


def set_known_annotators(
    study: Study, use: KnownUse, known: Mapping[str, str], annotator_id: str | None
) -> Future[EditReceipt]:
    """Store which topics are control or training topics; a topic that was the other one no longer is.

    known: names of the annotators with the known annotation, by topic.
    """
    others = {topic: of for topic, of in known_uses(study).items() if of[0] is not use}
    return set_known_uses(study, others | {topic: (use, name) for topic, name in known.items()}, annotator_id)


def known_uses(study: Study) -> dict[str, KnownTopic]:
    """Return control and training topics by name."""
    return {topic: (use, name) for use in KnownUse for topic, name in known_annotators(study, use).items()}


def set_known_uses(
    study: Study, uses: Mapping[str, KnownTopic], annotator_id: str | None
) -> Future[EditReceipt]:
    """Store control and training topics, by name, as one edit."""
    known = {use: {topic: name for topic, (of, name) in uses.items() if of is use} for use in KnownUse}
    stored = {
        _key(use): json.dumps(dict(sorted(of.items())), ensure_ascii=False)
        for use, of in known.items()
        if of != known_annotators(study, use)
    }
    return study.settings.save_all(stored, annotator_id)


def control_accuracy(
    study: Study, tolerance: float = TOLERANCE, use: KnownUse = KnownUse.CONTROL
) -> JobSteps[list[ControlAccuracy]]:
    """Return every annotator's accuracy on the control or training topics, the lowest first.

    tolerance: share of a scale's range by which ratings in numbers may differ; categories have to be equal.
    """
    known = known_annotators(study, use)
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
        checked = done.get(right, set())
        for name, summaries in done.items():
            if name == right:
                continue
            for summary in summaries & checked:
                for scu in annotation.pyramid.scus:
                    pair = scu.id, summary
                    counts[name]["matches"] += 1
                    counts[name]["matches_right"] += (pair in matched[name]) == (pair in matched[right])


def wilson_interval(right: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share; total: at least 1."""
    from scipy.stats import binomtest

    interval = binomtest(right, total).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def accuracy_table(found: Mapping[KnownUse, Sequence[ControlAccuracy]]) -> Table:
    """Return the accuracy of annotators on topics of one or both uses as a table."""
    columns = [
        Column("Annotator", "annotator"),
        Column("Topics", "use"),
        Column("Ratings right", "ratings"),
        Column("Decisions right", "matches"),
        Column("95 % interval", "interval"),
    ]
    rows: list[dict[str, Cell]] = []
    for use, people in found.items():
        for one in people:
            row: dict[str, Cell] = {"annotator": one.annotator, "use": use.capitalize(), "interval": ""}
            row["ratings"] = _part(one.ratings_right, one.ratings)
            row["matches"] = _part(one.matches_right, one.matches)
            if one.total:
                low, high = wilson_interval(one.right, one.total)
                row["interval"] = f"{low:.0%} to {high:.0%}"
            rows.append(row)
    used = tuple(column for column in columns if column.key != "use" or len(found) > 1)
    note = "Decisions: SCUs in summaries that both marked done. Interval: Wilson's, of all that was checked."
    return Table("Accuracy", used, tuple(tuple(row[column.key] for column in used) for row in rows), note)


def _part(right: int, total: int) -> str:
    return f"{right} of {total} ({right / total:.0%})" if total else ""


def _key(use: KnownUse) -> str:
    return f"{use}_topics"


def _share(one: ControlAccuracy) -> float:
    return one.right / one.total if one.total else 2.0
