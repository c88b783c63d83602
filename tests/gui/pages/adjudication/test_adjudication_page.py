"""The Adjudication page with real widgets and a real study, by keyboard."""

from __future__ import annotations

from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from core.adjudication.model import ItemState
from core.annotation.blind_mode import blind_order
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan
from core.domain.pyramid import add_match, add_scu, set_summary_state
from core.ports import ChangeKind, ChangeSet
from gui.pages.adjudication import presenter as adjudication
from gui.pages.adjudication.view import ItemModel
from tests.people import imported

CTRL = Qt.KeyboardModifier.ControlModifier
VALUES = {"Ben": (2, 4, 3), "Cat": (2, 5, 1)}


def order(context, topic) -> tuple[str, ...]:
    """Return the summaries in the order in which the page shows them."""
    return blind_order([text.id for text in topic.summaries], context.annotator.id, topic.id)


class Page:
    """The page under test; Ann adjudicates Ben and Cat."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.study = context, qtbot, context.study
        self.view, self.presenter = adjudication.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.bind("edit.redo", context.history.redo)
        context.commands.set_page(adjudication.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)

    def rows(self) -> list[tuple[str, str]]:
        return [(row.title, row.status) for row in self.view.list.items.rows()]

    def to_do(self) -> int:
        return sum(row.state is ItemState.OPEN for row in self.view.list.items.rows())

    def stored(self) -> list[float]:
        """Return the ratings of the result on the current topic, by summary."""
        self.study.flush()
        people = {one.id: one.name for one in self.study.annotators.all()}
        topic = self.study.texts.topic(self.context.selection.topic_id)
        values = {
            one.summary_id: one.value
            for one in self.study.ratings.of_topic(topic.id)
            if people[one.annotator_id] == "adjudicated"
        }
        return [values.get(row_id) for row_id in order(self.context, topic)]

    def cards(self) -> list[tuple[str, str]]:
        return [(frame.version.annotator, frame.version.text) for frame in self.view.cards]


@pytest.fixture
def rated(context):
    study = context.study
    scale = study.ratings.add_dimension("coherence")
    for head in study.texts.topics():
        for name, values in VALUES.items():
            person = study.annotators.get_or_create(name).id
            for summary_id, value in zip(order(context, study.texts.topic(head.id)), values, strict=True):
                study.ratings.rate(summary_id, scale.id, person, value)
    study.flush()
    return study


@pytest.fixture
def page(rated, context, shown, qtbot):
    page = Page(context, qtbot)
    shown(page.view)
    page.view.activateWindow()
    qtbot.waitUntil(page.view.isActiveWindow)
    page.view.focus_default()
    return page


def test_keys_step_through_the_differences(page) -> None:
    assert page.rows() == [("coherence", "4 : 5"), ("coherence", "3 : 1")]
    assert page.cards() == [("Ben", "4 of 5"), ("Cat", "5 of 5")]
    page.press(Qt.Key.Key_2)
    assert page.cards() == [("Ben", "3 of 5"), ("Cat", "1 of 5")]
    page.press(Qt.Key.Key_B)
    assert page.rows() == []
    assert "is decided" in page.view.empty.sentence_label.text()
    assert page.stored() == [2, 5, 2], "what they agree on comes with the first decision"
    page.qtbot.waitUntil(page.view.empty.primary.isVisible)
    page.qtbot.mouseClick(page.view.empty.primary, Qt.MouseButton.LeftButton)
    assert page.to_do() == 2, "those of the next topic"


@pytest.mark.parametrize("is_changed", [False, True])
def test_what_was_read_ahead_is_shown_unless_it_has_changed(
    rated, context, shown, qtbot, monkeypatch, is_changed
) -> None:
    reads, read = [], adjudication.read_topic
    monkeypatch.setattr(adjudication, "read_topic", lambda *a: (reads.append(a), read(*a))[1])
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    QApplication.processEvents()  # what was rated before
    page = Page(context, qtbot)
    page.view.later.pop(0)()
    if is_changed:
        ben, scale = rated.annotators.get_or_create("Ben").id, rated.ratings.dimensions()[0].id
        head = rated.texts.topics()[0]
        rated.ratings.rate(order(context, rated.texts.topic(head.id))[1], scale, ben, 1.0)
        rated.flush()
        context.changes.changed.emit(ChangeSet(frozenset({ChangeKind.RATINGS}), frozenset({head.id})))
    page.view.show()
    assert len(reads) == 1 + is_changed
    assert page.rows() == [("coherence", "1 : 5" if is_changed else "4 : 5"), ("coherence", "3 : 1")]
    shown(page.view)


def test_it_stays_at_a_topic_that_was_decided_before_differences_are_counted(
    rated, context, shown, qtbot, monkeypatch
) -> None:
    is_time, count = Event(), adjudication.survey

    def late(*args):
        is_time.wait(60)
        return (yield from count(*args))

    monkeypatch.setattr(adjudication, "survey", late)
    page = Page(context, qtbot)
    shown(page.view)
    page.view.activateWindow()
    qtbot.waitUntil(page.view.isActiveWindow)
    page.view.focus_default()
    topic = context.selection.topic_id
    page.press(Qt.Key.Key_2)
    page.press(Qt.Key.Key_B)
    assert page.rows() == []
    is_time.set()
    qtbot.waitUntil(page.view.empty.primary.isVisible)
    assert context.selection.topic_id == topic


def test_it_opens_at_the_first_topic_with_a_difference(rated, context, shown, qtbot) -> None:
    first, second = rated.texts.topics()[:2]
    scale, (ben, cat) = rated.ratings.dimensions()[0], map(rated.annotators.get_or_create, ("Ben", "Cat"))
    for summary in rated.texts.topic(first.id).summaries:
        for person in (ben, cat):
            rated.ratings.rate(summary.id, scale.id, person.id, 3).result()
    page = Page(context, qtbot)
    shown(page.view)
    qtbot.waitUntil(lambda: context.selection.topic_id == second.id)
    assert page.to_do() == 2


def test_where_nothing_can_be_decided_nothing_is_said_to_be(context, shown, qtbot) -> None:
    for name in ("Ben", "Cat"):
        context.study.annotators.get_or_create(name)
    context.study.ratings.add_dimension("coherence")
    said = []
    object.__setattr__(context, "show_message", said.append)
    page = Page(context, qtbot)
    shown(page.view)
    qtbot.waitUntil(lambda: not context.jobs.running())
    assert said == []
    assert page.view.empty.isVisible()


def test_another_page_chooses_the_kind_of_differences(page) -> None:
    page.context.selection.select(annotation="matches")
    assert page.view.annotation_box.currentData() == "matches"
    page.view.annotation_box.setCurrentIndex(page.view.annotation_box.findData("rating."))
    page.view.annotation_box.activated.emit(page.view.annotation_box.currentIndex())
    assert page.context.selection.annotation == "rating."


def test_undo_brings_the_difference_back(page, qtbot) -> None:
    page.press(Qt.Key.Key_1)
    page.study.flush()
    qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.to_do() == 2)
    assert page.stored() == [None, None, None]


def test_a_value_is_typed_and_checked(page) -> None:
    page.press(Qt.Key.Key_V)
    page.qtbot.keyClicks(page.view.value_field, "7")
    page.press(Qt.Key.Key_Return)
    assert "7 is outside the scale coherence" in page.view.notice.text_label.text()
    page.view.value_field.clear()
    page.qtbot.keyClicks(page.view.value_field, "3,5")
    page.press(Qt.Key.Key_Return)
    assert page.stored()[1] == 3.5


def test_what_is_typed_stays_when_somebody_else_edits(page, qtbot) -> None:
    page.view.result_field.setFocus()
    page.view.result_field.selectAll()
    page.qtbot.keyClicks(page.view.result_field, "final")
    topic = page.study.texts.topic(page.context.selection.topic_id)
    scale, dan = page.study.ratings.dimensions()[0].id, page.study.annotators.get_or_create("Dan").id
    current = order(page.context, topic)[1]
    page.study.ratings.rate(current, scale, dan, 1).result()
    qtbot.waitUntil(lambda: ("Dan", "1 of 5") in page.cards())
    assert page.view.result_field.text() == "final"
    page.press(Qt.Key.Key_Return)
    page.view.focus_value()
    page.qtbot.keyClicks(page.view.value_field, "3")
    page.study.ratings.rate(current, scale, dan, 2).result()
    qtbot.waitUntil(lambda: ("Dan", "2 of 5") in page.cards())
    assert page.view.value_field.text() == "3"


def test_coming_back_reads_the_topic_only_if_something_has_changed(page, qtbot, monkeypatch) -> None:
    read, given = adjudication.read_topic, []
    monkeypatch.setattr(adjudication, "read_topic", lambda *of: given.append(of) or read(*of))
    page.view.hide()
    page.view.show()
    assert not given
    page.view.hide()
    topic = page.study.texts.topic(page.context.selection.topic_id)
    scale, dan = page.study.ratings.dimensions()[0].id, page.study.annotators.get_or_create("Dan").id
    page.study.ratings.rate(order(page.context, topic)[1], scale, dan, 1).result()
    with qtbot.waitSignal(page.context.changes.changed):
        pass
    page.view.show()
    assert given
    assert ("Dan", "1 of 5") in page.cards()


def test_deferred_items_come_last_and_every_decision_shows_who_made_it(page) -> None:
    page.press(Qt.Key.Key_L)
    page.press(Qt.Key.Key_X)
    assert page.rows() == [("coherence", "decide later")]
    page.view.scope.button("all").click()
    states = [state for _, state in page.rows()]
    assert states[0] == "agreed"
    assert states[2].startswith("Ann: neither · 20")
    page.press(Qt.Key.Key_K)
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_J)
    assert page.view.decided_label.text() == states[2]


def test_the_next_topic_follows_when_everything_is_decided(page, qtbot) -> None:
    first = page.context.selection.topic_id
    page.press(Qt.Key.Key_1)
    page.press(Qt.Key.Key_1)
    qtbot.waitUntil(lambda: not page.context.jobs.running())
    page.press(Qt.Key.Key_U)
    assert page.context.selection.topic_id != first
    assert page.to_do() == 2


def test_agreements_of_all_topics_are_merged_at_once(page, qtbot) -> None:
    page.press(Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: page.presenter is not None and page.stored() == [2, None, None])
    qtbot.waitUntil(page.view.merge_button.isEnabled)
    page.view.scope.button("all").click()
    assert [state for _, state in page.rows()] == ["agreed", "4 : 5", "3 : 1"]


def test_a_result_named_like_an_annotator_is_refused(page) -> None:
    page.view.result_field.setText("Ben")
    page.view.result_field.editingFinished.emit()
    assert "Ben is an annotator" in page.view.empty.sentence_label.text()
    page.press(Qt.Key.Key_1)
    assert page.stored() == [None, None, None]


def test_versions_of_a_merge_conflict_are_compared_with_each_other(page) -> None:
    study = page.study
    other = imported(study, "Ben (conflict 0123ab)").id
    scale, topic = study.ratings.dimensions()[0].id, study.texts.topics()[0].id
    first = order(page.context, study.texts.topic(topic))[0]
    study.ratings.rate(first, scale, other, 5).result()
    page.qtbot.waitUntil(lambda: page.view.comparison_box.count() > 1)
    assert [page.view.comparison_box.itemText(at) for at in range(2)] == [
        "Different annotators",
        "Versions of Ben (merge conflict)",
    ]
    assert page.to_do() == 2, "both versions of one annotator are no two annotators"
    page.view.comparison_box.setCurrentIndex(1)
    page.view.comparison_box.activated.emit(1)
    assert page.cards() == [("Ben", "2 of 5"), ("Ben (conflict 0123ab)", "5 of 5")]
    assert page.view.result_field.text() == "Ben (adjudicated)"


def test_matches_mark_the_words_of_each_version_in_the_text(page) -> None:
    study = page.study
    topic = study.texts.topic(page.context.selection.topic_id)
    good = next(text for text in topic.summaries if text.name == "good")
    ben, cat = (study.annotators.get_or_create(name).id for name in ("Ben", "Cat"))
    before = study.pyramids.annotation(topic.id, ben)
    after = add_scu(before, "Court lifted ban", topic.references[0].id, [(0, 9)], "a" * 32)
    after = add_match(after, good.id, ben, "a" * 32, [(0, 9)])
    for person in (ben, cat):
        after = set_summary_state(after, good.id, person, is_done=True)
    study.pyramids.commit(before, after, "match", ben).result()
    page.view.annotation_box.setCurrentIndex(1)
    page.view.annotation_box.activated.emit(1)
    assert page.rows() == [("Court lifted ban", "matched : not matched")]
    assert page.cards() == [("Ben", "“The court”"), ("Cat", "not matched")]
    assert not page.view.both_button.isEnabled()
    page.press(Qt.Key.Key_B)
    assert page.to_do() == 1
    page.press(Qt.Key.Key_1)
    study.flush()
    stored = study.pyramids.annotation(topic.id, ben)
    result = study.annotators.get_or_create("adjudicated").id
    assert [match.scu_id for match in stored.matches_of(good.id, result)] == ["a" * 32]
    state = stored.state_of(good.id, result)
    assert state is not None
    assert state.is_done


@pytest.fixture
def compared(page):
    """The page with a pair on which Ben and Cat answered differently."""
    study, topic = page.study, page.study.texts.topic(page.context.selection.topic_id)
    ids = tuple(text.id for text in topic.summaries[:2])
    plan = ComparisonPlan("b" * 32, "Better", ComparisonKind.PAIRWISE, "Which one is better?")
    study.comparisons.add_plan(plan, [ComparisonItem("c" * 32, topic.id, ids)], None).result()
    for name, (best, worst) in (("Ben", ids), ("Cat", ids[::-1])):
        study.comparisons.answer("c" * 32, study.annotators.get_or_create(name).id, best, worst).result()
    page.context.selection.select(annotation="preference.")
    return page, topic.summaries[:2]


def test_a_pair_is_decided_with_both_summaries_in_sight(compared, qtbot) -> None:
    page, (first, second) = compared
    assert page.rows() == [("Which one is better?", "A : B")]
    shown = [panel.text.toPlainText() for panel in (page.view.texts, page.view.sources)]
    assert shown == [first.content, second.content]
    page.press(Qt.Key.Key_2)
    page.study.flush()
    result = page.study.annotators.get_or_create("adjudicated").id
    answers = {one.annotator_id: one.best for one in page.study.comparisons.preferences("b" * 32)}
    assert answers[result] == second.id
    assert page.rows() == []
    qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.to_do() == 1)
    assert result not in {one.annotator_id for one in page.study.comparisons.preferences("b" * 32)}


def test_what_is_left_is_counted_by_kind_and_goes_down_with_each_decision(compared, qtbot) -> None:
    page, _ = compared
    counts = []
    object.__setattr__(page.context, "show_progress", counts.append)
    page.view.shown.emit()
    box = page.view.annotation_box
    qtbot.waitUntil(lambda: counts[-1:] == [{"adjudication": "5"}])
    titles = [box.itemText(at) for at in range(box.count())]
    assert titles == ["Ratings · 4", "Matches", "Pyramids", "Nuggets", "Hits", "Pairs · 1"]
    page.press(Qt.Key.Key_B)
    assert counts[-1] == {"adjudication": "4"}
    assert box.currentText() == "Pairs"


def test_sources_stand_beside_the_difference_and_the_guidelines_are_one_key_away(page) -> None:
    topic = page.study.texts.topic(page.context.selection.topic_id)
    (source, *_) = (*topic.documents, *topic.references)
    assert page.view.sources.text.toPlainText() == source.content
    page.press(Qt.Key.Key_F9)
    assert page.view.guidelines.isVisible()
    assert not page.view.sources.isVisible()
    page.press(Qt.Key.Key_F9)
    assert page.view.sources.isVisible()


def test_a_topic_without_ratings_of_two_annotators_shows_why_it_is_empty(context, shown) -> None:
    view, _ = adjudication.build(context)
    shown(view)
    assert "rated by two of the annotators" in view.empty.sentence_label.text()


def test_the_list_is_a_correct_model(qapp, page) -> None:
    model = ItemModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(page.view.list.items.rows())
    assert model.rowCount() == 2
