"""The page of matches by its keys, with its real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.pyramid.scores import score_summary
from core.ports import ImportContent, NewText, NewTopic
from gui.annotation.scu_values import ScuRow
from gui.pages.match import presenter as page_of_matches
from gui.pages.match.score_arithmetic_values import score_text
from gui.style.tooltips import plain_tip

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."


class Page:
    """The page under test, and the keyboard."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.study = context, qtbot, context.study
        self.topic = self.study.texts.topic(self.study.texts.topics()[0].id)
        self.view, self.presenter = page_of_matches.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page(page_of_matches.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)
        QApplication.processEvents()

    def show(self, system: str) -> None:
        summary = next(text for text in self.topic.summaries if text.name == system)
        self.context.selection.select(topic_id=self.topic.id, summary_id=summary.id)
        self.summary = summary

    def select(self, *chosen: str) -> None:
        content = self.summary.content
        self.view.text.setFocus()
        self.view.text.select_spans([(content.index(w), content.index(w) + len(w)) for w in chosen])

    def choose(self, label: str) -> None:
        self.context.selection.select(scu_id=self.ids[label])

    def stored(self):
        self.study.flush()
        return self.study.pyramids.annotation(self.topic.id, self.owner)

    def matches(self) -> list[tuple[str, list[str]]]:
        labels = {scu_id: label for label, scu_id in self.ids.items()}
        return [
            (
                labels[m.scu_id] if m.scu_id else "outside",
                [self.summary.content[p.start : p.end] for p in m.parts],
            )
            for m in self.stored().matches_of(self.summary.id, self.context.annotator.id)
        ]

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.context.writes.is_saving)


def annotate(context, owner_id: str) -> dict[str, str]:
    """Make a pyramid of three SCUs of weight 2, 1 and 1; the ids by label."""
    study = context.study
    topic = study.texts.topic(study.texts.topics()[0].id)
    a, b = (reference.id for reference in topic.references)
    before = study.pyramids.annotation(topic.id, owner_id)
    ids = {label: pyramid.new_id() for label in ("Ban lifted", "On Monday", "Cafés reopened")}
    after = pyramid.add_scu(before, "Ban lifted", a, [(27, 34)], ids["Ban lifted"])
    after = pyramid.add_contributor(after, ids["Ban lifted"], b, [(0, 22)])
    after = pyramid.add_scu(after, "On Monday", a, [(16, 25)], ids["On Monday"])
    after = pyramid.add_scu(after, "Cafés reopened", b, [(24, 31)], ids["Cafés reopened"])
    study.pyramids.commit(before, after, "annotate", owner_id).result()
    return ids


def opened(context, shown, qtbot) -> Page:
    """The page on the summary "good" with three SCUs to match."""
    ids = annotate(context, context.annotator.id)
    made = Page(context, qtbot)
    made.ids, made.owner = ids, context.annotator.id
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: made.view.left.progress.grid.rows != ())
    made.show("good")
    return made


@pytest.fixture
def page(context, shown, qtbot):
    return opened(context, shown, qtbot)


def test_space_matches_the_selected_words_with_the_selected_scu(page):
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]
    assert page.view.text.marks[0].step == 2


def test_space_and_enter_work_in_the_list_too(page):
    page.choose("Cafés reopened")
    page.view.text.select_spans([(43, 58)])
    page.view.scus.tree.setFocus()
    page.press(Qt.Key.Key_Space)
    page.press(Qt.Key.Key_K)
    page.press(Qt.Key.Key_Return)
    assert [label for label, _ in page.matches()] == ["Cafés reopened", "On Monday"]


def test_enter_matches_without_a_span_and_x_takes_it_back(page):
    page.choose("On Monday")
    page.view.text.setFocus()
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("On Monday", [])]
    assert page.view.scus.tree.scus.index_of(page.ids["On Monday"]).isValid()
    page.press(Qt.Key.Key_X)
    assert page.matches() == []


