"""Entries of the program in the menus of desktops."""

from __future__ import annotations

import configparser
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from storage.desktop_entries import MEDIA_TYPE, add_entries, remove_entries

KINDS = "{http://www.freedesktop.org/standards/shared-mime-info}"


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def words_of(entry: str) -> list[str]:
    """The words of a command, read as the specification says: as a string, then quoted, then with codes."""
    string = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), entry)
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', string)
    return [re.sub(r'\\(["`$\\])', r"\1", quoted or word).replace("%%", "%") for quoted, word in words]


@pytest.mark.parametrize("program", ["/usr/bin/python3", '/opt/a b/100%/"x"/$HOME/`id`/py\\thon'])
def test_the_entry_starts_the_program_with_a_file(tmp_path, program):
    add_entries(tmp_path, (program, "-m", "pyramidion"), "")
    entry = configparser.RawConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read_string((tmp_path / "applications" / "pyramidion.desktop").read_text("utf-8"))
    about = entry["Desktop Entry"]
    assert words_of(about["Exec"]) == [program, "-m", "pyramidion", "%f"]
    assert about["MimeType"] == f"{MEDIA_TYPE};"


def test_studies_have_a_type_with_an_icon(tmp_path):
    add_entries(tmp_path, (sys.executable,), "")
    kind = ElementTree.parse(tmp_path / "mime" / "packages" / "pyramidion.xml").find(f"{KINDS}mime-type")
    assert kind.get("type") == MEDIA_TYPE
    assert kind.find(f"{KINDS}glob").get("pattern") == "*.pyramidion"
    name = MEDIA_TYPE.replace("/", "-")
    icon = ElementTree.parse(tmp_path / "icons" / "hicolor" / "scalable" / "mimetypes" / f"{name}.svg")
    assert icon.getroot().tag.endswith("svg")


def test_nothing_is_left_after_they_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")  # the desktop's own programs keep caches
    others = tmp_path / "applications" / "other.desktop"
    others.parent.mkdir()
    others.write_text("[Desktop Entry]")
    written = add_entries(tmp_path, (sys.executable,), "")
    assert len(files_of(tmp_path)) == len(written) + 1
    assert sorted(remove_entries(tmp_path)) == sorted(written)
    assert files_of(tmp_path) == ["applications/other.desktop"]
    assert remove_entries(tmp_path) == []
