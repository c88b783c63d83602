"""Encoders: batches, truncation, layers."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel

from core.errors import InputError
from core.models.catalogue.lookup import find_model
from core.models.encoders.encoder import Encoder, load_encoder
from core.models.runtime.devices import choose_device
from core.models.runtime.encoding_cache import BoundedCache
from tests.core.models.counted_passes import counted_passes

Make = Callable[..., Path]
WORDS = ["the", "judge", "ruled", "on", "monday", "that", "unbelievable", "bans", "were", "void", ",", "."]


def texts(count: int, seed: int = 5) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randrange(1, 40))) for _ in range(count)]


def leave_out(folder: Path, part: str) -> None:
    """Take the weights of that name out of a model's file."""
    file = folder / "model.safetensors"
    tensors = {key: value for key, value in load_file(file).items() if part not in key}
    save_file(tensors, file, {"format": "pt"})


def test_neither_batches_nor_order_change_a_number(minilm: Encoder) -> None:
    inputs = texts(64)
    together = load_encoder("minilm", device="cpu", batch_tokens=100_000).encode(inputs, (5,))
    alone = load_encoder("minilm", device="cpu", batch_tokens=1).encode(inputs[::-1], (5,))[::-1]
    for a, b in zip(together, alone, strict=True):
        assert a.pieces.ids.tolist() == b.pieces.ids.tolist()
        assert (a.vectors - b.vectors).abs().max() < 1e-5


