"""Selection in scripts without spaces, from right to left, and by characters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor

from core.files.preferences import PreferencesFile
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.summary_columns import SummaryPanel
from gui.style import reading_preferences
from gui.widgets.utf16_offsets import offsets_of

CHINESE = "今天😀天气很好。我们去北京大学。"
ARABIC = "ذهب الولد إلى المدرسة"
HEBREW = "הילד הלך לבית הספר"
RIGHT, LEFT = Qt.Key.Key_Right, Qt.Key.Key_Left
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def showing(shown):
    def show(content: str) -> AnnotatedText:
        widget = AnnotatedText("Reference A")
        widget.show_text(content)
        shown(widget)
        widget.setFocus()
        return widget

    return show


@pytest.fixture
def by_character():
    reading_preferences.select_by_character(True)
    yield
    reading_preferences.select_by_character(False)


def chosen(widget: AnnotatedText, text: str) -> list[str]:
    return [text[start:end] for start, end in widget.selected_spans()]


def point_of(widget: AnnotatedText, text: str, offset: int) -> QPoint:
    cursor = QTextCursor(widget.document())
    cursor.setPosition(offsets_of(text).to_document(offset))
    return widget.cursorRect(cursor).center()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CHINESE, ["今天", "今天😀", "今天😀天气", "今天😀天气很好", "今天😀天气很好。我们"]),
        ("昨日、東京で地震。", ["昨日", "昨日、東京", "昨日、東京で", "昨日、東京で地震"]),
        ("แมวนั่งอยู่บนเสื่อ", ["แมว", "แมวนั่ง", "แมวนั่งอยู่", "แมวนั่งอยู่บน"]),
    ],
)
def test_shift_and_arrow_select_words_in_scripts_without_spaces(showing, qtbot, text, words):
    widget = showing(text)
    seen = []
    for _ in words:
        qtbot.keyClick(widget, RIGHT, SHIFT)
        seen += chosen(widget, text)
    assert seen == words


def test_a_double_click_selects_one_chinese_word(showing, qtbot):
    widget = showing(CHINESE)
    at = point_of(widget, CHINESE, CHINESE.index("京"))
    qtbot.mouseDClick(widget.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen(widget, CHINESE) == ["北京"]


def test_the_word_count_counts_selectable_words(showing):
    assert showing(CHINESE).word_count_text == "8 words"
    assert showing("Ferry").word_count_text == "1 word"
    assert showing("a " * 1200).word_count_text == "1,200 words"
    assert SummaryPanel().text.word_count_text == "0 words"


@pytest.mark.parametrize("text", [ARABIC, HEBREW])
def test_arrows_follow_the_reading_direction(showing, qtbot, text):
    widget = showing(text)
    words = text.split()
    qtbot.keyClick(widget, LEFT, CTRL)
    assert widget.caret == text.index(words[1])
    qtbot.keyClick(widget, RIGHT)
    assert widget.caret == text.index(words[1]) - 1
    qtbot.keyClick(widget, RIGHT, CTRL)
    assert widget.caret == 0
    qtbot.keyClick(widget, LEFT, SHIFT)
    qtbot.keyClick(widget, LEFT, SHIFT)
    assert chosen(widget, text) == [" ".join(words[:2])]
    qtbot.keyClick(widget, RIGHT, SHIFT)
    assert chosen(widget, text) == words[:1]


def test_right_to_left_texts_start_at_the_right(showing):
    widget = showing(ARABIC)
    width = widget.viewport().width()
    assert point_of(widget, ARABIC, 0).x() > width * 0.9
    assert point_of(widget, ARABIC, len(ARABIC)).x() < point_of(widget, ARABIC, 0).x()


def test_arrows_by_character_follow_the_reading_direction(showing, qtbot, by_character):
    widget = showing(HEBREW)
    qtbot.keyClick(widget, LEFT, SHIFT)
    assert chosen(widget, HEBREW) == [HEBREW[:1]]
    qtbot.keyClick(widget, RIGHT, SHIFT)
    assert chosen(widget, HEBREW) == []


def test_character_mode_applies_to_keyboard_and_mouse(showing, qtbot, by_character):
    widget = showing(CHINESE)
    for _ in range(3):
        qtbot.keyClick(widget, RIGHT, SHIFT)
    assert chosen(widget, CHINESE) == ["今天😀"]
    area, start, end = widget.viewport(), CHINESE.index("天气") + 1, CHINESE.index("很") + 1
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=point_of(widget, CHINESE, start))
    qtbot.mouseMove(area, point_of(widget, CHINESE, end))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=point_of(widget, CHINESE, end))
    assert chosen(widget, CHINESE) == ["气很"]


def test_a_command_toggles_character_mode_and_it_is_remembered(controller, qtbot, study, tmp_path):
    study.flush()
    controller.open_path(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    commands = controller.context.commands
    controller.window.show_page("texts")
    try:
        commands.action("view.characters").trigger()
        assert reading_preferences.selects_characters()
        assert commands.action("view.characters").isChecked()
        assert PreferencesFile(tmp_path / "settings.json").now.select_by_character
        commands.action("view.characters").trigger()
        assert not reading_preferences.selects_characters()
        assert not commands.action("view.characters").isChecked()
    finally:
        reading_preferences.select_by_character(False)
