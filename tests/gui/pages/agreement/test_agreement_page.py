"""The Agreement page with real widgets and a real study."""

from __future__ import annotations

import shlex

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from cli.main import main
from core.agreement.analysis import AgreementOptions
from core.agreement.result import agreement_result
from core.agreement.verdicts import verdict_lines
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.domain.import_batch import ImportContent, NewRating
from core.domain.pyramid import add_scu
from core.progress import run_to_completion
from core.report.report_items import list_report_items
from gui.pages.agreement.presenter import GROUPINGS, AgreementPresenter
from gui.pages.agreement.view import AgreementView
from gui.widgets.label import Keycap

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
    view = AgreementView(GROUPINGS)
    presenter = AgreementPresenter(view, context, lambda *_: tmp_path / "agreement.csv")
    shown(view)
    qtbot.waitUntil(view.run_button.isEnabled)
    return view, presenter


def run(view, qtbot) -> None:
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    wait_until_idle(view, qtbot)


def wait_until_idle(view, qtbot) -> None:
    qtbot.waitUntil(lambda: view.run_button.text() == "Measure")


def wait_for_details(view, qtbot) -> None:
    """Wait for the first line in detail, which follows the verdicts in a turn of its own."""
    qtbot.waitUntil(lambda: view.details.title_label.text() == "Ratings of coherence")


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


def verdicts(view) -> list[list[str]]:
    model = view.verdicts.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_verdicts_and_tables_are_those_of_the_command_line(page, rated, qtbot) -> None:
    view, _ = page
    run(view, qtbot)
    table = run_to_completion(study_agreement(rated, AgreementSelection(), AgreementOptions()))
    lines = verdict_lines(table, {"rating.coherence": 6, "rating.fluency": 0})
    shown = [[row[0], row[4], row[5]] for row in verdicts(view)]
    assert shown == [["Ratings of coherence", "6", "6 differences"], ["Ratings of fluency", "6", "none left"]]
    show_part(view, "All items")
    assert table_cells(view) == agreement_result(table, lines).tables[1].texts()
    assert "always chose 3" in str(table_cells(view)), "fluency never varies"


def test_each_verdict_is_spoken_with_its_interval_and_thresholds(page, qtbot) -> None:
    view, _ = page
    wait_until_idle(view, qtbot)
    model, role = view.verdicts.model(), Qt.ItemDataRole.AccessibleTextRole
    assert model.index(0, 2).data() == "−.28; thresholds .667 and .8"
    assert model.index(0, 0).data(role) == "Ratings of coherence, Krippendorff's α, ordinal, 3 annotators"
    assert model.index(0, 3).data() == "Too low to rely on"


def test_options_select_annotators_and_groups(page, rated, context, qtbot, capsys) -> None:
    view, _ = page
    run(view, qtbot)
    view.annotators_box.chosen.emit(("expert",))
    view.groupings_box.chosen.emit(("topic", "annotator"))
    wait_until_idle(view, qtbot)
    show_part(view, "By topic")
    assert {row[1] for row in table_cells(view)} == {"D1", "D2"}
    show_part(view, "By annotator")
    assert {row[1] for row in table_cells(view)} == {"Ann", "Ben"}
    context.commands.set_page("agreement")
    context.commands.action("agreement.report").trigger()
    qtbot.waitUntil(lambda: bool(list_report_items(rated)))
    (item,) = list_report_items(rated)
    words = shlex.split(item.command)
    assert words[:2] == ["pyramidion", "agree"]
    assert main(["agree", str(rated.path), *words[3:]]) == 0
    assert "rating.coherence" in capsys.readouterr().out


def test_no_details_are_shown_before_there_are_some(page, rated, qtbot) -> None:
    view, presenter = page
    wait_for_details(view, qtbot)
    shown_key = {key.isVisibleTo(view.details) for key in view.details.findChildren(Keycap)}
    assert shown_key == {True}
    presenter._show_nothing("Nobody has annotated.")
    hidden = (view.details.differences_button, view.details._pairs_label, *view.details.findChildren(Keycap))
    assert not any(part.isVisibleTo(view.details) for part in hidden)
    assert view.details.title_label.text() == "Details"


