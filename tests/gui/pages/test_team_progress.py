"""The tab Progress of the team with real widgets."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt

from core.annotation.annotator_progress import progress_table, team_progress
from core.annotation.annotators import team_of
from core.annotation.assignment import assign, assignees_of, roles_of, set_role
from core.domain.assignment import Role, Work
from core.domain.decisions import RESULT_GROUP
from core.progress import run_to_completion
from gui.pages.assignment import presenter as assignment
from gui.pages.progress.presenter import build
from gui.pages.training import presenter as training
from tests.core.annotation.test_reserved_names import RESERVED


def test_the_work_of_each_annotator_is_that_of_the_command_line(context, shown, qtbot) -> None:
    study = context.study
    view, _ = build(context)
    shown(view)
    qtbot.waitUntil(lambda: not context.jobs.running())
    assert view.empty.isVisible(), "nobody has done anything"
    scale, topic = study.ratings.add_dimension("tone"), study.texts.topic(study.texts.topics()[0].id)
    for name in ("Ann", "Ben"):
        person = study.annotators.get_or_create(name)
        study.ratings.rate(topic.summaries[0].id, scale.id, person.id, 3.0).result()
    qtbot.waitUntil(lambda: view.table.isVisible() and view.table.model().rowCount() == 2)
    model = view.table.model()
    cells = [[model.index(row, at).data() for at in range(model.columnCount())] for row in range(2)]
    assert cells == progress_table(run_to_completion(team_progress(study))).texts()


def listed(view) -> list[str]:
    model = view.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def role_and_verb(view) -> tuple[str, str]:
    return view.role_box.currentText(), view.remove_button.text()


def test_annotators_are_added_given_a_role_and_removed_each_as_one_edit(context, shown, qtbot) -> None:
    study = context.study
    view, _ = build(context)
    shown(view)
    for name in ("Ben", "Cat"):
        view.name_field.setText(name)
        qtbot.keyClick(view.name_field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda name=name: name in listed(view))
    view.table.selectRow(0)
    view.role_box.setCurrentText("manager")
    view.role_box.activated.emit(view.role_box.currentIndex())
    qtbot.waitUntil(lambda: roles_of(study) == {"Ben": Role.MANAGER} and not view.add_button.isEnabled())
    assert "Ask Ben" in view.add_button.toolTip(), "Ann is no manager"
    context.history.undo()
    qtbot.waitUntil(lambda: view.add_button.isEnabled() and role_and_verb(view) == ("no role", "Remove"))
    assign(study, Work.RATINGS, {"D1": ("Ben", "Cat"), "D2": ("Ben",)}, context.annotator.id).result()
    view.remove_button.click()
    qtbot.waitUntil(lambda: listed(view) == ["Cat"])
    assert assignees_of(study, Work.RATINGS) == {"D1": ("Cat",)}
    context.history.undo()
    qtbot.waitUntil(lambda: listed(view) == ["Ben", "Cat"])
    assert assignees_of(study, Work.RATINGS) == {"D1": ("Ben", "Cat"), "D2": ("Ben",)}


def add(view, name: str) -> None:
    view.name_field.setText(name)
    view.add_button.click()


CHANGES = (
    (build, lambda view: add(view, "Dan")),
    (build, lambda view: view.role_box.chosen.emit("manager")),
    (assignment.build, lambda view: view.model.toggled.emit("D1", "Ann")),
    (assignment.build, lambda view: view.shared_box.activated.emit(0)),
    (training.build, lambda view: view.use_buttons["Control"].click()),
    (training.build, lambda view: view.blind_box.click()),
)
"""A page for managers, and a change that is made on it."""


@pytest.mark.parametrize(("build_page", "change"), CHANGES)
def test_a_change_is_refused_once_somebody_else_is_the_manager(
    build_page, change, context, shown, requests, qtbot
) -> None:
    view, _ = build_page(context)
    shown(view)
    qtbot.waitUntil(lambda: not context.jobs.running())
    context.study.annotators.get_or_create("Ben")
    set_role(context.study, "Ben", Role.MANAGER, None).result()
    before = len(context.study.edits.history())
    change(view)
    assert "Ask Ben" in requests.sentences[-1]
    context.study.flush()
    assert len(context.study.edits.history()) == before


def test_a_name_that_cannot_be_used_is_refused(context, shown, requests, qtbot) -> None:
    context.study.annotators.get_or_create("final", RESULT_GROUP)
    view, _ = build(context)
    shown(view)
    for name in ("final", *RESERVED):
        add(view, name)
        assert requests.sentences[-1].startswith(f"{name.strip()} is the name of a result")
    add(view, "Dan")
    qtbot.waitUntil(lambda: listed(view) == ["Dan"])


def test_who_has_annotated_becomes_inactive_and_active_again(context, shown, qtbot) -> None:
    study = context.study
    scale, topic = study.ratings.add_dimension("tone"), study.texts.topic(study.texts.topics()[0].id)
    ben = study.annotators.get_or_create("Ben")
    study.ratings.rate(topic.summaries[0].id, scale.id, ben.id, 3.0).result()
    view, _ = build(context)
    shown(view)
    qtbot.waitUntil(lambda: listed(view) == ["Ben"])
    assert view.remove_button.text() == "Set inactive"
    view.remove_button.click()
    qtbot.waitUntil(lambda: view.remove_button.text() == "Set active")
    assert team_of(study).inactive == {"Ben"}
    model = view.table.model()
    assert "Inactive" in [model.index(0, column).data() for column in range(model.columnCount())]
    view.remove_button.click()
    qtbot.waitUntil(lambda: view.remove_button.text() == "Set inactive")


def test_the_commands_of_teams_are_buttons(context, shown) -> None:
    view, _ = build(context)
    shown(view)
    opened = []
    for command in ("study.merge", "edit.comments"):
        context.commands.bind(command, partial(opened.append, command))
    for button in view.buttons:
        button.click()
    assert opened == ["study.merge", "edit.comments"]


def test_commands_that_a_read_only_study_refuses_are_disabled_with_the_reason(context, shown) -> None:
    view, _ = build(context)
    shown(view)
    for command in ("study.merge", "edit.comments"):
        context.commands.bind(command, lambda: None)
    context.commands.set_read_only("The file is read-only.")
    merge, comments = view.buttons
    assert not merge.isEnabled()
    assert "read-only" in merge.toolTip()
    assert comments.isEnabled(), "comments can be read"
    context.commands.set_read_only("")
    assert merge.isEnabled()
