"""Explanations of scores by jobs: ahead of a click, replaced by later requests, failed and cancelled."""

from __future__ import annotations

import threading

import pytest

from core.comparison.comparison import SystemSelection
from core.comparison.explain_score import explain
from core.comparison.measures import measures
from core.ports import ImportContent, NewRating, NewText, NewTopic
from core.progress import raise_if_cancelled, run_to_completion
from gui.background.jobs import JobQueue
from gui.pages.compare import score_explainer
from gui.pages.compare.score_explainer import ScoreExplainer, ScoreRequest
from gui.pages.compare.study_data import load_data
from gui.pages.compare.summary_presenter import SummaryPresenter
from gui.pages.compare.summary_view import SummaryView
from tests.scoring import score_all


@pytest.fixture
def scored(study):
    topics = [
        NewTopic(
            name,
            references={"A": NewText(f"The court lifted ban {name} on the bridge.")},
            summaries={"north": NewText(f"The court lifted ban {name}."), "south": NewText("A storm came.")},
        )
        for name in ("X", "Y")
    ]
    ratings = [NewRating(name, who, "coherence", "Ann", 3.0) for name in "XY" for who in ("north", "south")]
    study.import_data(
        ImportContent(
            "made", topics=topics, annotators={"Ann": ""}, dimensions={"coherence": (1, 5)}, ratings=ratings
        )
    )
    score_all(study, "rouge-n:n=1")
    return study


@pytest.fixture
def request_of(scored):
    ref = next(ref for ref in measures(scored) if ref.label == "rouge-1.f")
    ids = {head.name: head.id for head in scored.texts.topics()}
    return lambda topic, system="north": ScoreRequest(ids[topic], system, ref.label, ref.signature, "", ref)


@pytest.fixture
def explainer(context, request_of, qtbot):
    made = ScoreExplainer(context, context.jobs)
    made.answers = []
    made.explained.connect(lambda request, why: made.answers.append((request, why)))
    return made


def test_what_was_explained_ahead_is_answered_at_once(explainer, request_of, context, qtbot):
    with qtbot.waitSignal(context.jobs.ended):
        explainer.prepare(request_of("X"))
    assert explainer.answers == []
    explainer.explain(request_of("X"))
    ((request, why),) = explainer.answers
    assert request == request_of("X")
    assert why.root is not None
    assert why.parts


def test_after_a_change_a_score_is_explained_again(explainer, request_of, context, scored, qtbot):
    with qtbot.waitSignal(context.jobs.ended):
        explainer.prepare(request_of("X"))
    with qtbot.waitSignal(context.changes.changed):
        scored.import_data(ImportContent("more", topics=[NewTopic("Z", references={"A": NewText("Later.")})]))
    explainer.explain(request_of("X"))
    assert explainer.answers == []
    qtbot.waitUntil(lambda: len(explainer.answers) == 1)


@pytest.fixture
def held(monkeypatch):
    """Explanations wait until they are let go, or cancelled."""
    go = threading.Event()

    def waiting(*arguments):
        while not go.wait(0.002):
            raise_if_cancelled()
        return explain(*arguments)

    monkeypatch.setattr(score_explainer, "explain", waiting)
    yield go
    go.set()


def test_a_later_request_replaces_an_earlier_one(explainer, request_of, held, qtbot):
    explainer.explain(request_of("X"))
    explainer.explain(request_of("Y"))
    held.set()
    qtbot.waitUntil(lambda: bool(explainer.answers))
    assert [request for request, _ in explainer.answers] == [request_of("Y")]


def test_a_cancelled_explanation_is_reported_in_its_place(explainer, request_of, context, held, qtbot):
    explainer.explain(request_of("X"))
    qtbot.waitUntil(lambda: context.jobs.current(JobQueue.EXPLAINING) is not None)
    context.jobs.current(JobQueue.EXPLAINING).cancel()
    qtbot.waitUntil(lambda: bool(explainer.answers))
    assert explainer.answers[0][1].sentence.startswith("The explanation was cancelled.")


def test_a_failed_explanation_is_reported_in_its_place(explainer, request_of, monkeypatch, qtbot):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(score_explainer, "explain", broken)
    explainer.explain(request_of("X"))
    qtbot.waitUntil(lambda: bool(explainer.answers))
    assert explainer.answers[0][1].sentence.startswith("The explanation failed.")
    monkeypatch.setattr(score_explainer, "explain", explain)
    explainer.explain(request_of("X"))
    qtbot.waitUntil(lambda: len(explainer.answers) == 2)
    assert explainer.answers[1][1].root is not None


def test_the_score_and_the_texts_are_there_before_the_parts(scored, context, request_of, held, qtbot):
    view = SummaryView(None)
    qtbot.addWidget(view)
    presenter = SummaryPresenter(lambda: view, context, view)
    numbers = run_to_completion(load_data(scored, SystemSelection.AUTOMATIC))
    presenter.open(numbers, request_of("X").topic_id, "north", "rouge-1.f")
    presenter.open(numbers, request_of("Y").topic_id, "north", "rouge-1.f")
    qtbot.waitUntil(view.isVisible)
    assert view.summary_text.toPlainText() == "The court lifted ban Y."
    score = next(row.value for row in view.numbers.rows() if row.name == "rouge-1.f")
    assert view.why_label.text() == f"The score is {score:.4f}. Finding its parts …"
    presenter.open(numbers, request_of("X").topic_id, "north", "rouge-1.f")
    qtbot.waitUntil(lambda: view.summary_text.toPlainText() == "The court lifted ban X.")
    held.set()
    qtbot.waitUntil(lambda: view.parts.rowCount() > 0)
    assert not view.why_label.isVisible()
    assert view.summary_text.evidence
