"""The Studies page with real widgets and real study files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.experiments.analyses.studies.across_studies import compare
from core.progress import run_to_completion
from core.report.report_items import list_report_items
from core.stats.correlation import Coefficient
from gui.pages.studies.presenter import StudiesPresenter
from gui.pages.studies.view import StudiesView
from storage.study_file import StudyFile, new_study, open_study
from tests.gui.pages.compare.test_compare_page import judged
from tests.scoring import score_all


@pytest.fixture
def study(study):
    study.import_data(judged())
    score_all(study, "rouge-n:n=1", "rouge-l")
    return study


@pytest.fixture
def other(tmp_path) -> Path:
    path = tmp_path / "other.pyramidion"
    with new_study(path) as study:
        study.import_data(judged())
        score_all(study, "rouge-n:n=1", "chrf")
    return path.resolve()


@pytest.fixture
def incomplete(study, other) -> tuple[StudyFile, Path]:
    """Two studies with a shared measure that is incomplete: ROUGE-L lacks the open study's last topic."""
    systems = judged().topics[0].summaries
    summaries = {system: NewText(f"Rain fell on {at} towns.") for at, system in enumerate(systems)}
    topic = NewTopic("T9", references={"A": NewText("Rain fell on many towns.")}, summaries=summaries)
    ratings = [
        NewRating("T9", system, "coherence", "Ann", float(value)) for value, system in enumerate(summaries, 1)
    ]
    study.import_data(ImportContent("more", topics=[topic], ratings=ratings))
    score_all(study, "rouge-n:n=1")
    with open_study(other) as second:
        score_all(second, "rouge-l")
    return study, other


@pytest.fixture
def page(context, shown):
    view = StudiesView()
    studies: list[Path] = []
    files: list[Path] = []
    presenter = StudiesPresenter(
        view, context, lambda *_: files.pop() if files else None, lambda: studies.pop() if studies else None
    )
    presenter.chosen_studies, presenter.chosen_files = studies, files
    shown(view)
    return view, presenter


def press(qtbot, button) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def add(page, qtbot, path: Path) -> None:
    view, presenter = page
    presenter.chosen_studies.append(path)
    press(qtbot, view.add_button)


def run_comparison(page, qtbot) -> None:
    view, _ = page
    press(qtbot, view.run_button)
    wait_until_idle(view, qtbot)


def wait_until_idle(view, qtbot) -> None:
    qtbot.waitUntil(lambda: view.run_button.text() == "Compare")


def show_part(view, title: str) -> None:
    box = view.result.parts_box
    index = next(at for at in range(box.count()) if title in box.itemText(at))
    box.setCurrentIndex(index)
    box.activated.emit(index)


def table_cells(view) -> list[list[str]]:
    model = view.result.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_a_single_study_is_not_compared_but_another_can_be_added_at_once(page, other, qtbot):
    view, presenter = page
    assert not view.run_button.isEnabled()
    assert "Add more studies" in view.result.empty.sentence_label.text()
    presenter.chosen_studies.append(other)
    press(qtbot, view.result.empty.primary)
    assert view.run_button.isEnabled()
    assert view.result.empty.primary.isHidden()


def test_measures_are_ranked_across_studies_as_on_the_command_line(page, study, other, qtbot):
    view, _ = page
    add(page, qtbot, other)
    run_comparison(page, qtbot)
    show_part(view, "By study and judgement")
    with open_study(other) as second:
        expected = run_to_completion(compare([(study.path.stem, study), (other.stem, second)])).tables[1]
    assert table_cells(view) == expected.texts()
    show_part(view, "Not in every study")
    assert {row[0] for row in table_cells(view)} >= {"chrf.score"}
    assert shlex.split(view.command_line.command)[:2] == ["pyramidion", "compare"]


