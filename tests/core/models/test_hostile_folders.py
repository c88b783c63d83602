"""Folders of models that are damaged or odd: refused in words, or read with the numbers of the whole one."""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import PyramidionError
from core.models.catalogue.user_models import user_models
from core.models.encoders.encoder import load_encoder
from core.models.heads.pair_classifier import load_pair_classifier
from core.models.library.add_model import add_model
from tests.core.metrics.test_lite_pyramid import _classifier as classifier

Make = Callable[..., Path]
Change = Callable[[Path], object]
WEIGHTS, CONFIG, TOKENIZER = "model.safetensors", "config.json", "tokenizer.json"
SETTINGS, INDEX, MODULES = "tokenizer_config.json", "model.safetensors.index.json", "modules.json"
TENSOR = "bert.encoder.layer.0.output.dense.weight"
TEXTS = ["the court ruled .", "the cat sat on the mat"]


def _json(name: str, **values: Any) -> Change:
    def change(folder: Path) -> None:
        file = folder / name
        content = json.loads(file.read_text()) if file.is_file() else {}
        file.write_text(json.dumps({**content, **values}))

    return change


def _text(name: str, content: str) -> Change:
    return lambda folder: (folder / name).write_text(content)


def _vocabulary(changed: Callable[[dict[str, int]], Any]) -> Change:
    def change(folder: Path) -> None:
        content = json.loads((folder / TOKENIZER).read_text())
        changed(content["model"]["vocab"])
        (folder / TOKENIZER).write_text(json.dumps(content))

    return change


def _added(mark: str) -> Change:
    def change(folder: Path) -> None:
        content = json.loads((folder / TOKENIZER).read_text())
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        added = {"id": len(content["model"]["vocab"]), "content": mark, "special": True, **flags}
        content["added_tokens"].append(added)
        (folder / TOKENIZER).write_text(json.dumps(content))

    return change


def _header(**values: Any) -> Change:
    def change(folder: Path) -> None:
        content = (folder / WEIGHTS).read_bytes()
        (length,) = struct.unpack("<Q", content[:8])
        head = json.loads(content[8 : 8 + length])
        head[TENSOR] |= values
        made = json.dumps(head).encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(made)) + made + content[8 + length :])

    return change


def _tensor(made: Callable[[torch.Tensor], torch.Tensor]) -> Change:
    def change(folder: Path) -> None:
        state = load_file(folder / WEIGHTS)
        save_file({**state, TENSOR: made(state[TENSOR])}, folder / WEIGHTS)

    return change


def _index(weight_map: Any) -> Change:
    def change(folder: Path) -> None:
        shutil.move(folder / WEIGHTS, folder.parent / "elsewhere.safetensors")
        _text(INDEX, json.dumps({"weight_map": weight_map}))(folder)

    return change


def _dense(width: int, value: float = 1.0) -> Change:
    def change(folder: Path) -> None:
        kinds = {"": "Transformer", "1": "Pooling", "2": "Dense"}
        _text(MODULES, json.dumps([{"type": f"x.{k}", "path": p} for p, k in kinds.items()]))(folder)
        for part in ("1", "2"):
            (folder / part).mkdir()
        _text("1/config.json", "{}")(folder)
        _text("2/config.json", json.dumps({"out_features": 4, "activation_function": "x.Tanh"}))(folder)
        state = {"linear.weight": torch.full((4, width), value), "linear.bias": torch.zeros(4)}
        save_file(state, folder / "2" / WEIGHTS)

    return change


def _old(*more: Change) -> Change:
    def change(folder: Path) -> None:
        torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
        (folder / WEIGHTS).unlink()
        for one in more:
            one(folder)

    return change


