"""Explanations of scores by jobs: ahead of a click, replaced by later requests, failed and cancelled."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from core.comparison.explanations.explain_score import explain, explain_best_reference
from core.comparison.explanations.explained_parts import best_reference
from core.comparison.measures import measures
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.operations.columns import load_whole
from core.operations.options import CorrelateRequest
from core.progress import raise_if_cancelled, run_to_completion
from core.scoring.study_resources import StudyResources
from gui.background.jobs import JobQueue
from gui.pages.compare.summary import summary_presenter
from gui.pages.compare.summary.summary_presenter import ScoreExplainer, ScoreRequest, SummaryPresenter
from gui.pages.compare.summary.summary_view import (
    Highlight,
    PartRow,
    ReadText,
    SummaryTexts,
    SummaryView,
    Why,
    WhyNode,
)
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

    monkeypatch.setattr(summary_presenter, "explain", waiting)
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

    monkeypatch.setattr(summary_presenter, "explain", broken)
    explainer.explain(request_of("X"))
    qtbot.waitUntil(lambda: bool(explainer.answers))
    assert explainer.answers[0][1].sentence.startswith("The explanation failed.")
    monkeypatch.setattr(summary_presenter, "explain", explain)
    explainer.explain(request_of("X"))
    qtbot.waitUntil(lambda: len(explainer.answers) == 2)
    assert explainer.answers[1][1].root is not None


def test_the_score_and_the_texts_are_there_before_the_parts(scored, context, request_of, held, qtbot):
    view = SummaryView(None)
    qtbot.addWidget(view)
    presenter = SummaryPresenter(lambda: view, context, view)
    numbers = run_to_completion(load_whole(scored, CorrelateRequest()))
    presenter.open(numbers, request_of("X").topic_id, "north", "rouge-1.f")
    presenter.open(numbers, request_of("Y").topic_id, "north", "rouge-1.f")
    qtbot.waitUntil(view.isVisible)
    assert view.summary_text.toPlainText() == "The court lifted ban Y."
    score = next(row.value for row in view.numbers_table.rows.rows() if row.name == "rouge-1.f")
    assert view.why_label.text() == f"The score is {score:.4f}. Finding its parts …"
    presenter.open(numbers, request_of("X").topic_id, "north", "rouge-1.f")
    qtbot.waitUntil(lambda: view.summary_text.toPlainText() == "The court lifted ban X.")
    held.set()
    qtbot.waitUntil(lambda: view.parts_table.rows.rowCount() > 0)
    assert not view.why_label.isVisible()
    assert view.summary_text.evidence


class TestOfAModel:
    """Scores of an encoder are first explained by the reference that matched best."""

    @pytest.fixture
    def bertscore(self, study):
        topic = NewTopic(
            "X",
            references={
                "A": NewText("A storm closed the harbour."),
                "B": NewText("The court lifted the ban on the bridge."),
                "C": NewText("Roads are wet."),
            },
            summaries={"north": NewText("The court lifted the ban."), "south": NewText("A storm came.")},
        )
        study.import_data(ImportContent("made", topics=[topic]))
        score_all(study, "bertscore", "moverscore")
        ids = {head.name: head.id for head in study.texts.topics()}
        refs = {ref.label: ref for ref in measures(study)}
        return lambda label: ScoreRequest(ids["X"], "north", label, refs[label].signature, "", refs[label])

    def test_the_best_reference_comes_first_and_the_whole_follows(self, study, bertscore, context, qtbot):
        explainer = ScoreExplainer(context, context.jobs)
        answers = []
        explainer.explained.connect(lambda request, why: answers.append(why))
        explainer.explain(bertscore("bertscore.f"))
        qtbot.waitUntil(lambda: len(answers) == 2)
        first, whole = answers
        assert first.root.value == whole.root.value
        assert [bool(child.children) for child in first.root.children] == [False, True, False]
        assert all(child.children for child in whole.root.children)
        assert [child.value for child in first.root.children] == [c.value for c in whole.root.children]
        of_b = [part for part in whole.parts if {h.key for h in part.highlights} & {"reference:B"}]
        assert {part.name for part in first.parts if part.highlights} == {part.name for part in of_b}
        explainer.explain(bertscore("bertscore.f"))
        assert answers[2] is whole, "it is known by now"

    @pytest.mark.parametrize("label", ["bertscore.precision", "bertscore.f", "moverscore-v1.score"])
    def test_it_evaluates_to_the_score(self, study, bertscore, label):
        request = bertscore(label)
        resources = StudyResources(study, "cpu")
        tree = explain_best_reference(study, request.ref, request.topic_id, "north", resources)
        block = next(b for b in study.scores.blocks(request.signature) if b.topic_id == request.topic_id)
        stored = block.values[
            block.systems.index("north"), request.ref.config.measures.index(request.ref.measure)
        ]
        assert tree.evaluate() == pytest.approx(stored, abs=1e-6)
        assert best_reference(tree) == "B"

    def test_values_of_other_texts_are_not_used(self, study, bertscore):
        request = bertscore("bertscore.f")
        block = next(b for b in study.scores.blocks(request.signature) if b.topic_id == request.topic_id)
        study.scores.save(request.ref.config, replace(block, stats=block.stats * 0.9)).result()
        resources = StudyResources(study, "cpu")
        assert explain_best_reference(study, request.ref, request.topic_id, "north", resources) is None


def test_the_chosen_part_stays_when_more_of_an_explanation_comes(qtbot):
    marks = (Highlight("summary:lead", (0, 1), 1.0), Highlight("reference:B", (0, 4), 1.0))
    rows = [PartRow(f"F › {name}", 1.0, 0.5, 0.5, marks) for name in "abc"]
    view = SummaryView(None)
    qtbot.addWidget(view)
    view.show_texts(SummaryTexts("lead", "D1", ReadText("summary:lead", "Summary lead", "x y"), ()))
    root = WhyNode("F", "sum", "1.0000", marks, ())
    view.show_why(Why("f", "", root, tuple(rows[1:]), highlights=marks * 2))
    view.parts_table.setCurrentIndex(view.parts_table.model().index(1, 0))
    view.show_why(Why("f", "", root, tuple(rows), highlights=marks * 2))
    assert view.parts_table.currentIndex().data() == "c"
    assert len(view.summary_text.evidence) == 1
    view.show_why(Why("f", "", is_pending=True))
    view.show_why(Why("f", "", root, tuple(rows), highlights=marks * 2))
    assert not view.parts_table.currentIndex().isValid()
