"""A GPU gives the CPU's results, is reproducible, and continues if its memory is full.

Skipped where there is none; there, all tests that need one run by ``python -m pytest -m gpu -n0``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from core.models.encoders.encoder import Encoder, load_encoder
from core.models.runtime.devices import choose_device
from core.models.runtime.encoding_cache import BoundedCache
from core.models.runtime.memory import free_bytes
from core.progress import Cancelled, cancellable
from tests.core.models.on_a_device import Made, infersent_on, make_all, numbers_on, tuned_on
from tests.gpu import GPU

pytestmark = [*GPU]

WORDS = ["the", "judge", "ruled", "on", "monday", "that", "unbelievable", "bans", "were", "void", ",", "."]


def texts(count: int, longest: int = 60) -> list[str]:
    chance = random.Random(5)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, longest))) for _ in range(count)]


@pytest.fixture
def made(make_model: Callable[..., Path], tmp_path: Path) -> Made:
    return make_all(make_model, tmp_path)


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Leave this process 2 GiB of the GPU's memory."""
    torch.cuda.empty_cache()
    whole = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, (2 << 30) / whole))
    yield
    torch.cuda.set_per_process_memory_fraction(1.0)


def fresh(**options: int | str) -> Encoder:
    """The packaged encoder on the GPU with a cache of its own."""
    return load_encoder("minilm", device="cuda", cache=BoundedCache(1 << 28), **options)  # type: ignore[arg-type]


def test_every_number_is_the_cpus(made: Made) -> None:
    there, here = (numbers_on(device, made) for device in ("cuda", "cpu"))
    for name, values in here.items():
        np.testing.assert_allclose(there[name], values, atol=1e-5, rtol=0, err_msg=name)
    np.testing.assert_allclose(infersent_on("cuda", made), infersent_on("cpu", made), atol=1e-5, rtol=0)


def test_products_are_not_rounded_to_fewer_digits() -> None:
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
    choose_device("cuda")
    assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == (False, False)


@pytest.mark.parametrize("tokens", [1, 512, 65_536])
def test_no_batch_moves_a_vector(minilm: Encoder, tokens: int) -> None:
    inputs = texts(200)
    there = fresh(batch_tokens=tokens).encode(inputs, (2, 5, 6))
    for a, b in zip(minilm.encode(inputs, (2, 5, 6)), there, strict=True):
        assert b.vectors.is_cuda
        assert (a.vectors - b.vectors.cpu()).abs().max() < 1e-5


def test_training_is_reproducible(made: Made) -> None:
    np.testing.assert_array_equal(tuned_on("cuda", made), tuned_on("cuda", made))


def test_full_memory_makes_batches_smaller_and_changes_nothing(little_memory: None) -> None:
    inputs = texts(4000, longest=200)
    encoder = fresh(batch_tokens=1 << 24)
    crowded = encoder.encode(inputs, (6,))
    assert encoder._batches._tokens < 1 << 24
    for a, b in zip(crowded[::100], fresh(batch_tokens=512).encode(inputs[::100], (6,)), strict=True):
        assert (a.vectors - b.vectors).abs().max() < 1e-5


def test_a_device_reports_its_free_memory() -> None:
    free = free_bytes("cuda")
    assert free is not None
    assert 0 < free <= torch.cuda.get_device_properties(0).total_memory


def test_smaller_numbers_are_near() -> None:
    exact, coarse = (fresh(dtype=dtype).encode(texts(8), (6,)) for dtype in ("float32", "bfloat16"))
    for a, b in zip(exact, coarse, strict=True):
        assert torch.nn.functional.cosine_similarity(a.vectors, b.vectors.float(), dim=-1).min() > 0.99


def test_cancellation_stops_between_two_batches() -> None:
    encoder = fresh(batch_tokens=64)
    asks = iter(range(1 << 30))
    with cancellable(lambda: next(asks) > 20), pytest.raises(Cancelled):
        encoder.encode(texts(2000), (6,))
    assert next(asks) < 23
