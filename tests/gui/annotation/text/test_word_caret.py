"""Moving by words with arrow keys, and dragging the selection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor

from core.annotation.word_coverage import words
from gui.annotation import drag_and_drop
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.word_selection_text import Caret

TEXT = "A buoy (red) had drifted 🌉 far."
RIGHT, LEFT, ALT = Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def text(shown):
    widget = AnnotatedText("Reference A")
    widget.show_text(TEXT)
    shown(widget)
    widget.setFocus()
    return widget


def point_of(widget, words_: str) -> QPoint:
    cursor = QTextCursor(widget.document())
    cursor.setPosition(TEXT.index(words_) + 1)
    return widget.cursorRect(cursor).center()


def test_ctrl_with_arrows_moves_to_the_start_of_the_next_and_previous_word(text, qtbot):
    seen = []
    for key in (*[RIGHT] * 7, *[LEFT] * 3):
        qtbot.keyClick(text, key, CTRL)
        seen.append(TEXT[text.caret :].split(maxsplit=1)[0] if text.caret < len(TEXT) - 1 else "end")
    assert seen == ["buoy", "red)", "had", "drifted", "🌉", "far.", "end", "far.", "🌉", "drifted"]
    assert text.selected_spans() == ()


def test_an_arrow_collapses_a_selection_to_its_end(text, qtbot):
    text.select_spans([(TEXT.index("buoy"), TEXT.index("buoy") + 4)])
    qtbot.keyClick(text, RIGHT)
    assert (text.caret, text.selected_spans()) == (6, ())
    text.select_spans([(TEXT.index("buoy"), TEXT.index("buoy") + 4)])
    qtbot.keyClick(text, LEFT)
    assert text.caret == 2


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, ALT])
def test_arrows_move_by_characters(text, qtbot, modifier):
    for _ in range(3):
        qtbot.keyClick(text, RIGHT, modifier)
    assert text.caret == 3


@given(st.text("ab .—", max_size=30), st.integers(0, 30))
def test_right_then_left_ends_at_the_start_of_a_word(content, start):
    known = words(content)
    there = Caret(min(start, len(content)), min(start, len(content))).walk(known, forward=True)
    back = there.walk(known, forward=False)
    assert back.position == max((s for s, _ in known if s < there.position), default=0)


def test_the_selection_is_dragged_with_the_pending_spans_when_the_pointer_leaves_the_text(
    text, qtbot, monkeypatch
):
    drags = []
    monkeypatch.setattr(drag_and_drop.QDrag, "exec", lambda drag, _: drags.append(drag.mimeData().text()))
    text.select_spans([(2, 6), (17, 24)])
    area, at = text.viewport(), point_of(text, "drifted")
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(area, at + QPoint(20, 0))
    assert drags == []
    qtbot.mouseMove(area, QPoint(area.width() + 5, at.y()))
    assert drags == ["buoy … drifted"]
    assert text.selected_spans() == ((2, 6), (17, 24))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=QPoint(area.width() + 5, at.y()))
    assert text.selected_spans() == ((2, 6), (17, 24))


def test_a_selection_is_corrected_by_a_press_inside_it(text, qtbot):
    text.select_spans([(0, 24)])
    area, at = text.viewport(), point_of(text, "drifted")
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(area, at + QPoint(15, 0))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=at + QPoint(15, 0))
    assert text.selected_spans() == ((17, 24),)


def test_a_menu_on_a_selection_of_characters_leaves_it_as_it_is(text, qtbot):
    text.select_spans([(2, 4)])
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.RightButton, pos=point_of(text, "drifted"))
    assert text.selected_spans() == ((2, 4),)


def test_a_click_on_the_selection_clears_it_with_the_pending_spans(text, qtbot):
    text.select_spans([(2, 6), (17, 24)])
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=point_of(text, "drifted"))
    assert text.selected_spans() == ()
