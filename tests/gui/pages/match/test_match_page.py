"""The Match page, operated by its keys, with a real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid.scores import score_summary
from gui.annotation.match_values import ExpressionRow, score_text
from gui.annotation.scus.scu_values import ScuRow
from gui.annotation.scus.unit_rows import LINE_ROLE
from gui.pages.match import presenter as match_page
from gui.pages.match.edits import DONE_WITHOUT_MATCH
from gui.style.language import plain_tip

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."


class Page:
    """The page under test, with helpers that press keys and read the study."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.study = context, qtbot, context.study
        self.topic = self.study.texts.topic(self.study.texts.topics()[0].id)
        self.view, self.presenter = match_page.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page(match_page.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)
        QApplication.processEvents()

    def show(self, system: str) -> None:
        summary = next(text for text in self.topic.summaries if text.name == system)
        self.context.selection.select(topic_id=self.topic.id, summary_id=summary.id)
        self.summary = summary

    def select(self, *chosen: str) -> None:
        content = self.summary.content
        self.view.left.text.setFocus()
        self.view.left.text.select_spans([(content.index(w), content.index(w) + len(w)) for w in chosen])

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

    def wait_until_saved(self) -> None:
        self.qtbot.waitUntil(lambda: not self.context.writes.is_saving)


def annotate(context, owner_id: str) -> dict[str, str]:
    """Create a pyramid of three SCUs of weight 2, 1 and 1; return their ids by label."""
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
    """Return the page with the summary "good" and three SCUs to match."""
    ids = annotate(context, context.annotator.id)
    made = Page(context, qtbot)
    made.ids, made.owner = ids, context.annotator.id
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: made.view.progress.grid.rows != ())
    made.show("good")
    return made


@pytest.fixture
def page(context, shown, qtbot):
    return opened(context, shown, qtbot)


def test_space_matches_the_selected_text_with_the_selected_scu(page):
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]
    assert page.view.left.text.marks[0].step == 2


def test_space_and_enter_work_in_the_list_too(page):
    page.choose("Cafés reopened")
    page.view.left.text.select_spans([(43, 58)])
    page.view.scus.tree.setFocus()
    page.press(Qt.Key.Key_Space)
    page.press(Qt.Key.Key_K)
    page.press(Qt.Key.Key_Return)
    assert [label for label, _ in page.matches()] == ["Cafés reopened", "On Monday"]


def test_enter_matches_without_a_span_and_x_removes_the_match(page):
    page.choose("On Monday")
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("On Monday", [])]
    assert page.view.scus.tree.scus.index_of(page.ids["On Monday"]).isValid()
    page.press(Qt.Key.Key_X)
    assert page.matches() == []


def test_stored_parts_make_a_discontinuous_match(page):
    page.choose("Ban lifted")
    page.select("lifted")
    page.press(Qt.Key.Key_P)
    page.select("lifted", "bridge 🌉")
    page.press(Qt.Key.Key_Space)
    assert page.matches() == [("Ban lifted", ["lifted", "bridge 🌉"])]


def test_o_adds_a_unit_not_in_the_pyramid_and_its_button_removes_it(page):
    page.select("The court")
    page.press(Qt.Key.Key_O)
    assert page.matches() == [("outside", ["The court"])]
    units = page.view.left.units.list
    assert [line.words for line in units.rows] == ["The court"]
    button = units.remove_rect(0).center()
    page.qtbot.mouseClick(units.viewport(), Qt.MouseButton.LeftButton, pos=button)
    assert page.matches() == []


def test_delete_removes_the_part_at_the_cursor(page):
    page.choose("Ban lifted")
    page.select("lifted", "bridge 🌉")
    page.press(Qt.Key.Key_Space)
    page.select("bridge 🌉")
    page.press(Qt.Key.Key_Delete)
    assert page.matches() == [("Ban lifted", ["lifted"])]


