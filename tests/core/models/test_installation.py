"""Installed models while others are added: refused, interrupted, killed and of the same name."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

from core.errors import InputError, MissingResource
from core.models.catalogue import conversion
from core.models.catalogue.conversion import OLD_WEIGHTS, WEIGHTS
from core.models.catalogue.entries import Role
from core.models.catalogue.lookup import find_model
from core.models.catalogue.user_models import user_models
from core.models.library import installation
from core.models.library.add_model import add_model
from core.models.library.installation import aside, put_in_place
from tests.core.metrics.test_comet import released
from tests.core.metrics.test_qafacteval import _state, archive

Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path) -> None:
    user_models().use_folder(tmp_path / "settings")


def _older(folder: Path, factor: float = 1.0) -> Path:
    """Store a model's weights as PyTorch does, multiplied by a factor."""
    from safetensors.torch import load_file

    state = {name: tensor * factor for name, tensor in load_file(folder / WEIGHTS).items()}
    (folder / WEIGHTS).unlink()
    torch.save(state, folder / OLD_WEIGHTS)
    return folder


def _layer(folder: Path) -> Path:
    folder.mkdir()
    shapes = {"mlp.weight": (1, 23), "mlp.bias": (1,), "layer_final.weight": (2, 3), "layer_final.bias": (2,)}
    torch.save({name: torch.ones(shape) for name, shape in shapes.items()}, folder / "layer.bin")
    return folder / "layer.bin"


SOURCES: dict[str, tuple[Callable[[Path, Make], Path], str]] = {
    "weights": (lambda folder, make: shutil.copytree(_older(make()), folder), OLD_WEIGHTS),
    "checkpoint": (lambda folder, _: released(folder, "wmt22-da"), "checkpoints/model.ckpt"),
    "archive": (lambda folder, _: archive(folder), ""),
    "layer": (lambda folder, _: _layer(folder), ""),
}
"""Models of each format that is converted, and the file that is damaged."""


