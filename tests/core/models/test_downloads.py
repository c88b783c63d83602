"""Downloads from a local hub: complete, interrupted, cancelled, damaged and refused."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import InputError, MissingResource
from core.files import downloads
from core.metrics.registry import parse
from core.models.catalogue.entries import Role
from core.models.catalogue.lookup import find_model
from core.models.catalogue.user_models import user_models
from core.models.library.downloads import download
from core.progress import Cancelled, cancellable, run_to_completion
from tests.conftest import ROOT
from tests.core.metrics.test_comet import released
from tests.core.models.hub_server import Hub, serving

Make = Callable[..., Path]
WEIGHTS = "model.safetensors"


@pytest.fixture
def hub(make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with a tiny model, and one whose weights are a pickle."""
    tiny = make_model("tiny")
    pickled = tmp_path / "pickled"
    shutil.copytree(tiny, pickled)
    (pickled / WEIGHTS).rename(pickled / "pytorch_model.bin")
    user_models().use_folder(tmp_path / "settings")
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(downloads, "PAUSE_S", 0.0)
    with serving({"somebody/tiny": tiny, "somebody/pickled": pickled}) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.address)
        yield served


def test_a_fetched_model_is_found_by_its_name(hub: Hub, tmp_path: Path) -> None:
    added = run_to_completion(download("somebody/tiny", tmp_path / "models"))
    assert added.roles == (Role.ENCODER,)
    model = find_model("somebody/tiny")
    assert model.folder == added.place == tmp_path / "models" / "somebody--tiny"
    assert (model.folder / WEIGHTS).read_bytes() == hub.files["somebody/tiny"][WEIGHTS]


def test_progress_counts_bytes_up_to_the_whole(hub: Hub, tmp_path: Path) -> None:
    total = sum(len(content) for content in hub.files["somebody/tiny"].values())
    steps = list(download("somebody/tiny", tmp_path))
    counted = [step.done for step in steps if step.total]
    assert counted == sorted(counted)
    assert counted[-1] == steps[-1].total == total


