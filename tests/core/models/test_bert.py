"""BERT without transformers' models: the same numbers, and nothing slow is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

from core.models.encoders.encoder import Encoder
from core.models.runtime.bert import BertModel, load_bert
from tests.core.models.test_encoder import leave_out

Make = Callable[..., Path]
SLOW = "torch._dynamo torch.distributed.tensor transformers.modeling_utils scipy sympy"


def both(folder: Path, *, is_padded: bool) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return every state of our encoder and of transformers'."""
    ours, theirs = load_bert(folder, torch.float32), AutoModel.from_pretrained(folder).eval()
    assert isinstance(ours, BertModel)
    ids = torch.randint(5, 20, (3, 9), generator=torch.Generator().manual_seed(1))
    mask = torch.ones_like(ids)
    if is_padded:
        mask[0, 4:] = mask[2, 7:] = 0
    with torch.inference_mode():
        found = [
            model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            for model in (ours.eval(), theirs)
        ]
    assert len(found[0]) == len(found[1])
    return [(a[mask == 1], b[mask == 1]) for a, b in zip(*found, strict=True)]


@pytest.mark.parametrize("is_padded", [False, True])
@pytest.mark.parametrize("kind", ["BertModel", "BertForMaskedLM"])
def test_states_are_those_of_transformers(make_model: Make, kind: str, is_padded: bool) -> None:
    for mine, theirs in both(make_model(kind=kind, num_hidden_layers=3), is_padded=is_padded):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("is_padded", [False, True])
def test_states_of_minilm_are_those_of_transformers(minilm: Encoder, is_padded: bool) -> None:
    for mine, theirs in both(minilm.model.folder, is_padded=is_padded):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize(
    "changed", [{"hidden_act": "relu"}, {"is_decoder": True}, {"model_type": "electra"}, {"hidden_size": 16}]
)
def test_what_is_another_model_is_left_to_transformers(make_model: Make, changed: dict[str, object]) -> None:
    folder = make_model()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changed), encoding="utf-8")
    assert load_bert(folder, torch.float32) is None


def test_incomplete_weights_are_left_to_transformers(make_model: Make) -> None:
    folder = make_model()
    leave_out(folder, "layer.1.output.dense.bias")
    assert load_bert(folder, torch.float32) is None


def test_an_encoder_runs_without_what_is_slow_to_import() -> None:
    script = (
        "import sys; from core.models.encoders.encoder import load_encoder; "
        "load_encoder('minilm', device='cpu').encode(['A judge ruled.'], (5,)); "
        f"print(*(name for name in {SLOW.split()} if name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
