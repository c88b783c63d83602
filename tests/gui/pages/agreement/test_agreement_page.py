"""The Agreement page with real widgets and a real study."""

from __future__ import annotations

import shlex

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from cli.main import main
from core.agreement.analysis import AgreementOptions
from core.agreement.result import agreement_result
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.domain.import_batch import ImportContent, NewRating
from core.progress import run_to_completion
from core.report.report_items import list_report_items
from gui.pages.agreement.presenter import AgreementPresenter, groupings
from gui.pages.agreement.view import AgreementView

SYSTEMS = ("lead", "good", "bad")
RATINGS = {
    "coherence": {"Ann": (2, 4, 1, 3, 5, 1), "Ben": (2, 5, 1, 3, 4, 2), "Cat": (5, 1, 4, 2, 1, 5)},
    "fluency": {"Ann": (3, 3, 3, 3, 3, 3), "Ben": (3, 3, 3, 3, 3, 3)},
}


def ratings() -> ImportContent:
    people = {"Ann": "expert", "Ben": "expert", "Cat": "crowd"}
    items = [(topic, system) for topic in ("D1", "D2") for system in SYSTEMS]
    return ImportContent(
        "ratings",
        annotators=people,
        ratings=[
            NewRating(topic, system, scale, who, float(value))
            for scale, by_person in RATINGS.items()
            for who, values in by_person.items()
            for (topic, system), value in zip(items, values, strict=True)
        ],
    )


@pytest.fixture
def rated(study):
    for scale in RATINGS:
        study.ratings.add_dimension(scale)
    study.import_data(ratings())
    return study


@pytest.fixture
def page(rated, context, shown, qtbot, tmp_path):
    view = AgreementView(groupings())
    presenter = AgreementPresenter(view, context, lambda *_: tmp_path / "agreement.csv")
    shown(view)
    qtbot.waitUntil(view.run_button.isEnabled)
    return view, presenter


def run(view, qtbot) -> None:
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    wait_until_idle(view, qtbot)


def wait_until_idle(view, qtbot) -> None:
    qtbot.waitUntil(lambda: view.run_button.text() == "Measure")


def parts(view) -> list[str]:
    box = view.result.parts_box
    return [box.itemText(at) for at in range(box.count())]


def show_part(view, title: str) -> None:
    box = view.result.parts_box
    index = next(at for at, text in enumerate(parts(view)) if title in text)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def table_cells(view) -> list[list[str]]:
    model = view.result.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_table_is_that_of_the_command_line(page, rated, qtbot) -> None:
    view, _ = page
    run(view, qtbot)
    table = run_to_completion(study_agreement(rated, AgreementSelection(), AgreementOptions()))
    counted = {"rating.coherence": 6, "rating.fluency": 0}
    assert table_cells(view) == agreement_result(table, counted).tables[0].texts()
    show_part(view, "All items")
    assert table_cells(view) == agreement_result(table).tables[1].texts()
    assert "always chose 3" in str(table_cells(view)), "fluency never varies"


def test_options_select_annotations_annotators_and_groups(page, rated, qtbot, capsys) -> None:
    view, _ = page
    run(view, qtbot)
    view.annotations_box.chosen.emit(("rating.coherence", "matches"))
    view.annotators_box.chosen.emit(("expert",))
    for key in ("topic", "annotator"):
        view.grouping_boxes[key].click()
    wait_until_idle(view, qtbot)
    assert {row[0] for row in table_cells(view)} == {"Ratings of coherence"}
    show_part(view, "By topic")
    assert {row[1] for row in table_cells(view)} == {"D1", "D2"}
    show_part(view, "By annotator")
    assert {row[1] for row in table_cells(view)} == {"Ann", "Ben"}
    words = shlex.split(view.command_label.text())
    assert words[:2] == ["pyramidion", "agree"]
    assert main(["agree", str(rated.path), *words[3:]]) == 0
    assert "rating.coherence" in capsys.readouterr().out


