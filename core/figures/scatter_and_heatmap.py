"""Scatter plots, bars and heatmaps, for screen and export. matplotlib is imported on first use."""

from __future__ import annotations

import io
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from core.comparison.comparison import Comparison, CorrelationRow, ScatterPoints
from core.comparison.stand_ins import marked_labels
from core.figures.canvas import (
    BODY_POINTS,
    LONG,
    SMALL_POINTS,
    Size,
    add_colour_bar,
    apply_layout,
    axis_title,
    empty_figure,
    fixed_layout,
    shorten_label,
    text_size,
    width_for,
)
from core.figures.label_placement import Box, LabelPlacement, place_labels
from core.figures.palette import DARK, LIGHT, Palette, diverging, writing_on
from core.formatting.numbers import format_correlation, format_score
from core.formatting.tables import MARK
from core.matrix import Array
from core.stats.correlation import Level
from core.stats.linear_fit import Line, fit_line
from core.stats.precision import round_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMES = 40
"""Maximum number of labelled points; with more, the screen shows names on hover."""

CROWD = 200
"""Number of points above which marks are drawn small to limit overlap."""

_BAR_INCHES = 0.7  # what a colour bar takes at the right
_BELOW_AXES = 0.55  # inches that the x axis takes
_CROWD_ALPHA = 0.3
_HEADING_LETTERS = 12  # characters per line of a heatmap's column title
_POINT = 3.4  # radius of a mark, in points
_RING = 6.8  # radius of the selection ring
_UNITS = {
    Level.SYSTEM: "mean over topics",
    Level.TOPIC: "minus the topic's mean",
    Level.GLOBAL: "each summary",
}


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """Means per system and measure. values: shape (systems, measures), NaN = none."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Correlations of measures with judgements. values: shape (rows, columns), NaN = undefined.

    signs: -1 for rows that are better when lower, as colours show usefulness; shape (rows,), None = all 1.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array
    signs: Array | None = None


def correlation_grid(
    comparison: Comparison,
    titles: Mapping[str, str],
    rows: Sequence[CorrelationRow],
    places: Sequence[int] | None = None,
) -> Grid:
    """Return the correlations of a heatmap; measures that are not ranked against a judgement have none.

    titles: of the judgements, by name, in the order of the rows.
    places: indices of the measures to draw, None = all.
    """
    labels = tuple(marked_labels(comparison.refs).values())
    eligible = [one for human in titles for one in comparison.eligibility(human)]
    drawn = [row.value if one.is_ranked else math.nan for row, one in zip(rows, eligible, strict=True)]
    values = np.array(drawn).reshape(len(titles), len(labels)).T
    drawn_places = list(range(len(labels)) if places is None else places)
    signs = np.array([row.sign for row in rows[: len(labels)]])
    drawn_labels = tuple(labels[place] for place in drawn_places)
    return Grid(drawn_labels, tuple(titles.values()), values[drawn_places], signs[drawn_places])


def scatter(
    points: ScatterPoints,
    palette: Palette,
    size: Size = (5.2, 4.4),
    *,
    selected: int | None = None,
    marked: Sequence[int] = (),
    human_title: str = "",
) -> Figure:
    """Draw points with a least-squares line and its 95 % band; labelled if few enough.

    selected: index of the point that is filled, ringed and labelled in bold.
    marked: indices of filled points.
    """
    figure, axes = empty_figure(palette, size)
    unit = _UNITS[points.level]
    mark, stand_in = (MARK, f"\n{MARK} {points.stand_in}") if points.stand_in else ("", "")
    axes.set_xlabel(f"{axis_title(points.measure, unit, mark)}{stand_in}")
    axes.set_ylabel(axis_title(human_title or points.human, unit, room=size[1] - _BELOW_AXES))
    axes.grid(True, color=palette.border, linewidth=0.8)
    axes.locator_params(nbins=6)
    is_crowd = points.x.size > CROWD
    if is_crowd:  # overlapping points look darker
        axes.scatter(
            points.x, points.y, s=(1.4 * _POINT) ** 2, facecolors=palette.accent, alpha=_CROWD_ALPHA,
            linewidths=0, zorder=3, gid="points",
        )  # fmt: skip
    else:
        axes.scatter(
            points.x, points.y, s=(2 * _POINT) ** 2, facecolors=palette.surface, edgecolors=palette.text,
            linewidths=1.4, zorder=3, gid="points",
        )  # fmt: skip
    if points.x.size:
        axes.margins(0.12)
        axes.autoscale_view()
        axes.set_autoscale_on(False)
    line = fit_line(points.x, points.y)
    if line is not None:
        _draw_line(axes, line, palette, (float(points.x.min()), float(points.x.max())))
    if len(marked):
        axes.scatter(
            points.x[list(marked)], points.y[list(marked)], s=(2 * _POINT) ** 2, color=palette.accent,
            zorder=3.5, gid="marked",
        )  # fmt: skip
    if selected is not None:
        _draw_selected(axes, float(points.x[selected]), float(points.y[selected]), palette)
    if points.level is Level.SYSTEM and 0 < points.x.size <= MOST_NAMES:
        _draw_names(figure, axes, points, line, palette, selected)
        figure.set_layout_engine("none")  # keeps the layout for which labels were placed
    return figure


def bars(means: SystemMeans, palette: Palette, size: Size | None = None) -> Figure:
    """Draw a panel of bars for each measure, systems ordered by the first measure, best on top."""
    order = np.argsort(np.nan_to_num(round_values(means.values[:, 0]), nan=-np.inf), kind="stable")
    height = 0.26 * len(means.systems) + 0.9
    panels = len(means.measures)
    titles = [_panel_title(measure) for measure in means.measures]
    names = [shorten_label(means.systems[i]) for i in order]
    each = width_for([line for title in titles for line in title.split("\n")], 1.9, BODY_POINTS)
    wide = width_for(names, 2.2, SMALL_POINTS) + each * panels
    figure, first = empty_figure(palette, size or (wide, height + _title_height(titles)), panels)
    axes = figure.axes
    for column, (panel, title) in enumerate(zip(axes, titles, strict=True)):
        _draw_bars(panel, means.values[order, column], palette)
        panel.set_title(
            title, fontsize=BODY_POINTS, color=palette.text, loc="left", fontweight="bold",
            fontfamily=palette.fonts,
        )  # fmt: skip
    first.set_yticks(range(len(order)), names, color=palette.text)
    for panel in axes[1:]:
        panel.set_yticks([])
    return figure


def heatmap(grid: Grid, palette: Palette, size: Size | None = None) -> Figure:
    """Draw a heatmap of correlations with numbers and a colour bar."""
    rows, columns = grid.values.shape
    names = [shorten_label(name, LONG) for name in grid.rows]
    titles = [_heading(title) for title in grid.columns]
    column_width = width_for([line for title in titles for line in title.split("\n")], 0.8, SMALL_POINTS)
    wide = width_for(names, 2.4, SMALL_POINTS) + column_width * columns + _BAR_INCHES
    figure, axes = empty_figure(palette, size or (wide, 0.9 + 0.27 * rows + _title_height(titles)))
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.xaxis.tick_top()
    for row, column in np.ndindex(rows, columns):
        sign = 1.0 if grid.signs is None else float(grid.signs[row])
        at_edge = row in (0, rows - 1) or column in (0, columns - 1)
        _draw_cell(axes, column, row, float(grid.values[row, column]), palette, sign, at_edge=at_edge)
    axes.set_xticks(np.arange(columns) + 0.5, titles)
    axes.set_yticks(np.arange(rows) + 0.5, names)
    axes.tick_params(length=0, labelcolor=palette.text)
    axes.spines["bottom"].set_visible(False)
    add_colour_bar(figure, axes, palette)
    return figure


def _heading(title: str) -> str:
    """Wrap a column title into short lines to keep columns narrow."""
    parts = shorten_label(title, LONG).replace(" (", "\n(").split("\n")
    return "\n".join(
        "\n".join(textwrap.wrap(part, _HEADING_LETTERS, break_long_words=False)) for part in parts
    )


def to_svg(figure: Figure, title: str, salt: str = "pyramidion", *, like: Figure | None = None) -> str:
    """Return the figure as a deterministic SVG element with real text; unused ids are dropped.

    title: accessible name.
    salt: distinguishes ids of figures on the same page.
    like: a figure with the same axes and texts, whose layout is taken over.
    """
    from html import escape

    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out, canvas = io.StringIO(), figure.canvas
    metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}), fixed_layout(figure, like):
        backgrounds = [figure.patch, *(axes.patch for axes in figure.axes)]
        drawn = [patch for patch in backgrounds if patch.get_visible()]
        try:
            for patch in drawn:
                patch.set_visible(False)
            FigureCanvasSVG(figure).print_svg(out, metadata=metadata)  # type: ignore[no-untyped-call]
        finally:
            for patch in drawn:
                patch.set_visible(True)
            figure.set_canvas(canvas)
    svg = out.getvalue()
    used = frozenset(re.findall(r'#([^")]+)[")]', svg))
    svg = re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used else "", svg)
    svg = svg[svg.index("<svg ") :]
    label = escape(title, quote=True)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1).strip()


def to_svg_of_both_modes(
    draw: Callable[[Palette], Figure], title: str, salt: str
) -> tuple[str, Callable[[], str]]:
    """Return the figure as SVG for light mode, and a function that draws it alike for dark mode.

    title: accessible name.
    salt: distinguishes ids of figures on the same page.
    """
    light = draw(LIGHT)
    by_day = to_svg(light, title, f"{salt} by day")
    return by_day, cache(lambda: to_svg(draw(DARK), title, f"{salt} by night", like=light))


def _panel_title(measure: str) -> str:
    """Return a measure's label for the panel title, with its settings on a separate line."""
    name, bracket, rest = measure.partition("[")
    settings, _, part = rest.rpartition("]")
    return (
        "\n".join((shorten_label(name + part), shorten_label(f"[{settings}]")))
        if bracket
        else shorten_label(measure)
    )


