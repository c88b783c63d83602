"""Whether a window can be opened here. Asked first, for Qt ends the program where it cannot."""

from __future__ import annotations

import ctypes
import os
import sys

_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
}
"""What Qt's part for X11 loads and PySide6 does not bring, with the names of Debian's packages."""


def why_no_window() -> str:
    """A sentence that says why no window can be opened, with the remedy; empty where one can."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set."
    absent = [package for library, package in _LIBRARIES.items() if not _loads(library)]
    if absent and os.environ.get("DISPLAY"):
        return f"The window needs libraries of the system; on Debian: apt install {' '.join(absent)}"
    return ""


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
