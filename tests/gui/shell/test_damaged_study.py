"""Damage of the open study, in the window."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest
from PySide6.QtWidgets import QLabel

from gui.app import PAGES, build_window
from gui.shell import window_controller as desks
from gui.widgets.dialog import MessageDialog


@pytest.fixture
def desk(qapp, qtbot, tmp_path, sample_file):
    """The window on a copy of the sample."""
    path = tmp_path / "sample.pyramidion"
    shutil.copy(sample_file, path)
    desk, window = build_window(qapp, tmp_path / "settings.json", PAGES)
    qtbot.addWidget(window)
    window.show()
    desk.start(path)
    qtbot.waitUntil(lambda: desk.context is not None)
    qtbot.waitUntil(lambda: not desk.jobs.running())
    yield desk
    desk.close()


def damage(desk):
    """Change a summary behind the program's back."""
    with closing(sqlite3.connect(desk.context.study.path)) as connection:
        connection.execute("UPDATE summaries SET content = content || 'x' WHERE rowid = 1")
        connection.commit()


def statement(desk):
    """The dialog in front, None = there is none."""
    shown = desk.parent().findChildren(MessageDialog)
    return next((dialog for dialog in shown if dialog.isVisible()), None)


def words(dialog):
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_failure_on_a_damaged_study_is_reported_as_damage(desk, qtbot):
    damage(desk)
    desk.failures.show(KeyError("row"))
    desk.failures.show(KeyError("another row"))
    qtbot.waitUntil(lambda: statement(desk) is not None)
    dialog = statement(desk)
    assert "is damaged" in words(dialog)
    assert "bug" not in words(dialog)
    assert dialog.remedy_button.text() == "Restore a backup…"
    assert dialog.remedy_button.isVisible()


def test_a_failure_on_a_sound_study_is_reported_as_a_bug(desk, qtbot):
    desk.failures.show(KeyError("row"))
    qtbot.waitUntil(lambda: statement(desk) is not None)
    assert "Internal error" in words(statement(desk))
    assert not statement(desk).remedy_button.isVisible()


def test_an_export_of_a_damaged_study_writes_nothing_and_reports_the_damage(
    desk, qtbot, tmp_path, monkeypatch
):
    damage(desk)
    path = tmp_path / "ratings.csv"
    monkeypatch.setattr(desks, "ask_where_to_save", lambda *_: path)
    desk.ask_export_table("ratings")
    qtbot.waitUntil(lambda: statement(desk) is not None)
    assert "is damaged" in words(statement(desk))
    assert statement(desk).remedy_button.isVisible()
    assert not path.exists()
