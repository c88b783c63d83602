"""Suggestions on the pyramid and match pages, with real views, the packaged encoder and a real study."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.annotation.blind_mode import make_blind
from core.domain import pyramid
from core.domain.decisions import MACHINE_GROUP
from core.domain.pyramid import Match, Scu, match_edits, nugget_edits
from core.errors import MissingResource
from core.progress import Progress
from core.scoring.study_resources import StudyResources
from core.suggestions.encoding import TextEncoderCache
from gui.annotation.suggestions import suggestion_controller
from gui.annotation.suggestions.suggestion_controller import SuggestionController
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionRow,
    SuggestionSection,
    WordsInContext,
    similarity_text,
    words_in_context,
)
from gui.background.jobs import JobQueue
from gui.pages.match import presenter as match
from gui.pages.pyramid import presenter as pyramids
from gui.session.annotation_session import annotation_session
from gui.session.context import Repeat
from gui.style import theme

TOOLS = StudyResources(requested_device="cpu")
"""The encoder is loaded once for all tests here."""


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    TOOLS.encoder("minilm")  # slow on a busy machine, so not part of any test


@pytest.fixture(autouse=True)
def _encoder(monkeypatch):
    monkeypatch.setattr(suggestion_controller, "TextEncoderCache", lambda resources: TextEncoderCache(TOOLS))


@pytest.mark.parametrize("text_percent", [100, 200])
def test_buttons_and_cards_of_proposals_are_whole_at_each_text_size(text_percent, qapp, qtbot):
    theme.apply(qapp, "light", text_percent)
    panel = SuggestionPanel()
    qtbot.addWidget(panel)
    panel.resize(theme.px(210), theme.px(320))
    row = SuggestionRow("1", (), "okay · proposed by auto-nugget of a long name", "Drains at nine dams")
    panel.show_groups([SuggestionSection("Proposed", "Accept", "", lines=(row,))], proposals=8)
    panel.show()
    for button in (panel.accept_all_button, panel.dismiss_all_button):
        assert button.width() >= button.sizeHint().width()
    card = panel.list.visualRect(panel.list.model().index(1, 0))
    lines = panel.fontMetrics().lineSpacing()
    theme.apply(qapp, "light")
    assert card.height() >= 3 * lines, "the fact takes two lines, which are in the card"


class Page:
    """A page under test, and the keyboard."""

    def __init__(self, module, context, qtbot, shown, build=None, key="") -> None:
        self.context, self.qtbot = context, qtbot
        self.topic = context.study.texts.topic(context.study.texts.topics()[0].id)
        self.view, self.presenter = (build or module.build)(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page(key or ("pyramids" if module is pyramids else match.KEY))
        shown(self.view)
        self.view.activateWindow()

    @property
    def panel(self) -> SuggestionPanel:
        return self.view.suggestions

    @property
    def rows(self) -> list[str]:
        model = self.panel.list.suggestions
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    @property
    def lines(self) -> list[str]:
        model = self.panel.list.suggestions
        return [model.index(row, 0).data() for row in model.suggestion_rows()]

    @property
    def current(self) -> str:
        return str(self.panel.list.currentIndex().data())

    def press(self, key) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key)
        QApplication.processEvents()

    def go_to(self, beginning: str) -> None:
        """Press J until a row with this beginning is current."""
        for _ in self.lines:
            if not self.current.startswith(beginning):
                self.press(Qt.Key.Key_J)
        assert self.current.startswith(beginning), self.lines

    def ask(self) -> None:
        self.press(Qt.Key.Key_G)
        self.qtbot.waitUntil(lambda: bool(self.rows))

    def settle(self) -> None:
        """Wait until edits are saved and suggestions are up to date."""
        suggestions = self.panel.findChild(SuggestionController)
        jobs, writes = self.context.jobs, self.context.writes

        def is_settled() -> bool:
            return not (writes.is_saving or suggestions.refresh_timer.isActive() or jobs.running())

        self.qtbot.waitUntil(is_settled)
        self.qtbot.wait(20)
        self.qtbot.waitUntil(is_settled)

    def stored(self):
        self.context.study.flush()
        return self.context.study.pyramids.annotation(self.topic.id, self.context.annotator.id)

    def edit(self, change) -> None:
        annotation_session(self.context).edit(change, "made for the test")

    def verbs(self) -> list[str]:
        self.context.study.flush()
        return [record.verb for record in self.context.study.edits.history(self.topic.id)]

    def details(self, verb: str) -> list[dict]:
        logged = self.context.study.edits.events(self.topic.id, self.context.annotator.id, verb)
        return [json.loads(entry) for entry in logged]


@pytest.fixture
def page(context, qtbot, shown):
    """The pyramid page with one SCU, created in reference A and selected."""
    made = Page(pyramids, context, qtbot, shown)
    reference = made.topic.references[0]
    start = reference.content.index("the ban")
    span = (start, len(reference.content) - 1)
    made.edit(lambda a: pyramid.add_scu(a, "The ban was lifted", reference.id, [span], "ban"))
    context.selection.select(scu_id="ban")
    return made


@pytest.fixture
def match_page(context, qtbot, shown):
    """The match page with a pyramid of two SCUs and the summary of the system `good`."""
    made = Page(match, context, qtbot, shown)
    second = made.topic.references[1]
    cafes = second.content.index("Cafe")
    made.edit(lambda a: pyramid.add_scu(a, "The ban was lifted", second.id, [(0, 22)], "ban"))
    made.edit(
        lambda a: pyramid.add_scu(a, "Cafés reopened", second.id, [(cafes, len(second.content) - 1)], "cafes")
    )
    summary = next(text for text in made.topic.summaries if text.name == "good")
    context.selection.select(summary_id=summary.id)
    made.summary = summary
    made.settle()
    return made


def proposed(page) -> dict[str, list[str]]:
    """Return the proposed spans' texts by reference letter."""
    contents = {text.id: text.content for text in page.topic.references}
    return {
        section.badge.text(): [contents[section.text_id][slice(*span)] for span in section.text.proposed]
        for section in page.view.references.sections
        if section.text.proposed
    }


