"""All summaries of a topic in one scroll area: the active one, headers, and recycled sections."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import Text
from gui.annotation.match_values import SummaryText
from gui.annotation.text.marks import Mark
from gui.annotation.text.summary_columns import SummaryRow
from gui.pages.match import presenter as match_page
from gui.pages.match.summary_column import StackedSummary, SummaryStack
from gui.style import reading_preferences
from tests.gui.pages.match.test_match_page import Page, opened

ALT = Qt.KeyboardModifier.AltModifier
MANY = 58


@pytest.fixture
def page(context, shown, qtbot):
    made = opened(context, shown, qtbot)
    made.press(Qt.Key.Key_V)
    return made


def row(summary_id: str, position: int, content: str) -> SummaryRow:
    return SummaryRow(SummaryText(Text(summary_id, "", content), position, MANY))


@pytest.fixture
def stack(shown):
    made = shown(SummaryStack())
    made.resize(400, 500)
    made.show_blocks([row(f"s{i}", i + 1, f"Summary {i} says a lot. " * 15) for i in range(MANY)])
    return made


def sections(page):
    return {block.id: page.view.left.stack.section(block.id) for block in page.view.left.stack.blocks}


def test_all_summaries_are_shown_in_the_annotators_order_without_names(page):
    stack = page.view.left.stack
    assert stack.isVisible()
    assert not page.view.left.panel.text.isVisible()
    order = [cell.summary_id for cell in page.view.progress.grid.rows[0].cells]
    assert [block.id for block in stack.blocks] == order
    assert {block.summary.system for block in stack.blocks} == {""}
    page.view.left.panel.names_button.click()
    assert {block.summary.system for block in stack.blocks} == {"lead", "good", "bad"}


def test_shortcuts_act_on_the_focused_summary(page):
    page.choose("Ban lifted")
    bad = next(text for text in page.topic.summaries if text.name == "bad")
    page.summary = bad
    section = page.view.left.stack.section(bad.id)
    section.text.setFocus()
    section.text.select_spans([(0, 7)])
    page.press(Qt.Key.Key_Space)
    assert page.context.selection.summary_id == bad.id
    assert page.matches() == [("Ban lifted", ["Bridges"])]
    assert section.score_label.text() == ""
    assert section.expressed_label.isVisible()
    page.press(Qt.Key.Key_S)
    assert section.score_label.text() == "0.667"


def test_one_scu_is_matched_in_all_summaries_by_keys(page):
    page.choose("On Monday")
    page.show(page.topic.summaries[0].name)
    stack = page.view.left.stack
    stack.section(stack.blocks[0].id).text.setFocus()
    QApplication.processEvents()
    for _ in stack.blocks:
        page.press(Qt.Key.Key_Return)
        page.press(Qt.Key.Key_Right, ALT)
    matched = {m.summary_id for m in page.stored().matches}
    assert matched == {text.id for text in page.topic.summaries}
    line = next(x for x in page.view.scus.tree.scus.lines if x.label == "On Monday")
    assert line.note == "3 of 3"
    assert page.view.pyramid_panel.fact_label.text() == "Summary 3: 1 of 3 SCUs matched"


def test_arrow_keys_move_the_cursor_between_summaries(page):
    stack = page.view.left.stack
    stack.section(stack.blocks[0].id).text.setFocus()
    seen = []
    for _ in range(12):
        seen.append(page.context.selection.summary_id)
        page.press(Qt.Key.Key_Down)
    order = [block.id for block in stack.blocks]
    assert list(dict.fromkeys(seen)) == order
    assert stack.section(order[-1]).text.hasFocus()
    page.press(Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    page.press(Qt.Key.Key_Up)
    assert stack.section(order[-2]).text.hasFocus()


def test_a_selected_scu_is_outlined_in_every_summary(page):
    page.choose("Ban lifted")
    assert {s.text.selected_unit for s in sections(page).values()} == {page.ids["Ban lifted"]}


def test_the_headers_mark_done_and_flag_their_own_summary(page):
    stack = page.view.left.stack
    last = stack.blocks[-1].id
    stack.section(last).done_button.click()
    stack.section(last).flag_button.click()
    state = page.stored().state_of(last, page.context.annotator.id)
    assert (state.is_done, state.is_flagged) == (True, True)
    assert stack.section(last).fact_label.text().endswith("words · done · flagged")
    assert stack.section(last).done_button.accessibleName() == "Reopen"


def test_selecting_text_in_one_summary_clears_the_selection_in_another(page):
    first, second = list(sections(page).values())[:2]
    first.text.setFocus()
    first.text.select_spans([(0, 3)])
    second.text.setFocus()
    second.text.select_spans([(0, 3)])
    assert first.text.selected_spans() == ()
    assert page.view.left.text.selected_spans() == ((0, 3),)


def test_the_layout_is_stored(page, context, shown, qtbot):
    assert context.settings.now.match_layout == "all"
    again, _presenter = match_page.build(context)
    shown(again)
    assert again.left.stack.isVisible()
    page.press(Qt.Key.Key_V)
    assert context.settings.now.match_layout == "one"


def test_only_sections_near_the_viewport_are_created(stack):
    assert len(stack.findChildren(StackedSummary)) < 12
    stack.verticalScrollBar().setValue(stack.verticalScrollBar().maximum())
    assert stack.section(f"s{MANY - 1}") is not None
    assert stack.section("s1") is None
    assert stack.section("s0") is not None  # the active one stays, because it may have the focus


def test_no_text_is_cut_off(stack):
    for step in range(0, stack.verticalScrollBar().maximum(), 400):
        stack.verticalScrollBar().setValue(step)
        for section in stack.sections:
            text = section.text
            assert text.verticalScrollBar().maximum() == 0  # otherwise it would scroll instead of the stack
            assert section.height() >= text.geometry().bottom()


def test_another_width_or_text_size_cuts_nothing_off_and_keeps_the_focus(stack, qtbot):
    entered = []
    stack.entered.connect(entered.append)
    stack.activateWindow()
    qtbot.waitUntil(stack.isActiveWindow)
    stack.activate("s3")
    text = stack.section("s3").text
    text.setFocus()
    entered.clear()
    for change in (
        lambda: stack.resize(300, 400),
        lambda: reading_preferences.apply(150),
        lambda: reading_preferences.apply(100),
    ):
        change()
        qtbot.wait(20)
        assert stack.active_text is text
        assert text.hasFocus()
        assert entered == []
        assert text.verticalScrollBar().maximum() == 0


def test_marks_that_need_room_make_a_section_higher(stack):
    before = stack.section("s0").height()
    marks = tuple(Mark(f"scu{i}", 1, ((0, 9),)) for i in range(9))
    stack.show_blocks([replace(stack.blocks[0], marks=marks), *stack.blocks[1:]])
    assert stack.section("s0").height() > before
    assert stack.section("s1").y() == stack.section("s0").geometry().bottom() + 1


def test_another_topic_keeps_the_focus_in_the_texts(stack, qtbot):
    stack.activateWindow()
    qtbot.waitUntil(stack.isActiveWindow)
    stack.activate("s9")
    stack.section("s9").text.setFocus()
    stack.show_blocks([row(f"t{i}", i + 1, "Other words. " * 20) for i in range(5)])
    stack.activate("t2")
    assert stack.section("t2").text.hasFocus()
    assert not any(s.isVisible() for s in stack.findChildren(StackedSummary) if s not in stack.sections)


def test_scrolling_up_never_jumps_when_an_estimated_height_was_wrong(stack):
    def tops() -> dict[str, int]:
        near = stack.sections
        return {s.row.id: s.mapTo(stack, s.rect().topLeft()).y() for s in near}

    bar = stack.verticalScrollBar()
    bar.setValue(bar.maximum())
    for _ in range(40):
        before, seen = tops(), stack.viewport().rect()
        stack.verticalScrollBar().setValue(bar.value() - 30)
        after = tops()
        in_sight = [i for i in before if i in after and seen.top() <= before[i] < seen.bottom()]
        assert in_sight
        assert {after[i] - before[i] for i in in_sight} == {30}


def test_an_edit_updates_only_its_own_section(stack):
    others = {id(s) for s in stack.sections if s.row.id != "s1"}
    marks = (Mark("scu", 2, ((0, 7),)),)
    changed = [replace(b, marks=marks, result="0.5") if b.id == "s1" else b for b in stack.blocks]
    stack.show_blocks(changed)
    assert stack.section("s1").text.marks == marks
    assert {id(s) for s in stack.sections if s.row.id != "s1"} == others


def test_the_active_summary_of_many_is_visible(context, shown, qtbot):
    summaries = {f"system-{i:02}": NewText(f"The summary of system {i} is short. " * 12) for i in range(MANY)}
    topic = NewTopic("D0", references={"A": NewText("Some words.")}, summaries=summaries)
    context.study.import_data(ImportContent("more", topics=[topic]))
    context.settings.change(match_layout="all")
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(made.view.isActiveWindow)
    made.view.setFocus()
    stack = made.view.left.stack
    assert len(stack.blocks) == MANY
    place = [block.id for block in stack.blocks].index(context.selection.summary_id)
    for _ in range(40):
        made.press(Qt.Key.Key_Right, ALT)
    active = stack.blocks[place + 40]
    assert context.selection.summary_id == active.id
    assert not stack.section(active.id).text.visibleRegion().isEmpty()