def test_kept_parts_make_a_discontinuous_match(page):
    page.choose("Ban lifted")
    page.select("lifted")
    page.press(Qt.Key.Key_P)
    page.select("lifted", "bridge 🌉")
    page.press(Qt.Key.Key_Space)
    assert page.matches() == [("Ban lifted", ["lifted", "bridge 🌉"])]


def test_o_records_a_unit_outside_and_its_cross_removes_it(page):
    page.select("The court")
    page.press(Qt.Key.Key_O)
    assert page.matches() == [("outside", ["The court"])]
    units = page.view.left.units.list
    assert [line.words for line in units.lines] == ["The court"]
    cross = units.cross_box(0).center()
    page.qtbot.mouseClick(units.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    assert page.matches() == []


def test_delete_takes_the_part_under_the_caret_away(page):
    page.choose("Ban lifted")
    page.select("lifted", "bridge 🌉")
    page.press(Qt.Key.Key_Space)
    page.select("bridge 🌉")
    page.press(Qt.Key.Key_Delete)
    assert page.matches() == [("Ban lifted", ["lifted"])]


def test_the_live_score_is_cores_and_its_arithmetic_adds_up(page):
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    page.select("The court")
    page.press(Qt.Key.Key_O)
    stored = page.stored()
    matches = stored.matches_of(page.summary.id, page.context.annotator.id)
    references = [reference.id for reference in page.topic.references]
    score = score_summary(stored.pyramid, matches, references)
    board = page.view.score
    assert board.hero_label.text() == score_text(score.modified) == "0.667"
    wanted = [score.original, score.modified, score.comprehensive, score.presence]
    assert [row.value.text() for row in board._scores] == [score_text(value) for value in wanted]
    assert [(row.title, row.total) for row in board.arithmetic.rows] == [
        ("Matched", 2),
        ("Ideal of 2", 3),
        ("Ideal of 2", 3),
    ]
    without = [score_summary(stored.pyramid, matches, [r]).modified for r in reversed(references)]
    assert [labels[1].text() for labels in board._left_out] == [score_text(value) for value in without]


def test_the_check_box_matches_and_unmatches(page):
    page.view.scus.tree.scu_checked.emit(page.ids["On Monday"])
    assert page.matches() == [("On Monday", [])]
    page.view.scus.tree.scu_checked.emit(page.ids["On Monday"])
    assert page.matches() == []


def test_undo_takes_the_match_back_on_screen(page, qtbot):
    page.choose("On Monday")
    page.view.text.setFocus()
    page.press(Qt.Key.Key_Return)
    page.settle()
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.view._pyramid_panel.fact_label.text().startswith("0 of 3"))
    assert page.matches() == []


def test_flag_note_and_done_are_kept_and_shown_in_the_grid(page):
    page.view.text.setFocus()
    page.press(Qt.Key.Key_F)
    page.press(Qt.Key.Key_D, CTRL)
    page.press(Qt.Key.Key_C)
    page.qtbot.keyClicks(QApplication.focusWidget(), "vague")
    page.press(Qt.Key.Key_Return, CTRL)
    state = page.stored().state_of(page.summary.id, page.context.annotator.id)
    assert (state.is_flagged, state.is_done, state.note) == (True, True, "vague")
    cells = page.view.left.progress.grid.rows[0].cells
    assert [(c.is_done, c.is_flagged) for c in cells if c.summary_id == page.summary.id] == [(True, True)]
    assert page.view.left.progress_label.text().startswith("1 of 6 done")


def test_u_goes_round_all_summaries_of_all_topics(page, told):
    seen = set()
    page.view.text.setFocus()
    for _ in range(6):
        seen.add(page.context.selection.summary_id)
        page.press(Qt.Key.Key_D, CTRL)
        page.press(Qt.Key.Key_U)
    assert len(seen) == 6
    assert told.sentences == ["Every summary is done."]


def test_a_cell_of_the_grid_opens_its_summary(page, qtbot):
    grid = page.view.left.progress.grid
    page.view.left.below.show_tab("progress")
    target = grid.rows[1].cells[2].summary_id
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.cell_box(1, 2).center())
    assert page.context.selection.summary_id == target
    assert page.view.place.name_label.text() == "D2"
    assert page.view.left.panel.place.position_label.text() == "3 / 3"


