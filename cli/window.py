"""The window, which only this module of the command line imports, and whether it can be opened here."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.files.study_address import StudyAddress
    from core.manual.page import ManualPage

QT_LIBRARIES: Mapping[str, str] = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""System libraries that Qt's own libraries load on every platform, with their Debian packages."""

X11_LIBRARIES: Mapping[str, str] = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""Additional libraries of Qt's platform plugin for X11 (``xcb``)."""

WAYLAND_LIBRARIES: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
"""Additional libraries of Qt's platform plugin for Wayland."""


def open_window(study: StudyAddress | None, command_pages: Callable[[], Iterable[ManualPage]]) -> int:
    """Open the window, with a study if one is given, and return the exit code after it is closed."""
    from core.files.preferences import PreferencesFile
    from gui.style import language
    from storage import user_folders

    language.use(PreferencesFile(user_folders.settings_file()).now.language)
    from gui import app  # its texts are in the language that is used now

    return app.open_window(study, command_pages)


def standard_shortcuts() -> str:
    """Return the table of the window's shortcuts. Raises ImportError where libraries of Qt are missing."""
    from gui.commands import definitions

    return definitions.standard_shortcuts()


def missing_display_reason() -> str:
    """Return why no window can be opened and what to do; empty if one can.

    Qt ends the program where it cannot open one, so this is checked before Qt starts.
    """
    if sys.platform in ("win32", "darwin"):
        return ""
    absent = _absent(QT_LIBRARIES)
    if not os.environ.get("QT_QPA_PLATFORM"):
        plugins = []
        if os.environ.get("DISPLAY"):
            plugins.append(_absent(X11_LIBRARIES))
        if os.environ.get("WAYLAND_DISPLAY"):
            plugins.append(_absent(WAYLAND_LIBRARIES))
        if not plugins:
            return "No display is available: neither DISPLAY nor WAYLAND_DISPLAY is set."
        if all(plugins):  # one complete plugin is enough
            absent += plugins[0]
    if not absent:
        return ""
    return (
        f"The window requires missing system libraries. On Debian or Ubuntu: apt install {' '.join(absent)}"
    )


def _absent(libraries: Mapping[str, str]) -> list[str]:
    """Return the packages of the libraries that cannot be loaded."""
    return [package for library, package in libraries.items() if not _loads(library)]


def _loads(library: str) -> bool:
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
