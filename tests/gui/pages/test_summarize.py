"""The dialog of baseline summaries: a system is made, refused, cancelled; settings and names."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from core.systems.run import signatures_of
from gui.pages.summarize.presenter import open_summarizers
from gui.pages.summarize.view import kind_of


@pytest.fixture
def page(context, qtbot):
    view = open_summarizers(context, None).dialog
    qtbot.addWidget(view)
    view.resize(1280, 800)
    view.show()
    qtbot.waitUntil(lambda: bool(view.system_table.rows.rows()))
    return view


def choose(page, name: str) -> None:
    names = [row.name for row in page.list.rows.rows()]
    page.list.selectRow(names.index(name))


def row(page, system: str):
    return next((one for one in page.system_table.rows.rows() if one.name == system), None)


def test_a_system_is_made_by_keyboard_and_listed(page, context, qtbot):
    choose(page, "lead")
    page.form.controls["words"].setValue(4)
    assert page.name_field.placeholderText() == "lead:words=4"
    page.name_field.setFocus()
    qtbot.keyClicks(page.name_field, "first")
    assert "--with first=lead:words=4" in page.command_line.command
    qtbot.keyClick(page.name_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row(page, "first") is not None)
    made = row(page, "first")
    assert (made.summaries, made.words, made.made_by) == (2, 4.0, "lead:words=4")
    assert row(page, "good").made_by == ""
    assert signatures_of(context.study)["first"].startswith("lead|words:4")
    texts = [
        text.content
        for topic in context.study.texts.load()
        for text in topic.summaries
        if text.name == "first"
    ]
    assert texts[0] == "The court met on"


def test_a_name_that_is_used_is_refused_before_the_run(page, qtbot):
    choose(page, "lead-3")
    assert page.run_button.isEnabled()
    page.name_field.setFocus()
    qtbot.keyClicks(page.name_field, "good")
    assert "has a system good" in page.notice.text_label.text()
    assert not page.run_button.isEnabled()
    choose(page, "lsa")
    assert page.run_button.isEnabled()
    assert not page.notice.isVisible()


def test_settings_are_kept_by_summarizer_and_reset(page):
    choose(page, "lexrank")
    box = page.form.controls["mode"]
    box.setCurrentIndex(box.findData("degree"))
    box.activated.emit(box.currentIndex())
    choose(page, "lsa")
    choose(page, "lexrank")
    assert page.form.controls["mode"].currentData() == "degree"
    page.reset_button.click()
    assert page.form.controls["mode"].currentData() == "lexrank"


def test_a_program_is_checked_and_the_oracles_are_marked(page):
    choose(page, "command")
    assert "Name the program" in page.notice.text_label.text()
    kinds = {one.name: kind_of(one) for one in page.list.rows.rows()}
    assert kinds["oracle"] == kinds["fragments"] == "upper bound"
    assert kinds["lead"] == "baseline"


def test_the_folder_of_a_model_is_chosen(context, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("gui.widgets.file_dialogs.ask_folder", lambda parent, question: tmp_path)
    view = open_summarizers(context, None).dialog
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: bool(view.system_table.rows.rows()))
    choose(view, "model")
    qtbot.waitUntil(lambda: bool(view.form.findChildren(QToolButton)))
    buttons = {button.accessibleName(): button for button in view.form.findChildren(QToolButton)}
    buttons["Choose a folder for model"].click()
    assert view.form.controls["model"].text() == str(tmp_path)
    assert "There is no model" in view.notice.text_label.text()


def test_a_run_shows_progress_and_is_cancelled(page, context, qtbot, monkeypatch):
    release = []

    def slow(self, source):
        while not release:
            pass
        return ("One.",)

    monkeypatch.setattr("core.systems.lead.Lead.summarize", slow, raising=False)
    choose(page, "lead")
    page.name_field.setText("slow")
    page.name_field.textEdited.emit("slow")
    page.run_button.click()
    assert page.job.stop_button.isVisible()
    assert page.job.bar.isVisible()
    assert not page.run_button.isEnabled()
    page.job.stop_button.click()
    release.append(True)
    qtbot.waitUntil(lambda: not page.job.stop_button.isVisible())
    context.study.flush()
    found = [text for topic in context.study.texts.load() for text in topic.summaries if text.name == "slow"]
    assert len(found) < 2


def test_a_study_without_documents_says_what_is_missing(context, qtbot, tmp_path, requests):
    from core.domain.import_batch import ImportContent, NewText, NewTopic
    from storage.study_file import new_study

    with new_study(tmp_path / "bare.pyramidion") as study:
        study.import_data(ImportContent("test", [NewTopic("D1", references={"A": NewText("A text.")})]))
        from dataclasses import replace

        view = open_summarizers(replace(context, study=study), None).dialog
        qtbot.addWidget(view)
        view.show()
        qtbot.waitUntil(lambda: bool(view.list.rows.rows()))
        assert "No topic has documents" in view.notice.text_label.text()
        context.jobs.cancel_all(5.0)
