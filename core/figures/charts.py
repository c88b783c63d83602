"""Charts of experiments as figures; series never differ by colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.figures.canvas import (
    LONG,
    SMALL_POINTS,
    Size,
    add_note,
    empty_figure,
    shorten_label,
    text_size,
    width_for,
)
from core.figures.label_placement import Box, place_labels
from core.figures.matrix_figures import MatrixFigure, intercorrelation
from core.figures.palette import Palette
from core.figures.scatter_and_heatmap import Grid, heatmap
from core.matrix import Array
from core.results.result import Chart, ChartKind, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


USUAL: Size = (6.4, 4.4)

_LETTERS_PER_INCH = 13
_SAMPLE_LETTERS = 6  # width of a legend handle and its margin


def chart_axes(drawn: Chart, palette: Palette, size: Size) -> tuple[Figure, Axes]:
    """Return an empty figure with a chart's titles and horizontal grid lines."""
    figure, axes = empty_figure(palette, size)
    axes.set_xlabel(shorten_label(drawn.x_label, LONG))
    axes.set_ylabel(shorten_label(drawn.y_label, LONG))
    axes.grid(True, axis="y", color=palette.border, linewidth=0.8)
    return figure, axes


def legend(figure: Figure, axes: Axes, palette: Palette) -> None:
    """Add a legend above the axes, where no tick label is."""
    lines, labels = axes.get_legend_handles_labels()
    longest = max(map(len, labels), default=1)
    columns = max(
        1, min(len(labels), int(figure.get_figwidth() * _LETTERS_PER_INCH / (longest + _SAMPLE_LETTERS)))
    )
    box = figure.legend(
        lines, labels, loc="outside upper left", ncols=columns, frameon=False, fontsize=SMALL_POINTS,
        labelcolor=palette.text, handlelength=1.6, borderaxespad=0.2, columnspacing=1.4,
    )  # fmt: skip
    for text in box.get_texts():
        text.set_fontfamily(palette.fonts)


_BAR = 0.78  # share of a category that its bars fill
_ROW = 0.2  # inches per horizontal bar
_ROUND = 1.1  # inches above and below the bars
_LOWEST = 2.4  # minimum height of a figure in inches
_MOST_BARS = 60  # horizontal bars above this number become dots
_SQUEEZED = 0.7  # minimum compression of horizontal bars before they become vertical


def bars(drawn: Chart, palette: Palette, size: Size | None) -> Figure:
    """Draw a group of bars per category, with intervals as lines; hatched if a group has several.

    Categories with long names become horizontal bars, so that names stay readable.
    """
    names = [shorten_label(tick) for tick in _places(drawn)]
    size, is_lying = _room(names, len(drawn.series), size)
    figure, axes = chart_axes(drawn, palette, size)
    if is_lying and len(names) * len(drawn.series) > _MOST_BARS:
        _draw_dots(axes, drawn.series, palette)
    else:
        _draw_bars(axes, drawn.series, palette, is_lying=is_lying)
    if is_lying:
        _lay_down(axes, drawn, names, palette)
    else:
        tick_names(axes, names, size[0], palette)
    if len(drawn.series) > 1:
        legend(figure, axes, palette)
    if drawn.note:
        add_note(figure, palette, drawn.note)
    return figure


def histogram(drawn: Chart, palette: Palette, size: Size) -> Figure:
    """Draw a histogram; each series has its own outline, the first one is filled."""
    figure, axes = chart_axes(drawn, palette, size)
    for number, series in enumerate(drawn.series):
        middles = np.array(series.x)
        half = (middles[1] - middles[0]) / 2 if middles.size > 1 else 0.5
        edges = np.append(middles - half, middles[-1:] + half)
        axes.stairs(
            series.y, edges, fill=number == 0, facecolor=palette.mixed(0.3), linewidth=1.4, zorder=2 + number,
            edgecolor=(palette.accent, palette.text, palette.outline)[number % 3],
            linestyle=("-", "--", ":", "-.")[number % 4], label=shorten_label(series.label),
        )  # fmt: skip
    axes.locator_params(axis="x", nbins=7)
    if len(drawn.series) > 1:
        legend(figure, axes, palette)
    if drawn.note:
        add_note(figure, palette, drawn.note)
    return figure


def _room(names: Sequence[str], several: int, size: Size | None) -> tuple[Size, bool]:
    """Return the default size of a bar chart and whether bars are horizontal (long names, enough height)."""
    has_dots = len(names) * several > _MOST_BARS
    height = _ROW * len(names) * (1.0 if has_dots else max(1.0, 0.5 * several)) + _ROUND
    if not _is_crowded(names, size[0] if size else USUAL[0]):
        return size or (max(USUAL[0], 0.3 * len(names) + 1.2), USUAL[1]), False
    if size is None:
        return (USUAL[0], max(_LOWEST, height)), True
    return size, size[1] >= height * _SQUEEZED