def test_the_live_score_equals_the_core_score_and_its_sums_add_up(page):
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    page.select("The court")
    page.press(Qt.Key.Key_O)
    stored = page.stored()
    matches = stored.matches_of(page.summary.id, page.context.annotator.id)
    references = [reference.id for reference in page.topic.references]
    score = score_summary(stored.pyramid, matches, references)
    panel = page.view.score
    page.press(Qt.Key.Key_S)
    assert panel.main_label.text() == score_text(score.modified) == "0.667"
    expected = [score.original, score.modified, score.comprehensive, score.presence]
    assert [value.text() for value in panel.values] == [score_text(value) for value in expected]
    assert [(row.title, row.total) for row in panel.arithmetic.rows] == [
        ("Matched", 2),
        ("Ideal of 2", 3),
        ("Ideal of 2", 3),
    ]
    without = [score_summary(stored.pyramid, matches, [r]).modified for r in reversed(references)]
    listed = zip("AB", map(score_text, without), strict=True)
    assert panel.line_label.text() == "Modified " + " · ".join(f"without {r} {v}" for r, v in listed)


def test_the_check_box_matches_and_unmatches(page):
    page.view.scus.tree.scu_checked.emit(page.ids["On Monday"])
    assert page.matches() == [("On Monday", [])]
    page.view.scus.tree.scu_checked.emit(page.ids["On Monday"])
    assert page.matches() == []


def test_undo_removes_the_match_from_the_page(page, qtbot):
    page.choose("On Monday")
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_Return)
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.view.pyramid_panel.fact_label.text().startswith("0 of 3"))
    assert page.matches() == []


def test_flag_note_and_done_are_stored_and_shown_in_the_grid(page):
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_F)
    page.press(Qt.Key.Key_D, CTRL)
    page.press(Qt.Key.Key_C)
    page.qtbot.keyClicks(QApplication.focusWidget(), "vague")
    page.press(Qt.Key.Key_Return, CTRL)
    state = page.stored().state_of(page.summary.id, page.context.annotator.id)
    assert (state.is_flagged, state.is_done, state.note) == (True, True, "vague")
    cells = page.view.progress.grid.rows[0].cells
    assert [(c.is_done, c.is_flagged) for c in cells if c.summary_id == page.summary.id] == [(True, True)]
    assert page.view.left.progress_label.text().startswith("1 of 6 summaries done")


def test_u_goes_through_all_undone_summaries_of_all_topics(page, requests):
    seen = set()
    page.view.left.text.setFocus()
    for _ in range(6):
        seen.add(page.context.selection.summary_id)
        page.press(Qt.Key.Key_D, CTRL)
        page.press(Qt.Key.Key_U)
    assert len(seen) == 6
    assert requests.sentences[-1] == "Every summary is done."
    assert set(requests.sentences[:-1]) == {DONE_WITHOUT_MATCH}


def test_a_cell_of_the_grid_opens_its_summary(page, qtbot):
    grid = page.view.progress.grid
    page.view.left.all_button.click()
    QApplication.processEvents()
    target = grid.rows[1].cells[2].summary_id
    cell = grid.visualRect(grid.model().index(1, 2))
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=cell.center())
    assert page.context.selection.summary_id == target
    assert page.view.place.name_label.text() == "D2"
    assert page.view.left.panel.place.position_label.text() == "Summary 3 / 3"


def test_system_names_are_hidden_until_requested(page):
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
    page.wait_until_saved()
    assert page.stored().state_of(here, page.context.annotator.id).note == "only here"
    assert page.stored().state_of(page.summary.id, page.context.annotator.id) is None


def test_annotators_without_a_pyramid_match_against_another_one(context, shown, qtbot):
    ben = context.study.annotators.get_or_create("Ben").id
    ids = annotate(context, ben)
    made = Page(context, qtbot)
    made.ids, made.owner = ids, ben
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: len(made.view.scus.tree.scus.visible()) == 3)
    made.show("good")
    made.choose("Ban lifted")
    made.view.left.text.setFocus()
    made.press(Qt.Key.Key_Return)
    assert made.matches() == [("Ban lifted", [])]


