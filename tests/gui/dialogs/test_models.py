"""The model dialog with its real widgets, separate settings and a local hub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from transformers import BertConfig, BertModel

from core.files import downloads
from core.models.catalogue import entries
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.entries import Role
from core.models.catalogue.user_models import user_models
from gui.background.jobs import JobQueue, Jobs
from gui.dialogs.models.presenter import ModelsPresenter
from gui.dialogs.models.view import ModelPresence, ModelsDialog
from tests.conftest import ROOT
from tests.core.models.hub_server import serving


@pytest.fixture(autouse=True)
def _own_settings(tmp_path, monkeypatch):
    user_models().use_folder(tmp_path / "settings")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def small(tmp_path):
    """A folder with a complete, small encoder."""
    folder, pieces = tmp_path / "small", {"[PAD]": 0, "[UNK]": 1, "court": 2}
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 8, "intermediate_size": 8}
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=5000, **sizes)
    BertModel(config).save_pretrained(folder)
    Tokenizer(WordPiece(pieces, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder


class OpenDialog:
    """The dialog, its presenter, and the answers of the user to file dialogs."""

    def __init__(self, qtbot, study, tmp_path) -> None:
        self.view, self.jobs, self.answers = ModelsDialog(), Jobs(), []
        qtbot.addWidget(self.view)

        def ask(_question):
            return self.answers.pop() if self.answers else None

        self.presenter = ModelsPresenter(
            self.view, self.jobs, tmp_path / "models", ask, ask, study=study, device="cpu"
        )
        self.presenter.open()
        qtbot.waitUntil(lambda: bool(self.rows))

    @property
    def rows(self):
        return {row.key: row for row in self.view.list.models.rows()}

    def presence(self, key):
        return self.rows[key].presence if key in self.rows else None


@pytest.fixture
def shown(qtbot, study, tmp_path):
    made = OpenDialog(qtbot, study, tmp_path)
    yield made
    made.jobs.cancel_all(5.0)


def test_every_model_is_listed_under_each_of_its_roles(shown):
    keys = {f"{role}/{entry.key}" for entry in entries.CATALOGUE for role in entry.roles}
    assert set(shown.rows) == keys
    assert shown.presence("encoder/minilm") is ModelPresence.HERE
    assert shown.presence("sentence encoder/minilm") is ModelPresence.HERE
    assert shown.presence("encoder/roberta-large") is ModelPresence.ABSENT
    assert 0 < shown.rows["encoder/minilm"].seconds < shown.rows["encoder/roberta-large"].seconds
    QAbstractItemModelTester(shown.view.list.models, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_a_model_without_a_hub_shows_its_file_and_copies_the_command(shown):
    shown.view.list.choose("word vectors/deps.words")
    details = shown.view.details
    assert "deps.words.bz2" in details.lines_label.text()
    assert details.download_button.isHidden()
    assert not details.choose_button.isHidden()
    details.copy_button.click()
    assert QGuiApplication.clipboard().text() == "pyramidion models add FILE --name deps.words"


def test_an_added_folder_is_selected_and_can_be_forgotten(shown, small, qtbot):
    shown.answers = [small]
    with qtbot.waitSignal(shown.presenter.changed):
        shown.view.folder_button.click()
    qtbot.waitUntil(lambda: shown.presence("encoder/small") is ModelPresence.HERE)
    qtbot.waitUntil(lambda: shown.view.list.current_key == "encoder/small")
    assert str(small) in shown.view.details.lines_label.text()
    shown.view.details.forget_button.click()
    qtbot.waitUntil(lambda: "encoder/small" not in shown.rows)
    assert (small / "config.json").is_file()


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """Two cached pages of encodings, one mebibyte each, the first the older one."""
    folder = tmp_path / "made" / "encodings"
    folder.mkdir(parents=True)
    monkeypatch.setattr(digest_cache(), "folder", tmp_path / "made")
    monkeypatch.delenv("PYRAMIDION_ENCODING_CACHE", raising=False)
    found = [folder / f"{'0' * 8}-{digit * 32}.safetensors" for digit in "ab"]
    for age, page in enumerate(reversed(found)):
        page.write_bytes(bytes(1 << 20))
        os.utime(page, (time.time() - age, time.time() - age))
    return found


def test_the_size_of_cached_encodings_is_shown_and_they_are_deleted(pages, shown, qtbot):
    panel = shown.view.encodings
    qtbot.waitUntil(lambda: panel.fact_label.text() == "2 MB of at most 2 GB")
    assert panel.limit_box.currentText() == "At most 2 GB"
    panel.empty_button.click()
    qtbot.waitUntil(lambda: panel.fact_label.text() == "0 MB of at most 2 GB")
    assert not any(page.exists() for page in pages)
    assert not panel.empty_button.isEnabled()


def test_a_limit_of_cached_encodings_is_stored(pages, shown, qtbot):
    panel = shown.view.encodings
    user_models().set_encoding_bytes(3 << 19)
    shown.presenter.open()
    qtbot.waitUntil(lambda: panel.limit_box.currentText() == "At most 2 MB")
    panel.limit_box.chosen.emit(3 << 19)
    qtbot.waitUntil(lambda: not pages[0].exists())
    assert pages[1].exists()
    panel.limit_box.setCurrentText("Store none")
    panel.limit_box.activated.emit(panel.limit_box.currentIndex())
    qtbot.waitUntil(lambda: panel.fact_label.text() == "nothing stored")
    assert user_models().encoding_bytes == 0


def test_a_limit_set_by_an_environment_variable_cannot_be_changed(pages, shown, qtbot, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_ENCODING_CACHE", "5GB")
    shown.presenter.open()
    panel = shown.view.encodings
    qtbot.waitUntil(lambda: panel.limit_box.currentText() == "At most 5 GB")
    assert not panel.limit_box.isEnabled()
    assert "PYRAMIDION_ENCODING_CACHE" in panel.limit_box.toolTip()


def test_a_local_copy_is_listed_as_its_model(shown, tmp_path, qtbot, monkeypatch):
    file = tmp_path / "words.txt"
    file.write_text("word 0.5 0.5\n")
    monkeypatch.setattr("core.models.library.add_model._check_size", lambda *_: None)
    shown.view.list.choose("word vectors/glove-840b")
    shown.answers = [file]
    shown.view.details.choose_button.click()
    qtbot.waitUntil(lambda: shown.presence("word vectors/glove-840b") is ModelPresence.HERE)


def test_a_folder_without_a_model_shows_a_problem(shown, tmp_path, qtbot):
    shown.answers = [tmp_path]
    shown.view.folder_button.click()
    qtbot.waitUntil(lambda: "contains no model" in shown.view.notice.text_label.text())
    assert not shown.view.notice.isHidden()


def test_a_download_shows_progress_and_installs_the_model(shown, small, qtbot, monkeypatch):
    _offer(monkeypatch, "somebody/small")
    with serving({"somebody/small": small}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        _list_again(shown, qtbot)
        shown.view.list.choose("encoder/offered")
        assert not shown.view.details.download_button.isHidden()
        with qtbot.waitSignal(shown.presenter.changed):
            shown.view.details.download_button.click()
            assert shown.presence("encoder/offered") is ModelPresence.FETCHING
            assert not shown.view.details.cancel_button.isHidden()
        qtbot.waitUntil(lambda: shown.presence("encoder/offered") is ModelPresence.HERE)
    assert shown.view.details.bar.isHidden()
    assert shown.view.details.download_button.isHidden()


def test_a_cancelled_download_can_be_resumed(shown, small, qtbot, monkeypatch):
    _offer(monkeypatch, "somebody/small")
    with serving({"somebody/small": small}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        hub.breaks_at = [1000] * downloads.ATTEMPTS
        _list_again(shown, qtbot)
        shown.view.list.choose("encoder/offered")
        shown.view.details.download_button.click()
        job = shown.jobs.current(JobQueue.FETCHING)
        qtbot.waitUntil(lambda: any(byte_range for _, byte_range in hub.requests))  # something is stored
        with qtbot.waitSignal(job.cancelled):
            shown.view.details.cancel_button.click()
        qtbot.waitUntil(lambda: shown.presence("encoder/offered") is ModelPresence.ABSENT)
        hub.breaks_at, before = [], len(hub.requests)
        shown.view.details.download_button.click()
        qtbot.waitUntil(lambda: shown.presence("encoder/offered") is ModelPresence.HERE)
        assert any(byte_range.startswith("bytes=") for _, byte_range in hub.requests[before:])


def test_offline_mode_shows_its_reason(shown, qtbot, monkeypatch):
    shown.view.list.choose("encoder/roberta-large")
    monkeypatch.setenv("PYRAMIDION_OFFLINE", "1")  # since the list was opened
    shown.view.details.download_button.click()
    qtbot.waitUntil(lambda: "PYRAMIDION_OFFLINE is set" in shown.view.notice.text_label.text())
    assert not shown.view.details.download_button.isEnabled()
    assert shown.view.offline_box.isChecked()


def test_offline_mode_disables_the_download_button(shown):
    shown.view.list.choose("encoder/roberta-large")
    shown.view.offline_box.click()
    assert user_models().is_offline
    assert not shown.view.details.download_button.isEnabled()
    assert "Offline mode" in shown.view.details.download_button.toolTip()
    shown.view.offline_box.click()
    assert not user_models().is_offline
    assert shown.view.details.download_button.isEnabled()


def test_the_list_is_filtered_by_a_query(shown):
    shown.view.search.setText("squad")
    assert list(shown.rows) == [
        "question answering/bert-large-squad",
        "generative language model/t5-qg-squad1",
        "generative language model/t5-qa-squad2neg",
    ]


def test_models_are_found_by_the_metric_whose_paper_used_them(shown):
    shown.view.search.setText("summaqa")
    assert "question answering/bert-large-squad" in shown.rows
    shown.view.list.choose("question answering/bert-large-squad")
    assert "summaqa" in shown.view.details.lines_label.text()


def test_every_control_has_a_name(shown):
    view = shown.view
    buttons = (view.folder_button, view.file_button, view.close_button, view.details.download_button)
    assert all(button.accessibleName() for button in (*buttons, view.list, view.search, view.details.bar))


def _offer(monkeypatch, repository: str) -> None:
    """Add a model of the local hub to the catalogue."""
    entry = entries.CatalogueEntry(
        "offered", (Role.ENCODER,), (repository,), "a test", megabytes=1, parameters=1
    )
    monkeypatch.setattr(entries, "CATALOGUE", (*entries.CATALOGUE, entry))
    monkeypatch.setattr("core.models.library.inventory.CATALOGUE", entries.CATALOGUE)


def _list_again(shown: OpenDialog, qtbot) -> None:
    shown.presenter.open()
    qtbot.waitUntil(lambda: "encoder/offered" in shown.rows)


def test_the_command_opens_the_dialog_without_a_study(qapp, qtbot, tmp_path: Path):
    from gui.app import build_window

    controller, window = build_window(qapp, tmp_path / "settings.json")
    qtbot.addWidget(window)
    controller.start(None)
    controller.commands.action("score.models").trigger()
    dialogs = window.findChildren(ModelsDialog)
    qtbot.waitUntil(lambda: bool(dialogs[0].list.models.rows()))
    assert dialogs[0].isVisible()
    controller.close()


def test_a_model_setting_offers_the_known_models(qtbot, small):
    from core.metrics.registry import parse
    from core.models.library.add_model import add_model
    from gui.results.settings_form import SettingsForm, setting_fields

    add_model(small, name="my-encoder")
    fields = {field.key: field for field in setting_fields(parse("bertscore"))}
    assert {"minilm", "roberta-large", "my-encoder"} <= set(fields["encoder"].choices)
    assert "bert-large-squad" not in fields["encoder"].choices
    form = SettingsForm()
    qtbot.addWidget(form)
    form.show_fields([fields["encoder"]])
    completer = form.controls["encoder"].completer()
    style = completer.popup().style()  # it is a window of its own
    assert style.metaObject().className() == "QStyleSheetStyle"
    completer.setCompletionPrefix("ENC")
    assert completer.currentCompletion() == "my-encoder"
    with qtbot.waitSignal(form.changed) as change:
        completer.activated.emit("my-encoder")
    assert change.args == ["encoder", "my-encoder"]


def test_listing_models_imports_no_torch():
    script = (
        "import sys; from gui.dialogs.models.presenter import survey_models; from core.progress import "
        "run_to_completion;"
        "run_to_completion(survey_models(None, 'auto')); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT).returncode == 0


def test_a_metric_offers_models_of_its_own_kind_alone():
    from core.metrics.registry import parse
    from gui.results.settings_form import setting_fields

    settings = {"comet": "rater", "bleurt": "rater", "alignscore": "nli", "summac": "nli"}
    offered = {
        name: next(field for field in setting_fields(parse(name)) if field.key == setting).choices
        for name, setting in settings.items()
    }
    for model, metric in (
        ("wmt22-cometkiwi-da", "comet"),
        ("bleurt-20", "bleurt"),
        ("alignscore-base", "alignscore"),
        ("vitc", "summac"),
    ):
        assert [name for name, models in offered.items() if model in models] == [metric]
