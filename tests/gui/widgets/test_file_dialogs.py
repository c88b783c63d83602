"""Dialogs for files: they look at names, and never into a study that is open."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QWidget

from gui.widgets.file_dialogs import NameIcons, ask_where_to_save, file_dialog, start_in
from tests.conftest import ROOT

LOOK_INTO_FILES = ("QFileDialog", "QFileIconProvider", "QFileSystemModel", "QMimeDatabase")


def locks(path: Path) -> list[str]:
    """The locks of this process on a file, without their order."""
    inode = f":{path.stat().st_ino}"
    lines = [line.split()[1:] for line in Path("/proc/locks").read_text().splitlines()]
    return sorted(" ".join(line) for line in lines if line[3] == str(os.getpid()) and inode in line[4])


def list_folder(dialog: QFileDialog, folder: Path, qtbot) -> list[str]:
    """Show a dialog and wait until it has listed a folder with its icons; the kinds of its files."""
    qtbot.addWidget(dialog)
    model = dialog.findChild(QFileSystemModel)
    dialog.setDirectory(str(folder))
    dialog.open()
    root = model.index(str(folder))
    names = sorted(file.name for file in folder.iterdir())
    qtbot.waitUntil(lambda: model.rowCount(root) == len(names))
    indexes = [model.index(str(folder / name)) for name in names]
    qtbot.waitUntil(lambda: all(not model.fileIcon(index).isNull() for index in indexes))
    qtbot.waitUntil(lambda: all(model.type(index) for index in indexes))
    kinds = [model.type(index) for index in indexes]
    dialog.reject()
    return kinds


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="reads the locks of Linux")
def test_a_dialog_that_lists_the_folder_of_an_open_study_leaves_its_locks(study, qtbot) -> None:
    study.settings.save("a", "b").result()
    files = [study.path.with_name(study.path.name + ending) for ending in ("", "-wal", "-shm")]
    before = [locks(file) for file in files]
    assert before[0]
    assert before[2]
    kinds = list_folder(file_dialog(None, "Which?", filters="All files (*)"), study.path.parent, qtbot)
    assert kinds == ["Study", "PYRAMIDION-SHM file", "PYRAMIDION-WAL file"]
    assert [locks(file) for file in files] == before


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="uses the dialogs of the system")
def test_dialogs_of_the_desktop_that_run_in_this_process_are_not_used(qtbot) -> None:
    dialog = file_dialog(None, "Which?")
    qtbot.addWidget(dialog)
    assert dialog.testOption(QFileDialog.Option.DontUseNativeDialog)
    assert isinstance(dialog.iconProvider(), NameIcons)


def test_a_file_is_suggested_in_its_folder(tmp_path, qtbot) -> None:
    dialog = file_dialog(None, "Where?", str(tmp_path / "a.csv"), "CSV (*.csv);;TSV (*.tsv)")
    qtbot.addWidget(dialog)
    assert dialog.directory().path() == str(tmp_path)
    assert [Path(name) for name in dialog.selectedFiles()] == [tmp_path / "a.csv"]
    assert dialog.nameFilters() == ["CSV (*.csv)", "TSV (*.tsv)"]


def accept_dialog() -> None:
    """Accept the dialog that is open."""
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QFileDialog)
    dialog.accept()


@pytest.mark.parametrize(("suggested", "saved"), [("a.csv", "a.csv"), ("a", "a.tsv")])
def test_a_name_without_an_ending_gets_that_of_its_kind(suggested, saved, tmp_path, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    kinds = [("TSV", ".tsv"), ("CSV", ".csv")]
    QTimer.singleShot(0, accept_dialog)
    assert ask_where_to_save(parent, "Where?", str(tmp_path / suggested), kinds) == tmp_path / saved


def test_icons_and_types_come_from_names(tmp_path, qtbot) -> None:
    icons = NameIcons()
    (tmp_path / "a.csv").touch()
    assert [
        icons.type(QFileInfo(str(path))) for path in (tmp_path, tmp_path / "a.csv", tmp_path / "none")
    ] == ["Folder", "CSV file", "File"]
    assert not icons.icon(QFileInfo(str(tmp_path))).isNull()
    assert all(not icons.icon(kind).isNull() for kind in NameIcons.IconType)


def test_no_other_module_makes_a_dialog_or_a_model_of_files() -> None:
    others = set((ROOT / "gui").rglob("*.py")) - {ROOT / "gui" / "widgets" / "file_dialogs.py"}
    assert [path for path in others if any(name in path.read_text("utf-8") for name in LOOK_INTO_FILES)] == []


def test_a_dialog_starts_in_the_folder_of_the_study_and_then_where_the_last_one_was(
    qtbot, tmp_path, monkeypatch
) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "exports").mkdir()
    start_in(tmp_path / "study")
    dialog = file_dialog(None, "Where?", "scores.csv", "CSV (*.csv)")
    assert Path(dialog.directory().absolutePath()) == tmp_path / "study"
    assert [Path(name).name for name in dialog.selectedFiles()] == ["scores.csv"]
    chosen = str(tmp_path / "exports" / "scores.csv")
    monkeypatch.setattr(QFileDialog, "exec", lambda self: True)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda self: [chosen])
    assert ask_where_to_save(None, "Where?", "scores.csv", [("CSV", ".csv")]) == Path(chosen)
    assert Path(file_dialog(None, "Which?").directory().absolutePath()) == tmp_path / "exports"
    start_in(tmp_path / "gone")
    assert Path(file_dialog(None, "Which?").directory().absolutePath()).is_dir()
