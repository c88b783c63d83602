"""Findings and history beside the pyramid, with the real page on a real study."""

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
from gui.pages.pyramid.finding_list import HEED, MOST_LISTED, SOUND, FindingList
from gui.pages.pyramid.finding_values import FindingRow
from gui.pages.pyramid.findings import NO_REPAIR, PyramidFindings
from gui.pages.pyramid.history import HELD
from gui.pages.pyramid.history_text import NO_CHANGE, history_line, outcome_sentence
from gui.pages.pyramid.history_values import PYRAMID, SCU
from gui.session.annotation_session import annotation_session
from tests.gui.pages.pyramid.test_pyramid_page import CTRL, Page


class Trail(Page):
    """The page under test with its two lists."""

    @property
    def findings(self):
        return self.view.findings

    @property
    def history(self):
        return self.view.history

    def sentences(self) -> list[str]:
        return [line.sentence for line in self.findings.lines.rows()]

    def deeds(self) -> list[str]:
        return [line.what for line in self.history.lines.rows()]

    def wait_for_findings(self, count: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.findings.lines.rows()) == count)

    def finish_but_a_sentence(self) -> None:
        """Make an SCU of all but the last sentence of B, and mark the pyramid done: that is one finding."""
        scu_id = self.add("Court", "B", "A judge lifted the ban")
        front, reference = annotation_session(self.context), self.topic.references[0]
        whole = [(0, len(reference.content))]
        front.edit(lambda a: pyramid.add_contributor(a, scu_id, reference.id, whole), "add contributor")
        front.edit(lambda a: pyramid.mark_pyramid_done(a, True), "mark pyramid done")
        self.wait_until_saved()

    def wait_for_deeds(self, count: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.deeds()) == count)

    def open(self, tab: str) -> None:
        self.view.side.show_tab(tab)

    def choose_row(self, tree, key) -> None:
        tree.setFocus()
        assert tree.choose(key)

    def add(self, label: str, letter: str, words: str, *, by: str = "") -> str:
        """Make an SCU by an edit of somebody, past the window, and wait until it is shown."""
        study, mine = self.context.study, self.stored()
        reference = next(r for r in self.topic.references if r.name == letter)
        start = reference.content.index(words)
        scu_id = pyramid.new_id()
        after = pyramid.add_scu(mine, label, reference.id, [(start, start + len(words))], scu_id)
        front = annotation_session(self.context)
        if by:
            study.pyramids.commit(mine, after, "new SCU", study.annotators.get_or_create(by).id).result()
            front._reload()
        else:
            front.edit(lambda _: after, "new SCU")
            self.wait_until_saved()
        return scu_id


