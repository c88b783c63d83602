"""User-defined shortcuts: clashes are refused, and all texts that name a shortcut are updated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from core.files.preferences import PreferencesFile
from gui.commands.definitions import Command, KeyGroup, KeyRow, Menu, clashes, shortcut_error, with_shortcuts
from gui.commands.registry import key_labels, merge_numbered_rows
from gui.shell.help.help_controller import KeyOverlay, balanced
from gui.shell.help.shortcut_settings import KeysPane
from tests.gui.letters import press_in_both

HERE = Command("here", "&Here", Menu.EDIT, "N", pages=("x",))
THERE = Command("there", "&There", Menu.EDIT, "M", pages=("y",))
ANYWHERE = Command("any", "An&ywhere", Menu.EDIT, "Ctrl+R", also="Ctrl+E")


@pytest.fixture
def pane(commands, qtbot) -> KeysPane:
    made = KeysPane(commands.keys({"pyramids": "Pyramids"}), commands.refusal)
    qtbot.addWidget(made)
    made.show()
    return made


def key_of(commands: list[Command], command_id: str) -> list[str]:
    return [k.toString() for c in commands if c.id == command_id for k in c.sequences()]


def test_a_custom_shortcut_replaces_all_shortcuts_of_its_command_only() -> None:
    mapped = with_shortcuts([HERE, ANYWHERE], {"any": "F6", "gone": "F7"})
    assert key_of(mapped, "any") == ["F6"]
    assert key_of(mapped, "here") == ["N"]
    assert key_of(with_shortcuts([HERE], {"here": ""}), "here") == []


def test_two_commands_can_swap_shortcuts_but_not_share_one() -> None:
    swapped = with_shortcuts([HERE, ANYWHERE], {"any": "N", "here": "Ctrl+R"})
    assert (key_of(swapped, "any"), key_of(swapped, "here")) == (["N"], ["Ctrl+R"])
    assert clashes(with_shortcuts([HERE, ANYWHERE], {"any": "N"})) == []
    assert key_of(with_shortcuts([HERE, ANYWHERE], {"any": "N"}), "any") == ["Ctrl+R", "Ctrl+E"]


def test_a_taken_shortcut_is_refused_with_the_name_of_its_command() -> None:
    assert "“Here”" in shortcut_error([HERE, THERE, ANYWHERE], "any", "N")
    assert "“Anywhere”" in shortcut_error([HERE, THERE, ANYWHERE], "here", "Ctrl+E")
    assert shortcut_error([HERE, THERE, ANYWHERE], "here", "M") == ""
    assert shortcut_error([HERE, THERE, ANYWHERE], "here", "") == ""


@pytest.mark.parametrize("key", ["Tab", "Return", "Shift+Right", "Ctrl+C", "Esc"])
def test_keys_reserved_for_widgets_are_refused(key) -> None:
    assert "Choose another key" in shortcut_error([HERE], "here", key)


def test_the_overlay_lists_the_shortcuts_of_scales_and_texts_too(
    qapp, context, shown, qtbot, tmp_path
) -> None:
    from gui.app import PAGES
    from gui.shell.help.help_controller import HelpController, Manual
    from gui.shell.main_window import MainWindow

    window = MainWindow(context.commands, PAGES)
    qtbot.addWidget(window)
    window.show()
    window.show_study(context)
    window.show_page("ratings")
    manual = Manual(lambda _: [], dict)
    helping = HelpController(window, context.commands, manual, context.jobs)
    helping.show_keys()
    titles = [group.title for column in helping.overlay.columns for group in column]
    helping.overlay.close()
    assert titles[:3] == ["On a scale", "Ratings: Scales", "In a text"]


def test_messages_name_the_current_shortcut_or_the_menu_label(commands) -> None:
    sentence = "Press {list.next}, {unknown} {}."
    assert commands.expand_shortcuts(sentence) == "Press J, {unknown} {}."
    commands.use_keys({"list.next": "Alt+W"})
    assert commands.expand_shortcuts(sentence) == "Press Alt+W, {unknown} {}."
    commands.use_keys({"list.next": ""})
    assert commands.expand_shortcuts(sentence) == "Press “Next in list” in the menu, {unknown} {}."


@given(st.dictionaries(st.sampled_from(["here", "there", "any"]), st.sampled_from(["N", "M", "Ctrl+E", ""])))
def test_custom_shortcuts_never_trigger_two_commands(keys) -> None:
    assert clashes(with_shortcuts([HERE, THERE, ANYWHERE], keys)) == []


def test_tooltips_hints_and_help_follow_a_changed_shortcut(commands, qtbot) -> None:
    commands.bind("pyramid.new_scu", lambda: None, "pyramids")
    commands.set_page("pyramids")
    with qtbot.waitSignal(commands.keys_changed):
        commands.use_keys({"pyramid.new_scu": "F8"})
    action = commands.action("pyramid.new_scu")
    assert action.toolTip().endswith("(F8)")
    assert [hint.keys for hint in commands.hints("pyramids")] == [("F8",)]
    assert "| F8 |" in commands.as_markdown()
    assert commands.groups("pyramids", "Pyramids")[0].lines[0].keys == (("F8",),)
    commands.use_keys({})
    assert action.shortcut().toString() == "N"


def test_a_custom_letter_shortcut_can_be_typed_into_text_fields(commands, qtbot) -> None:
    rest = QWidget()
    rest.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    commands.use_keys({"pyramid.new_scu": "Z"})
    assert press_in_both(commands, qtbot, Qt.Key.Key_Z, QLineEdit(), rest) == ("z", 0, 1)


def test_pressing_a_key_in_the_field_sets_the_shortcut(pane, qtbot) -> None:
    pane.choose("pyramid.new_scu")
    qtbot.keyClick(pane.key_field, Qt.Key.Key_F8)
    assert pane.chosen == {"pyramid.new_scu": "F8"}
    assert pane.own_button.isEnabled()
    pane.own_button.click()
    assert pane.chosen == {}
    assert pane.key_field.keySequence().toString() == "N"


def test_a_clash_is_refused_with_a_message_and_the_shortcut_stays(pane, qtbot) -> None:
    pane.choose("pyramid.new_scu")
    qtbot.keyClick(pane.key_field, Qt.Key.Key_A)
    assert "“Add selection as contributor”" in pane.refusal_label.text()
    assert pane.chosen == {}
    assert pane.key_field.keySequence().toString() == "N"
    pane.choose("view.light")
    assert pane.refusal_label.text() == ""


def test_a_removed_shortcut_can_be_assigned_to_another_command(pane) -> None:
    pane.choose("pyramid.add_contributor")
    assert pane.give("")
    pane.choose("pyramid.new_scu")
    assert pane.give("A")
    assert pane.chosen == {"pyramid.add_contributor": "", "pyramid.new_scu": "A"}
    pane.choose("pyramid.add_contributor")
    pane.take_back()
    assert "“New SCU from selection”" in pane.refusal_label.text()
    pane.all_button.click()
    assert pane.chosen == {}


def test_finding_a_command_narrows_the_list(pane) -> None:
    pane.find_field.setText("reset text size")
    assert pane.table.sorted.rowCount() == 1


def test_preferences_store_shortcuts_and_ignore_invalid_values(tmp_path) -> None:
    path = tmp_path / "settings.json"
    PreferencesFile(path).change(keys=(("pyramid.new_scu", "F9"),), line_width=75, reference_layout="beside")
    again = PreferencesFile(path).now
    assert (again.keys, again.line_width, again.reference_layout) == (
        (("pyramid.new_scu", "F9"),),
        75,
        "beside",
    )
    path.write_text('{"keys": [["a"], 3], "reference_layout": "heap", "line_width": "wide"}', "utf-8")
    odd = PreferencesFile(path).now
    assert (odd.keys, odd.reference_layout, odd.line_width) == ((), "stacked", 0)


@pytest.mark.parametrize(
    ("key", "shown"),
    [("Ctrl++", ["Ctrl", "+"]), ("+", ["+"]), ("Return", ["Enter"]), ("Alt+Shift+A", ["Alt", "Shift", "A"])],
)
def test_shortcuts_are_shown_as_key_labels(qapp, key, shown) -> None:
    assert key_labels(QKeySequence(key)) == shown


def test_commands_that_differ_by_a_number_share_one_row() -> None:
    lines = [KeyRow((("Alt", str(n)),), f"Only reference {n}") for n in range(1, 10)]
    other = KeyRow((("B",),), "Beside")
    assert merge_numbered_rows([other, *lines]) == [
        other,
        KeyRow((("Alt", "1"), ("Alt", "9")), "Only reference 1 to 9", "to"),
    ]


def test_groups_fill_columns_of_similar_height_in_order() -> None:
    groups = [KeyGroup(str(n), (KeyRow((("A",),), "a"),) * size) for n, size in enumerate((10, 4, 4, 8))]
    assert [[g.title for g in column] for column in balanced(groups, 3)] == [["0"], ["1", "2"], ["3"]]


def test_the_overlay_closes_with_escape_and_its_own_shortcut(qtbot) -> None:
    for key in (Qt.Key.Key_Escape, "?"):
        overlay = KeyOverlay("Keys", [KeyGroup("Edit", (KeyRow((("N",),), "New"),))])
        qtbot.addWidget(overlay)
        overlay.show()
        qtbot.keyClick(overlay, key)
        assert not overlay.isVisible()
