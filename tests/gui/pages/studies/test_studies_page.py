"""The page of several studies with its real widgets and real study files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from core.experiments.analyses.across_studies import compare
from core.progress import run_to_completion
from core.report.report_items import chosen_parts
from core.stats.correlation import Coefficient
from gui.pages.studies.presenter import StudiesPresenter
from gui.pages.studies.view import StudiesView
from storage.study_file import new_study, open_study
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
def page(context, shown):
    view = StudiesView()
    asked: list[Path] = []
    saved: list[Path] = []
    presenter = StudiesPresenter(
        view,
        context,
        lambda *_: saved.pop() if saved else None,
        lambda: asked.pop() if asked else None,
    )
    presenter.asked, presenter.saved = asked, saved
    shown(view)
    return view, presenter


def press(qtbot, button) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def add(page, qtbot, path: Path) -> None:
    view, presenter = page
    presenter.asked.append(path)
    press(qtbot, view.add_button)


def compare_them(page, qtbot) -> None:
    view, _ = page
    press(qtbot, view.run_button)
    qtbot.waitUntil(lambda: view.run_button.text() == "Compare")


def show_part(view, title: str) -> None:
    box = view.result.parts_box
    place = next(at for at in range(box.count()) if title in box.itemText(at))
    box.setCurrentIndex(place)
    box.activated.emit(place)


def shown_cells(view) -> list[list[str]]:
    model = view.result.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_one_study_alone_is_not_compared(page):
    view, _ = page
    assert not view.run_button.isEnabled()
    assert "Add further studies" in view.result.empty.sentence_label.text()


def test_measures_are_ranked_over_the_studies_as_the_command_line_does(page, study, other, qtbot):
    view, _ = page
    add(page, qtbot, other)
    compare_them(page, qtbot)
    show_part(view, "By study and judgement")
    with open_study(other) as second:
        expected = run_to_completion(compare([(study.path.stem, study), (other.stem, second)])).tables[1]
    assert shown_cells(view) == expected.texts()
    show_part(view, "Not in every study")
    assert {row[0] for row in shown_cells(view)} >= {"chrf.score"}
    assert shlex.split(view.command_label.text())[:2] == ["pyramidion", "compare"]


def test_another_coefficient_or_judgement_is_compared_at_once(page, study, other, qtbot):
    view, presenter = page
    add(page, qtbot, other)
    compare_them(page, qtbot)
    view.coefficient_box.chosen.emit("spearman")
    view.judgements_box.chosen.emit(("rating.fluency",))
    qtbot.waitUntil(lambda: presenter._running is None and not presenter._is_behind)
    show_part(view, "By study and judgement")
    with open_study(other) as second:
        wanted = {"judgements": ["rating.fluency"], "coefficient": Coefficient.SPEARMAN}
        result = run_to_completion(compare([(study.path.stem, study), (other.stem, second)], **wanted))
    assert shown_cells(view) == result.tables[1].texts()
    assert "--human rating.fluency" in view.command_label.text()


def test_a_file_that_cannot_be_read_says_why_and_the_others_are_compared(page, other, qtbot, tmp_path):
    view, presenter = page
    broken = (tmp_path / "broken.pyramidion").resolve()
    broken.write_text("no study")
    empty = (tmp_path / "empty.pyramidion").resolve()
    new_study(empty).close()
    for path in (other, broken, empty):
        add(page, qtbot, path)
    compare_them(page, qtbot)
    assert view.result.parts_box.count() > 0
    assert set(presenter._found.problems) == {broken, empty}
    assert "no scores yet" in presenter._found.problems[empty]
    assert all(problem.endswith(".") for problem in presenter._found.problems.values())
    press(qtbot, view.studies.remove_buttons[broken])
    assert broken not in view.studies.remove_buttons
    assert "Compare them again" in view.result.empty.sentence_label.text()


def test_files_are_dropped_and_the_same_is_taken_once(page, other, qtbot, told):
    view, _ = page
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(other)), QUrl.fromLocalFile("/nowhere/notes.txt")])
    for _ in range(2):
        event = QDropEvent(
            QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
        )
        view.studies.dropEvent(event)
    assert list(view.studies.remove_buttons) == [other]
    assert told.sentences == ["other.pyramidion is in the comparison already."]


def test_studies_that_were_open_lately_are_offered(page, context, other, qtbot):
    view, presenter = page
    context.settings.keep(context.settings.now.with_recent(other))
    presenter._show()
    (action,) = view.recent_menu.actions()
    action.trigger()
    assert list(view.studies.remove_buttons) == [other]
    assert view.recent_menu.isEmpty()


def test_what_was_found_is_copied_saved_and_put_into_the_report(page, study, other, qtbot, tmp_path):
    view, presenter = page
    add(page, qtbot, other)
    compare_them(page, qtbot)
    show_part(view, "Comparison across studies")
    presenter._parts.copy("latex")
    assert "\\toprule" in QGuiApplication.clipboard().text()
    show_part(view, "Mean ranks")
    presenter.saved.append(tmp_path / "ranks.svg")
    presenter._parts.save()
    assert (tmp_path / "ranks.svg").read_text().startswith("<?xml")
    press(qtbot, view.result.report_button)
    qtbot.waitUntil(lambda: len(chosen_parts(study)) == 1)
    assert chosen_parts(study)[0].command == view.command_label.text()


def test_the_comparison_can_be_stopped(page, other, qtbot):
    view, presenter = page
    add(page, qtbot, other)
    press(qtbot, view.run_button)
    assert view.stop_button.isVisible()
    press(qtbot, view.stop_button)
    qtbot.waitUntil(lambda: presenter._running is None)
    assert view.run_button.isEnabled()