def test_the_page_opens_a_summary_that_is_already_matched(context, shown, qtbot):
    """Opening selects a summary, which needs the text to be displayed already."""
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
    qtbot.waitUntil(lambda: made.view.left.text.toPlainText() != "")
    assert context.selection.summary_id in {summary.id for summary in topic.summaries}


def test_one_of_several_pyramids_can_be_chosen(page, qtbot):
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


def test_a_topic_without_summaries_shows_the_empty_page(context, shown, qtbot):
    topic = NewTopic("D0", references={"A": NewText("Some words.")})
    context.study.import_data(ImportContent("more", topics=[topic]))
    made = Page(context, qtbot)
    shown(made.view)
    assert made.view.empty.isVisible()
    assert not made.view.done_button.isEnabled()


def test_the_page_shows_the_time_left_and_who_else_matched(context, shown, qtbot):
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
    qtbot.waitUntil(
        lambda: label.text() == "2 of 6 summaries done · about 2.0 h left"
    )  # half an hour for each of four
    assert made.view.progress.others_label.text() == "Also matched by Ben (started)"
    marks = {mark.unit_id for block in made.view.left.stack.blocks for mark in block.marks}
    assert marks == set()
    assert made.view.left.text.marks == ()


def test_flagged_summaries_are_listed_and_opened(page, qtbot):
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_F)
    here = page.summary.id
    page.press(Qt.Key.Key_BracketRight)
    page.press(Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    assert page.context.selection.summary_id == here
    page.press(Qt.Key.Key_BracketRight)
    flags = page.view.flags
    assert [(line.topic, line.is_flagged) for line in flags.rows.rows()] == [("D1", True)]
    page.view.side.show_tab("flags")
    flags.setFocus()
    flags.setCurrentIndex(flags.sorted.index(0, 0))
    page.press(Qt.Key.Key_Return)
    assert page.context.selection.summary_id == here


def details(page, label: str) -> list[tuple[str, str]]:
    """Return the rows below an SCU, if they are open: units with an empty letter."""
    tree = page.view.scus.tree
    index = tree.scus.index_of(page.ids[label])
    rows = [tree.scus.index(row, 0, index).data(LINE_ROLE) for row in range(tree.scus.rowCount(index))]
    return [(getattr(row, "letter", ""), row.words) for row in rows] if tree.isExpanded(index) else []


def test_the_references_of_the_selected_scu_open_below_it(page):
    page.choose("Ban lifted")
    assert details(page, "Ban lifted") == [("", ""), ("A", "hat the"), ("B", "A judge lifted the ban")]
    page.choose("On Monday")
    assert details(page, "Ban lifted") == []
    assert details(page, "On Monday") == [("", ""), ("A", "on Monday")]
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    assert details(page, "On Monday") == [("", "lifted the ban"), ("A", "on Monday")]
    page.press(Qt.Key.Key_R)
    page.press(Qt.Key.Key_J)
    assert not any(details(page, label) for label in page.ids), "closed until R opens them again"
    page.press(Qt.Key.Key_R)
    assert [letter for letter, _ in details(page, "Cafés reopened")] == ["", "B"]


def test_a_click_opens_references_and_a_second_one_closes_them(page):
    tree = page.view.scus.tree
    QApplication.processEvents()

    def click(label: str) -> None:
        row = tree.visualRect(tree.scus.index_of(page.ids[label])).center()
        page.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=row)

    click("Ban lifted")
    assert details(page, "Ban lifted")
    click("Ban lifted")
    assert not details(page, "Ban lifted")


def test_clicking_a_reference_opens_it_and_so_does_enter(page, requests):
    pointed = []
    page.context.selection.pointed.connect(lambda *place: pointed.append(place))
    page.choose("Ban lifted")
    tree = page.view.scus.tree
    QApplication.processEvents()
    scu = tree.scus.index_of(page.ids["Ban lifted"])
    row = tree.visualRect(tree.scus.index(2, 0, scu)).center()
    page.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert requests.pages == ["pyramids"]
    assert pointed == [(page.topic.references[1].id, 0, 22)]
    tree.setFocus()
    tree.setCurrentIndex(scu)
    page.press(Qt.Key.Key_Right)
    page.press(Qt.Key.Key_Down)
    page.press(Qt.Key.Key_Return)
    assert pointed[-1] == (page.topic.references[0].id, 27, 34)
    assert page.matches() == []