def _draw_bars(axes: Axes, several: Sequence[Series], palette: Palette, *, is_lying: bool) -> None:
    thick = _BAR / max(1, len(several))
    draw, span = (axes.barh, axes.hlines) if is_lying else (axes.bar, axes.vlines)
    for number, series in enumerate(several):
        at = np.arange(len(series.y)) + (number + 0.5) * thick - _BAR / 2
        tint = palette.mixed(0.72 - 0.5 * number / max(1, len(several) - 1))
        draw(
            at, np.nan_to_num(series.y), 0.94 * thick, color=tint, edgecolor=palette.accent,
            hatch="" if number == 0 else "/\\x.-+"[(number - 1) % 6] * 3, linewidth=0.6, zorder=2,
            label=shorten_label(series.label),
        )  # fmt: skip
        if series.low:
            span(at, series.low, series.high, color=palette.text, linewidth=1.2, zorder=3)
    zero = axes.axvline if is_lying else axes.axhline
    zero(0, color=palette.outline, linewidth=0.8, zorder=1)


def _draw_dots(axes: Axes, several: Sequence[Series], palette: Palette) -> None:
    """Draw a mark per series on the line of each category, for many categories."""
    for number, series in enumerate(several):
        at = np.arange(len(series.y))
        colour = (palette.accent, palette.text, palette.outline)[number % 3]
        if series.low:
            axes.hlines(at, series.low, series.high, color=colour, linewidth=0.9, alpha=0.6, zorder=2)
        axes.plot(
            series.y, at, linestyle="", marker="osD^vPX"[number % 7], markersize=5, color=colour,
            markerfacecolor=palette.surface if number else colour, markeredgewidth=1.2, zorder=3,
            label=shorten_label(series.label),
        )  # fmt: skip
    axes.axvline(0, color=palette.outline, linewidth=0.8, zorder=1)


def _lay_down(axes: Axes, drawn: Chart, names: Sequence[str], palette: Palette) -> None:
    """Set up axes for horizontal bars, the first category on top."""
    axes.set_yticks(range(len(names)), names, color=palette.text)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(shorten_label(drawn.y_label, LONG))
    axes.set_ylabel(shorten_label(drawn.x_label, LONG))
    axes.grid(False, axis="y")
    axes.grid(True, axis="x", color=palette.border, linewidth=0.8)


def _places(drawn: Chart) -> Sequence[str]:
    """Return the names of the categories."""
    return drawn.ticks or tuple(f"{value:g}" for value in (drawn.series[0].x if drawn.series else ()))


def _is_crowded(names: Sequence[str], inches: float) -> bool:
    """Return whether adjacent names would overlap."""
    return sum(map(len, names)) * 0.075 > inches - 1


def tick_names(axes: Axes, names: Sequence[str], inches: float, palette: Palette) -> None:
    """Set category names: rotated if they would overlap, thinned if not all fit."""
    step = max(1, int(np.ceil(len(names) * 0.16 / inches)))
    crowded = _is_crowded(names, inches)
    ticks = list(range(0, len(names), step))
    axes.set_xticks(
        ticks, [names[i] for i in ticks], rotation=45 if crowded else 0, ha="right" if crowded else "center",
        rotation_mode="anchor" if crowded else "default", color=palette.text,
    )  # fmt: skip


Point = tuple[float, float]

_MARKERS = "osD^vPX<>*hp"
_DASHES = ((), (5, 2), (1.5, 1.5), (7, 2, 1.5, 2))
_MOST_BANDS = 6
_MOST_NAMES = 40
_MOST_NAMED = 12  # curves with their own marker and dash pattern
_SHARE_OF_AXES = 0.7  # of a figure's width, next to the names of curves
_LINE_POINTS = 12.0  # from one name at the end of a curve to the next
_AXIS_POINTS = 48.0  # below the axes, for ticks and axis title


def chart(drawn: Chart, palette: Palette, size: Size | None = None) -> Figure:
    """Draw a chart as a figure."""
    match drawn.kind:
        case ChartKind.CURVES:
            return _curves(drawn, palette, size or USUAL)
        case ChartKind.BARS:
            return bars(drawn, palette, size)
        case ChartKind.HISTOGRAM:
            return histogram(drawn, palette, size or USUAL)
        case ChartKind.SCATTER:
            return _scatter(drawn, palette, size or USUAL)
        case ChartKind.HEATMAP:
            return _heatmap(drawn, palette, size)


