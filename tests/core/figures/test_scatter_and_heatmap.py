"""Figures: what is drawn, where names stand, and that the same numbers give the same bytes."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Annotation, Text

from core.comparison.comparison import ScatterPoints
from core.figures import scatter_and_heatmap
from core.figures.canvas import add_note, empty_figure
from core.figures.label_placement import Box, place_labels
from core.figures.palette import DARK, LIGHT
from core.stats.correlation import Coefficient, Level, correlate


def points_of(count: int, level: Level = Level.SYSTEM) -> ScatterPoints:
    random = np.random.default_rng(count)
    x = random.normal(0.8, 0.03, count)
    y = 2 * x - 1 + random.normal(0, 0.03, count)
    names = tuple(f"System {i}" for i in range(count))
    correlation = correlate(x[:, None], y[:, None], Level.SYSTEM, Coefficient.PEARSON)
    return ScatterPoints(
        "rouge-2.f",
        "rating.coherence",
        level,
        Coefficient.PEARSON,
        names,
        names,
        ("",) * count,
        x,
        y,
        correlation,
    )


def names_in(figure) -> list[Annotation]:
    return [child for child in figure.axes[0].get_children() if isinstance(child, Annotation)]


def test_labels_overlap_neither_each_other_nor_points():
    figure = scatter_and_heatmap.scatter(points_of(16), LIGHT)
    figure.draw_without_rendering()
    boxes = [name.get_window_extent() for name in names_in(figure)]
    assert len(boxes) == 16
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
    dots = figure.axes[0].transData.transform(np.column_stack([points_of(16).x, points_of(16).y]))
    assert not any(box.contains(*dot) for box in boxes for dot in dots)


def test_the_selected_point_is_named_in_bold():
    figure = scatter_and_heatmap.scatter(points_of(5), LIGHT, selected=2)
    weights = {name.get_text(): name.get_fontweight() for name in names_in(figure)}
    assert [name for name, weight in weights.items() if weight == "bold"] == ["System 2"]


def test_beyond_forty_points_and_below_the_system_level_no_names_are_written():
    assert not names_in(scatter_and_heatmap.scatter(points_of(41), LIGHT))
    assert not names_in(scatter_and_heatmap.scatter(points_of(9, Level.GLOBAL), LIGHT))
    assert len(names_in(scatter_and_heatmap.scatter(points_of(40), LIGHT))) == 40


def test_the_line_and_its_band_are_drawn_only_where_they_exist():
    with_line, without = (
        scatter_and_heatmap.scatter(points_of(6), LIGHT),
        scatter_and_heatmap.scatter(points_of(2), LIGHT),
    )
    assert [len(figure.axes[0].lines) for figure in (with_line, without)] == [1, 0]


@pytest.mark.parametrize("count", [0, 1])
def test_a_plot_of_few_points_is_valid(count):
    assert scatter_and_heatmap.to_svg(scatter_and_heatmap.scatter(points_of(count), DARK), "t").startswith(
        "<svg "
    )


@pytest.mark.parametrize("level", list(Level))
def test_the_same_numbers_give_the_same_svg(level):
    first, second = (
        scatter_and_heatmap.to_svg(scatter_and_heatmap.scatter(points_of(7, level), LIGHT), "Seven")
        for _ in range(2)
    )
    assert first == second
    root = ElementTree.fromstring(first)
    assert root.attrib["aria-label"] == "Seven"
    assert "date" not in first.lower()


def test_figures_on_one_page_share_no_ids():
    first, second = (
        scatter_and_heatmap.to_svg(scatter_and_heatmap.scatter(points_of(7), LIGHT), "t", salt)
        for salt in "ab"
    )
    ids = [
        {node.attrib["id"] for node in ElementTree.fromstring(svg).iter() if "id" in node.attrib}
        for svg in (first, second)
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_text_stays_text_in_svg():
    assert ">System 3</text>" in scatter_and_heatmap.to_svg(
        scatter_and_heatmap.scatter(points_of(7), LIGHT), "t"
    )


def test_the_heatmap_prints_every_number():
    grid = scatter_and_heatmap.Grid(("a", "b"), ("Pyramid (modified)",), np.array([[0.97], [np.nan]]))
    svg = scatter_and_heatmap.to_svg(scatter_and_heatmap.heatmap(grid, LIGHT), "t")
    assert ">.97</text>" in svg
    assert ">–</text>" in svg


GRID = scatter_and_heatmap.Grid(
    ("a long name", "b"), ("Pyramid", "Fluency"), np.array([[0.97, 0.1], [0.2, -1.0]])
)
MEANS = scatter_and_heatmap.SystemMeans(
    ("lead", "best system"), ("rouge-1.f", "bleu[case=lc].score"), np.array([[0.97, 0.1], [0.2, 0.5]])
)


@pytest.mark.parametrize(
    "draw",
    [
        partial(scatter_and_heatmap.heatmap, GRID),
        partial(scatter_and_heatmap.bars, MEANS),
        partial(scatter_and_heatmap.scatter, points_of(7)),
    ],
)
def test_the_dark_figure_has_the_layout_of_the_light_one_as_if_it_were_drawn_alone(draw):
    light, draw_dark = scatter_and_heatmap.to_svg_of_both_modes(draw, "t", salt="s")
    alone = [
        scatter_and_heatmap.to_svg(draw(palette), "t", f"s by {when}")
        for palette, when in ((LIGHT, "day"), (DARK, "night"))
    ]
    assert [light, draw_dark()] == alone
    assert light != alone[1]


def test_a_figure_that_was_written_still_makes_room_for_longer_names():
    figure = scatter_and_heatmap.bars(MEANS, LIGHT)
    left = []
    for name in ("b", "a much longer name than before"):
        figure.axes[0].set_yticks([0, 1], ["a", name])
        scatter_and_heatmap.to_svg(figure, "t")
        left.append(figure.axes[0].get_position().x0)
    assert left[0] < left[1]
    assert all(axes.patch.get_visible() for axes in figure.axes)


def test_bars_are_in_the_order_of_the_first_measure():
    means = scatter_and_heatmap.SystemMeans(
        ("x", "y", "z"), ("m", "n"), np.array([[0.2, 1], [0.9, 2], [np.nan, 3]])
    )
    figure = scatter_and_heatmap.bars(means, LIGHT)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["z", "x", "y"]
    assert len(figure.axes) == 2


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), min_size=1, max_size=25))
@settings(max_examples=30, deadline=None)
def test_every_label_gets_a_position(points):
    sizes = [(40.0, 9.0)] * len(points)
    places = place_labels(np.array(points), sizes, [4.0] * len(points), Box(0, 0, 300, 200))
    assert len(places) == len(points)
    for place in places:
        assert place.box.right - place.box.left == pytest.approx(40)


def test_a_label_at_the_right_edge_is_placed_to_the_left():
    (place,) = place_labels(np.array([[295.0, 100.0]]), [(40.0, 9.0)], [4.0], Box(0, 0, 300, 200))
    assert place.box.right < 295


def test_matplotlib_is_imported_only_when_something_is_drawn():
    code = "import sys, core.report.build; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


NASTY = ("a$\\frac{b$c", "$x_1$", "<b>&", "a_very_long_system_name_" * 5, "C", "D")
LABEL = "bertscore[encoder:/home/somebody/models/a very long path/of a model, version 2,layer:11].f"


def nasty_points() -> ScatterPoints:
    return replace(points_of(6), names=NASTY, systems=NASTY, measure=LABEL)


@pytest.mark.parametrize("draw", ["scatter", "bars", "heatmap"])
def test_names_are_not_parsed_as_formulas_and_leave_room(draw):
    values = np.linspace(0, 1, 12).reshape(6, 2)
    figure = {
        "scatter": lambda: scatter_and_heatmap.scatter(nasty_points(), LIGHT, human_title="$\\alpha"),
        "bars": lambda: scatter_and_heatmap.bars(
            scatter_and_heatmap.SystemMeans(NASTY, (LABEL, "$\\alpha"), values), LIGHT
        ),
        "heatmap": lambda: scatter_and_heatmap.heatmap(
            scatter_and_heatmap.Grid(NASTY, (LABEL, "$\\alpha$"), values), LIGHT
        ),
    }[draw]()
    svg = scatter_and_heatmap.to_svg(
        figure, "<$\\frac$>"
    )  # warnings are errors here: none says that there is no room
    ElementTree.fromstring(svg)
    texts = re.sub(r"<[^>]+>", "", svg)
    assert "$\\alpha" in texts
    assert "a$\\frac{b$c" in texts
    assert max(axes.get_position().width for axes in figure.axes) > 0.2


def test_distinguishing_settings_are_below_the_name():
    figure = scatter_and_heatmap.bars(
        scatter_and_heatmap.SystemMeans(("A",), ("rouge-1[stem:no].f", "rouge-2.f"), np.ones((1, 2))), LIGHT
    )
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["rouge-1.f\n[stem:no]", "rouge-2.f"]


def test_a_note_is_wrapped_below_a_figure() -> None:
    note = "bertscore.f ran on all-MiniLM-L6-v2, a stand-in for roberta-large, which the paper used. " * 2
    figure, axes = empty_figure(LIGHT, (4.0, 3.0))
    axes.set_xlabel("mean over topics")
    add_note(figure, LIGHT, note.strip())
    figure.canvas.draw()
    (text,) = [each for each in figure.findobj(Text) if each.get_text().startswith("bertscore.f")]
    box, label = text.get_window_extent(), axes.xaxis.label.get_window_extent()
    assert " ".join(text.get_text().split()) == note.strip()
    assert box.x1 <= figure.bbox.x1
    assert box.y0 >= 0
    assert box.y1 <= label.y0
