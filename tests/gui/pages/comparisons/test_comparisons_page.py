"""The Comparisons page with real widgets and a real study, by keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.annotation.blind_mode import make_blind
from core.annotation.comparison_plans import draw_plan
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import new_id
from gui.pages.comparisons import presenter as comparisons

pytestmark = pytest.mark.slow

CTRL = Qt.KeyboardModifier.ControlModifier


class Page:
    """The page under test, with keyboard input."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.store = context, qtbot, context.study.comparisons
        self.view, self.presenter = comparisons.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page(comparisons.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)

    def stored(self) -> list[tuple[int, int]]:
        """Return (number of the best, number of the worst) of each answer, 0 = a tie, in order."""
        self.context.study.flush()
        plan = self.store.plans()[-1]
        items = {item.id: item.summary_ids for item in self.store.items(plan.id)}
        return [
            (0, 0)
            if one.best is None
            else (items[one.item_id].index(one.best) + 1, items[one.item_id].index(one.worst) + 1)
            for one in self.store.preferences(plan.id)
        ]

    def chosen(self) -> list[int]:
        return [number for number, button in self.view.buttons.items() if button.isChecked()]

    @property
    def place(self) -> str:
        return self.view.comparison_place.position_label.text()


def shown_page(context, shown, qtbot) -> Page:
    page = Page(context, qtbot)
    shown(page.view)
    page.view.activateWindow()
    qtbot.waitUntil(page.view.isActiveWindow)
    page.view.focus_default()
    return page


def add_plan(context, kind, **settings) -> None:
    plan, items = draw_plan(context.study, "quality", kind, **settings)
    context.study.comparisons.add_plan(plan, items, context.annotator.id).result()


@pytest.fixture
def pairs(context, shown, qtbot):
    add_plan(context, ComparisonKind.PAIRWISE, per_summary=2)
    return shown_page(context, shown, qtbot)


def test_digits_answer_and_the_next_comparison_comes(pairs):
    assert pairs.place == "1 / 6"
    pairs.press(Qt.Key.Key_1)
    pairs.press(Qt.Key.Key_2)
    pairs.press(Qt.Key.Key_0)
    assert pairs.stored() == [(1, 2), (2, 1), (0, 0)]
    assert pairs.place == "4 / 6"
    assert pairs.view.panel.fact_label.text() == "3 of 6 answered"
    assert pairs.chosen() == []


def test_an_answer_is_seen_changed_and_cleared(pairs, qtbot):
    pairs.press(Qt.Key.Key_1)
    pairs.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (pairs.place, pairs.chosen()) == ("1 / 6", [1])
    assert [column.ratings_label.text() for column in pairs.view.columns.columns[:2]] == ["preferred", ""]
    pairs.press(Qt.Key.Key_0)
    pairs.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert pairs.chosen() == [0]
    pairs.press(Qt.Key.Key_Delete)
    assert pairs.chosen() == []
    assert pairs.stored() == []


def test_undo_brings_the_answer_back(pairs, qtbot):
    pairs.press(Qt.Key.Key_2)
    qtbot.waitUntil(lambda: not pairs.context.writes.is_saving)
    pairs.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: pairs.view.panel.fact_label.text() == "0 of 6 answered")
    assert pairs.stored() == []


def test_undo_goes_to_the_comparison_that_has_no_answer_any_more(pairs, qtbot):
    for key in (Qt.Key.Key_2, Qt.Key.Key_1):
        pairs.press(key)
    qtbot.waitUntil(lambda: not pairs.context.writes.is_saving)
    assert pairs.place == "3 / 6"
    pairs.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: pairs.place == "2 / 6")
    qtbot.waitUntil(lambda: pairs.view.panel.fact_label.text() == "1 of 6 answered")
    pairs.press(Qt.Key.Key_2)
    assert pairs.stored() == [(2, 1), (2, 1)]


def test_after_the_last_answer_the_page_says_so_until_one_is_undone(pairs, qtbot):
    for _ in range(6):
        pairs.press(Qt.Key.Key_1)
    assert pairs.view.end.isVisible()
    assert "All 6 comparisons are answered" in pairs.view.left_label.text()
    assert pairs.view.next_button.text() == "Review answers"
    assert not pairs.view.panel.isVisible()
    pairs.press(Qt.Key.Key_2)
    assert len(pairs.stored()) == 6
    assert pairs.stored()[-1] == (1, 2), "no answer to a comparison that isn't shown"
    pairs.context.history.undo()
    qtbot.waitUntil(pairs.view.panel.isVisible)
    assert pairs.place == "6 / 6"
    assert pairs.view.panel.fact_label.text() == "5 of 6 answered"
    assert pairs.view.next_button.text() == "Next to answer"


def test_the_end_ranks_the_systems_by_the_own_answers(pairs, context, qtbot):
    (plan,) = pairs.store.plans()
    items = {item.id: item for item in pairs.store.items(plan.id)}
    for item in items.values():
        context.study.comparisons.answer(
            item.id, context.study.annotators.get_or_create("Ben").id, None, None
        )
    for _ in range(6):
        pairs.press(Qt.Key.Key_1)
    qtbot.waitUntil(pairs.view.ranking.isVisible)
    assert not pairs.view.repeated_label.isVisible(), "no comparison was repeated"
    wins = dict.fromkeys(("lead", "good", "bad"), 0.0)
    names = {text.id: text.name for topic in context.study.texts.load() for text in topic.summaries}
    for one in pairs.store.preferences(plan.id):
        if one.best is not None:
            wins[names[one.best]] += 1 / 4
    model = pairs.view.ranking.model()
    heads = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert heads[:4] == ["Rank", "System", "Share won", "Bradley–Terry"]
    shown = {model.index(row, 1).data(): model.index(row, 2).data() for row in range(model.rowCount())}
    assert {name: text.partition(" [")[0] for name, text in shown.items()} == {
        name: f"{share:.3f}" for name, share in wins.items()
    }
    assert "Bradley–Terry" in pairs.view.method_label.text()


