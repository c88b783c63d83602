"""Axes and legends shared by charts of experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.figures.canvas import LONG, SMALL_POINTS, Size, empty_figure, shorten_label
from core.figures.palette import Palette
from core.results.result import Chart

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
