"""Pyramids go out for DUCView from the Study menu, wherever the user is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from core.formatting.numbers import pluralize
from gui.shell import window_controller as controller_module
from storage.formats import import_registry


def export(controller: Any, monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    monkeypatch.setattr(controller_module, "ask_folder", lambda parent, question: folder)
    controller.commands.action("study.export_pyramids").trigger()


def test_the_study_menu_writes_pyramids_into_a_folder(
    controller, qtbot, tmp_path, monkeypatch, sample_file
) -> None:
    path = Path(shutil.copy(sample_file, tmp_path))
    assert not controller.commands.action("study.export_pyramids").isEnabled(), (
        "without a study there is none"
    )
    controller.start(path)
    qtbot.waitUntil(lambda: controller.context is not None)
    export(controller, monkeypatch, None)
    export(controller, monkeypatch, tmp_path / "out")
    sentence = controller.window.status.sentence_label
    qtbot.waitUntil(lambda: sentence.text() == "out holds 89 files for DUCView.")
    assert len(list((tmp_path / "out").iterdir())) == 89


def test_a_study_without_a_pyramid_reports_it(controller, qtbot, study, tmp_path, monkeypatch) -> None:
    study.close()
    controller.start(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    export(controller, monkeypatch, tmp_path / "out")
    sentence = controller.window.status.sentence_label
    qtbot.waitUntil(lambda: "no pyramid with an SCU yet" in sentence.text())
    assert not (tmp_path / "out").exists()


def test_the_study_menu_writes_ratings_scales_and_scores(
    controller, qtbot, study, tmp_path, monkeypatch
) -> None:
    scale, topic = study.ratings.add_dimension("coherence"), study.texts.topic(study.texts.topics()[0].id)
    study.ratings.rate(topic.summaries[0].id, scale.id, study.annotators.get_or_create("Ann").id, 4).result()
    study.close()
    controller.start(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    suggested = []

    def ask(parent: Any, question: str, name: str, kinds: Any) -> Path:
        suggested.append(name)
        return tmp_path / name

    monkeypatch.setattr(controller_module, "ask_where_to_save", ask)
    sentence = controller.window.status.sentence_label
    for what, rows in (("ratings", 1), ("scales", 1), ("scores", 0), ("judgements", 1)):
        controller.commands.action(f"study.export_{what}").trigger()
        qtbot.waitUntil(
            lambda what=what, rows=rows: (
                sentence.text() == f"small-{what}.csv holds {pluralize(rows, 'row')} of {what}."
            )
        )
    assert "coherence,Ann" in (tmp_path / suggested[0]).read_text("utf-8")
    for suffix in (".xlsx", ".parquet"):
        path = tmp_path / f"mine{suffix}"
        monkeypatch.setattr(controller_module, "ask_where_to_save", lambda *_, path=path: path)
        controller.commands.action("study.export_texts").trigger()
        qtbot.waitUntil(lambda path=path: sentence.text().startswith(f"{path.name} holds"))
        assert len(import_registry.read(path).topics) == 2, "its own importer reads it"
