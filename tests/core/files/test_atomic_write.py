"""Atomic writing of files and folders."""

from __future__ import annotations

import os
import threading

import pytest

from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open, check_writable


def test_a_file_is_renamed_only_when_complete(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(TypeError), atomic_open(path) as file:
        print("half", b"and no text", file=file, sep=b"")
    assert path.read_text(encoding="utf-8") == "old"
    with atomic_open(path) as file:
        file.write("new 🌉\r\n")
    assert path.read_bytes() == "new 🌉\r\n".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_a_study_is_never_overwritten(study):
    study.close()
    before = study.path.read_bytes()
    with pytest.raises(InputError, match="may not be overwritten"), atomic_open(study.path):
        pass
    assert study.path.read_bytes() == before


def test_folders_and_missing_folders_are_reported(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="folder does not exist"):
        check_writable(tmp_path / "none" / "a.csv")


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    with atomic_open(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are for Unix alone; run this test there")
def test_a_pipe_is_written_directly(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    with atomic_open(pipe) as file:
        file.write("through")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


def test_a_folder_appears_when_everything_in_it_is_complete(tmp_path):
    folder = tmp_path / "out"
    with atomic_folder(folder) as part:
        (part / "below").mkdir()
        (part / "below" / "a.txt").write_text("a")
        assert not folder.exists()
    assert contents(folder) == {"below/a.txt": "a"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_that_fails_is_as_it_was_before(tmp_path, is_there):
    folder = tmp_path / "out"
    if is_there:
        folder.mkdir()
        (folder / "a.txt").write_text("old")
    before = sorted(tmp_path.rglob("*"))

    def write():
        with atomic_folder(folder) as part:
            (part / "a.txt").write_text("new")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left"):
        write()
    assert sorted(tmp_path.rglob("*")) == before
    if is_there:
        assert contents(folder) == {"a.txt": "old"}


def test_files_of_a_folder_replace_only_files_of_the_same_name(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    with atomic_folder(tmp_path) as part:
        (part / "a.txt").write_text("new")
        (part / "b.txt").write_text("b")
    assert contents(tmp_path) == {"a.txt": "new", "b.txt": "b", "notes.txt": "mine"}


def test_no_file_of_a_folder_replaces_a_study(study):
    study.close()
    before = study.path.read_bytes()

    def write():
        with atomic_folder(study.path.parent) as part:
            (part / "another.txt").write_text("a")
            (part / study.path.name).write_text("b")

    with pytest.raises(InputError, match="may not be overwritten"):
        write()
    assert study.path.read_bytes() == before
    assert not (study.path.parent / "another.txt").exists()


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match="is a file"), atomic_folder(tmp_path / "out"):
        pass


def test_nothing_is_written_through_a_link_that_leads_out_of_the_folder(tmp_path):
    place, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    place.mkdir()
    elsewhere.mkdir()
    (place / "tables").symlink_to(elsewhere, target_is_directory=True)

    def write():
        with atomic_folder(place) as part:
            (part / "tables").mkdir()
            (part / "tables" / "a.csv").write_text("a")
            (part / "report.html").write_text("b")

    with pytest.raises(InputError, match="tables is a link to another folder"):
        write()
    assert list(elsewhere.iterdir()) == []
    assert [path.name for path in place.iterdir()] == ["tables"]
