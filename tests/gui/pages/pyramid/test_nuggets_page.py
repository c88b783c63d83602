"""The Nuggets page, operated by its keys, with a real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from core.domain.pyramid import UnitKind
from core.formatting.unit_terms import in_terms_of
from gui.annotation.scus.scu_values import ScuFilter
from gui.annotation.suggestions.suggestion_controller import NO_METHOD
from tests.gui.pages.pyramid.pyramid_keys import Page


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot, UnitKind.NUGGET)
    shown(made.view)
    made.view.activateWindow()
    return made


def settle(page) -> None:
    """Wait until the search has ended and its result is stored."""
    page.qtbot.waitUntil(lambda: not page.context.jobs.running())
    page.wait_until_saved()


def states(page, label):
    return [(c.reference_id, c.is_confirmed) for c in page.scu(label).contributors]


def test_a_new_nugget_gets_its_other_occurrences_to_confirm(page):
    first, second = (text.id for text in page.topic.references[:2])
    page.make("A", "the ban", "The ban")
    settle(page)
    assert states(page, "The ban") == [(first, True), (second, False)]
    assert page.scu("The ban").weight == 1
    marks = {mark.is_automatic for mark in page.section("B").text.marks}
    assert marks == {True}
    page.press(Qt.Key.Key_Y)
    page.wait_until_saved()
    assert states(page, "The ban") == [(first, True), (second, True)]
    assert page.view.scus.tree.scus.tiers[0].weight == 2


def test_a_rejected_occurrence_is_removed_on_its_card(page):
    page.make("A", "the ban", "The ban")
    settle(page)
    page.press(Qt.Key.Key_Greater)
    page.press(Qt.Key.Key_Down)
    page.press(Qt.Key.Key_R)
    page.wait_until_saved()
    assert [is_confirmed for _, is_confirmed in states(page, "The ban")] == [True]


def test_only_the_focused_occurrence_is_confirmed(page):
    page.make("B", "A judge", "judge")
    page.select("A", "The court")
    page.press(Qt.Key.Key_A)
    settle(page)
    before = len(states(page, "judge"))
    page.select("A", "bridge")
    page.press(Qt.Key.Key_A)
    page.wait_until_saved()
    assert len(states(page, "judge")) == before + 1
    assert page.scu("judge").weight == 2
    assert page.scu("judge").occurrences == before + 1


def test_the_ways_to_search_are_chosen_in_the_menu_and_remembered(page, requests):
    for command in ("nugget.exact", "nugget.stemmed", "nugget.fuzzy"):
        page.context.commands.action(command).trigger()
    assert not page.context.commands.action("nugget.exact").isChecked()
    page.make("A", "the ban", "The ban")
    assert requests.sentences[-1] == NO_METHOD
    assert page.context.settings.now.occurrence_methods == ""
    page.context.commands.action("nugget.exact").trigger()
    page.press(Qt.Key.Key_G)
    settle(page)
    assert len(states(page, "The ban")) == 2


def test_importance_is_rated_by_keys_and_by_button(page):
    page.make("A", "the ban", "The ban")
    page.press(Qt.Key.Key_1)
    page.wait_until_saved()
    assert page.scu("The ban").importance == "vital"
    assert "vital" in page.view.scus.tree.scus.lines[0].note
    page.view.details.importance.button("okay").click()
    page.wait_until_saved()
    assert page.scu("The ban").importance == "okay"


def test_nuggets_to_confirm_can_be_filtered_and_stepped_through(page):
    page.make("A", "the ban", "The ban")
    page.make("A", "The court ruled", "Ruling")
    settle(page)
    tree = page.view.scus.tree
    page.view.scus.set_filter(ScuFilter(is_to_confirm=True))
    waiting = [line.label for line in tree.scus.lines if line.scu_id in tree.scus.visible()]
    assert waiting == ["The ban"]
    page.press(Qt.Key.Key_I)
    assert page.context.selection.scu_id == page.scu("The ban").id


def test_undo_of_a_search_removes_what_it_found(page):
    page.make("A", "the ban")  # without another label, which may be stored before or after the search
    settle(page)
    assert len(page.scu("the ban").contributors) == 2
    page.context.history.undo()
    page.wait_until_saved()
    page.qtbot.waitUntil(lambda: len(page.scu("the ban").contributors) == 1)
    assert page.labels() == ["the ban"]


def test_pyramids_and_nuggets_of_a_topic_are_independent(page):
    page.make("A", "the ban", "The ban")
    pyramids = page.context.study.pyramids
    assert pyramids.annotation(page.topic.id, page.context.annotator.id).pyramid.scus == ()


def test_no_text_of_the_page_names_scus_or_pyramids(page):
    page.make("A", "the ban", "The ban")
    texts = set()
    for widget in page.view.findChildren(QWidget):
        texts |= {widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()}
        texts |= {widget.text()} if isinstance(widget, QLabel) else set()
    for command, action in page.context.commands:
        if "nuggets" in command.pages and not command.id.startswith("view."):
            texts |= {action.text().replace("&", ""), action.toolTip()}
    assert [text for text in texts if "SCU" in text or "yramid" in text or "ontributor" in text] == []


def test_terms_keep_ids_of_commands_and_begin_sentences_with_a_capital():
    text = "SCUs of this pyramid: an SCU without contributors. {pyramid.merge} merges. New &SCU"
    assert in_terms_of(UnitKind.NUGGET, text) == (
        "Nuggets of this nuggets: a nugget without occurrences. {pyramid.merge} merges. New nugget"
    )
    assert in_terms_of(UnitKind.SCU, text) == text


def test_split_move_and_merge_keep_one_occurrence_per_place(page):
    page.make("A", "the ban", "The ban")
    settle(page)
    page.make("A", "The court ruled", "Ruling")
    page.choose("The ban")
    page.press(Qt.Key.Key_M)
    page.view.scus.tree.choose(page.scu("Ruling").id)
    page.press(Qt.Key.Key_Return)
    page.wait_until_saved()
    assert page.labels() == ["The ban"]
    assert len(states(page, "The ban")) == 3
    assert QApplication.focusWidget() is not None