def test_a_broken_download_resumes_where_it_stopped(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_at = [1000, 500]
    run_to_completion(download("somebody/tiny", tmp_path))
    ranges = [byte_range for path, byte_range in hub.requests if path.endswith(WEIGHTS)]
    assert ranges == ["", "bytes=1000-", "bytes=1500-"]
    assert (tmp_path / "somebody--tiny" / WEIGHTS).read_bytes() == hub.files["somebody/tiny"][WEIGHTS]


def test_a_hub_without_ranges_sends_all_again(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_at, hub.ignores_ranges = [1000], True
    run_to_completion(download("somebody/tiny", tmp_path))
    assert (tmp_path / "somebody--tiny" / WEIGHTS).read_bytes() == hub.files["somebody/tiny"][WEIGHTS]


def test_a_partial_download_resumes_in_a_later_session(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_at = [1000, 10, 10, 10]
    with pytest.raises(InputError, match=r"broke at .* Download somebody/tiny again to resume"):
        run_to_completion(download("somebody/tiny", tmp_path))
    with pytest.raises(MissingResource):
        find_model("somebody/tiny")
    hub.requests.clear()
    run_to_completion(download("somebody/tiny", tmp_path))
    assert [byte_range for path, byte_range in hub.requests if path.endswith(WEIGHTS)] == ["bytes=1030-"]
    assert find_model("somebody/tiny").layers == 2


def test_closing_a_download_stops_it_and_keeps_what_arrived(hub: Hub, tmp_path: Path) -> None:
    hub.pieces = 2048
    steps = download("somebody/tiny", tmp_path)
    while not (step := next(steps)).note.startswith(WEIGHTS):
        pass
    steps.close()
    assert 0 < step.done < step.total
    assert user_models().get("somebody/tiny") is None
    run_to_completion(download("somebody/tiny", tmp_path))
    assert any(byte_range.startswith("bytes=") for path, byte_range in hub.requests if path.endswith(WEIGHTS))


def test_a_download_can_be_stopped_between_two_chunks(hub: Hub, tmp_path: Path) -> None:
    with cancellable(lambda: len(hub.requests) > 1), pytest.raises(Cancelled):
        run_to_completion(download("somebody/tiny", tmp_path))


@pytest.mark.parametrize("name", [WEIGHTS, "config.json"])
def test_a_file_with_another_hash_is_deleted(hub: Hub, tmp_path: Path, name: str) -> None:
    hub.spoiled = {name}
    with pytest.raises(InputError, match=rf"{name} is damaged"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert not list(tmp_path.glob(f"somebody--tiny.part/{name}*"))
    hub.spoiled = set()
    run_to_completion(download("somebody/tiny", tmp_path))


def test_pytorch_weights_are_stored_as_safetensors(hub: Hub, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load, load_file

    state = load(hub.files["somebody/tiny"][WEIGHTS])
    tied = next(iter(state))
    buffer = io.BytesIO()
    torch.save({**state, "tied": state[tied]}, buffer)
    content = {name: each for name, each in hub.files["somebody/tiny"].items() if name != WEIGHTS}
    hub.files = {"somebody/tiny": {**content, "pytorch_model.bin": buffer.getvalue()}}
    added = run_to_completion(download("somebody/tiny", tmp_path))
    tensors = load_file(added.place / WEIGHTS)
    assert tensors.keys() == {*state, "tied"}
    assert all(torch.equal(tensors[name], tensor) for name, tensor in state.items())
    assert not (added.place / "pytorch_model.bin").exists()
    assert find_model("somebody/tiny").layers == 2


def test_a_fetched_model_is_used_as_its_role(hub: Hub, tmp_path: Path) -> None:
    content = hub.files["somebody/tiny"]
    config = {**json.loads(content["config.json"]), "architectures": ["BertForQuestionAnswering"]}
    hub.files = {"somebody/tiny": {**content, "config.json": json.dumps(config).encode()}}
    with pytest.raises(InputError, match=r"somebody/tiny .*: --role encoder adds that alone"):
        run_to_completion(download("somebody/tiny", tmp_path))
    hub.requests.clear()
    assert run_to_completion(download("somebody/tiny", tmp_path, Role.ENCODER)).roles == (Role.ENCODER,)
    assert not [path for path, _ in hub.requests if path.endswith(WEIGHTS)], "they are there"
    with pytest.raises(InputError, match=r"somebody/tiny cannot be used as parser; .*: encoder"):
        run_to_completion(download("somebody/tiny", tmp_path, Role.PARSER))
    with pytest.raises(InputError, match=r"roberta-large is used as encoder.* Leave out --role"):
        run_to_completion(download("roberta-large", tmp_path, Role.PARSER))
    with pytest.raises(InputError, match="The hub has no public model"):
        run_to_completion(download("roberta-large", tmp_path, Role.ENCODER))


def test_a_comet_is_fetched_with_the_tokenizer_of_its_encoder(hub: Hub, tmp_path: Path) -> None:
    from core.scoring.study_resources import StudyResources

    folder = released(tmp_path / "kiwi", "kiwi")
    files = {name: (folder / name).read_bytes() for name in ("hparams.yaml", "checkpoints/model.ckpt")}
    tokenizer = {"tokenizer.json": (folder / "tokenizer.json").read_bytes(), "config.json": b"{}"}
    hub.files = {"Unbabel/wmt22-cometkiwi-da": files, "FacebookAI/xlm-roberta-large": tokenizer}
    steps = download("wmt22-cometkiwi-da", tmp_path / "models")
    added = run_to_completion(steps)
    assert (added.name, added.roles) == ("wmt22-cometkiwi-da", (Role.COMET,))
    assert not (added.place / "checkpoints").exists()
    kiwi = parse("comet:rater=wmt22-cometkiwi-da,pooling=none")
    assert kiwi.unavailable(StudyResources()) == ""
    assert len(run_to_completion(download("wmt22-cometkiwi-da", tmp_path / "models")).roles) == 1, "again"


def test_a_comet_that_comes_with_its_tokenizer_is_fetched_with_that(hub: Hub, tmp_path: Path) -> None:
    folder = released(tmp_path / "kiwi", "kiwi")
    names = ("hparams.yaml", "checkpoints/model.ckpt", "tokenizer.json")
    files = {name: (folder / name).read_bytes() for name in names}
    hub.files = {"somebody/kiwi": files, "FacebookAI/xlm-roberta-large": {"tokenizer.json": b"{}"}}
    added = run_to_completion(download("somebody/kiwi", tmp_path / "models"))
    assert (added.place / "tokenizer.json").read_bytes() == files["tokenizer.json"]


def test_a_fetched_pickle_that_would_run_code_is_not_opened(hub: Hub, tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "exploded"),)

    content = {**hub.files["somebody/pickled"], "pytorch_model.bin": pickle.dumps(Bomb())}
    hub.files = {"somebody/pickled": content}
    with pytest.raises(InputError, match="could run code when loaded"):
        run_to_completion(download("somebody/pickled", tmp_path))
    assert not (tmp_path / "exploded").exists()
    assert not list(tmp_path.glob("somebody--pickled*"))
    assert user_models().get("somebody/pickled") is None


def test_a_model_without_weights_that_can_be_read_is_refused_before_it_is_fetched(
    hub: Hub, tmp_path: Path
) -> None:
    content = {name: each for name, each in hub.files["somebody/tiny"].items() if name != WEIGHTS}
    hub.files = {"somebody/tiny": {**content, "tf_model.h5": b"x"}}
    with pytest.raises(InputError, match=r"has neither model\.safetensors nor pytorch_model\.bin"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert [path for path, _ in hub.requests] == ["api/models/somebody/tiny"]


def test_nothing_but_a_models_files_is_fetched(hub: Hub, tmp_path: Path) -> None:
    hub.files = {"somebody/tiny": {**hub.files["somebody/tiny"], "run.py": b"", "../up.json": b"{}"}}
    run_to_completion(download("somebody/tiny", tmp_path))
    assert not any("run.py" in path or "up.json" in path for path, _ in hub.requests)


def test_a_gated_model_names_where_to_accept_its_licence_and_the_token(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.gated, hub.accepted, hub.valid = {"somebody/tiny"}, {"hf_yes"}, {"hf_no"}
    with pytest.raises(InputError, match=r"accepted at https://huggingface.co/somebody/tiny.*set HF_TOKEN"):
        run_to_completion(download("somebody/tiny", tmp_path))
    monkeypatch.setenv("HF_TOKEN", "hf_no")
    with pytest.raises(InputError, match=r"account of your token.*https://huggingface.co/somebody/tiny"):
        run_to_completion(download("somebody/tiny", tmp_path))
    monkeypatch.setenv("HF_TOKEN", "hf_invalid")
    with pytest.raises(InputError, match=r"refused the token.*https://huggingface.co/settings/tokens"):
        run_to_completion(download("somebody/tiny", tmp_path))
    monkeypatch.setenv("HF_TOKEN", "hf_yes")
    assert run_to_completion(download("somebody/tiny", tmp_path)).roles == (Role.ENCODER,)


def test_the_token_is_sent_to_the_hub_alone(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.valid = {"hf_mine"}
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    run_to_completion(download("somebody/tiny", tmp_path))
    assert set(hub.tokens) == {"hf_mine"}
    assert any(path.endswith(WEIGHTS) for path, _ in hub.requests)
    assert hub.strayed == []


def test_licence_withdrawn_during_a_download_is_named(hub: Hub, tmp_path: Path) -> None:
    steps = download("somebody/tiny", tmp_path)
    next(steps)
    next(steps)  # the list is there
    hub.gated = {"somebody/tiny"}
    with pytest.raises(InputError, match="licence must be accepted"):
        run_to_completion(steps)


def test_a_busy_hub_is_asked_again(hub: Hub, tmp_path: Path) -> None:
    steps = download("somebody/tiny", tmp_path)
    next(steps)
    next(steps)
    hub.refusals = [429, 503]
    run_to_completion(steps)
    assert find_model("somebody/tiny").layers == 2


def test_a_renamed_model_is_found_under_its_old_name(hub: Hub, tmp_path: Path) -> None:
    hub.redirects = {"api/models/somebody/old": f"{hub.address}/api/models/somebody/tiny"}
    for name in hub.files["somebody/tiny"]:
        path = f"somebody/old/resolve/c0ffee/{name}"
        hub.redirects[path] = f"{hub.address}/somebody/tiny/resolve/c0ffee/{name}"
    assert run_to_completion(download("somebody/old", tmp_path)).name == "somebody/old"


def test_a_download_asks_for_nothing_but_the_model(hub: Hub, tmp_path: Path) -> None:
    folders = ("PYRAMIDION_CONFIG", "PYRAMIDION_CACHE", "PYRAMIDION_MODELS", "HF_HOME")
    env = {**os.environ, **{name: str(tmp_path / name) for name in folders}}
    env.pop("HF_HUB_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-m", "pyramidion", "models", "get", "somebody/tiny"]
    subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    assert {path for path, _ in hub.requests} == {
        "api/models/somebody/tiny",
        *(f"somebody/tiny/resolve/c0ffee/{name}" for name in hub.files["somebody/tiny"]),
    }


@pytest.mark.parametrize("variable", ["PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_nothing_is_requested(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(InputError, match=f"{variable} is set"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert hub.requests == []


def test_who_chose_to_work_offline_fetches_nothing_until_they_choose_otherwise(
    hub: Hub, tmp_path: Path
) -> None:
    user_models().set_offline(True)
    with pytest.raises(InputError, match="Offline mode is on"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert hub.requests == []
    user_models().set_offline(False)
    assert run_to_completion(download("somebody/tiny", tmp_path)).name == "somebody/tiny"
    assert not user_models().is_offline


def test_a_model_that_is_not_on_the_hub_is_named(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no public model or data set somebody/other"):
        run_to_completion(download("somebody/other", tmp_path))


def test_an_unreachable_hub_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match="cannot be reached"):
        run_to_completion(download("somebody/tiny", tmp_path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("minilm", "installed with Pyramidion"),
        ("elmo", "Download AllenNLP's original"),
        ("tiny", "nor a hub name"),
        ("../tiny", "nor a hub name"),
    ],
)
def test_names_that_are_not_on_the_hub_are_refused(hub: Hub, tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_to_completion(download(name, tmp_path))
    assert hub.requests == []


def test_a_full_disk_is_noticed_before_anything_is_fetched(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=100))
    with pytest.raises(InputError, match="Free some space"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert len(hub.requests) == 1


def test_a_full_disk_is_not_reported_as_a_broken_connection(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(downloads, "_receive", full)
    with pytest.raises(InputError, match=r"is not writable \(No space left"):
        run_to_completion(download("somebody/tiny", tmp_path))


def test_an_unusable_model_is_not_installed(hub: Hub, tmp_path: Path) -> None:
    content = {**hub.files["somebody/tiny"], "config.json": json.dumps({"model_type": "bert"}).encode()}
    hub.files = {"somebody/tiny": content}
    with pytest.raises(InputError, match="has none of"):
        run_to_completion(download("somebody/tiny", tmp_path))
    assert not (tmp_path / "somebody--tiny").exists()
