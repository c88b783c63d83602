"""The Pyramid page, operated by its keys, with a real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.annotation.assignment import set_role
from core.annotation.shared_pyramid import share_pyramids
from core.domain import pyramid
from core.domain.assignment import Role
from core.domain.pyramid import UnitKind
from core.errors import EditConflict
from gui.annotation.scus.scu_values import reference_letters
from gui.annotation.stored_text_field import LabelField
from gui.commands.definitions import COMMANDS, EDITING_COMMANDS
from gui.pages.pyramid import presenter as pyramid_page
from gui.pages.pyramid.edits import SELECT_SCU
from gui.session.annotation_session import annotation_session
from gui.session.edits import ActiveTime
from tests.gui.pages.pyramid.pyramid_keys import CTRL, SHIFT, Page


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    return made


def test_n_creates_an_scu_of_the_selection_and_opens_its_label(page):
    page.select("A", "the ban on the bridge was void")
    page.press(Qt.Key.Key_N)
    editor = QApplication.focusWidget()
    assert isinstance(editor, LabelField)
    assert editor.text() == "the ban on the bridge was void"
    editor.selectAll()
    page.type("Ban lifted")
    page.press(Qt.Key.Key_Return)
    assert page.labels() == ["Ban lifted"]
    assert page.words_of("Ban lifted") == [["the ban on the bridge was void"]]
    assert page.section("A").text.hasFocus()


def test_a_contributor_in_another_reference_raises_the_weight_and_its_colour(page):
    page.make("A", "the ban on the bridge was void", "Ban lifted")
    page.select("B", "lifted the ban")
    page.press(Qt.Key.Key_A)
    assert page.view.scus.tree.scus.tiers[0].weight == 2
    assert [mark.step for mark in page.section("A").text.marks] == [2]
    assert page.scu("Ban lifted").weight == 2


def test_discontinuous_parts_across_emoji_are_created_by_keys(page):
    page.make("A", "the ban on the bridge was void", "Ban lifted")
    text = page.section("B").text
    text.setFocus()
    for _ in range(3):
        page.press(Qt.Key.Key_Right, SHIFT)
    page.press(Qt.Key.Key_P)
    page.press(Qt.Key.Key_End, CTRL)
    for _ in range(3):
        page.press(Qt.Key.Key_Left, SHIFT)
    page.press(Qt.Key.Key_A)
    assert page.words_of("Ban lifted")[1] == ["A judge lifted", "👩‍🚀 at once"]
    assert text.selected_spans() == ()


def test_another_part_extends_the_existing_contributor(page):
    page.make("B", "A judge", "Ban lifted")
    page.select("B", "the ban")
    page.press(Qt.Key.Key_A)
    assert page.words_of("Ban lifted") == [["A judge", "the ban"]]


def test_p_adds_a_part_to_the_contributor_in_the_reference(page):
    page.make("B", "A judge", "Ban lifted")
    page.select("B", "the ban")
    page.press(Qt.Key.Key_P)
    assert page.words_of("Ban lifted") == [["A judge", "the ban"]]
    assert page.section("B").text.selected_spans() == ()


def test_words_kept_in_one_reference_survive_an_edit_in_another(page):
    page.make("B", "A judge", "Ban lifted")
    page.select("A", "The court")
    page.press(Qt.Key.Key_P)
    page.make("B", "the ban", "A ban")
    kept = page.section("A").text
    assert [kept.content[start:end] for start, end in kept.selected_spans()] == ["The court"]
    page.choose("Ban lifted")
    page.select("A", "The court", "void")
    page.press(Qt.Key.Key_A)
    assert page.words_of("Ban lifted") == [["A judge"], ["The court", "void"]]
    assert kept.selected_spans() == ()


def test_redo_selects_what_was_redone_and_undo_what_was_undone(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "A judge", "A judge spoke")
    made = page.scu("A judge spoke").id
    page.choose("Court ruled")
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)  # the label
    page.wait_until_saved()
    assert page.context.selection.scu_id == made
    page.press(Qt.Key.Key_Z, CTRL)  # the SCU
    qtbot.waitUntil(lambda: len(page.view.scus.tree.scus.visible()) == 1)
    assert page.context.selection.scu_id != made
    page.press(Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(lambda: page.context.selection.scu_id == made)
    assert page.view.scus.tree.current_scu == made


def test_a_shared_pyramid_says_that_it_is_locked_and_offers_to_unlock_it(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    assert not page.view.lock_banner.isVisible()
    share_pyramids(page.context.study, UnitKind.SCU, "Ann", None).result()
    page.view.done_button.click()
    qtbot.waitUntil(page.view.lock_banner.isVisible)
    assert page.view.lock_banner.sentences[0] == "Locked: shared pyramid of Ann"
    for button in (page.view.new_button, page.view.reopen_button):
        assert not button.isEnabled()
        assert "locked" in button.toolTip()
    assert page.view.details.comment.isReadOnly()
    page.view.lock_banner.remedy_button.click()
    qtbot.waitUntil(lambda: not page.view.lock_banner.isVisible())
    assert page.view.new_button.isEnabled()
    assert not page.view.details.comment.isReadOnly()
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(page.view.lock_banner.isVisible)


def test_only_a_manager_unlocks_a_pyramid_where_there_is_one(page, qtbot, requests):
    page.make("A", "The court ruled", "Court ruled")
    page.view.done_button.click()
    share_pyramids(page.context.study, UnitKind.SCU, "Ann", None).result()
    set_role(page.context.study, "Ben", Role.MANAGER, None).result()
    qtbot.waitUntil(page.view.lock_banner.isVisible)
    page.view.lock_banner.remedy_button.click()
    refusal = "Only a manager of this study may do this. Ask Ben."
    assert requests.sentences == [refusal]
    assert page.view.lock_banner.isVisible()
    with pytest.raises(EditConflict, match=refusal):
        page.context.study.edits.undo(page.context.annotator.id).result()
    assert annotation_session(page.context).annotation.pyramid.is_done


def test_every_edit_of_a_locked_pyramid_is_refused_and_letters_typed_then_do_nothing(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.view.done_button.click()
    share_pyramids(page.context.study, UnitKind.SCU, "Ann", None).result()
    qtbot.waitUntil(page.view.lock_banner.isVisible)
    page.wait_until_saved()
    session, refused, commands = annotation_session(page.context), [], page.context.commands
    before, reason = session.annotation, session.lock_reason
    page.section("B").text.setFocus()
    page.press(Qt.Key.Key_Right, SHIFT)
    commands.refused.connect(refused.append)
    edits = [one.id for one in COMMANDS if one.id in EDITING_COMMANDS and "pyramids" in one.pages]
    for number, command in enumerate(edits, 1):
        commands.action(command).trigger()
        page.type("nrdl")
        assert refused == [reason] * number, command
        assert session.annotation == before, command
        assert QApplication.focusWidget() is page.section("B").text, command
    assert len(edits) > 10


def test_the_share_of_covered_words_is_shown_one_way(page):
    page.make("A", "The court ruled", "Court ruled")
    for letter in ("A", "B"):
        label = page.section(letter).covered_label
        before = label.accessibleName()
        assert before.endswith("% covered")
        page.view.reference_bar.uncovered_box.setChecked(True)
        assert label.accessibleName() == before
        page.view.reference_bar.uncovered_box.setChecked(False)


def test_merging_prompts_for_the_other_scu_and_keeps_the_first_label(page):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "A judge", "A judge spoke")
    page.choose("Court ruled")
    page.press(Qt.Key.Key_M)
    prompt = page.view.prompt_label.text()
    assert prompt.startswith("Merge with “Court ruled”: click the other SCU, or press Enter on it.")
    assert prompt.endswith("The label of the heavier SCU stays.")
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_Return)
    assert page.labels() == ["Court ruled"]
    assert page.words_of("Court ruled") == [["The court ruled"], ["A judge"]]


def test_escape_cancels_a_merge(page):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "A judge", "A judge spoke")
    page.press(Qt.Key.Key_M)
    page.press(Qt.Key.Key_Escape)
    page.press(Qt.Key.Key_Return)
    assert not page.view.prompt_label.isVisible()
    assert page.labels() == ["Court ruled", "A judge spoke"]


def test_removing_an_scu_selects_the_next_and_undo_restores_it(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "A judge", "A judge spoke")
    page.choose("Court ruled")
    page.press(Qt.Key.Key_R)
    assert page.labels() == ["A judge spoke"]
    assert page.context.selection.scu_id == page.scu("A judge spoke").id
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: len(page.view.scus.tree.scus.visible()) == 2)
    assert page.labels() == ["Court ruled", "A judge spoke"]
    page.press(Qt.Key.Key_Z, CTRL | SHIFT)
    qtbot.waitUntil(lambda: len(page.view.scus.tree.scus.visible()) == 1)
    assert page.labels() == ["A judge spoke"]


def test_r_on_a_contributors_card_removes_the_contributor_only(page):
    page.make("A", "The court ruled", "Court ruled")
    page.select("B", "A judge")
    page.press(Qt.Key.Key_A)
    cards = page.view.details.cards
    cards.setFocus()
    page.press(Qt.Key.Key_Down)
    page.press(Qt.Key.Key_R)
    assert page.words_of("Court ruled") == [["The court ruled"]]


def test_delete_removes_the_part_at_the_cursor_or_the_current_one(page):
    page.make("A", "The court ruled", "Court ruled")
    page.select("A", "the ban", "was void")
    page.press(Qt.Key.Key_A)
    cards = page.view.details.cards
    cards.setFocus()
    page.press(Qt.Key.Key_Right)
    page.press(Qt.Key.Key_Delete)
    assert page.words_of("Court ruled") == [["The court ruled", "was void"]]
    page.select("A", "was void")
    page.press(Qt.Key.Key_Delete)
    assert page.words_of("Court ruled") == [["The court ruled"]]


def test_labels_are_edited_in_the_list_and_in_the_details(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_L)
    QApplication.focusWidget().selectAll()
    page.type("Court spoke")
    page.press(Qt.Key.Key_Return)
    field = page.view.details.label_field
    assert field.text() == "Court spoke"
    field.setFocus()
    field.selectAll()
    page.type("Court decided")
    page.press(Qt.Key.Key_Return)
    assert page.labels() == ["Court decided"]


def test_an_empty_label_is_rejected(page, requests):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_L)
    QApplication.focusWidget().clear()
    page.press(Qt.Key.Key_Return)
    assert page.labels() == ["Court ruled"]
    assert "label" in requests.sentences[-1]


def test_a_comment_is_stored_when_it_loses_focus(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_C)
    page.type("vague")
    page.press(Qt.Key.Key_Return, CTRL)
    assert page.scu("Court ruled").comment == "vague"


def test_shortcuts_are_inactive_while_typing(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_Slash)
    page.type("nmr")
    assert page.view.scus.field.text() == "nmr"
    assert page.labels() == ["Court ruled"]


def test_commands_without_a_selection_show_a_message(page, requests):
    page.press(Qt.Key.Key_M)
    page.press(Qt.Key.Key_Escape)
    page.press(Qt.Key.Key_N)
    assert requests.sentences == [SELECT_SCU, pyramid_page.SELECT_TEXT]
    assert page.labels() == []


def test_a_conflict_reloads_the_topic_and_shows_a_notice(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    study, annotator = page.context.study, page.context.annotator.id
    mine = page.stored()
    theirs = pyramid.set_label(mine, mine.pyramid.scus[0].id, "Theirs")
    study.pyramids.commit(mine, theirs, "change label", study.annotators.get_or_create("Ben").id).result()
    page.choose("Theirs")
    page.press(Qt.Key.Key_L)
    QApplication.focusWidget().selectAll()
    page.type("Mine")
    page.press(Qt.Key.Key_Return)
    qtbot.waitUntil(page.view.notice.isVisible)
    assert "Ben" in page.view.notice.text_label.text()
    assert [line.label for line in page.view.scus.tree.scus.tiers[0].lines] == ["Theirs"]
    assert study.pyramids.annotation(page.topic.id, annotator).pyramid.scus[0].label == "Theirs"


def test_the_time_of_the_last_save_is_known(page):
    page.make("A", "The court ruled", "Court ruled")
    assert page.context.writes.last_saved == page.context.study.edits.history(limit=1)[0].at


def test_brackets_step_through_topics(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_BracketRight)
    assert page.view.place.name_label.text() == "D2"
    assert page.view.scus.tree.scus.visible() == ()
    page.press(Qt.Key.Key_BracketLeft)
    assert page.view.place.name_label.text() == "D1"
    assert len(page.view.scus.tree.scus.visible()) == 1


def test_undo_opens_the_topic_of_the_undone_edit(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_BracketRight)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.view.place.name_label.text() == "D1")
    qtbot.waitUntil(lambda: "ruled" in page.stored().pyramid.scus[0].label)


def test_an_edit_of_another_process_appears_and_keeps_the_selection(page, qtbot):
    from storage.study_file import open_study

    page.make("A", "The court ruled", "Court ruled")
    page.select("B", "A judge")
    with open_study(page.context.study.path) as other:
        before = other.pyramids.annotation(page.topic.id, page.context.annotator.id)
        after = pyramid.add_scu(before, "From elsewhere", page.topic.references[1].id, [(0, 7)])
        other.pyramids.commit(before, after, "new SCU", page.context.annotator.id).result()
    qtbot.waitUntil(lambda: len(page.view.scus.tree.scus.visible()) == 2)
    assert page.view.references.selection().spans == ((0, 7),)


def test_marking_done_and_reopening(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_D, CTRL)
    assert page.stored().pyramid.is_done
    page.view.reopen_button.click()
    assert not page.stored().pyramid.is_done
    assert not page.view.reopen_button.isVisible()


def test_the_main_button_of_a_done_pyramid_goes_to_the_next_undone_topic(page, requests, qtbot):
    page.press(Qt.Key.Key_D, CTRL)
    width = page.view.done_button.width()
    assert page.view.done_button.text() == "Next topic"
    page.view.done_button.click()
    qtbot.waitUntil(lambda: page.view.place.name_label.text() == "D2")
    assert (page.view.done_button.text(), page.view.done_button.width()) == ("Mark done", width)
    assert page.stored().pyramid.is_done


def test_one_key_marks_done_and_goes_to_the_next_topic(page, requests, qtbot):
    page.press(Qt.Key.Key_D, CTRL | SHIFT)
    qtbot.waitUntil(lambda: page.view.place.name_label.text() == "D2")
    assert page.stored().pyramid.is_done
    page.press(Qt.Key.Key_D, CTRL | SHIFT)
    qtbot.waitUntil(lambda: requests.sentences == [pyramid_page.ALL_DONE])
    assert page.view.place.name_label.text() == "D2"


def test_undo_in_an_unchanged_label_undoes_the_last_edit(page, qtbot):
    page.select("A", "The court ruled")
    page.press(Qt.Key.Key_N)
    page.wait_until_saved()
    assert isinstance(QApplication.focusWidget(), LabelField)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.labels() == [])
    qtbot.waitUntil(page.section("A").text.hasFocus)


def test_undo_in_a_changed_label_undoes_the_typing(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_L)
    page.type("xyz")
    page.press(Qt.Key.Key_Z, CTRL)
    assert isinstance(QApplication.focusWidget(), LabelField)
    page.press(Qt.Key.Key_Return)
    assert page.labels() == ["Court ruled"]


def test_a_label_is_stored_by_a_click_into_a_text_which_then_has_the_focus(page, qtbot):
    page.select("A", "The court ruled")
    page.press(Qt.Key.Key_N)
    page.type("Court spoke")
    text = page.section("B").text
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.box_of(3).center())
    assert QApplication.focusWidget() is text
    page.wait_until_saved()
    assert page.labels() == ["Court spoke"]


def test_coverage_is_the_share_of_words(page):
    page.make("A", "The court ruled on Monday that", "Court ruled")
    assert page.section("A").covered_label.text() == "46 % covered"
    assert page.section("B").covered_label.text() == "0 % covered"


def test_a_topic_without_references_shows_the_empty_page(context, shown, qtbot):
    from core.domain.import_batch import ImportContent, NewText, NewTopic

    context.study.import_data(
        ImportContent("more", topics=[NewTopic("D0", summaries={"lead": NewText("Words.")})])
    )
    made = Page(context, qtbot)
    shown(made.view)
    assert made.view.empty.isVisible()
    assert not made.view.scus.isVisible()


def test_idle_time_does_not_count_as_active_time():
    now = [1000.0]
    worked = ActiveTime(lambda: now[0])
    for seconds in (10.0, 300.0, 20.0):
        now[0] += seconds
        worked.touch()
    assert worked.take() == 30.0
    assert worked.take() == 0.0


def test_every_edit_stores_its_active_time(page):
    page.qtbot.wait(20)
    page.make("A", "The court ruled")
    assert page.context.study.edits.history(limit=1)[0].active_seconds >= 0.02


@pytest.mark.parametrize(
    ("names", "letters"), [(["A", "D"], ("A", "D")), ([f"ref-{i:02d}" for i in range(28)], None)]
)
def test_letters_are_short_names_or_assigned_in_order(names, letters):
    from core.domain.study import Text

    found = reference_letters([Text(name, name, "x") for name in names])
    assert found == letters if letters else (found[0], found[25], found[27]) == ("A", "Z", "AB")


def test_the_first_reference_has_focus_and_topics_keep_the_focused_reference(page):
    assert page.section("A").text.hasFocus()
    page.make("A", "The court ruled", "Court ruled")
    page.section("B").text.setFocus()
    page.press(Qt.Key.Key_BracketRight)
    assert page.section("B").text.hasFocus()


def test_a_contributor_of_several_parts_is_created_in_another_reference_by_keys(page):
    page.make("A", "The court ruled", "Court ruled")
    page.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert page.section("B").text.hasFocus()
    page.press(Qt.Key.Key_Home, CTRL)
    for _ in range(2):
        page.press(Qt.Key.Key_Right, SHIFT)
    page.press(Qt.Key.Key_P)
    for _ in range(3):
        page.press(Qt.Key.Key_Right, CTRL)
    page.press(Qt.Key.Key_Right, SHIFT)
    page.press(Qt.Key.Key_P)
    page.press(Qt.Key.Key_End, CTRL)
    page.press(Qt.Key.Key_Left, SHIFT)
    page.press(Qt.Key.Key_A)
    assert page.words_of("Court ruled")[1] == ["A judge", "ban", "once"]


def test_letters_after_a_refused_command_for_a_text_do_nothing(page, qtbot, requests):
    page.make("A", "The court ruled", "Court ruled")
    page.section("B").text.drop_selection()
    page.section("B").text.setFocus()
    page.press(Qt.Key.Key_N)
    assert requests.sentences == [pyramid_page.SELECT_TEXT]
    page.type("nobody was removed, d")
    assert requests.sentences == [pyramid_page.SELECT_TEXT]
    assert page.labels() == ["Court ruled"]
    page.press(Qt.Key.Key_Right, SHIFT)  # the user goes on with something else
    page.press(Qt.Key.Key_N)
    assert isinstance(QApplication.focusWidget(), LabelField)


def test_letters_are_commands_again_after_a_pause_or_in_another_widget(page, qtbot, requests):
    page.press(Qt.Key.Key_N)
    qtbot.waitUntil(lambda: not page.context.commands.ignored_letters.are_ignored)
    page.press(Qt.Key.Key_N)
    page.section("B").text.setFocus()
    page.press(Qt.Key.Key_N)
    assert requests.sentences == [pyramid_page.SELECT_TEXT] * 3
