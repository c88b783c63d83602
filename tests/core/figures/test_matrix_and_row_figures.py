"""Heatmaps of measures, bars with intervals, spreads and ranks: what is drawn where."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.text import Annotation

from core.comparison.intercorrelation import cluster_measures
from core.figures import scatter_and_heatmap
from core.figures.canvas import shorten_label
from core.figures.matrix_figures import MatrixFigure, intercorrelation, least_size, significance
from core.figures.palette import DARK, LIGHT, diverging, rgb, writing_on
from core.figures.row_figures import (
    DistributionRows,
    IntervalRows,
    RankFlow,
    distribution,
    interval_bars,
    rank_flow,
    rows_that_fit,
)

NAMES = ("rouge-1.f", "rouge-2.f", "chrf")
LIKE = np.array([[1.0, 0.9, -0.5], [0.9, 1.0, np.nan], [-0.5, np.nan, 1.0]])


def pixels(figure) -> np.ndarray:
    return np.asarray(figure.axes[0].images[0].get_array())


def texts(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_colours_show_the_sign_and_size_of_a_correlation():
    figure = intercorrelation(MatrixFigure(NAMES, LIKE), LIGHT)
    drawn = pixels(figure)
    ground, accent, negative = (rgb(c) for c in (LIGHT.surface, LIGHT.accent, LIGHT.negative))
    bar = figure.axes[1]
    assert [tick.get_text() for tick in bar.get_yticklabels()] == ["−1.00", "−.50", ".00", ".50", "1.00"]
    np.testing.assert_allclose(drawn[0, 1], ground + (accent - ground) * 0.75 * 0.9)
    np.testing.assert_allclose(drawn[0, 2], ground + (negative - ground) * 0.75 * 0.5)
    np.testing.assert_allclose(drawn[1, 2], ground)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_numbers_on_every_colour_of_the_scale_have_contrast(palette):
    def luminance(colour):
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    for colour in diverging(np.linspace(-1, 1, 81), palette):
        low, high = sorted((luminance(colour), luminance(rgb(writing_on(colour, palette)))))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_a_large_matrix_is_large_enough_for_its_labels():
    names = tuple(f"rouge-{i}[stem:yes].f" for i in range(45))
    figure = intercorrelation(MatrixFigure(names, np.eye(45)), LIGHT, least_size(names))
    figure.draw_without_rendering()
    labels = figure.axes[0].get_yticklabels()
    assert [tick.get_text() for tick in labels] == [shorten_label(name) for name in names]
    boxes = [tick.get_window_extent() for tick in labels]
    assert all(not one.overlaps(other) for one, other in pairwise(boxes))


def test_missing_glyphs_are_drawn_with_a_fallback_font():
    """Warnings are errors in tests; matplotlib warns of missing glyphs."""
    few_signs = replace(LIGHT, font="DejaVu Sans Display")
    figure = intercorrelation(MatrixFigure(NAMES, LIKE), few_signs, (5, 5))
    figure.savefig(io.BytesIO(), format="png")


def test_wide_cells_contain_their_numbers():
    assert texts(intercorrelation(MatrixFigure(NAMES, LIKE), LIGHT, (5, 5)))[:3] == ["1.00", ".90", "−.50"]
    many = MatrixFigure(tuple(f"m{i}" for i in range(60)), np.eye(60))
    assert not texts(intercorrelation(many, LIGHT, (5, 5)))


def test_labels_are_thinned_but_the_selected_one_is_kept():
    names = tuple(f"m{i}" for i in range(100))
    figure = intercorrelation(MatrixFigure(names, np.eye(100)), LIGHT, (4, 4), selected="m47")
    labels = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert len(labels) < 40
    assert "m47" in labels


def test_the_dendrogram_is_aligned_with_its_columns():
    values = np.nan_to_num(LIKE)
    tree = cluster_measures(values)
    figure = intercorrelation(MatrixFigure(NAMES, values, tree), DARK)
    above = figure.axes[0].child_axes[0]
    lines = [c for c in above.collections if isinstance(c, LineCollection)]
    assert len(lines[0].get_segments()) == 2
    assert above.get_xlim() == figure.axes[0].get_xlim()


def test_a_cell_is_dark_only_if_its_row_is_significantly_better():
    p = np.array([[np.nan, 0.01, 0.4], [-0.01, np.nan, 0.05], [-0.4, -0.05, np.nan]])
    image = pixels(significance(MatrixFigure(NAMES, p), LIGHT))
    ground, accent = rgb(LIGHT.surface), rgb(LIGHT.accent)
    np.testing.assert_allclose(image[0, 1], ground + (accent - ground) * 0.75)
    np.testing.assert_allclose(image[0, 2], ground + (accent - ground) * 0.14)
    np.testing.assert_allclose(image[1, 2], image[0, 2], err_msg=".05 is not below .05")
    np.testing.assert_allclose(image[1, 0], ground)


def test_bars_show_their_interval_and_number():
    rows = IntervalRows(
        NAMES, np.array([0.9, 0.5, -0.2]), np.array([0.7, 0.1, np.nan]), np.array([1, 0.8, np.nan])
    )
    figure = interval_bars(rows, LIGHT, selected="chrf", x_label="r with Coherence")
    axes = figure.axes[0]
    assert [round(bar.get_width(), 2) for bar in axes.patches[:3]] == [0.9, 0.5, -0.2]
    ends = [tuple(segment[:, 0]) for segment in axes.collections[0].get_segments()[:2]]
    assert ends == [(0.7, 1.0), (0.1, 0.8)]
    assert texts(figure) == [".90", ".50", "−.20"]
    bold = [tick.get_text() for tick in axes.get_yticklabels() if tick.get_fontweight() == "bold"]
    assert bold == ["chrf"]


def test_a_distribution_omits_missing_values():
    figure = distribution(
        DistributionRows(("a", "b"), (np.array([1.0, np.nan, 3.0]), np.array([np.nan]))), LIGHT
    )
    lines = figure.axes[0].lines
    assert [list(line.get_xdata()) for line in lines] == [[1.0, 3.0], [2.0]], "dots, their mean; none for b"


def test_tied_ranks_are_drawn_below_each_other():
    flow = RankFlow(
        ("a", "b", "c"), "rouge-1.f", "Coherence", np.array([1, 2.5, 2.5]), np.array([3.0, 1.0, 2.0])
    )
    figure = rank_flow(flow, LIGHT, chosen={"b"})
    ends = [tuple(line.get_ydata()) for line in figure.axes[0].lines]
    assert ends == [(0, 2), (1, 0), (2, 1)]
    words = [t.get_text() for t in figure.axes[0].texts if isinstance(t, Annotation)]
    assert words[:4] == ["a  1", "3  a", "b  2.5", "1  b"]
    assert figure.axes[0].lines[1].get_color() == LIGHT.accent


def test_the_same_numbers_give_the_same_image():
    one, other = (
        scatter_and_heatmap.to_svg(intercorrelation(MatrixFigure(NAMES, LIKE), LIGHT), "t") for _ in range(2)
    )
    assert one == other


def test_a_higher_figure_has_more_rows():
    assert rows_that_fit(2.75) == 10
    assert rows_that_fit(0.1) == 4
