"""Where no window can be opened, a sentence says why."""

from __future__ import annotations

import pytest

from cli import screen
from cli.main import BAD_INPUT, main


@pytest.fixture
def bare(monkeypatch):
    """A Linux desktop of which nothing is known."""
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_without_a_screen_the_command_line_is_named(bare, capsys):
    assert main([]) == BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert "There is no screen here" in said.err
    assert "pyramidion --help" in said.err


def test_an_absent_library_is_named_by_its_package(bare):
    bare.setenv("DISPLAY", ":0")
    bare.setattr(screen, "_loads", lambda library: library != "libxcb-cursor.so.0")
    assert screen.why_no_window().endswith("apt install libxcb-cursor0")
    bare.setattr(screen, "_loads", lambda library: True)
    assert screen.why_no_window() == ""


def test_who_names_a_platform_gets_it(bare):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert screen.why_no_window() == ""
