"""Entries of the program in the menus, file managers and man pages of desktops that follow freedesktop.org.

Sources: Desktop Entry Specification 1.5, Shared MIME-info Database 0.21, Icon Theme Specification 0.13.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from core.files.atomic_write import atomic_write_bytes

NAME = "pyramidion"
MEDIA_TYPE = "application/x-pyramidion-study"

_ENTRY = """[Desktop Entry]
Type=Application
Name=Pyramidion
GenericName=Evaluation of summaries
GenericName[de]=Bewertung von Zusammenfassungen
Comment=Annotate, score, compare and report a study of summarization evaluation
Comment[de]=Eine Studie zur Bewertung von Zusammenfassungen annotieren, berechnen, vergleichen und berichten
Exec={command} %f
Icon=pyramidion
Terminal=false
Categories=Education;Science;
MimeType={media_type};
StartupNotify=true
StartupWMClass=pyramidion
"""

_TYPE = """<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{media_type}">
    <comment>Pyramidion study</comment>
    <comment xml:lang="de">Pyramidion-Studie</comment>
    <sub-class-of type="application/vnd.sqlite3"/>
    <glob pattern="*.pyramidion"/>
  </mime-type>
</mime-info>
"""

_UPDATES = (
    ("update-mime-database", "mime"),
    ("update-desktop-database", "applications"),
    ("gtk-update-icon-cache", "icons/hicolor"),
)
"""Programs of desktops that read the entries of a folder again."""


def data_folder() -> Path:
    """Return the user's folder of such entries; a relative XDG_DATA_HOME is none."""
    folder = Path(os.environ.get("XDG_DATA_HOME", ""))
    return folder if folder.is_absolute() else Path.home() / ".local" / "share"


def icon() -> str:
    """Return the program's icon as SVG."""
    return (files("resources") / "desktop" / f"{NAME}.svg").read_text("utf-8")


def add_entries(folder: Path, program: Sequence[str], man_page: str) -> list[Path]:
    """Write the entry of the program, the type of its files, their icons and its page for `man`.

    program: the words of its command, to which a file is added.
    Returns the files.
    """
    command = " ".join(map(_quoted, program))
    contents = (
        _ENTRY.format(command=command, media_type=MEDIA_TYPE),
        icon(),
        icon(),
        _TYPE.format(media_type=MEDIA_TYPE),
        man_page,
    )
    paths = _paths(folder)
    for path, content in zip(paths, contents, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write_bytes(path, content.encode("utf-8"))
    _update(folder)
    return paths


def remove_entries(folder: Path) -> list[Path]:
    """Delete what `add_entries` has written; return the files that were there."""
    found = [path for path in _paths(folder) if path.exists()]
    for path in found:
        path.unlink()
    if found:
        _update(folder)
    return found


def _paths(folder: Path) -> list[Path]:
    icons = folder / "icons" / "hicolor" / "scalable"
    return [
        folder / "applications" / f"{NAME}.desktop",
        icons / "apps" / f"{NAME}.svg",
        icons / "mimetypes" / f"{MEDIA_TYPE.replace('/', '-')}.svg",
        folder / "mime" / "packages" / f"{NAME}.xml",
        folder / "man" / "man1" / f"{NAME}.1",
    ]


def _quoted(word: str) -> str:
    """Return a word of a command as desktop entries write it: escaped as an argument, then as a string."""
    argument = re.sub(r'(["`$\\])', r"\\\1", word)
    return '"' + argument.replace("\\", "\\\\").replace("\n", "\\n").replace("%", "%%") + '"'


def _update(folder: Path) -> None:
    """Let the desktop read the entries again where its programs are installed; else it does so later."""
    for program, place in _UPDATES:
        if (found := shutil.which(program)) and (folder / place).is_dir():
            subprocess.run([found, str(folder / place)], capture_output=True, check=False)
