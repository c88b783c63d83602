"""A pyramid as a figure: its SCUs in tiers by weight, the heaviest on top."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.figures.canvas import SMALL_POINTS, empty_figure
from core.figures.fonts import drawable_parts
from core.figures.palette import Palette
from core.formatting.legible_text import legible_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PER_LINE = 5
_WIDTH, _HEIGHT, _GAP = 1.5, 0.58, 0.07
"""Inches of a box, and between boxes."""

_MARGIN = 0.95
"""Inches at the left for the weights."""

_LINES, _LETTERS = 3, 22
_BETWEEN = 0.12
"""Inches between tiers, in addition to the gap."""


@dataclass(frozen=True, slots=True)
class Tier:
    """SCUs of one weight. title: such as ``weight 4``. labels: one for each SCU."""

    title: str
    labels: tuple[str, ...]


def pyramid_figure(tiers: Sequence[Tier], palette: Palette) -> Figure:
    """Draw tiers from top to bottom, each centred; a tier of more than five SCUs has several lines."""
    starts = [range(0, len(tier.labels), _PER_LINE) for tier in tiers]
    lines = [
        [tier.labels[at : at + _PER_LINE] for at in each] for tier, each in zip(tiers, starts, strict=True)
    ]
    height = sum(len(each) * (_HEIGHT + _GAP) + _BETWEEN for each in lines)
    width = _MARGIN + _PER_LINE * (_WIDTH + _GAP)
    figure, axes = empty_figure(palette, (width, height))
    figure.set_layout_engine("none")
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    axes.axis("off")
    axes.set(xlim=(0, width), ylim=(height, 0))
    top = _BETWEEN / 2
    for number, (tier, rows) in enumerate(zip(tiers, lines, strict=True)):
        share = 0.55 - 0.45 * number / max(1, len(tiers) - 1)
        middle = top + (len(rows) * (_HEIGHT + _GAP)) / 2
        axes.text(
            0.05,
            middle,
            tier.title,
            va="center",
            color=palette.muted,
            fontsize=SMALL_POINTS,
            fontfamily=palette.fonts,
        )
        for row in rows:
            left = _MARGIN + (_PER_LINE - len(row)) * (_WIDTH + _GAP) / 2
            for place, label in enumerate(row):
                _draw_box(axes, label, (left + place * (_WIDTH + _GAP), top), palette, share)
            top += _HEIGHT + _GAP
        top += _BETWEEN
    return figure


def _draw_box(axes: Axes, label: str, corner: tuple[float, float], palette: Palette, share: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, top = corner
    box = FancyBboxPatch(
        (left + 0.03, top + 0.03),
        _WIDTH - 0.06,
        _HEIGHT - 0.06,
        boxstyle="round,pad=0.03,rounding_size=0.06",
        linewidth=0.8,
        edgecolor=palette.outline,
        facecolor=palette.mixed(share * 0.6),
    )
    axes.add_patch(box)
    axes.text(
        left + _WIDTH / 2,
        top + _HEIGHT / 2,
        _wrapped(label),
        ha="center",
        va="center",
        color=palette.text,
        fontsize=SMALL_POINTS - 0.5,
        fontfamily=palette.fonts,
        parse_math=False,
    )


def _wrapped(label: str) -> str:
    """Return a label in at most two lines, shortened at its end."""
    drawn = "".join(drawable_parts(" ".join(legible_text(label).split())))
    lines = textwrap.wrap(drawn, _LETTERS) or [""]
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"{lines[_LINES - 1][: _LETTERS - 1].rstrip()}…"]
    return "\n".join(lines)
