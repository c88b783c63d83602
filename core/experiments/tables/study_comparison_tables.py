"""Tables and charts of measures across studies: ranks, values by study, missing measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.comparison.staleness_text import stale_notes
from core.experiments.inputs.measure_inputs import OrientedMeasure
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.results.result import Chart, ChartKind, Series
from core.stats.correlation import Coefficient

DIGITS = 3
"""Decimals to which values are rounded before ranking, as a reader of a table would rank them."""


def competition_ranks(values: Array, digits: int = DIGITS) -> Array:
    """Return ranks of each column, shape (rows, columns): 1, 2, 2, 4; NaN stays NaN and is not counted."""
    rounded = np.round(values, digits)
    higher = rounded[None, :, :] > rounded[:, None, :]
    return np.where(np.isfinite(values), higher.sum(axis=1) + 1.0, np.nan)


Key = tuple[str, str]
"""Key that identifies a measure across studies: signature and measure name."""

_THERE = "yes"


@dataclass(frozen=True, slots=True, eq=False)
class StudyMatrices:
    """Scores of one study.

    name: shown in tables. changed: by name of each measure that is out of date what has changed, a sentence.
    """

    name: str
    measures: Mapping[Key, OrientedMeasure]
    people: Mapping[str, ScoreMatrix]
    changed: Mapping[str, str] = field(default_factory=dict)

    def stale_notes(self, keys: Iterable[Key]) -> list[str]:
        """Return which of these measures are out of date, in this study, a sentence each."""
        names = {self.measures[key].name for key in keys if key in self.measures}
        return [f"{self.name}: {sentence}" for sentence in stale_notes(self.changed, names)]


def labels_of(studies: Sequence[StudyMatrices], keys: Sequence[Key]) -> list[str]:
    """Return the labels of measures, as in the first study that has them."""
    return [next(each.measures[key].label for each in studies if key in each.measures) for key in keys]


def with_unranked(table: Table, labels: Sequence[str], values: Array, notes: Sequence[str]) -> Table:
    """Append unranked measures to the ranked table, without ranks or means, with the reason."""
    if not labels:
        return table
    rows: list[tuple[Cell, ...]] = [
        (label, *(cell for value in row for cell in (_or_none(value), None)), None, None, None, note)
        for label, row, note in zip(labels, values.tolist(), notes, strict=True)
    ]
    ranked = ((*row, "") for row in table.rows)
    columns = (*table.columns, Column("Note", "note"))
    return Table(table.title, columns, (*ranked, *rows), "Measures with a note are not ranked.")


def missing_table(studies: Sequence[StudyMatrices], requested: Iterable[Key]) -> Table | None:
    """Return which studies have the requested measures that not all have; None if all have all."""
    keys = [key for key in requested if not all(key in each.measures for each in studies)]
    if not keys:
        return None
    columns = (Column("Measure", "measure", CellKind.CODE), *(Column(one.name, one.name) for one in studies))
    rows = tuple(
        (label, *(_THERE if key in each.measures else "" for each in studies))
        for label, key in zip(labels_of(studies, keys), keys, strict=True)
    )
    return Table(
        "Not in every study",
        columns,
        rows,
        "To rank these measures, score the other studies with the same settings.",
    )


def mean_ranks(overview: Table) -> Chart:
    """Return bars of the mean ranks, best first. overview: its last column is the mean rank."""
    ranked = [(str(row[0]), float(row[-1])) for row in overview.rows if isinstance(row[-1], float)]
    there = [(label, rank) for label, rank in ranked if math.isfinite(rank)]
    series = Series("mean rank", tuple(rank for _, rank in there))
    return Chart(
        "Mean ranks", ChartKind.BARS, "", "mean rank, 1 = best", (series,), tuple(name for name, _ in there)
    )


def flow(
    labels: Sequence[str], studies: Sequence[StudyMatrices], values: Array, coefficient: Coefficient
) -> Chart:
    """Return a chart of each measure's values by study, averaged over a study's judgements.

    values: shape (measures, columns), a column for each study and judgement in turn.
    """
    ends = np.cumsum([len(each.people) for each in studies])[:-1]
    parts = np.split(values, ends, axis=1)
    means = np.column_stack([part.mean(axis=1) for part in parts])
    x = tuple(float(at) for at in range(len(studies)))
    lines = tuple(Series(label, tuple(row), x) for label, row in zip(labels, means.tolist(), strict=True))
    named = f"{coefficient_title(coefficient)}, mean over judgements"
    ticks = tuple(each.name for each in studies)
    return Chart("Correlation by study", ChartKind.CURVES, "", named, lines, ticks)


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
