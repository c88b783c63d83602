"""Training a metric from the Score page, with the real dialog and a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from core.metrics.learned.model_store import model_names
from core.operations.options import TrainRequest
from core.progress import run_to_completion as run_to_end
from core.scoring.study_resources import StudyResources
from gui.pages.score.presenter import ScorePresenter
from gui.pages.score.training import TrainingController, TrainingDialog, read_choices
from gui.pages.score.view import OWN, MetricRow, ScoreView, TrainingChoices
from gui.widgets.controls import Choice

CHOICES = TrainingChoices(
    judgements=(Choice("rating.relevance", "Relevance"), Choice("pyramid.modified", "Pyramid")),
    measures=(Choice("rouge-1.f", "rouge-1.f"), Choice("bleu.score", "bleu.score")),
    names=("model-1", "kept"),
)


@pytest.fixture
def rated(study):
    """The small study with ratings that differ."""
    judge, scale = study.annotators.get_or_create("Ann").id, study.ratings.add_dimension("relevance")
    values = {"good": 5.0, "lead": 3.0, "bad": 1.0}
    for topic in study.texts.load():
        for summary in topic.summaries:
            study.ratings.rate(summary.id, scale.id, judge, values[summary.name]).result()
    return study


@pytest.fixture
def dialog(qtbot):
    made = TrainingDialog(CHOICES)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_dialog_gives_what_was_chosen(dialog):
    assert dialog.request == TrainRequest("rating.relevance", "model-2", "s3-best", folds=10)
    dialog.human_box.setCurrentIndex(1)
    dialog.set_box.setCurrentIndex(1)
    dialog.folds_box.setValue(5)
    assert dialog.request == TrainRequest("pyramid.modified", "model-2", "s3-full", folds=5)


def test_measures_of_ones_own_must_be_chosen(dialog):
    assert not dialog.measures_box.isVisible()
    dialog.set_box.setCurrentIndex(dialog.set_box.findData(OWN))
    assert dialog.measures_box.isVisible()
    assert not dialog.accept_button.isEnabled()
    dialog.measures_box.list_menu.actions()[1].trigger()
    assert dialog.accept_button.isEnabled()
    assert dialog.request.features == "bleu.score"


def test_a_name_accepts_only_valid_characters_and_warns_if_taken(dialog, qtbot):
    dialog.name_edit.clear()
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.name_edit, "ke pt|")
    assert dialog.name_edit.text() == "kept"
    assert dialog.taken_label.isVisible()
    qtbot.keyClicks(dialog.name_edit, "2")
    assert not dialog.taken_label.isVisible()


def test_what_can_be_chosen_comes_from_the_study(rated):
    choices = run_to_end(read_choices(rated))
    assert [choice.key for choice in choices.judgements] == ["rating.relevance"]
    keys = {choice.key for choice in choices.measures}
    assert {"rouge-2.recall", "js-1.divergence"} <= keys
    assert not any(key.startswith(("pyramid.", "s3")) for key in keys)


def test_a_trained_metric_is_stored_reported_and_listed(rated, context, requests, qtbot):
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    asked: list[TrainingChoices] = []

    def answer(choices: TrainingChoices) -> TrainRequest:
        asked.append(choices)
        return TrainRequest("rating.relevance", "mine", "rouge-1.recall,js-1.divergence", folds=2)

    ScorePresenter(view, context, nothing_chosen, nothing_chosen, answer)
    view.show()
    qtbot.mouseClick(view.training_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(requests.sentences))
    assert len(asked) == 1
    assert requests.sentences[0].startswith("mine is trained: r = ")
    assert "over 6 summaries of held-out topics" in requests.sentences[0]
    assert model_names(rated) == ["mine"]
    assert StudyResources(rated).learned_model("mine").folds == 2
    qtbot.waitUntil(lambda: "s3-mine" in names_listed(view))


def nothing_chosen(_question: object) -> None:
    """Answer a question by closing it."""


def names_listed(view: ScoreView) -> list[str]:
    return [row.name for row in learned(view)]


def test_without_a_model_the_list_explains_how_to_get_one(context, qtbot):
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    ScorePresenter(view, context, nothing_chosen, nothing_chosen, nothing_chosen)
    view.show()
    qtbot.waitUntil(lambda: any(row.status == "Needs a model" for row in learned(view)))
    assert "s3" in names_listed(view)
    assert any("Train one (Train a metric…" in row.tip for row in learned(view))


def learned(view: ScoreView) -> list[MetricRow]:
    return [row for row in view.metrics.metrics.rows() if row.family == "Learned"]


def test_without_judgements_a_message_replaces_the_dialog(context, requests, qtbot):
    parent = QPushButton()
    qtbot.addWidget(parent)
    training = TrainingController(context, lambda choices: pytest.fail("nothing can be chosen"), parent)
    training.start()
    qtbot.waitUntil(lambda: bool(requests.sentences))
    assert requests.sentences == [
        "There is nothing to train on yet: match or rate summaries of at least two topics first."
    ]
