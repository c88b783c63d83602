"""Layout of references, uncovered text, text size and line width."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication

from core.annotation.word_coverage import covered_spans, subtract_spans, uncovered_spans, words
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.pages.pyramid.references import ALL_COVERED
from gui.style import reading_preferences
from gui.widgets.utf16_offsets import FOLD_SIGN, offsets_of
from tests.gui.pages.pyramid.test_pyramid_page import Page

CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
TEXT = "A 😀 buoy (red) had\r\ndrifted, far in the night."
SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda s: (s[0], s[0] + s[1])))


@pytest.fixture(autouse=True)
def _as_usual():
    yield
    reading_preferences.apply(100, 0)


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    return made


@pytest.fixture
def text(qtbot):
    widget = AnnotatedText("Reference A")
    qtbot.addWidget(widget)
    widget.resize(500, 200)
    widget.show_text(TEXT)
    widget.show()
    widget.setFocus()
    return widget


def span(part: str) -> tuple[int, int]:
    start = TEXT.index(part)
    return start, start + len(part)


@given(st.text("ab .,😀", max_size=50), SPANS)
def test_covered_and_uncovered_spans_contain_every_word_once(text, spans):
    known = words(text)
    both = sorted((*covered_spans(known, spans), *uncovered_spans(known, spans)))
    assert all(one[1] <= other[0] for one, other in pairwise(both))
    assert [w for w in known if any(s <= w[0] and w[1] <= e for s, e in both)] == list(known)


def test_subtracting_spans_leaves_the_rest():
    assert subtract_spans((2, 20), [(0, 4), (6, 8), (18, 30)]) == ((4, 6), (8, 18))
    assert subtract_spans((2, 5), [(0, 9)]) == ()


@given(st.text("ab 😀\r\n", max_size=40), SPANS)
def test_offsets_outside_folds_round_trip_and_folds_are_one_character(text, spans):
    folds = covered_spans(words(text), spans)
    offsets = offsets_of(text, folds)
    assert offsets.shown.count(FOLD_SIGN) == len(folds)
    for start, end in folds:
        place = offsets.to_document(start)
        assert {offsets.to_document(inside) for inside in range(start, end)} == {place}
        assert offsets.to_document(end) == place + 1
        assert offsets.to_text(place) == start
    for offset, sign in enumerate(text):
        is_folded = any(start <= offset < end for start, end in folds)
        if not is_folded and text[offset - 1 : offset + 1] != "\r\n":
            units = offsets.shown.encode("utf-16-le")[2 * offsets.to_document(offset) :]
            assert sign in "\r\n" or "\r\n" in text or units.decode("utf-16-le").startswith(sign)


def test_covered_words_are_folded_and_unfolded(text):
    text.show_marks([Mark("u", 2, (span("buoy (red"), span("far")))])
    text.show_covered(False)
    assert text.toPlainText() == "A 😀 …) had\ndrifted, … in the night."
    text.show_marks([Mark("u", 2, (span("far"),))])
    assert text.toPlainText() == "A 😀 buoy (red) had\ndrifted, … in the night."
    text.show_covered(True)
    assert text.toPlainText() == TEXT.replace("\r\n", "\n")


def test_a_selection_across_a_fold_excludes_it(text, qtbot):
    text.show_marks([Mark("u", 2, (span("far"),))])
    text.show_covered(False)
    text.select_spans([(span("drifted")[0], span("drifted")[0])])
    for _ in range(3):
        qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT)
    assert [TEXT[start:end] for start, end in text.selected_spans()] == ["drifted", "in the"]


def test_a_fold_reports_every_unit_in_it(text):
    text.show_marks([Mark("one", 2, (span("buoy"),)), Mark("two", 3, (span("red"),))])
    text.show_covered(False)
    cursor = QTextCursor(text.document())
    cursor.setPosition(text.toPlainText().encode("utf-16-le").index("…".encode("utf-16-le")) // 2)
    assert text.units_under(text.cursorRect(cursor).center() + QPoint(2, 0)) == ("two", "one")


def test_ctrl_and_the_wheel_zoom_every_text_and_not_the_rest(page):
    one, other = page.section("A").text, page.section("B").text
    before, head = one.font().pixelSize(), page.view.title_label.font().pixelSize()
    where = QPointF(20, 20)
    for delta in (120, 120):
        event = QWheelEvent(
            where,
            one.mapToGlobal(where),
            QPoint(),
            QPoint(0, delta),
            Qt.MouseButton.NoButton,
            CTRL,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(one.viewport(), event)
    assert reading_preferences.now().percent == 125
    assert one.font().pixelSize() == other.font().pixelSize() > before
    assert page.view.title_label.font().pixelSize() == head


def test_lines_have_the_chosen_width_and_fit_the_panel(qtbot):
    text = AnnotatedText("Reference A")
    qtbot.addWidget(text)
    text.resize(1200, 300)
    text.show_text("a few words and " * 60)
    text.show()
    letters = text.fontMetrics().averageCharWidth()
    assert text.document().textWidth() > 100 * letters
    reading_preferences.apply(line_width=60)
    assert 58 * letters <= text.document().textWidth() <= 64 * letters
    text.resize(200, 300)
    assert text.document().textWidth() <= 200
    assert text.horizontalScrollBar().maximum() == 0


def test_sizes_and_widths_are_limited_to_those_offered():
    reading_preferences.apply(3000, 3)
    assert reading_preferences.now() == reading_preferences.ReadingPreferences(200, 0)
    reading_preferences.apply(percent=117)
    reading_preferences.zoom(+1)
    assert reading_preferences.now().percent == 125
    for _ in range(20):
        reading_preferences.zoom(-1)
    assert reading_preferences.now().percent == 80


def test_the_side_by_side_layout_of_references_is_stored(page, context):
    narrow = page.view.references.width()
    page.press(Qt.Key.Key_B)
    one, other = page.view.references.sections
    assert page.view.references.width() > narrow
    assert one.y() == other.y()
    assert other.x() == one.x() + one.width()
    assert one.width() >= 216
    assert context.settings.now.reference_layout == "beside"
    page.press(Qt.Key.Key_B)
    assert (one.x(), other.x()) == (0, 0)
    assert other.y() == one.y() + one.height()


def test_many_references_side_by_side_scroll_horizontally(page, context):
    from core.domain.import_batch import ImportContent, NewText, NewTopic

    many = {f"R{i:02d}": NewText(f"Reference number {i} says a few words. " * 30) for i in range(10)}
    context.study.import_data(ImportContent("more", topics=[NewTopic("D0", references=many)]))
    page.qtbot.waitUntil(lambda: page.view.place.position_label.text().endswith("3"))
    context.selection.select(topic_id=context.study.texts.topics()[0].id)
    page.press(Qt.Key.Key_B)
    QApplication.processEvents()
    stack = page.view.references
    assert len(stack.sections) == 10
    assert stack.horizontalScrollBar().maximum() > 0
    assert all(section.text.verticalScrollBar().maximum() > 0 for section in stack.sections)


def test_a_double_click_on_a_header_toggles_a_single_reference(page, qtbot):
    one, other = page.view.references.sections
    qtbot.mouseDClick(other.header, Qt.MouseButton.LeftButton)
    assert (one.isVisible(), other.isVisible()) == (False, True)
    assert page.view.reference_bar.place.position_label.text() == "2 / 2"
    page.view.reference_bar.place.previous_button.click()
    assert (one.isVisible(), other.isVisible()) == (True, False)
    page.view.reference_bar.all_button.click()
    assert (one.isVisible(), other.isVisible()) == (True, True)


def test_numbers_with_alt_show_and_focus_one_reference(page):
    one, other = page.view.references.sections
    page.press(Qt.Key.Key_2, ALT)
    assert (one.isVisible(), other.isVisible()) == (False, True)
    assert other.text.hasFocus()
    page.press(Qt.Key.Key_0, ALT)
    assert one.isVisible()
    page.press(Qt.Key.Key_Down, ALT)
    assert one.text.hasFocus(), "after the last comes the first"


def test_only_uncovered_text_is_shown_with_its_share(page):
    page.make("A", "The court ruled on Monday that", "Court ruled")
    page.press(Qt.Key.Key_U)
    section = page.section("A")
    assert section.text.toPlainText() == "… the ban on the bridge was void."
    assert section.covered_label.text() == "46 % covered"
    page.press(Qt.Key.Key_Period)
    page.press(Qt.Key.Key_N)
    page.press(Qt.Key.Key_Return)
    assert page.words_of("the ban on the bridge was void") == [["the ban on the bridge was void"]]
    assert section.text.toPlainText() == "…."
    assert section.covered_label.text() == "100 % covered"


def test_the_next_uncovered_words_are_selected_across_references_and_wrap_around(page, requests):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "the ban", "Ban")
    section = page.section("A").text
    section.setFocus()
    section.moveCursor(QTextCursor.MoveOperation.Start)
    content = {s.badge.text(): s.text.content for s in page.view.references.sections}
    found = []
    for _ in range(4):
        page.press(Qt.Key.Key_Period)
        (start, end) = page.view.references.selection().spans[0]
        letter = page.view.references.section(page.view.references.selection().text_id).badge.text()
        found.append(content[letter][start:end][:12])
    assert found == ["on Monday th", "A judge lift", "🌉 Cafe\u0301s nea", "on Monday th"]
    page.press(Qt.Key.Key_Comma)
    letter = page.view.references.section(page.view.references.selection().text_id).badge.text()
    assert letter == "B"


def test_the_page_reports_that_everything_is_covered(page, requests):
    for section in page.view.references.sections:
        whole = section.text.content
        page.make(section.badge.text(), whole)
    page.press(Qt.Key.Key_Period)
    assert requests.sentences[-1] == ALL_COVERED


def test_hovering_a_text_highlights_the_scu_in_the_list_and_vice_versa(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.select("B", "A judge")
    page.press(Qt.Key.Key_A)
    scu_id = page.scu("Court ruled").id
    one, other = page.section("A").text, page.section("B").text
    one.unit_hovered.emit(scu_id)  # what the pointer does is requests by the tests of the text
    assert one.hovered_unit == scu_id
    assert other.hovered_unit == scu_id
    assert page.view.scus.tree.itemDelegate().hovered == scu_id
    other.units_hovered.emit((scu_id, "another"))
    assert page.view.scus.tree.itemDelegate().under_pointer == {scu_id, "another"}
    page.view.scus.tree.scu_hovered.emit("")
    assert (one.hovered_unit, other.hovered_unit) == ("", "")
    page.view.scus.tree.scu_hovered.emit(scu_id)
    assert (one.hovered_unit, other.hovered_unit) == (scu_id, scu_id)
