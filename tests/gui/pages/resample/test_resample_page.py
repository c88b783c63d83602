"""The Resample page with real widgets, experiments and a real study."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core.domain.import_batch import ImportContent, NewRating
from core.files.allowed_names import NameKind, allowed_names
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.report.report_items import list_report_items
from core.results.result import from_text, to_text
from core.scoring.config import ScoringConfig
from core.scoring.engine import score
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from gui.pages.resample.presenter import ResamplePresenter
from gui.pages.resample.view import ResampleView
from gui.results.values import ExperimentStatus
from gui.widgets.controls import MultiChoice

pytestmark = pytest.mark.slow

DATA_SET, ARTICLES = "experiment:data-set", "experiment:articles"


def rate(study) -> None:
    ratings = [
        NewRating(topic, system, "coherence", "Ann", value)
        for topic in ("D1", "D2")
        for system, value in (("lead", 3.0), ("good", 5.0), ("bad", 1.0))
    ]
    study.import_data(ImportContent("ratings", dimensions={"coherence": (1, 5)}, ratings=ratings))


def score_rouge(study, n: int = 1) -> None:
    resources = StudyResources(study, "cpu")
    run_to_completion(
        score(study, plan(study, [ScoringConfig(parse(f"rouge-n:n={n}"))], resources), resources)
    )
    study.flush()


@pytest.fixture
def scored(study):
    rate(study)
    score_rouge(study)
    return study


@pytest.fixture
def page(context, shown, qtbot):
    view = ResampleView()
    paths: list[Path] = []
    presenter = ResamplePresenter(view, context, lambda *_: paths.pop() if paths else None)
    presenter.chosen_paths = paths
    shown(view)
    qtbot.waitUntil(lambda: view.experiments.current_key is not None)
    return view, presenter


def choose(view: ResampleView, key: str) -> None:
    view.experiments.choose(key)
    assert view.experiments.current_key == key


def press(qtbot, button) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def run_it(view: ResampleView, qtbot) -> None:
    press(qtbot, view.run_button)
    qtbot.waitUntil(lambda: view.result.parts_box.count() > 0 and view.run_button.isEnabled())


def row_of(view: ResampleView, key: str):
    model = view.experiments.experiments
    return model.row(model.index_of(key))


def test_every_experiment_and_recipe_is_offered_by_paper(scored, page):
    view, _ = page
    model = view.experiments.experiments
    headings = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert headings[0] == "Experiments"
    assert row_of(view, DATA_SET).status is ExperimentStatus.NEW
    recipe = row_of(view, "recipe:widar-table-3")
    assert recipe.title.startswith("Table 3: ")
    assert recipe.group in headings


def test_an_experiment_without_its_data_shows_what_is_missing(study, page, context, qtbot, requests):
    view, _ = page
    choose(view, ARTICLES)
    assert row_of(view, ARTICLES).status is ExperimentStatus.UNAVAILABLE
    assert "scores" in view.details.problem.text_label.text()
    assert not view.run_button.isEnabled()
    press(qtbot, view.details.problem.remedy_button)
    assert requests.pages == ["score"]


def test_the_result_of_a_run_is_shown_and_stored(scored, page, qtbot):
    view, _ = page
    choose(view, DATA_SET)
    run_it(view, qtbot)
    assert view.result.table.isVisible()
    assert view.result.table.model().rowCount() > 0
    qtbot.waitUntil(lambda: row_of(view, DATA_SET).status is ExperimentStatus.STORED)
    choose(view, ARTICLES)
    assert not view.result.table.isVisible()
    choose(view, DATA_SET)
    qtbot.waitUntil(lambda: view.result.table.isVisible())
    assert "changed since" not in view.result.notice.text_label.text()


def choose_table(view):
    keys = [view.result.parts_box.itemData(index) for index in range(view.result.parts_box.count())]
    index = next(index for index, key in enumerate(keys) if key.startswith("table"))
    view.result.parts_box.setCurrentIndex(index)
    view.result.parts_box.activated.emit(index)


def test_a_stored_result_can_be_deleted(scored, page, qtbot, requests):
    view, _ = page
    choose(view, DATA_SET)
    assert not view.details.delete_button.isVisible()
    run_it(view, qtbot)
    (record,) = scored.experiments.all()
    press(qtbot, view.details.delete_button)
    qtbot.waitUntil(lambda: scored.experiments.get(record.id) is None)
    assert row_of(view, DATA_SET).status is ExperimentStatus.NEW
    assert view.result.empty.isVisible()
    assert not view.details.delete_button.isVisible()
    qtbot.waitUntil(lambda: any("result deleted" in message for message in requests.sentences))


def test_a_result_with_changed_inputs_shows_a_notice(scored, page, context, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    score_rouge(scored, 2)
    changed = "Since this result was computed, scores of rouge-n were added."
    qtbot.waitUntil(lambda: view.result.notice.text_label.text() == changed)
    choose_table(view)
    view.result.copy_requested.emit("markdown")
    assert (
        "Out of date: since this was computed, scores of rouge-n were" in QGuiApplication.clipboard().text()
    )


def test_changing_a_setting_changes_the_command_and_hides_the_result(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    box = view.details.form.controls["draws"]
    box.setValue(7)
    qtbot.waitUntil(lambda: view.result.empty.isVisible())
    assert view.result.empty.sentence_label.text() == "Not run with these settings yet."
    assert view.details.command_line.command.endswith("--experiment articles -s draws=7")
    press(qtbot, view.details.reset_button)
    qtbot.waitUntil(lambda: view.result.figure.isVisible())


def test_measures_and_judgements_are_chosen_from_those_of_the_study(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    box = view.details.form.controls["measures"]
    assert isinstance(box, MultiChoice)
    assert box.accessibleDescription() == "None selected = all measures of the study."
    actions = {action.text(): action for action in box.list_menu.actions()}
    assert set(actions) == {"rouge-1.recall", "rouge-1.precision", "rouge-1.f"}
    allowed_names().__init__()  # nothing is allowed
    actions["rouge-1.f"].trigger()
    assert "measures=rouge-1.f" in view.details.command_line.command
    assert not allowed_names().has(NameKind.PLACE, "rouge-1.f")  # it is a name of the study, not of a file


def test_controls_are_properties_measures_and_judgements(scored, page, qtbot):
    view, _ = page
    choose(view, "experiment:length")
    box = view.details.form.controls["controls"]
    assert box.text() == "Default"
    assert view.details.form.controls["measures"].text() == "All"
    actions = {action.text(): action for action in box.list_menu.actions()}
    assert list(actions)[:3] == ["length", "coverage", "density"]
    assert {"readability", "rouge-1.f", "rating.coherence"} <= set(actions)
    actions["novelty"].trigger()
    assert "controls=novelty" in view.details.command_line.command


def test_figures_and_tables_can_be_copied_and_saved(scored, page, qtbot, tmp_path):
    view, presenter = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    assert view.result.figure.isVisible()
    figure, table = tmp_path / "f.svg", tmp_path / "t.csv"
    presenter.chosen_paths.append(figure)
    view.result.save_button.click()
    texts = " ".join(re.findall("<!-- (.*?) -->", figure.read_text("utf-8")))
    assert "Only 3 systems: " in texts
    assert not any("Only 3 systems: " in text.get_text() for text in view.result.figure.canvas.figure.texts)
    choose_table(view)
    assert view.result.table.isVisible()
    view.result.copy_requested.emit("markdown")
    assert QGuiApplication.clipboard().text().lstrip().startswith("|")
    presenter.chosen_paths.append(table)
    view.result.save_button.click()
    assert "rouge-1" in table.read_text("utf-8")


def test_the_note_of_a_table_is_shown_with_it_but_not_with_a_figure(scored, page, qtbot):
    view, _ = page
    choose(view, "experiment:references")
    run_it(view, qtbot)
    first = view.result.policy_label.text()
    assert first.startswith("Pearson's r of system means")
    view.result.parts_box.setCurrentIndex(view.result.parts_box.findData("table-0"))
    view.result.parts_box.activated.emit(view.result.parts_box.currentIndex())
    assert view.result.policy_label.text().startswith(
        "For one measure, means that share a letter do not differ"
    )
    assert view.result.policy_label.text().endswith(first)


def test_a_run_can_be_cancelled(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    view.details.form.controls["draws"].setValue(5_000)
    view.details.form.controls["points"].setValue(200)
    press(qtbot, view.run_button)
    qtbot.waitUntil(lambda: view.stop_button.isVisible())
    press(qtbot, view.stop_button)
    qtbot.waitUntil(lambda: view.run_button.isEnabled() and not view.stop_button.isVisible())
    assert view.result.empty.isVisible()


def test_notes_are_counted_above_the_result_and_shown_in_full_on_request(scored, page, qtbot):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    record = next(iter(scored.experiments.all()))
    noted = replace(
        from_text(record.result, record.title), stand_ins=("MiniLM ran for BERT.",), warnings=("Many ties.",)
    )
    scored.experiments.save(replace(record, result=to_text(noted))).result()
    choose(view, DATA_SET)
    choose(view, ARTICLES)
    qtbot.waitUntil(lambda: "2 notes" in view.result.notice.text_label.text())
    press(qtbot, view.result.notice.remedy_button)
    assert view.result.notes.isVisible()
    assert view.result.notes.toPlainText() == "MiniLM ran for BERT.\nMany ties."
    assert view.result.parts_box.currentText() == "Notes (2)"


def test_tables_and_figures_can_be_added_to_the_report(scored, page, qtbot, requests):
    view, _ = page
    choose(view, ARTICLES)
    run_it(view, qtbot)
    for part in ("chart-0", "table-0"):
        view.result.parts_box.setCurrentIndex(view.result.parts_box.findData(part))
        view.result.parts_box.activated.emit(view.result.parts_box.currentIndex())
        before = len(list_report_items(scored))
        press(qtbot, view.result.report_button)
        qtbot.waitUntil(lambda before=before: len(list_report_items(scored)) > before)
    figure, table = list_report_items(scored)
    assert figure.is_figure
    (record,) = scored.experiments.all()
    result = from_text(record.result, record.title)
    assert table.table == result.tables[0]
    assert figure.command == table.command == view.details.command_line.command
    assert set(result.policy) <= set(figure.policy)
    qtbot.waitUntil(lambda: any("Added to the report" in message for message in requests.sentences))
