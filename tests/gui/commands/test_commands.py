from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenuBar, QPlainTextEdit, QSpinBox, QTextEdit, QVBoxLayout, QWidget

from gui.commands.definitions import COMMANDS, Command, Menu, clashes
from gui.commands.registry import Commands
from gui.shell.command_palette import CommandPalette, fuzzy_cost, ranked
from gui.style.icons import icon
from tests.gui.letters import press_in_both


@pytest.fixture
def commands(qapp) -> Commands:
    return Commands()


def test_no_key_sets_off_two_commands() -> None:
    assert clashes(COMMANDS) == []


def test_clashes_are_found_where_commands_meet_and_only_there() -> None:
    anywhere = Command("a", "A", Menu.EDIT, "N")
    here = Command("b", "B", Menu.EDIT, "N", pages=("x",))
    there = Command("c", "C", Menu.EDIT, "N", pages=("y",))
    assert clashes([anywhere, here]) == [("a", "b", "N")]
    assert clashes([here, there]) == []


def test_every_command_has_words_and_every_icon_exists() -> None:
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)
    for command in COMMANDS:
        assert command.text.replace("&", "")
        if command.icon:
            assert not icon(command.icon).isNull()


def test_no_two_commands_of_one_menu_share_a_mnemonic() -> None:
    for menu in Menu:
        for pages in ("pyramids", "matches", "ratings", "score", "compare", "report"):
            texts = [c.text for c in COMMANDS if c.menu is menu and (not c.pages or pages in c.pages)]
            letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
            assert len(letters) == len(set(letters)), (menu, pages, texts)


def test_every_command_is_in_a_menu(commands, qtbot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    commands.fill(bar)

    def leaves(menu):
        for action in menu.actions():
            if action.menu() is not None:
                yield from leaves(action.menu())
            elif not action.isSeparator():
                yield action

    assert {id(action) for action in leaves(bar)} == {id(action) for _, action in commands}


def test_a_command_works_on_its_page_alone_and_only_once_it_has_a_handler(commands) -> None:
    done = []
    action = commands.action("pyramid.new_scu")
    commands.set_page("pyramids")
    assert not action.isEnabled()
    commands.bind("pyramid.new_scu", lambda: done.append("scu"), "pyramids")
    assert action.isEnabled()
    action.trigger()
    commands.set_page("matches")
    assert not action.isEnabled()
    assert done == ["scu"]


def test_one_key_does_what_the_page_in_front_says(commands) -> None:
    done = []
    commands.bind("list.next", lambda: done.append("pyramids"), "pyramids")
    commands.bind("list.next", lambda: done.append("compare"), "compare")
    for page in ("compare", "pyramids"):
        commands.set_page(page)
        commands.action("list.next").trigger()
    assert done == ["compare", "pyramids"]


def test_a_forbidden_command_cannot_be_chosen_until_it_is_allowed(commands) -> None:
    commands.bind("edit.undo", lambda: None)
    commands.allow("edit.undo", False)
    assert not commands.action("edit.undo").isEnabled()
    commands.allow("edit.undo", True)
    assert commands.action("edit.undo").isEnabled()


def test_forgetting_pages_keeps_what_works_everywhere(commands) -> None:
    commands.bind("edit.undo", lambda: None)
    commands.bind("pyramid.merge", lambda: None, "pyramids")
    commands.set_page("pyramids")
    commands.forget_pages()
    assert commands.action("edit.undo").isEnabled()
    assert not commands.action("pyramid.merge").isEnabled()


def test_hints_name_the_keys_of_the_page_that_do_something(commands) -> None:
    commands.bind("pyramid.new_scu", lambda: None, "pyramids")
    commands.bind("list.next", lambda: None, "pyramids")
    commands.bind("list.previous", lambda: None, "pyramids")
    commands.bind("help.keys", lambda: None)
    hints = [(hint.keys, hint.text) for hint in commands.hints("pyramids")]
    assert hints == [(("N",), "New SCU"), (("J", "K"), "Next, previous"), (("?",), "All shortcuts")]


@pytest.mark.parametrize("field_type", [QLineEdit, QPlainTextEdit, QTextEdit])
def test_keys_of_one_letter_are_written_into_fields_and_work_elsewhere(commands, qtbot, field_type) -> None:
    rest = QTextEdit()
    rest.setReadOnly(True)
    assert press_in_both(commands, qtbot, Qt.Key.Key_N, field_type(), rest) == ("n", 0, 1)


def test_a_local_key_works_in_its_widget_alone(commands, qtbot) -> None:
    window, inside, outside = QWidget(), QTextEdit(), QSpinBox()
    inside.setReadOnly(True)
    box = QVBoxLayout(window)
    box.addWidget(inside)
    box.addWidget(outside)
    qtbot.addWidget(window)
    done = []
    commands.bind("match.match_without", lambda: done.append("match"), "matches")
    commands.set_page("matches")
    commands.add_to_widget("match.match_without", inside)
    window.show()
    window.activateWindow()
    qtbot.waitExposed(window)
    outside.setFocus()
    qtbot.waitUntil(outside.hasFocus)
    qtbot.keyClick(outside, Qt.Key.Key_Return)
    assert done == []
    inside.setFocus()
    qtbot.waitUntil(inside.hasFocus)
    qtbot.keyClick(inside, Qt.Key.Key_Return)
    assert done == ["match"]


def test_the_table_of_keys_has_every_key(commands) -> None:
    table = commands.as_markdown()
    for _, action in commands:
        if not action.shortcut().isEmpty():
            assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in table


def test_letters_in_order_find_a_command_and_closer_ones_come_first(commands) -> None:
    actions = [(str(command.menu), action) for command, action in commands]
    assert ranked("imp", actions)[0][1] is commands.action("study.import")
    assert ranked("qzx", actions) == []
    assert fuzzy_cost("undo", "Undo") == 0
    assert fuzzy_cost("udo", "Undo") == 1
    assert fuzzy_cost("do", "Undo") == 5
    assert fuzzy_cost("od", "Undo") is None


def test_the_palette_runs_the_first_command_on_enter(commands, qtbot) -> None:
    done = []
    commands.bind("study.import", lambda: done.append("import"))
    actions = [(str(c.menu), a) for c, a in commands]
    palette = CommandPalette(actions)
    qtbot.addWidget(palette)
    palette.show()
    qtbot.keyClicks(palette.field, "import")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["import"]
    assert not palette.isVisible()


def test_arrows_move_through_the_palette_and_around_its_end(commands, qtbot) -> None:
    palette = CommandPalette([(str(c.menu), a) for c, a in commands][:3])
    qtbot.addWidget(palette)
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Up, 2)):
        qtbot.keyClick(palette.field, key)
        assert palette.list.currentIndex().row() == row


