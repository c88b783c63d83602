"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import threading

import pytest

from core.errors import InputError
from core.whole_files import check_place, whole_file


def test_a_file_takes_its_name_only_when_it_is_complete(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(TypeError), whole_file(path) as file:
        print("half", b"and no text", file=file, sep=b"")
    assert path.read_text(encoding="utf-8") == "old"
    with whole_file(path) as file:
        file.write("new 🌉\r\n")
    assert path.read_bytes() == "new 🌉\r\n".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_nothing_is_written_over_a_study(study):
    before = study.path.read_bytes()
    with pytest.raises(InputError, match="nothing may overwrite"), whole_file(study.path):
        pass
    assert study.path.read_bytes() == before


def test_a_folder_and_a_missing_folder_give_their_sentences(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        check_place(tmp_path)
    with pytest.raises(InputError, match="folder does not exist"):
        check_place(tmp_path / "none" / "a.csv")


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    with whole_file(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are for Unix alone; run this test there")
def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    with whole_file(pipe) as file:
        file.write("through")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()
