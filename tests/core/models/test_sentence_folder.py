"""Sentence-transformers folders with layers after the pooling, against that package."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import InputError
from core.models.catalogue.lookup import find_model
from core.models.catalogue.sentence_folder import transformer_folder
from core.models.encoders.encoder import load_encoder
from core.models.encoders.pooling import read_pooling

Make = Callable[..., Path]
TEXTS = ["the cat sat on a mat .", "a dog ran", "the court ruled"]


@pytest.fixture
def make_folder(make_model: Make, tmp_path: Path, peer: Any) -> Callable[..., Path]:
    """Has sentence-transformers write a folder: a random BERT, a pooling and what comes behind it."""

    def make(mode: str, *behind: Any) -> Path:
        folder = tmp_path / "sentences"
        kinds = peer.sentence_transformer.modules
        modules = [kinds.Transformer(str(make_model())), kinds.Pooling(32, pooling_mode=mode), *behind]
        peer.SentenceTransformer(modules=modules, device="cpu").save(str(folder), create_model_card=False)
        return folder

    return make


@pytest.fixture
def dense(peer: Any) -> Callable[..., Any]:
    def layer(width: int, activation: Any, read: int = 32) -> Any:
        torch.manual_seed(width)
        kind = peer.sentence_transformer.modules.Dense
        return kind(read, width, activation_function=activation)

    return layer


@pytest.mark.parametrize("mode", ["cls", "mean", "max", "mean_sqrt_len_tokens"])
def test_layers_after_the_pooling_equal_sentence_transformers(
    make_folder: Callable[..., Path], dense: Callable[..., Any], peer: Any, mode: str
) -> None:
    normalize = peer.sentence_transformer.modules.Normalize()
    folder = make_folder(mode, dense(8, torch.nn.Tanh()), dense(4, torch.nn.Identity(), 8), normalize)
    theirs = peer.SentenceTransformer(str(folder), device="cpu").encode(TEXTS, show_progress_bar=False)
    encoder = load_encoder(str(folder), device="cpu")
    np.testing.assert_allclose(encoder.text_vectors(TEXTS).vectors, theirs, atol=1e-5)
    assert str(encoder.pooling()) == f"{mode}>dense8-tanh>dense4-identity"


def test_weights_of_an_older_release_are_read_without_running_code(
    make_folder: Callable[..., Path], dense: Callable[..., Any]
) -> None:
    folder = make_folder("mean", dense(8, torch.nn.Tanh()))
    expected = load_encoder(str(folder), device="cpu").text_vectors(TEXTS).vectors
    (layer,) = read_pooling(find_model(str(folder))).layers
    from safetensors.torch import load_file

    numbers = load_file(layer.weights)
    layer.weights.unlink()
    torch.save(numbers, layer.folder / "pytorch_model.bin")
    older = folder.rename(folder.parent / "older")
    np.testing.assert_allclose(
        load_encoder(str(older), device="cpu").text_vectors(TEXTS).vectors, expected, atol=1e-7
    )


def test_a_transformer_in_a_subfolder_is_found(
    make_folder: Callable[..., Path], dense: Callable[..., Any]
) -> None:
    folder = make_folder("max", dense(8, torch.nn.ReLU()))
    expected = load_encoder(str(folder), device="cpu").text_vectors(TEXTS).vectors
    own = folder / "0_Transformer"
    own.mkdir()
    for file in [*folder.iterdir()]:
        if file.is_file() and file.name != "modules.json":
            file.rename(own / file.name)
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["path"] = own.name
    (folder / "modules.json").write_text(json.dumps(modules))
    assert transformer_folder(folder) == own
    encoder = load_encoder(str(folder), device="cpu")
    np.testing.assert_allclose(encoder.text_vectors(TEXTS).vectors, expected, atol=1e-7)
    assert encoder.model.name == folder.name


def test_an_unsupported_layer_is_refused(make_folder: Callable[..., Path], dense: Callable[..., Any]) -> None:
    folder = make_folder("mean", dense(8, torch.nn.Softplus()))
    with pytest.raises(InputError, match="activation Softplus"):
        read_pooling(find_model(str(folder)))


def test_a_damaged_layer_is_named(make_folder: Callable[..., Path], dense: Callable[..., Any]) -> None:
    folder = make_folder("mean", dense(8, torch.nn.Tanh()))
    (layer,) = read_pooling(find_model(str(folder))).layers
    layer.weights.write_bytes(b"no numbers")
    with pytest.raises(InputError, match=r"2_Dense.model\.safetensors cannot be read"):
        load_encoder(str(folder), device="cpu").text_vectors(TEXTS)


def test_a_layer_without_its_bias_is_refused(
    make_folder: Callable[..., Path], dense: Callable[..., Any]
) -> None:
    folder = make_folder("mean", dense(8, torch.nn.Tanh()))
    (layer,) = read_pooling(find_model(str(folder))).layers
    save_file({"linear.weight": load_file(layer.weights)["linear.weight"]}, layer.weights)
    with pytest.raises(InputError, match="has no whole layer with 8 outputs"):
        load_encoder(str(folder), device="cpu").text_vectors(TEXTS)
