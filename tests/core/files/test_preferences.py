"""User preferences and the file that stores them."""

from __future__ import annotations

import json
import logging

import pytest

from core.files.preferences import MAX_RECENT, Preferences, PreferencesFile


def test_preferences_are_saved_and_loaded(tmp_path) -> None:
    settings = PreferencesFile(tmp_path / "deep" / "settings.json")
    settings.change(theme="dark", text_percent=125)
    settings.save(settings.now.with_recent(tmp_path / "a.pyramidion"))
    settings.save(settings.now.with_annotator(tmp_path / "a.pyramidion", "Ann"))
    again = PreferencesFile(tmp_path / "deep" / "settings.json").now
    assert again == settings.now
    assert again.annotator_of(tmp_path / "a.pyramidion") == "Ann"


def test_the_latest_study_is_listed_first_and_once(tmp_path) -> None:
    now = Preferences()
    for number in [*range(MAX_RECENT + 2), 5]:
        now = now.with_recent(tmp_path / f"{number}.pyramidion")
    assert len(now.recent) == MAX_RECENT
    assert now.recent[0].endswith("5.pyramidion")
    assert len(set(now.recent)) == MAX_RECENT


@pytest.mark.parametrize("content", ["{", "[]", '{"theme": 3, "recent": [1, "x"], "annotators": [["a"]]}'])
def test_invalid_values_in_the_file_are_ignored(tmp_path, content, caplog) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content, "utf-8")
    with caplog.at_level(logging.WARNING):
        now = PreferencesFile(path).now
    assert (now.theme, now.annotators) == ("system", ())
    assert now.recent in ((), ("x",))


def test_fields_of_a_newer_version_are_ignored(tmp_path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"theme": "dark", "hologram": True}), "utf-8")
    assert PreferencesFile(path).now.theme == "dark"
