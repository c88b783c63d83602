"""Splitting, moving, merging and commenting on contributors, by keys and by drag and drop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from gui.annotation import drag_and_drop
from gui.annotation.drag_and_drop import DraggedItem, DragKind, read_dragged
from gui.annotation.scus.scu_tree import DropZone
from gui.pages.pyramid import edits
from gui.pages.pyramid.rows import ContributorRow, PartRow, ScuDetails
from gui.pages.pyramid.scu_details import ScuDetailsView
from storage.study_file import open_study
from tests.gui.pages.pyramid.pyramid_keys import CTRL, SHIFT, Page

MOVE, LEFT = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(made.view.isActiveWindow)
    return made


@pytest.fixture
def two(page):
    """Page with “Ban lifted” of both references, with two parts in A, and “Bridge reopened” of B."""
    page.make("A", "The court ruled", "Ban lifted")
    page.select("A", "the ban", "was void")
    page.press(Qt.Key.Key_A)
    page.select("B", "lifted the ban")
    page.press(Qt.Key.Key_A)
    page.make("B", "reopened", "Bridge reopened")
    page.choose("Ban lifted")
    return page


def tree_of(page):
    return page.view.scus.tree


def drop_onto(page, item: DraggedItem, onto: str) -> str:
    """Drag an item onto the list and return the id of the highlighted SCU. onto: empty for the drop zone."""
    tree = tree_of(page)
    mime = item.mime("words")
    enter(page, mime)
    if onto:
        point = tree.visualRect(tree.scus.index_of(page.scu(onto).id)).center()
    else:
        point = tree.findChild(DropZone).geometry().center()
    tree.dragMoveEvent(QDragMoveEvent(point, MOVE, mime, LEFT, NO_KEY))
    target = tree.itemDelegate().target
    event = QDropEvent(QPointF(point), MOVE, mime, LEFT, NO_KEY)
    tree.dropEvent(event)
    QApplication.processEvents()
    return target


def enter(page, mime: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(5, 5), MOVE, mime, LEFT, NO_KEY)
    tree_of(page).dragEnterEvent(event)
    return event


def parts(page, label: str, *places: int) -> DraggedItem:
    """Return contributors of an SCU, by their indexes, as a dragged item."""
    scu = page.scu(label)
    ids = tuple(part.id for at in places for part in scu.contributors[at].parts)
    return DraggedItem(DragKind.PARTS, scu.id, ids)


def matched_by_ben(page, label: str):
    """Return the annotation with a match of an SCU, made by another annotator in another process."""
    with open_study(page.context.study.path) as other:
        ben = other.annotators.get_or_create("Ben").id
        before = other.pyramids.annotation(page.topic.id, page.context.annotator.id)
        after = pyramid.add_match(before, page.topic.summaries[0].id, ben, page.scu(label).id, [(0, 9)])
        other.pyramids.commit(before, after, "match", ben).result()
    page.qtbot.waitUntil(lambda: page.presenter.annotation == after)
    return after


def test_s_splits_the_selected_contributor_and_opens_its_label(two):
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Space)
    assert two.view.details.contributors_caption.text() == "Contributors · 2 of 2 references · 1 selected"
    two.press(Qt.Key.Key_S)
    assert QApplication.focusWidget().text() == "lifted the ban"
    QApplication.focusWidget().selectAll()
    two.type("Judge acted")
    two.press(Qt.Key.Key_Return)
    assert two.labels() == ["Ban lifted", "Judge acted", "Bridge reopened"]
    assert two.words_of("Judge acted") == [["lifted the ban"]]
    assert two.words_of("Ban lifted") == [["The court ruled", "the ban", "was void"]]


def test_undoing_a_split_selects_and_focuses_the_original_contributors(two, qtbot):
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Space)
    two.press(Qt.Key.Key_S)
    two.wait_until_saved()
    two.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: two.labels() == ["Ban lifted", "Bridge reopened"])
    qtbot.waitUntil(lambda: two.context.selection.scu_id == two.scu("Ban lifted").id)
    qtbot.waitUntil(two.view.details.cards.hasFocus)


def test_ctrl_space_selects_parts_and_s_splits_them(two):
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Right)
    two.press(Qt.Key.Key_Space, CTRL)
    two.press(Qt.Key.Key_Right)
    two.press(Qt.Key.Key_Space, CTRL)
    two.press(Qt.Key.Key_S)
    two.press(Qt.Key.Key_Return)
    assert two.words_of("the ban was void") == [["the ban", "was void"]]
    assert two.words_of("Ban lifted") == [["The court ruled"], ["lifted the ban"]]


def test_the_focused_contributor_is_split_without_selecting_it(two):
    two.press(Qt.Key.Key_Less)
    two.press(Qt.Key.Key_S)
    two.press(Qt.Key.Key_Return)
    assert two.words_of("lifted the ban") == [["lifted the ban"]]


def test_s_without_a_selection_focuses_the_contributors_and_shows_a_message(two, requests):
    two.section("A").text.setFocus()
    two.press(Qt.Key.Key_S)
    assert two.view.details.cards.hasFocus()
    assert [sentence for sentence in requests.sentences if sentence] == [edits.SELECT_CONTRIBUTORS]
    assert two.labels() == ["Ban lifted", "Bridge reopened"]


def test_an_scu_cannot_be_split_completely(two, requests):
    two.choose("Bridge reopened")
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_S)
    assert "Something has to stay" in requests.sentences[-1]
    assert two.labels() == ["Ban lifted", "Bridge reopened"]


def test_v_moves_a_contributor_to_the_scu_selected_next(two):
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_V)
    assert two.view.prompt_label.isVisible()
    two.press(Qt.Key.Key_J)
    assert two.context.selection.scu_id == two.scu("Ban lifted").id
    two.press(Qt.Key.Key_Return)
    assert two.words_of("Bridge reopened") == [["reopened"], ["The court ruled", "the ban", "was void"]]
    assert two.view.edit_notice_label.text() == "Moved to “Bridge reopened”."
    assert two.context.selection.scu_id == two.scu("Bridge reopened").id


def test_a_click_on_a_row_answers_the_prompt(two, qtbot):
    two.press(Qt.Key.Key_M)
    tree = tree_of(two)
    row = tree.visualRect(tree.scus.index_of(two.scu("Bridge reopened").id)).center()
    qtbot.mouseClick(tree.viewport(), LEFT, pos=row)
    assert two.labels() == ["Ban lifted"]
    assert two.words_of("Ban lifted")[1] == ["lifted the ban", "reopened"]


def test_a_click_on_text_answers_the_prompt(two):
    two.press(Qt.Key.Key_M)
    two.view.references.unit_clicked.emit(two.scu("Bridge reopened").id)
    assert two.labels() == ["Ban lifted"]


def test_another_edit_closes_the_prompt(two):
    two.press(Qt.Key.Key_M)
    two.context.commands.action("pyramid.remove").trigger()
    assert not two.view.prompt_label.isVisible()
    assert two.labels() == ["Bridge reopened"]


def test_the_accessible_description_names_the_current_contributor_and_its_selection(two):
    cards = two.view.details.cards
    two.press(Qt.Key.Key_Less)
    assert cards.accessibleDescription() == "2 of 2: B: lifted the ban, 1 part · 3 words"
    two.press(Qt.Key.Key_Space)
    assert cards.accessibleDescription().startswith("2 of 2, selected: B")


def test_the_notice_below_the_list_describes_the_edit_and_undoes_it(two, qtbot):
    before = two.stored()
    two.press(Qt.Key.Key_M)
    two.press(Qt.Key.Key_J)
    two.press(Qt.Key.Key_Return)
    two.wait_until_saved()
    assert two.view.edit_notice_label.text() == "Merged into “Ban lifted”."
    assert not two.view.count_label.isVisible()
    qtbot.mouseClick(two.view.undo_link, LEFT)
    qtbot.waitUntil(lambda: len(tree_of(two).scus.visible()) == 2)
    assert two.stored() == before
    assert not two.view.edit_notice_label.isVisible()
    assert two.view.count_label.isVisible()


def test_undo_reverts_splits_moves_and_drags_exactly_including_matches_of_others(two, qtbot):
    matched = matched_by_ben(two, "Bridge reopened")
    states = [two.stored()]
    drop_onto(two, parts(two, "Ban lifted", 1), "")
    two.press(Qt.Key.Key_Return)
    states.append(two.stored())
    drop_onto(two, parts(two, "Bridge reopened", 0), "Ban lifted")
    states.append(two.stored())
    assert two.scu("Bridge reopened").weight == 0
    drop_onto(two, DraggedItem(DragKind.SCU, two.scu("lifted the ban").id), "Ban lifted")
    states.append(two.stored())
    assert states[-1].matches == matched.matches
    two.wait_until_saved()
    for state in states[-2::-1]:
        two.press(Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda state=state: two.presenter.annotation == state)
        assert two.stored() == state


def test_a_card_dragged_onto_a_row_moves_its_contributor(two):
    target = drop_onto(two, parts(two, "Ban lifted", 1), "Bridge reopened")
    assert target == two.scu("Bridge reopened").id
    assert two.words_of("Bridge reopened") == [["reopened", "lifted the ban"]]
    assert tree_of(two).itemDelegate().target == ""


def test_dragging_away_the_last_contributor_removes_its_scu(two):
    drop_onto(two, parts(two, "Bridge reopened", 0), "Ban lifted")
    assert two.labels() == ["Ban lifted"]
    assert (
        two.view.edit_notice_label.text()
        == "Moved to “Ban lifted”. “Bridge reopened” was left empty and removed."
    )


def test_a_row_dragged_onto_another_is_merged_into_it(two):
    drop_onto(two, DraggedItem(DragKind.SCU, two.scu("Bridge reopened").id), "Ban lifted")
    assert two.labels() == ["Ban lifted"]
    assert two.view.edit_notice_label.text() == "Merged into “Ban lifted”."


def test_an_scu_cannot_be_dropped_onto_itself(two):
    item = DraggedItem(DragKind.SCU, two.scu("Ban lifted").id)
    assert drop_onto(two, item, "Ban lifted") == ""
    assert two.labels() == ["Ban lifted", "Bridge reopened"]


def test_selected_text_dropped_onto_a_row_adds_a_contributor_and_elsewhere_an_scu(two):
    two.select("A", "on Monday")
    drop_onto(two, DraggedItem(DragKind.WORDS), "Bridge reopened")
    assert two.words_of("Bridge reopened") == [["reopened"], ["on Monday"]]
    two.select("B", "near the bridge", "at once")
    drop_onto(two, DraggedItem(DragKind.WORDS), "")
    two.press(Qt.Key.Key_Return)
    assert two.words_of("near the bridge at once") == [["near the bridge", "at once"]]


def test_dragging_out_of_the_list_changes_nothing_and_hides_the_drop_zone(two):
    before, tree = two.stored(), tree_of(two)
    mime = parts(two, "Ban lifted", 1).mime("x")
    assert enter(two, mime).isAccepted()
    assert tree.findChild(DropZone).isVisible()
    tree.dragLeaveEvent(QDragLeaveEvent())
    assert not tree.findChild(DropZone).isVisible()
    assert two.stored() == before


def test_items_dragged_from_other_programs_are_rejected(two):
    mime = QMimeData()
    mime.setText("words from elsewhere")
    assert not enter(two, mime).isAccepted()
    foreign = parts(two, "Ban lifted", 0).mime("x")
    foreign.setData(
        drag_and_drop.MIME_TYPE,
        foreign.data(drag_and_drop.MIME_TYPE).replace(b'"process": ', b'"process": 1'),
    )
    assert not enter(two, foreign).isAccepted()


def test_dragging_a_card_drags_it_and_a_selected_card_all_selected_parts(two, qtbot, monkeypatch):
    dragged_items = []
    monkeypatch.setattr(QDrag, "exec", lambda self, *_: dragged_items.append(read_dragged(self.mimeData())))
    cards, scu = two.view.details.cards, two.scu("Ban lifted")
    second = QPoint(60, cards.card_rect(1).center().y())

    def drag_second() -> None:
        qtbot.mousePress(cards, LEFT, pos=second)
        qtbot.mouseMove(cards, second + QPoint(0, 40))
        qtbot.mouseRelease(cards, LEFT, pos=second + QPoint(0, 40))

    drag_second()
    two.press(Qt.Key.Key_Space)
    two.press(Qt.Key.Key_Less)
    two.press(Qt.Key.Key_Space)
    drag_second()
    every = tuple(part.id for c in scu.contributors for part in c.parts)
    last = tuple(part.id for part in scu.contributors[1].parts)
    assert dragged_items == [
        DraggedItem(DragKind.PARTS, scu.id, last),
        DraggedItem(DragKind.PARTS, scu.id, every),
    ]


def test_dragging_a_row_drags_its_scu(two, qtbot, monkeypatch):
    dragged_items = []
    monkeypatch.setattr(QDrag, "exec", lambda self, *_: dragged_items.append(read_dragged(self.mimeData())))
    tree_of(two).choose(two.scu("Bridge reopened").id)
    tree_of(two).startDrag(MOVE)
    assert dragged_items == [DraggedItem(DragKind.SCU, two.scu("Bridge reopened").id)]


def test_stepping_through_contributors_wraps_around_and_scrolls_to_their_text(two):
    seen = []
    two.view.details.cards.part_chosen.connect(lambda contributor, _: seen.append(contributor))
    first, second = (c.id for c in two.scu("Ban lifted").contributors)
    for key in (Qt.Key.Key_Greater, Qt.Key.Key_Greater, Qt.Key.Key_Greater, Qt.Key.Key_Less):
        two.press(key)
    assert seen == [first, second, first, second]
    assert two.view.details.cards.hasFocus()


def test_a_comment_on_a_contributor_is_stored_and_shown_on_its_card(two):
    two.press(Qt.Key.Key_Less)
    two.press(Qt.Key.Key_C, SHIFT)
    two.type("only implied")
    two.press(Qt.Key.Key_Return, CTRL)
    assert [c.comment for c in two.scu("Ban lifted").contributors] == ["", "only implied"]
    assert two.view.details.cards.last_row.comment == "only implied"
    assert two.view.details.cards.hasFocus()
    assert not two.view.details.card_comment.isVisible()


def test_removing_an_scu_shows_the_number_of_removed_matches(two):
    matched_by_ben(two, "Bridge reopened")
    two.choose("Bridge reopened")
    two.section("A").text.setFocus()
    two.press(Qt.Key.Key_R)
    assert two.view.edit_notice_label.text() == "Removed “Bridge reopened” with 1 match."


def test_removing_a_contributor_or_a_part_shows_a_notice(two):
    two.press(Qt.Key.Key_Greater)
    two.press(Qt.Key.Key_Delete)
    assert two.view.edit_notice_label.text() == "Removed a part."
    two.press(Qt.Key.Key_R)
    assert two.view.edit_notice_label.text() == "Removed contributor A."
    assert two.words_of("Ban lifted") == [["lifted the ban"]]


def test_a_long_label_is_edited_in_a_field_that_shows_all_of_it(two):
    field = two.view.details.label_field
    one_line = field.height()
    field.setFocus()
    field.selectAll()
    two.type("The court decided on Monday that the ban on the old bridge had been void all along")
    QApplication.processEvents()
    assert field.height() > 1.3 * one_line
    two.press(Qt.Key.Key_Return)
    assert two.labels()[0].endswith("void all along")
    assert "\n" not in two.labels()[0]


def menu_of(widget) -> list[str]:
    assert widget.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    return [action.text() for action in widget.actions() if not action.isSeparator() and action.isEnabled()]


def test_rows_cards_and_texts_have_context_menus_of_the_commands(two):
    commands = two.context.commands
    split, merge, add = (
        commands.action(f"pyramid.{verb}").text() for verb in ("split", "merge", "add_contributor")
    )
    assert merge in menu_of(tree_of(two))
    assert split in menu_of(two.view.details.cards)
    assert {add} <= set(menu_of(two.section("A").text)) & set(menu_of(two.section("B").text))


def test_a_right_click_acts_on_the_row_or_card_under_the_pointer(two, qtbot):
    tree, cards = tree_of(two), two.view.details.cards
    row = tree.visualRect(tree.scus.index_of(two.scu("Bridge reopened").id)).center()
    qtbot.mousePress(tree.viewport(), Qt.MouseButton.RightButton, pos=row)
    qtbot.mouseRelease(tree.viewport(), Qt.MouseButton.RightButton, pos=row)
    assert two.context.selection.scu_id == two.scu("Bridge reopened").id
    two.choose("Ban lifted")
    second = cards.card_rect(1).center()
    qtbot.mousePress(cards, Qt.MouseButton.RightButton, pos=second)
    qtbot.mouseRelease(cards, Qt.MouseButton.RightButton, pos=second)
    two.context.commands.action("pyramid.split").trigger()
    two.press(Qt.Key.Key_Return)
    assert two.words_of("lifted the ban") == [["lifted the ban"]]


def test_shortcuts_order_and_collapse_the_list(two, qtbot):
    scus = two.view.scus
    two.press(Qt.Key.Key_O)
    qtbot.waitUntil(scus.order_menu.isVisible)
    qtbot.keyClick(scus.order_menu, Qt.Key.Key_L)
    assert tree_of(two).scus.visible() == (two.scu("Ban lifted").id, two.scu("Bridge reopened").id)
    assert scus.fact == "by label"
    two.press(Qt.Key.Key_O)
    qtbot.waitUntil(scus.order_menu.isVisible)
    qtbot.keyClick(scus.order_menu, Qt.Key.Key_W)
    two.press(Qt.Key.Key_H)
    tree = tree_of(two)
    assert tree.scus.collapsed == {1, 2}
    two.press(Qt.Key.Key_H)
    two.press(Qt.Key.Key_Minus)
    assert len(tree.scus.collapsed) == 1
    two.press(Qt.Key.Key_Plus)
    assert tree.scus.collapsed == frozenset()


def test_a_collapsed_weight_expands_when_dragged_over(two):
    tree = tree_of(two)
    tree.fold()
    head = tree.scus.index(1, 0)
    mime = parts(two, "Ban lifted", 1).mime("x")
    enter(two, mime)
    tree.dragMoveEvent(QDragMoveEvent(tree.visualRect(head).center(), MOVE, mime, LEFT, NO_KEY))
    assert tree.scus.collapsed == {2}
    assert tree.itemDelegate().target == ""


def test_stepping_through_many_contributors_keeps_the_current_one_visible(shown):
    letters = "ABCDEFGHIJ"
    lines = tuple(
        ContributorRow(letter, letter, (PartRow(f"{letter}1", "some words of it " * 6),), 24)
        for letter in letters
    )
    view = ScuDetailsView()
    shown(view).resize(260, 300)
    view.show_details(ScuDetails("scu", "Label", "", 10, 5, 10, lines, ()))
    QApplication.processEvents()
    for by in (*[+1] * 10, *[-1] * 9):
        view.cards.step(by)
        box = view.cards.current_rect
        top = view.cards.mapTo(view.viewport(), box.topLeft()).y()
        assert 0 <= top <= top + box.height() <= view.viewport().height()
