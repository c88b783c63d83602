"""The cache of encodings on disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.errors import InputError
from core.formatting.numbers import parse_bytes
from core.models.encoders.encoder import load_encoder
from core.models.encoders.text_encoding import EncodeRequest
from core.models.runtime import disk_cache
from core.models.runtime.disk_cache import DiskEncodingCache, open_disk_cache
from core.models.runtime.disk_cache_limits import requested_bytes, used_bytes
from tests.core.models.counted_passes import counted_passes

Make = Callable[..., Path]
TEXTS = ("the cat sat", "a dog ran on the mat", "court", "the court ruled")
ROOM = 1 << 20


def vectors(seed: int, pieces: int = 5) -> torch.Tensor:
    return torch.randn(pieces, 32, generator=torch.Generator().manual_seed(seed))


def pages(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def test_a_later_run_encodes_nothing_again_and_has_the_same_digits(
    make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, folder = str(make_model()), tmp_path / "kept"
    first = load_encoder(model, device="cpu", disk=DiskEncodingCache(folder, ROOM))
    expected = [first.encode(TEXTS, layers, limit) for layers, limit in (((1, 2), 0), ((2,), 4))]
    later = load_encoder(model, device="cpu", disk=DiskEncodingCache(folder, ROOM))
    sizes = counted_passes(later, monkeypatch)
    assert list(later.prefetch([EncodeRequest("", "float32", TEXTS, (1,))])) == []
    results = [later.encode(TEXTS, layers, limit) for layers, limit in (((1, 2), 0), ((2,), 4))]
    assert sizes == []
    for ours, theirs in zip(results, expected, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert torch.equal(one.vectors, other.vectors)


@pytest.mark.parametrize("changed", ["weights", "config", "dtype", "layer", "limit"])
def test_every_encoder_setting_changes_the_cache_key(
    changed: str, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, model = tmp_path / "kept", make_model()
    load_encoder(str(model), device="cpu", disk=DiskEncodingCache(folder, ROOM)).encode(TEXTS, (1,))
    if changed == "weights":
        make_model(initializer_range=0.3)
    if changed == "config":
        config = model / "config.json"
        config.write_text(config.read_text().replace('"gelu"', '"relu"'))
    dtype = "bfloat16" if changed == "dtype" else "float32"
    later = load_encoder(str(model), device="cpu", dtype=dtype, disk=DiskEncodingCache(folder, ROOM))
    sizes = counted_passes(later, monkeypatch)
    later.encode(TEXTS, (2 if changed == "layer" else 1,), 4 if changed == "limit" else 0)
    assert sum(sizes) > 0


@pytest.mark.parametrize("damage", ["cut off", "a changed byte", "empty", "a changed header"])
def test_a_damaged_page_is_encoded_again(
    damage: str, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, folder = str(make_model()), tmp_path / "kept"
    expected = load_encoder(model, device="cpu", disk=DiskEncodingCache(folder, ROOM)).encode(TEXTS, (2,))
    (page,) = pages(folder)
    content = page.read_bytes()
    page.write_bytes(
        {
            "cut off": content[:-100],
            "a changed byte": content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
            "empty": b"",
            "a changed header": b"\xff" * 20 + content[20:],
        }[damage]
    )
    later = load_encoder(model, device="cpu", disk=DiskEncodingCache(folder, ROOM))
    sizes = counted_passes(later, monkeypatch)
    for one, other in zip(later.encode(TEXTS, (2,)), expected, strict=True):
        assert torch.equal(one.vectors, other.vectors)
    assert sum(sizes) == len(TEXTS)


def test_bfloat16_is_restored_exactly(tmp_path: Path) -> None:
    made = vectors(1).bfloat16()
    cache = DiskEncodingCache(tmp_path, ROOM)
    cache.keep({"a": made})
    cache.flush()
    assert torch.equal(DiskEncodingCache(tmp_path, ROOM).page_of("a")["a"], made)


def test_unwritten_vectors_are_returned(tmp_path: Path) -> None:
    cache = DiskEncodingCache(tmp_path, ROOM)
    cache.keep({"a": vectors(1)})
    assert pages(tmp_path) == []
    assert torch.equal(cache.page_of("a")["a"], vectors(1))
    assert cache.page_of("b") == {}


def test_least_recently_used_pages_are_evicted(tmp_path: Path) -> None:
    written = DiskEncodingCache(tmp_path, ROOM)
    for i in range(8):
        written.keep({f"{i}": vectors(i, 100)})
        written.flush()
    each = used_bytes(tmp_path) // 8
    for page in pages(tmp_path):
        os.utime(page, (1.0, 1.0))
    cache = DiskEncodingCache(tmp_path, 8 * each)
    assert cache.page_of("0")
    cache.keep({"new": vectors(9, 100)})
    cache.flush()
    assert used_bytes(tmp_path) <= 8 * each
    assert cache.page_of("0")
    assert cache.page_of("new")
    later = DiskEncodingCache(tmp_path, 8 * each)
    assert [bool(cache.page_of(f"{i}")) for i in range(8)] == [bool(later.page_of(f"{i}")) for i in range(8)]


def test_two_processes_share_a_folder(tmp_path: Path) -> None:
    one, other = DiskEncodingCache(tmp_path, ROOM), DiskEncodingCache(tmp_path, ROOM)
    for cache, seed in ((one, 1), (other, 2)):
        cache.keep({"a": vectors(1), f"{seed}": vectors(seed)})
        cache.flush()
    both = DiskEncodingCache(tmp_path, ROOM)
    assert all(torch.equal(both.page_of(f"{seed}")[f"{seed}"], vectors(seed)) for seed in (1, 2))
    for page in pages(tmp_path):
        page.unlink()  # the other has made room
    assert one.page_of("1") == {}
    assert one.page_of("a") == {}


def test_incomplete_pages_of_crashed_processes_are_deleted(tmp_path: Path) -> None:
    old, young = tmp_path / f"{'a' * 32}.new", tmp_path / f"{'b' * 32}.new"
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (1.0, 1.0))
    cache = DiskEncodingCache(tmp_path, 10)
    cache.keep({"a": vectors(1)})
    cache.flush()
    assert (old.exists(), young.exists()) == (False, True)


def test_a_read_only_folder_does_not_stop_a_run(make_model: Make, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    disk = DiskEncodingCache(tmp_path / "taken", ROOM)
    encoder = load_encoder(str(make_model()), device="cpu", disk=disk)
    assert len(encoder.encode(TEXTS, (1,))) == len(TEXTS)
    assert len(encoder.encode(TEXTS, (2,))) == len(TEXTS)


def test_large_texts_fill_several_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_PAGE_BYTES", 1000)
    cache = DiskEncodingCache(tmp_path, ROOM)
    for i in range(5):
        cache.keep({f"{i}": vectors(i)})  # of 640 bytes
    cache.flush()
    assert len(pages(tmp_path)) == 3
    assert [set(cache.page_of(f"{i}")) for i in (0, 4)] == [{"0", "1"}, {"4"}]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("512", 512),
        ("2GB", 2 * 10**9),
        ("1.5 gib", 3 << 29),
        ("500 MB", 500 * 10**6),
        ("10k", 10_000),
    ],
)
def test_sizes_are_decimal_unless_the_unit_is_binary(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "much", "-1", "2 G B", "1,5GB", "GB", "2PB"])
def test_text_that_is_not_a_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a size\. Use a size such as 2GB or 500MB, or 0 for none"):
        parse_bytes(text)


def test_the_cache_is_off_without_a_folder_or_size(tmp_path: Path) -> None:
    assert open_disk_cache(None, ROOM) is None
    assert open_disk_cache(tmp_path, 0) is None
    assert open_disk_cache(tmp_path, ROOM) is open_disk_cache(tmp_path, ROOM) is not None


def test_the_environment_sets_the_cache_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMIDION_ENCODING_CACHE", "3MB")
    assert requested_bytes() == 3 * 10**6
    monkeypatch.delenv("PYRAMIDION_ENCODING_CACHE")
    assert requested_bytes() == 2 * 10**9
