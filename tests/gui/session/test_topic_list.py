"""The topic list in the header of pages that work topic by topic."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.domain import pyramid as edits
from gui.pages.match import presenter as match
from gui.pages.pyramid import presenter as pyramid
from gui.pages.ratings import presenter as ratings
from gui.pages.texts import presenter as texts
from gui.session.topic_navigation import TopicChoice, TopicList, state_text

PAGES = {"texts": texts, "pyramids": pyramid, "matches": match, "ratings": ratings}


@pytest.fixture
def opened(context, shown, qtbot):
    """Function that opens a page by its key and its topic list."""

    def open_list(key: str):
        view, presenter = PAGES[key].build(context)
        shown(view)
        context.commands.set_page(key)
        context.commands.action("topic.list").trigger()
        topic_list = view.findChild(TopicList)
        qtbot.waitExposed(topic_list)
        return view, presenter, topic_list

    return open_list


@pytest.mark.parametrize("key", PAGES)
def test_typing_and_enter_go_to_another_topic_from_every_page(opened, context, qtbot, key):
    _, _, topic_list = opened(key)
    first, last = context.study.texts.topics()[0], context.study.texts.topics()[-1]
    assert [topic.id for topic in topic_list.table.displayed()] == [
        head.id for head in context.study.texts.topics()
    ]
    assert topic_list.current_topic == context.selection.topic_id == first.id
    qtbot.keyClicks(topic_list.field, last.name)
    assert [topic.name for topic in topic_list.table.displayed()] == [last.name]
    qtbot.keyClick(topic_list.field, Qt.Key.Key_Return)
    assert context.selection.topic_id == last.id
    assert not topic_list.isVisible()


def test_arrows_and_a_click_choose_and_esc_changes_nothing(opened, context, qtbot):
    _, _, topic_list = opened("texts")
    heads = context.study.texts.topics()
    qtbot.keyClick(topic_list.field, Qt.Key.Key_Down)
    assert topic_list.current_topic == heads[1].id
    qtbot.keyClick(topic_list.field, Qt.Key.Key_Escape)
    assert not topic_list.isVisible()
    assert context.selection.topic_id == heads[0].id
    context.commands.action("topic.list").trigger()


@pytest.mark.parametrize("label", ["name_label", "list_button"])
def test_clicks_on_topic_and_position_open_the_list(context, shown, qtbot, label):
    view, _ = texts.build(context)
    shown(view)
    qtbot.mouseClick(getattr(view.place, label), Qt.MouseButton.LeftButton)
    topic_list = view.findChild(TopicList)
    row = topic_list.table.visualRect(topic_list.table.model().index(1, 0))
    qtbot.mouseClick(topic_list.table.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert context.selection.topic_id == context.study.texts.topics()[1].id


def test_the_list_shows_how_far_each_pyramid_is(opened, context, qtbot):
    heads = context.study.texts.topics()
    for head, is_done in zip(heads, (True, False), strict=False):
        topic = context.study.texts.topic(head.id)
        before = context.study.pyramids.annotation(topic.id, context.annotator.id)
        after = edits.add_scu(before, "Ban lifted", topic.references[0].id, [(0, 9)])
        after = edits.mark_pyramid_done(after, is_done)
        context.study.pyramids.commit(before, after, "new SCU", context.annotator.id).result()
    _, _, topic_list = opened("pyramids")
    expected = ["Done", "In progress", "Not started"][: len(heads)]
    qtbot.waitUntil(lambda: [topic.state for topic in topic_list.table.displayed()][:3] == expected)


def test_summaries_done_are_counted_on_matches(opened, context, qtbot):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = edits.set_summary_state(before, topic.summaries[0].id, context.annotator.id, is_done=True)
    context.study.pyramids.commit(before, after, "done", context.annotator.id).result()
    _, _, topic_list = opened("matches")
    state = state_text(1, len(topic.summaries))
    qtbot.waitUntil(lambda: topic_list.table.displayed()[0].state == state)


def test_many_topics_need_no_widget_each_and_can_be_searched_by_any_word(qtbot):
    topics = [TopicChoice(f"t{n}", f"D{n:04}", f"Ferry <b>{n}</b>", "Done") for n in range(1000)]
    topic_list = TopicList(topics, "t998")
    qtbot.addWidget(topic_list)
    few = TopicList(topics[:2], "t0")
    qtbot.addWidget(few)
    assert topic_list.current_topic == "t998"
    assert len(topic_list.findChildren(QWidget)) == len(few.findChildren(QWidget))
    qtbot.keyClicks(topic_list.field, "ferry 0007")
    assert [topic.id for topic in topic_list.table.displayed()] == ["t7"]


def test_states_are_described_by_the_number_of_finished_parts():
    assert [state_text(*pair) for pair in ((0, 7), (3, 7), (7, 7), (0, 0))] == [
        "Not started",
        "In progress (3 of 7)",
        "Done",
        "Not started",
    ]