def test_details_name_the_annotator_who_differs_from_all_others(page, context, qtbot) -> None:
    view, _ = page
    wait_for_details(view, qtbot)
    assert view.details.isVisible() == (view.width() >= 1000)
    context.commands.set_page("agreement")
    was_visible = view.details.isVisible()
    context.commands.action("agreement.details").trigger()
    assert view.details.isVisible() != was_visible
    assert view.details.title_label.text() == "Ratings of coherence"
    spoken = [label.accessibleName() for label in view.details.findChildren(QLabel)]
    assert [name[:11] for name in spoken if " – " in name] == ["Ann – Ben: ", "Ann – Cat: ", "Ben – Cat: "]
    assert view.details.notice.text_label.text().startswith("Cat differs from all others: 0.")
    assert "Without Cat, α is .8" in view.details.notice.text_label.text()
    assert view.details.differences_button.text() == "See 6 differences"
    view.verdicts.setCurrentIndex(view.verdicts.model().index(1, 0))
    assert view.details.title_label.text() == "Ratings of fluency"
    assert not view.details.differences_button.isEnabled()
    assert "not known, " in view.result.policy_label.text(), "a ranking without variation has no correlation"


def test_changed_ratings_are_measured_again(page, rated, context, qtbot) -> None:
    view, _ = page
    wait_for_details(view, qtbot)
    summary = rated.texts.topic(rated.texts.topics()[0].id).summaries[0].id
    scale = rated.ratings.dimensions()[0].id
    view.setFocus()
    rated.ratings.rate(summary, scale, context.annotator.id, 5.0).result()
    qtbot.waitUntil(lambda: verdicts(view)[0][1] != "−.28")
    qtbot.waitUntil(lambda: view.focusWidget() is view.verdicts)  # so that Enter opens the differences


def test_without_a_second_annotator_the_page_says_what_is_needed(study, context, shown, qtbot) -> None:
    for person in study.annotators.all()[1:]:
        assert person.name in ("Ann", "Ben")
    view = AgreementView(GROUPINGS)
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
    view.groupings_box.chosen.emit(("topic",))
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


def _build_pyramid(study, topic, annotator_id) -> None:
    before = study.pyramids.annotation(topic.id, annotator_id)
    after = add_scu(before, "ban", topic.references[0].id, [(0, 9)])
    study.pyramids.commit(before, after, "new SCU", annotator_id).result()


def test_annotations_of_one_annotator_have_a_line_that_says_so(page, rated, context, qtbot) -> None:
    view, _ = page
    wait_until_idle(view, qtbot)
    topics, ann = [rated.texts.topic(head.id) for head in rated.texts.topics()], context.annotator.id
    tone = rated.ratings.add_dimension("tone").id
    rated.ratings.rate(topics[0].summaries[0].id, tone, ann, 3.0)
    for topic, person in zip(topics, ("Ann", "Ben"), strict=True):
        _build_pyramid(rated, topic, rated.annotators.get_or_create(person).id)
    before = rated.nuggets.annotation(topics[0].id, ann)
    after = add_scu(before, "ban", topics[0].references[0].id, [(0, 9)])
    rated.nuggets.commit(before, after, "new nugget", ann).result()
    qtbot.waitUntil(lambda: len(verdicts(view)) == 5)
    wait_until_idle(view, qtbot)
    nothing = ["–", "–; thresholds .667 and .8", "Nothing to compare", "0", "–"]
    titles = ("Ratings of tone", "Pyramids", "Nuggets")
    assert verdicts(view)[2:] == [[title, *nothing] for title in titles]
    view.verdicts.setCurrentIndex(view.verdicts.model().index(4, 0))
    assert view.details.notice.text_label.text().startswith("Only Ann has made these annotations")
    view.verdicts.setCurrentIndex(view.verdicts.model().index(3, 0))
    assert view.details.notice.text_label.text().startswith("No two annotators have made the same")
    assert not view.details.differences_button.isEnabled()


@pytest.mark.parametrize("way", ["enter", "link", "details", "primary"])
def test_every_way_leads_to_the_differences(way, page, context, requests, qtbot) -> None:
    view, _ = page
    wait_for_details(view, qtbot)
    table, link = view.verdicts, view.verdicts.model().index(0, 5)
    if way == "enter":
        qtbot.keyClick(table, Qt.Key.Key_Return)
    elif way == "link":
        place = table.visualRect(link).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    elif way == "details":
        view.details.differences_button.click()
    else:
        assert view.decide_button.accessibleName() == "Decide 6 differences"
        view.decide_button.click()
    assert requests.pages == ["adjudication"]
    assert context.selection.annotation == ("rating." if way == "primary" else "rating.coherence")


def test_differences_are_those_of_the_chosen_annotators(page, context, qtbot) -> None:
    view, _ = page
    counts = []
    object.__setattr__(context, "show_progress", counts.append)
    run(view, qtbot)
    view.annotators_box.chosen.emit(("Ann", "Ben"))
    wait_until_idle(view, qtbot)
    assert verdicts(view)[0][5] == "3 differences", "without Cat, who differs everywhere"
    assert {count["adjudication"] for count in counts} == {"6"}, "the tab counts those of all annotators"
