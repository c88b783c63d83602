"""Layout of overlapping marks: tints and lanes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QTextDocument, QTextLine

from gui.annotation.text.annotated_text import MarkPainter, Rings
from gui.annotation.text.marks import Mark, WeightSpan, layout_marks, stretches_in, units_at

SPAN = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda pair: (pair[0], sum(pair)))
MARKS = st.lists(
    st.builds(Mark, st.uuids().map(str), st.integers(1, 5), st.lists(SPAN, max_size=4).map(tuple)), max_size=8
)


def test_the_heavier_of_two_overlapping_marks_gets_the_tint_and_both_get_a_rail():
    layout = layout_marks([Mark("light", 2, ((0, 10),)), Mark("heavy", 4, ((6, 14),))])
    assert layout.tints == (WeightSpan(0, 6, 2), WeightSpan(6, 14, 4))
    assert [[(rail.start, rail.end) for rail in lane] for lane in layout.lanes] == [[(0, 10)], [(6, 14)]]


def test_parts_that_only_touch_share_a_lane():
    assert len(layout_marks([Mark("a", 1, ((0, 5),)), Mark("b", 3, ((5, 9),))]).lanes) == 1


def test_units_outside_the_pyramid_get_neither_tint_nor_rail():
    layout = layout_marks([Mark("m", 0, ((8, 9), (2, 4)))])
    assert layout.tints == ()
    assert layout.lanes == ()
    assert layout.outside == ((2, 4), (8, 9))


def test_a_unit_outside_the_pyramid_is_muted_only_without_a_tint():
    marks = [Mark("m", 0, ((0, 20),)), Mark("a", 2, ((4, 6),)), Mark("b", 3, ((15, 30),))]
    assert layout_marks(marks).muted == ((0, 4), (6, 15))


def test_units_at_a_position_are_ordered_by_weight():
    marks = [Mark("light", 1, ((0, 9),)), Mark("heavy", 5, ((3, 5),)), Mark("far", 2, ((7, 9),))]
    assert units_at(marks, 4, 5) == ("heavy", "light")
    assert units_at(marks, 9, 10) == ()


@given(MARKS)
def test_every_position_has_the_tint_of_its_heaviest_mark(marks):
    heaviest = {}
    for mark in marks:
        for start, end in mark.spans:
            for place in range(start, end):
                heaviest[place] = max(mark.step, heaviest.get(place, 0))
    painted = {
        place: tint.step for tint in layout_marks(marks).tints for place in range(tint.start, tint.end)
    }
    assert painted == heaviest


@given(MARKS)
def test_rails_of_a_lane_never_overlap_and_every_part_has_one(marks):
    lanes = layout_marks(marks).lanes
    for lane in lanes:
        assert all(one.end <= two.start for one, two in pairwise(lane))
    drawn = sorted((rail.start, rail.end, rail.step) for lane in lanes for rail in lane)
    assert drawn == sorted((start, end, mark.step) for mark in marks for start, end in mark.spans)


@given(MARKS, SPAN)
def test_stretches_in_returns_the_stretches_of_a_line(marks, line):
    tints = layout_marks(marks).tints
    expected = [tint for tint in tints if tint.start < line[1] and line[0] < tint.end]
    assert list(stretches_in(tints, *line)) == expected


def test_a_repetition_has_a_rail_but_no_tint():
    first, again = Mark("scu", 3, ((0, 4),), "m1"), Mark("scu", 3, ((10, 14),), "m2", is_repeat=True)
    layout = layout_marks([first, again])
    assert [(tint.start, tint.end) for tint in layout.tints] == [(0, 4)]
    assert [(rail.start, rail.end) for rail in layout.lanes[0]] == [(0, 4), (10, 14)]


def test_a_unit_and_its_repetition_are_highlighted_together_or_alone():
    first, again = Mark("scu", 3, ((0, 4),), "m1"), Mark("scu", 3, ((2, 6),), "m2", is_repeat=True)
    assert [mark.belongs_to("scu") for mark in (first, again)] == [True, True]
    assert [mark.belongs_to("m2") for mark in (first, again)] == [False, True]
    assert not again.belongs_to("")
    assert units_at([first, again], 3, 4) == ("scu",)


@pytest.mark.parametrize("words", ["صارت Aldis Star قرب ساحل", "The Aldis جنحت العبارة Star off Brennick"])
def test_a_tint_covers_the_letters_of_its_span_where_directions_mix(words, qapp):
    document = QTextDocument(words)
    document.setTextWidth(700)
    layout = document.firstBlock().layout()
    for start, end in ((0, 12), (6, 16), (10, len(words))):
        image = QImage(720, 60, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        marker = MarkPainter(painter, document, QPointF(0, 10), QRectF(0, 0, 720, 60))
        marker.paint(layout_marks([Mark("scu", 4, ((start, end),))]), Rings())
        painter.end()
        line, left = layout.lineAt(0), layout.position().x()
        middle = round(10 + layout.position().y() + line.ascent() / 2)
        sides = QTextLine.Edge.Leading, QTextLine.Edge.Trailing
        for place in range(len(words)):
            one, other = (line.cursorToX(place, side)[0] for side in sides)
            if one != other:  # where the direction changes, a caret has no place of its own
                pixel = image.pixelColor(round(left + (one + other) / 2), middle)
                assert (pixel.rgb() != 0xFFFFFFFF) == (start <= place < end), (words[place], start, end)
