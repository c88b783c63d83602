"""Damage of the open study, in the window."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest
from PySide6.QtWidgets import QLabel

from gui.app import PAGES, build_window
from gui.shell import window_controller
from gui.widgets.dialog import MessageDialog


@pytest.fixture
def controller(qapp, qtbot, tmp_path, sample_file):
    """The window on a copy of the sample."""
    path = tmp_path / "sample.pyramidion"
    shutil.copy(sample_file, path)
    controller, window = build_window(qapp, tmp_path / "settings.json", PAGES)
    qtbot.addWidget(window)
    window.show()
    controller.start(path)
    qtbot.waitUntil(lambda: controller.context is not None)
    qtbot.waitUntil(lambda: not controller.jobs.running())
    yield controller
    controller.close()


def damage(controller):
    """Change a summary behind the program's back."""
    with closing(sqlite3.connect(controller.context.study.path)) as connection:
        connection.execute("UPDATE summaries SET content = content || 'x' WHERE rowid = 1")
        connection.commit()


def statement(controller):
    """The dialog in front, None = there is none."""
    shown = controller.parent().findChildren(MessageDialog)
    return next((dialog for dialog in shown if dialog.isVisible()), None)


def words(dialog):
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_failure_on_a_damaged_study_is_reported_as_damage(controller, qtbot):
    damage(controller)
    controller.failures.show(KeyError("row"))
    controller.failures.show(KeyError("another row"))
    qtbot.waitUntil(lambda: statement(controller) is not None)
    dialog = statement(controller)
    assert "is damaged" in words(dialog)
    assert "bug" not in words(dialog)
    assert dialog.remedy_button.text() == "Restore a backup…"
    assert dialog.remedy_button.isVisible()


def test_a_failure_on_a_sound_study_is_reported_as_a_bug(controller, qtbot):
    controller.failures.show(KeyError("row"))
    qtbot.waitUntil(lambda: statement(controller) is not None)
    assert "Internal error" in words(statement(controller))
    assert not statement(controller).remedy_button.isVisible()


def test_an_export_of_a_damaged_study_writes_nothing_and_reports_the_damage(
    controller, qtbot, tmp_path, monkeypatch
):
    damage(controller)
    path = tmp_path / "ratings.csv"
    monkeypatch.setattr(window_controller, "ask_where_to_save", lambda *_: path)
    controller.ask_export_table("ratings")
    qtbot.waitUntil(lambda: statement(controller) is not None)
    assert "is damaged" in words(statement(controller))
    assert statement(controller).remedy_button.isVisible()
    assert not path.exists()
