"""Findings and history of the Pyramid page, with a real view on a real study."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt

from core.domain import pyramid
from core.domain.pyramid.restore import RestoreEffect
from core.ports import EditRecord
from gui.pages.pyramid.rows import PYRAMID, SCU, FindingRow
from gui.pages.pyramid.side_list_controllers import (
    NO_CHANGE,
    READ_ONLY,
    PyramidFindings,
    effect_sentence,
    history_row,
)
from gui.pages.pyramid.view import MAX_ROWS, NO_PROBLEMS, NO_REPAIR, STOP_IGNORING, FindingList
from gui.session.annotation_session import annotation_session
from storage.study_file import open_study
from tests.gui.pages.pyramid.test_pyramid_page import CTRL, Page


class PageWithLists(Page):
    """The page under test with its lists of findings and edits."""

    @property
    def findings(self):
        return self.view.findings

    @property
    def history(self):
        return self.view.history

    def sentences(self) -> list[str]:
        return [line.sentence for line in self.findings.model.rows()]

    def edits(self) -> list[str]:
        return [line.what for line in self.history.model.rows()]

    def wait_for_findings(self, count: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.findings.model.rows()) == count)

    def finish_but_a_sentence(self) -> None:
        """Create an SCU of all but the last sentence of B and mark the pyramid done, which is one finding."""
        scu_id = self.add("Court", "B", "A judge lifted the ban")
        session, reference = annotation_session(self.context), self.topic.references[0]
        whole = [(0, len(reference.content))]
        session.edit(lambda a: pyramid.add_contributor(a, scu_id, reference.id, whole), "add contributor")
        session.edit(lambda a: pyramid.mark_pyramid_done(a, True), "mark pyramid done")
        self.wait_until_saved()

    def wait_for_edits(self, count: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.edits()) == count)

    def open(self, tab: str) -> None:
        self.view.side.show_tab(tab)

    def choose_row(self, tree, key) -> None:
        tree.setFocus()
        assert tree.choose(key)

    def add(self, label: str, letter: str, words: str, *, by: str = "") -> str:
        """Create an SCU without the window, as the annotator or as `by`."""
        study, mine = self.context.study, self.stored()
        reference = next(r for r in self.topic.references if r.name == letter)
        start = reference.content.index(words)
        scu_id = pyramid.new_id()
        after = pyramid.add_scu(mine, label, reference.id, [(start, start + len(words))], scu_id)
        session = annotation_session(self.context)
        if by:
            with open_study(study.path) as other:
                other.pyramids.commit(mine, after, "new SCU", other.annotators.get_or_create(by).id).result()
            self.qtbot.waitUntil(lambda: session.annotation == after)
        else:
            session.edit(lambda _: after, "new SCU")
            self.wait_until_saved()
        return scu_id


@pytest.fixture
def page(context, shown, qtbot):
    made = PageWithLists(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    return made


class TestFindings:
    def test_tab_and_list_show_the_number_of_findings_and_link_to_them(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        assert page.view.findings_link.text() == "1 finding"
        assert page.view.side.tabs.button("findings").text() == "1"
        page.view.findings_link.click()
        assert page.view.side.tabs.current == "findings"
        assert "is in no SCU" in page.sentences()[0]

    def test_uncovered_sentences_are_reported_only_when_the_pyramid_is_done(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.view.reopen_button.click()
        page.wait_for_findings(0)
        assert not page.view.findings_link.isVisible()
        page.press(Qt.Key.Key_D, CTRL)
        page.wait_for_findings(1)

    def test_findings_are_emphasized_only_when_the_pyramid_is_done(self, page, qtbot):
        page.add("The ban was lifted", "A", "The court ruled on Monday that the ban")
        page.add("Ban was lifted", "A", "was void")
        page.wait_for_findings(1)
        assert page.view.findings_link.property("kind") == "quiet"
        page.press(Qt.Key.Key_D, CTRL)
        assert page.view.findings_link.property("kind") == "link"

    def test_a_shortcut_goes_to_the_first_finding(self, page):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.press(Qt.Key.Key_F)
        assert page.findings.tree.hasFocus()
        assert page.findings.tree.current_key == page.findings.model.rows()[0].key

    def test_the_next_finding_becomes_current_when_one_is_resolved(self, page):
        page.add("Ban", "B", "the ban")
        page.add("Court", "A", "The court ruled")
        page.add("The court", "A", "The court")
        page.add("The Court", "A", "court")
        page.press(Qt.Key.Key_F)
        page.qtbot.waitUntil(lambda: len(page.sentences()) > 1)
        first, second = (line.key for line in page.findings.model.rows()[:2])
        assert page.findings.tree.current_key == first
        page.press(Qt.Key.Key_Delete)
        assert page.findings.tree.current_key == second
        page.wait_until_saved()

    def test_a_pyramid_without_problems_shows_a_message(self, page, qtbot):
        page.open("findings")
        page.add("All", "A", "The court ruled on Monday that the ban on the bridge was void.")
        qtbot.waitUntil(lambda: page.findings.state_label.text() == NO_PROBLEMS)
        assert page.findings.state_label.isVisible()
        assert not page.view.findings_link.isVisible()

    def test_enter_goes_to_the_words_and_space_makes_an_scu_of_them(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.open("findings")
        (line,) = page.findings.model.rows()
        page.choose_row(page.findings.tree, line.key)
        page.press(Qt.Key.Key_Return)
        section = page.section("B")
        assert section.text.hasFocus()
        content = page.topic.references[1].content
        ((start, end),) = section.text.selected_spans()
        assert content[start:end].endswith("at once")
        page.choose_row(page.findings.tree, line.key)
        page.press(Qt.Key.Key_Space)
        assert len(page.labels()) == 2
        assert page.context.selection.scu_id == page.stored().pyramid.scus[1].id
        page.wait_for_findings(0)
        assert page.context.study.edits.history(limit=1)[0].verb == "new SCU"
        page.press(Qt.Key.Key_Z, CTRL)
        page.wait_for_findings(1)
        assert len(page.labels()) == 1

    def test_the_action_below_a_finding_can_be_clicked(self, page, qtbot):
        page.add("The ban was lifted", "A", "The court ruled on Monday that the ban")
        page.add("Ban was lifted", "A", "was void")
        page.open("findings")
        page.wait_for_findings(1)
        tree = page.findings.tree
        (line,) = page.findings.model.rows()
        assert line.repair == "Merge"
        area = tree.visualRect(page.findings.model.index_of(line.key))
        place = tree.itemDelegate().action_rects(area, line)["Merge"].center()
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert page.labels() == ["The ban was lifted"]

    def test_ignored_findings_are_hidden_and_can_be_shown_and_restored(self, page, context, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.open("findings")
        (line,) = page.findings.model.rows()
        page.choose_row(page.findings.tree, line.key)
        page.press(Qt.Key.Key_Delete)
        assert page.sentences() == []
        assert len(page.labels()) == 1  # Delete acted on the list, not on a contributor
        assert page.findings.ignored_button.text() == "Show 1 ignored"
        page.wait_until_saved()
        (event,) = context.study.edits.events(page.topic.id, context.annotator.id, "ignore finding")
        assert json.loads(event)["key"] == line.key
        assert context.study.edits.history(limit=1)[0].what.startswith("Ignore finding: “🌉 Cafe")
        page.add("More", "A", "The court ruled")  # the next check keeps ignored findings ignored
        qtbot.wait(500)
        assert page.sentences() == []
        page.findings.ignored_button.click()
        assert [row.is_ignored for row in page.findings.model.rows()] == [True]
        page.findings.tree.verb_pressed.emit(line.key, STOP_IGNORING)
        assert [row.is_ignored for row in page.findings.model.rows()] == [False]

    def test_a_part_outside_its_text_is_reported_and_removed(self, page, context, qtbot):
        page.add("Court", "A", "The court ruled on Monday that the ban on the bridge was void")
        with closing(sqlite3.connect(context.study.path)) as connection, connection:
            connection.execute('UPDATE contributor_parts SET start = 90, "end" = 99')
        page.press(Qt.Key.Key_BracketRight)
        page.press(Qt.Key.Key_BracketLeft)  # loads the topic again
        page.wait_for_findings(1)
        line = page.findings.model.rows()[0]
        assert "is outside the text (90 to 99 of 62 characters)" in line.sentence
        page.findings.tree.row_opened.emit(line.key)
        page.findings.repair_requested.emit(line.key)
        assert page.stored().pyramid.scus[0].contributors == ()

    def test_a_finding_without_a_fix_shows_a_message(self, page, requests, context):
        scu_id = page.add("Court", "A", "The court ruled on Monday that the ban on the bridge was void")
        session = annotation_session(context)
        summary = page.topic.summaries[0].id
        session.edit(lambda a: pyramid.add_match(a, summary, context.annotator.id, scu_id), "match")
        contributor = session.annotation.scu(scu_id).contributors[0].id
        session.edit(lambda a: pyramid.remove_contributor(a, scu_id, contributor), "remove contributor")
        page.wait_for_findings(1)
        page.findings.repair_requested.emit(page.findings.model.rows()[0].key)
        assert requests.sentences[-1] == NO_REPAIR
        page.wait_until_saved()

    def test_a_check_of_the_previous_topic_is_discarded(self, page, qtbot):
        page.finish_but_a_sentence()
        page.view.findChild(PyramidFindings).start_check()
        page.press(Qt.Key.Key_BracketRight)
        qtbot.waitUntil(lambda: page.findings.state_label.text() == NO_PROBLEMS)
        assert page.sentences() == []
        assert not page.view.findings_link.isVisible()

    def test_another_topic_has_its_own_findings(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.press(Qt.Key.Key_BracketRight)
        assert page.sentences() == []
        page.press(Qt.Key.Key_BracketLeft)
        page.wait_for_findings(1)

    def test_the_number_of_listed_findings_is_limited(self, shown):
        lists = shown(FindingList())
        lines = [FindingRow(str(n), "Sentences in no SCU", f"Sentence {n}") for n in range(MAX_ROWS + 9)]
        lists.show_findings(lines, 0)
        assert len(lists.model.rows()) == MAX_ROWS
        assert lists.more_label.text() == "9 more appear as you resolve these."
        lists.show_findings(lines[:5], 0)
        assert not lists.more_label.isVisible()

    def test_a_collapsed_heading_stays_collapsed(self, shown):
        lists = shown(FindingList())
        lines = [FindingRow(str(n), "One" if n % 2 else "Other", f"Sentence {n}") for n in range(6)]
        lists.show_findings(lines, 0)
        lists.tree.collapse(lists.model.index(0, 0))
        lists.show_findings(lines[1:], 0)
        heads = [lists.model.index(at, 0) for at in range(lists.model.rowCount())]
        assert {head.data(): lists.tree.isExpanded(head) for head in heads} == {"Other": False, "One": True}


class TestHistory:
    def test_it_lists_annotator_edit_and_day_newest_first(self, page):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge", by="Ben")
        page.wait_for_edits(2)
        ben, ann = page.history.model.rows()
        assert (ben.who, ben.what, ben.day) == ("Ben", "New SCU “Judge”", "Today")
        assert (ann.who, ann.what) == ("Ann", "New SCU “Court”")

    def test_an_undone_edit_stays_listed_as_undone(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.press(Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: [line.is_undone for line in page.history.model.rows()] == [True])
        index = page.history.model.index_of(page.history.model.rows()[0].edit_id)
        assert ", undone" in index.data()

    def test_the_history_can_be_limited_to_the_selected_scu(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        judge = page.add("Judge", "B", "A judge")
        page.context.selection.select(scu_id=judge)
        page.history.filter.button(SCU).click()
        qtbot.waitUntil(lambda: page.edits() == ["New SCU “Judge”"])
        page.choose("Court")
        qtbot.waitUntil(lambda: page.edits() == ["New SCU “Court”"])
        page.history.filter.button(PYRAMID).click()
        page.wait_for_edits(2)

    def test_older_edits_are_loaded_page_by_page(self, page, qtbot, monkeypatch):
        monkeypatch.setattr("gui.pages.pyramid.side_list_controllers.PAGE_EDITS", 2)
        page.open("history")
        for number in range(5):
            page.add(f"unit {number}", "A", "The court ruled")
        page.wait_for_edits(2)
        page.history.more_button.click()
        page.wait_for_edits(4)
        page.history.more_button.click()
        page.wait_for_edits(5)
        assert not page.history.more_button.isVisible()
        assert page.edits() == [f"New SCU “unit {n}”" for n in (4, 3, 2, 1, 0)]

    def look_at(self, page, what: str) -> None:
        page.qtbot.waitUntil(lambda: what in page.edits())
        line = next(line for line in page.history.model.rows() if line.what == what)
        page.choose_row(page.history.tree, line.edit_id)
        page.press(Qt.Key.Key_Return)
        page.qtbot.waitUntil(page.view.history_banner.isVisible)

    def labels_shown(self, page) -> list[str]:
        return [line.label for tier in page.view.scus.tree.scus.tiers for line in tier.lines]

    def test_an_earlier_version_is_displayed_read_only(self, page, requests):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        page.wait_for_edits(2)
        self.look_at(page, "New SCU “Court”")
        assert self.labels_shown(page) == ["Court"]
        assert page.section("B").text.marks == ()
        text = page.view.history_banner.text_label.text()
        assert "Restoring removes 1 SCU; matches are unaffected." in text
        assert page.history.model.rows()[1].is_viewed
        assert not page.context.commands.action("pyramid.new_scu").isEnabled()
        assert not page.context.commands.action("edit.undo").isEnabled()
        assert page.view.details.label_field.isReadOnly()
        assert not page.presenter.edit(lambda a: pyramid.mark_pyramid_done(a, True), "done")
        assert requests.sentences[-1] == READ_ONLY
        page.view.history_banner.back_button.click()
        assert sorted(self.labels_shown(page)) == ["Court", "Judge"]
        assert not page.view.history_banner.isVisible()
        assert page.context.commands.action("pyramid.new_scu").isEnabled()
        assert page.labels() == ["Court", "Judge"]

    def test_restoring_is_one_edit_and_can_be_undone(self, page, qtbot):
        page.open("history")
        court = page.add("Court", "A", "The court ruled")
        judge = page.add("Judge", "B", "A judge")
        session, ben = annotation_session(page.context), page.context.study.annotators.get_or_create("Ben").id
        summary = page.topic.summaries[0].id
        session.edit(lambda a: pyramid.add_match(a, summary, ben, judge), "match")
        session.edit(lambda a: pyramid.add_match(a, summary, ben, court), "match")
        page.wait_until_saved()
        now = page.stored()
        self.look_at(page, "New SCU “Court”")
        assert "Restoring removes 1 SCU; removes 1 match." in page.view.history_banner.text_label.text()
        page.view.history_banner.restore_button.click()
        assert page.labels() == ["Court"]
        assert [match.scu_id for match in page.stored().matches] == [court]
        page.wait_until_saved()
        assert page.context.study.edits.history(limit=1)[0].verb == "restore"
        page.press(Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: len(self.labels_shown(page)) == 2)
        assert page.stored() == now

    def test_the_current_version_cannot_be_restored(self, page):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        self.look_at(page, "New SCU “Court”")
        assert page.view.history_banner.text_label.text().endswith(NO_CHANGE)
        assert not page.view.history_banner.restore_button.isVisible()

    def test_history_is_operated_by_keys(self, page):
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        assert not page.context.commands.action("pyramid.back").isEnabled()
        page.press(Qt.Key.Key_H, CTRL)
        page.wait_for_edits(2)
        assert page.history.tree.hasFocus()
        assert page.history.tree.current_key == page.history.model.rows()[0].edit_id
        page.press(Qt.Key.Key_Down)
        page.press(Qt.Key.Key_Return)
        page.qtbot.waitUntil(page.view.history_banner.isVisible)
        assert self.labels_shown(page) == ["Court"]
        assert page.context.commands.action("pyramid.back").isEnabled()
        page.press(Qt.Key.Key_Escape)
        assert not page.view.history_banner.isVisible()
        assert len(self.labels_shown(page)) == 2

    def test_leaving_the_page_or_the_topic_closes_the_earlier_version(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        self.look_at(page, "New SCU “Court”")
        page.press(Qt.Key.Key_BracketRight)
        assert not page.view.history_banner.isVisible()
        page.press(Qt.Key.Key_BracketLeft)
        self.look_at(page, "New SCU “Court”")
        page.view.hide()
        assert annotation_session(page.context).edit(
            lambda a: pyramid.mark_pyramid_done(a, True), "mark pyramid done"
        )
        page.wait_until_saved()

    def test_edits_of_others_update_the_effect_of_restoring(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        self.look_at(page, "New SCU “Court”")
        page.add("From Ben", "B", "the ban", by="Ben")
        qtbot.waitUntil(lambda: "removes 2 SCUs;" in page.view.history_banner.text_label.text())
        assert self.labels_shown(page) == ["Court"]


def record(at: datetime) -> EditRecord:
    return EditRecord("e", "new SCU", "Ann", at, None, 0.0, False, "New SCU “x”")


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 3, 9, 12, tzinfo=UTC), "Today"),
        (datetime(2026, 3, 8, 12, tzinfo=UTC), "Yesterday"),
        (datetime(2026, 1, 5, 12, tzinfo=UTC), "5 January"),
        (datetime(2025, 12, 24, 12, tzinfo=UTC), "24 December 2025"),
    ],
)
def test_recent_days_have_names_and_others_dates(at, day):
    now = datetime(2026, 3, 9, 12, 30, tzinfo=UTC).astimezone()
    assert history_row(record(at), now, "").day == day


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        (RestoreEffect(), NO_CHANGE),
        (RestoreEffect(scus_back=2), "Restoring adds 2 SCUs; matches are unaffected."),
        (
            RestoreEffect(scus_changed=1, matches_moved=2),
            "Restoring changes 1 SCU; moves 2 matches to former SCUs.",
        ),
        (RestoreEffect(is_marked=True), "Restoring changes the “done” mark; matches are unaffected."),
    ],
)
def test_the_effect_of_restoring_is_described_in_numbers(effect, sentence):
    assert effect_sentence(effect) == sentence
