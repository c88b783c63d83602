"""The colours that a figure or report is drawn in, given by whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as ``#RRGGBB`` and the family of fonts.

    surface: the ground. raised: wells. border: grid, decoration only. outline: edges. text, muted: writing.
    accent: what is pointed at. on_accent: writing on it.
    """

    surface: str
    raised: str
    border: str
    outline: str
    text: str
    muted: str
    accent: str
    on_accent: str
    font: str = "DejaVu Sans"

    def mixed(self, share: float) -> str:
        """The surface with this share of accent in it, 0 to 1."""
        pairs = zip(_channels(self.surface), _channels(self.accent), strict=True)
        return "#" + "".join(f"{round(ground + (top - ground) * share):02X}" for ground, top in pairs)


def rgb(colour: str) -> NDArray[np.float64]:
    """A colour's red, green and blue, each 0 to 1, shape (3,)."""
    return np.array(_channels(colour)) / 255


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


PAPER = Palette(
    surface="#FFFFFF",
    raised="#F8F9FB",
    border="#DCE0E6",
    outline="#848D9B",
    text="#1A1F27",
    muted="#57606E",
    accent="#0A6570",
    on_accent="#FFFFFF",
)
"""What is printed, and what a report shows by day."""

NIGHT = Palette(
    surface="#1B1F25",
    raised="#22272E",
    border="#333A44",
    outline="#737D8C",
    text="#E8EBF0",
    muted="#A0A9B7",
    accent="#5CC6CE",
    on_accent="#0B1E21",
)
"""What a report shows where the reader's desktop is dark."""
