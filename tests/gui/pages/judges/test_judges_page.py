"""The Judges page with real widgets and a real study file."""

from __future__ import annotations

import re
import shlex

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.experiments.inputs.development_topics import development_topics, keep_for_development
from core.report.report_items import list_report_items
from gui.item_models.table_model import VALUE_ROLE
from gui.pages.judges.presenter import JudgesPresenter
from gui.pages.judges.view import JudgesView
from gui.style import theme

SYSTEMS, TOPICS = ("a", "b", "c", "d"), tuple(f"T{n}" for n in range(10))


def judged() -> ImportContent:
    """Two people rate on two scales; one judge rates as they do, but for one summary, the other all 3."""
    topics = [
        NewTopic(
            topic,
            documents={"news": NewText(f"Document of {topic}.")},
            summaries={system: NewText(f"Summary of {topic} by {system}.") for system in SYSTEMS},
        )
        for topic in TOPICS
    ]
    ratings, scores = [], []
    for topic in TOPICS:
        for place, system in enumerate(SYSTEMS):
            for scale in ("coherence", "fluency"):
                truth = 1 + place
                for who, value in (("Ann", truth), ("Ben", min(5, truth + (topic in TOPICS[::2])))):
                    ratings.append(NewRating(topic, system, scale, who, float(value)))
                is_wrong = (topic, system, scale) == ("T7", "a", "fluency")
                scores.append(NewScore(topic, system, f"gpt-x.{scale}", 5.0 if is_wrong else float(truth)))
                scores.append(NewScore(topic, system, f"always.{scale}", 3.0))
    people = dict.fromkeys(("Ann", "Ben"), "expert")
    scales = dict.fromkeys(("coherence", "fluency"), (1.0, 5.0))
    return ImportContent(
        "made", topics=topics, ratings=ratings, scores=scores, annotators=people, dimensions=scales
    )


@pytest.fixture
def page(study, context, shown):
    study.import_data(judged())
    return opened(context, shown)


def opened(context, shown, path=None):
    view = JudgesView()
    presenter = JudgesPresenter(view, context, lambda *_: path)
    context.commands.set_page("judges")
    shown(view)
    return view, presenter


def verdicts(view):
    table = view.result.table.model()
    return {
        (table.index(row, 0).data(), table.index(row, 1).data()): table.index(row, 2).data()
        for row in range(table.rowCount())
    }


def wait_for_result(qtbot, view):
    qtbot.waitUntil(lambda: view.result.table.isVisible() and view.run_button.isEnabled())


def test_it_compares_when_it_is_shown_and_names_the_verdicts(page, qtbot):
    view, _ = page
    wait_for_result(qtbot, view)
    found = verdicts(view)
    assert found["gpt-x", "rating.coherence"] == "passes"
    assert found["always", "rating.coherence"] == "fails"
    table, role = view.result.table.model(), Qt.ItemDataRole.ForegroundRole
    tones = {table.index(row, 2).data(): table.index(row, 2).data(role) for row in range(table.rowCount())}
    assert tones == {"passes": theme.colour("success"), "fails": theme.colour("error")}
    assert table.index(0, 0).data(role) is None
    assert len(found) == 6
    assert view.judges_box.current == ()
    assert view.judges_box.isEnabled()


def test_what_all_rows_share_is_in_the_note_and_intervals_are_in_brackets(page, qtbot):
    view, _ = page
    wait_for_result(qtbot, view)
    table = view.result.table
    model = table.model()
    titles = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert titles == ["Judge", "Rating", "Verdict", "ω", "ρ"]
    assert re.fullmatch(r"\d?\.\d{3} \[\d?\.\d{3}, \d?\.\d{3}\]", model.index(0, 4).data())
    assert isinstance(model.index(0, 4).data(VALUE_ROLE), float)
    note = view.result.policy_label.text()
    assert note.startswith("Items of each rating: 40. Items of all scales: 80. Annotators: 2.")
    assert table.horizontalScrollBar().maximum() == 0
    assert table.horizontalHeader().length() == table.viewport().width()


