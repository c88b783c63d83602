"""Commands: definitions, shortcuts, menus and the command palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenuBar, QPlainTextEdit, QSpinBox, QTextEdit, QVBoxLayout, QWidget

from gui.commands.definitions import COMMANDS, NAMES, Command, Menu, clashes
from gui.commands.registry import Commands
from gui.shell.main_window import CommandPalette, fuzzy_cost, ranked
from gui.style.icons import icon
from tests.gui.letters import press_in_both


def test_no_shortcut_triggers_two_commands() -> None:
    assert clashes(COMMANDS) == []


def test_shortcuts_clash_only_if_commands_share_a_page() -> None:
    anywhere = Command("a", "A", Menu.EDIT, "N")
    here = Command("b", "B", Menu.EDIT, "N", pages=("x",))
    there = Command("c", "C", Menu.EDIT, "N", pages=("y",))
    assert clashes([anywhere, here]) == [("a", "b", "N")]
    assert clashes([here, there]) == []


def test_every_command_has_a_label_and_every_icon_exists() -> None:
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)
    for command in COMMANDS:
        assert command.text.replace("&", "")
        if command.icon:
            assert not icon(command.icon).isNull()


def test_no_two_commands_of_one_menu_share_a_mnemonic() -> None:
    for menu in Menu:
        for page in ("pyramids", "matches", "ratings", "score", "compare", "resample", "studies", "report"):
            here = [c for c in COMMANDS if c.menu is menu and (not c.pages or page in c.pages)]
            texts = [*(c.text for c in here if not c.submenu), *{c.submenu for c in here if c.submenu}]
            letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
            assert len(letters) == len(set(letters)), (menu, page, texts)


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


def test_commands_are_on_each_page_as_if_it_were_the_first_one(qapp) -> None:
    root = QObject()

    def bound() -> Commands:
        commands = Commands(parent=root)
        commands.set_read_only("locked")
        for place, command in enumerate(COMMANDS):
            for page in (command.pages or ("", "score", "nuggets"))[: place % 4]:
                commands.bind(command.id, list, page)
                commands.allow(command.id, place % 5 > 0, page)
        return commands

    def state(commands: Commands) -> dict[str, tuple[bool, bool, str]]:
        return {one.id: (action.isEnabled(), action.isVisible(), action.text()) for one, action in commands}

    moved = bound()
    for page in ("pyramids", "nuggets", "hits", "score", "", "nuggets", "overview", "ratings", "pyramids"):
        fresh = bound()
        fresh.set_page(page)
        moved.set_page(page)
        assert state(moved) == state(fresh), page
    assert state(moved) != state(bound())
    root.deleteLater()


def test_a_command_works_only_on_its_page_and_with_a_handler(commands) -> None:
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


def test_a_shortcut_runs_the_handler_of_the_current_page(commands) -> None:
    done = []
    commands.bind("list.next", lambda: done.append("pyramids"), "pyramids")
    commands.bind("list.next", lambda: done.append("compare"), "compare")
    for page in ("compare", "pyramids"):
        commands.set_page(page)
        commands.action("list.next").trigger()
    assert done == ["compare", "pyramids"]


def test_a_disabled_command_cannot_be_triggered_until_it_is_enabled(commands) -> None:
    commands.bind("edit.undo", lambda: None)
    commands.allow("edit.undo", False)
    assert not commands.action("edit.undo").isEnabled()
    commands.allow("edit.undo", True)
    assert commands.action("edit.undo").isEnabled()


def test_forgetting_pages_keeps_global_handlers(commands) -> None:
    commands.bind("edit.undo", lambda: None)
    commands.bind("pyramid.merge", lambda: None, "pyramids")
    commands.set_page("pyramids")
    commands.forget_pages()
    assert commands.action("edit.undo").isEnabled()
    assert not commands.action("pyramid.merge").isEnabled()


def test_hints_list_the_active_shortcuts_of_the_page(commands) -> None:
    commands.bind("pyramid.new_scu", lambda: None, "pyramids")
    commands.bind("list.next", lambda: None, "pyramids")
    commands.bind("list.previous", lambda: None, "pyramids")
    commands.bind("help.keys", lambda: None)
    hints = [(hint.keys, hint.text) for hint in commands.hints("pyramids")]
    assert hints == [(("N",), "New SCU"), (("J", "K"), "Next, previous"), (("?",), "All shortcuts")]


@pytest.mark.parametrize("field_type", [QLineEdit, QPlainTextEdit, QTextEdit])
def test_single_letter_shortcuts_type_into_fields_and_work_elsewhere(commands, qtbot, field_type) -> None:
    rest = QTextEdit()
    rest.setReadOnly(True)
    assert press_in_both(commands, qtbot, Qt.Key.Key_N, field_type(), rest) == ("n", 0, 1)


def test_a_local_shortcut_works_only_in_its_widget(commands, qtbot) -> None:
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


def test_the_markdown_table_lists_every_shortcut(commands) -> None:
    table = commands.as_markdown()
    for _, action in commands:
        if not action.shortcut().isEmpty():
            assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in table


def test_the_palette_ranks_commands_by_fuzzy_match(commands) -> None:
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


def test_arrows_move_through_the_palette_and_wrap_around(commands, qtbot) -> None:
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
def test_frequent_pyramid_commands_have_a_single_key(commands, command_id) -> None:
    assert len(commands.action(command_id).shortcut().toString()) == 1


def test_menus_show_only_commands_of_the_current_page(commands, qtbot) -> None:
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


def test_no_menu_is_empty_on_any_page(commands, qtbot) -> None:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    commands.fill(bar)
    for page in ("", *NAMES):
        commands.set_page(page)
        for menu in (action.menu() for action in bar.actions()):
            assert any(entry.isVisible() and not entry.isSeparator() for entry in menu.actions())
