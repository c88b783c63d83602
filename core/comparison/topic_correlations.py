"""Correlation of a measure with a judgement among the systems of each topic, one row per topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.comparison.comparison import Comparison
from core.comparison.inference import signs_of
from core.comparison.measures import lower_is_better
from core.comparison.stand_ins import footnote_of, marked_labels
from core.formatting.coefficients import SYMBOLS
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.stats.correlation import Coefficient
from core.stats.precision import normalize, round_to_grain

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class TopicCorrelation:
    """The correlation in one topic.

    value: NaN = undefined, for `reason`; empty = defined. n: systems with a score and a judgement.
    """

    human: str
    measure: str
    topic: str
    value: float
    n: int
    reason: str = ""


def topic_correlations(
    comparison: Comparison, human: str, coefficient: Coefficient, measures: Sequence[str] = ()
) -> list[TopicCorrelation]:
    """Return the correlation in each judged topic, by measure, the worst first and undefined ones last.

    measures: labels, empty = all.
    """
    judgement = comparison.judgements[human]
    if measures:
        comparison = comparison.part(
            [place for place, ref in enumerate(comparison.refs) if ref.label in measures]
        )
    stack = comparison.stack(judgement)
    values = stack.topic_values(judgement.values, coefficient)
    judged = np.flatnonzero(np.isfinite(judgement.values).any(axis=0)).tolist()
    signs = signs_of(comparison.refs, coefficient).tolist()
    rows: list[TopicCorrelation] = []
    people = round_to_grain(normalize(judgement.values))
    for place, (ref, sign) in enumerate(zip(comparison.refs, signs, strict=True)):
        found = []
        scores = round_to_grain(normalize(np.where(np.isfinite(people), stack.x[place], np.nan)))
        for topic in judged:
            x, z = scores[:, topic], people[:, topic]
            both = np.isfinite(x)
            value = float(values[place, topic])
            reason = "" if np.isfinite(value) else _reason(x[both], z[both], human)
            name = judgement.topics[topic]
            found.append(TopicCorrelation(human, ref.label, name, value, int(both.sum()), reason))
        rows += sorted(found, key=partial(_rank, sign))
    return rows


def _rank(sign: float, one: TopicCorrelation) -> tuple[bool, float]:
    return bool(one.reason), 0.0 if one.reason else sign * one.value


def topic_table(
    comparison: Comparison, human: str, coefficient: Coefficient, measures: Sequence[str] = ()
) -> Table:
    """Return the same as a table, with stand-ins marked."""
    refs = [ref for ref in comparison.refs if not measures or ref.label in measures]
    names = marked_labels(refs)
    columns = (
        Column("Measure", "measure"),
        Column("Topic", "topic"),
        Column(SYMBOLS[coefficient], "value", CellKind.FINE_CORRELATION),
        Column("n", "n", CellKind.COUNT),
        Column("Undefined because", "reason"),
    )
    rows: list[tuple[Cell, ...]] = [
        (names[one.measure], one.topic, one.value, one.n, one.reason)
        for one in topic_correlations(comparison, human, coefficient, measures)
    ]
    return Table(
        f"Correlation with {human} in each topic",
        columns,
        tuple(rows),
        " ".join(filter(None, (lower_is_better(refs), footnote_of(refs)))),
    )


def _reason(x: Array, z: Array, human: str) -> str:
    """Return why a topic has no coefficient. x, z: rounded values of the systems that have both."""
    if x.size < _FEWEST:
        return f"{x.size} of at least {_FEWEST} systems have both values"
    for values, side in ((x, "the measure"), (z, human)):
        if np.ptp(values) == 0:
            return f"{side} is constant"
    return "no pair of systems can be compared"
