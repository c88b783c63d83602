"""Packed linear layers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

from core.errors import InputError
from core.models.catalogue.lookup import find_model
from core.models.encoders.encoder import load_encoder
from core.models.runtime.bert import LoadedLinear
from core.models.runtime.heads import Head, load_head
from core.models.runtime.network import Network, load_network
from core.models.runtime.packed_linear import Int8Linear, OneDnnLinear, pack_linear

Make = Callable[..., Path]


def kinds(network: Network) -> set[type[torch.nn.Module]]:
    return {type(module) for module in network._module.modules()} & {
        LoadedLinear,
        torch.nn.Linear,
        OneDnnLinear,
        Int8Linear,
    }


def test_a_packed_network_equals_the_plain_one(make_model: Make) -> None:
    folder = make_model()
    (encoded,) = load_encoder(str(folder), device="cpu").encode(["the cat sat on a mat"], (2,))
    plain = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    with torch.inference_mode():
        expected = plain(torch.tensor([encoded.pieces.ids.tolist()])).last_hidden_state
    torch.testing.assert_close(encoded.vectors, expected, atol=1e-5, rtol=0)


def test_float32_on_a_cpu_is_packed_and_nothing_else(make_model: Make) -> None:
    model = find_model(str(make_model()))
    assert kinds(load_network(model, "cpu", "float32")[0]) == {OneDnnLinear}
    assert kinds(load_network(model, "cpu", "bfloat16")[0]) == {LoadedLinear}
    assert kinds(load_network(model, "cpu", "int8")[0]) == {Int8Linear}


def test_int8_is_near_and_does_not_depend_on_the_batch() -> None:
    torch.manual_seed(2)
    plain, vectors = torch.nn.Linear(24, 7), torch.randn(3, 5, 24)
    vectors[1, 2] = 0.0
    layer = Int8Linear(plain)
    with torch.inference_mode():
        exact, near = plain(vectors), layer(vectors)
        alone = torch.stack([layer(text[None])[0] for text in vectors])
    torch.testing.assert_close(near, exact, atol=0.02, rtol=0)
    assert not torch.equal(near, exact)
    assert torch.equal(near, alone)
    torch.testing.assert_close(near[1, 2], plain.bias)  # of a vector of zeros


def test_int8_is_refused_on_another_device_with_a_remedy(make_model: Make) -> None:
    model = find_model(str(make_model("answers", "BertForQuestionAnswering")))
    for load in (load_network, partial(load_head, head=Head.ANSWERS)):
        with pytest.raises(InputError, match="Choose dtype=bfloat16, or --device cpu"):
            load(model, device="cuda:0", dtype="int8")


def test_heads_are_quantized(make_model: Make) -> None:
    module, _ = load_head(
        find_model(str(make_model("masks", "BertForMaskedLM"))), Head.MASKED_LM, "cpu", "int8"
    )
    assert any(type(part) is Int8Linear for part in module.modules())
    assert not any(type(part) is torch.nn.Linear for part in module.modules())


def test_heads_are_packed_unless_they_may_be_trained(make_model: Make) -> None:
    def packed(kind: str, head: Head, is_trained: bool = False) -> bool:
        folder = find_model(str(make_model(kind, kind)))
        module, _ = load_head(folder, head, "cpu", "float32", is_trained=is_trained)
        return any(type(part) is OneDnnLinear for part in module.modules())

    assert packed("BertForQuestionAnswering", Head.ANSWERS)
    assert packed("BertForSequenceClassification", Head.ENTAILMENT)
    assert packed("BertForMaskedLM", Head.MASKED_LM)
    assert not packed("BertForMaskedLM", Head.MASKED_LM, is_trained=True)


def test_layers_that_would_give_other_numbers_stay_plain() -> None:
    layer = torch.nn.Sequential(torch.nn.Linear(4, 3))
    weights = iter([torch.zeros(3), torch.ones(3)])
    pack_linear(layer, lambda: next(weights))
    assert type(layer[0]) is torch.nn.Linear


def test_layers_whose_weights_are_read_elsewhere_stay_plain() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Linear(3, 2))
    with torch.inference_mode():
        pack_linear(module, lambda: torch.ones(4) @ module[0].weight.mT)
    assert [type(layer) for layer in module] == [torch.nn.Linear, torch.nn.Linear]


@pytest.mark.parametrize("shape", [(5,), (1, 5), (2, 3, 5)])
def test_a_packed_layer_takes_vectors_of_any_arrangement(shape: tuple[int, ...]) -> None:
    torch.manual_seed(3)
    plain = torch.nn.Linear(5, 4)
    vectors = torch.randn(shape)
    with torch.inference_mode():
        torch.testing.assert_close(OneDnnLinear(plain)(vectors), plain(vectors), atol=1e-5, rtol=0)
