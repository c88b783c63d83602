"""The tab Progress of the team with real widgets."""

from __future__ import annotations

from core.annotation.team_progress import progress_table, team_progress
from core.progress import run_to_completion
from gui.pages.progress.presenter import build


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


def test_the_commands_of_teams_are_buttons(context, shown) -> None:
    view, _ = build(context)
    shown(view)
    opened = []
    context.commands.bind("study.assignment", lambda: opened.append("assignment"))
    context.commands.bind("edit.comments", lambda: opened.append("comments"))
    view.primary.click()
    view.buttons[-1].click()
    assert opened == ["assignment", "comments"]


def test_commands_that_a_read_only_study_refuses_are_disabled_with_the_reason(context, shown) -> None:
    view, _ = build(context)
    shown(view)
    for command in ("study.assignment", "edit.comments"):
        context.commands.bind(command, lambda: None)
    context.commands.set_read_only("The file is read-only.")
    assert not view.primary.isEnabled()
    assert "read-only" in view.primary.toolTip()
    assert view.buttons[-1].isEnabled(), "comments can be read"
    context.commands.set_read_only("")
    assert view.primary.isEnabled()
