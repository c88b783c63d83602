"""Tabs of pages: keys, the rail and its counts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.gui.program import Program


@pytest.fixture
def program(qapp, qtbot, tmp_path, study) -> Program:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    return program


def test_tabs_are_reached_by_keys_and_a_page_shows_its_last_one(program) -> None:
    window, commands = program.window, program.context.commands
    commands.action("view.pyramids").trigger()
    assert window.page_key == "pyramids"
    program.wait_for_page()
    commands.action("view.next_tab").trigger()
    program.wait_for_page()
    page = program.page
    assert (window.page_key, page.title_label.text(), page.tabs.current) == ("matches", "Pyramids", "matches")
    commands.action("view.texts").trigger()
    program.wait_for_page()
    assert not commands.action("view.next_tab").isEnabled()
    window.rail.button("pyramids").click()
    assert window.page_key == "matches"
    commands.action("view.previous_tab").trigger()
    assert window.page_key == "pyramids"
    program.wait_for_page()
    program.page.tabs.button("pyramids").setFocus()
    program.press(Qt.Key.Key_Right)
    assert window.page_key == "matches"
    assert program.page.tabs.button("matches").hasFocus(), "arrows move on"


def test_ctrl_shift_and_the_digit_of_a_page_show_its_second_tab_from_anywhere(program) -> None:
    for digit, key in ((Qt.Key.Key_6, "agreement"), (Qt.Key.Key_3, "matches"), (Qt.Key.Key_5, "comparisons")):
        program.press(digit, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert program.window.page_key == key


def test_the_digit_of_a_page_shows_its_first_tab_and_again_the_next_one(program) -> None:
    def shown(*digits: Qt.Key) -> list[str]:
        seen = []
        for digit in digits:
            program.press(digit, Qt.KeyboardModifier.ControlModifier)
            seen.append(program.window.page_key)
        return seen

    six = Qt.Key.Key_6
    tabs = ["progress", "agreement", "adjudication", "assignment", "training"]
    assert shown(six, six, six, six, six, six) == [*tabs, "progress"]
    assert shown(six, Qt.Key.Key_2, Qt.Key.Key_2, six) == ["agreement", "texts", "texts", "progress"]


def test_a_tab_names_its_key(program) -> None:
    program.show("matches")
    tabs = program.page.tabs
    assert [tabs.button(key).toolTip() for key in tabs.keys] == [
        "Pyramids: Build (Ctrl+3)",
        "Pyramids: Match (Ctrl+Shift+3)",
    ]
    program.context.commands.use_keys({"view.pyramids": "F8", "tab.matches": ""})
    assert [tabs.button(key).toolTip() for key in tabs.keys] == ["Pyramids: Build (F8)", "Pyramids: Match"]


def test_a_page_with_tabs_shows_the_count_of_the_first_that_is_not_done(program) -> None:
    window = program.window
    button = window.rail.button("pyramids")
    window.show_progress({"pyramids": "2/2", "matches": "3/8"})
    assert (button.progress, button.accessibleName()) == ("3/8", "Pyramids Build 2/2, Match 3/8")
    window.show_progress({"pyramids": "1/2"})
    assert button.progress == "1/2"
    window.show_progress({"pyramids": "", "matches": ""})
    assert (button.progress, button.accessibleName()) == ("", "Pyramids")


def test_a_tab_shows_how_many_differences_are_left(program) -> None:
    window = program.window
    program.show("adjudication")
    program.wait(lambda: not program.controller.jobs.running())  # it counts them itself
    window.show_progress({"adjudication": "31"})
    program.show("assignment")
    assert program.page.tabs.button("adjudication").text() == "Differences 31", "also where it is built later"
    assert window.rail.button("team").accessibleName() == "Team Differences 31"
    window.show_progress({"adjudication": ""})
    assert program.page.tabs.button("adjudication").text() == "Differences"