def begin_scoring(context) -> Event:
    """Run a scoring job until the returned event is set."""
    end = Event()

    def scoring():
        yield Progress(0, 1)
        end.wait(600)

    context.jobs.start("Scoring", scoring(), JobQueue.SCORING)
    return end


class TestPyramids:
    def test_suggestions_are_off_until_requested(self, page):
        page.view.side.show_tab("suggestions")
        page.settle()
        assert page.panel.title_label.text() == "Suggestions are off"
        assert page.panel.ask_button.text() == "Suggest spans"
        assert page.rows == []
        page.qtbot.mouseClick(page.panel.ask_button, Qt.MouseButton.LeftButton)
        page.qtbot.waitUntil(lambda: bool(page.lines))
        page.panel.off_button.click()
        assert page.panel.title_label.text() == "Suggestions are off"
        assert page.stored().pyramid.scus[0].weight == 1

    def test_g_ranks_spans_of_other_references_and_outlines_the_first(self, page):
        page.ask()
        assert page.view.side.tabs.current == "suggestions"
        assert page.panel.list.hasFocus()
        assert page.rows[0] == "Similar to “The ban was lifted”"
        assert page.current.startswith("B: A judge lifted the ban,")
        assert proposed(page) == {"B": ["A judge lifted the ban"]}
        page.view.side.show_tab("scu")
        assert proposed(page) == {}

    def test_enter_accepts_a_suggestion_undo_reverts_it_and_the_history_has_the_details(self, page):
        page.ask()
        page.press(Qt.Key.Key_Return)
        page.settle()
        assert page.stored().scu("ban").weight == 2
        assert "A judge lifted the ban" not in "".join(page.rows[:2])
        verb = "take suggestion: add contributor"
        assert page.verbs()[0] == verb
        (details,) = page.details(verb)
        assert (details["suggestion"], details["scu"], details["rank"]) == ("contributor", "ban", 1)
        assert (details["words"], details["model"]) == (["A judge lifted the ban"], "all-MiniLM-L6-v2")
        assert 0.4 < details["similarity"] < 1
        page.context.history.undo()
        page.settle()
        assert page.stored().scu("ban").weight == 1
        assert page.lines[0].startswith("B: A judge lifted the ban,")

    def test_escape_dismisses_a_suggestion_permanently_without_an_edit(self, page, context, qtbot, shown):
        page.ask()
        before = page.stored()
        page.press(Qt.Key.Key_Escape)
        page.settle()
        assert not [line for line in page.lines if line.startswith("B: A judge lifted")]
        assert page.stored() == before
        assert page.verbs()[0] == "dismiss suggestion"
        assert page.details("dismiss suggestion")[0]["words"] == ["A judge lifted the ban"]
        again = Page(pyramids, context, qtbot, shown)
        again.ask()
        assert not [line for line in again.lines if line.startswith("B: A judge lifted")]

    def test_undo_lists_a_dismissed_suggestion_again(self, page, context):
        page.ask()
        first = page.current
        page.press(Qt.Key.Key_Escape)
        page.settle()
        assert first not in page.lines
        context.history.undo()
        page.settle()
        assert first in page.lines
        assert page.details("dismiss suggestion") == []
        entry = context.study.edits.history(page.topic.id)[0]
        assert (entry.what, entry.is_undone) == ("Dismissed a suggestion: “A judge lifted the ban”", True)

    def test_nothing_is_dismissed_by_who_may_not_edit_now(self, page, context, monkeypatch):
        page.ask()
        before, first = page.verbs(), page.current
        asked: list[Repeat] = []
        monkeypatch.setattr(annotation_session(context), "_may_edit", asked.append)
        page.press(Qt.Key.Key_Escape)
        page.settle()
        assert (page.verbs(), page.current) == (before, first)
        assert asked[0](context) == ""  # the person who is asked chooses a name
        page.settle()
        assert page.verbs()[0] == "dismiss suggestion"

    def test_j_and_k_move_in_the_focused_list(self, page):
        page.ask()
        first = page.current
        page.press(Qt.Key.Key_J)
        assert page.current != first
        assert page.panel.list.hasFocus()
        page.press(Qt.Key.Key_K)
        assert page.current == first
        page.press(Qt.Key.Key_Up)
        assert page.current == first
        for key, wanted in ((Qt.Key.Key_End, -1), (Qt.Key.Key_Home, 0), (Qt.Key.Key_PageDown, -1)):
            page.press(key)
            assert page.current == page.lines[wanted]
        page.press(Qt.Key.Key_PageUp)
        assert page.current == first

    def test_uncovered_text_becomes_a_new_scu(self, page):
        page.ask()
        page.go_to("🌉 Cafe")
        page.press(Qt.Key.Key_Return)
        page.settle()
        scu = page.stored().pyramid.scus[1]
        assert scu.label.startswith("🌉 Cafe\u0301s near the bridge reopened")
        assert [c.reference_id for c in scu.contributors] == [page.topic.references[1].id]
        assert page.verbs()[0] == "take suggestion: new SCU"

    def test_suggestions_follow_the_selected_scu(self, page):
        page.ask()
        page.context.selection.select(scu_id="")
        page.settle()
        assert page.rows[:2] == ["Similar to the selected SCU", "No SCU is selected. Click one in the list."]

    def test_a_blind_study_locks_suggestions_until_the_pyramid_is_done(self, page, context):
        make_blind(context.study, enabled=True).result()
        page.view.side.show_tab("suggestions")
        page.qtbot.waitUntil(lambda: page.panel.title_label.text() == "Suggestions are locked")
        assert "mark this topic's pyramid done" in page.panel.sentence_label.text()
        assert not page.panel.ask_button.isVisible()
        page.press(Qt.Key.Key_G)
        page.settle()
        assert page.rows == []
        page.presenter.mark_done()
        page.qtbot.waitUntil(lambda: bool(page.lines))
        page.presenter.mark_done()
        page.qtbot.waitUntil(lambda: page.rows == [])
        assert page.panel.title_label.text() == "Suggestions are locked"

    def test_without_an_encoder_a_message_explains_how_to_install_it(self, page, monkeypatch):
        def missing(cache, texts):
            yield Progress(0, 1)
            raise MissingResource("The encoder is not installed; run: pip install it.")

        monkeypatch.setattr(TextEncoderCache, "reading", missing)
        page.press(Qt.Key.Key_G)
        page.qtbot.waitUntil(lambda: page.panel.title_label.text() == "No suggestions")
        assert page.panel.sentence_label.text() == "The encoder is not installed; run: pip install it."
        assert page.panel.ask_button.text() == "Try again"
        monkeypatch.undo()

    def test_suggestions_wait_for_scoring_and_can_be_cancelled(self, page, context):
        end = begin_scoring(context)
        page.press(Qt.Key.Key_G)
        assert page.panel.progress_label.text() == suggestion_controller.WAITING
        page.panel.cancel_button.click()
        assert page.panel.title_label.text() == "Suggestions are off"
        end.set()
        page.settle()
        assert page.rows == []

    def test_cancelling_in_the_status_line_turns_suggestions_off(self, page, context):
        end = begin_scoring(context)
        page.press(Qt.Key.Key_G)
        page.panel.findChild(SuggestionController).job.cancel()
        end.set()
        page.qtbot.waitUntil(page.panel.ask_button.isVisible)
        assert page.panel.title_label.text() == "Suggestions are off"
        page.ask()
        assert page.lines

    def test_suggestions_requested_again_during_a_cancel_appear(self, page):
        page.press(Qt.Key.Key_G)
        page.panel.cancel_button.click()
        page.panel.ask_button.click()
        page.qtbot.waitUntil(lambda: bool(page.lines))

    def test_a_suggestion_is_accepted_only_once(self, page):
        page.ask()
        key = page.panel.list.current_key
        page.panel.list.accepted.emit(key)
        page.panel.list.accepted.emit(key)
        page.settle()
        assert page.verbs().count("take suggestion: add contributor") == 1


