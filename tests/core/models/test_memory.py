"""Memory limits of batches and caches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.models.encoders.encoder import load_encoder
from core.models.runtime import memory
from core.models.runtime.memory import default_cache_bytes, fitting_tokens, free_bytes

Make = Callable[..., Path]
GIB = 1 << 30


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Linux with 8 GiB to spare, in no container."""
    (tmp_path / "meminfo").write_text("MemTotal: 99 kB\nMemAvailable:    8388608 kB\nCached: 5 kB\n")
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    return tmp_path


def test_a_cpu_has_the_available_system_memory(machine: Path) -> None:
    assert free_bytes("cpu") == 8 * GIB


def test_a_container_has_the_memory_within_its_limit(machine: Path) -> None:
    (machine / "memory.max").write_text("max\n")
    (machine / "memory.current").write_text(f"{GIB}\n")
    assert free_bytes("cpu") == 8 * GIB
    (machine / "memory.max").write_text(f"{3 * GIB}\n")
    assert free_bytes("cpu") == 2 * GIB


def test_unknown_free_memory_means_no_limit(machine: Path) -> None:
    (machine / "meminfo").unlink()
    assert free_bytes("cpu") is None
    assert free_bytes("mps") is None
    assert fitting_tokens("cpu", 1024, 4, 4) == sys.maxsize


def test_a_batch_uses_a_quarter_of_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda device: GIB)
    assert fitting_tokens("cuda", 1024, 24, 4) == GIB // 4 // (64 * 1024 * 4)
    assert fitting_tokens("cuda", 1024, 24, 2) == 2 * fitting_tokens("cuda", 1024, 24, 4)
    monkeypatch.setattr(memory, "free_bytes", lambda device: 0)
    assert fitting_tokens("cuda", 1024, 24, 4) == 64


@pytest.mark.parametrize(("free", "expected"), [(GIB, GIB // 2), (16 * GIB, 4 * GIB), (80 * GIB, 8 * GIB)])
def test_a_gpu_with_more_memory_has_a_larger_cache(
    free: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda device: free)
    assert default_cache_bytes("cuda:1") == expected
    assert default_cache_bytes("cpu") == GIB // 2


@pytest.mark.parametrize(("fitting", "sizes"), [(8, [1, 1, 1, 1]), (16, [2, 2]), (9999, [4])])
def test_batches_shrink_with_the_memory(
    fitting: int, sizes: list[int], make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(str(make_model()), device="cpu")
    monkeypatch.setattr("core.models.encoders.encoder.fitting_tokens", lambda *_args: fitting)
    hidden, seen = encoder._network.hidden, []

    def watching(ids: list[list[int]], layers: tuple[int, ...]) -> list[torch.Tensor]:
        seen.append(len(ids))
        return hidden(ids, layers)

    monkeypatch.setattr(encoder._network, "hidden", watching)
    encoder.encode([f"the {word} sat on a mat" for word in ("cat", "dog", "court", "new")], (1,))
    assert seen == sizes