def test_the_current_row_shows_its_disagreements_and_their_texts(page, qtbot):
    view, _ = page
    wait_for_result(qtbot, view)
    table = view.result.table
    row = list(verdicts(view)).index(("gpt-x", "rating.fluency"))
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, 0))
    shown = view.disagreements.table
    qtbot.waitUntil(lambda: view.disagreements.text.toPlainText() == "Summary of T7 by a.")
    assert (shown.current.topic, shown.current.system, shown.current.judge) == ("T7", "a", 5.0)
    assert shown.current.difference == 4.0
    assert view.disagreements.people_label.text() == "a: judge 5, people Ann 1, Ben 1"
    titles = [view.disagreements.text_box.itemText(i) for i in range(view.disagreements.text_box.count())]
    assert titles == ["Summary", "Document news"]
    view.disagreements.text_box.setCurrentIndex(1)
    view.disagreements.text_box.activated.emit(1)
    assert view.disagreements.text.toPlainText() == "Document of T7."
    QTest.keyClick(shown, Qt.Key.Key_Down)  # the kind of text stays
    qtbot.waitUntil(lambda: shown.current.topic != "T7")
    topic = shown.current.topic
    qtbot.waitUntil(lambda: view.disagreements.text.toPlainText() == f"Document of {topic}.")


def test_enter_shows_the_summary_on_texts(page, qtbot, context, requests):
    view, _ = page
    wait_for_result(qtbot, view)
    table = view.disagreements.table
    qtbot.waitUntil(lambda: bool(view.disagreements.text.toPlainText()))
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert requests.pages == ["texts"]
    assert context.selection.system == table.current.system.partition(",")[0]


def test_topics_for_development_are_left_out_and_marked(page, qtbot, study, context):
    view, _ = page
    wait_for_result(qtbot, view)
    assert view.split_button.accessibleName() == "No topics for development"
    context.commands.action("judges.draw").trigger()
    qtbot.waitUntil(lambda: view.split_button.accessibleName() == "2 of 12 topics for development")
    policy = view.result.policy_label
    qtbot.waitUntil(lambda: "Topics: those for tests, without those kept" in policy.text())
    assert len(development_topics(study)) == 2
    view.topics_box.choose("all")
    view.topics_box.activated.emit(0)
    qtbot.waitUntil(lambda: policy.text().endswith("Topics: all (tuned on)."))
    context.commands.action("judges.no_split").trigger()
    qtbot.waitUntil(lambda: policy.text().endswith("Topics: all."))


def test_the_current_topic_is_kept_for_development_and_given_back(page, qtbot, study, context):
    view, _ = page
    wait_for_result(qtbot, view)
    topic = view.disagreements.table.current.topic
    context.commands.action("judges.keep").trigger()
    qtbot.waitUntil(lambda: development_topics(study) == [topic])
    wait_for_result(qtbot, view)
    keep_for_development(study, ()).result()


def test_choices_are_those_of_the_command(page, qtbot, study):
    view, presenter = page
    wait_for_result(qtbot, view)
    view.epsilon_box.choose("0.1")
    view.epsilon_box.activated.emit(0)
    view.judges_box.chosen.emit(("always",))
    qtbot.waitUntil(lambda: {judge for judge, _ in verdicts(view)} == {"always"})
    words = shlex.split(presenter._command())
    assert words[1] == "resample"
    assert "judges=always" in words
    assert "epsilon=0.1" in words
    view.result.report_button.click()
    qtbot.waitUntil(lambda: bool(list_report_items(study)))


def test_without_judges_it_says_what_one_is(study, context, shown, qtbot):
    view, _ = opened(context, shown)
    qtbot.waitUntil(lambda: "no ratings yet" in view.result.empty.sentence_label.text())
    assert "language model" in view.result.empty.sentence_label.text()
    qtbot.waitUntil(lambda: view.stop_button.isHidden())
    assert not view.run_button.isEnabled()
    study.import_data(judged())
    wait_for_result(qtbot, view)
