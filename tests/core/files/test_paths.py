"""Paths that are locked, too long or missing."""

from __future__ import annotations

import os

import pytest

from core.errors import InputError
from core.files.atomic_write import atomic_write_bytes, check_writable
from core.files.paths import access_errors, ensure_folder, list_files, path_exists
from storage.database.study_database import create, version_of
from storage.formats import import_registry

LONG = "a" * 300
"""No file system that we know takes such a name."""


@pytest.mark.parametrize(
    "look",
    [
        version_of,
        create,
        check_writable,
        import_registry.detect,
        lambda path: import_registry.read(path, "table"),
        lambda path: import_registry.read(path, "folders"),
    ],
    ids=["version_of", "make", "check_place", "detect", "read a table", "read folders"],
)
def test_an_inaccessible_path_is_reported_with_its_cause(look, tmp_path):
    with pytest.raises(InputError, match=r"a{300} cannot be accessed: .+ Check the path"):
        look(tmp_path / LONG)


def test_inaccessible_files_count_as_missing(tmp_path):
    assert path_exists(tmp_path)
    assert not path_exists(tmp_path / LONG)


def test_a_locked_folder_is_reported(tmp_path):
    with pytest.raises(InputError, match="Permission denied"), access_errors(tmp_path):
        raise PermissionError(13, "Permission denied")


def test_files_below_a_folder_are_found_at_any_depth_in_order(tmp_path):
    for name in ("b", "a/c/d", "a/b"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()
    assert [file.relative_to(tmp_path).as_posix() for file in list_files(tmp_path)] == ["a/b", "a/c/d", "b"]


def test_an_unreadable_subfolder_is_reported(tmp_path, monkeypatch):
    (tmp_path / "documents" / "T1").mkdir(parents=True)
    (tmp_path / "summaries").mkdir()
    (tmp_path / "summaries" / "T1.s").write_text("A summary.", encoding="utf-8")
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("T1"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match=r"documents.T1 cannot be read: Permission denied"):
        import_registry.read(tmp_path, "folders")


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"The folder .*within cannot be created: .+ Choose another place"):
        ensure_folder(tmp_path / "file" / "within")


def test_bytes_are_written_completely_or_not_at_all(tmp_path):
    path = tmp_path / "a.pdf"
    atomic_write_bytes(path, b"\x00\xff\r\n")
    assert path.read_bytes() == b"\x00\xff\r\n"
    with pytest.raises(TypeError):
        atomic_write_bytes(path, "text")  # type: ignore[arg-type]
    assert path.read_bytes() == b"\x00\xff\r\n"
    assert list(tmp_path.iterdir()) == [path]
