"""Packed linear layers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

from core.models.catalogue.lookup import find_model
from core.models.encoders.encoder import load_encoder
from core.models.runtime.heads import Head, load_head
from core.models.runtime.network import Network, load_network
from core.models.runtime.packed_linear import OneDnnLinear, pack_linear

Make = Callable[..., Path]


def kinds(network: Network) -> set[type[torch.nn.Module]]:
    return {type(module) for module in network._module.modules()} & {torch.nn.Linear, OneDnnLinear}


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
    assert kinds(load_network(model, "cpu", "bfloat16")[0]) == {torch.nn.Linear}


def test_heads_are_packed_unless_they_may_be_trained(make_model: Make) -> None:
    def packed(kind: str, head: Head) -> bool:
        module, _ = load_head(find_model(str(make_model(kind, kind))), head, "cpu", "float32")
        return any(type(part) is OneDnnLinear for part in module.modules())

    assert packed("BertForQuestionAnswering", Head.ANSWERS)
    assert packed("BertForSequenceClassification", Head.ENTAILMENT)
    assert not packed("BertForMaskedLM", Head.MASKED_LM)


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