def _title_height(titles: Sequence[str]) -> float:
    return 0.17 * max((title.count("\n") for title in titles), default=0)


def _draw_line(axes: Axes, line: Line, palette: Palette, ends: tuple[float, float]) -> None:
    """Draw the line and its band between the lowest and the highest point only."""
    at = np.linspace(*ends, 100)
    below, above = line.band(at)
    axes.fill_between(at, below, above, color=palette.accent, alpha=0.1, linewidth=0, zorder=1)
    axes.plot(at, line.at(at), color=palette.accent, linewidth=1.6, zorder=2)


def _draw_selected(axes: Axes, x: float, y: float, palette: Palette) -> None:
    for radius, fill, width in ((_RING, palette.surface, 1.8), (_POINT, palette.accent, 0.0)):
        axes.plot(
            [x], [y], marker="o", markersize=2 * radius, markerfacecolor=fill, markeredgecolor=palette.accent,
            markeredgewidth=width, zorder=4,
        )  # fmt: skip


def _draw_names(
    figure: Figure,
    axes: Axes,
    points: ScatterPoints,
    line: Line | None,
    palette: Palette,
    selected: int | None,
) -> None:
    apply_layout(figure)  # fixes the final pixel positions
    to_points = 72 / figure.dpi
    where = axes.transData.transform(np.column_stack([points.x, points.y])) * to_points
    frame = Box(*(float(edge) * to_points for edge in axes.get_window_extent().extents))
    names = [shorten_label(name) for name in points.names]
    sizes = [text_size(figure, name, palette, i == selected) for i, name in enumerate(names)]
    radii = [_RING if i == selected else _POINT + 1 for i in range(len(points.names))]
    places = place_labels(where, sizes, radii, frame, _line_boxes(axes, line, to_points))
    for i, (name, place) in enumerate(zip(names, places, strict=True)):
        at = float(points.x[i]), float(points.y[i])
        _draw_name(axes, name, at, where[i], place, palette, i == selected)