@pytest.fixture
def page(context, shown, qtbot):
    made = Trail(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    return made


class TestFindings:
    def test_a_count_stands_on_the_tab_and_below_the_list_and_leads_to_the_findings(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        assert page.view.findings_link.text() == "1 finding"
        assert page.view.side.tabs.button("findings").text() == "1"
        page.view.findings_link.click()
        assert page.view.side.current_tab == "findings"
        assert "is in no SCU" in page.sentences()[0]

    def test_sentences_count_only_when_the_pyramid_is_marked_done(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.view.reopen_button.click()
        page.wait_for_findings(0)
        assert not page.view.findings_link.isVisible()
        page.press(Qt.Key.Key_D, CTRL)
        page.wait_for_findings(1)

    def test_findings_are_quiet_while_the_pyramid_is_made(self, page, qtbot):
        page.add("The ban was lifted", "A", "The court ruled on Monday that the ban")
        page.add("Ban was lifted", "A", "was void")
        page.wait_for_findings(1)
        assert page.view.findings_link.property("kind") == "quiet"
        page.press(Qt.Key.Key_D, CTRL)
        assert page.view.findings_link.property("kind") == "link"

    def test_a_key_leads_to_the_first_finding(self, page):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.press(Qt.Key.Key_F)
        assert page.findings.tree.hasFocus()
        assert page.findings.tree.current_key == page.findings.lines.rows()[0].key

    def test_the_next_finding_becomes_current_when_one_is_dealt_with(self, page):
        page.add("Ban", "B", "the ban")
        page.add("Court", "A", "The court ruled")
        page.add("The court", "A", "The court")
        page.add("The Court", "A", "court")
        page.press(Qt.Key.Key_F)
        page.qtbot.waitUntil(lambda: len(page.sentences()) > 1)
        first, second = (line.key for line in page.findings.lines.rows()[:2])
        assert page.findings.tree.current_key == first
        page.press(Qt.Key.Key_Delete)
        assert page.findings.tree.current_key == second
        page.wait_until_saved()

    def test_nothing_odd_is_said_in_words(self, page, qtbot):
        page.open("findings")
        page.add("All", "A", "The court ruled on Monday that the ban on the bridge was void.")
        qtbot.waitUntil(lambda: page.findings.state_label.text() == SOUND)
        assert page.findings.state_label.isVisible()
        assert not page.view.findings_link.isVisible()

    def test_enter_goes_to_the_words_and_space_makes_an_scu_of_them(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.open("findings")
        (line,) = page.findings.lines.rows()
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

    def test_the_verb_below_a_finding_can_be_pressed(self, page, qtbot):
        page.add("The ban was lifted", "A", "The court ruled on Monday that the ban")
        page.add("Ban was lifted", "A", "was void")
        page.open("findings")
        page.wait_for_findings(1)
        tree = page.findings.tree
        (line,) = page.findings.lines.rows()
        assert line.repair == "Merge"
        area = tree.visualRect(page.findings.lines.index_of(line.key))
        place = next(iter(tree.itemDelegate()._verbs(area, line).values())).center()
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert page.labels() == ["The ban was lifted"]

    def test_ignored_findings_are_left_out_can_be_seen_and_heeded_again(self, page, context, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.open("findings")
        (line,) = page.findings.lines.rows()
        page.choose_row(page.findings.tree, line.key)
        page.press(Qt.Key.Key_Delete)
        assert page.sentences() == []
        assert len(page.labels()) == 1  # Del is the list's here, no contributor went
        assert page.findings.ignored_button.text() == "Show 1 ignored"
        page.wait_until_saved()
        (kept,) = context.study.edits.events(page.topic.id, context.annotator.id, "ignore finding")
        assert json.loads(kept)["key"] == line.key
        assert context.study.edits.history(limit=1)[0].what.startswith("Ignore finding: “🌉 Cafe")
        page.add("More", "A", "The court ruled")  # a new look keeps what was ignored
        qtbot.wait(500)
        assert page.sentences() == []
        page.findings.ignored_button.click()
        assert [row.is_ignored for row in page.findings.lines.rows()] == [True]
        page.findings.tree.verb_pressed.emit(line.key, HEED)
        assert [row.is_ignored for row in page.findings.lines.rows()] == [False]

    def test_a_part_outside_its_text_is_shown_and_taken_away(self, page, context, qtbot):
        page.add("Court", "A", "The court ruled on Monday that the ban on the bridge was void")
        with closing(sqlite3.connect(context.study.path)) as connection, connection:
            connection.execute('UPDATE contributor_parts SET start = 90, "end" = 99')
        annotation_session(context)._reload()
        page.wait_for_findings(1)
        line = page.findings.lines.rows()[0]
        assert "is outside the text (90 to 99 of 62 characters)" in line.sentence
        page.findings.place_requested.emit(line.key)
        page.findings.repair_requested.emit(line.key)
        assert page.stored().pyramid.scus[0].contributors == ()

    def test_what_no_edit_mends_is_said(self, page, told, context):
        scu_id = page.add("Court", "A", "The court ruled on Monday that the ban on the bridge was void")
        front = annotation_session(context)
        summary = page.topic.summaries[0].id
        front.edit(lambda a: pyramid.add_match(a, summary, context.annotator.id, scu_id), "match")
        contributor = front.annotation.scu(scu_id).contributors[0].id
        front.edit(lambda a: pyramid.remove_contributor(a, scu_id, contributor), "remove contributor")
        page.wait_for_findings(1)
        page.findings.repair_requested.emit(page.findings.lines.rows()[0].key)
        assert told.sentences[-1] == NO_REPAIR
        page.wait_until_saved()

    def test_what_was_looked_for_in_a_topic_that_is_left_is_not_shown_in_the_next(self, page, qtbot):
        page.finish_but_a_sentence()
        trail = page.view.findChild(PyramidFindings)
        trail._look()
        page.press(Qt.Key.Key_BracketRight)
        qtbot.waitUntil(lambda: page.findings.state_label.text() == SOUND)
        assert page.sentences() == []
        assert not page.view.findings_link.isVisible()

    def test_another_topic_has_its_own_findings(self, page, qtbot):
        page.finish_but_a_sentence()
        page.wait_for_findings(1)
        page.press(Qt.Key.Key_BracketRight)
        assert page.sentences() == []
        page.press(Qt.Key.Key_BracketLeft)
        page.wait_for_findings(1)

    def test_very_many_findings_are_listed_a_part_at_a_time(self, shown):
        lists = shown(FindingList())
        lines = [FindingRow(str(n), "Sentences in no SCU", f"Sentence {n}") for n in range(MOST_LISTED + 9)]
        lists.show_findings(lines, 0)
        assert len(lists.lines.rows()) == MOST_LISTED
        assert lists.more_label.text() == "9 more are listed as these go."
        lists.show_findings(lines[:5], 0)
        assert not lists.more_label.isVisible()

    def test_a_heading_that_was_closed_stays_closed(self, shown):
        lists = shown(FindingList())
        lines = [FindingRow(str(n), "One" if n % 2 else "Other", f"Sentence {n}") for n in range(6)]
        lists.show_findings(lines, 0)
        lists.tree.collapse(lists.lines.index(0, 0))
        lists.show_findings(lines[1:], 0)
        heads = [lists.lines.index(at, 0) for at in range(lists.lines.rowCount())]
        assert {head.data(): lists.tree.isExpanded(head) for head in heads} == {"Other": False, "One": True}


class TestHistory:
    def test_it_says_who_did_what_when_newest_first(self, page):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge", by="Ben")
        page.wait_for_deeds(2)
        ben, ann = page.history.lines.rows()
        assert (ben.who, ben.what, ben.day) == ("Ben", "New SCU “Judge”", "Today")
        assert (ann.who, ann.what) == ("Ann", "New SCU “Court”")

    def test_an_undone_edit_stays_and_says_so(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.press(Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: [line.is_undone for line in page.history.lines.rows()] == [True])
        index = page.history.lines.index_of(page.history.lines.rows()[0].edit_id)
        assert ", undone" in index.data()

    def test_the_history_of_the_selected_scu_alone(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        judge = page.add("Judge", "B", "A judge")
        page.context.selection.select(scu_id=judge)
        page.history.filter.button(SCU).click()
        qtbot.waitUntil(lambda: page.deeds() == ["New SCU “Judge”"])
        page.choose("Court")
        qtbot.waitUntil(lambda: page.deeds() == ["New SCU “Court”"])
        page.history.filter.button(PYRAMID).click()
        page.wait_for_deeds(2)

    def test_older_edits_come_page_by_page(self, page, qtbot, monkeypatch):
        monkeypatch.setattr("gui.pages.pyramid.history.PAGE_EDITS", 2)
        page.open("history")
        for number in range(5):
            page.add(f"unit {number}", "A", "The court ruled")
        page.wait_for_deeds(2)
        page.history.more_button.click()
        page.wait_for_deeds(4)
        page.history.more_button.click()
        page.wait_for_deeds(5)
        assert not page.history.more_button.isVisible()
        assert page.deeds() == [f"New SCU “unit {n}”" for n in (4, 3, 2, 1, 0)]

    def look_at(self, page, what: str) -> None:
        page.qtbot.waitUntil(lambda: what in page.deeds())
        line = next(line for line in page.history.lines.rows() if line.what == what)
        page.choose_row(page.history.tree, line.edit_id)
        page.press(Qt.Key.Key_Return)
        page.qtbot.waitUntil(page.view.past.isVisible)

    def labels_shown(self, page) -> list[str]:
        return [line.label for tier in page.view.scus.tree.scus.tiers for line in tier.lines]

    def test_an_earlier_state_is_shown_and_takes_no_edit(self, page, told):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        self.look_at(page, "New SCU “Court”")
        assert self.labels_shown(page) == ["Court"]
        assert page.section("B").text.marks == ()
        said = page.view.past.text_label.text()
        assert "Restoring: 1 SCU goes; no match is affected." in said
        assert page.history.lines.rows()[1].is_shown
        assert not page.context.commands.action("pyramid.new_scu").isEnabled()
        assert not page.context.commands.action("edit.undo").isEnabled()
        assert page.view.details.label_field.isReadOnly()
        assert not page.presenter.edit(lambda a: pyramid.mark_pyramid_done(a, True), "done")
        assert told.sentences[-1] == HELD
        page.view.past.back_button.click()
        assert sorted(self.labels_shown(page)) == ["Court", "Judge"]
        assert not page.view.past.isVisible()
        assert page.context.commands.action("pyramid.new_scu").isEnabled()
        assert page.labels() == ["Court", "Judge"]

    def test_restoring_is_one_edit_that_undo_takes_back(self, page, qtbot):
        page.open("history")
        court = page.add("Court", "A", "The court ruled")
        judge = page.add("Judge", "B", "A judge")
        front, ben = annotation_session(page.context), page.context.study.annotators.get_or_create("Ben").id
        summary = page.topic.summaries[0].id
        front.edit(lambda a: pyramid.add_match(a, summary, ben, judge), "match")
        front.edit(lambda a: pyramid.add_match(a, summary, ben, court), "match")
        page.wait_until_saved()
        now = page.stored()
        self.look_at(page, "New SCU “Court”")
        assert "1 SCU goes; 1 match goes." in page.view.past.text_label.text()
        page.view.past.restore_button.click()
        assert page.labels() == ["Court"]
        assert [match.scu_id for match in page.stored().matches] == [court]
        page.wait_until_saved()
        assert page.context.study.edits.history(limit=1)[0].verb == "restore"
        page.press(Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: len(self.labels_shown(page)) == 2)
        assert page.stored() == now

    def test_the_present_state_has_nothing_to_restore(self, page):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        self.look_at(page, "New SCU “Court”")
        assert page.view.past.text_label.text().endswith(NO_CHANGE)
        assert not page.view.past.restore_button.isVisible()

    def test_the_whole_way_goes_by_keys(self, page):
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        assert not page.context.commands.action("pyramid.back").isEnabled()
        page.press(Qt.Key.Key_H, CTRL)
        page.wait_for_deeds(2)
        assert page.history.tree.hasFocus()
        assert page.history.tree.current_key == page.history.lines.rows()[0].edit_id
        page.press(Qt.Key.Key_Down)
        page.press(Qt.Key.Key_Return)
        page.qtbot.waitUntil(page.view.past.isVisible)
        assert self.labels_shown(page) == ["Court"]
        assert page.context.commands.action("pyramid.back").isEnabled()
        page.press(Qt.Key.Key_Escape)
        assert not page.view.past.isVisible()
        assert len(self.labels_shown(page)) == 2

    def test_leaving_the_page_or_the_topic_ends_the_look_back(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        self.look_at(page, "New SCU “Court”")
        page.press(Qt.Key.Key_BracketRight)
        assert not page.view.past.isVisible()
        page.press(Qt.Key.Key_BracketLeft)
        self.look_at(page, "New SCU “Court”")
        page.view.hide()
        assert annotation_session(page.context).edit(
            lambda a: pyramid.mark_pyramid_done(a, True), "mark pyramid done"
        )
        page.wait_until_saved()

    def test_what_others_do_meanwhile_changes_what_restoring_would_do(self, page, qtbot):
        page.open("history")
        page.add("Court", "A", "The court ruled")
        page.add("Judge", "B", "A judge")
        self.look_at(page, "New SCU “Court”")
        page.add("From Ben", "B", "the ban", by="Ben")
        qtbot.waitUntil(lambda: "2 SCUs go;" in page.view.past.text_label.text())
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
def test_days_are_named_as_people_name_them(at, day):
    now = datetime(2026, 3, 9, 12, 30, tzinfo=UTC).astimezone()
    assert history_line(record(at), now, "").day == day


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (RestoreEffect(), NO_CHANGE),
        (RestoreEffect(scus_back=2), "Restoring: 2 SCUs come back; no match is affected."),
        (
            RestoreEffect(scus_changed=1, matches_moved=2),
            "Restoring: 1 SCU changes; 2 matches move to their former SCUs.",
        ),
        (RestoreEffect(is_marked=True), "Restoring: the mark “done” changes; no match is affected."),
    ],
)
def test_what_restoring_does_is_said_in_numbers(outcome, words):
    assert outcome_sentence(outcome) == words