def _content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("harm", ["truncated", "interrupted", "too large"])
def test_an_add_that_fails_leaves_the_installed_model(
    kind: str, harm: str, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, damaged = SOURCES[kind]
    place, models = make(tmp_path / "source", make_model), tmp_path / "models"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))  # a place for nothing
    added = add_model(place, name="mine", copies=models)
    before = _content(models)
    error: type[BaseException] = InputError
    if harm == "truncated":
        file = place / damaged if damaged else place
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif harm == "interrupted":
        error = KeyboardInterrupt
        monkeypatch.setattr("core.models.library.add_model.detect_roles", _interrupt)
    else:
        monkeypatch.setattr(shutil, "copyfile", _full)
        monkeypatch.setattr("safetensors.torch.save_file", _full)
    with pytest.raises(error) as refusal:
        add_model(place, name="mine", copies=models)
    assert ".adding" not in str(refusal.value)
    assert _content(models) == before
    assert user_models().get("mine") == added


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks; run on Linux or macOS")
def test_a_killed_add_leaves_the_former_model_or_the_new_one(
    make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tried with `place` removed before the new folder is renamed, and without the recovery in `_clear`."""
    for number in (1, 2):
        shutil.copytree(_older(make_model(f"{number}"), number), tmp_path / f"old{number}" / "model")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")  # a process with threads cannot fork safely
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        ends = process.submit(_ends_of_killed_adds, tmp_path).result()
    assert ends == {"whole", "killed, 0", "killed, 1"}


def _ends_of_killed_adds(folder: Path) -> set[str]:
    """Kill an add of the second model over the first one at each moment; return which of them was left."""
    user_models().use_folder(folder / "settings")
    models, whole = folder / "models", []
    for number in (1, 2):
        whole.append(_content(add_model(folder / f"old{number}" / "model", copies=models).place))
    found, before = whole[1], whole[0]
    assert found != before
    ends, moment = set(), 0
    while "whole" not in ends:
        if found != before:
            add_model(folder / "old1" / "model", copies=models)
        child = os.fork()
        if not child:
            code = 1
            try:
                sys.addaudithook(_Killer(moment, str(models)))
                add_model(folder / "old2" / "model", copies=models)
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
        with aside(models):
            pass
        found = _content(models / "model")
        assert found in whole
        assert [one.name for one in models.iterdir()] == sorted(["model", ".adding.lock"], key=_at(models))
        ends.add("whole" if os.WIFEXITED(status) else f"killed, {whole.index(found)}")
        moment += 1
    return ends


def _at(folder: Path) -> Callable[[str], int]:
    return [one.name for one in folder.iterdir()].index


class _Killer:
    """Kills this process at a moment: when it is about to change a file or folder below another one."""

    def __init__(self, moment: int, below: str) -> None:
        self._left, self._below = moment, below

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(("os.", "open", "shutil.")) and any(self._below in str(one) for one in arguments):
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= 1


def test_a_model_of_any_name_can_be_refused_and_added(make_model: Make, tmp_path: Path) -> None:
    place, models = shutil.copytree(_older(make_model()), tmp_path / "model"), tmp_path / "models"
    whole = (place / OLD_WEIGHTS).read_bytes()
    for name in ("replaced", "place.txt", "adding"):
        (place / OLD_WEIGHTS).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match="damaged"):
            add_model(place, name=name, copies=models)
        (place / OLD_WEIGHTS).write_bytes(whole)
        for _ in range(2):
            assert add_model(place, name=name, copies=models).place == models / name


@pytest.mark.skipif(os.name == "nt", reason="Windows has no flock; run on Linux or macOS")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_models_are_added_where_the_file_system_has_no_locks(
    number: int, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(number, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    models = tmp_path / "models"
    models.mkdir()
    (models / ".adding.lock").touch()  # a killed program left it
    assert add_model(_older(make_model()), name="mine", copies=models).place == models / "mine"


def test_one_program_at_a_time_adds_models(
    make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "_WAIT_S", 0.1)
    models = tmp_path / "models"
    place = _older(make_model())
    with aside(models) as folder:
        with pytest.raises(InputError, match="Another program is adding a model"):
            add_model(place, name="mine", copies=models)
        assert folder.is_dir()
    assert add_model(place, name="mine", copies=models).place == models / "mine"


def test_a_linked_model_is_put_back(tmp_path: Path) -> None:
    models, there = tmp_path / "models", tmp_path / "there"
    for folder in (models, there):
        folder.mkdir()
    (models / "mine").symlink_to(Path("..") / "there", target_is_directory=True)
    with pytest.raises(InputError), aside(models) as folder:
        put_in_place(folder / "gone", models / "mine", folder)
    assert (models / "mine").resolve() == there


def test_models_of_one_folder_name_do_not_share_a_copy(make_model: Make, tmp_path: Path) -> None:
    places = []
    for number in (1, 2):
        place = shutil.copytree(_older(make_model(f"{number}"), number), tmp_path / f"in{number}" / "model")
        places.append(add_model(place, name=f"model-{number}", copies=tmp_path / "models").place)
    assert _content(places[0])[WEIGHTS] != _content(places[1])[WEIGHTS]
    one = tmp_path / "models" / "model-1"
    with pytest.raises(InputError, match="is where the copy in the format of transformers would be"):
        add_model(_older(one), name="model-1", copies=tmp_path / "models")
    user_models().add(user_models().all()[1].__class__("other", places[1], (Role.ENCODER,)))
    user_models().remove("model-2")
    with pytest.raises(InputError, match="is the folder of the model other"):
        add_model(tmp_path / "in2" / "model", name="model-2", copies=tmp_path / "models")


def test_a_model_with_a_checkpoint_is_that_model_unless_the_checkpoint_is_named(
    make_model: Make, tmp_path: Path
) -> None:
    folder = released(tmp_path / "both", "wmt22-da")
    shutil.copytree(make_model("tiny"), folder, dirs_exist_ok=True)
    assert add_model(folder, copies=tmp_path / "models").place == folder
    tokenizer = released(tmp_path / "again", "wmt22-da") / "tokenizer.json"
    shutil.copyfile(tokenizer, folder / "checkpoints" / "tokenizer.json")
    assert Role.COMET in add_model(folder / "checkpoints" / "model.ckpt", copies=tmp_path / "models").roles
    (folder / WEIGHTS).unlink()  # a config.json alone is no model
    assert Role.COMET in add_model(folder, copies=tmp_path / "models").roles


def test_a_message_names_the_users_folder(make_model: Make, tmp_path: Path) -> None:
    folder = _older(make_model("mine"))
    (folder / "vocab.txt").unlink(missing_ok=True)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(MissingResource, match=rf"{folder} has no tokenizer\.json"):
        add_model(folder, copies=tmp_path / "models")
    with pytest.raises(MissingResource):
        find_model("mine")
    assert conversion.needs_weights(folder)


def _without(state: dict[str, torch.Tensor], part: str) -> dict[str, torch.Tensor]:
    left = next(name for name in state if part in name)
    return {name: tensor for name, tensor in state.items() if name != left}


def _incomplete(kind: str, folder: Path, make_model: Make) -> Path:
    """Return a model without the weights of a layer."""
    if kind == "archive":
        return archive(folder, _without(_state("asking"), "decoder.layers.0.fc2.weight"))
    place = SOURCES[kind][0](folder, make_model)
    file = place / SOURCES[kind][1]
    content = torch.load(file, weights_only=True)
    if kind == "checkpoint":
        content["state_dict"] = _without(content["state_dict"], "layer.0.output.dense.weight")
    torch.save(content if kind == "checkpoint" else _without(content, "layer.0.output.dense.weight"), file)
    return place


@pytest.mark.parametrize("kind", ["weights", "checkpoint", "archive"])
def test_a_model_without_a_tensor_is_refused_in_whatever_format(
    kind: str, make_model: Make, tmp_path: Path
) -> None:
    place = _incomplete(kind, tmp_path / "source", make_model)
    with pytest.raises(InputError, match=r"do not contain .*layers?\.0\..*weight, which the network uses"):
        add_model(place, name="mine", copies=tmp_path / "models")
    assert user_models().get("mine") is None
    assert [one.name for one in (tmp_path / "models").iterdir()] == [".adding.lock"]


def test_an_unreadable_file_of_the_user_is_no_lack_of_space(tmp_path: Path) -> None:
    models, theirs = tmp_path / "models", tmp_path / "theirs.bin"
    for number, place, remedy in (
        (errno.EACCES, theirs, "Make it readable"),
        (errno.EACCES, models / "model", "Free some space"),
        (errno.ENOSPC, theirs, "Free some space"),
    ):
        said = f"{re.escape(str(place))} cannot be read or written .*{remedy}"
        with pytest.raises(InputError, match=said), aside(models):
            raise OSError(number, os.strerror(number), str(place))