def test_batches_hold_what_the_budget_allows(make_model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder(str(make_model()), device="cpu", batch_tokens=12)
    sizes = counted_passes(encoder, monkeypatch)
    encoder.encode(["the cat", "the cat sat on a mat", "dog", "a dog", "mat ."], (1,))
    assert sizes == [1, 3, 1]  # 8 pieces alone; 4 + 4 + 4; 3


def test_a_layer_is_the_output_of_that_block(minilm: Encoder) -> None:
    model = AutoModel.from_pretrained(minilm.model.folder, local_files_only=True).eval()
    encoded = minilm.encode(["A judge ruled."], (2, 5, 6))[0]
    with torch.inference_mode():
        states = model(torch.tensor([encoded.pieces.ids.tolist()]), output_hidden_states=True).hidden_states
    for row, layer in enumerate((2, 5, 6)):
        torch.testing.assert_close(encoded.vectors[row], states[layer][0], atol=1e-5, rtol=0)
    torch.testing.assert_close(minilm.encode(["A judge ruled."], (2,))[0].vectors[0], encoded.vectors[0])


def test_several_layers_can_be_requested_after_lower_ones(make_model: Make) -> None:
    folder = str(make_model(num_hidden_layers=3))
    encoder = load_encoder(folder, device="cpu")
    (lower,) = encoder.encode(["the cat sat"], (1, 2))
    (upper,) = encoder.encode(["the cat sat"], (2, 3))
    (fresh,) = load_encoder(folder, device="cpu").encode(["the cat sat"], (1, 2, 3))
    torch.testing.assert_close(lower.vectors, fresh.vectors[:2])
    torch.testing.assert_close(upper.vectors, fresh.vectors[1:])


def test_a_text_is_encoded_once_for_all_requests(minilm: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = counted_passes(minilm, monkeypatch)
    fresh = ["One text that nobody asked for yet.", "And a second one."]
    minilm.encode([*fresh, fresh[0]], (6,))
    minilm.encode(fresh[::-1], (6,), limit=100)
    minilm.text_vectors(fresh)
    assert sizes == [2]
    minilm.encode(fresh[:1], (6,), limit=5)
    assert sizes == [2, 1]


def test_the_cache_drops_least_recently_used_values() -> None:
    cache: BoundedCache[torch.Tensor] = BoundedCache(max_bytes=80)
    for key in "ab":
        cache.keep(key, torch.zeros(10))
    assert cache.get("a") is not None
    cache.keep("c", torch.zeros(10))
    assert (cache.get("b"), len(cache), cache.nbytes) == (None, 2, 80)
    cache.keep("c", torch.zeros(5))
    assert (len(cache), cache.nbytes) == (2, 60)


def test_what_is_too_large_for_the_cache_is_still_returned(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu", cache=BoundedCache(max_bytes=0))
    assert encoder.encode(["the cat"], (1,))[0].vectors.shape == (1, 4, 32)


def test_texts_beyond_the_limit_are_truncated_and_marked(make_model: Make) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    long, short = encoder.encode(["the cat sat on the mat " * 5, "the cat"], (2,), limit=50)
    assert (len(long.pieces.ids), long.pieces.is_truncated) == (12, True)
    assert not short.pieces.is_truncated


def test_out_of_memory_halves_the_batch_and_continues(
    make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(str(make_model()), device="cpu", batch_tokens=1000)
    inputs = ["the cat", "a dog ran", "mat", "court ruled", "on the mat", "cats", "a", "the"]
    expected = [one.vectors for one in encoder.encode(inputs, (2,))]
    hidden, sizes = encoder._network.hidden, []

    def small(ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        sizes.append(len(ids))
        if len(ids) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return hidden(ids, layers)

    monkeypatch.setattr(encoder._network, "hidden", small)
    encoder._cache.clear()
    for one, vectors in zip(encoder.encode(inputs, (2,)), expected, strict=True):
        torch.testing.assert_close(one.vectors, vectors, atol=1e-5, rtol=0)
    assert sizes == [8, 4, 2, 2, 4, 2, 2]
    encoder.encode([f"{text} ." for text in inputs], (2,))
    assert max(sizes[7:]) <= 2


def test_a_text_too_large_for_the_device_is_reported_with_the_remedy(
    make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")

    def full(*_: object) -> list[torch.Tensor]:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(encoder._network, "hidden", full)
    with pytest.raises(InputError, match="A text of 4 word pieces is too long for the memory of cpu"):
        encoder.encode(["the cat", "a dog"], (1,))


def test_other_failures_are_not_taken_for_lack_of_memory(
    make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")

    def broken(*_: object) -> list[torch.Tensor]:
        raise RuntimeError("shape mismatch")

    monkeypatch.setattr(encoder._network, "hidden", broken)
    with pytest.raises(RuntimeError, match="shape mismatch"):
        encoder.encode(["the cat"], (1,))


def test_loading_prints_nothing_and_asks_no_network(
    make_model: Make, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_model()
    weights = {
        key: value for key, value in load_file(made / "model.safetensors").items() if "pooler" not in key
    }
    save_file(weights, made / "model.safetensors", {"format": "pt"})
    capfd.readouterr()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("asked the network")

    monkeypatch.setattr(socket.socket, "connect", never)
    monkeypatch.setattr(socket, "getaddrinfo", never)
    load_encoder(str(made), device="cpu").encode(["the cat " * 30], (1,))
    assert capfd.readouterr() == ("", "")


def test_damaged_weights_are_named(make_model: Make) -> None:
    made = make_model()
    file = made / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(InputError, match=r"The weights of tiny .* cannot be read .*Copy the model"):
        load_encoder(str(made), device="cpu")


def test_incomplete_weights_are_refused(make_model: Make) -> None:
    made = make_model()
    weights = {
        key: value for key, value in load_file(made / "model.safetensors").items() if "layer.1" not in key
    }
    save_file(weights, made / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"do not contain encoder\.layer\.1"):
        load_encoder(str(made), device="cpu")


def test_a_damaged_tokenizer_is_named(make_model: Make) -> None:
    made = make_model()
    (made / "tokenizer.json").write_text("{")
    with pytest.raises(InputError, match="The tokenizer of tiny"):
        load_encoder(str(made), device="cpu")


def test_bfloat16_is_less_exact_and_cached_separately(make_model: Make) -> None:
    made, cache = str(make_model()), BoundedCache[torch.Tensor]()
    exact = load_encoder(made, device="cpu", cache=cache).encode(["the cat"], (2,))[0].vectors
    short = (
        load_encoder(made, device="cpu", dtype="bfloat16", cache=cache).encode(["the cat"], (2,))[0].vectors
    )
    assert short.dtype == torch.bfloat16
    assert 0 < (exact - short.float()).abs().max() < 0.1


def test_an_unknown_kind_of_number_is_refused() -> None:
    with pytest.raises(InputError, match="Choose one of: float32, bfloat16, float16, int8"):
        load_encoder("minilm", device="cpu", dtype="int4")


def test_a_missing_device_error_names_the_available_ones() -> None:
    with pytest.raises(InputError, match=r"no device 'cuda:7'\. Choose one of: auto, .*cpu"):
        choose_device("cuda:7")


def test_automatic_choice_selects_an_available_device() -> None:
    assert choose_device(choose_device("auto")) == choose_device("auto")


def test_no_text_gives_no_vector(minilm: Encoder) -> None:
    assert minilm.encode([], (1,)) == []
    assert minilm.text_vectors([]).vectors.shape == (0, 384)


def test_a_model_that_repeats_one_block_gives_each_layer(make_model: Make) -> None:
    from transformers import AlbertConfig, AlbertModel

    made = make_model("albert")
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "embedding_size": 16, "num_attention_heads": 2, "intermediate_size": 64}
    config = AlbertConfig(
        vocab_size=20, num_hidden_layers=3, max_position_embeddings=12, pad_token_id=0, **sizes
    )
    network = AlbertModel(config).eval()
    network.save_pretrained(made)
    encoded = load_encoder(str(made), device="cpu").encode(["the cat"], (2,))[0]
    with torch.inference_mode():
        states = network(torch.tensor([encoded.pieces.ids.tolist()]), output_hidden_states=True).hidden_states
    torch.testing.assert_close(encoded.vectors[0], states[2][0], atol=1e-5, rtol=0)
    assert find_model(str(made)).layers == 3
