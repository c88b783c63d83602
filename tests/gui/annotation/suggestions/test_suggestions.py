"""Suggestions on the pyramid and match pages, with real views, the packaged encoder and a real study."""

from __future__ import annotations

import json
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.annotation.blind_mode import make_blind
from core.domain import pyramid
from core.errors import MissingResource
from core.progress import Progress
from core.scoring.study_resources import StudyResources
from core.suggestions.encoding import TextEncoderCache
from gui.annotation.suggestions import suggestion_controller
from gui.annotation.suggestions.suggestion_controller import SuggestionController
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.suggestions.suggestion_rows import WordsInContext, similarity_text, words_in_context
from gui.background.jobs import JobQueue
from gui.pages.match import presenter as match
from gui.pages.pyramid import presenter as pyramids
from gui.session.annotation_session import annotation_session

TOOLS = StudyResources(requested_device="cpu")
"""The encoder is loaded once for all tests here."""


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    TOOLS.encoder("minilm")  # slow on a busy machine, so not part of any test


@pytest.fixture(autouse=True)
def _encoder(monkeypatch):
    monkeypatch.setattr(suggestion_controller, "TextEncoderCache", lambda resources: TextEncoderCache(TOOLS))


class Page:
    """A page under test, and the keyboard."""

    def __init__(self, module, context, qtbot, shown) -> None:
        self.context, self.qtbot = context, qtbot
        self.topic = context.study.texts.topic(context.study.texts.topics()[0].id)
        self.view, self.presenter = module.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page("pyramids" if module is pyramids else match.KEY)
        shown(self.view)
        self.view.activateWindow()

    @property
    def panel(self) -> SuggestionPanel:
        return self.view.suggestions

    @property
    def rows(self) -> list[str]:
        model = self.panel.list.suggestions
        return [model.index(row).data() for row in range(model.rowCount())]

    @property
    def lines(self) -> list[str]:
        model = self.panel.list.suggestions
        return [model.index(row).data() for row in model.suggestion_rows()]

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
            return not (writes.is_saving or suggestions.is_refresh_pending or jobs.running())

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
        assert context.study.edits.undo_labels(context.annotator.id)[0] == "made for the test"
        again = Page(pyramids, context, qtbot, shown)
        again.ask()
        assert not [line for line in again.lines if line.startswith("B: A judge lifted")]

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
        assert page.rows[:2] == [
            "Similar to the selected SCU",
            "No SCU is selected. Click one in the list.",
        ]

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
        assert [content[slice(*span)] for span in page.view.text.proposed] == ["and cafés reopened"]
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
        assert stack.section(page.summary.id).text.proposed == page.view.text.proposed != ()
        other = next(text.id for text in page.topic.summaries if text.name == "bad")
        context.selection.select(summary_id=other)
        page.settle()
        page.panel.list.step(-10)
        assert stack.section(page.summary.id).text.proposed == ()
        assert stack.section(other).text.proposed == page.view.text.proposed != ()

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
