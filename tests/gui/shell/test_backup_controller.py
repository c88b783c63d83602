"""Backups made by the window, and restored in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.files.backups import BackupKind
from core.files.preferences import PreferencesFile
from core.progress import Progress, run_to_completion
from gui.app import PAGES, build_window
from gui.dialogs.backups.view import ClosingDialog, RestoreDialog
from gui.shell.backup_controller import BackupController
from gui.shell.dialogs import SettingsDialog
from gui.shell.study_opener import BackupFiles
from gui.widgets.dialog import MessageDialog
from gui.widgets.page import Page
from storage.database import backups
from storage.study_file import open_study


@pytest.fixture
def path(study) -> Path:
    """A closed study's file."""
    study.close()
    return study.path


@pytest.fixture
def settings(tmp_path) -> PreferencesFile:
    return PreferencesFile(tmp_path / "settings.json")


@pytest.fixture
def controller(qapp, qtbot, tmp_path):
    """The window with one page; backups are made as by default."""
    plain = tuple(spec for spec in PAGES if spec.key == "overview")
    controller, window = build_window(qapp, tmp_path / "settings.json", plain)
    qtbot.addWidget(window)
    window.show()
    controller.start(None)
    yield controller
    controller.backup_controller.stop()
    controller.close()


def opened(controller, qtbot, path):
    controller.open_path(path)
    qtbot.waitUntil(lambda: isinstance(controller.window.stack.currentWidget(), Page))
    return controller.context


def edit(controller, value):
    controller.context.study.settings.save("guidelines", value).result(timeout=600)


def guidelines(path):
    with open_study(path) as study:
        return study.settings.get("guidelines")


def visible(window, kind):
    return next((dialog for dialog in window.findChildren(kind) if dialog.isVisible()), None)


def dialog_of(controller, qtbot, kind):
    window = controller.parent()
    qtbot.waitUntil(lambda: visible(window, kind) is not None)
    return visible(window, kind)


def test_closing_a_study_after_edits_backs_it_up(controller, qtbot, path):
    opened(controller, qtbot, path)
    edit(controller, "an edit")
    with qtbot.waitSignal(controller.backup_controller.idle):
        controller.show_welcome()
    (made,) = backups.list_backups(path)
    assert guidelines(made.path) == "an edit"


def test_closing_a_study_without_edits_makes_no_backup(controller, qtbot, path):
    opened(controller, qtbot, path)
    controller.show_welcome()
    assert not controller.backup_controller.is_busy
    assert backups.list_backups(path) == []


def test_a_study_is_backed_up_each_hour_in_which_it_was_edited(controller, qtbot, path):
    opened(controller, qtbot, path)
    assert controller.backup_controller.hourly.isActive()
    assert controller.backup_controller.hourly.interval() == 3_600_000
    edit(controller, "an edit")
    with qtbot.waitSignal(controller.backup_controller.idle):
        controller.backup_controller.hourly.timeout.emit()
    controller.backup_controller.hourly.timeout.emit()
    assert not controller.backup_controller.is_busy
    assert len(backups.list_backups(path)) == 1


def test_the_window_closes_once_the_backup_is_complete(controller, qtbot, path):
    opened(controller, qtbot, path)
    edit(controller, "an edit")
    controller.parent().close()
    qtbot.waitUntil(lambda: not controller.parent().isVisible())
    assert len(backups.list_backups(path)) == 1


def test_a_backup_that_fails_is_reported_and_the_window_closes_then(controller, qtbot, path):
    (path.parent / "backups").write_text("a file in the way", "utf-8")
    opened(controller, qtbot, path)
    edit(controller, "an edit")
    controller.parent().close()
    statement = dialog_of(controller, qtbot, MessageDialog)
    assert controller.parent().isVisible()
    qtbot.mouseClick(statement.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not controller.parent().isVisible())
    assert guidelines(path) == "an edit"