def test_a_blind_study_ends_without_names(context, shown, qtbot):
    make_blind(context.study, enabled=True).result()
    add_plan(context, ComparisonKind.PAIRWISE, per_summary=1)
    page = shown_page(context, shown, qtbot)
    while not page.view.end.isVisible():
        page.press(Qt.Key.Key_1)
    qtbot.waitUntil(lambda: page.view.method_label.text() == comparisons.BLIND)
    assert not page.view.ranking.isVisible()


def test_the_end_counts_equal_answers_to_repeated_comparisons(context, shown, qtbot):
    plan, items = draw_plan(context.study, "quality", ComparisonKind.PAIRWISE, per_summary=1)
    repeats = [replace(item, id=new_id(), summary_ids=item.summary_ids[::-1]) for item in items]
    context.study.comparisons.add_plan(plan, [*items, *repeats], context.annotator.id).result()
    page = shown_page(context, shown, qtbot)
    for key in (Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_1):
        page.press(key)
    qtbot.waitUntil(lambda: "1 of 2 repeats" in page.view.repeated_label.text())


def test_the_end_leads_to_another_plan_that_has_comparisons_left(pairs, context, qtbot):
    plan, items = draw_plan(context.study, "second", ComparisonKind.PAIRWISE, per_summary=2)
    for _ in range(5):
        pairs.press(Qt.Key.Key_1)
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    context.study.comparisons.add_plan(plan, items, None).result()
    qtbot.waitUntil(lambda: pairs.view.plan_box.count() == 2)
    pairs.press(Qt.Key.Key_1)
    assert "6 comparisons of “second” are left" in pairs.view.left_label.text()
    pairs.press(Qt.Key.Key_Space)
    assert pairs.view.plan_box.currentText() == "second"
    assert pairs.view.panel.fact_label.text() == "0 of 6 answered"


@pytest.mark.parametrize("width", [420, 900])
def test_two_summaries_need_no_horizontal_scroll_bar(pairs, qtbot, width):
    columns = pairs.view.columns
    columns.resize(width, 300)
    qtbot.waitUntil(lambda: columns.horizontalScrollBar().maximum() == 0)


def test_names_of_systems_are_never_shown(pairs):
    shown = {column.name_label.text() for column in pairs.view.columns.columns}
    assert shown == {""}


def test_the_buttons_answer_too(pairs, qtbot):
    qtbot.mouseClick(pairs.view.buttons[0], Qt.MouseButton.LeftButton)
    assert pairs.stored() == [(0, 0)]
    assert pairs.place == "2 / 6"


def test_a_digit_in_a_text_answers(pairs, qtbot):
    text = pairs.view.columns.columns[0].text
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_2)
    assert pairs.stored() == [(2, 1)]


def test_of_best_worst_the_second_choice_is_the_worst(context, shown, qtbot, requests):
    add_plan(context, ComparisonKind.BEST_WORST, size=3, per_summary=1)
    page = shown_page(context, shown, qtbot)
    page.press(Qt.Key.Key_0)
    assert "no ties" in requests.sentences[-1]
    page.press(Qt.Key.Key_3)
    assert page.chosen() == [3]
    assert "worst" in page.view.prompt_label.text()
    page.press(Qt.Key.Key_3)
    assert page.chosen() == [], "taken back"
    page.press(Qt.Key.Key_3)
    page.press(Qt.Key.Key_1)
    assert page.stored() == [(3, 1)]
    assert page.place == "2 / 2"


def test_comparisons_of_others_are_not_asked(context, shown, qtbot):
    ben = context.study.annotators.get_or_create("Ben")
    add_plan(context, ComparisonKind.PAIRWISE, per_summary=2, overlap=0.0, annotators=[ben.name])
    page = shown_page(context, shown, qtbot)
    assert page.view.empty.sentence_label.text() == comparisons.NONE_FOR_YOU
    assert not page.view.empty.primary.isVisible()


def test_a_plan_is_made_in_the_dialog_and_undone(context, shown, qtbot):
    page = shown_page(context, shown, qtbot)
    assert page.view.empty.isVisible()
    qtbot.mouseClick(page.view.empty.primary, Qt.MouseButton.LeftButton)
    dialog = page.presenter.dialog
    dialog.name_field.selectAll()
    qtbot.keyClicks(dialog.name_field, "style")
    dialog.per_summary_box.setValue(1)
    qtbot.waitUntil(lambda: dialog.count_label.text() == "2 comparisons.")
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.place == "1 / 2")
    (plan,) = page.store.plans()
    assert (plan.name, plan.question) == ("style", "Which summary is better?")
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    context.history.undo()
    qtbot.waitUntil(page.view.empty.isVisible)


def test_a_plan_that_cannot_be_is_explained(pairs, qtbot):
    pairs.press(Qt.Key.Key_E)
    dialog = pairs.presenter.dialog
    assert dialog.name_field.text() == "preference"
    dialog.name_field.setText("quality")
    dialog.name_field.textEdited.emit("quality")
    qtbot.waitUntil(lambda: "already" in " ".join(dialog.notice.sentences))
    assert not dialog.accept_button.isEnabled()
