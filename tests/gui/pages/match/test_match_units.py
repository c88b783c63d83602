"""Units of a summary: listing, repetitions, reassigning and comments."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from gui.annotation.drag_and_drop import DraggedItem, DragKind
from gui.annotation.match_values import UnitRow
from gui.annotation.scus.scu_tree import DropZone
from gui.annotation.scus.unit_rows import LINE_ROLE
from gui.annotation.stored_text_field import NoteField
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


def outside(page):
    """The list of the units outside the pyramid."""
    return page.view.left.units.list


def units(page, label: str) -> list[UnitRow]:
    """Return the units below an SCU."""
    line = next(line for line in page.view.scus.tree.scus.lines if line.label == label)
    return [row for row in line.details if isinstance(row, UnitRow) and row.match_id]


def listed(page) -> list[tuple[str, str, bool]]:
    found = [row for line in page.view.scus.tree.scus.lines for row in units(page, line.label)]
    return [(row.words, row.label, row.is_repeat) for row in (*outside(page).rows, *found)]


def go_to_units(page, label: str) -> None:
    """Go to the first unit of an SCU by keys."""
    page.choose(label)
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_L)


def test_units_are_listed_below_their_scu_and_those_without_one_under_the_summary(page):
    tester = QAbstractItemModelTester(outside(page).units)
    match(page, "Cafés reopened", "cafés reopened")
    page.choose("On Monday")
    page.press(Qt.Key.Key_Return)
    page.select("The court")
    page.press(Qt.Key.Key_O)
    assert listed(page) == [
        ("The court", "", False),
        ("", "On Monday", False),
        ("cafés reopened", "Cafés reopened", False),
    ]
    assert page.view.left.units.fact_label.text().startswith("1 unit · ")
    assert tester is not None


def test_shift_space_adds_a_repetition_and_the_score_counts_it(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    assert page.matches() == [("Ban lifted", ["lifted the ban"]), ("Ban lifted", ["reopened"])]
    assert listed(page) == [("lifted the ban", "Ban lifted", False), ("reopened", "Ban lifted", True)]
    assert [mark.is_repeat for mark in page.view.left.text.marks] == [False, True]
    line = next(x for x in page.view.scus.tree.scus.lines if x.label == "Ban lifted")
    assert line.note == "2× · 2 parts"
    assert "Original: 1 matched SCU + 1 repetition = 2." in page.view.score.explanation_label.text()
    assert page.view.score.arithmetic.rows[0].total == 2
    assert page.view.left.units.fact_label.text() == "67 % unmatched · 1 repetition"


def test_removing_a_repetition_keeps_the_match(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    go_to_units(page, "Ban lifted")
    page.press(Qt.Key.Key_Down)
    assert (
        page.view.scus.tree.currentIndex().data(LINE_ROLE).match_id == units(page, "Ban lifted")[1].match_id
    )
    page.press(Qt.Key.Key_X)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]


def test_removing_the_match_turns_the_repetition_into_the_match(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Ban lifted", "reopened", again=True)
    go_to_units(page, "Ban lifted")
    page.press(Qt.Key.Key_Delete)
    assert listed(page) == [("reopened", "Ban lifted", False)]


def test_selecting_a_unit_selects_its_text_and_its_scu(page):
    match(page, "Ban lifted", "lifted the ban")
    match(page, "Cafés reopened", "cafés reopened")
    go_to_units(page, "Ban lifted")
    assert page.view.scus.tree.current_scu == page.ids["Ban lifted"]
    text = page.view.left.text
    assert [text.selected_unit == mark.match_id for mark in text.marks] == [True, False]
    page.press(Qt.Key.Key_Return)
    assert text.hasFocus()
    assert text.selected_spans() == ((10, 24),)


def test_a_unit_is_reassigned_by_keys(page):
    match(page, "Ban lifted", "lifted the ban")
    page.select("lifted the ban")
    page.view.left.text.drop_selection()
    page.press(Qt.Key.Key_A)
    assert page.view.prompt_label.isVisible()
    page.press(Qt.Key.Key_J)
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("On Monday", ["lifted the ban"])]
    assert not page.view.prompt_label.isVisible()
    assert page.view.left.text.hasFocus()


def test_escape_cancels_reassigning(page):
    match(page, "Ban lifted", "lifted the ban")
    page.press(Qt.Key.Key_A)
    page.press(Qt.Key.Key_Escape)
    page.press(Qt.Key.Key_J)
    assert page.matches() == [("Ban lifted", ["lifted the ban"])]
    assert not page.view.prompt_label.isVisible()


def test_o_marks_a_selected_unit_as_not_in_the_pyramid_and_undo_reverts_it(page):
    match(page, "Ban lifted", "lifted the ban")
    go_to_units(page, "Ban lifted")
    page.press(Qt.Key.Key_O)
    assert page.matches() == [("outside", ["lifted the ban"])]
    page.wait_until_saved()
    page.press(Qt.Key.Key_Z, CTRL)
    page.qtbot.waitUntil(lambda: page.matches() == [("Ban lifted", ["lifted the ban"])])


def test_a_comment_is_stored_with_its_unit(page):
    match(page, "Ban lifted", "lifted the ban")
    page.press(Qt.Key.Key_C, SHIFT)
    field = QApplication.focusWidget()
    assert isinstance(field, NoteField)
    page.qtbot.keyClicks(field, "vague")
    page.press(Qt.Key.Key_Return, CTRL)
    assert [m.comment for m in page.stored().matches] == ["vague"]
    assert units(page, "Ban lifted")[0].comment == "vague"
    assert page.view.left.text.hasFocus()


def test_a_comment_opens_below_a_unit_outside_the_pyramid_too(page):
    page.select("The court")
    page.press(Qt.Key.Key_O)
    page.press(Qt.Key.Key_C, SHIFT)
    field = QApplication.focusWidget()
    row = outside(page).visualRect(outside(page).units.index(0, 0))
    assert row.contains(field.geometry())
    page.qtbot.keyClicks(field, "who?")
    page.press(Qt.Key.Key_Return, CTRL)
    assert [row.comment for row in outside(page).rows] == ["who?"]
    assert page.view.left.text.hasFocus()


def test_keys_step_through_unmatched_text(page, requests):
    match(page, "Ban lifted", "lifted the ban")
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_Period)
    first = page.view.left.text.selected_spans()
    page.press(Qt.Key.Key_Period)
    second = page.view.left.text.selected_spans()
    content = page.summary.content
    assert [content[s:e] for s, e in (*first, *second)] == [
        "on the bridge 🌉 and cafés reopened",
        "The court",
    ]
    page.press(Qt.Key.Key_O)
    assert page.view.left.units.fact_label.text() == "1 unit · 58 % unmatched"


def test_enter_in_the_search_field_matches_the_found_scu_with_the_selected_text(page):
    page.select("cafés reopened")
    page.press(Qt.Key.Key_Slash)
    page.qtbot.keyClicks(page.view.scus.field, "reopen")
    page.press(Qt.Key.Key_Return)
    assert page.matches() == [("Cafés reopened", ["cafés reopened"])]
    assert page.view.left.text.hasFocus()
    assert page.view.scus.field.text() == ""


def drop_onto(page, item: DraggedItem, onto: str) -> None:
    """Drag an item onto an SCU of the list. onto: empty for the drop zone."""
    tree, mime = page.view.scus.tree, item.mime("words")
    tree.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), MOVE, mime, LEFT, NO_KEY))
    row = tree.visualRect(tree.scus.index_of(page.ids[onto])) if onto else tree.findChild(DropZone).geometry()
    tree.dragMoveEvent(QDragMoveEvent(row.center(), MOVE, mime, LEFT, NO_KEY))
    tree.dropEvent(QDropEvent(QPointF(row.center()), MOVE, mime, LEFT, NO_KEY))
    QApplication.processEvents()


def test_a_unit_dragged_onto_an_scu_or_the_drop_zone_is_reassigned(page):
    match(page, "Ban lifted", "lifted the ban")
    unit = DraggedItem(DragKind.UNIT, match_id=units(page, "Ban lifted")[0].match_id)
    drop_onto(page, unit, "Cafés reopened")
    assert page.matches() == [("Cafés reopened", ["lifted the ban"])]
    drop_onto(page, unit, "")
    assert page.matches() == [("outside", ["lifted the ban"])]


def test_text_dragged_onto_an_scu_matches_it(page):
    page.select("cafés reopened")
    drop_onto(page, DraggedItem(DragKind.WORDS), "Cafés reopened")
    page.select("The court")
    drop_onto(page, DraggedItem(DragKind.WORDS), "")
    assert page.matches() == [("Cafés reopened", ["cafés reopened"]), ("outside", ["The court"])]


def test_an_scu_cannot_be_dropped_onto_another(page):
    drop_onto(page, DraggedItem(DragKind.SCU, page.ids["On Monday"]), "Ban lifted")
    assert len(page.stored().pyramid.scus) == 3


def test_l_focuses_the_units_and_escape_restores_the_focus(page):
    match(page, "Ban lifted", "lifted the ban")
    page.press(Qt.Key.Key_L)
    assert page.view.scus.tree.is_in_unit
    page.press(Qt.Key.Key_Escape)
    assert page.view.left.text.hasFocus()
    page.select("The court")
    page.press(Qt.Key.Key_O)
    page.choose("On Monday")
    page.press(Qt.Key.Key_L)
    assert outside(page).hasFocus()
    assert outside(page).current_unit == outside(page).rows[0].match_id
    page.press(Qt.Key.Key_Escape)
    assert page.view.left.text.hasFocus()


def test_context_menus_have_the_commands_of_the_shortcuts(page):
    words = [action.text().replace("&", "") for action in outside(page).actions() if not action.isSeparator()]
    assert words == [
        "Assign unit to another SCU…",
        "Mark as not in pyramid",
        "Comment on the unit",
        "Unmatch",
    ]
    for widget in (page.view.left.text, page.view.scus.tree, outside(page)):
        assert widget.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
        assert all(action.isEnabled() for action in widget.actions() if not action.isSeparator())
