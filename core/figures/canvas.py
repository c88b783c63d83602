"""Empty figures with their layout, and shortening of names."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from core.figures.fonts import drawable_parts
from core.figures.palette import Palette, diverging
from core.formatting.legible_text import legible_text
from core.formatting.numbers import format_correlation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Size = tuple[float, float]
"""Width and height in inches."""

SMALL_POINTS, BODY_POINTS = 8.5, 9.5
"""Font sizes in points."""

_LONGEST_WORD = 40
"""Letters of a note's word that are not broken."""

_LETTERS_PER_INCH, _FEWEST_LETTERS = 14, 12
"""Letters of an axis title that fit in an inch, and the minimum kept of a name."""

SHORT, LONG = 28, 44
"""Maximum number of characters of a name in a figure."""


def shorten_label(text: str, most: int = SHORT) -> str:
    """Return a name for a figure, elided in the middle if long; tables show the full name.

    Dollar signs are escaped, since matplotlib would read a formula. Control characters and marks of direction
    are escapes, characters that no installed font has codes such as ``U+6458``.
    """
    parts = drawable_parts(legible_text(text))
    if sum(map(len, parts)) > most:
        end = most // 3
        parts = [*_fitting(parts, most - end - 1), "…", *reversed(_fitting(parts[::-1], end))]
    return "".join(parts).replace("$", r"\$")


def _fitting(parts: Sequence[str], most: int) -> list[str]:
    """Return the first parts with at most a number of characters in total."""
    ends = accumulate(map(len, parts))
    return [part for part, end in zip(parts, ends, strict=True) if end <= most]


def axis_title(name: str, unit: str, mark: str = "", room: float | None = None) -> str:
    """Return the title of an axis, in two lines where the name is long.

    mark: follows the name.
    room: length of the axis in inches, None = long enough for any title; a title that is longer is shortened.
    """
    letters = LONG if room is None else max(int(room * _LETTERS_PER_INCH), _FEWEST_LETTERS)
    is_short = len(name) <= SHORT and (room is None or len(f"{name}{mark}, {unit}") <= letters)
    return f"{shorten_label(name, min(LONG, letters))}{mark},{' ' if is_short else chr(10)}{unit}"


def width_for(lines: Sequence[str], least: float, font_size: float) -> float:
    """Return the inches that the longest of some lines needs, with a margin."""
    return max(least, 0.3 + 0.0085 * font_size * max(map(len, lines), default=0))


def empty_figure(palette: Palette, size: Size, panels: int = 1) -> tuple[Figure, Axes]:
    """Return a figure with a number of panels side by side and its first panel: only the x axis, no grid."""
    from matplotlib.figure import Figure

    from core.figures.text_cache import CachedTextCanvas

    figure = Figure(figsize=size, layout="constrained", facecolor=palette.surface)
    CachedTextCanvas(figure)
    for axes in figure.subplots(1, panels, squeeze=False).flat:
        axes.set_facecolor(palette.surface)
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(palette.outline)
        axes.tick_params(
            colors=palette.muted, labelsize=SMALL_POINTS, length=0, labelfontfamily=palette.fonts
        )
        axes.xaxis.label.set(color=palette.text, fontsize=BODY_POINTS, fontfamily=palette.fonts)
        axes.yaxis.label.set(color=palette.text, fontsize=BODY_POINTS, fontfamily=palette.fonts)
        axes.set_axisbelow(True)
    return figure, figure.axes[0]


def apply_layout(figure: Figure) -> None:
    """Compute the layout now rather than on drawing."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


@contextmanager
def fixed_layout(figure: Figure, like: Figure | None = None) -> Iterator[None]:
    """Compute the layout once and keep it meanwhile, as matplotlib computes it in each of several passes.

    like: a figure with the same axes and texts, whose layout is taken over.
    """
    engine = figure.get_layout_engine()
    if engine is None:
        yield
        return
    if like is None:
        engine.execute(figure)
    else:
        for axes, other in zip(figure.axes, like.axes, strict=True):
            axes.set_box_aspect(other.get_box_aspect())
            axes.set_anchor(other.get_anchor())
            axes.set_position(other.get_position(original=True))
        for text, placed in zip(figure.texts, like.texts, strict=True):
            text.set_position(placed.get_position())
    figure.set_layout_engine("none")
    try:
        yield
    finally:
        figure.set_layout_engine(engine)


def add_colour_bar(figure: Figure, axes: Axes, palette: Palette) -> None:
    """Add the colour bar of correlations from -1 to 1 to the right of the axes."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    scale = ListedColormap(diverging(np.linspace(-1, 1, 201), palette))
    bar = figure.colorbar(
        ScalarMappable(Normalize(-1, 1), scale), ax=axes, fraction=0.025, pad=0.015, aspect=30,
        ticks=[-1, -0.5, 0, 0.5, 1],
    )  # fmt: skip
    bar.ax.set_yticklabels([format_correlation(value) for value in (-1, -0.5, 0, 0.5, 1)])
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=palette.muted, labelsize=SMALL_POINTS, length=0, labelfontfamily=palette.fonts)


def add_note(figure: Figure, palette: Palette, note: str) -> None:
    """Add a note below a figure, wrapped at its width; a second note is appended to the first.

    The window changes the size of a figure, so that lines are broken whenever it is drawn.
    """
    if earlier := figure.get_supxlabel():
        note = f"{earlier} {note}"
    words = shorten_label(note, len(note)).split()
    parts = [part for word in words for part in textwrap.wrap(word, _LONGEST_WORD, break_on_hyphens=False)]
    figure.supxlabel(
        " ".join(parts),
        x=0.01,
        ha="left",
        wrap=True,
        fontsize=SMALL_POINTS,
        color=palette.muted,
        fontfamily=palette.fonts,
    )


def text_size(figure: Figure, text: str, palette: Palette, is_bold: bool) -> Size:
    """Return the width and height of small text, in points."""
    from matplotlib.font_manager import FontProperties

    weight = "bold" if is_bold else "normal"
    font = FontProperties(family=palette.fonts, size=SMALL_POINTS, weight=weight)
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    width, height, _ = renderer.get_text_width_height_descent(text, font, False)
    return width * 72 / figure.dpi, height * 72 / figure.dpi
