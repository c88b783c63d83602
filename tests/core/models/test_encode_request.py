"""Encodings requested ahead, shared and cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch

from core.models.encoders.encoder import Encoder, load_encoder
from core.models.encoders.text_encoding import EncodeRequest
from core.progress import Cancelled, cancellable

Make = Callable[..., Path]
TEXTS = ("the cat sat", "a dog ran on the mat", "court")


@pytest.fixture
def encoder(make_model: Make) -> Encoder:
    return load_encoder(str(make_model(num_hidden_layers=4)), device="cpu")


@pytest.fixture
def passes(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, tuple[int, ...]]]:
    """How many texts went through the network at a time, and for which layers."""
    return watched(encoder, monkeypatch)


def watched(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, tuple[int, ...]]]:
    seen: list[tuple[int, tuple[int, ...]]] = []
    hidden = encoder._network.hidden

    def watching(ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        seen.append((len(ids), tuple(layers)))
        return hidden(ids, layers)

    monkeypatch.setattr(encoder._network, "hidden", watching)
    return seen


def request(texts: Sequence[str], *layers: int, limit: int = 0) -> EncodeRequest:
    return EncodeRequest("tiny", "float32", tuple(texts), layers, limit)


def test_layers_that_several_want_of_a_text_share_its_pass(
    encoder: Encoder, passes: list[tuple[int, tuple[int, ...]]]
) -> None:
    shares = list(encoder.prefetch([request(TEXTS, 3), request(TEXTS[:2], 2, 3), request(TEXTS[:2], 1)]))
    assert sorted(passes) == [(1, (3,)), (2, (1, 2, 3))]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    encoder.encode(TEXTS, (3,))
    encoder.encode(TEXTS[:2], (1, 2, 3))
    assert len(passes) == 2


def test_prefetched_encodings_equal_direct_ones(encoder: Encoder, make_model: Make) -> None:
    list(encoder.prefetch([request(TEXTS, 1, 4), request(TEXTS, 2), request(TEXTS, 3, limit=4)]))
    fresh = load_encoder(str(encoder.model.folder), device="cpu")
    for layers, limit in (((1, 4), 0), ((2,), 0), ((3,), 4)):
        mine, theirs = encoder.encode(TEXTS, layers, limit), fresh.encode(TEXTS, layers, limit)
        for one, other in zip(mine, theirs, strict=True):
            torch.testing.assert_close(one.vectors, other.vectors, atol=1e-5, rtol=0)


def test_cached_encodings_are_not_prefetched_again(
    encoder: Encoder, passes: list[tuple[int, tuple[int, ...]]]
) -> None:
    encoder.encode(TEXTS[:1], (2,))
    list(encoder.prefetch([request(TEXTS, 2)]))
    assert passes == [(1, (2,)), (2, (2,))]
    assert list(encoder.prefetch([request(TEXTS, 2)])) == []


def test_the_memory_of_requests_is_estimated(encoder: Encoder) -> None:
    requests = [request(TEXTS, 2, 3), request(TEXTS[:1], 3, 4)]
    nbytes = encoder.nbytes_of(requests)
    list(encoder.prefetch(requests))
    assert nbytes == encoder._cache.nbytes == 4 * 32 * (2 * (5 + 8 + 3) + 5)


@pytest.fixture
def normed(make_model: Make) -> Encoder:
    """A model that puts a norm behind its last block, whichever that is."""
    from transformers import OPTConfig, OPTModel

    folder = make_model("normed")
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "word_embed_proj_dim": 32, "num_attention_heads": 2, "ffn_dim": 64}
    config = OPTConfig(
        vocab_size=20,
        num_hidden_layers=3,
        max_position_embeddings=12,
        do_layer_norm_before=True,
        bos_token_id=2,
        eos_token_id=3,
        pad_token_id=0,
        **sizes,
    )
    module = OPTModel(config)
    torch.nn.init.normal_(module.decoder.final_layer_norm.weight)
    module.save_pretrained(folder)
    return load_encoder(str(folder), device="cpu")


def test_a_single_layer_is_cached_separately_if_a_norm_follows_the_last(
    normed: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = load_encoder(str(normed.model.folder), device="cpu")
    alone = fresh.encode(TEXTS, (2,))
    passes = watched(normed, monkeypatch)
    list(normed.prefetch([request(TEXTS, 2), request(TEXTS, 1, 2)]))
    beside = normed.encode(TEXTS, (1, 2))
    for one, two, three in zip(alone, beside, normed.encode(TEXTS, (2,)), strict=True):
        assert (one.vectors[0] - two.vectors[1]).abs().max() > 0.01
        torch.testing.assert_close(one.vectors, three.vectors, atol=1e-5, rtol=0)
    assert sorted(layers for _, layers in passes) == [(1, 2), (2,)]


def test_a_layer_requested_with_others_is_the_same_if_they_are_cached(normed: Encoder) -> None:
    first = normed.encode(TEXTS, (1, 2))
    normed._cache.clear()
    normed.encode(TEXTS, (1, 3))
    for one, other in zip(first, normed.encode(TEXTS, (1, 2)), strict=True):
        torch.testing.assert_close(one.vectors, other.vectors, atol=1e-5, rtol=0)


def test_a_pass_can_be_stopped_between_two_blocks(encoder: Encoder) -> None:
    blocks = [0]

    def after_two_blocks() -> bool:
        blocks[0] += 1
        return blocks[0] > 3  # before the batch, before the first block, before the second

    with cancellable(after_two_blocks), pytest.raises(Cancelled):
        encoder.encode(TEXTS, (4,))
    assert encoder._cache.nbytes == 0
    assert len(encoder.encode(TEXTS, (4,))) == len(TEXTS)
