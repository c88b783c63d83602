"""What is recorded is what is highlighted, in every text of every page, however it was selected.

The tests find the texts themselves. Tried to be broken by random drags: within and across words, reversed, on
the selection before, over line ends and right-to-left text, with Ctrl, Alt and Shift, by double and
triple clicks and a right click in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.annotation.word_coverage import merge_spans
from core.domain.study import Span
from gui.annotation import drag_and_drop
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.word_selection_text import WordSelectionText
from gui.app import PAGES
from gui.session.annotation_session import annotation_session
from tests.conftest import NIGHTLY
from tests.gui.conftest import _all_garbage_on_this_thread, _dressed, _garbage_on_this_thread  # noqa: F401 - fixtures
from tests.laws.test_typed_text_is_stored import Window, annotated  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE, ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture(scope="module")
def window(
    qapp: QApplication,
    tmp_path_factory: pytest.TempPathFactory,
    annotated: Path,  # noqa: F811 - the fixture
) -> Iterator[Window]:
    made = Window(qapp, tmp_path_factory.mktemp("window"), annotated)
    made.open()
    yield made
    made.window.close()
    made.window.deleteLater()


def texts_of(window: Window) -> list[Any]:
    found = window.page.findChildren(WordSelectionText)
    return [text for text in found if text.isVisible() and text.content and text.viewport().height() > 0]


def point_of(text: Any, position: int) -> QPoint:
    """Return a point at a document position that is inside the text."""
    cursor = QTextCursor(text.document())
    cursor.setPosition(position)
    point = text.cursorRect(cursor).center()
    area = text.viewport().rect().adjusted(1, 1, -2, -2)
    return QPoint(
        min(max(point.x(), area.left()), area.right()), min(max(point.y(), area.top()), area.bottom())
    )


def highlighted(text: Any) -> tuple[Span, ...]:
    """Return the spans that are painted as selected, in code points of the shown text."""
    shown = text.toPlainText().encode("utf-16-le")
    cursor = text.textCursor()
    spans = [(cursor.selectionStart(), cursor.selectionEnd())] if cursor.hasSelection() else []
    if isinstance(text, AnnotatedText):
        spans += text.rings().pending
    in_text = ((len(shown[: 2 * place].decode("utf-16-le")) for place in span) for span in spans)
    return merge_spans([(start, end) for start, end in in_text])


def select(text: Any, random: Random) -> str:
    """Select something by the mouse; return how."""
    area, last = text.viewport(), text.document().characterCount() - 1
    cursor = text.textCursor()
    begin = random.randint(0, last)
    if cursor.hasSelection() and random.random() < 0.6:
        begin = random.randint(cursor.selectionStart(), cursor.selectionEnd())
    end = random.randint(0, last)
    keys = random.choice([NONE, NONE, NONE, CTRL, ALT, SHIFT])
    how = random.choice(["drag"] * 5 + ["click", "double", "triple", "menu"])
    at, to = point_of(text, begin), point_of(text, end)
    if how == "drag":
        QTest.mousePress(area, LEFT, keys, at)
        QTest.mouseMove(area, (at + to) / 2)
        QTest.mouseMove(area, to)
        QTest.mouseRelease(area, LEFT, keys, to)
    elif how == "menu":
        QTest.mousePress(area, RIGHT, NONE, at)
        QTest.mouseRelease(area, RIGHT, NONE, at)
    else:
        QTest.mouseClick(area, LEFT, keys, at)
        if how != "click":
            QTest.mouseDClick(area, LEFT, NONE, at)
        if how == "triple":
            QTest.mouseClick(area, LEFT, NONE, at)
    return f"{how} {begin}-{end} {keys}"


@pytest.mark.parametrize("seed", range(2 if NIGHTLY else 1))
def test_the_recorded_spans_are_the_highlighted_ones(seed, window, monkeypatch) -> None:
    monkeypatch.setattr(drag_and_drop.QDrag, "exec", lambda *_: pytest.fail("nothing leaves the text"))
    random, wrong, seen = Random(seed), [], set()
    for topic in window.topics:
        for spec in PAGES:
            window.show(spec.key)
            window.controller.context.selection.select(topic_id=topic.id)
            window.settle()
            for text in texts_of(window):
                seen.add(spec.key)
                done = []
                for _ in range(8):
                    done.append(select(text, random))
                    if text.selected_spans() != highlighted(text):
                        wrong.append(f"{spec.key}: {done}: {text.selected_spans()} {highlighted(text)}")
                text.drop_selection()
    assert not wrong, "\n".join(wrong[:10])
    assert seen >= {"texts", "pyramids", "nuggets", "matches", "ratings"}


def test_a_new_scu_has_the_words_of_the_second_drag(window) -> None:
    """The old selection is longer, and the second drag begins inside it."""
    window.controller.context.selection.select(topic_id=window.topics[2].id)
    window.show("pyramids")
    text = window.page.references.sections[0].text
    words = text.word_spans
    text.select_spans([(words[0][0], words[9][1])])
    at, to = point_of(text, words[2][0] + 1), point_of(text, words[4][1] - 1)
    QTest.mousePress(text.viewport(), LEFT, NONE, at)
    QTest.mouseMove(text.viewport(), to)
    QTest.mouseRelease(text.viewport(), LEFT, NONE, to)
    window.do("pyramid.new_scu")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    made = annotation_session(window.controller.context).annotation.pyramid.scus[-1]
    assert [part.span for part in made.contributors[0].parts] == [(words[2][0], words[4][1])]