def test_the_arrow_keys_go_from_scu_to_scu_past_open_references(page):
    tree = page.view.scus.tree
    page.choose("Ban lifted")
    tree.setFocus()
    for label in ("On Monday", "Cafés reopened"):
        page.press(Qt.Key.Key_Down)
        assert tree.current_scu == page.ids[label]
        assert details(page, label)


def test_the_score_is_closed_until_the_summary_is_done(page):
    panel = page.view.score
    assert not panel.is_open
    assert panel.line_label.text() == "Score closed until this summary is done"
    assert panel.key_label.text() == "S"
    page.press(Qt.Key.Key_D, CTRL)
    assert panel.is_open
    page.press(Qt.Key.Key_D, CTRL)
    assert not panel.is_open
    page.press(Qt.Key.Key_S)
    assert panel.is_open
    page.show("bad")
    assert not panel.is_open, "one key opens it for one summary"
    panel.toggle_button.click()
    assert panel.is_open
    page.context.commands.action("match.score_always").trigger()
    page.show("lead")
    assert panel.is_open
    assert page.context.settings.now.live_score
    assert page.context.commands.action("match.score_always").isChecked()


def test_the_heading_says_whose_pyramid_it_is(page, qtbot):
    panel = page.view.pyramid_panel
    assert panel.title_label.text() == "Your pyramid"
    assert panel.fact_label.text() == "0 of 3 SCUs matched"
    page.view.show_owner("Annotator A")
    assert panel.title_label.text() == "Pyramid of Annotator A"


def test_the_tooltip_of_an_scu_has_its_expressions_as_plain_text(page):
    tree = page.view.scus.tree
    QApplication.processEvents()
    tip = tree.tip_at(tree.visualRect(tree.scus.index_of(page.ids["Ban lifted"])).center())
    assert "A: hat the\nB: A judge lifted the ban" in tip
    words = ExpressionRow("r", "A", "<img src=x>", (0, 1))
    page.view.show_scus([ScuRow("x", "<b>", 1, 1, (True,), False, details=(words,))], "A")
    QApplication.processEvents()
    tip = plain_tip(tree.tip_at(tree.visualRect(tree.scus.index_of("x")).center()))
    assert "<img" not in tip
    assert "&lt;img" in tip


def test_the_main_button_of_a_done_summary_goes_to_the_next(page):
    first = page.summary.id
    page.press(Qt.Key.Key_D, CTRL)
    assert page.view.done_button.text() == "Next summary"
    page.view.done_button.click()
    assert page.context.selection.summary_id != first
    assert page.view.done_button.text() == "Mark done"
    page.show("good")
    page.view.reopen_button.click()
    assert page.view.done_button.text() == "Mark done"


def test_a_click_on_the_main_button_leaves_the_focus_in_the_text(page, qtbot):
    page.view.left.text.setFocus()
    qtbot.mouseClick(page.view.done_button, Qt.MouseButton.LeftButton)
    assert page.view.left.text.hasFocus()
    page.press(Qt.Key.Key_U)
    second = page.context.selection.summary_id
    assert second != page.summary.id
    page.press(Qt.Key.Key_Space)
    assert page.stored().state_of(second, page.context.annotator.id) is None


def test_done_without_a_match_is_reported(page, requests):
    page.press(Qt.Key.Key_D, CTRL)
    assert requests.sentences == [DONE_WITHOUT_MATCH]
    page.press(Qt.Key.Key_D, CTRL)  # reopened
    assert requests.sentences == [DONE_WITHOUT_MATCH]


def test_one_key_marks_a_summary_done_and_goes_to_the_next(page):
    first = page.summary.id
    page.press(Qt.Key.Key_D, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert page.context.selection.summary_id != first
    assert page.stored().state_of(first, page.context.annotator.id).is_done
