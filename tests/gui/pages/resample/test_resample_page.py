"""The Resample page with its real widgets, real experiments and a real study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core.metrics.registry import parse
from core.ports import ImportContent, NewRating
from core.progress import run_to_completion
from core.report.report_items import chosen_parts
from core.results.result_json import from_text, to_text
from core.scoring.engine import score
from core.scoring.engine_tools import StudyResources
from core.scoring.plan import ScoringConfig, plan
from gui.pages.resample.presenter import ResamplePresenter
from gui.pages.resample.view import ResampleView
from gui.results.values import ExperimentStatus
from gui.widgets.multi_choice import MultiChoice

DATA_SET, ARTICLES = "experiment:data-set", "experiment:articles"


def rate(study) -> None:
    ratings = [
        NewRating(topic, system, "coherence", "Ann", value)
        for topic in ("D1", "D2")
        for system, value in (("lead", 3.0), ("good", 5.0), ("bad", 1.0))
    ]
    study.import_data(ImportContent("ratings", dimensions={"coherence": (1, 5)}, ratings=ratings))


def score_rouge(study, n: int = 1) -> None:
    tools = StudyResources(study, "cpu")
    run_to_completion(score(study, plan(study, [ScoringConfig(parse(f"rouge-n:n={n}"))], tools), tools))
    study.flush()


@pytest.fixture
def scored(study):
    rate(study)
    score_rouge(study)
    return study


@pytest.fixture
def page(context, shown, qtbot):
    view = ResampleView()
    asked: list[Path] = []
    presenter = ResamplePresenter(view, context, lambda *_: asked.pop() if asked else None)
    presenter.asked = asked
    shown(view)
    qtbot.waitUntil(lambda: view.experiments.current_key is not None)
    return view, presenter


def choose(view: ResampleView, key: str) -> None:
    view.choose_experiment(key)
    assert view.experiments.current_key == key


def press(qtbot, button) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def run_it(view: ResampleView, qtbot) -> None:
    press(qtbot, view.run_button)
    qtbot.waitUntil(lambda: view.parts_box.count() > 0 and view.run_button.isEnabled())


def line(view: ResampleView, key: str):
    model = view.experiments.experiments
    return model.row(model.index_of(key))


def test_every_experiment_and_recipe_is_offered_by_paper(scored, page):
    view, _ = page
    model = view.experiments.experiments
    headings = [model.index(at, 0).data() for at in range(model.rowCount())]
    assert headings[0] == "Experiments"
    assert line(view, DATA_SET).found is ExperimentStatus.NEW
    recipe = line(view, "recipe:widar-table-3")
    assert recipe.title.startswith("Table 3: ")
    assert recipe.group in headings


def test_what_the_study_lacks_is_said_and_cannot_be_run(study, page, context, qtbot, told):
    view, _ = page
    choose(view, ARTICLES)
    assert line(view, ARTICLES).found is ExperimentStatus.LACKING
    assert "scores" in view.sheet.problem.text_label.text()
    assert not view.run_button.isEnabled()
    press(qtbot, view.sheet.problem.remedy_button)
    assert told.pages == ["score"]


def test_a_run_shows_what_it_found_and_the_study_keeps_it(scored, page, qtbot):
    view, _ = page
    choose(view, DATA_SET)
    run_it(view, qtbot)
    assert view.table.isVisible()
    assert view.table.model().rowCount() > 0
    qtbot.waitUntil(lambda: line(view, DATA_SET).found is ExperimentStatus.KEPT)
    choose(view, ARTICLES)
    assert not view.table.isVisible()
    choose(view, DATA_SET)
    qtbot.waitUntil(lambda: view.table.isVisible())
    assert "changed since" not in view.notice.text_label.text()


def test_a_kept_result_can_be_forgotten(scored, page, qtbot, told):
    view, _ = page
    choose(view, DATA_SET)
    assert not view.sheet.forget_button.isVisible()
    run_it(view, qtbot)
    (record,) = scored.experiments.all()
    press(qtbot, view.sheet.forget_button)
    qtbot.waitUntil(lambda: scored.experiments.get(record.id) is None)
    assert line(view, DATA_SET).found is ExperimentStatus.NEW
    assert view.empty.isVisible()
    assert not view.sheet.forget_button.isVisible()
    qtbot.waitUntil(lambda: any("forgotten" in said for said in told.sentences))


def test_a_result_whose_inputs_changed_says_so(scored, page, context, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    score_rouge(scored, 2)
    qtbot.waitUntil(lambda: "changed since" in view.notice.text_label.text())


def test_another_setting_is_another_question_with_its_own_command(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    box = view.sheet.form.controls["draws"]
    box.setValue(7)
    qtbot.waitUntil(lambda: view.empty.isVisible())
    assert view.empty.sentence_label.text() == "Not run with these settings yet."
    assert view.sheet.command_label.accessibleName().endswith("--experiment articles -s draws=7")
    press(qtbot, view.sheet.reset_button)
    qtbot.waitUntil(lambda: view.figure.isVisible())


def test_measures_and_judgements_are_chosen_from_what_there_is(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    box = view.sheet.form.controls["measures"]
    assert isinstance(box, MultiChoice)
    actions = {action.text(): action for action in box.list_menu.actions()}
    assert set(actions) == {"rouge-1.recall", "rouge-1.precision", "rouge-1.f"}
    actions["rouge-1.f"].trigger()
    assert "measures=rouge-1.f" in view.sheet.command_label.accessibleName()


def test_a_figure_and_a_table_go_to_the_clipboard_and_to_files(scored, page, qtbot, tmp_path):
    view, presenter = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    assert view.figure.isVisible()
    figure, table = tmp_path / "f.svg", tmp_path / "t.csv"
    presenter.asked.append(figure)
    presenter._parts.save()
    assert "<svg" in figure.read_text("utf-8")
    keys = [view.parts_box.itemData(at) for at in range(view.parts_box.count())]
    at = next(at for at, key in enumerate(keys) if key.startswith("table"))
    view.parts_box.setCurrentIndex(at)
    view.parts_box.activated.emit(at)
    assert view.table.isVisible()
    presenter._parts.copy("markdown")
    assert QGuiApplication.clipboard().text().lstrip().startswith("|")
    presenter.asked.append(table)
    presenter._parts.save()
    assert "rouge-1" in table.read_text("utf-8")


def test_a_table_stands_with_its_note_and_a_figure_without(scored, page, qtbot):
    view, _ = page
    choose(view, "experiment:references")
    run_it(view, qtbot)
    first = view.policy_label.text()
    assert first.startswith("Pearson's r of system means")
    view.parts_box.setCurrentIndex(view.parts_box.findData("table-0"))
    view.parts_box.activated.emit(view.parts_box.currentIndex())
    assert view.policy_label.text().startswith("For one measure, means that share a letter do not differ")
    assert view.policy_label.text().endswith(first)


def test_a_run_can_be_stopped(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    view.sheet.form.controls["draws"].setValue(5_000)
    view.sheet.form.controls["points"].setValue(200)
    press(qtbot, view.run_button)
    qtbot.waitUntil(lambda: view.stop_button.isVisible())
    press(qtbot, view.stop_button)
    qtbot.waitUntil(lambda: view.run_button.isEnabled() and not view.stop_button.isVisible())
    assert view.empty.isVisible()


def test_notes_on_a_result_are_counted_over_it_and_read_in_full(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    record = next(iter(scored.experiments.all()))
    noted = replace(from_text(record.result), stand_ins=("MiniLM ran for BERT.",), warnings=("Many ties.",))
    scored.experiments.save(replace(record, result=to_text(noted))).result()
    choose(view, DATA_SET)
    choose(view, ARTICLES)
    qtbot.waitUntil(lambda: "2 notes" in view.notice.text_label.text())
    press(qtbot, view.notice.remedy_button)
    assert view.notes.isVisible()
    assert view.notes.toPlainText() == "MiniLM ran for BERT.\nMany ties."
    assert view.parts_box.currentText() == "Notes (2)"


def test_a_table_and_a_figure_go_into_the_report(scored, page, qtbot, told):
    view, presenter = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    for part in ("chart-0", "table-0"):
        view.parts_box.setCurrentIndex(view.parts_box.findData(part))
        view.parts_box.activated.emit(view.parts_box.currentIndex())
        before = len(chosen_parts(scored))
        press(qtbot, view.report_button)
        qtbot.waitUntil(lambda before=before: len(chosen_parts(scored)) > before)
    figure, table = chosen_parts(scored)
    assert figure.is_figure
    assert table.table == presenter._result.result.tables[0]
    assert figure.command == table.command == view.sheet._command
    assert set(presenter._result.result.policy) <= set(figure.policy)
    qtbot.waitUntil(lambda: any("In the report" in sentence for sentence in told.sentences))
