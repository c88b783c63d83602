"""Changes of part spans by handles, keys and selections; selection of clauses."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.annotation.text.word_selection_text import AT_EDGE, span_at, with_end_at, with_end_moved
from gui.pages.pyramid.edits import NOT_HERE, ONE_WORD
from tests.gui.pages.match.test_match_page import opened
from tests.gui.pages.pyramid.pyramid_keys import CTRL, SHIFT, Page

ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
TEXT = "The dam cracked, and 4,100 people left. Nobody was hurt."
A = "The court ruled on Monday that the ban on the bridge was void."


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(made.section("A").text.hasFocus)
    made.make("A", "Monday that the ban", "Ban")
    return made


@pytest.fixture
def text(shown):
    widget = AnnotatedText("Reference A")
    widget.show_text(TEXT)
    shown(widget)
    widget.setFocus()
    return widget


def point_of(widget, offset: int) -> QPoint:
    cursor = QTextCursor(widget.document())
    cursor.setPosition(offset)
    return widget.cursorRect(cursor).center() + QPoint(1, 0)


def drag_handle(
    qtbot, widget, span, *, at_end: bool, to: int, modifier=Qt.KeyboardModifier.NoModifier
) -> None:
    area = widget.viewport()
    qtbot.mousePress(area, LEFT, modifier, widget.handle_at(span, at_end).toPoint())
    qtbot.mouseMove(area, point_of(widget, to))
    qtbot.mouseRelease(area, LEFT, modifier, point_of(widget, to))


def span_of(words: str) -> tuple[int, int]:
    start = A.index(words)
    return start, start + len(words)


def chosen(widget) -> list[str]:
    return [TEXT[start:end] for start, end in widget.selected_spans()]


def test_dragging_a_handle_changes_the_part_by_whole_words_in_one_edit(page, qtbot):
    text = page.section("A").text
    drag_handle(qtbot, text, span_of("Monday that the ban"), at_end=True, to=A.index("bridge") + 4)
    assert page.words_of("Ban") == [["Monday that the ban on the bridge"]]
    drag_handle(
        qtbot, text, span_of("Monday that the ban on the bridge"), at_end=False, to=A.index("that") + 1
    )
    assert page.words_of("Ban") == [["that the ban on the bridge"]]
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.words_of("Ban") == [["Monday that the ban on the bridge"]])


def test_escape_cancels_dragging_a_handle(page, qtbot):
    text = page.section("A").text
    area = text.viewport()
    text.setFocus()
    qtbot.mousePress(area, LEFT, pos=text.handle_at(span_of("Monday that the ban"), True).toPoint())
    qtbot.mouseMove(area, point_of(text, A.index("bridge")))
    page.press(Qt.Key.Key_Escape)
    qtbot.mouseRelease(area, LEFT, pos=point_of(text, A.index("bridge")))
    assert page.words_of("Ban") == [["Monday that the ban"]]


def test_keys_move_the_ends_of_the_current_part_by_words(page, requests):
    text = page.section("A").text
    text.setFocus()
    for key, modifier, words in (
        (Qt.Key.Key_Q, Qt.KeyboardModifier.NoModifier, "on Monday that the ban"),
        (Qt.Key.Key_Q, SHIFT, "Monday that the ban"),
        (Qt.Key.Key_W, Qt.KeyboardModifier.NoModifier, "Monday that the ban on"),
        (Qt.Key.Key_W, SHIFT, "Monday that the ban"),
    ):
        page.press(key, modifier)
        assert page.words_of("Ban") == [[words]]
    for _ in range(4):
        page.press(Qt.Key.Key_W, SHIFT)
    assert page.words_of("Ban") == [["Monday"]]
    assert requests.sentences[-1] == ONE_WORD
    for _ in range(4):
        page.press(Qt.Key.Key_Q)
    assert page.words_of("Ban") == [["The court ruled on Monday"]] or requests.sentences[-1] == AT_EDGE


def test_an_overlapping_or_adjoining_selection_joins_the_part(page):
    page.select("A", "ban on the bridge")
    page.press(Qt.Key.Key_A)
    assert page.words_of("Ban") == [["Monday that the ban on the bridge"]]
    page.select("A", "was void")
    page.press(Qt.Key.Key_A)
    assert page.words_of("Ban") == [["Monday that the ban on the bridge was void"]]


def test_replace_span_replaces_the_part_with_the_selection(page, requests):
    page.select("A", "the bridge was void")
    page.press(Qt.Key.Key_P, SHIFT)
    assert page.words_of("Ban") == [["the bridge was void"]]
    assert page.view.references.selection().spans == ()
    page.select("B", "A judge")
    page.press(Qt.Key.Key_P, SHIFT)
    assert requests.sentences[-1] == NOT_HERE
    assert page.words_of("Ban") == [["the bridge was void"]]


def test_a_match_is_resized_by_handle_and_keys_and_replaced(context, shown, qtbot):
    page = opened(context, shown, qtbot)
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    page.press(Qt.Key.Key_W)
    assert page.matches() == [("Ban lifted", ["lifted the ban on"])]
    page.press(Qt.Key.Key_Q)
    assert page.matches() == [("Ban lifted", ["court lifted the ban on"])]
    content = page.summary.content
    span = content.index("court"), content.index("ban on") + 6
    drag_handle(qtbot, page.view.left.text, span, at_end=True, to=content.index("ban") + 2)
    assert page.matches() == [("Ban lifted", ["court lifted the ban"])]
    page.select("the ban")
    page.press(Qt.Key.Key_P, SHIFT)
    assert page.matches() == [("Ban lifted", ["the ban"])]


def test_without_a_selected_unit_there_are_no_handles(text, qtbot):
    text.allow_resizing()
    text.show_marks([Mark("scu", 2, ((4, 7),))])
    drag_handle(qtbot, text, (4, 7), at_end=True, to=12)
    text.show_selected("scu")
    with qtbot.waitSignal(text.part_resized) as resized:
        drag_handle(qtbot, text, (4, 7), at_end=True, to=12)
    assert resized.args == ["scu", (4, 7), (4, 15)]


def test_alt_drags_a_handle_by_characters(text, qtbot):
    text.allow_resizing()
    text.show_marks([Mark("scu", 2, ((4, 7),))])
    text.show_selected("scu")
    with qtbot.waitSignal(text.part_resized) as resized:
        drag_handle(qtbot, text, (4, 7), at_end=True, to=10, modifier=ALT)
    assert resized.args == ["scu", (4, 7), (4, 10)]


def test_double_click_selects_a_word_and_triple_click_its_clause(text, qtbot):
    area, where = text.viewport(), point_of(text, TEXT.index("people") + 2)
    qtbot.mouseClick(area, LEFT, pos=where)
    qtbot.mouseDClick(area, LEFT, pos=where)
    assert chosen(text) == ["people"]
    qtbot.mouseClick(area, LEFT, pos=where)
    assert chosen(text) == ["and 4,100 people left"]


def test_alt_double_click_selects_the_sentence(text, qtbot):
    where = point_of(text, TEXT.index("people") + 2)
    qtbot.mouseDClick(text.viewport(), LEFT, ALT, where)
    assert chosen(text) == ["The dam cracked, and 4,100 people left"]


@pytest.mark.parametrize(
    ("language", "sentence"), [("de", "Am 3. Mai kam er zu spät"), ("", "Mai kam er zu spät")]
)
def test_sentences_follow_the_rules_of_the_language(text, qtbot, language, sentence):
    content = "Am 3. Mai kam er zu spät. Alle lachten."
    text.show_text(content, language)
    qtbot.mouseDClick(text.viewport(), LEFT, ALT, point_of(text, content.index("kam") + 1))
    (span,) = text.selected_spans()
    assert content[slice(*span)] == sentence


def test_ctrl_arrows_move_by_word_and_extend_the_selection_by_clause_with_shift(text, qtbot):
    while not TEXT[text.caret :].startswith("and"):
        qtbot.keyClick(text, Qt.Key.Key_Right, CTRL)
    qtbot.keyClick(text, Qt.Key.Key_Right, CTRL | SHIFT)
    assert chosen(text) == ["and 4,100 people left"]
    qtbot.keyClick(text, Qt.Key.Key_Left, CTRL)
    assert chosen(text) == []
    assert TEXT[text.caret :].startswith("and")
    QApplication.processEvents()


WORDS = [(0, 3), (4, 8), (9, 12)]


@pytest.mark.parametrize(
    ("by", "at_end", "after"),
    [(1, True, (4, 12)), (-1, True, (4, 8)), (1, False, (0, 8)), (-1, False, (4, 8))],
)
def test_an_end_moves_by_words_and_leaves_at_least_one(by, at_end, after):
    assert with_end_moved(WORDS, (4, 8), by, at_end=at_end) == after


def test_an_end_snaps_to_the_nearest_word():
    assert with_end_at(WORDS, (4, 8), 11, at_end=True) == (4, 12)
    assert with_end_at(WORDS, (4, 8), 0, at_end=True) == (4, 8)
    assert with_end_at(WORDS, (4, 8), 1, at_end=False) == (0, 8)
    assert with_end_at([], (4, 8), 1, at_end=False) == (4, 8)


def test_an_offset_between_spans_is_in_none():
    assert (span_at(WORDS, 5), span_at(WORDS, 8), span_at([(2, 3)], 0)) == ((4, 8), (4, 8), None)
