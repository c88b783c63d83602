"""A whole summary matched by keys only."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from gui.pages.match import presenter as match_page
from tests.gui.pages.match.test_match_page import Page

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
FACTS = (
    "ferry aground",
    "fog thick",
    "buoy adrift",
    "passengers safe",
    "school open",
    "captain silent",
    "boats rescued",
    "harbour warned",
    "island hungry",
    "crossings stopped",
)


@pytest.fixture
def page(context, shown, qtbot):
    """Page with ten SCUs of one reference, and two summaries that express all of them."""
    content = " ".join(FACTS)
    summaries = {name: NewText(content) for name in ("one", "two")}
    topic = NewTopic("D0", references={"A": NewText(content)}, summaries=summaries)
    context.study.import_data(ImportContent("keys", topics=[topic]))
    me, head = context.annotator.id, context.study.texts.topics()[0]
    before = after = context.study.pyramids.annotation(head.id, me)
    ids = {}
    for fact in FACTS:
        start, ids[fact] = content.index(fact), pyramid.new_id()
        after = pyramid.add_scu(
            after,
            fact,
            context.study.texts.topic(head.id).references[0].id,
            [(start, start + len(fact))],
            ids[fact],
        )
    context.study.pyramids.commit(before, after, "annotate", me).result()
    made = Page(context, qtbot)
    made.ids, made.owner = ids, me
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: made.view.progress.grid.rows != ())
    assert made.view.left.text.hasFocus()
    made.summary = next(s for s in made.topic.summaries if s.id == context.selection.summary_id)
    return made


def test_ten_scus_are_matched_and_the_summary_marked_done_by_keys(page):
    assert page.view.left.text.hasFocus()
    for _ in FACTS:
        page.press(Qt.Key.Key_J)
        page.press(Qt.Key.Key_Right, SHIFT)
        page.press(Qt.Key.Key_Right, SHIFT)
        page.press(Qt.Key.Key_Space)
        page.press(Qt.Key.Key_Right)
    assert page.matches() == [(fact, [fact]) for fact in FACTS]
    assert page.view.score.main_label.text() == "1.000"
    page.press(Qt.Key.Key_D, CTRL)
    page.press(Qt.Key.Key_U)
    assert page.stored().state_of(page.summary.id, page.owner).is_done
    assert page.context.selection.summary_id != page.summary.id


def test_scus_are_searched_and_matched_by_keys(page):
    for fact in FACTS[::3]:
        page.press(Qt.Key.Key_Slash)
        page.qtbot.keyClicks(QApplication.focusWidget(), fact[:4])
        page.press(Qt.Key.Key_Return)
    assert [label for label, _ in page.matches()] == list(FACTS[::3])
    assert page.view.left.text.hasFocus()


def test_units_flags_and_progress_are_reached_with_tab_and_arrows(page):
    left = page.view.left
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_Return)
    seen = set()
    page.press(Qt.Key.Key_S)
    left.all_button.click()
    for _ in range(50):
        page.press(Qt.Key.Key_Tab)
        seen.add(QApplication.focusWidget())
    assert {left.units.list, left.flag_button, left.panel.names_button, page.view.score.arithmetic} <= seen
    assert {left.note, left.all_button, page.view.progress.grid, page.view.score.toggle_button} <= seen
    page.view.progress.grid.setFocus()
    page.press(Qt.Key.Key_Down)
    page.press(Qt.Key.Key_Return)
    assert page.view.place.name_label.text() == "D1"


def test_the_main_shortcuts_are_shown_as_hints(page):
    hints = [hint.text for hint in page.context.commands.hints(match_page.KEY)]
    assert hints[:7] == [
        "Match selected text",
        "Match without span",
        "Add part",
        "Unmatch",
        "Not in pyramid",
        "Flag",
        "Next undone",
    ]
