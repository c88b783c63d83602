"""Colour palettes of figures and reports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.fonts import FALLBACK_FONT, fallback_families


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as ``#RRGGBB``, and the font family.

    surface: background.
    raised: recessed areas.
    border: grid, decoration only.
    outline: edges.
    text, muted: text.
    accent: highlights and positive values.
    on_accent: text on the accent.
    negative: negative values.
    is_screen: of the window, which shows selections and leaves notes to its buttons.
    """

    surface: str
    raised: str
    border: str
    outline: str
    text: str
    muted: str
    accent: str
    on_accent: str
    negative: str
    font: str = FALLBACK_FONT
    is_screen: bool = False

    @property
    def fonts(self) -> list[str]:
        """Return the font family with fallbacks for missing characters, such as the minus sign."""
        return list(dict.fromkeys((self.font, FALLBACK_FONT, *fallback_families())))

    def mixed(self, share: float) -> str:
        """Return the surface mixed with a share of accent from 0 to 1."""
        pairs = zip(_channels(self.surface), _channels(self.accent), strict=True)
        return "#" + "".join(f"{round(ground + (top - ground) * share):02X}" for ground, top in pairs)


_BLACK, _WHITE = "#000000", "#FFFFFF"
"""Text colours: one of them has a contrast of 4.5:1 on any colour."""

_DEEPEST = 0.75
"""Opacity of the colour of a value of 1."""


def diverging(values: NDArray[np.float64], palette: Palette) -> NDArray[np.float64]:
    """Return the colours of values from -1 to 1: `negative`, the surface at 0, `accent`.

    values: shape (...), NaN = 0. Returns red, green and blue from 0 to 1, shape (..., 3).
    """
    known = np.clip(np.nan_to_num(values), -1, 1)[..., None]
    ground = rgb(palette.surface)
    ink = np.where(known >= 0, rgb(palette.accent), rgb(palette.negative))
    return ground + (ink - ground) * _DEEPEST * np.abs(known)


def writing_on(colour: NDArray[np.float64], palette: Palette) -> str:
    """Return the text colour with the higher contrast on a background. colour: shape (3,), 0 to 1."""
    candidates = (palette.text, palette.surface, _BLACK, _WHITE)
    return max(candidates, key=lambda writing: _contrast(rgb(writing), colour))


def _contrast(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 to 21."""
    low, high = sorted(_luminance(each) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: NDArray[np.float64]) -> float:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def rgb(colour: str) -> NDArray[np.float64]:
    """Return a colour's red, green and blue, each 0 to 1, shape (3,)."""
    return np.array(_channels(colour)) / 255


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


LIGHT = Palette(
    surface="#FFFFFF",
    raised="#F8F9FB",
    border="#DCE0E6",
    outline="#848D9B",
    text="#1A1F27",
    muted="#57606E",
    accent="#0A6570",
    on_accent="#FFFFFF",
    negative="#8F4700",
)
"""Palette for print, and for reports in light mode."""

DARK = Palette(
    surface="#1B1F25",
    raised="#22272E",
    border="#333A44",
    outline="#737D8C",
    text="#E8EBF0",
    muted="#A0A9B7",
    accent="#5CC6CE",
    on_accent="#0B1E21",
    negative="#F2B45F",
)
"""Palette for reports in dark mode."""