class TestMatches:
    def test_an_scu_without_a_match_is_matched_with_its_best_span(self, match_page):
        page = match_page
        page.ask()
        assert page.rows[0] == "For the selected SCU"
        wanted = next(line for line in page.lines if line.startswith("Cafés reopened: and cafés reopened"))
        page.go_to(wanted)
        content = page.summary.content
        assert [content[slice(*span)] for span in page.view.left.text.proposed] == ["and cafés reopened"]
        page.press(Qt.Key.Key_Return)
        page.settle()
        (found,) = page.stored().matches
        assert (found.scu_id, [content[p.start : p.end] for p in found.parts]) == (
            "cafes",
            ["and cafés reopened"],
        )
        assert page.verbs()[0] == "take suggestion: match"
        assert wanted not in page.lines

    def test_spans_for_the_selected_scu_are_listed_below_its_label(self, match_page, context):
        page = match_page
        context.selection.select(scu_id="cafes")
        page.settle()
        page.ask()
        assert page.rows[0] == "For “Cafés reopened”"
        assert page.current.startswith("and cafés reopened, ")
        page.press(Qt.Key.Key_Return)
        page.settle()
        assert [found.scu_id for found in page.stored().matches] == ["cafes"]
        assert not [row for row in page.rows if row.startswith("and cafés")]

    def test_with_all_summaries_shown_only_the_open_one_is_outlined(self, match_page, context):
        page = match_page
        context.commands.action("match.all").trigger()
        page.ask()
        page.go_to("Cafés reopened: and cafés reopened")
        stack = page.view.left.stack
        assert stack.section(page.summary.id).text.proposed == page.view.left.text.proposed != ()
        other = next(text.id for text in page.topic.summaries if text.name == "bad")
        context.selection.select(summary_id=other)
        page.settle()
        page.panel.list.step(-10)
        assert stack.section(page.summary.id).text.proposed == ()
        assert stack.section(other).text.proposed == page.view.left.text.proposed != ()

    def test_a_clause_unlike_every_scu_becomes_a_unit_outside_the_pyramid(self, match_page, context):
        page = match_page
        bad = next(text for text in page.topic.summaries if text.name == "bad")
        context.selection.select(summary_id=bad.id)
        page.settle()
        page.ask()
        page.go_to("Not in the pyramid: Bridges are old")
        page.press(Qt.Key.Key_Return)
        page.settle()
        (found,) = page.stored().matches
        assert (found.scu_id, found.summary_id) == (None, bad.id)
        assert page.verbs()[0] == "take suggestion: add unit"
        assert page.rows[-1] == "All other clauses are matched."

    def test_a_blind_study_locks_suggestions_until_all_summaries_of_the_topic_are_done(
        self, match_page, context
    ):
        page = match_page
        context.study.flush()
        make_blind(context.study, enabled=True).result()
        page.edit(lambda a: pyramid.mark_pyramid_done(a, True))
        page.view.side.show_tab("suggestions")
        page.qtbot.waitUntil(lambda: page.panel.title_label.text() == "Suggestions are locked")
        assert page.panel.sentence_label.text().endswith("Done so far: 0.")
        page.press(Qt.Key.Key_G)
        me = context.annotator.id
        for text in page.topic.summaries:
            assert page.rows == []
            page.edit(lambda a, text=text: pyramid.set_summary_state(a, text.id, me, is_done=True))
            page.settle()
        page.qtbot.waitUntil(lambda: bool(page.lines))


