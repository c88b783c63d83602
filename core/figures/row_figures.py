"""Row-based figures: values with intervals, distributions, rank comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.figures.canvas import BODY_POINTS, SMALL_POINTS, Size, empty_figure, shorten_label, width_for
from core.figures.palette import Palette
from core.formatting.numbers import format_correlation
from core.matrix import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_INCHES = 0.2
"""Minimum row height for a legible name, in inches."""

_BELOW_INCHES = 0.75  # for the axis and its title
_NUMBERED = 40  # maximum number of rows with legible ranks


@dataclass(frozen=True, slots=True, eq=False)
class IntervalRows:
    """Values with their intervals, in drawing order, first on top.

    low, high: NaN = none.
    unranked: names of rows that are not ranked; drawn hatched.
    """

    names: tuple[str, ...]
    values: Array
    low: Array
    high: Array
    unranked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A value that all rows are compared with: a dashed line, its interval a band; NaN = no interval."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class DistributionRows:
    """Values of several systems, in drawing order, first on top; NaN is skipped."""

    names: tuple[str, ...]
    values: tuple[Array, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RankFlow:
    """Ranks of the same systems by two criteria, 1 = best. left, right: shape (systems,)."""

    names: tuple[str, ...]
    left_title: str
    right_title: str
    left: Array
    right: Array


def rows_that_fit(height: float) -> int:
    """Return the number of rows that a figure of this height (inches) can label."""
    return max(4, int((height - _BELOW_INCHES) / ROW_INCHES))


def interval_bars(
    rows: IntervalRows,
    palette: Palette,
    size: Size | None = None,
    *,
    selected: str = "",
    x_label: str = "",
    line: ReferenceLine | None = None,
) -> Figure:
    """Draw a bar for each value with its interval as a line and its number on the right.

    line: drawn across all rows, None = none.
    """
    figure, axes = empty_figure(palette, size or (6.0, _BELOW_INCHES + ROW_INCHES * len(rows.names)))
    places = np.arange(len(rows.names))
    shares = [0.62 if name == selected else 0.34 for name in rows.names]
    colours = [palette.mixed(share) for share in shares]
    bars = axes.barh(places, np.nan_to_num(rows.values), height=0.68, color=colours, linewidth=0, zorder=2)
    for name, bar in zip(rows.names, bars, strict=True):
        if name in rows.unranked:
            bar.set(facecolor=palette.surface, edgecolor=palette.outline, hatch="////", linewidth=0.8)
    axes.hlines(places, rows.low, rows.high, color=palette.text, linewidth=1.2, zorder=3)
    every = [v for row in (rows.values, rows.low, rows.high) for v in row]
    every += [line.value, line.low, line.high] if line is not None else []
    there = np.array([v for v in every if np.isfinite(v)])
    right = float(there.max(initial=0.0))
    axes.set_xlim(min(float(there.min(initial=0.0)), 0.0) * 1.05, max(right, 0.05) * 1.02)
    for place, value in zip(places.tolist(), rows.values.tolist(), strict=True):
        axes.annotate(
            format_correlation(value), (1.0, place), (4, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center_baseline", ha="left", fontsize=SMALL_POINTS,
            fontfamily=palette.fonts, color=palette.text, annotation_clip=False,
        )  # fmt: skip
    axes.axvline(0, color=palette.outline, linewidth=0.8, zorder=1)
    axes.grid(True, axis="x", color=palette.border, linewidth=0.8, zorder=0)
    axes.set_xlabel(x_label)
    _name_rows(axes, rows.names, {selected}, palette)
    if line is not None:
        _draw_line(axes, line, palette)
    return figure


def _draw_line(axes: Axes, line: ReferenceLine, palette: Palette) -> None:
    """Draw a dashed line with its interval as a band, named above the rows."""
    if np.isfinite(line.low) and np.isfinite(line.high):
        axes.axvspan(line.low, line.high, color=palette.outline, alpha=0.18, linewidth=0, zorder=1)
    axes.axvline(line.value, color=palette.text, linewidth=1.2, linestyle=(0, (5, 2)), zorder=4)
    is_right = line.value > float(np.mean(axes.get_xlim()))
    axes.annotate(
        line.label, (line.value, 1.0), (-4 if is_right else 4, 3), xycoords=("data", "axes fraction"),
        textcoords="offset points", ha="right" if is_right else "left", va="bottom", fontsize=SMALL_POINTS,
        fontfamily=palette.fonts, color=palette.text, annotation_clip=False,
    )  # fmt: skip


def distribution(
    spreads: DistributionRows,
    palette: Palette,
    size: Size | None = None,
    *,
    chosen: Collection[str] = (),
    x_label: str = "",
) -> Figure:
    """Draw for each system all values as dots, the interquartile range as a bar, the mean as a ring."""
    figure, axes = empty_figure(palette, size or (6.0, _BELOW_INCHES + ROW_INCHES * len(spreads.names)))
    _draw_spreads(axes, spreads, palette, chosen)
    axes.grid(True, axis="x", color=palette.border, linewidth=0.8)
    axes.set_xlabel(x_label)
    axes.margins(x=0.03)
    _name_rows(axes, spreads.names, chosen, palette)
    return figure


def rank_flow(
    flow: RankFlow, palette: Palette, size: Size | None = None, *, chosen: Collection[str] = ()
) -> Figure:
    """Draw a line for each system between its ranks by two criteria; selected ones are highlighted."""
    n = len(flow.names)
    figure, axes = empty_figure(palette, size or (5.2, 0.6 + ROW_INCHES * n))
    left, right = _places(flow.left), _places(flow.right)
    far = np.abs(flow.left - flow.right) >= max(2.0, n / 4)
    for i, name in enumerate(flow.names):
        is_chosen = name in chosen
        _draw_course(axes, (left[i], right[i]), palette, is_far=bool(far[i]), is_chosen=is_chosen)
        for place, rank, is_left in ((left[i], flow.left[i], True), (right[i], flow.right[i], False)):
            words = f"{shorten_label(name)}  {rank:g}" if is_left else f"{rank:g}  {shorten_label(name)}"
            points = SMALL_POINTS if n <= _NUMBERED else SMALL_POINTS - 2
            axes.annotate(
                words, (0 if is_left else 1, place), (-8 if is_left else 8, 0), textcoords="offset points",
                ha="right" if is_left else "left", va="center_baseline", fontfamily=palette.fonts,
                color=palette.text, fontsize=points, fontweight="bold" if is_chosen else "normal",
                annotation_clip=False,
            )  # fmt: skip
    widest = (
        width_for([shorten_label(name) for name in flow.names], 0.6, SMALL_POINTS) / figure.get_figwidth()
    )
    margin = min(widest / max(1 - 2 * widest, 0.2), 2.2)
    axes.set_xlim(-margin, 1 + margin)
    axes.set_ylim(n - 0.4, -1.4)
    for x, title in ((0, flow.left_title), (1, flow.right_title)):
        axes.text(
            x, -0.9, shorten_label(title), ha="right" if x == 0 else "left", va="center_baseline",
            fontweight="bold", fontsize=BODY_POINTS, fontfamily=palette.fonts, color=palette.text,
        )  # fmt: skip
    axes.set_axis_off()
    return figure


def _draw_course(axes: Axes, ends: Size, palette: Palette, *, is_far: bool, is_chosen: bool) -> None:
    """Draw one line; dashed for a large rank change."""
    axes.plot(
        [0, 1], ends, color=palette.accent if is_chosen else palette.outline, marker="o", markersize=4,
        markerfacecolor=palette.accent if is_chosen else palette.surface, zorder=3 if is_chosen else 2,
        linewidth=2.4 if is_chosen else (1.5 if is_far else 0.9), linestyle=(0, (5, 2)) if is_far else "-",
    )  # fmt: skip


def _draw_spreads(axes: Axes, spreads: DistributionRows, palette: Palette, chosen: Collection[str]) -> None:
    """Draw all rows with few artists, since each artist is expensive."""
    there = [values[np.isfinite(values)] for values in spreads.values]
    for is_chosen in (False, True):
        numbered = enumerate(zip(spreads.names, there, strict=True))
        rows = [
            (i, values) for i, (name, values) in numbered if values.size and (name in chosen) is is_chosen
        ]
        if rows:
            _draw_alike(axes, rows, palette, is_chosen=is_chosen)


def _draw_alike(axes: Axes, rows: Sequence[tuple[int, Array]], palette: Palette, *, is_chosen: bool) -> None:
    """Rows of the same style: their positions and values."""
    places = np.array([place for place, _ in rows], dtype=np.float64)
    low, high = np.array([np.quantile(values, (0.25, 0.75)) for _, values in rows]).T
    axes.plot(
        np.concatenate([values for _, values in rows]),
        np.repeat(places, [values.size for _, values in rows]),
        linestyle="", marker="|", markersize=6, alpha=0.55, zorder=2,
        color=palette.accent if is_chosen else palette.outline,
    )  # fmt: skip
    axes.hlines(
        places, low, high, color=palette.mixed(0.5 if is_chosen else 0.25), linewidth=7, zorder=1
    )  # fmt: skip
    axes.plot(
        [values.mean() for _, values in rows], places, linestyle="", marker="o", markersize=6, zorder=3,
        markerfacecolor=palette.surface, markeredgecolor=palette.accent if is_chosen else palette.text,
        markeredgewidth=1.5,
    )  # fmt: skip


def _name_rows(axes: Axes, names: Sequence[str], bold: Collection[str], palette: Palette) -> None:
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), [shorten_label(name) for name in names], color=palette.text)
    for name, tick in zip(names, axes.get_yticklabels(), strict=True):
        tick.set_fontweight("bold" if name in bold else "normal")


def _places(ranks: Array) -> Array:
    """Return a row for each rank; equal ranks get adjacent rows."""
    places = np.empty(ranks.size)
    places[np.argsort(ranks, kind="stable")] = np.arange(ranks.size)
    return places
