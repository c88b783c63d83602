"""The dialog of public data sets in a real window, with a local server: nothing else is asked."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from core.domain.data_origin import DATA_SET_SETTING, read_origins
from core.files import downloads
from core.files.data_sets import DataSet
from core.files.downloads import RemoteFile
from core.models.catalogue.user_models import user_models
from core.progress import raise_if_cancelled
from gui.dialogs.data_sets.view import OPEN, STOPPED, DataSetDialog, Stored
from gui.shell import dialogs
from storage import data_set_download as download
from storage import user_folders
from storage.datasets import catalogue
from tests.core.models.hub_server import LARGE, Hub, serving
from tests.gui.every_dialog import is_closed

LEFT = Qt.MouseButton.LeftButton
SCORES = b'{"instance_id": "t", "summarizer_id": "S", "summarizer_type": "peer", "summary": {"text": "A."}}\n'
UNITS = {
    "SCUs.txt": b"A bridge fell.\n",
    "references.txt": b"The bridge fell" + b" and fell" * LARGE + b".\n",
    "summaries/bart.summary": b"It fell.\n",
    "labels/bart.label": b"1\n",
}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A server with two data sets: one with hashes, one without."""
    user_models().use_folder(tmp_path / "settings")
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(downloads, "PAUSE_S", 0.0)
    about = "Nobody 2020", "https://example.org", "MIT"
    hashed = tuple(RemoteFile(n, len(c), hashlib.sha256(c).hexdigest()) for n, c in UNITS.items())
    with serving({}) as served:
        served.files = {"plain": {**UNITS, "scores.jsonl": SCORES}}
        address = f"{served.address}/plain/"
        sets = (
            DataSet("units", "Units", "1 topic <b>", "lite2pyramid", *about, hashed, address, is_folder=True),
            DataSet(
                "tiny", "Tiny", "1 text", "sacrerouge", *about, (RemoteFile("scores.jsonl", 0),), address
            ),
        )
        monkeypatch.setattr(catalogue, "data_sets", lambda: sets)
        yield served


@pytest.fixture
def dialog(hub: Hub, controller: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any) -> DataSetDialog:
    """The dialog, opened from the Welcome page; studies are saved as new.pyramidion."""
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: tmp_path / "new.pyramidion")
    return opened(controller, qtbot, controller.window.stack.currentWidget().data_set_button)


def opened(controller: Any, qtbot: Any, button: Any = None) -> DataSetDialog:
    if button is not None:
        qtbot.mouseClick(button, LEFT)
    else:
        controller.commands.action("study.data_set").trigger()
    dialog = controller.dialog
    assert isinstance(dialog, DataSetDialog)
    qtbot.waitUntil(lambda: dialog.table.current is not None)
    return dialog


def test_a_data_set_is_described_downloaded_and_opened_by_keyboard_alone(
    dialog, hub, controller, qtbot, tmp_path
) -> None:
    shown = {name: label.text() for name, label in dialog.facts.items()}
    assert shown["Contents"] == "1 topic <b>"
    assert dialog.facts["Contents"].textFormat() is Qt.TextFormat.PlainText
    assert (shown["Licence"], shown["Cite"]) == ("MIT", "Nobody 2020")
    assert (shown["Size"], shown["Checked by"]) == ("1 MB", "A known hash")
    assert not dialog.target.isVisible()
    assert hub.requests == [], "nothing is downloaded before it is asked for"
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.facts["Size"].text() == "Not published by the server"
    qtbot.keyClick(dialog.table, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: controller.context is not None)
    assert controller.dialog is None
    study = controller.context.study
    assert (study.path, study.name) == (tmp_path / "new.pyramidion", "Units")
    assert len(list(study.pyramids.annotations())) == 1
    origins = read_origins(study.settings.get(key) for key in study.settings.keys(DATA_SET_SETTING))
    assert [origin.name for origin in origins] == ["units"]
    sentence = controller.window.status.sentence_label.text
    qtbot.waitUntil(lambda: "Cite Nobody 2020." in sentence())
    assert "1 topic" in sentence()
    dialog = opened(controller, qtbot)
    assert [stored for _, stored in dialog.table.rows.rows()] == [Stored.ALL, Stored.NOTHING]
    assert dialog.accept_button.text() == "Create study…"


