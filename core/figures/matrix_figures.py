"""Square heatmaps of measures: correlations and significant differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.comparison.intercorrelation import Dendrogram
from core.figures.canvas import SMALL_POINTS, Size, add_colour_bar, empty_figure, shorten_label, width_for
from core.figures.palette import Palette, diverging, rgb, writing_on
from core.formatting.numbers import format_correlation, format_p
from core.matrix import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TICK_INCHES = 0.115  # minimum row height for a legible name
_ROW_INCHES = 0.17  # comfortable row height
_BAR_INCHES = 0.7  # width of the colour bar on the right
_ABOVE_INCHES = 0.6  # height of the dendrogram
_NUMBER_INCHES = 0.28  # minimum cell width for a legible number
_TREE_SHARE = 0.09
_DEEPEST = 0.75
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class MatrixFigure:
    """Matrix in drawing order. values: shape (n, n), NaN = none."""

    names: tuple[str, ...]
    values: Array
    tree: Dendrogram | None = None


def intercorrelation(
    square: MatrixFigure, palette: Palette, size: Size = (6.4, 6.0), *, selected: str = ""
) -> Figure:
    """Draw correlations between measures with a colour bar and a dendrogram above."""
    figure, axes = empty_figure(palette, size)
    colours = diverging(square.values, palette)
    _draw_square(axes, square, colours, palette, size, selected)
    add_colour_bar(figure, axes, palette)
    if _is_legible(square.names, size, _NUMBER_INCHES):
        _draw_numbers(axes, square.values, format_correlation, colours, palette)
    if square.tree is not None:
        _draw_tree(axes, square.tree, palette)
    return figure


def significance(
    square: MatrixFigure, palette: Palette, size: Size = (6.4, 6.0), *, selected: str = ""
) -> Figure:
    """Draw where a row's measure has a significantly higher correlation than a column's, by p.

    values: p of the difference, signed: positive = the row is better. Dark if p is below `SIGNIFICANT`, else
    light; empty if the column is better.
    """
    figure, axes = empty_figure(palette, size)
    p, is_better = np.abs(square.values), np.signbit(square.values) == 0
    share = np.select([~np.isfinite(p) | ~is_better, p < SIGNIFICANT], [0.0, _DEEPEST], 0.14)
    accent, ground = rgb(palette.accent), rgb(palette.surface)
    colours = ground + (accent - ground) * share[..., None]
    _draw_square(axes, square, colours, palette, size, selected)
    if _is_legible(square.names, size, _NUMBER_INCHES):
        _draw_numbers(axes, np.where(is_better, p, np.nan), format_p, colours, palette)
    return figure


def least_size(names: Sequence[str]) -> Size:
    """Return the width and height in inches at which all names of a matrix are readable."""
    side = _names_inches(names) + _ROW_INCHES * len(names)
    return side + _BAR_INCHES, side + _ABOVE_INCHES


def _draw_square(
    axes: Axes, square: MatrixFigure, colours: Array, palette: Palette, size: Size, selected: str
) -> None:
    n = len(square.names)
    axes.imshow(np.clip(colours, 0, 1), interpolation="nearest", aspect="auto", zorder=1)
    if _is_legible(square.names, size, 0.08):
        edges = np.arange(1, n) - 0.5
        axes.hlines(edges, -0.5, n - 0.5, color=palette.surface, linewidth=1.0, zorder=2)
        axes.vlines(edges, -0.5, n - 0.5, color=palette.surface, linewidth=1.0, zorder=2)
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(n - 0.5, -0.5)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(labelcolor=palette.text)
    _draw_ticks(axes, square.names, size, selected, palette)
    if selected in square.names:
        at = square.names.index(selected)
        axes.axhspan(at - 0.5, at + 0.5, fill=False, edgecolor=palette.accent, linewidth=1.4, zorder=5)


def _draw_ticks(axes: Axes, names: Sequence[str], size: Size, selected: str, palette: Palette) -> None:
    """Label as many rows and columns as are readable, including the selected one."""
    n = len(names)
    room = max(min(size) - _names_inches(names), 0.5)
    step = max(1, int(np.ceil(n * _TICK_INCHES / room)))
    places = sorted({*range(0, n, step)} | ({names.index(selected)} if selected in names else set()))
    if step > 1 and selected in names:
        near = names.index(selected)
        places = [place for place in places if place == near or abs(place - near) >= step]
    labels = [shorten_label(names[i]) for i in places]
    axes.set_yticks(places, labels)
    axes.set_xticks(places, labels, rotation=90)
    for ticks in (axes.get_yticklabels(), axes.get_xticklabels()):
        for place, tick in zip(places, ticks, strict=True):
            tick.set_fontweight("bold" if names[place] == selected else "normal")
            tick.set_fontsize(SMALL_POINTS if step == 1 else SMALL_POINTS - 1)


def _draw_numbers(
    axes: Axes, values: Array, text: Callable[[float], str], colours: Array, palette: Palette
) -> None:
    """Write each value in its cell. colours: of the cells, shape (n, n, 3)."""
    for row, column in zip(*np.nonzero(np.isfinite(values)), strict=True):
        axes.text(
            column, row, text(float(values[row, column])), ha="center", va="center_baseline",
            fontsize=SMALL_POINTS - 1, fontfamily=palette.fonts, zorder=3,
            color=writing_on(colours[row, column], palette),
        )  # fmt: skip


def _draw_tree(axes: Axes, tree: Dendrogram, palette: Palette) -> None:
    """Draw the dendrogram over the columns, its leaves at their centres."""
    from matplotlib.collections import LineCollection

    above = axes.inset_axes((0.0, 1.005, 1.0, _TREE_SHARE), sharex=axes)
    above.set_axis_off()
    highest = max((max(heights) for _, heights in tree.links), default=1.0) or 1.0
    lines = [list(zip(places, heights, strict=True)) for places, heights in tree.links]
    above.add_collection(LineCollection(lines, colors=palette.outline, linewidths=0.9))
    above.set_ylim(0, 1.05 * highest)


def _is_legible(names: Sequence[str], size: Size, least: float) -> bool:
    return (min(size) - _names_inches(names)) / max(len(names), 1) >= least


def _names_inches(names: Sequence[str]) -> float:
    """Return the width in inches of the names next to the matrix."""
    return width_for([shorten_label(name) for name in names], 0.6, SMALL_POINTS)