REFUSED: dict[str, Change] = {
    "nothing": lambda folder: [file.unlink() for file in folder.iterdir()],
    "truncated weights": lambda folder: os.truncate(folder / WEIGHTS, 9000),
    "offsets that are texts": _header(data_offsets=["a", "b"]),
    "offsets below zero": _header(data_offsets=[-4, 4]),
    "a size that lies": _header(shape=[10**6, 10**6]),
    "a type that lies": _header(dtype="F64"),
    "whole numbers as weights": _tensor(lambda one: one.to(torch.int8)),
    "weights in eight bits": _tensor(lambda one: one.to(torch.float8_e4m3fn)),
    "complex weights": _tensor(lambda one: one.to(torch.complex64)),
    "a tensor of nothing": _tensor(lambda _: torch.zeros(0)),
    "no tokenizer": lambda folder: (folder / TOKENIZER).unlink(),
    "an empty tokenizer": _text(TOKENIZER, "{}"),
    "no pieces": _vocabulary(dict.clear),
    "no unknown piece": _vocabulary(lambda pieces: pieces.pop("[UNK]")),
    "more pieces than vectors": _vocabulary(lambda pieces: pieces.update(dog2=20)),
    "pieces with large numbers": _vocabulary(lambda pieces: pieces.update(court=10**6)),
    "a class that is a number": _json(SETTINGS, tokenizer_class=3),
    "a limit that is a text": _json(SETTINGS, model_max_length="x"),
    "a limit of no text": _json(SETTINGS, model_max_length=2),
    "a list of special pieces": _text("special_tokens_map.json", "[]"),
    "another architecture": _json(CONFIG, model_type="gpt2", architectures=["GPT2Model"]),
    "an unknown architecture": _json(CONFIG, model_type="none", auto_map={"AutoModel": "evil.Evil"}),
    "a quantization": _json(CONFIG, quantization_config={"quant_method": "gptq", "bits": 4}),
    "a kernel of others": _json(CONFIG, attn_implementation="somebody/kernel"),
    "an unknown type": _json(CONFIG, dtype="float99"),
    "no heads": _json(CONFIG, num_attention_heads=0),
    "no layers": _json(CONFIG, num_hidden_layers=0),
    "too many layers": _json(CONFIG, num_hidden_layers=3),
    "other widths": _json(CONFIG, hidden_size=64),
    "norms by nothing": _json(CONFIG, layer_norm_eps=float("nan")),
    "more labels": _json(CONFIG, id2label={str(i): f"l{i}" for i in range(4)} | {"4": "entailment"}),
    "weights that are a link to nothing": lambda folder: [
        (folder / WEIGHTS).unlink(),
        (folder / WEIGHTS).symlink_to("nowhere"),
    ],
    "weights outside": _index({TENSOR: "../elsewhere.safetensors"}),
    "weights by numbers": _index({TENSOR: 3, "other": "x"}),
    "weights by a list": _index([1]),
    "a layer that reads others": _dense(9),
    "a layer of no numbers": _dense(32, float("nan")),
    "modules that are numbers": _text(MODULES, "[1, 2]"),
    "weights that are a text": _old(_text("pytorch_model.bin", "hello")),
}
READ: dict[str, Change] = {
    "whole": lambda _: None,
    "weights elsewhere": lambda folder: [
        shutil.move(folder / WEIGHTS, folder.parent / "blob"),
        (folder / WEIGHTS).symlink_to(folder.parent / "blob"),  # as the hub's cache has them
    ],
    "no name of padding": _text(SETTINGS, json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"})),
    "no padding": lambda folder: [
        _text(SETTINGS, json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))(folder),
        _json(CONFIG, pad_token_id=-1)(folder),
    ],
    "code in the tokenizer": _json(SETTINGS, auto_map={"AutoTokenizer": ["x.X", "x.X"]}),
    "a piece for masks without a vector": lambda folder: [
        _json(SETTINGS, mask_token="<mask>")(folder),
        _added("<mask>")(folder),
    ],
    "a mask of causal attention": lambda folder: save_file(
        {**load_file(folder / WEIGHTS), "bert.h.0.attn.bias": torch.ones(4, dtype=torch.bool)},
        folder / WEIGHTS,
    ),
    "a link to itself": lambda folder: (folder / "loop").symlink_to(folder),
    "old weights": _old(),
    "old weights and a link to nothing": _old(lambda folder: (folder / "gone").symlink_to("nowhere")),
}


@pytest.fixture
def whole(make_model: Make, tmp_path: Path) -> Path:
    user_models().use_folder(tmp_path / "settings")
    return classifier(make_model)


@pytest.mark.parametrize("harm", REFUSED)
def test_what_harms_is_refused_in_words_and_nothing_is_added(harm: str, whole: Path, tmp_path: Path) -> None:
    REFUSED[harm](whole)
    with pytest.raises(PyramidionError):
        add_model(whole, copies=tmp_path / "models")
    assert user_models().all() == ()
    assert not list((tmp_path / "models").glob("[!.]*"))


def test_what_is_odd_changes_no_number(whole: Path, tmp_path: Path) -> None:
    found = {}
    for number, (name, change) in enumerate(READ.items()):
        folder = shutil.copytree(whole, tmp_path / f"{number}" / "model")
        change(folder)
        added = add_model(folder, name=f"model-{number}", copies=tmp_path / "models")
        vectors = load_encoder(added.name, device="cpu").text_vectors(TEXTS).vectors
        judged = load_pair_classifier(added.name, device="cpu").judge(
            [("the court", "the cat sat"), ("the", "a")]
        )
        found[name] = np.concatenate([vectors.ravel(), judged.presence.ravel()])
    for name, values in found.items():
        np.testing.assert_allclose(values, found["whole"], atol=1e-6, err_msg=name)