METRIC = "auto-pyramid[least=0.55]"


def store_proposal(page, name="auto") -> None:
    """Store a machine's pyramid of two SCUs, and a match of each in the summary of `good`."""
    study = page.context.study
    machine = study.annotators.get_or_create(name, MACHINE_GROUP).id
    a, b = page.topic.references[:2]
    before = study.pyramids.annotation(page.topic.id, machine)
    made = pyramid.add_scu(before, "Ban lifted", b.id, [(0, 22)], f"{name} ban")
    made = pyramid.add_contributor(made, f"{name} ban", a.id, [(a.content.index("the ban"), len(a.content))])
    cafes = b.content.index("Cafe")
    made = pyramid.add_scu(made, "Cafés reopened", b.id, [(cafes, len(b.content) - 1)], f"{name} cafes")
    good = next(text for text in page.topic.summaries if text.name == "good")
    half = len(good.content) // 2
    made = pyramid.add_match(made, good.id, machine, f"{name} ban", [(0, half)])
    made = pyramid.add_match(made, good.id, machine, f"{name} cafes", [(half + 1, len(good.content))])
    details = json.dumps({"metric": METRIC})
    study.pyramids.commit(before, made, "propose", machine, details=details).result()


@pytest.fixture
def no_encoder(monkeypatch):
    def missing(cache, texts):
        yield Progress(0, 1)
        raise MissingResource("The encoder is not installed.")

    monkeypatch.setattr(TextEncoderCache, "reading", missing)