def test_changing_coefficient_or_judgement_updates_the_result(page, study, other, qtbot):
    view, _ = page
    add(page, qtbot, other)
    run_comparison(page, qtbot)
    view.coefficient_box.chosen.emit("spearman")
    view.judgements_box.chosen.emit(("rating.fluency",))
    wait_until_idle(view, qtbot)
    show_part(view, "By study and judgement")
    with open_study(other) as second:
        options = {"judgements": ["rating.fluency"], "coefficient": Coefficient.SPEARMAN}
        result = run_to_completion(compare([(study.path.stem, study), (other.stem, second)], **options))
    assert table_cells(view) == result.tables[1].texts()
    assert "--human rating.fluency" in view.command_line.command


def test_incomplete_measures_are_ranked_on_common_topics(page, incomplete, qtbot):
    view, _ = page
    study, other = incomplete
    add(page, qtbot, other)
    run_comparison(page, qtbot)
    assert "--common-topics" not in view.command_line.command
    show_part(view, "Comparison across studies")
    assert "rouge-l.f" not in {row[0] for row in table_cells(view)}
    view.common_box.click()
    wait_until_idle(view, qtbot)
    show_part(view, "Comparison across studies")
    with open_study(other) as second:
        studies = [(study.path.stem, study), (other.stem, second)]
        expected = run_to_completion(compare(studies, on_common=True)).tables[0]
    assert table_cells(view) == expected.texts()
    assert "rouge-l.f" in {row[0] for row in table_cells(view)}
    press(qtbot, view.result.report_button)
    qtbot.waitUntil(lambda: len(list_report_items(study)) == 1)
    assert "--common-topics" in shlex.split(list_report_items(study)[0].command)


def test_an_unreadable_file_shows_the_reason_and_the_others_are_compared(page, other, qtbot, tmp_path):
    view, _ = page
    broken = (tmp_path / "broken.pyramidion").resolve()
    broken.write_text("no study")
    empty = (tmp_path / "empty.pyramidion").resolve()
    new_study(empty).close()
    for path in (other, broken, empty):
        add(page, qtbot, path)
    run_comparison(page, qtbot)
    assert view.result.parts_box.count() > 0
    problems = {path: label.text() for path, label in view.studies.problem_labels.items()}
    assert set(problems) == {broken, empty}
    assert "no scores yet" in problems[empty]
    assert all(problem.endswith(".") for problem in problems.values())
    press(qtbot, view.studies.remove_buttons[broken])
    assert broken not in view.studies.remove_buttons
    assert "Compare them again" in view.result.empty.sentence_label.text()


def test_a_file_dropped_twice_is_added_once(page, other, qtbot, requests):
    view, _ = page
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(other)), QUrl.fromLocalFile("/nowhere/notes.txt")])
    for _ in range(2):
        event = QDropEvent(
            QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
        )
        view.studies.dropEvent(event)
    assert list(view.studies.remove_buttons) == [other]
    assert requests.sentences == ["other.pyramidion is already in the list."]


def test_recent_studies_can_be_added_from_the_menu(page, context, other, qtbot):
    view, _ = page
    context.settings.save(context.settings.now.with_recent(other))
    view.hide()
    view.show()
    (action,) = view.recent_menu.actions()
    action.trigger()
    assert list(view.studies.remove_buttons) == [other]
    assert view.recent_menu.isEmpty()


def test_the_result_can_be_copied_saved_and_added_to_the_report(page, study, other, qtbot, tmp_path):
    view, presenter = page
    add(page, qtbot, other)
    run_comparison(page, qtbot)
    show_part(view, "Comparison across studies")
    view.result.copy_requested.emit("latex")
    assert "\\toprule" in QGuiApplication.clipboard().text()
    show_part(view, "Mean ranks")
    presenter.chosen_files.append(tmp_path / "ranks.svg")
    view.result.save_button.click()
    assert (tmp_path / "ranks.svg").read_text().startswith("<?xml")
    press(qtbot, view.result.report_button)
    qtbot.waitUntil(lambda: len(list_report_items(study)) == 1)
    assert list_report_items(study)[0].command == view.command_line.command


def test_a_comparison_can_be_cancelled(page, other, qtbot):
    view, _ = page
    add(page, qtbot, other)
    press(qtbot, view.run_button)
    assert view.stop_button.isVisible()
    press(qtbot, view.stop_button)
    wait_until_idle(view, qtbot)
    assert view.run_button.isEnabled()
