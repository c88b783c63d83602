"""Exports of several files appear whole or not at all, whatever topics are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.errors import InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.study_file import new_study, open_study

FOLDERS = (
    ("texts", "rouge-settings"),
    ("pyramids", "ducview"),
    ("annotations", "brat"),
    ("ratings", "label-studio"),
    ("ratings", "potato"),
)


@pytest.fixture
def odd_study(tmp_path):
    """A study whose topics have names that no file can have."""
    names = ("x" * 300, "CON", "a/b", "ends.")
    topics = tuple(
        NewTopic(name, references={"A": NewText("One text.")}, summaries={"s" * 300: NewText("A summary.")})
        for name in names
    )
    with new_study(tmp_path / "odd.pyramidion") as study:
        study.import_data(ImportContent("odd", topics=topics))
        yield study


def test_topics_of_any_name_are_written_and_read_back(odd_study, tmp_path):
    folder = tmp_path / "out"
    run_to_completion(export_steps(odd_study, find("texts", "rouge-settings"), folder))
    assert {path.name for path in folder.iterdir()} == {"peers", "models", "settings.xml"}
    assert len(list((folder / "peers").iterdir())) == 4
    assert not any(path.name.upper().startswith("CON") for path in folder.rglob("*.txt"))
    with new_study(tmp_path / "again.pyramidion") as again:
        run_to_completion(
            import_registry.import_steps(
                again, import_registry.import_request(folder / "settings.xml", "rouge-settings", {})
            )
        )
        assert {head.name for head in again.texts.topics()} == {
            head.name for head in odd_study.texts.topics()
        }


@pytest.mark.parametrize(("what", "name"), FOLDERS)
def test_an_export_that_is_stopped_leaves_nothing(full_study, tmp_path, what, name):
    with open_study(full_study) as study:
        steps = export_steps(study, find(what, name), tmp_path / "out")
        next(steps)
        steps.close()
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".*.part"))


def test_a_full_disk_leaves_nothing_half_written(odd_study, tmp_path, monkeypatch):
    """The third file does not fit."""
    written, replace = [], Path.replace

    def full(self, target):
        written.append(target)
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"out.*No space left"):
        run_to_completion(export_steps(odd_study, find("texts", "rouge-settings"), tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".*.part"))