def test_a_stopped_download_keeps_what_it_has_and_goes_on(
    dialog, hub, controller, qtbot, monkeypatch
) -> None:
    real, goes_on = download.fetch, threading.Event()

    def slow(*arguments):
        for step in real(*arguments):
            yield step
            while not goes_on.is_set():
                raise_if_cancelled()
                time.sleep(0.01)

    monkeypatch.setattr(download, "fetch", slow)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: "SCUs.txt" in dialog.job.label.text())
    assert dialog.focusWidget() is dialog.job.stop_button
    qtbot.keyClick(dialog.job.stop_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.job.label.text() == STOPPED)
    assert controller.context is None
    qtbot.waitUntil(lambda: dialog.accept_button.text() == "Resume…")
    assert dialog.job.label.text() == STOPPED, "also after the list was read again"
    goes_on.set()
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: controller.context is not None)
    assert controller.context.study.name == "Units"


def test_a_broken_connection_and_a_damaged_file_are_reported_and_downloaded_again(
    dialog, hub, controller, qtbot
) -> None:
    hub.breaks_at = [1000, 10, 10, 10]
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: "Download units again to resume" in dialog.notice.text_label.text())
    qtbot.waitUntil(lambda: dialog.accept_button.text() == "Resume…")
    assert "to resume" in dialog.notice.text_label.text(), "also after the list was read again"
    hub.spoiled = {"labels/bart.label"}
    hub.requests.clear()
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: "does not match the published hash" in dialog.notice.text_label.text())
    assert ("plain/references.txt", "bytes=1030-") in hub.requests
    assert dialog.notice.remedy_button.isHidden(), "a known hash cannot be waived"
    hub.spoiled = set()
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: controller.context is not None)


def test_a_changed_file_is_refused_and_can_be_accepted(dialog, hub, controller, qtbot, tmp_path) -> None:
    dialog.table.selectRow(1)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: controller.context is not None)
    qtbot.waitUntil(lambda: "not verified" in controller.window.status.sentence_label.text())
    (user_folders.data_sets_folder() / "tiny/scores.jsonl").unlink()
    hub.files = {"plain": {"scores.jsonl": SCORES.replace(b'"A."', b'"B."')}}
    controller.show_welcome()
    dialog = opened(controller, qtbot)
    dialog.table.selectRow(1)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: "is not the file that was downloaded on" in dialog.notice.text_label.text())
    assert "--" not in dialog.notice.text_label.text()
    qtbot.mouseClick(dialog.notice.remedy_button, LEFT)
    qtbot.waitUntil(lambda: controller.context is not None)
    (topic,) = controller.context.study.texts.load()
    assert topic.summaries[0].content == "B."


def test_a_data_set_is_added_to_the_open_study(hub, controller, study, qtbot) -> None:
    study.close()
    controller.open_path(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    dialog = opened(controller, qtbot)
    assert dialog.target.isVisible()
    dialog.table.selectRow(1)
    qtbot.mouseClick(dialog.target.button(OPEN), LEFT)
    assert dialog.accept_button.text() == "Download and add"
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: is_closed(dialog))
    assert "Imported" in controller.window.status.sentence_label.text()
    assert [head.name for head in controller.context.study.texts.topics()] == ["D1", "D2", "t"]
    assert controller.context.study.path == study.path


def test_offline_the_reason_is_shown_and_nothing_is_asked(hub, controller, qtbot, monkeypatch) -> None:
    monkeypatch.setenv("PYRAMIDION_OFFLINE", "1")
    dialog = opened(controller, qtbot)
    assert "disables downloads" in dialog.notice.text_label.text()
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert hub.requests == []