@pytest.mark.parametrize(
    "command_id",
    [
        "pyramid.new_scu",
        "pyramid.add_contributor",
        "pyramid.remove",
        "pyramid.label",
        "pyramid.order",
        "list.fold",
        "pyramid.comment",
        "pyramid.merge",
        "pyramid.split",
        "pyramid.move",
        "pyramid.next_contributor",
        "pyramid.previous_contributor",
        "list.next",
        "list.previous",
        "edit.find",
        "help.keys",
    ],
)
def test_what_a_pyramid_is_made_by_has_a_single_key(commands, command_id) -> None:
    assert len(commands.action(command_id).shortcut().toString()) == 1


def test_menus_show_what_can_be_done_on_the_page_in_front_alone(commands, qtbot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    commands.fill(bar)
    annotate = next(action.menu() for action in bar.actions() if action.text() == Menu.ANNOTATE)
    contributors = next(a for a in annotate.actions() if a.text() == "Contributors")
    for page, is_there in (("pyramids", True), ("ratings", False), ("pyramids", True)):
        commands.set_page(page)
        annotate.aboutToShow.emit()
        assert commands.action("pyramid.new_scu").isVisible() is is_there
        assert contributors.isVisible() is is_there
        assert commands.action("rating.clear").isVisible() is not is_there
        assert commands.action("topic.next").isVisible()


def test_a_menu_with_nothing_for_the_page_in_front_does_not_open(commands, qtbot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    commands.fill(bar)
    compare = next(action for action in bar.actions() if action.text() == Menu.COMPARE)
    for page, opens in (("overview", False), ("compare", True), ("pyramids", False)):
        commands.set_page(page)
        assert compare.isEnabled() is opens
    assert all(action.isEnabled() for action in bar.actions() if action is not compare)
