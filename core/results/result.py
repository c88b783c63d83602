"""What an experiment gives: tables, charts and the sentences that belong to them, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from core.formatting.tables import MARK, Table


class ChartKind(StrEnum):
    """How a chart is drawn."""

    CURVES = "curves"
    BARS = "bars"
    HISTOGRAM = "histogram"
    SCATTER = "scatter"
    HEATMAP = "heatmap"


@dataclass(frozen=True, slots=True)
class Series:
    """One line, group of bars or cloud of points of a chart, all of one length.

    x: numbers, or empty where `Chart.ticks` names the places. low, high: its band or interval, empty = none.
    names: of single points, empty = none.
    """

    label: str
    y: tuple[float, ...]
    x: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for values in (self.x, self.low, self.high, self.names):
            if values and len(values) != len(self.y):
                raise ValueError(f"{self.label}: {len(values)} values do not fit {len(self.y)} points")


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure as values.

    ticks: names of places along x; of a heatmap its columns, a series being a row. note: printed below.
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
    """What an experiment found.

    policy: the formula and what was counted, a sentence each. stand_ins: what ran in place of what the paper
    used. warnings: too small a sample, a constant side, many ties, truncated texts.
    """

    title: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    policy: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def with_footnotes(self) -> Result:
        """Return the result with its stand-ins explained below each table and figure, wherever those go."""
        if not self.stand_ins:
            return self
        footnote = f"{MARK} {' '.join(self.stand_ins)}"

        def noted(part: Part) -> Part:
            if MARK in part.note:
                return part
            return replace(part, note=f"{part.note} {footnote}".strip())

        return replace(self, tables=tuple(map(noted, self.tables)), charts=tuple(map(noted, self.charts)))