def _curves(drawn: Chart, palette: Palette, size: Size) -> Figure:
    """Draw a line for each series with its name at the end, and its band if there are few.

    If there is no room for all names, the highest curves are labelled and the others drawn in grey behind
    them.
    """
    figure, axes = chart_axes(drawn, palette, size)
    named = _named(figure, drawn.series)
    for number, series in enumerate(drawn.series):
        colour = _colour(number, palette)
        x = series.x or tuple(range(len(series.y)))
        if number not in named:
            axes.plot(x, series.y, color=palette.outline, linewidth=0.7, alpha=0.6, zorder=1.5)
            continue
        if series.low and len(drawn.series) <= _MOST_BANDS:
            axes.fill_between(x, series.low, series.high, color=colour, alpha=0.1, linewidth=0, zorder=1)
        dashes = _DASHES[number % len(_DASHES)]
        axes.plot(
            x, series.y, color=colour, linewidth=1.6, marker=_MARKERS[number % len(_MARKERS)], markersize=5,
            markerfacecolor=palette.surface, markeredgewidth=1.4, zorder=3,
            linestyle=(0, dashes) if dashes else "-",
        )  # fmt: skip
    axes.margins(x=0.03, y=0.06)
    _tick_wholes(axes, drawn, figure.get_figwidth() * _SHARE_OF_AXES, palette)
    if drawn.note:
        add_note(figure, palette, drawn.note)
    if grey := sum(_last(series) is not None for series in drawn.series) - len(named):
        add_note(figure, palette, f"Labelled: top {len(named)} at the right end; grey: {grey} others.")
    _name_ends(figure, axes, drawn.series, named, palette)
    return figure


def _named(figure: Figure, several: Sequence[Series]) -> dict[int, Point]:
    """Return the curves with room for a name, those that end highest, with their ends, ascending."""
    ends = [(number, _last(series)) for number, series in enumerate(several)]
    there = sorted(((n, end) for n, end in ends if end is not None), key=lambda pair: pair[1][1])
    return dict(there[-_names_that_fit(figure) :])


def _name_ends(
    figure: Figure, axes: Axes, several: Sequence[Series], named: Mapping[int, Point], palette: Palette
) -> None:
    """Add each curve's name right of its last point, spread so that none overlap."""
    if not named:
        return
    there = list(named.items())
    names = [shorten_label(several[number].label) for number, _ in there]
    figure.set_layout_engine("constrained", rect=(0, 0, 1 - _share(figure, names), 1))
    figure.draw_without_rendering()
    to_points = 72 / figure.dpi
    heights = [float(axes.transData.transform(end)[1]) * to_points for _, end in there]
    top, bottom = (float(axes.bbox.y1) * to_points, float(axes.bbox.y0) * to_points)
    top -= _LINE_POINTS / 2  # the highest name ends with the axes
    right = float(axes.bbox.x1) * to_points + 8
    for (number, end), height, name in zip(there, _spread(heights, bottom, top), names, strict=True):
        across, up = axes.transData.transform(end) * to_points
        colour = _colour(number, palette)
        note = axes.annotate(
            name, end, (right - across, height - up), textcoords="offset points", va="center_baseline",
            ha="left", color=palette.text, fontsize=SMALL_POINTS, fontfamily=palette.fonts,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": colour, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3,
                "relpos": (0, 0.5),  # else the line begins in the middle of the name
            },
        )  # fmt: skip
        note.set_in_layout(False)  # its space is already reserved


def _names_that_fit(figure: Figure) -> int:
    """Return how many names fit at the height of the axes and remain distinguishable."""
    room = int((72 * figure.get_figheight() - _AXIS_POINTS) / _LINE_POINTS)
    return max(1, min(room, _MOST_NAMED))


def _spread(heights: Sequence[float], bottom: float, top: float) -> list[float]:
    """Move ascending heights apart until names fit, close to the originals, in one pass up and down."""
    places: list[float] = []
    for height in heights:
        places.append(max(height, places[-1] + _LINE_POINTS) if places else max(height, bottom))
    limit = max(top, bottom + _LINE_POINTS * (len(heights) - 1))
    for at in reversed(range(len(places))):
        places[at] = min(places[at], limit)
        limit = places[at] - _LINE_POINTS
    return places


def _share(figure: Figure, names: Sequence[str]) -> float:
    """Return the share of a figure's width for names on the right, at most half."""
    return min(width_for(names, 0.5, SMALL_POINTS) / figure.get_figwidth(), 0.5)