class TestProposals:
    @pytest.fixture
    def page(self, context, qtbot, shown, no_encoder):
        page = Page(pyramids, context, qtbot, shown)
        store_proposal(page)
        page.settle()
        page.ask()
        page.settle()
        return page

    @pytest.fixture
    def match_page(self, match_page, no_encoder):
        store_proposal(match_page)
        match_page.ask()
        match_page.settle()
        return match_page

    def test_proposals_need_no_encoder_and_count_nothing_until_accepted(self, page):
        assert page.rows[0] == "Proposed by auto"
        assert [line.partition(":")[0] for line in page.lines] == ["Ban lifted", "Cafés reopened"]
        assert page.rows[-2:] == ["No other suggestions", "The encoder is not installed."]
        assert page.panel.all_label.text() == "2 proposals"
        assert page.stored().pyramid.scus == ()

    def test_enter_accepts_the_trail_names_the_machine_and_undo_proposes_again(self, page):
        lines = page.lines
        page.press(Qt.Key.Key_Return)
        page.settle()
        (scu,) = page.stored().pyramid.scus
        assert (scu.label, scu.weight) == ("Ban lifted", 2)
        assert page.lines == lines[1:]
        (details,) = page.details("take suggestion: new SCU")
        assert (details["by"], details["metric"], details["label"]) == ("auto", METRIC, "Ban lifted")
        (shown, *_) = page.context.study.edits.history(page.topic.id)
        assert shown.what.endswith(", as proposed by auto")
        page.context.history.undo()
        page.settle()
        assert page.lines == lines

    def test_a_contributor_that_the_accepted_scu_lacks_is_proposed(self, page):
        b = page.topic.references[1]
        page.edit(lambda a: pyramid.add_scu(a, "My label", b.id, [(0, 22)], "mine"))
        page.settle()
        assert page.current.startswith("My label: A: ")
        page.press(Qt.Key.Key_Return)
        page.settle()
        assert page.stored().scu("mine").weight == 2
        assert len(page.lines) == 1

    def test_shift_enter_accepts_and_edits_the_label(self, page, qtbot):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        assert QApplication.focusWidget().toPlainText() == "Ban lifted"

    def test_all_are_accepted_or_dismissed_as_one_edit(self, page, context):
        lines = page.lines
        for command in ("suggest.accept_all", "suggest.dismiss_all"):
            context.commands.action(command).trigger()
            page.settle()
            assert page.lines == []
            assert page.rows[:2] == ["Proposed by auto", "Nothing is left to decide here."]
            assert len(page.stored().pyramid.scus) == (2 if command == "suggest.accept_all" else 0)
            assert "2 proposals of auto" in context.study.edits.history(page.topic.id)[0].what
            context.history.undo()
            page.settle()
            assert page.lines == lines
            assert page.stored().pyramid.scus == ()

    def test_commands_on_suggestions_that_are_off_or_locked_say_so(self, page, context, requests):
        page.panel.off_button.click()
        context.commands.action("suggest.accept_all").trigger()
        said = context.commands.expand_shortcuts(requests.sentences.pop())
        assert said == "Suggestions are turned off. Turn them on with G."
        page.ask()
        make_blind(context.study, enabled=True).result()
        page.qtbot.waitUntil(lambda: page.panel.title_label.text() == "Suggestions are locked")
        context.commands.action("suggest.accept_all").trigger()
        assert "mark this topic's pyramid done" in requests.sentences.pop()

    def test_matches_are_proposed_against_ones_own_scus(self, match_page, context):
        page, (first, second) = match_page, match_page.lines
        assert first.startswith("The ban was lifted: ")
        context.commands.action("suggest.accept_all").trigger()
        page.settle()
        assert [match.scu_id for match in page.stored().matches] == ["ban", "cafes"]
        assert page.lines == []
        context.history.undo()
        page.settle()
        assert page.lines == [first, second]

    def test_a_match_that_was_changed_is_not_proposed_again(self, match_page, qtbot, context):
        page = match_page
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        page.settle()
        (unit,) = page.stored().matches
        context.selection.select(scu_id="")
        page.edit(lambda a: match_edits.reassign(a, unit.id, None))
        page.settle()
        assert [line.partition(":")[0] for line in page.lines] == ["Cafés reopened"]

    def test_two_machines_are_listed_apart(self, page):
        store_proposal(page, "other")
        page.ask()
        page.settle()
        assert [row for row in page.rows if row.startswith("Proposed")] == [
            "Proposed by auto",
            "Proposed by other",
        ]
        page.context.commands.action("suggest.accept_all").trigger()
        page.settle()
        scus = page.stored().pyramid.scus
        assert [scu.label for scu in scus] == ["Ban lifted", "Cafés reopened"]
        assert page.lines == []


