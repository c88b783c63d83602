"""The dialog that edits a copy of a rubric, and what the page does with it."""

from __future__ import annotations

import json

import pytest

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.experiments.inputs.development_topics import keep_for_development
from core.files.allowed_names import NameKind, allowed_names
from core.metrics.judge.judge import Judge
from core.metrics.judge.rubric import find_rubric, packaged_rubrics
from core.models.chat import ChatAnswer
from core.scoring.study_resources import StudyResources
from gui.pages.judges.presenter import JudgesPresenter
from gui.pages.judges.view import JudgesView, RubricDialog
from tests.scoring import score_all

TOPICS = tuple(f"T{n}" for n in range(6))
JUDGE = "judge:server=http://127.0.0.1:9/v1,lm=tiny"


@pytest.fixture
def dialog(qtbot):
    dialog = RubricDialog(packaged_rubrics(), "")
    qtbot.addWidget(dialog)
    return dialog


def test_only_a_valid_text_can_be_saved_and_the_line_is_marked(dialog):
    assert not dialog.accept_button.isEnabled()
    dialog.text.setPlainText('prompt = "{summary}"\nodd = 1\n')
    assert "(line 2)" in dialog.state_label.text()
    (mark,) = dialog.text.extraSelections()
    assert mark.cursor.blockNumber() == 1
    assert not dialog.accept_button.isEnabled()
    dialog.text.setPlainText('prompt = "{summary}"\n[[criteria]]\nname = "fluency"\n')
    assert dialog.state_label.text() == "Valid: mode rating. fluency"
    assert dialog.text.extraSelections() == []
    assert dialog.accept_button.isEnabled()


@pytest.fixture
def study_of_a_judge(study, monkeypatch):
    """Two people and a judge rate six topics, of which two are for development."""

    class Model:
        def answers(self, prompts, request):
            for prompt in prompts:
                p = 0.9 if "much better" in "".join(prompt) else 0.2
                yield ChatAnswer((), (0.0, 0.0, 0.0, 1 - p, p)[: len(request.labels)])

    monkeypatch.setattr(StudyResources, "chat", lambda *_: Model())
    monkeypatch.setattr(Judge, "check_model", lambda *_: None)
    texts = {system: NewText(f"Summary by {system}.") for system in "abc"}
    topics = [NewTopic(name, documents={"d": NewText("Text.")}, summaries=texts) for name in TOPICS]
    ratings = [
        NewRating(name, system, "fluency", who, float(value))
        for name in TOPICS
        for value, system in enumerate("abc", 2)
        for who in ("Ann", "Ben")
    ]
    scales = {"fluency": (1.0, 5.0)}
    study.import_data(ImportContent("made", topics=topics, ratings=ratings, dimensions=scales))
    keep_for_development(study, [head for head in study.texts.topics() if head.name in TOPICS[:2]]).result()
    score_all(study, JUDGE)
    return study


def test_a_copy_is_saved_allowed_and_tried_on_the_topics_for_development(
    study_of_a_judge, context, shown, qtbot, tmp_path
):
    path = tmp_path / "better.toml"
    view = JudgesView()
    presenter = JudgesPresenter(view, context, lambda *_: path)
    shown(view)
    qtbot.waitUntil(lambda: view.result.table.isVisible() and view.run_button.isEnabled())
    seen = []

    def ask(dialog):
        seen.append((dialog.start_box.currentData(), dialog.score_box.text()))
        dialog.text.setPlainText(
            dialog.text.toPlainText().replace("You rate summaries.", "You rate much better.")
        )
        dialog.score_box.setChecked(True)
        return dialog.accept_button.isEnabled()

    presenter.ask_rubric = ask
    view.rubric_button.click()
    assert seen == [("summeval", "Score the topics for development with it: tiny")]
    assert "much better" in find_rubric(str(path)).prompt
    assert allowed_names().has(NameKind.PLACE, str(path))
    study = context.study

    def answered():
        kept = [json.loads(study.settings.get(key)) for key in study.settings.keys("answers.")]
        return [one for one in kept if str(path) in one["signature"]]

    qtbot.waitUntil(lambda: len(answered()) == 2)
    qtbot.waitUntil(lambda: view.topics_box.currentData() == "development")
    qtbot.waitUntil(lambda: view.result.table.isVisible() and view.run_button.isEnabled())


def test_nothing_is_saved_after_cancel(study_of_a_judge, context, shown, tmp_path):
    view = JudgesView()
    presenter = JudgesPresenter(view, context, lambda *_: tmp_path / "none.toml")
    shown(view)
    presenter.ask_rubric = lambda dialog: False
    view.rubric_button.click()
    assert not (tmp_path / "none.toml").exists()
