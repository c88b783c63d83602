"""Tables of correlations as printed in papers, and the full numbers behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.comparison.inference import p_method
from core.comparison.options import InferenceOptions, IntervalMethod
from core.experiments.inputs.measure_inputs import stacked
from core.formatting.numbers import format_correlation
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.stats.correlation import Coefficient, Correlation, Level, correlate_many

T = TypeVar("T")

SMALL_P = 0.05
STARRED = f"*: p < {format_correlation(SMALL_P)}, two-sided, not adjusted."


@dataclass(frozen=True, slots=True)
class Numbers:
    """Correlations of measures with one judgement by one coefficient, in the order of the measures."""

    judgement: str
    level: Level
    coefficient: Coefficient
    labels: tuple[str, ...]
    correlations: tuple[Correlation, ...]

    def of(self, label: str) -> Correlation | None:
        """Return a measure's correlation, None if it is not included."""
        return self.correlations[self.labels.index(label)] if label in self.labels else None


def numbers(
    measures: Sequence[ScoreMatrix], judgement: ScoreMatrix, level: Level, coefficient: Coefficient
) -> Numbers:
    """Correlate measures, by label, with one judgement; p only where the coefficient's own test is valid."""
    correlations = correlate_many(stacked(measures, judgement), judgement.values, level, coefficient)
    if not p_method(_OWN_TEST, level, coefficient):
        correlations = [replace(one, p=math.nan) for one in correlations]
    labels = tuple(one.label for one in measures)
    return Numbers(judgement.label, level, coefficient, labels, tuple(correlations))


def starred_table(title: str, labels: Sequence[str], columns: Mapping[str, Numbers]) -> Table:
    """Return a table with a row per measure and a column per set of correlations, marked if p is small."""
    heads = [Column(head, head, CellKind.FINE_CORRELATION) for head in columns]
    rows = tuple((label, *(_starred(each.of(label)) for each in columns.values())) for label in labels)
    return Table(title, (Column("Measure", "measure", CellKind.CODE), *heads), rows)


def all_numbers(correlations: Sequence[tuple[str, Numbers]]) -> Table:
    """Return every value with its p, n and dropped. correlations: correlations with a distinguishing key."""
    rows: list[tuple[Cell, ...]] = [
        (label, against, each.judgement, each.level, each.coefficient, one.value, one.p, one.n, one.dropped)
        for against, each in correlations
        for label, one in zip(each.labels, each.correlations, strict=True)
    ]
    note = "" if all(each.level is Level.SYSTEM for _, each in correlations) else _NO_P
    if any(against for against, _ in correlations):
        return Table("All numbers", _COLUMNS, tuple(rows), note)
    return Table("All numbers", _without(_COLUMNS, 1), tuple(_without(row, 1) for row in rows), note)


_OWN_TEST = InferenceOptions(IntervalMethod.NONE)
_NO_P = (
    "p at system level only: summaries of one system or topic are not independent. `pyramidion correlate` "
    "gives p by bootstrap at every level."
)


_COLUMNS = (
    Column("Measure", "measure", CellKind.CODE),
    Column("Against", "against"),
    Column("Judgement", "judgement", CellKind.CODE),
    Column("Level", "level"),
    Column("Coefficient", "coefficient"),
    Column("Value", "value", CellKind.FINE_CORRELATION),
    Column("p", "p", CellKind.P),
    Column("n", "n", CellKind.COUNT),
    Column("Dropped", "dropped", CellKind.COUNT),
)


def _without(values: tuple[T, ...], place: int) -> tuple[T, ...]:
    return values[:place] + values[place + 1 :]


def _starred(correlation: Correlation | None) -> str | None:
    if correlation is None or correlation.value != correlation.value:
        return None
    return f"{format_correlation(correlation.value, 3)}{'*' if correlation.p < SMALL_P else ''}"
