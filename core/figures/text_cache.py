"""Cache of rendered text for matplotlib, since most labels of a figure recur in the next one.

matplotlib shapes and draws every letter again in every figure, which dominates drawing time. Import this
module only to draw: it imports matplotlib, whose Agg renderer and fonts are untyped, hence the mypy
exceptions.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg, get_hinting_flag
from matplotlib.font_manager import FontProperties, fontManager, get_font
from numpy.typing import NDArray

MOST_KEPT = 4096
"""Number of cached texts, a few kilobytes each."""


Size = tuple[float, float, float]
"""Width, height and descent, in pixels."""


class CachedTextRenderer(RendererAgg):
    """Agg renderer that draws plain text from a cache, aligned to whole pixels."""

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        if ismath:
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)  # type: ignore[no-untyped-call]
            return
        picture, left, below, descent = _drawn(s, prop.copy(), float(self.dpi))
        along, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        corner = x + left * along + (below + descent) * down, y - left * down + (below + descent) * along
        self._renderer.draw_text_image(picture, round(corner[0] + down), round(corner[1] + along), angle, gc)

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Size:
        if ismath:
            size: Size = super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]
            return size
        return _measured(s, prop.copy(), float(self.dpi))


class CachedText:
    """Mixin that gives a canvas the caching renderer; place it before matplotlib's canvas."""

    @property
    def key(self) -> tuple[int, int, float]:
        """Width and height of the canvas in pixels, and its resolution."""
        canvas: Any = self
        return (*canvas.get_width_height(physical=True), canvas.figure.dpi)

    def get_renderer(self) -> CachedTextRenderer:
        """Return the renderer for the current size of the canvas."""
        canvas: Any = self
        if canvas._lastKey != (key := self.key):
            canvas.renderer, canvas._lastKey = CachedTextRenderer(*key), key  # type: ignore[no-untyped-call]
        renderer: CachedTextRenderer = canvas.renderer
        return renderer


class CachedTextCanvas(CachedText, FigureCanvasAgg):
    """Canvas in memory."""


@lru_cache(MOST_KEPT)
def _drawn(words: str, prop: FontProperties, dpi: float) -> tuple[NDArray[np.uint8], float, float, float]:
    """Image of a text, its offset from the origin, and its descent, in pixels."""
    font = _shaped(words, prop, dpi)
    font.draw_glyphs_to_bitmap(antialiased=True)
    left, below = font.get_bitmap_offset()
    return np.array(font.get_image(), dtype=np.uint8), left / 64, below / 64, font.get_descent() / 64


@lru_cache(MOST_KEPT)
def _measured(words: str, prop: FontProperties, dpi: float) -> Size:
    """Return the size of a text."""
    font = _shaped(words, prop, dpi)
    width, height = font.get_width_height()
    return width / 64, height / 64, font.get_descent() / 64


def _shaped(words: str, prop: FontProperties, dpi: float) -> Any:
    font = get_font(fontManager._find_fonts_by_props(prop))
    font.clear()
    font.set_size(prop.get_size_in_points(), dpi)
    font.set_text(words, 0.0, flags=get_hinting_flag())  # type: ignore[no-untyped-call]
    return font