def _last(series: Series) -> Point | None:
    """Return the last defined point of a series."""
    x = series.x or tuple(range(len(series.y)))
    points = [(a, b) for a, b in zip(x, series.y, strict=True) if np.isfinite(b)]
    return points[-1] if points else None


def _scatter(drawn: Chart, palette: Palette, size: Size) -> Figure:
    """Draw a scatter plot with a cloud for each series, with names if few enough to read."""
    figure, axes = chart_axes(drawn, palette, size)
    axes.grid(True, color=palette.border, linewidth=0.8)
    for number, series in enumerate(drawn.series):
        axes.scatter(
            series.x, series.y, s=46, marker=_MARKERS[number % len(_MARKERS)], facecolors=palette.surface,
            edgecolors=_colour(number, palette), linewidths=1.4, zorder=3,
            label=shorten_label(series.label),
        )  # fmt: skip
    axes.margins(0.1)
    if drawn.note:
        add_note(figure, palette, drawn.note)
    if len(drawn.series) > 1:
        legend(figure, axes, palette)
    _name_points(figure, axes, drawn.series, palette)
    return figure


def _name_points(figure: Figure, axes: Axes, several: Sequence[Series], palette: Palette) -> None:
    points = [
        (x, y, name)
        for series in several
        for x, y, name in zip(series.x, series.y, series.names, strict=False)
        if np.isfinite(x) and np.isfinite(y)
    ]
    if not 0 < len(points) <= _MOST_NAMES:
        return
    axes.autoscale_view()
    axes.set_autoscale_on(False)
    figure.draw_without_rendering()
    to_points = 72 / figure.dpi
    where: Array = axes.transData.transform([(x, y) for x, y, _ in points]) * to_points
    names = [shorten_label(name) for _, _, name in points]
    sizes = [text_size(figure, name, palette, False) for name in names]
    frame = Box(*(float(edge) * to_points for edge in axes.get_window_extent().extents))
    for (x, y, _), at, name, place in zip(
        points, where, names, place_labels(where, sizes, [3.4] * len(names), frame), strict=True
    ):
        leader = {"arrowstyle": "-", "color": palette.outline, "linewidth": 0.7, "shrinkA": 1, "shrinkB": 4}
        note = axes.annotate(
            name, (x, y), (place.box.left - at[0], (place.box.bottom + place.box.top) / 2 - at[1]),
            textcoords="offset points", va="center_baseline", ha="left", fontsize=SMALL_POINTS,
            color=palette.text, fontfamily=palette.fonts, annotation_clip=False,
            arrowprops=leader if place.is_far else None,
        )  # fmt: skip
        note.set_in_layout(False)  # the axes keep the size for which names were placed


def _heatmap(drawn: Chart, palette: Palette, size: Size | None) -> Figure:
    """Draw a heatmap with numbers; square for symmetric matrices."""
    rows = tuple(series.label for series in drawn.series)
    values = np.array([series.y for series in drawn.series], dtype=np.float64).reshape(len(rows), -1)
    if rows == drawn.ticks:
        figure = intercorrelation(MatrixFigure(rows, values), palette, size or (6.4, 6.0))
        if drawn.note:
            add_note(figure, palette, drawn.note)
        return figure
    figure = heatmap(Grid(rows, drawn.ticks, values), palette, size)
    if drawn.note:
        add_note(figure, palette, drawn.note)
    axes = figure.axes[0]
    axes.set_xlabel(shorten_label(drawn.x_label, LONG))
    axes.xaxis.set_label_position("top")
    axes.set_ylabel(shorten_label(drawn.y_label, LONG))
    return figure


def _tick_wholes(axes: Axes, drawn: Chart, inches: float, palette: Palette) -> None:
    """Set a tick at every value of curves over few integers, since values in between do not exist."""
    if drawn.ticks:
        tick_names(axes, [shorten_label(tick) for tick in drawn.ticks], inches, palette)
        return
    places = sorted({x for series in drawn.series for x in series.x})
    if 0 < len(places) <= 12 and all(x == int(x) for x in places):
        apart = min((b - a for a, b in pairwise(places)), default=1.0)
        if apart * 30 >= places[-1] - places[0]:
            axes.set_xticks(places, [f"{x:g}" for x in places])


def _colour(number: int, palette: Palette) -> str:
    """Return the colours of series: accent, text colour, and shades between.

    Markers and dashes differ too.
    """
    if number == 0:
        return palette.accent
    return (palette.text, palette.mixed(0.62), palette.outline)[(number - 1) % 3]