def test_pairs_of_three_annotators_are_a_heatmap(page, qtbot) -> None:
    view, _ = page
    view.grouping_boxes["pair"].click()
    run(view, qtbot)
    show_part(view, "of each pair")
    assert view.result.figure.isVisible()


def test_changed_ratings_discard_the_result(page, rated, context, qtbot) -> None:
    view, _ = page
    run(view, qtbot)
    summary = rated.texts.topic(rated.texts.topics()[0].id).summaries[0].id
    scale = rated.ratings.dimensions()[0].id
    rated.ratings.rate(summary, scale, context.annotator.id, 5.0).result()
    qtbot.waitUntil(lambda: "have changed" in view.result.empty.sentence_label.text())
    view.result.empty.quiet.click()
    wait_until_idle(view, qtbot)
    assert table_cells(view)


def test_without_a_second_annotator_the_page_says_what_is_needed(study, context, shown, qtbot) -> None:
    for person in study.annotators.all()[1:]:
        assert person.name in ("Ann", "Ben")
    view = AgreementView(groupings())
    AgreementPresenter(view, context, lambda *_: None)
    shown(view)
    qtbot.waitUntil(view.run_button.isEnabled)
    run(view, qtbot)
    assert "No two annotators have made the same annotations" in view.result.empty.sentence_label.text()


def test_the_table_is_copied_saved_and_added_to_the_report(page, rated, context, qtbot, tmp_path) -> None:
    view, _ = page
    run(view, qtbot)
    context.commands.set_page("agreement")
    context.commands.action("edit.copy_table").trigger()
    assert "Krippendorff" in QGuiApplication.clipboard().text()
    context.commands.action("agreement.save").trigger()
    qtbot.waitUntil((tmp_path / "agreement.csv").exists)
    assert "Ratings of coherence" in (tmp_path / "agreement.csv").read_text("utf-8")
    context.commands.action("agreement.report").trigger()
    qtbot.waitUntil(lambda: bool(list_report_items(rated)))
    (item,) = list_report_items(rated)
    assert item.command.startswith("pyramidion agree")


def test_enter_on_a_row_opens_its_topic_on_the_page_of_its_annotations(page, context, requests, qtbot):
    view, _ = page
    view.grouping_boxes["topic"].click()
    run(view, qtbot)
    show_part(view, "By topic")
    table = view.result.table
    row = next(at for at in range(table.model().rowCount()) if table.model().index(at, 1).data() == "D2")
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    selected = {topic.id: topic.name for topic in context.study.texts.topics()}[context.selection.topic_id]
    assert (selected, requests.pages) == ("D2", ["ratings"])
    show_part(view, "All items")
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert requests.pages == ["ratings"], "a row of all items has no topic"


def test_each_annotation_has_a_verdict_which_opens_its_differences(page, rated, context, qtbot) -> None:
    view, _ = page
    shown_pages = []
    object.__setattr__(context, "show_page", shown_pages.append)
    wait_until_idle(view, qtbot)
    (coherence, fluency) = table_cells(view)
    assert coherence[0] == "Ratings of coherence", "measured without being asked"
    assert coherence[2:4] == ["too low to rely on", "6"]
    assert fluency[2:4] == ["both annotators always chose 3", "0"]
    view.result.table.setCurrentIndex(view.result.table.model().index(0, 0))
    qtbot.keyClick(view.result.table, Qt.Key.Key_Return)
    assert shown_pages == ["adjudication"]
    assert context.selection.annotation == "rating."


def test_differences_are_those_of_the_chosen_annotators(page, qtbot) -> None:
    view, _ = page
    wait_until_idle(view, qtbot)
    view.annotators_box.chosen.emit(("Ann", "Ben"))
    wait_until_idle(view, qtbot)
    assert table_cells(view)[0][3] == "3", "without Cat, who differs everywhere"
