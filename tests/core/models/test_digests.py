"""Digests of model files."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from core.models.catalogue import digests as hashing
from core.models.catalogue.digests import DigestCache


def test_one_file_gives_its_sha256(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"abc" * 1_000_000)
    assert DigestCache().of([file]) == hashlib.sha256(b"abc" * 1_000_000).hexdigest()


def test_several_files_give_another_digest_in_another_order(tmp_path: Path) -> None:
    files = [tmp_path / "1", tmp_path / "2"]
    for file in files:
        file.write_text(file.name)
    assert DigestCache().of(files) != DigestCache().of(files[::-1])


def test_a_digest_is_computed_once_even_across_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "weights", tmp_path / "cache"
    file.write_text("one")
    first = DigestCache(folder).of([file])

    def never(_: Path) -> str:
        raise AssertionError("hashed again")

    monkeypatch.setattr(hashing, "_sha256", never)
    assert DigestCache(folder).of([file]) == first


def test_earlier_digests_are_stored_when_a_folder_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "1", tmp_path / "2"]
    for file in files:
        file.write_text(file.name)
    digests = DigestCache()
    first = digests.of(files[:1])
    digests.use_folder(tmp_path / "cache")
    second = digests.of(files[1:])
    monkeypatch.setattr(hashing, "_sha256", lambda _: "hashed again")
    again = DigestCache(tmp_path / "cache")
    assert [again.of([file]) for file in files] == [first, second]


def test_a_changed_file_is_hashed_again(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_text("one")
    digests = DigestCache(tmp_path / "cache")
    first = digests.of([file])
    file.write_text("two")
    os.utime(file, ns=(1, 1))
    assert digests.of([file]) != first


@pytest.mark.parametrize("content", ["{", "[1]"])
def test_a_damaged_cache_file_is_ignored(tmp_path: Path, content: str) -> None:
    (tmp_path / "weights-sha256.json").write_text(content)
    file = tmp_path / "weights"
    file.write_text("one")
    assert DigestCache(tmp_path).of([file]) == hashlib.sha256(b"one").hexdigest()


def test_a_read_only_folder_does_not_prevent_results(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_text("one")
    assert DigestCache(file).of([file]) == hashlib.sha256(b"one").hexdigest()


def test_cached_digests_are_returned_without_reading_files(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"numbers")
    digests = DigestCache()
    assert digests.known([file]) == ""
    assert digests.of([file]) == digests.known([file])
    file.write_bytes(b"other numbers")
    assert digests.known([file]) == ""