def _line_boxes(axes: Axes, line: Line | None, to_points: float) -> list[Box]:
    """Return small boxes along the line, so that labels avoid it."""
    if line is None:
        return []
    at = np.linspace(*axes.get_xlim(), 120)
    along = axes.transData.transform(np.column_stack([at, line.at(at)])) * to_points
    return [Box(x - 1, y - 1, x + 1, y + 1) for x, y in along.tolist()]


def _draw_name(
    axes: Axes, name: str, at: Size, where: Array, place: LabelPlacement, palette: Palette, is_selected: bool
) -> None:
    offset = place.box.left - float(where[0]), (place.box.bottom + place.box.top) / 2 - float(where[1])
    leader = {"arrowstyle": "-", "color": palette.outline, "linewidth": 0.7, "shrinkA": 1, "shrinkB": _POINT}
    axes.annotate(
        name, at, offset, textcoords="offset points", va="center_baseline", ha="left", fontsize=SMALL_POINTS,
        fontfamily=palette.fonts, fontweight="bold" if is_selected else "normal", color=palette.text,
        arrowprops=leader if place.is_far else None, annotation_clip=False, zorder=5,
    )  # fmt: skip


def _draw_bars(axes: Axes, values: Array, palette: Palette) -> None:
    places = np.arange(values.size)
    axes.barh(places, np.nan_to_num(values), height=0.62, color=palette.mixed(0.45), linewidth=0)
    axes.margins(x=0.28)
    axes.set_ylim(-0.6, values.size - 0.4)
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        end, is_negative = float(np.nan_to_num(value)), value < 0
        axes.annotate(
            format_score(value), (end, place), (-3 if is_negative else 3, 0), textcoords="offset points",
            ha="right" if is_negative else "left", va="center_baseline", fontsize=SMALL_POINTS,
            color=palette.text, fontfamily=palette.fonts,
        )  # fmt: skip
    axes.axvline(0, color=palette.outline, linewidth=0.8)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])


def _draw_cell(
    axes: Axes, column: int, row: int, value: float, palette: Palette, sign: float, *, at_edge: bool
) -> None:
    """Draw a cell. at_edge: its text may need more room than the axes have, which the layout gives it."""
    from matplotlib.patches import Rectangle

    colour = diverging(np.array(sign * value), palette)
    axes.add_artist(Rectangle((column + 0.03, row + 0.06), 0.94, 0.88, color=tuple(colour), linewidth=0))
    axes.text(
        column + 0.5, row + 0.5, format_correlation(value), ha="center", va="center_baseline",
        fontsize=SMALL_POINTS, color=writing_on(colour, palette), fontfamily=palette.fonts,
        in_layout=at_edge,
    )  # fmt: skip
