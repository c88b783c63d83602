"""Dialogs that ask for files and folders. Every file dialog of the program is made here.

Qt's own icon provider looks at the content: its dialog opens each file in a folder, also a study that is
open, and closing it drops SQLite's locks. These dialogs use only names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QApplication, QFileDialog, QSplitter, QStyle, QWidget

from gui.style.language import tr
from gui.style.theme import px

SIZE, PLACES = (820, 520), 150
"""Of a dialog, and of the list of places in it."""

STUDY_SUFFIX = ".pyramidion"
STUDY_FILES = tr("Studies (*{study_suffix})", study_suffix=STUDY_SUFFIX)


class NameIcons(QAbstractFileIconProvider):
    """Icons and types of files by their names; opens no file."""

    def __init__(self) -> None:
        super().__init__()
        style = QApplication.style()  # here, as Qt asks for icons on a thread of its own
        kinds = QStyle.StandardPixmap
        self._folder = style.standardIcon(kinds.SP_DirIcon)
        self._file = style.standardIcon(kinds.SP_FileIcon)
        self._drive = style.standardIcon(kinds.SP_DriveHDIcon)

    def icon(self, of: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:
        if isinstance(of, QFileInfo):
            if of.isRoot():
                return self._drive
            return self._folder if of.isDir() else self._file
        kind = QAbstractFileIconProvider.IconType
        if of == kind.Drive:
            return self._drive
        return self._file if of == kind.File else self._folder

    def type(self, info: QFileInfo) -> str:
        if info.isDir():
            return tr("Folder")
        if info.suffix() == "pyramidion":
            return tr("Study")
        return tr("{upper} file", upper=info.suffix().upper()) if info.suffix() else tr("File")


_icons: list[NameIcons] = []
_last_folder: list[Path] = []
"""The folder in which the next dialog starts, empty = the current one."""


def start_in(folder: Path) -> None:
    """Let the next dialog start in a folder, such as that of the study that was opened."""
    _last_folder[:] = [folder]


def file_dialog(parent: QWidget | None, question: str, start: str = "", filters: str = "") -> QFileDialog:
    """Return a dialog that asks for an existing file and opens none.

    start: a folder or a file in it; without a folder, it starts where the last dialog was.
    filters: as ``"Texts (*.txt)"``, several with ``;;`` between them.
    """
    dialog = QFileDialog(parent, question)
    # Dialogs of Linux desktops run in this process and look into files; others do not, or do no harm.
    is_native = sys.platform in ("win32", "darwin")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, not is_native)
    if not _icons:
        _icons.append(NameIcons())
    dialog.setIconProvider(_icons[0])  # the dialog does not own it
    dialog.resize(px(SIZE[0]), px(SIZE[1]))
    if (columns := dialog.findChild(QSplitter)) is not None:
        columns.setSizes([px(PLACES), px(SIZE[0] - PLACES)])
    if filters:
        dialog.setNameFilters(filters.split(";;"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    if _last_folder and _last_folder[0].is_dir():
        dialog.setDirectory(str(_last_folder[0]))
    if start:
        path = Path(start)
        if path.parent != Path():
            dialog.setDirectory(str(path if path.is_dir() else path.parent))
        if not path.is_dir():
            dialog.selectFile(path.name)
    return dialog


def _chosen(dialog: QFileDialog) -> list[Path]:
    """Run a dialog. Returns the chosen paths; none = cancelled."""
    try:
        paths = [Path(name) for name in dialog.selectedFiles()] if dialog.exec() else []
        if paths:
            start_in(paths[0].parent)
        return paths
    finally:
        dialog.deleteLater()


def ask_new_file(parent: QWidget, question: str, suggested: str, filters: str) -> tuple[Path | None, str]:
    """Ask for a file to write. Returns it with the chosen filter; None = cancelled."""
    dialog = file_dialog(parent, question, suggested, filters)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    paths = _chosen(dialog)
    return (paths[0] if paths else None), dialog.selectedNameFilter()


def ask_where_to_save(
    parent: QWidget, question: str, suggested: str, kinds: Sequence[tuple[str, str]]
) -> Path | None:
    """Ask for a file to write; None = cancelled.

    kinds: (title, suffix) of the formats, such as ``("CSV", ".csv")``. A name without one of these suffixes
    gets that of the chosen format.
    """
    filters = {f"{title} (*{ending})": ending for title, ending in kinds}
    path, chosen = ask_new_file(parent, question, suggested, ";;".join(filters))
    if path is None or path.suffix.lower() in filters.values():
        return path
    return path.with_name(path.name + filters.get(chosen, kinds[0][1]))


def ask_folder(parent: QWidget, question: str) -> Path | None:
    """Ask for an existing folder; None = cancelled."""
    dialog = file_dialog(parent, question)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return next(iter(_chosen(dialog)), None)


def ask_file(parent: QWidget, question: str, filters: str = "") -> Path | None:
    """Ask for an existing file; None = cancelled."""
    return next(iter(_chosen(file_dialog(parent, question, filters=filters))), None)


def ask_files(parent: QWidget, question: str, filters: str = "") -> list[Path]:
    """Ask for existing files; none = cancelled."""
    dialog = file_dialog(parent, question, filters=filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    return _chosen(dialog)


def ask_text_file(parent: QWidget, question: str) -> Path | None:
    """Ask for a text file; None = cancelled."""
    return ask_file(parent, question, tr("Texts (*.md *.markdown *.txt);;All files (*)"))


def ask_study_to_open(parent: QWidget) -> Path | None:
    """Ask for a study to open; None = cancelled."""
    return ask_file(parent, tr("Open study"), STUDY_FILES)