class TestNuggets:
    @pytest.fixture
    def page(self, context, qtbot, shown):
        study = context.study
        topic = study.texts.topic(study.texts.topics()[0].id)
        machine = study.annotators.get_or_create("bot", MACHINE_GROUP).id
        before = study.nuggets.annotation(topic.id, machine)
        units = (Scu("n1", "The ban was lifted", importance="vital"), Scu("n2", "Cafés reopened"))
        first = topic.summaries[0].id
        hits = Match("h1", first, machine, "n1", is_partial=True), Match("h2", first, machine, "n2")
        made = replace(before, pyramid=replace(before.pyramid, scus=units), matches=hits)
        study.nuggets.commit(before, made, "propose", machine, details=json.dumps({"metric": "m"})).result()
        made_page = Page(pyramids, context, qtbot, shown, pyramids.build_nuggets, "nuggets")
        made_page.settle()
        context.commands.action("nugget.proposals").trigger()
        made_page.settle()
        return made_page

    def test_a_proposed_nugget_is_accepted_with_hits_that_do_not_count_yet(self, page, context):
        assert page.rows[0] == "Proposed by bot"
        assert page.lines[0].endswith("vital · proposed by bot")
        page.press(Qt.Key.Key_Return)
        page.settle()
        me = context.annotator.id
        stored = context.study.nuggets.annotation(page.topic.id, me)
        ((nugget,), (hit,)) = stored.pyramid.scus, stored.matches
        assert (nugget.label, nugget.importance) == ("The ban was lifted", "vital")
        assert (hit.scu_id, hit.is_confirmed, hit.is_partial) == (nugget.id, False, True)
        assert nugget_edits.only_confirmed(stored).matches == ()
        assert len(page.lines) == 1
        context.history.undo()
        page.settle()
        assert len(page.lines) == 2
        stored = context.study.nuggets.annotation(page.topic.id, me)
        assert (stored.pyramid.scus, stored.matches) == ((), ())

    def test_a_dismissed_nugget_is_not_proposed_again_until_undone(self, page, context):
        page.press(Qt.Key.Key_Escape)
        page.settle()
        (left,) = page.lines
        assert "Cafés" in left
        assert page.verbs()[0] == "dismiss suggestion"
        assert "The ban was lifted" in context.study.edits.history(page.topic.id)[0].what
        context.history.undo()
        page.settle()
        assert len(page.lines) == 2

    def test_all_nuggets_are_accepted_as_one_edit(self, page, context):
        context.commands.action("suggest.accept_all").trigger()
        page.settle()
        assert len(context.study.nuggets.annotation(page.topic.id, context.annotator.id).pyramid.scus) == 2
        context.history.undo()
        page.settle()
        assert len(page.lines) == 2

    def test_the_keys_of_proposals_that_are_off_say_how_to_turn_them_on(self, page, context, requests):
        page.panel.off_button.click()
        page.settle()
        for command in ("suggest.accept_all", "suggest.dismiss_all"):
            context.commands.action(command).trigger()
            said = context.commands.expand_shortcuts(requests.sentences.pop())
            assert said == "Proposals are turned off. Turn them on with Alt+G."
        context.commands.action("nugget.proposals").trigger()
        page.settle()
        assert len(page.lines) == 2

    def test_without_proposals_the_panel_says_how_to_get_some(self, page, context):
        context.selection.select(topic_id=context.study.texts.topics()[1].id)
        page.settle()
        assert page.rows[0] == "No proposals"


@pytest.mark.parametrize(
    ("similarity", "words"),
    [
        (0.9, "very close · 0.90"),
        (0.75, "very close · 0.75"),
        (0.6, "close · 0.60"),
        (0.5, "somewhat close · 0.50"),
        (0.1, "loosely related · 0.10"),
        (float("nan"), ""),
    ],
)
def test_similarity_is_described_in_words_and_as_a_number(similarity, words):
    assert similarity_text(similarity) == words


def test_spans_are_shown_in_context():
    content = "One two three four five\nsix, seven eight."
    start = content.index("six")
    assert words_in_context(content, (start, start + 3), "A") == WordsInContext(
        "A", "… two three four five ", "six", ", seven eight"
    )
    assert words_in_context(content, (0, 3)) == WordsInContext("", "", "One", " two three four five …")
