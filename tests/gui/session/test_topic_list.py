"""The list of topics that opens from the header of every page that works topic by topic."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.domain import pyramid as edits
from gui.pages.match import presenter as match
from gui.pages.pyramid import presenter as pyramid
from gui.pages.ratings import presenter as ratings
from gui.pages.texts import presenter as texts
from gui.session.topic_list import TopicList
from gui.session.topic_values import TopicChoice, state_text

PAGES = {"texts": texts, "pyramids": pyramid, "matches": match, "ratings": ratings}


@pytest.fixture
def opened(context, shown, qtbot):
    """A page by its key, and its list of topics, opened by the command."""

    def open_list(key: str):
        view, presenter = PAGES[key].build(context)
        shown(view)
        context.commands.set_page(key)
        context.commands.action("topic.list").trigger()
        found = view.findChild(TopicList)
        qtbot.waitExposed(found)
        return view, presenter, found

    return open_list


@pytest.mark.parametrize("key", PAGES)
def test_typing_and_enter_go_to_another_topic_from_every_page(opened, context, qtbot, key):
    _, _, found = opened(key)
    first, last = context.study.texts.topics()[0], context.study.texts.topics()[-1]
    assert [topic.id for topic in found.listed()] == [head.id for head in context.study.texts.topics()]
    assert found.current_topic == context.selection.topic_id == first.id
    qtbot.keyClicks(found.field, last.name)
    assert [topic.name for topic in found.listed()] == [last.name]
    qtbot.keyClick(found.field, Qt.Key.Key_Return)
    assert context.selection.topic_id == last.id
    assert not found.isVisible()


def test_arrows_and_a_click_choose_and_esc_changes_nothing(opened, context, qtbot):
    _, _, found = opened("texts")
    heads = context.study.texts.topics()
    qtbot.keyClick(found.field, Qt.Key.Key_Down)
    assert found.current_topic == heads[1].id
    qtbot.keyClick(found.field, Qt.Key.Key_Escape)
    assert not found.isVisible()
    assert context.selection.topic_id == heads[0].id
    context.commands.action("topic.list").trigger()


@pytest.mark.parametrize("label", ["name_label", "position_label"])
def test_clicks_on_topic_and_position_open_the_list(context, shown, qtbot, label):
    view, _ = texts.build(context)
    shown(view)
    qtbot.mouseClick(getattr(view.place, label), Qt.MouseButton.LeftButton)
    found = view.findChild(TopicList)
    row = found.table.visualRect(found.table.model().index(1, 0))
    qtbot.mouseClick(found.table.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert context.selection.topic_id == context.study.texts.topics()[1].id


def test_the_list_shows_how_far_each_pyramid_is(opened, context, qtbot):
    heads = context.study.texts.topics()
    for head, is_done in zip(heads, (True, False), strict=False):
        topic = context.study.texts.topic(head.id)
        before = context.study.pyramids.annotation(topic.id, context.annotator.id)
        after = edits.add_scu(before, "Ban lifted", topic.references[0].id, [(0, 9)])
        after = edits.mark_pyramid_done(after, is_done)
        context.study.pyramids.commit(before, after, "new SCU", context.annotator.id).result()
    _, _, found = opened("pyramids")
    expected = ["Done", "In progress", "Not started"][: len(heads)]
    qtbot.waitUntil(lambda: [topic.state for topic in found.listed()][:3] == expected)


def test_summaries_done_are_counted_on_matches(opened, context, qtbot):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = edits.set_summary_state(before, topic.summaries[0].id, context.annotator.id, is_done=True)
    context.study.pyramids.commit(before, after, "done", context.annotator.id).result()
    _, _, found = opened("matches")
    state = state_text(1, len(topic.summaries))
    qtbot.waitUntil(lambda: found.listed()[0].state == state)


def test_many_topics_need_no_widget_each_and_are_found_by_any_word(qtbot):
    topics = [TopicChoice(f"t{n}", f"D{n:04}", f"Ferry <b>{n}</b>", "Done") for n in range(1000)]
    found = TopicList(topics, "t998")
    qtbot.addWidget(found)
    few = TopicList(topics[:2], "t0")
    qtbot.addWidget(few)
    assert found.current_topic == "t998"
    assert len(found.findChildren(QWidget)) == len(few.findChildren(QWidget))
    qtbot.keyClicks(found.field, "ferry 0007")
    assert [topic.id for topic in found.listed()] == ["t7"]


def test_states_are_named_by_what_is_done():
    assert [state_text(*pair) for pair in ((0, 7), (3, 7), (7, 7), (0, 0))] == [
        "Not started",
        "In progress (3 of 7)",
        "Done",
        "Not started",
    ]