def test_systems_names_are_hidden_until_asked_for(page):
    facts = page.view.left.panel.fact_label
    assert "good" not in facts.text()
    page.view.left.panel.names_button.click()
    assert facts.text().startswith("good")
    page.press(Qt.Key.Key_Left, ALT)
    page.press(Qt.Key.Key_Right, ALT)
    page.view.left.panel.names_button.click()
    assert "·" not in facts.text()


def test_a_note_of_one_summary_does_not_move_to_the_next(page):
    page.press(Qt.Key.Key_C)
    page.qtbot.keyClicks(QApplication.focusWidget(), "only here")
    here = page.summary.id
    page.show("bad")
    assert page.view.note.toPlainText() == ""
    page.settle()
    assert page.stored().state_of(here, page.context.annotator.id).note == "only here"
    assert page.stored().state_of(page.summary.id, page.context.annotator.id) is None


def test_without_a_pyramid_of_their_own_people_match_against_a_finished_one(context, shown, qtbot):
    ben = context.study.annotators.get_or_create("Ben").id
    ids = annotate(context, ben)
    made = Page(context, qtbot)
    made.ids, made.owner = ids, ben
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: len(made.view.scus.tree.scus.shown()) == 3)
    made.show("good")
    made.choose("Ban lifted")
    made.view.text.setFocus()
    made.press(Qt.Key.Key_Return)
    assert made.matches() == [("Ban lifted", [])]


def test_the_page_opens_on_a_summary_that_is_matched_already(context, shown, qtbot):
    """The selection that follows from opening must find the text in place."""
    study, me = context.study, context.annotator.id
    ids = annotate(context, me)
    topic = study.texts.topic(study.texts.topics()[0].id)
    before = study.pyramids.annotation(topic.id, me)
    after = before
    for summary in topic.summaries:
        span = (0, len(summary.content))
        after = pyramid.add_match(after, summary.id, me, ids["Ban lifted"], [span])
    study.pyramids.commit(before, after, "match", me).result()
    made = Page(context, qtbot)
    shown(made.view)
    qtbot.waitUntil(lambda: made.view.text.toPlainText() != "")
    assert context.selection.summary_id in {summary.id for summary in topic.summaries}


def test_several_pyramids_can_be_chosen_among(page, qtbot):
    ben = page.study.annotators.get_or_create("Ben").id
    with qtbot.waitSignal(page.context.changes.changed):
        annotate(page.context, ben)
    page.press(Qt.Key.Key_BracketRight)
    page.press(Qt.Key.Key_BracketLeft)
    qtbot.waitUntil(page.view.owner_box.isVisible)
    assert page.view.owner_box.currentData() == page.context.annotator.id
    page.view.owner_box.setCurrentIndex(1)
    page.view.owner_box.activated.emit(1)
    page.view.scus.tree.setFocus()
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_Return)
    page.study.flush()
    assert len(page.study.pyramids.annotation(page.topic.id, ben).matches) == 1
    assert page.stored().matches == ()


def test_a_topic_without_summaries_says_what_to_do(context, shown, qtbot):
    topic = NewTopic("D0", references={"A": NewText("Some words.")})
    context.study.import_data(ImportContent("more", topics=[topic]))
    made = Page(context, qtbot)
    shown(made.view)
    assert made.view.empty.isVisible()
    assert not made.view.done_button.isEnabled()


