"""The dialog that lets a program propose annotations."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from core.domain.decisions import MACHINE_GROUP
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.files.allowed_names import NameKind, allowed_names
from core.metrics.judge.rubric import rubric_text
from core.suggestions.stored import stored_proposals
from gui.pages.propose.presenter import open_proposals


@pytest.fixture
def presenter(context, qtbot):
    presenter = open_proposals(context, None)
    qtbot.addWidget(presenter.dialog)
    presenter.open()
    return presenter


def test_pyramids_of_one_topic_are_proposed_under_a_name_with_settings(presenter, context, qtbot):
    view, study = presenter.dialog, context.study
    assert view.name_field.placeholderText() == "auto-pyramid"
    first = study.texts.topics()[0]
    view.topic_box.setCurrentIndex(view.topic_box.findData(first.id))
    view.name_field.setText("draft")
    view.form.controls["least"].setValue(0.9)
    view.run_button.click()
    assert not view.run_button.isEnabled()
    qtbot.waitUntil(lambda: not view.job.is_busy)
    (proposal,) = stored_proposals(study, first.id)
    assert (proposal.by, "least:0.9" in proposal.metric) == ("draft", True)
    assert [person.name for person in study.annotators.all() if person.group == MACHINE_GROUP] == ["draft"]
    assert all(not stored_proposals(study, head.id) for head in study.texts.topics()[1:])


def test_stop_keeps_what_is_stored_and_proposes_again(presenter, context, qtbot):
    view = presenter.dialog
    view.run_button.click()
    view.job.stop_button.click()
    qtbot.waitUntil(lambda: not view.job.is_busy)
    assert view.run_button.isEnabled()
    view.run_button.click()
    qtbot.waitUntil(lambda: not view.job.is_busy)
    assert all(stored_proposals(context.study, head.id) for head in context.study.texts.topics())


def test_the_name_of_a_person_is_refused(presenter, context, qtbot):
    view = presenter.dialog
    view.name_field.setText(context.annotator.name)
    view.run_button.click()
    qtbot.waitUntil(lambda: "is an annotator" in view.notice.text_label.text() and not context.jobs.running())
    offered = view.topic_box.count()
    context.study.import_data(
        ImportContent("x", topics=[NewTopic("X", references={"A": NewText("A court met.")})])
    )
    qtbot.waitUntil(lambda: view.topic_box.count() > offered and not context.jobs.running())
    assert view.notice.isVisible(), (
        "what can be proposed was found out again, which says nothing of the failure"
    )
    qtbot.keyClicks(view.name_field, "2")
    assert not view.notice.isVisible()


def test_the_file_of_a_rubric_is_chosen(presenter, qtbot, tmp_path, monkeypatch):
    view, rubric = presenter.dialog, tmp_path / "rubric.toml"
    rubric.write_text(rubric_text("scu-matching"))
    allowed_names().__init__()  # nothing is allowed
    monkeypatch.setattr("gui.widgets.file_dialogs.ask_file", lambda parent, question: rubric)
    qtbot.keyClicks(view.form.controls["lm"], "mine")
    qtbot.keyClick(view.form.controls["lm"], Qt.Key.Key_Return)

    def buttons() -> dict[str, QToolButton]:
        return {button.accessibleName(): button for button in view.form.findChildren(QToolButton)}

    qtbot.waitUntil(lambda: "Choose a file for matching" in buttons())
    view.show_failure("No such file.")
    buttons()["Choose a file for matching"].click()
    view.show_problem("")
    assert not view.notice.isVisible(), "another run is being prepared"
    assert view.form.controls["matching"].text() == str(rubric)
    assert allowed_names().has(NameKind.PLACE, str(rubric))
