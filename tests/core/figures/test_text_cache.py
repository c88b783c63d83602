"""Words that are drawn once, beside matplotlib's own."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from core.figures.text_cache import CachedTextCanvas


def written(canvas, words: str, angle: float, size: float) -> np.ndarray:
    """Return the darkness of each pixel of a figure with a text in its centre, shape (height, width)."""
    figure = Figure(figsize=(3, 3))
    canvas(figure)
    figure.text(0.5, 0.5, words, rotation=angle, fontsize=size, ha="center", va="center")
    figure.canvas.draw()
    return 255.0 - np.asarray(figure.canvas.buffer_rgba())[..., :3].mean(axis=2)


def box(dark: np.ndarray) -> np.ndarray:
    rows, columns = np.nonzero(dark > 40)
    return np.array([rows.min(), rows.max(), columns.min(), columns.max()])


@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("words", ["rouge-2[stem:no].recall", "τ-b = −.57", "Jy"])
def test_text_is_drawn_where_matplotlib_draws_it(words, angle):
    for size in (8.5, 9.5, 8.5):  # the second time from what was kept
        mine, theirs = (written(canvas, words, angle, size) for canvas in (CachedTextCanvas, FigureCanvasAgg))
        assert np.abs(box(mine) - box(theirs)).max() <= 1
        assert mine.sum() == pytest.approx(theirs.sum(), rel=0.05)


def test_text_has_the_extent_that_matplotlib_measures():
    figure = Figure()
    CachedTextCanvas(figure)
    text = figure.text(0, 0, "rouge-l.f", fontsize=9)
    mine = text.get_window_extent(figure.canvas.get_renderer())
    FigureCanvasAgg(figure)
    assert mine.size == pytest.approx(text.get_window_extent(figure.canvas.get_renderer()).size)


def test_formulas_are_drawn_by_matplotlib():
    mine, theirs = (written(canvas, "$x^2$", 0, 12) for canvas in (CachedTextCanvas, FigureCanvasAgg))
    assert (mine == theirs).all()
