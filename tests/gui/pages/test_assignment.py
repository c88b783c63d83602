"""The tab Assignment with real widgets, and what a plan changes on the pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.annotation.annotators import Team, add_annotator, save_team
from core.annotation.assignment import assign, assignees_of, set_role
from core.annotation.shared_pyramid import share_pyramids, shared_owner, shares_only_done
from core.domain.assignment import ASSIGNED, Role, Work
from core.domain.pyramid import UnitKind, add_scu
from core.domain.ratings import Dimension
from core.progress import run_to_completion
from gui.pages.assignment.presenter import build
from gui.pages.hits import presenter as hits
from gui.pages.match import presenter as matches
from gui.pages.pyramid import presenter as pyramids
from gui.pages.ratings import presenter as ratings
from gui.session.topic_navigation import TopicList, assigned_topics_of
from gui.shell.progress_counts import count_progress
from gui.style.language import plain_tip


@pytest.fixture
def opened(context, shown, qtbot):
    """The tab in a study with Ann, who uses it, and Ben."""
    context.study.annotators.get_or_create("Ben", "")
    save_team(context.study, Team(frozenset(("Ann", "Ben"))), None).result()
    view, _ = build(context)
    shown(view)
    qtbot.waitUntil(lambda: len(view.model.people) == 2)
    return view


def checked(view) -> dict[str, list[str]]:
    """Return the assigned annotators by topic, as displayed."""
    model = view.model
    return {
        topic: [
            name
            for column, name in enumerate(model.people, 1)
            if model.index(row, column).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        ]
        for row, topic in enumerate(model.rows())
    }


def test_each_check_mark_is_an_edit_that_undo_takes_back(opened, context, qtbot):
    opened.focus_default()
    for column in (2, 1):
        opened.table.setCurrentIndex(opened.model.index(1, column))
        qtbot.keyClick(opened.table, Qt.Key.Key_Space)
    assert checked(opened) == {"D1": [], "D2": ["Ann", "Ben"]}, "at once"
    context.study.flush()
    assert assignees_of(context.study, Work.MATCHES) == {"D2": ("Ann", "Ben")}
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    context.history.undo()
    qtbot.waitUntil(lambda: checked(opened) == {"D1": [], "D2": ["Ben"]})
    assert assignees_of(context.study, Work.MATCHES) == {"D2": ("Ben",)}


def test_a_change_keeps_what_others_have_assigned_meanwhile(opened, context, qtbot):
    assign(context.study, Work.MATCHES, {"D1": ("Ben",)}, None).result()
    for name in ("Ben", "Ann"):  # the second change before the first is known to be stored
        opened.model.toggled.emit("D2", name)
    context.study.flush()
    assert assignees_of(context.study, Work.MATCHES) == {"D1": ("Ben",), "D2": ("Ann", "Ben")}
    qtbot.waitUntil(lambda: checked(opened) == {"D1": ["Ben"], "D2": ["Ann", "Ben"]})


def test_the_heads_of_annotators_are_shown_in_full(opened):
    header = opened.table.horizontalHeader()
    for column in range(1, opened.model.columnCount()):
        assert opened.table.columnWidth(column) >= header.sectionSizeHint(column)


def test_a_long_name_leaves_room_for_the_others(opened, context, qtbot):
    name = "An & <b>" + "n" * 300
    add_annotator(context.study, name, None).result()
    qtbot.waitUntil(lambda: name in opened.model.people)
    column = 1 + opened.model.people.index(name)
    assert opened.table.columnWidth(column) <= 300
    tip = opened.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == plain_tip(name)


def test_a_proposal_is_balanced_and_leaves_managers_and_inactive_out(opened, context, qtbot):
    for name in ("Cat", "Dan", "opened it only"):
        context.study.annotators.get_or_create(name)
    save_team(
        context.study, Team(frozenset(("Ann", "Ben", "Cat", "Dan")), frozenset(("Dan",))), None
    ).result()
    set_role(context.study, "Ann", Role.MANAGER, None).result()
    qtbot.waitUntil(lambda: len(opened.model.people) == 4)
    heads = [opened.model.headerData(column, Qt.Orientation.Horizontal) for column in (1, 4)]
    assert [head.splitlines()[1] for head in heads] == ["manager", "inactive"]
    opened.per_topic_box.setValue(1)
    qtbot.mouseClick(opened.propose_button, Qt.MouseButton.LeftButton)
    assert sorted(name for names in checked(opened).values() for name in names) == ["Ben", "Cat"]


def test_progress_is_shown_for_every_kind_of_work(opened, context, qtbot):
    scale = context.study.ratings.add_dimension("quality")
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    context.study.ratings.rate(topic.summaries[0].id, scale.id, context.annotator.id, 3).result()
    opened.work_choice.chosen.emit("ratings")
    qtbot.waitUntil(lambda: opened.model.index(0, 1).data() == "1 of 3")
    assert "0 topics" in opened.model.headerData(1, Qt.Orientation.Horizontal)


def test_only_a_manager_changes_the_plan_once_there_is_one(opened, context, qtbot):
    set_role(context.study, "Ben", Role.MANAGER, None).result()
    qtbot.waitUntil(lambda: opened.notice.sentences[0] != "")
    assert opened.notice.sentences[0] == "Only a manager of this study may do this. Ask Ben."
    assert not opened.propose_button.isEnabled()
    opened.table.setCurrentIndex(opened.model.index(0, 1))
    qtbot.keyClick(opened.table, Qt.Key.Key_Space)
    assert checked(opened) == {"D1": [], "D2": []}


def test_without_annotators_it_leads_to_where_they_are_added(context, shown, qtbot, requests):
    view, _ = build(context)
    shown(view)
    qtbot.waitUntil(view.empty.isVisible)
    view.empty.primary.click()
    assert requests.pages == ["progress"]


PAGES = {
    Work.PYRAMIDS: pyramids.build,
    Work.MATCHES: matches.build,
    Work.NUGGETS: pyramids.build_nuggets,
    Work.HITS: hits.build,
    Work.RATINGS: ratings.build,
}


@pytest.mark.parametrize("work", ASSIGNED)
def test_pages_show_an_annotator_the_assigned_topics_until_all_are_asked_for(work, context, shown, qtbot):
    study = context.study
    study.ratings.edit_dimensions([], [Dimension("q" * 32, "quality")], context.annotator.id).result()
    assign(study, work, {"D2": ("Ann",)}, None).result()
    view, _presenter = PAGES[work](context)
    shown(view)
    topics = {topic.name: topic.id for topic in study.texts.topics()}
    assert context.selection.topic_id == topics["D2"], "the first one to work on"
    assert view.place.list_button.text() == "1 / 1"
    for button in (view.place.previous_button, view.place.next_button):
        button.click()
        assert context.selection.topic_id == topics["D2"]
    if work in (Work.MATCHES, Work.RATINGS):
        qtbot.waitUntil(lambda: [row.name for row in view.progress.grid.rows] == ["D2"])
    counts = run_to_completion(count_progress(study, context.annotator))
    assert counts[work] in ("0/1", "0/3", ""), "the rail counts these too"
    view.place.list_requested.emit()
    (listed,) = view.place.findChildren(TopicList)
    assert [topic.name for topic in listed.table.displayed()] == ["D2"]
    listed.all_box.click()
    assert [topic.name for topic in listed.table.displayed()] == ["D1", "D2"]
    listed.close()
    assert view.place.list_button.text() == "2 / 2"
    view.place.previous_button.click()
    assert context.selection.topic_id == topics["D1"]
    assert assigned_topics_of(context).shows_all, "on every page"


def test_a_study_without_a_plan_lists_all_topics(context, shown):
    assign(context.study, Work.RATINGS, {"D2": ("Ben",)}, None).result()
    view, _ = ratings.build(context)
    shown(view)
    view.place.list_requested.emit()
    (listed,) = view.place.findChildren(TopicList)
    assert [topic.name for topic in listed.table.displayed()] == ["D1", "D2"], "nothing is assigned to Ann"
    assert not listed.all_box.isVisible()


def test_shared_pyramids_are_chosen_and_those_that_are_not_ready_named(opened, context, qtbot):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = add_scu(before, "ban", topic.references[0].id, [(0, 9)])
    context.study.pyramids.commit(before, after, "new SCU", context.annotator.id).result()
    assert not opened.only_done_box.isEnabled()
    opened.shared_box.setCurrentIndex(opened.shared_box.findData("Ann"))
    opened.shared_box.activated.emit(opened.shared_box.currentIndex())
    unready = "Of 2 topics of Ann: 1 without pyramid; 1 not marked done, {} until then."
    qtbot.waitUntil(lambda: opened.notice.sentences[0] == unready.format("not locked"))
    assert shared_owner(context.study, UnitKind.SCU) == "Ann"
    opened.only_done_box.click()
    qtbot.waitUntil(lambda: opened.notice.sentences[0] == unready.format("left out"))
    assert shares_only_done(context.study, UnitKind.SCU)
    opened.work_choice.chosen.emit("ratings")
    assert not opened.shared_box.isVisible()
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    for _ in range(2):
        context.study.edits.undo(context.annotator.id).result()
    assert not shared_owner(context.study, UnitKind.SCU)


def test_a_choice_by_somebody_else_is_shown(opened, context, qtbot):
    share_pyramids(context.study, UnitKind.SCU, "Ben", None).result()
    qtbot.waitUntil(lambda: opened.shared_box.currentData() == "Ben")
