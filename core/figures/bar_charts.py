"""Bar charts of experiments: vertical, or horizontal if category names are long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.figures.canvas import LONG, Size, add_note, shorten_label
from core.figures.chart_axes import USUAL, chart_axes, legend
from core.figures.palette import Palette
from core.results.result import Chart, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