def test_the_page_says_what_time_is_left_and_who_else_matched(context, shown, qtbot):
    study, me = context.study, context.annotator
    ids = annotate(context, me.id)
    ben = study.annotators.get_or_create("Ben").id
    topic = study.texts.topic(study.texts.topics()[0].id)
    before = after = study.pyramids.annotation(topic.id, me.id)
    first, second, third = (summary.id for summary in topic.summaries)
    for summary in (first, second):
        after = pyramid.set_summary_state(after, summary, me.id, is_done=True)
    study.pyramids.commit(before, after, "mark summary done", me.id, 3600.0).result()
    theirs = pyramid.add_match(after, third, ben, ids["On Monday"])
    study.pyramids.commit(after, theirs, "match", ben, 9000.0).result()
    made = Page(context, qtbot)
    shown(made.view)
    label = made.view.left.progress_label
    qtbot.waitUntil(lambda: label.text() == "2 of 6 · 2 h left")  # half an hour for each of four
    assert made.view.left.progress.others_label.text() == "Also matched by Ben (begun)"
    marks = {mark.unit_id for block in made.view.left.stack.blocks for mark in block.marks}
    assert marks == set()
    assert made.view.text.marks == ()


def test_flagged_and_noted_summaries_are_listed_and_gone_to(page, qtbot):
    page.view.text.setFocus()
    page.press(Qt.Key.Key_F)
    here = page.summary.id
    page.press(Qt.Key.Key_BracketRight)
    page.press(Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    assert page.context.selection.summary_id == here
    page.press(Qt.Key.Key_BracketRight)
    flags = page.view.left.flags
    assert [(line.topic, line.is_flagged) for line in flags.flags.lines] == [("D1", True)]
    page.view.left.below.show_tab("flags")
    flags.setFocus()
    flags.setCurrentIndex(flags.flags.index(0))
    page.press(Qt.Key.Key_Return)
    assert page.context.selection.summary_id == here


def said(page) -> list[tuple[str, str]]:
    return [(line.letter, line.words) for line in page.view.expressions.list.expressions.lines]


def test_the_references_words_for_the_selected_scu_are_shown(page):
    assert said(page) == []
    page.choose("Ban lifted")
    assert said(page) == [("A", "hat the"), ("B", "A judge lifted the ban")]
    assert page.view.expressions.caption.text() == "In the references · 2 of 2"
    page.choose("On Monday")
    assert said(page) == [("A", "on Monday")]
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    assert said(page) == [("A", "on Monday")]


def test_pressing_what_a_reference_says_opens_it_at_the_place(page, told):
    pointed = []
    page.context.selection.pointed.connect(lambda *place: pointed.append(place))
    page.choose("Ban lifted")
    found = page.view.expressions.list
    QApplication.processEvents()
    row = found.visualRect(found.expressions.index(1, 0)).center()
    page.qtbot.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert told.pages == ["pyramids"]
    assert pointed == [(page.topic.references[1].id, 0, 22)]
    found.setFocus()
    found.setCurrentIndex(found.expressions.index(0, 0))
    page.press(Qt.Key.Key_Return)
    assert pointed[-1] == (page.topic.references[0].id, 27, 34)


def test_the_tooltip_of_an_scu_has_the_references_words_as_plain_text(page):
    tree = page.view.scus.tree
    QApplication.processEvents()
    tip = tree.tip_at(tree.visualRect(tree.scus.index_of(page.ids["Ban lifted"])).center())
    assert "A: hat the\nB: A judge lifted the ban" in tip
    page.view.show_scus([ScuRow("x", "<b>", 1, 1, (True,), False, said=(("A", "<img src=x>"),))], "A")
    QApplication.processEvents()
    tip = plain_tip(tree.tip_at(tree.visualRect(tree.scus.index_of("x")).center()))
    assert "<img" not in tip
    assert "&lt;img" in tip


def test_once_done_the_main_button_leads_to_the_next_summary(page):
    first = page.summary.id
    page.press(Qt.Key.Key_D, CTRL)
    assert page.view.done_button.text() == "Next summary"
    page.view.done_button.click()
    assert page.context.selection.summary_id != first
    assert page.view.done_button.text() == "Mark done"
    page.show("good")
    page.view.reopen_button.click()
    assert page.view.done_button.text() == "Mark done"


def test_one_key_marks_a_summary_done_and_goes_to_the_next(page):
    first = page.summary.id
    page.press(Qt.Key.Key_D, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert page.context.selection.summary_id != first
    assert page.stored().state_of(first, page.context.annotator.id).is_done
