"""References as systems in the window: scored on one page, compared on another, and accounted for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.comparison.comparison import load_comparison
from core.comparison.options import SystemSelection
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics.registry import parse
from core.scoring.config import ScoringConfig
from core.stats.correlation import Coefficient, Level
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.summary.summary_presenter import SummaryPresenter, numbers_of
from gui.pages.compare.summary.summary_view import SummaryView
from gui.pages.compare.view import CompareView
from gui.pages.score.presenter import ScorePresenter
from gui.pages.score.view import ScoreState, ScoreView
from gui.widgets.controls import Choice
from tests.scoring import score_all

TEXTS = {"s1": "The ban fell.", "s2": "A storm came.", "s3": "The court met on Monday and the ban fell."}
REFERENCES = {"A": "The court met and the ban fell.", "B": "The ban fell on Monday.", "C": "The court met."}
HELD = {"met": "AC", "fell": "AB", "Monday": "B"}
FOUND = {"s1": ["fell"], "s2": [None], "s3": ["met", "fell", "Monday"]}
JACKKNIFED = "pyramid.modified[humans:jackknife]"


@pytest.fixture
def matched(study):
    """One more topic, with a pyramid and three summaries matched to it by Ann."""
    texts = {name: NewText(content) for name, content in TEXTS.items()}
    references = {author: NewText(content) for author, content in REFERENCES.items()}
    study.import_data(ImportContent("new", [NewTopic("court", references=references, summaries=texts)]))
    topic = next(t for t in study.texts.load() if t.name == "court")
    ids = {text.name: text.id for text in (*topic.references, *topic.summaries)}
    ann = study.annotators.get_or_create("Ann").id
    before = made = study.pyramids.annotation(topic.id, ann)
    for label, authors in HELD.items():
        made = pyramid.add_scu(made, label, ids[authors[0]], [(0, 3)], f"scu-{label}")
        for author in authors[1:]:
            made = pyramid.add_contributor(made, f"scu-{label}", ids[author], [(0, 3)])
    for system, labels in FOUND.items():
        for label in labels:
            made = pyramid.add_match(made, ids[system], ann, label and f"scu-{label}", [(0, 3)])
        made = pyramid.set_summary_state(made, ids[system], ann, is_done=True)
    study.pyramids.commit(before, made, "match", ann).result()
    return study


def numbers_shown(view):
    return {row.label: row.cells[0].value for row in view.table.measures.rows()}


@pytest.fixture
def compare(qtbot, context, shown):
    view = CompareView()
    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    presenter = ComparePresenter(
        view, context, lambda *_: None, summaries.open, lambda *_: None, lambda *_: None
    )
    return shown(view), presenter


def choose_systems(view, key):
    view.systems_box.setCurrentIndex(view.systems_box.findData(key))
    view.systems_box.activated.emit(view.systems_box.currentIndex())


def test_a_tick_scores_references_as_systems_beside_the_usual_scores(matched, qtbot, context):
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    ScorePresenter(view, context, lambda _: None, lambda _: None, lambda _: None)
    view.show()

    def standing():
        return {row.state for row in view.metrics.metrics.rows()}

    qtbot.waitUntil(lambda: bool(standing()) and ScoreState.LOOKING not in standing())
    for row in view.metrics.metrics.rows():
        if row.is_chosen != (row.name == "pyramid"):
            view.metrics.toggled.emit(row.key)
    view.humans_box.click()
    qtbot.waitUntil(lambda: ScoreState.LOOKING not in standing() and view.run_button.isEnabled())
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(matched.scores.configs()) and not view.stop_button.isVisible())
    (config,) = matched.scores.configs()
    assert config.scores_humans
    (block,) = matched.scores.blocks(config.signature)
    assert block.systems == ("s1", "s2", "s3", "reference A", "reference B", "reference C")


def test_systems_and_references_are_compared_with_each_other(matched, compare, qtbot):
    score_all(matched, ScoringConfig(parse("rouge-n:n=1"), humans=True), ScoringConfig(parse("rouge-n:n=1")))
    view, _ = compare
    choose_systems(view, "with-humans")
    comparison = load_comparison(matched, [JACKKNIFED], systems=SystemSelection.WITH_HUMANS)
    rows = comparison.rows(Level.SYSTEM, Coefficient.PEARSON)
    assert {row.n for row in rows} == {6}
    qtbot.waitUntil(lambda: numbers_shown(view) == {row.measure: row.value for row in rows})


def test_a_chosen_pyramid_score_stays_chosen_when_references_join(matched, compare, qtbot):
    score_all(matched, ScoringConfig(parse("rouge-n:n=1"), humans=True), ScoringConfig(parse("rouge-n:n=1")))
    view, presenter = compare
    qtbot.waitUntil(lambda: len(numbers_shown(view)) == 6)
    view.judgements_box.chosen.emit(["pyramid.presence"])
    for systems, name in (
        ("with-humans", "pyramid.presence[humans:jackknife]"),
        ("automatic", "pyramid.presence"),
    ):
        choose_systems(view, systems)
        qtbot.waitUntil(lambda wanted=name: presenter.request.judgements == (wanted,))
        qtbot.waitUntil(lambda wanted=name: presenter.cell is not None and presenter.cell[1] == wanted)


def test_where_no_reference_is_scored_as_a_system_the_page_explains_how(matched, compare, qtbot):
    score_all(matched, ScoringConfig(parse("rouge-n:n=1")))
    view, _ = compare
    choose_systems(view, "with-humans")
    qtbot.waitUntil(lambda: "Also as systems" in view.empty.sentence_label.text())
    assert view.empty.isVisible()
    assert view.systems_box.isVisible(), "the way back stays"


def test_a_reference_is_opened_with_the_explanation_of_its_score(matched, compare, qtbot, context):
    score_all(matched, ScoringConfig(parse("pyramid"), humans=True))
    view, presenter = compare
    choose_systems(view, "with-humans")
    side = presenter.side_panel

    def is_drawn() -> bool:
        has_points = side.points is not None and "reference B" in side.points.systems
        return has_points and view.figure.canvas is not None and view.texts_button.width() > 40

    qtbot.waitUntil(is_drawn)
    view.figure.dot_chosen.emit(side.points.systems.index("reference B"))
    view.texts_button.setFocus()
    qtbot.keyClick(view.texts_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: view.findChild(SummaryView) is not None)
    window = view.findChild(SummaryView)
    qtbot.waitUntil(lambda: window.why_model.rowCount() == 1 and side.points is not None)
    assert window.why_model.index(0, 0).data() == side.points.measure.rpartition(".")[2]
    assert context.selection.system == "reference B"
    beside = [window.other_box.itemText(i) for i in range(window.other_box.count())]
    assert beside == ["Reference A", "Reference C"]


def test_a_judgement_and_a_measure_of_one_name_are_both_shown(matched, compare, qtbot):
    score_all(matched, ScoringConfig(parse("pyramid")))
    view, presenter = compare
    qtbot.waitUntil(lambda: len(numbers_shown(view)) == 4)
    rows = numbers_of(presenter.data, "court", "s3")
    assert [row.name for row in rows].count("pyramid.modified") == 2
