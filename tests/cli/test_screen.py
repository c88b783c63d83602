"""Messages where no window can be opened."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from cli import window
from cli.errors import BAD_INPUT
from cli.main import main
from tests.conftest import ROOT


@pytest.fixture
def bare(monkeypatch):
    """A Linux desktop of which nothing is known."""
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_without_a_screen_the_command_line_is_named(bare, capsys):
    assert main([]) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "No display is available" in captured.err
    assert "pyramidion --help" in captured.err


def test_an_absent_library_is_named_by_its_package(bare):
    bare.setenv("DISPLAY", ":0")
    bare.setattr(window, "_loads", lambda library: library != "libxcb-cursor.so.0")
    assert window.missing_display_reason().endswith("apt install libxcb-cursor0")
    bare.setattr(window, "_loads", lambda library: True)
    assert window.missing_display_reason() == ""


def test_every_absent_library_is_named_at_once(bare):
    bare.setenv("DISPLAY", ":0")
    bare.setattr(window, "_loads", lambda library: library not in ("libGL.so.1", "libxcb-icccm.so.4"))
    assert window.missing_display_reason().endswith("apt install libgl1 libxcb-icccm4")


def test_one_complete_platform_is_enough(bare):
    bare.setenv("DISPLAY", ":0")
    bare.setenv("WAYLAND_DISPLAY", "wayland-0")
    bare.setattr(window, "_loads", lambda library: not library.startswith("libxcb"))
    assert window.missing_display_reason() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="Qt's X11 plugin and ldd exist on Linux only")
def test_everything_that_the_x11_plugin_loads_is_checked_and_in_the_readme():
    """As ``ldd`` lists it, without what every Debian has (the C and C++ libraries, zlib and the like)."""
    plugin = Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    listed = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    desktop = r"^\s*(lib(?:xcb|xkb|X11|EGL|GL\.|fontconfig|freetype|glib|dbus)\S*)"
    needed = set(re.findall(desktop, listed, re.MULTILINE))
    assert len(needed) > 20
    checked = {**window.QT_LIBRARIES, **window.X11_LIBRARIES}
    assert needed <= set(checked)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [package for package in checked.values() if package not in readme] == []


def test_who_names_a_platform_gets_it(bare):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert window.missing_display_reason() == ""
