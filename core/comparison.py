"""How well the measures of a study follow its judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.domain.study import SystemKind
from core.errors import InputError
from core.judgements import judgement_matrix
from core.matrix import Array, Matrix, align
from core.measures import MeasureRef, matrix
from core.measures import measures as stored_measures
from core.ports import Study
from core.stats.correlation import (
    Coefficient,
    Correlation,
    Level,
    Undefined,
    correlate,
    correlate_many,
)


class Systems(StrEnum):
    """Which systems take part: those that are programs, baselines among them, or people's summaries too."""

    AUTOMATIC = "automatic"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """One measure against one judgement. See `Correlation` for value, p, n and dropped."""

    measure: str
    signature: str
    family: str
    human: str
    level: Level
    coefficient: Coefficient
    value: float
    p: float
    n: int
    dropped: int


@dataclass(frozen=True, slots=True, eq=False)
class ScatterPoints:
    """A measure (x) against a judgement (y), a point for each thing that the level correlates.

    system: the systems' means. global: the summaries. topic: the summaries, each minus its topic's mean on
    both sides, since that level asks only about differences within a topic.
    names: what a point is called. systems, topics: whose it is, topic empty for means. x, y: shape (points,).
    """

    measure: str
    human: str
    level: Level
    coefficient: Coefficient
    names: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    x: Array
    y: Array
    correlation: Correlation


def correlation_table(
    study: Study,
    humans: Sequence[str],
    level: Level,
    coefficient: Coefficient,
    *,
    measures: Sequence[str] | None = None,
    systems: Systems = Systems.AUTOMATIC,
    undefined: Undefined = Undefined.SKIP,
    annotators: Sequence[str] = (),
) -> list[CorrelationRow]:
    """Every measure against every judgement, judgement by judgement, measures in the order of the study.

    humans: names of judgements. measures: labels of those wanted, None = all. annotators: whose judgements
    count, empty = as each judgement's policy says. Raises InputError on unknown names.
    """
    refs = find_measures(study, measures)
    scores = [select_systems(study, matrix(study, ref), systems) for ref in refs]
    rows: list[CorrelationRow] = []
    for human in humans:
        judgement = select_systems(study, judgement_matrix(study, human, annotators), systems)
        found = correlate_many(_stacked(scores, judgement), judgement.values, level, coefficient, undefined)
        rows += [_row(ref, human, level, coefficient, c) for ref, c in zip(refs, found, strict=True)]
    return rows


def scatter(
    study: Study,
    measure: str,
    human: str,
    level: Level,
    coefficient: Coefficient = Coefficient.PEARSON,
    *,
    systems: Systems = Systems.AUTOMATIC,
    annotators: Sequence[str] = (),
) -> ScatterPoints:
    """The points behind one cell of the table. Raises InputError on unknown names."""
    (ref,) = find_measures(study, [measure])
    judgement = select_systems(study, judgement_matrix(study, human, annotators), systems)
    scores, judgement = align(select_systems(study, matrix(study, ref), systems), judgement)
    correlation = correlate(scores.values, judgement.values, level, coefficient)
    both = np.isfinite(scores.values) & np.isfinite(judgement.values)
    x, y = (np.where(both, side.values, np.nan) for side in (scores, judgement))
    if level is Level.SYSTEM:
        rows = np.flatnonzero(both.any(axis=1))
        names = tuple(scores.systems[i] for i in rows)
        x, y = (np.nanmean(side[rows], axis=1) for side in (x, y))
        no_topics = ("",) * len(names)
        return ScatterPoints(measure, human, level, coefficient, names, names, no_topics, x, y, correlation)
    if level is Level.TOPIC:
        x, y = _within_topics(x, both), _within_topics(y, both)
    rows, columns = np.nonzero(both)
    whose = tuple(scores.systems[i] for i in rows)
    topics = tuple(scores.topics[i] for i in columns)
    names = tuple(f"{system} · {topic}" for system, topic in zip(whose, topics, strict=True))
    x, y = x[both], y[both]
    return ScatterPoints(measure, human, level, coefficient, names, whose, topics, x, y, correlation)


def find_measures(study: Study, labels: Sequence[str] | None = None) -> list[MeasureRef]:
    """The measures of these labels (None = all that the study has). Raises InputError on an unknown one."""
    known = {ref.label: ref for ref in stored_measures(study)}
    if labels is None:
        return list(known.values())
    found = []
    for label in labels:
        if label not in known:
            near = get_close_matches(label, known, n=1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"The study has no scores named {label!r}.{meant} It has: {', '.join(known) or 'none yet'}."
            )
        found.append(known[label])
    return found


def select_systems(study: Study, scores: Matrix, systems: Systems) -> Matrix:
    """The rows of the systems that take part."""
    if systems is Systems.ALL:
        return scores
    return scores.only({s.name for s in study.systems() if s.kind is not SystemKind.HUMAN})


def _row(
    ref: MeasureRef, human: str, level: Level, coefficient: Coefficient, found: Correlation
) -> CorrelationRow:
    return CorrelationRow(
        measure=ref.label,
        signature=ref.signature,
        family=ref.family,
        human=human,
        level=level,
        coefficient=coefficient,
        value=found.value,
        p=found.p,
        n=found.n,
        dropped=found.dropped,
    )


def _stacked(scores: Sequence[Matrix], judgement: Matrix) -> Array:
    """All measures on the judgement's systems and topics, shape (measures, systems, topics)."""
    fitted = [score.select(judgement.systems, judgement.topics).values for score in scores]
    return np.array(fitted, dtype=np.float64).reshape(len(scores), *judgement.values.shape)


def _within_topics(values: Array, both: NDArray[np.bool_]) -> Array:
    """Each value minus its topic's mean; NaN where a side is missing."""
    counts = np.maximum(both.sum(axis=0), 1)
    means = np.where(both, values, 0.0).sum(axis=0) / counts
    centred: Array = values - means
    return centred
