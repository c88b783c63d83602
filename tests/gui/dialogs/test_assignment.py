"""The assignment dialog with real widgets, and what a plan changes on the pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.annotation.annotators import Team, annotators_of, save_team, team_of
from core.annotation.assignment import assign, assignees_of, roles_of, set_role
from core.annotation.shared_pyramid import shared_owner, shares_only_done
from core.domain.assignment import Role, Work
from core.domain.pyramid import UnitKind, add_match, add_scu
from core.domain.ratings import Dimension
from core.ports import ChangeKind
from gui.dialogs.assignment.presenter import AssignmentPresenter
from gui.pages.ratings import presenter as ratings
from gui.session.annotation_session import annotation_session
from gui.session.topic_list import TopicList


@pytest.fixture
def opened(context, qtbot):
    """The dialog of a study with Ann, who uses it, and Ben."""
    context.study.annotators.get_or_create("Ben", "")
    save_team(context.study, Team(frozenset(("Ann", "Ben"))), None).result()
    window = QWidget()
    qtbot.addWidget(window)
    presenter = AssignmentPresenter(context, window)
    dialog = presenter.open()
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def checked(dialog) -> dict[str, list[str]]:
    """Return the assigned annotators by topic, as displayed."""
    model = dialog.model
    return {
        topic: [
            person.name
            for column, person in enumerate(model.people, 1)
            if model.index(row, column).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        ]
        for row, topic in enumerate(model.topics)
    }


def test_a_topic_is_assigned_by_keyboard_and_saved_as_one_edit(opened, context, qtbot):
    opened.table.setFocus()
    opened.table.setCurrentIndex(opened.model.index(1, 2))
    qtbot.keyClick(opened.table, Qt.Key.Key_Space)
    assert checked(opened) == {"D1": [], "D2": ["Ben"]}
    assert assignees_of(context.study, Work.MATCHES) == {}, "nothing is stored yet"
    qtbot.mouseClick(opened.accept_button, Qt.MouseButton.LeftButton)
    context.study.flush()
    assert assignees_of(context.study, Work.MATCHES) == {"D2": ("Ben",)}
    context.study.edits.undo(context.annotator.id).result()
    assert assignees_of(context.study, Work.MATCHES) == {}


def test_the_heads_of_annotators_are_shown_in_full(opened):
    header = opened.table.horizontalHeader()
    for column in range(1, opened.model.columnCount()):
        assert opened.table.columnWidth(column) >= header.sectionSizeHint(column)


def test_a_proposal_is_balanced_and_leaves_managers_out(opened, context, qtbot):
    opened.name_field.setText("Cat")
    qtbot.mouseClick(opened.add_button, Qt.MouseButton.LeftButton)
    opened.person_box.setCurrentText("Ann")
    opened.role_box.setCurrentIndex(opened.role_box.findData("manager"))
    opened.role_chosen.emit("Ann", "manager")
    opened.per_topic_box.setValue(1)
    qtbot.mouseClick(opened.propose_button, Qt.MouseButton.LeftButton)
    assert sorted(name for names in checked(opened).values() for name in names) == ["Ben", "Cat"]
    assert "manager" in opened.model.headerData(1, Qt.Orientation.Horizontal)
    qtbot.mouseClick(opened.accept_button, Qt.MouseButton.LeftButton)
    context.study.flush()
    assert roles_of(context.study) == {"Ann": Role.MANAGER}
    assert "Cat" in {person.name for person in context.study.annotators.all()}


def test_progress_is_shown_for_every_kind_of_work(opened, context, qtbot):
    scale = context.study.ratings.add_dimension("quality")
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    context.study.ratings.rate(topic.summaries[0].id, scale.id, context.annotator.id, 3).result()
    opened.work_choice.chosen.emit("ratings")
    qtbot.waitUntil(lambda: opened.model.index(0, 1).data() == "1 of 3")
    assert "0 topics" in opened.model.headerData(1, Qt.Orientation.Horizontal)


def test_only_a_manager_changes_the_plan_once_there_is_one(context, qtbot):
    context.study.annotators.get_or_create("Ben", "")
    set_role(context.study, "Ben", Role.MANAGER, None).result()
    window = QWidget()
    qtbot.addWidget(window)
    presenter = AssignmentPresenter(context, window)
    with qtbot.waitSignal(presenter.refused) as refused:
        assert presenter.open() is None
    assert refused.args == ["Only a manager of this study may do this. Ask Ben."]


def test_only_assigned_topics_are_stepped_to_and_listed_until_all_are_wanted(context, shown, qtbot):
    context.study.ratings.edit_dimensions([], [Dimension("q" * 32, "quality")], context.annotator.id).result()
    assign(context.study, Work.RATINGS, {"D2": ("Ann",)}, None).result()
    view, presenter = ratings.build(context)
    shown(view)
    topics = {topic.name: topic.id for topic in context.study.texts.topics()}
    assert context.selection.topic_id == topics["D2"], "the first one to work on"
    view.place.previous_button.click()
    assert context.selection.topic_id == topics["D2"]
    view.place.list_requested.emit()
    (listed,) = view.place.findChildren(TopicList)
    assert [topic.name for topic in listed.listed()] == ["D2"]
    listed.all_box.click()
    assert [topic.name for topic in listed.listed()] == ["D1", "D2"]
    listed.close()
    view.place.previous_button.click()
    assert context.selection.topic_id == topics["D1"]
    presenter.go_to_next_unrated()


def test_a_study_without_a_plan_lists_all_topics(context, shown):
    assign(context.study, Work.RATINGS, {"D2": ("Ben",)}, None).result()
    view, _ = ratings.build(context)
    shown(view)
    view.place.list_requested.emit()
    (listed,) = view.place.findChildren(TopicList)
    assert [topic.name for topic in listed.listed()] == ["D1", "D2"], "nothing is assigned to Ann"
    assert not listed.all_box.isVisible()


def test_everyone_matches_against_the_shared_pyramid_which_is_locked(opened, context, qtbot):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    session = annotation_session(context)
    session.open(topic.id)
    assert session.edit(lambda a: add_scu(a, "ban", topic.references[0].id, [(0, 9)]), "new SCU")
    opened.work_choice.chosen.emit("matches")
    opened.shared_box.setCurrentIndex(opened.shared_box.findData("Ann"))
    opened.shared_box.activated.emit(opened.shared_box.currentIndex())

    def is_setting(changes) -> bool:
        return ChangeKind.SETTINGS in changes.kinds

    with qtbot.waitSignal(context.changes.changed, check_params_cb=is_setting):
        qtbot.mouseClick(opened.accept_button, Qt.MouseButton.LeftButton)
    assert shared_owner(context.study, UnitKind.SCU) == "Ann"
    with qtbot.waitSignal(session.refused) as refused:
        assert not session.edit(lambda a: add_scu(a, "x", topic.references[0].id, [(10, 12)]), "new SCU")
    assert "locked" in refused.args[0]
    summary, scu = topic.summaries[0].id, session.annotation.pyramid.scus[0].id
    me = context.annotator.id
    assert session.edit(lambda a: add_match(a, summary, me, scu, [(0, 3)]), "match"), "matching goes on"
    opened.work_choice.chosen.emit("ratings")
    assert not opened.shared_box.isVisible()


def reopened(context, dialog):
    return AssignmentPresenter(context, dialog.parent()).open()


def test_an_added_annotator_without_topics_is_there_after_saving(opened, context, qtbot):
    opened.name_field.setText("Cat")
    qtbot.mouseClick(opened.add_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(opened.accept_button, Qt.MouseButton.LeftButton)
    context.study.flush()
    assert [person.name for person in reopened(context, opened).model.people] == ["Ann", "Ben", "Cat"]


def test_who_only_opened_the_study_is_not_listed_and_gets_no_topics(context, qtbot):
    context.study.annotators.get_or_create("root")
    save_team(context.study, Team(frozenset({"Ben"})), None).result()
    context.study.annotators.get_or_create("Ben")
    window = QWidget()
    qtbot.addWidget(window)
    dialog = AssignmentPresenter(context, window).open()
    assert [person.name for person in dialog.model.people] == ["Ben"]
    dialog.per_topic_box.setValue(1)
    dialog.propose_button.click()
    assert checked(dialog) == {"D1": ["Ben"], "D2": ["Ben"]}


def test_an_annotator_without_work_is_removed_with_assignments_and_role(opened, context, qtbot):
    assert opened.remove_button.text() == "Remove"
    opened.person_box.setCurrentText("Ben")
    opened.person_box.activated.emit(opened.person_box.currentIndex())
    opened.model.toggled.emit("D1", "Ben")
    opened.role_chosen.emit("Ben", "annotator")
    opened.person_box.setCurrentText("Ben")
    opened.remove_button.click()
    assert [person.name for person in opened.model.people] == ["Ann"]
    opened.accept_button.click()
    context.study.flush()
    assert [person.name for person in annotators_of(context.study)] == ["Ann"]
    assert assignees_of(context.study, Work.MATCHES) == {}
    context.study.edits.undo(context.annotator.id).result()
    assert "Ben" in {person.name for person in annotators_of(context.study)}


def test_an_annotator_with_work_becomes_inactive_and_gets_no_more_topics(context, qtbot):
    scale = context.study.ratings.add_dimension("quality")
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    ben = context.study.annotators.get_or_create("Ben")
    context.study.ratings.rate(topic.summaries[0].id, scale.id, ben.id, 3).result()
    save_team(context.study, Team(frozenset({"Ann"})), None).result()
    window = QWidget()
    qtbot.addWidget(window)
    dialog = AssignmentPresenter(context, window).open()
    dialog.person_box.setCurrentText("Ben")
    dialog.person_box.activated.emit(dialog.person_box.currentIndex())
    assert dialog.remove_button.text() == "Set inactive"
    dialog.remove_button.click()
    assert "inactive" in dialog.model.headerData(2, Qt.Orientation.Horizontal)
    dialog.per_topic_box.setValue(1)
    dialog.propose_button.click()
    assert checked(dialog) == {"D1": ["Ann"], "D2": ["Ann"]}
    dialog.accept_button.click()
    context.study.flush()
    assert team_of(context.study).inactive == {"Ben"}


def test_escape_asks_before_it_discards_check_marks(opened, context, qtbot):
    opened.model.toggled.emit("D1", "Ben")
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert opened.isVisible()
    qtbot.keyClick(opened.question, Qt.Key.Key_Escape)
    assert checked(opened) == {"D1": ["Ben"], "D2": []}
    opened.reject()
    opened.question.remedy_button.click()
    assert not opened.isVisible()
    assert assignees_of(context.study, Work.MATCHES) == {}


def test_escape_closes_at_once_without_changes(opened, qtbot):
    opened.model.toggled.emit("D1", "Ben")
    opened.model.toggled.emit("D1", "Ben")
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert not opened.isVisible()


def test_sharing_pyramids_that_are_not_ready_warns_before_it_is_saved(opened, context):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = add_scu(before, "ban", topic.references[0].id, [(0, 9)])
    context.study.pyramids.commit(before, after, "new SCU", context.annotator.id).result()
    opened.work_choice.chosen.emit("matches")
    opened.shared_chosen.emit("Ann")
    assert (
        opened.notice.sentences[0] == "Of 2 topics of Ann: 1 without pyramid; 1 not marked done, locked too."
    )
    assert opened.only_done_box.isEnabled()
    opened.only_done_box.click()
    assert "left out until then" in opened.notice.sentences[0]
    opened.accept_button.click()
    context.study.flush()
    assert shares_only_done(context.study, UnitKind.SCU)
