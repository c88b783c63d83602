"""A study that cannot be written, in the window."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from gui.app import PAGES, build_window
from gui.commands.definitions import COMMANDS, EDITING_COMMANDS

pytestmark = pytest.mark.slow


@pytest.fixture
def read_only_path(sample_file, tmp_path, monkeypatch):
    """The sample in a folder that cannot be written; as root may write anywhere, access() is replaced."""
    folder = tmp_path / "media"
    folder.mkdir()
    path = folder / "sample.pyramidion"
    shutil.copy(sample_file, path)
    access = os.access

    def refused(place, mode, **more):
        is_inside = Path(place).absolute().is_relative_to(folder)
        return False if is_inside and mode & os.W_OK else access(place, mode, **more)

    monkeypatch.setattr(os, "access", refused)
    yield path
    assert [place.name for place in folder.iterdir()] == [path.name]
    assert path.read_bytes() == sample_file.read_bytes()


@pytest.fixture
def read_only_controller(qapp, qtbot, tmp_path, read_only_path):
    """The window with every page, on the study."""
    controller, window = build_window(qapp, tmp_path / "settings.json", PAGES)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    controller.start(read_only_path)
    qtbot.waitUntil(lambda: controller.context is not None)
    yield controller
    controller.close()


def test_every_page_shows_a_study_that_cannot_be_written(read_only_controller, qtbot):
    window = read_only_controller.parent()
    assert "(read-only)" in window.windowTitle()
    for key in window.page_keys:
        window.show_page(key)
        page = window.stack.currentWidget()
        assert page.save_state.saved_label.text() == "Read-only"
        assert "copy it to a writable folder" in page.save_state.saved_label.toolTip()
        qtbot.wait(1)


def test_commands_that_change_the_study_are_disabled_with_the_reason(read_only_controller):
    window, commands = read_only_controller.parent(), read_only_controller.context.commands
    for key in ("pyramids", "matches", "ratings", "score"):
        window.show_page(key)
        for command in EDITING_COMMANDS:
            assert not commands.action(command).isEnabled(), command
            assert "copy it to a writable folder" in commands.action(command).toolTip()
    assert commands.action("topic.next").isEnabled() or commands.action("view.texts").isEnabled()


def test_commands_are_enabled_again_for_another_study(read_only_controller, qtbot, study):
    study.close()
    read_only_controller.open_path(study.path)
    qtbot.waitUntil(lambda: read_only_controller.context.study.path == study.path)
    assert read_only_controller.context.commands.action("study.import").isEnabled()
    assert "read-only" not in read_only_controller.parent().windowTitle()


def test_the_work_of_a_known_annotator_is_shown(read_only_controller):
    assert read_only_controller.context.annotator.name == "Annotator A"


def test_closing_a_study_that_cannot_be_written_makes_no_backup(read_only_controller):
    read_only_controller.show_welcome()
    assert not read_only_controller.backup_controller.is_busy


def test_every_changing_command_exists():
    assert {command.id for command in COMMANDS} >= EDITING_COMMANDS


def test_widgets_that_edit_are_locked_with_the_reason(read_only_controller, qtbot):
    window = read_only_controller.parent()
    overview, pyramids, matches, ratings = _pages(window, "overview", "pyramids", "matches", "ratings")
    qtbot.waitUntil(lambda: bool(ratings.scales))
    (score,) = _pages(window, "score")
    locked = (
        overview.language_box,
        *(pyramids.new_button, pyramids.reopen_button, pyramids.guidelines.write_button),
        *(matches.left.flag_button, matches.left.units.outside_button, matches.reopen_button),
        *(ratings.edit_button, ratings.add_button, *ratings.scales[0].buttons.values()),
        *(score.run_button, score.training_button),
    )
    for widget in locked:
        assert not widget.isEnabled(), widget.accessibleName()
        assert "copy it to a writable folder" in widget.toolTip()
    for field in (pyramids.details.label_field, pyramids.details.comment, matches.note):
        assert field.isReadOnly()
        assert "copy it to a writable folder" in field.toolTip()


def test_mark_done_is_locked_and_going_on_is_not(read_only_controller, qtbot):
    (matches,) = _pages(read_only_controller.parent(), "matches")
    qtbot.waitUntil(matches.done_button.isVisible)
    for is_done in (False, True, False):
        matches.show_state("", is_done=is_done, is_flagged=False, note="")
        assert matches.done_button.isEnabled() == is_done
        assert ("copy it to a writable folder" in matches.done_button.toolTip()) != is_done


@pytest.mark.parametrize(
    ("page", "keys"), [("pyramids", (Qt.Key.Key_N,)), ("ratings", (Qt.Key.Key_3, Qt.Key.Key_4))]
)
def test_keys_that_edit_show_the_reason_in_the_status_line(read_only_controller, qtbot, page, keys):
    """Two ratings are tried, for the summary in front may have one of them already."""
    window = read_only_controller.parent()
    (view,) = _pages(window, page)
    qtbot.waitUntil(lambda: page != "ratings" or bool(view.scales))
    if page == "ratings":
        view.scales[0].setFocus()

    def shows_reason() -> bool:
        """Press until the reason shows: filling the page may clear the sentence."""
        for key in keys:
            QTest.keyClick(view.scales[0] if page == "ratings" else window, key)
        return "open read-only" in window.status.sentence_label.text()

    qtbot.waitUntil(shows_reason)
    assert not [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]


def test_widgets_of_another_study_are_not_locked(read_only_controller, qtbot, study):
    study.close()
    read_only_controller.open_path(study.path)
    qtbot.waitUntil(lambda: read_only_controller.context.study.path == study.path)
    (overview,) = _pages(read_only_controller.parent(), "overview")
    assert overview.language_box.isEnabled()
    assert "copy it to a writable folder" not in overview.language_box.toolTip()


def _pages(window, *keys):
    pages = []
    for key in keys:
        window.show_page(key)
        pages.append(window.stack.currentWidget())
    return pages