def test_a_failing_backup_is_reported_once(controller, qtbot, path):
    (path.parent / "backups").write_text("a file in the way", "utf-8")
    opened(controller, qtbot, path)
    sentences = []
    controller.backup_controller.failed.connect(sentences.append)
    for value in ("one", "two"):
        edit(controller, value)
        with qtbot.waitSignal(controller.backup_controller.idle):
            controller.backup_controller.back_up()
    assert len(sentences) == 1
    assert "is saved, but it could not be backed up" in sentences[0]


def test_a_slow_backup_can_be_left_out(qtbot, context, settings, shown):
    """The dialog of a backup that takes long ends it."""

    def endless(study, number, folder):
        while True:
            yield Progress(0, 0)

    files = BackupFiles(back_up=endless, lines=None, restore=None, study_of=None, has_any=None)
    window = shown(QWidget())
    backing_up = BackupController(files, settings, window, lambda dialog: dialog.open(), window)
    backing_up.serve(context)
    context.study.settings.save("guidelines", "an edit").result(timeout=600)
    backing_up.leave()
    backing_up.wait_visibly()
    qtbot.waitUntil(lambda: visible(window, ClosingDialog) is not None)
    with qtbot.waitSignal(backing_up.idle):
        qtbot.mouseClick(visible(window, ClosingDialog).accept_button, Qt.MouseButton.LeftButton)
    assert not backing_up.is_busy


def test_a_backup_is_restored_and_the_study_opened_again(controller, qtbot, path):
    run_to_completion(backups.back_up(path))
    before = opened(controller, qtbot, path)
    edit(controller, "newer")
    controller.ask_restore()
    dialog = dialog_of(controller, qtbot, RestoreDialog)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.table.model().index(0, 5).data() == "Verified"
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.context is not None and controller.context is not before)
    assert controller.context.study.settings.get("guidelines") == ""
    kinds = [backup.kind for backup in backups.list_backups(path)]
    assert kinds == [BackupKind.RESTORE, BackupKind.AUTOMATIC]


def test_a_damaged_study_offers_its_backups(controller, qtbot, path):
    run_to_completion(backups.back_up(path))
    path.write_bytes(b"damaged" * 1000)
    controller.open_path(path)
    statement = dialog_of(controller, qtbot, MessageDialog)
    qtbot.mouseClick(statement.remedy_button, Qt.MouseButton.LeftButton)
    dialog = dialog_of(controller, qtbot, RestoreDialog)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.context is not None)
    assert len(controller.context.study.texts.topics()) == 2


def test_a_damaged_backup_cannot_be_chosen(controller, qtbot, path):
    run_to_completion(backups.back_up(path))
    (made,) = backups.list_backups(path)
    made.path.write_bytes(b"damaged" * 1000)
    controller.ask_restore_of(path)
    dialog = dialog_of(controller, qtbot, RestoreDialog)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 1)
    dialog.table.selectRow(0)
    assert not dialog.accept_button.isEnabled()
    dialog.reject()


def test_a_study_without_backups_names_the_folder_that_was_searched(controller, qtbot, path):
    controller.ask_restore_of(path)
    dialog = dialog_of(controller, qtbot, RestoreDialog)
    qtbot.waitUntil(lambda: f"There are no backups in {path.parent / 'backups'}" in dialog.notice.text())
    dialog.reject()


def test_a_backup_leads_to_the_study_it_was_made_from(path):
    made = run_to_completion(backups.back_up(path))
    assert backups.study_of(made) == path
    assert backups.study_of(path) == path


def test_number_and_folder_of_backups_are_settings(controller, qtbot, tmp_path):
    controller.appearance.ask()
    dialog = dialog_of(controller, qtbot, SettingsDialog)
    dialog.show_leaf("backups")
    dialog.backup_number.setValue(3)
    dialog.backup_folder.setText(str(tmp_path / "elsewhere"))
    dialog.accept()
    now = PreferencesFile(tmp_path / "settings.json").now
    assert (now.backups, now.backups_in) == (3, tmp_path / "elsewhere")


def test_a_number_of_backups_from_a_file_is_kept_in_range(tmp_path):
    (tmp_path / "settings.json").write_text('{"backups": -5}', "utf-8")
    assert PreferencesFile(tmp_path / "settings.json").now.backups == 0
