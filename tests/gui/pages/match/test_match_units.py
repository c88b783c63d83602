"""The units of a summary: listed, repeated, assigned elsewhere, commented on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from gui.annotation.drag_and_drop import DraggedItem, DragKind
from tests.gui.pages.match.test_match_page import opened

SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
MOVE, LEFT = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(context, shown, qtbot):
    return opened(context, shown, qtbot)


def match(page, label: str, *chosen: str, again: bool = False) -> None:
    page.choose(label)
    page.select(*chosen)
    page.press(Qt.Key.Key_Space, SHIFT if again else Qt.KeyboardModifier.NoModifier)


def units(page):
    return page.view.left.units.list


def listed(page) -> list[tuple[str, str, bool]]:
    return [(line.words, line.label, line.is_repeat) for line in units(page).lines]


def test_all_units_are_listed_in_the_order_of_the_text(page):
    tester = QAbstractItemModelTester(units(page).units)
    match(page, "Cafés reopened", "cafés reopened")
    page.choose("On Monday")
    page.press(Qt.Key.Key_Return)
    page.select("The court")
    page.press(Qt.Key.Key_O)
    assert listed(page) == [
        ("The court", "", False),
        ("cafés reopened", "Cafés reopened", False),
        ("", "On Monday", False),
    ]
    assert page.view.left.below.tabs.button("units").text() == "Units 3"
    assert tester is not None


def test_shift_and_space_match_again_and_the_score_counts_the_repetition(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    assert page.matches() == [("Ban lifted", ["lifted the ban"]), ("Ban lifted", ["reopened"])]
    assert listed(page) == [("lifted the ban", "Ban lifted", False), ("reopened", "Ban lifted", True)]
    assert [mark.is_repeat for mark in page.view.text.marks] == [False, True]
    line = next(x for x in page.view.scus.tree.scus.lines if x.label == "Ban lifted")
    assert line.note == "2× · 2 parts"
    assert page.view.score._origins[1].text() == "Original: 1 matched SCU + 1 repetition = 2."
    assert page.view.score.arithmetic.rows[0].total == 2
    assert page.view.left.units.fact_label.text() == "67 % unmatched · 1 again"


def test_a_repetition_goes_alone_and_the_match_stays(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    units(page).setFocus()
    page.press(Qt.Key.Key_Home)
    page.press(Qt.Key.Key_Down)
    assert units(page).current_unit == units(page).lines[1].match_id
    page.press(Qt.Key.Key_X)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]


def test_the_first_expression_taken_away_leaves_the_other_as_the_match(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    units(page).setFocus()
    page.press(Qt.Key.Key_Home)
    page.press(Qt.Key.Key_Delete)
    assert listed(page) == [("reopened", "Ban lifted", False)]


def test_choosing_a_unit_lights_up_its_words_and_its_scu(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Cafés reopened", "cafés reopened")
    units(page).setFocus()
    page.press(Qt.Key.Key_Home)
    assert page.view.scus.tree.current_scu == page.ids["Ban lifted"]
    text = page.view.text
    assert [text._selected == mark.match_id for mark in text.marks] == [True, False]
    page.press(Qt.Key.Key_Return)
    assert text.hasFocus()
    assert text.selected_spans() == ((10, 24),)


def test_a_unit_is_assigned_to_another_scu_by_keys(page):
    match(page, "Ban lifted", "lifted the ban")
    page.select("lifted the ban")
    page.view.text.drop_selection()
    page.press(Qt.Key.Key_A)
    assert page.view._asking.isVisible()
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("On Monday", ["lifted the ban"])]
    assert not page.view._asking.isVisible()
    assert page.view.text.hasFocus()


def test_escape_leaves_the_unit_where_it_is(page):
    match(page, "Ban lifted", "lifted the ban")
    page.press(Qt.Key.Key_A)
    page.press(Qt.Key.Key_Escape)
    page.press(Qt.Key.Key_J)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]
    assert not page.view._asking.isVisible()


def test_o_on_a_chosen_unit_puts_it_outside_and_undo_brings_it_back(page):
    match(page, "Ban lifted", "lifted the ban")
    units(page).setFocus()
    page.press(Qt.Key.Key_Home)
    page.press(Qt.Key.Key_O)
    assert page.matches() == [("outside", ["lifted the ban"])]
    page.settle()
    page.press(Qt.Key.Key_Z, CTRL)
    page.qtbot.waitUntil(lambda: page.matches() == [("Ban lifted", ["lifted the ban"])])


def test_a_comment_is_kept_with_its_unit(page):
    match(page, "Ban lifted", "lifted the ban")
    page.press(Qt.Key.Key_C, SHIFT)
    page.qtbot.keyClicks(page.view.left.units.comment, "vague")
    page.press(Qt.Key.Key_Return, CTRL)
    assert [m.comment for m in page.stored().matches] == ["vague"]
    assert units(page).lines[0].comment == "vague"
    assert page.view.text.hasFocus()


def test_keys_step_through_words_in_no_unit(page, told):
    match(page, "Ban lifted", "lifted the ban")
    page.view.text.setFocus()
    page.press(Qt.Key.Key_Period)
    first = page.view.text.selected_spans()
    page.press(Qt.Key.Key_Period)
    second = page.view.text.selected_spans()
    content = page.summary.content
    assert [content[s:e] for s, e in (*first, *second)] == [
        "on the bridge 🌉 and cafés reopened",
        "The court",
    ]
    page.press(Qt.Key.Key_O)
    assert page.view.left.units.fact_label.text().startswith("5")


def test_enter_in_the_field_matches_what_was_found_with_the_selected_words(page):
    page.select("cafés reopened")
    page.press(Qt.Key.Key_Slash)
    page.qtbot.keyClicks(page.view.scus.field, "reopen")
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("Cafés reopened", ["cafés reopened"])]
    assert page.view.text.hasFocus()
    assert page.view.scus.field.text() == ""


def carry(page, what: DraggedItem, onto: str) -> None:
    """Drag something over the list of SCUs and let go; empty = over the place below them."""
    tree, mime = page.view.scus.tree, what.mime("words")
    tree.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), MOVE, mime, LEFT, NO_KEY))
    row = tree.visualRect(tree.scus.index_of(page.ids[onto])) if onto else tree._zone.geometry()
    tree.dragMoveEvent(QDragMoveEvent(row.center(), MOVE, mime, LEFT, NO_KEY))
    tree.dropEvent(QDropEvent(QPointF(row.center()), MOVE, mime, LEFT, NO_KEY))
    QApplication.processEvents()


def test_a_unit_dragged_onto_an_scu_expresses_it_and_onto_none_it_stands_outside(page):
    match(page, "Ban lifted", "lifted the ban")
    unit = DraggedItem(DragKind.UNIT, match_id=units(page).lines[0].match_id)
    carry(page, unit, "Cafés reopened")
    assert page.matches() == [("Cafés reopened", ["lifted the ban"])]
    carry(page, unit, "")
    assert page.matches() == [("outside", ["lifted the ban"])]


def test_words_dragged_onto_an_scu_match_it(page):
    page.select("cafés reopened")
    carry(page, DraggedItem(DragKind.WORDS), "Cafés reopened")
    page.select("The court")
    carry(page, DraggedItem(DragKind.WORDS), "")
    assert page.matches() == [("Cafés reopened", ["cafés reopened"]), ("outside", ["The court"])]


def test_nothing_else_is_dropped_onto_the_list_of_a_summary(page):
    carry(page, DraggedItem(DragKind.SCU, page.ids["On Monday"]), "Ban lifted")
    assert len(page.stored().pyramid.scus) == 3


def test_l_goes_to_the_units_and_escape_back(page):
    match(page, "Ban lifted", "lifted the ban")
    page.view.left.below.show_tab("flags")
    page.press(Qt.Key.Key_L)
    assert units(page).hasFocus()
    assert units(page).current_unit == units(page).lines[0].match_id
    page.press(Qt.Key.Key_Escape)
    assert page.view.text.hasFocus()


def test_menus_hold_what_the_keys_do(page):
    words = [action.text().replace("&", "") for action in units(page).actions() if not action.isSeparator()]
    assert words == [
        "Assign the unit to another SCU…",
        "Words are not in the pyramid",
        "Comment on the unit",
        "Unmatch",
    ]
    for widget in (page.view.text, page.view.scus.tree, units(page)):
        assert widget.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
        assert all(action.isEnabled() for action in widget.actions() if not action.isSeparator())


def test_choosing_a_unit_moves_nothing(page):
    match(page, "Ban lifted", "lifted the ban")
    page.choose("Cafés reopened")
    board = page.view.left.units
    QApplication.processEvents()
    at_rest = [(part.pos(), part.size()) for part in (board.list, board.comment, page.view.text)]
    page.view.unit_chosen.emit(units(page).lines[0].match_id)
    QApplication.processEvents()
    assert units(page).current_unit
    assert [(part.pos(), part.size()) for part in (board.list, board.comment, page.view.text)] == at_rest
    assert board.comment.isEnabled()
    page.choose("Cafés reopened")
    assert not board.comment.isEnabled(), "a comment needs a unit"
    page.press(Qt.Key.Key_X)
    page.choose("Ban lifted")
    page.press(Qt.Key.Key_X)
    page.qtbot.waitUntil(lambda: not units(page).lines)
    assert not board.comment.isVisible(), "without units the hint has the room"
