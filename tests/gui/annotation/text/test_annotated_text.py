"""The annotated text widget: selection by keyboard and mouse, pending spans, clicks on overlapping units."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QTextCursor

from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.style import theme
from gui.widgets.utf16_offsets import offsets_of

TEXT = "A 😀 buoy (red) had\r\ndrifted—far, in the café\u0301's storm."
SHIFT, ALT, CTRL = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
)


def span(words: str) -> tuple[int, int]:
    start = TEXT.index(words)
    return start, start + len(words)


@pytest.fixture
def text(qtbot):
    widget = AnnotatedText("Reference A")
    qtbot.addWidget(widget)
    widget.resize(500, 200)
    widget.show_text(TEXT)
    widget.show()
    widget.setFocus()
    return widget


def chosen(widget) -> list[str]:
    return [TEXT[start:end] for start, end in widget.selected_spans()]


def put_caret(widget, words: str, inside: int = 0) -> None:
    cursor = widget.textCursor()
    cursor.setPosition(offsets_of(TEXT).to_document(span(words)[0] + inside))
    widget.setTextCursor(cursor)


def point_of(widget, offset: int) -> QPoint:
    cursor = QTextCursor(widget.document())
    cursor.setPosition(offsets_of(TEXT).to_document(offset))
    return widget.cursorRect(cursor).center() + QPoint(2, 0)


def drag(qtbot, widget, start: int, end: int, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    area = widget.viewport()
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, modifier, point_of(widget, start))
    qtbot.mouseMove(area, point_of(widget, end))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, modifier, point_of(widget, end))


def test_shift_and_arrows_select_whole_words_across_emoji_and_line_ends(text, qtbot):
    put_caret(text, "buoy", 2)
    for _ in range(4):
        qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT)
    assert chosen(text) == ["buoy (red) had\r\ndrifted"]
    qtbot.keyClick(text, Qt.Key.Key_Left, SHIFT)
    assert chosen(text) == ["buoy (red) had"]


def test_a_selection_can_be_reversed_over_its_start(text, qtbot):
    put_caret(text, "(red)", 1)
    qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT)
    for _ in range(2):
        qtbot.keyClick(text, Qt.Key.Key_Left, SHIFT)
    assert chosen(text) == ["buoy"]


def test_alt_selects_by_characters(text, qtbot):
    put_caret(text, "storm")
    for _ in range(3):
        qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT | ALT)
    assert chosen(text) == ["sto"]


def test_the_mouse_selects_words_and_with_alt_characters(text, qtbot):
    drag(qtbot, text, span("uoy")[0], span("ed)")[0])
    assert chosen(text) == ["buoy (red"]
    drag(qtbot, text, span("uoy")[0], span("ed)")[0], ALT)
    assert chosen(text) != ["buoy (red"]


def test_pending_spans_and_the_selection_are_returned_in_text_order(text, qtbot):
    text.select_spans([span("storm")])
    assert text.add_pending_span()
    put_caret(text, "buoy")
    qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT)
    assert text.selected_spans() == (span("buoy"), span("storm"))
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert text.selected_spans() == ()


def test_without_a_selection_no_pending_span_is_added(text):
    assert not text.add_pending_span()


def test_ctrl_adds_the_selection_to_the_pending_spans(text, qtbot):
    drag(qtbot, text, span("buoy")[0], span("uoy")[0])
    drag(qtbot, text, span("storm")[0], span("torm")[0], CTRL)
    assert chosen(text) == ["buoy", "storm"]


def test_overlapping_parts_become_one_span(text):
    text.select_spans([span("buoy (red"), span("(red) had")])
    assert chosen(text) == ["buoy (red) had"]


def test_clicks_cycle_through_overlapping_units(text, qtbot):
    text.show_marks([Mark("light", 1, (span("buoy (red) had"),)), Mark("heavy", 3, (span("buoy"),))])
    area, where = text.viewport(), point_of(text, span("buoy")[0])
    clicked = []
    text.unit_clicked.connect(clicked.append)
    text.unit_clicked.connect(text.show_selected)
    for _ in range(3):
        qtbot.mouseClick(area, Qt.MouseButton.LeftButton, pos=where)
    assert clicked == ["heavy", "light", "heavy"]


def test_clicking_text_without_marks_chooses_nothing(text, qtbot):
    text.show_marks([Mark("heavy", 3, (span("buoy"),))])
    with qtbot.assertNotEmitted(text.unit_clicked):
        qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=point_of(text, span("storm")[0]))


def test_hovering_names_the_unit_and_leaving_names_none(text, qtbot):
    text.show_marks([Mark("heavy", 3, (span("buoy"),))])
    with qtbot.waitSignal(text.unit_hovered) as hovered:
        qtbot.mouseMove(text.viewport(), point_of(text, span("uoy")[0]))
    assert hovered.args == ["heavy"]


def test_hovering_overlapping_units_names_all_of_them(text, qtbot):
    text.show_marks([Mark("light", 1, (span("buoy (red) had"),)), Mark("heavy", 3, (span("buoy"),))])
    qtbot.mouseMove(text.viewport(), point_of(text, span("storm")[0]))
    with qtbot.waitSignal(text.units_hovered) as hovered:
        qtbot.mouseMove(text.viewport(), point_of(text, span("uoy")[0]))
    assert hovered.args == [("heavy", "light")]


def test_marks_preserve_selection_scroll_position_and_text(text):
    text.select_spans([span("buoy")])
    text.verticalScrollBar().setValue(7)
    before = text.verticalScrollBar().value()
    text.show_marks([Mark("heavy", 3, (span("storm"),)), Mark("unit", 0, (span("far"),))])
    assert chosen(text) == ["buoy"]
    assert text.verticalScrollBar().value() == before
    assert text.toPlainText() == TEXT.replace("\r\n", "\n")


def test_the_background_of_a_part_has_the_colour_of_its_weight(text):
    text.show_marks([Mark("heavy", 4, (span("storm"),))])
    picture = text.viewport().grab().toImage()
    box = point_of(text, span("torm")[0])
    colours = {picture.pixelColor(box.x(), box.y() + dy).name() for dy in range(-9, 9)}
    assert QColor(theme.tokens().weights[3].tint).name() in colours


def test_the_background_of_right_to_left_text_ends_with_its_last_line(qtbot):
    widget = AnnotatedText("Reference A")
    qtbot.addWidget(widget)
    widget.resize(300, 120)
    words = "أغلقت العاصفة الميناء يومين كاملين وانتظرت\u2028سفينتان"
    widget.show_text(words)
    widget.show()
    layout = widget.document().firstBlock().layout()
    line = layout.lineAt(layout.lineCount() - 1)
    box = line.naturalTextRect().translated(layout.position())
    assert box.left() > widget.width() / 2, "the last line leaves space at its left"
    tint = QColor(theme.tokens().weights[3].tint).name()

    def is_tinted(x: float) -> bool:
        picture = widget.viewport().grab().toImage()
        rows = range(round(box.top()), round(box.bottom()))
        return tint in {picture.pixelColor(round(x), y).name() for y in rows}

    widget.show_marks([Mark("heavy", 4, ((0, len(words)),))])
    assert is_tinted(box.left() + 5)
    assert not is_tinted(box.left() - 15)
    assert not is_tinted(15)


def test_units_outside_the_pyramid_are_italic_until_they_are_removed(text):
    def is_italic() -> bool:
        cursor = QTextCursor(text.document())
        cursor.setPosition(offsets_of(TEXT).to_document(span("torm")[0]))
        return cursor.charFormat().fontItalic()

    text.show_marks([Mark("unit", 0, (span("storm"),))])
    assert is_italic()
    text.show_marks([])
    assert not is_italic()


def test_a_new_text_has_no_formatting_of_the_previous_one(text):
    text.show_marks([Mark("unit", 0, ((0, len(TEXT)),))])
    text.show_text("Another text.")
    cursor = QTextCursor(text.document())
    cursor.setPosition(4)
    assert not cursor.charFormat().fontItalic()


def test_revealing_a_unit_scrolls_to_it(qtbot):
    widget = AnnotatedText("Reference A")
    qtbot.addWidget(widget)
    widget.resize(300, 120)
    long = "word " * 800 + "end"
    widget.show_text(long)
    widget.show_marks([Mark("unit", 1, ((len(long) - 3, len(long)),))])
    widget.show()
    assert widget.reveal("unit")
    assert widget.verticalScrollBar().value() > 1000
    assert not widget.reveal("other")


def test_proposed_spans_are_outlined_and_not_selected(text):
    ground = QColor(theme.tokens().accent).rgb()

    def outlined_pixels() -> int:
        seen = text.viewport().grab().toImage()
        return sum(seen.pixel(x, y) == ground for x in range(seen.width()) for y in range(seen.height()))

    without = outlined_pixels()
    text.show_proposed([span("drifted")])
    assert outlined_pixels() > without
    assert (text.proposed, chosen(text)) == ((span("drifted"),), [])
    text.show_proposed(())
    assert outlined_pixels() == without


def test_proposed_spans_are_scrolled_into_view(text, qtbot):
    text.resize(160, 60)
    text.show_proposed([span("storm")])
    assert text.viewport().rect().contains(point_of(text, span("storm")[0]))
    text.show_text("Another text.")
    assert text.proposed == ()


def test_dots_fill_the_gaps_within_an_expression_but_not_to_a_repetition(text):
    shown = offsets_of(TEXT)
    first = Mark("scu", 2, (span("A"), span("red")), "m1")
    again = Mark("scu", 2, (span("storm"),), "m2", is_repeat=True)
    text.show_marks([first, again])
    text.show_selected("scu")
    assert [shown.span_to_document(s) for s in (span("A"), span("red"), span("storm"))] == list(
        text.rings().selected
    )
    (gap,) = text.rings().gaps
    assert gap == (shown.to_document(span("A")[1]), shown.to_document(span("red")[0]))
    text.show_selected("m2")
    assert text.rings().gaps == ()
