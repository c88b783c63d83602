"""Charts of experiments: what is drawn, and that names do not cover each other."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
from matplotlib.text import Text

from core.figures.charts import chart
from core.figures.palette import DARK, LIGHT
from core.figures.scatter_and_heatmap import to_svg
from core.formatting.tables import CellKind, Column, Table
from core.report.result_files import write_result
from core.results.result import Chart, ChartKind, Result, Series

X = (1.0, 2.0, 3.0, 4.0)


def curves(count=3, **changed):
    series = tuple(
        Series(f"measure {i}", tuple(0.8 + 0.001 * i + 0.02 * x for x in X), X) for i in range(count)
    )
    chosen = {"kind": ChartKind.CURVES, "series": series, "ticks": (), **changed}
    return Chart("Fewer references", x_label="references", y_label="r", **chosen)


@pytest.mark.parametrize("count", [1, 4, 12])
def test_names_of_curves_do_not_overlap(count):
    figure = chart(curves(count), LIGHT)
    figure.draw_without_rendering()
    names = [note.get_text() for note in figure.axes[0].texts]
    assert sorted(names) == sorted(f"measure {i}" for i in range(count))
    places = sorted(note.xyann[1] + _height(figure, note) for note in figure.axes[0].texts)
    assert all(b - a >= 11.9 for a, b in pairwise(places))


def test_the_lines_from_curves_to_names_end_before_the_names():
    figure = chart(curves(12), LIGHT)
    figure.draw_without_rendering()
    for note in figure.axes[0].texts:
        line = note.arrow_patch.get_window_extent()
        assert line.x1 <= Text.get_window_extent(note).x0 + 1, note.get_text()


def test_a_note_fits_the_width_of_its_figure():
    note = "WWW mmm " * 40 + "some more words of usual width that go on for a while and on"
    for size, later in (((5.0, 4.0), (5.0, 4.0)), ((7.0, 4.0), (5.2, 4.0))):
        figure = chart(curves(note=note), LIGHT, size)
        figure.set_size_inches(*later)  # as the window does
        figure.draw_without_rendering()
        (text,) = [one for one in figure.texts if one.get_text().startswith("WWW")]
        assert text.get_window_extent().x1 <= figure.bbox.x1
        assert text.get_window_extent().y1 < figure.axes[0].get_tightbbox().y0


def test_names_of_near_points_do_not_overlap():
    points = ((0.62, 0.816), (0.62, 0.817), (0.7, 0.866), (0.79, 0.864), (0.85, 0.86), (0.83, 0.84))
    names = tuple(f"rouge-{at}[stem:yes].precision" for at in range(len(points)))
    x, y = zip(*points, strict=True)
    some = Chart("Front", ChartKind.SCATTER, "r", "r", (Series("all", y, x, names=names),), note="A note.")
    figure = chart(some, LIGHT, (6.0, 4.5))
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in figure.axes[0].texts]
    assert len(boxes) == len(points)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_only_the_highest_of_many_curves_are_labelled():
    figure = chart(curves(60), LIGHT)
    names = [note.get_text() for note in figure.axes[0].texts]
    assert 10 < len(names) < 60
    assert names[-1] == "measure 59"
    assert names == [f"measure {i}" for i in range(60 - len(names), 60)]


def _height(figure, note):
    return figure.axes[0].transData.transform(note.xy)[1] * 72 / figure.dpi


def test_curves_of_few_references_have_a_tick_at_each():
    figure = chart(curves(), LIGHT)
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1", "2", "3", "4"]


def test_no_two_curves_share_marker_and_dashes():
    lines = chart(curves(12), DARK).axes[0].lines
    assert len({(line.get_marker(), str(line.get_linestyle())) for line in lines}) == 12


def test_an_undefined_curve_has_no_label():
    nothing = Series("nothing", (math.nan,) * 4, X)
    figure = chart(curves(series=(nothing, *curves(1).series)), LIGHT)
    assert [note.get_text() for note in figure.axes[0].texts] == ["measure 0"]


def test_every_kind_is_drawn_reproducibly():
    points = Series("m", (0.1, 0.4, 0.2), (1.0, 2.0, 3.0), names=("a", "b", "c"))
    rows = tuple(Series(name, (0.1, math.nan, 1.0)) for name in "pqr")
    bars = (Series("one", (0.5, -0.2), low=(0.4, -0.3), high=(0.6, 0.0)), Series("two", (0.1, 0.2)))
    for kind, series, ticks in (
        (ChartKind.SCATTER, (points,), ()),
        (ChartKind.HEATMAP, rows, ("x", "y", "z")),
        (ChartKind.HEATMAP, rows, ("p", "q", "r")),
        (ChartKind.BARS, bars, ("first", "second")),
        (ChartKind.BARS, (Series("one", ()),), ()),
    ):
        drawn = curves(kind=kind, series=series, ticks=ticks)
        first, second = (to_svg(chart(drawn, LIGHT), "t") for _ in range(2))
        assert first == second
        assert first.startswith("<svg ")


def test_a_result_is_written_for_papers_and_programs(tmp_path):
    table = Table(
        "T", (Column("Measure", "m"), Column("r", "r", CellKind.CORRELATION)), (("a", 0.5),), "Note."
    )
    files = write_result(Result("R", (table,), (curves(),)), tmp_path / "out", "mine")
    assert [file.name for file in files] == [
        "mine-figure-1.pdf",
        "mine-figure-1.svg",
        "mine-table-1.csv",
        "mine-table-1.md",
        "mine-table-1.tex",
        "mine.json",
    ]
    assert files[0].read_bytes().startswith(b"%PDF")
    assert files[3].read_text().endswith("| a | .50 |\n\nNote.\n")
    assert files[2].read_text() == "m,r\na,0.5\n"


def bars(names, count=2):
    several = tuple(Series(f"set {i}", (0.5,) * len(names)) for i in range(count))
    return curves(kind=ChartKind.BARS, series=several, ticks=tuple(names))


LONG_NAMES = [f"rouge-{i}[stem:no,stop:yes].recall" for i in range(14)]


@pytest.mark.parametrize("size", [None, (7.0, 5.0), (7.0, 2.5)])
def test_labels_do_not_overlap_the_legend_or_each_other(size):
    figure = chart(bars(LONG_NAMES), LIGHT, size)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    legend = figure.legends[0].get_window_extent()
    names = [t for t in (*axes.get_yticklabels(), *axes.get_xticklabels()) if t.get_text()]
    assert not any(legend.overlaps(name.get_window_extent()) for name in names)
    if size is None:
        edges = sorted(name.get_window_extent().extents[[1, 3]].tolist() for name in axes.get_yticklabels())
        assert all(top <= bottom for (_, top), (bottom, _) in pairwise(edges))


def test_bars_with_long_names_are_horizontal_and_with_short_ones_vertical():
    lying, upright = chart(bars(LONG_NAMES), LIGHT).axes[0], chart(bars("abc"), LIGHT).axes[0]
    assert [t.get_text() for t in upright.get_xticklabels()] == ["a", "b", "c"]
    assert len(lying.get_yticklabels()) == 14
    assert lying.yaxis_inverted()
    assert lying.get_xlabel() == upright.get_ylabel() == "r"


def test_unlabelled_curves_are_mentioned():
    figure = chart(curves(60), LIGHT)
    named = len(figure.axes[0].texts)
    assert figure.get_supxlabel() == f"Labelled: top {named} at the right end; grey: {60 - named} others."
    assert chart(curves(3), LIGHT).get_supxlabel() == ""


def test_long_tick_labels_of_curves_do_not_overlap():
    names = tuple(f"study number {i}" for i in range(12))
    series = (Series("m", tuple(0.1 * i for i in range(12)), tuple(map(float, range(12)))),)
    figure = chart(curves(series=series, ticks=names), LIGHT)
    ticks = figure.axes[0].get_xticklabels()
    assert [tick.get_text() for tick in ticks] == list(names)
    assert {tick.get_rotation() for tick in ticks} == {45.0}


def test_a_histogram_has_an_axis_of_numbers_and_a_legend():
    x = tuple(0.986 + 0.0005 * i for i in range(24))
    series = tuple(Series(f"Topics: {n}", tuple(float(i % n) for i in range(24)), x) for n in (3, 5))
    figure = chart(curves(kind=ChartKind.HISTOGRAM, series=series), LIGHT)
    (axes,) = figure.axes
    figure.draw_without_rendering()
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert len(ticks) == len(set(ticks)) < 12
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Topics: 3", "Topics: 5"]


def test_many_bars_become_dots_on_a_row_per_name():
    names = tuple(f"a rather long name {i}" for i in range(33))
    series = tuple(Series(n, tuple(0.02 * i for i in range(33))) for n in ("r", "rho", "tau"))
    (axes,) = chart(curves(kind=ChartKind.BARS, series=series, ticks=names), LIGHT).axes
    assert not axes.patches
    assert [line.get_label() for line in axes.get_lines()[:3]] == ["r", "rho", "tau"]


def test_long_headings_of_a_heatmap_are_wrapped():
    titles = tuple(f"correlation with the judgement number {i}" for i in range(9))
    series = tuple(Series(f"m{i}", (0.1,) * 9) for i in range(4))
    figure = chart(curves(kind=ChartKind.HEATMAP, series=series, ticks=titles), LIGHT)
    assert figure.get_figwidth() < 14.5
    assert all("\n" in tick.get_text() for tick in figure.axes[0].get_xticklabels())


@pytest.mark.parametrize("kind", ChartKind)
def test_files_of_figures_have_the_warnings_of_their_result(kind, tmp_path):
    drawn = curves(kind=kind, ticks=tuple("abcd"), note="Means. † stand-in: small model.")
    write_result(Result("R", (), (drawn,), warnings=("Only 4 systems.",)), tmp_path / "out", "r")
    text = (tmp_path / "out" / "r-figure-1.svg").read_text("utf-8")
    assert "Means. Only 4 systems. † stand-in: small model." in text


def test_a_file_of_one_table_has_the_warnings_of_its_result(tmp_path):
    table = Table("T", (Column("Measure", "measure"),), (("m†",),), "Means. † stand-in: small model.")
    write_result(Result("R", (table,), warnings=("Only 4 systems.",)), tmp_path / "out", "r")
    text = (tmp_path / "out" / "r-table-1.md").read_text("utf-8")
    assert "Means. Only 4 systems. † stand-in: small model." in text
    assert "Only 4 systems" in (tmp_path / "out" / "r-table-1.tex").read_text("utf-8")
    assert (tmp_path / "out" / "r-table-1.csv").read_text("utf-8").splitlines()[
        1
    ] == "m,stand-in: small model."
