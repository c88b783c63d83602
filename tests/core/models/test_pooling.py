"""Pooling of token vectors, compared with sentence-transformers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import InputError
from core.models.catalogue.lookup import find_model
from core.models.encoders.encoder import load_encoder
from core.models.encoders.pooling import Pooling, pool, read_pooling

Make = Callable[..., Path]
PLAIN = ("Transformer", "Pooling")
TEXTS = ["The court ruled on Monday.", "  A judge struck the ban down.  ", "long words " * 200]


def describe(
    folder: Path, pooling: dict[str, Any], kinds: tuple[str, ...] = ("Transformer", "Pooling")
) -> None:
    """Write what sentence-transformers keeps beside a model."""
    modules = [
        {
            "idx": i,
            "name": str(i),
            "path": f"{i}_{kind}" if i else "",
            "type": f"sentence_transformers.models.{kind}",
        }
        for i, kind in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


@pytest.mark.parametrize("mode", ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"])
def test_each_mode_pools_as_sentence_transformers_does(mode: str, peer: Any) -> None:
    vectors = torch.randn(7, 5, generator=torch.Generator().manual_seed(3))
    features = {"token_embeddings": vectors[None], "attention_mask": torch.ones(1, 7, dtype=torch.long)}
    theirs = peer.sentence_transformer.modules.Pooling(5, pooling_mode=mode)(features)["sentence_embedding"][
        0
    ]
    ours = pool(
        Pooling((mode,), has_special=True, is_normalized=False), vectors, torch.zeros(7, dtype=torch.bool)
    )
    torch.testing.assert_close(ours, theirs)


def test_texts_have_the_vectors_that_sentence_transformers_gives(minilm: Any, peer: Any) -> None:
    theirs = peer.SentenceTransformer(str(minilm.model.folder), device="cpu").encode(
        TEXTS, show_progress_bar=False
    )
    ours = minilm.text_vectors(TEXTS)
    np.testing.assert_allclose(ours.vectors, theirs, atol=1e-5)
    assert ours.is_truncated.tolist() == [False, False, True]


def test_the_packaged_model_reads_256_pieces_and_normalizes() -> None:
    pooling = read_pooling(find_model("minilm"))
    assert pooling == Pooling(("mean",), has_special=True, is_normalized=True, limit=256)
    assert str(pooling) == "mean"


def test_a_plain_transformer_gives_the_mean_of_its_own_pieces(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    encoded = encoder.encode(["the cat sat"], (2,))[0]
    mean = encoded.vectors[0][1:-1].mean(dim=0).numpy()
    ours = encoder.text_vectors(["the cat sat"]).vectors[0]
    np.testing.assert_allclose(ours, mean / np.linalg.norm(mean), atol=1e-6)
    assert str(encoder.pooling()) == "content-mean"


def test_a_text_without_pieces_has_a_zero_vector(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    assert not encoder.text_vectors([""]).vectors.any()


@pytest.mark.parametrize(
    "settings",
    [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, {"pooling_mode": ["cls", "mean"]}],
)
def test_several_modes_are_joined(make_model: Make, settings: dict[str, Any]) -> None:
    made = make_model()
    describe(made, settings)
    encoder = load_encoder(str(made), device="cpu")
    assert str(encoder.pooling()) == "cls+mean"
    vectors = encoder.encode(["the cat sat"], (2,))[0].vectors[0]
    joined = torch.cat([vectors[0], vectors.mean(dim=0)]).numpy()
    np.testing.assert_allclose(encoder.text_vectors(["the cat sat"]).vectors[0], joined, atol=1e-6)


def test_an_uncased_model_lowercases_texts(make_model: Make) -> None:
    made = make_model()
    describe(made, {"pooling_mode": "mean"})
    (made / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 5, "do_lower_case": True}))
    pooling = read_pooling(find_model(str(made)))
    assert (pooling.is_lower, pooling.limit, pooling.is_normalized) == (True, 5, False)


@pytest.mark.parametrize(
    ("pooling", "kinds", "message"),
    [
        ({"pooling_mode": "attention"}, ("Transformer", "Pooling"), "its pooling is attention"),
        ({}, ("Transformer", "Pooling", "LSTM"), "its modules are Transformer, Pooling, LSTM"),
        ({}, ("Transformer", "Pooling", "Normalize", "Dense"), "its modules are .*Normalize, Dense"),
    ],
)
def test_an_unknown_way_to_pool_is_refused(
    make_model: Make, pooling: dict[str, Any], kinds: tuple[str, ...], message: str
) -> None:
    made = make_model()
    describe(made, pooling, kinds)
    with pytest.raises(InputError, match=message):
        read_pooling(find_model(str(made)))


def test_a_model_that_requires_a_prompt_is_refused(make_model: Make) -> None:
    made = make_model()
    describe(made, {})
    (made / "config_sentence_transformers.json").write_text(json.dumps({"default_prompt_name": "query"}))
    with pytest.raises(InputError, match="a prompt to every text"):
        read_pooling(find_model(str(made)))


def test_a_damaged_list_of_modules_is_named(make_model: Make) -> None:
    made = make_model()
    (made / "modules.json").write_text('[{"type": 1}]')
    with pytest.raises(InputError, match=r"modules\.json cannot be read"):
        read_pooling(find_model(str(made)))
