"""Result of an experiment: tables, charts and notes, as values.

JSON of results, for storage in a study and for --json: full precision, null for undefined numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from core.errors import InputError
from core.formatting.tables import MARK, Table
from core.json_schema import Number, from_json, to_plain


class ChartKind(StrEnum):
    """Kind of a chart."""

    CURVES = "curves"
    BARS = "bars"
    HISTOGRAM = "histogram"
    SCATTER = "scatter"
    HEATMAP = "heatmap"


@dataclass(frozen=True, slots=True)
class Series:
    """Series of a chart: a line, group of bars or cloud of points, all fields of one length.

    x: numbers, or empty if `Chart.ticks` names the positions.
    low, high: band or interval, empty = none.
    names: of single points, empty = none.
    """

    label: str
    y: tuple[Number, ...]
    x: tuple[Number, ...] = ()
    low: tuple[Number, ...] = ()
    high: tuple[Number, ...] = ()
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("y", "x", "low", "high"):
            object.__setattr__(self, name, tuple(map(float, getattr(self, name))))
        for values in (self.x, self.low, self.high, self.names):
            if values and len(values) != len(self.y):
                raise ValueError(f"{self.label}: {len(values)} values do not fit {len(self.y)} points")


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart as values.

    ticks: names of positions along x; columns of a heatmap, whose rows are series.
    note: printed below.
    """

    title: str
    kind: ChartKind
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()
    note: str = ""


Part = TypeVar("Part", Table, Chart)


@dataclass(frozen=True, slots=True)
class Result:
    """Result of an experiment.

    policy: formulas and inputs, a sentence each.
    stand_ins: replacements of the paper's models or data.
    warnings: small samples, constant values, many ties, truncated texts.
    """

    title: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    policy: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def table_alone(self, index: int) -> Table:
        """Return a table for a file of its own: with the warnings in its note, before the footnote."""
        return self._alone(self.tables[index])

    def chart_alone(self, index: int) -> Chart:
        """Return a figure for a file of its own, likewise."""
        return self._alone(self.charts[index])

    def _alone(self, part: Part) -> Part:
        note, mark, footnote = part.note.partition(MARK)
        return replace(part, note=" ".join(filter(None, (note.strip(), *self.warnings, mark + footnote))))

    def with_footnotes(self) -> Result:
        """Return the result with stand-ins explained below each table and figure, for export."""
        if not self.stand_ins:
            return self
        footnote = f"{MARK} {' '.join(self.stand_ins)}"

        def noted(part: Part) -> Part:
            if MARK in part.note:
                return part
            return replace(part, note=f"{part.note} {footnote}".strip())

        return replace(self, tables=tuple(map(noted, self.tables)), charts=tuple(map(noted, self.charts)))


def to_text(result: Result) -> str:
    """Return a result as JSON text; `to_plain` returns it as values of JSON."""
    return json.dumps(to_plain(result), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_text(text: str, title: str) -> Result:
    """Return the result of the text of `to_text`. Undefined numbers become None in tables and NaN in charts.

    title: of the result, for errors. Raises InputError if the text is damaged.
    """
    try:
        return from_json(Result, text)
    except ValueError as error:
        raise InputError(
            f"The stored result {title!r} is damaged: {error}. Delete it, or run the experiment again."
        ) from error
