"""The tour of the pages: offered once, skipped or gone through, begun again from the menu."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt

from gui.shell.welcome import STEPS
from tests.gui.program import Program

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def program(qapp, qtbot, small_file, tmp_path):
    program = Program(qapp, qtbot, tmp_path)
    program.open(shutil.copy(small_file, tmp_path / "s.pyramidion"))
    yield program
    program.controller.close()


def test_each_step_shows_its_page_and_names_keys(program):
    tour = program.window.tour
    assert not tour.isVisible()
    program.controller.tour.offer()
    for place, (page, _) in enumerate(STEPS):
        assert program.window.page_key == page
        (text,) = tour.sentences
        assert text.startswith(f"Tour, {place + 1} of {len(STEPS)}:")
        assert "{" not in text
        assert tour.remedy_button.isVisible() == (place + 1 < len(STEPS))
        if tour.remedy_button.isVisible():
            program.qtbot.mouseClick(tour.remedy_button, LEFT)
    program.qtbot.mouseClick(tour.close_button, LEFT)
    assert not tour.isVisible()


def test_it_is_offered_once_and_begun_again_from_the_menu(program):
    tour = program.window.tour
    program.controller.tour.offer()
    program.qtbot.mouseClick(tour.close_button, LEFT)
    program.controller.tour.offer()
    assert not tour.isVisible()
    program.controller.commands.action("help.tour").trigger()
    assert tour.isVisible()
    program.controller.show_welcome()
    assert not tour.isVisible()
    assert not program.controller.commands.action("help.tour").isEnabled()
