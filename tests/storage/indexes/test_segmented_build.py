"""Builds of indexes in segments: equal to builds at once, and continued after their process is killed."""

from __future__ import annotations

import errno
import gzip
import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.progress import run_to_completion
from core.retrieval import segments
from core.retrieval.analysis import Analysis
from core.retrieval.builder import build_index
from core.retrieval.index_store import IndexRequest
from core.retrieval.protocols import SourceDocument
from core.retrieval.segments import Segment, merge
from storage.indexes import segmented_build
from storage.indexes.document_sources import DocumentReader
from storage.indexes.index_folder import IndexFolder
from tests.storage.indexes.test_articles import citation, medline

WORDS = [f"word{at}" for at in range(60)]
SIZE = 2_000


def _text(drawn: random.Random) -> str:
    return " ".join(drawn.choices(WORDS, range(60, 0, -1), k=drawn.randint(0, 30)))


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> tuple[Path, ...]:
    """A table, two MEDLINE files with new versions and deletions, and a damaged one in between."""
    place, drawn = tmp_path_factory.mktemp("sources"), random.Random(3)
    table = place / "t.jsonl.gz"
    rows = [{"id": f"t{at}", "title": f"T {at}", "text": _text(drawn)} for at in range(150)]
    table.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    records = [citation(str(at), _text(drawn)) for at in range(150)]
    updates = [citation(str(at), _text(drawn)) for at in range(0, 300, 3)]
    folder = place / "medline"
    folder.mkdir()
    medline(folder / "n0001.xml", *records, deleted=("3", "4"))
    medline(folder / "n0002.xml", *records[:20])
    damaged = folder / "n0002.xml"
    damaged.write_bytes(damaged.read_bytes()[:-100])
    medline(folder / "n0003.xml.gz", *updates, deleted=("6", "149", "unknown"))
    return table, folder


@pytest.fixture(scope="module")
def at_once(sources, tmp_path_factory) -> Path:
    """The folder of the index built in one segment."""
    folder = IndexFolder(tmp_path_factory.mktemp("whole"))
    run_to_completion(folder.build(IndexRequest("it", sources)))
    return folder.folder / "it"


def _files(place: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in place.iterdir()}


def test_one_segment_has_the_files_and_fingerprint_of_an_index_in_memory(sources, at_once, tmp_path):
    built = run_to_completion(build_index(DocumentReader(sources), Analysis()))
    built.arrays.save(tmp_path)
    files = _files(at_once)
    assert json.loads(files.pop("index.json"))["fingerprint"] == built.fingerprint
    assert files == _files(tmp_path)


@pytest.mark.parametrize("block", [2**21, 50])
def test_merged_segments_have_the_same_bytes(tmp_path, monkeypatch, block):
    monkeypatch.setattr(segments, "_BLOCK", block)
    drawn = random.Random(1)
    documents = [SourceDocument(f"d{at}", f"T{at}", _text(drawn)) for at in range(100)]
    whole = run_to_completion(build_index(documents, Analysis("none")))
    places = []
    for at, (low, high) in enumerate([(0, 1), (1, 1), (1, 40), (40, 41), (41, 100)]):
        places.append(tmp_path / str(at))
        places[-1].mkdir()
        Segment.of(documents[low:high], Analysis("none")).save(places[-1])
    for place in (tmp_path / "merged", tmp_path / "whole"):
        place.mkdir()
    fingerprint = run_to_completion(merge(places, tmp_path / "merged", Analysis("none")))
    whole.arrays.save(tmp_path / "whole")
    assert fingerprint == whole.fingerprint
    assert _files(tmp_path / "merged") == _files(tmp_path / "whole")


def test_an_index_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "MAX_PLACES", 10)
    (tmp_path / "t.jsonl").write_text(json.dumps({"id": "a", "text": "word " * 12}))
    with pytest.raises(InputError, match="can have 10 words"):
        run_to_completion(IndexFolder(tmp_path / "i").build(IndexRequest("it", (tmp_path / "t.jsonl",))))


# Killed builds

_SCRIPT = """
import os, signal, sys
from pathlib import Path
from core.retrieval.index_store import IndexRequest
from storage.indexes.index_folder import IndexFolder

if __name__ == "__main__":
    folder, size, workers, count, note, *sources = sys.argv[1:]
    indexes = IndexFolder(Path(folder), None, int(size), int(workers))
    steps = indexes.build(IndexRequest("it", tuple(map(Path, sources))))
    for progress in steps:
        finished = list(Path(folder, ".it.part-build").glob("0*"))
        if note in progress.note and len(finished) >= int(count):
            os.kill(os.getpid(), signal.SIGKILL)
"""


def _kill(
    folder: Path, sources: tuple[Path, ...], count: int, note: str, script: Path, workers: int = 0
) -> None:
    """Build in another process, which is killed after a number of segments and where it says a note."""
    script.write_text(_SCRIPT)
    arguments = [str(folder), str(SIZE), str(workers), str(count), note, *map(str, sources)]
    done = subprocess.run([sys.executable, str(script), *arguments], timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_build_killed_at_several_points_gives_the_same_index(sources, at_once, tmp_path):
    folder = IndexFolder(tmp_path / "indexes", None, SIZE, 0)
    request = IndexRequest("it", sources)
    continued = []
    script = tmp_path / "kill.py"
    points = [(0, "", 0), (2, "", 2), (10, "", 0), (0, "merging", 0), (0, "writing", 0)]
    for count, note, workers in points:
        _kill(folder.folder, sources, count, note, script, workers)
        assert folder.names() == []
        continued.append(folder.interruption(request))
    counts = [int(sentence.split()[-2]) for sentence in continued]
    assert counts == sorted(counts)
    assert 0 < counts[1] < counts[2] < counts[3] == counts[4]
    assert continued[4] == f"Continuing the interrupted build of it after {counts[4]} documents."
    assert len(list((folder.folder / ".it.part-build").glob("0*"))) > 12
    notes = [step.note for step in folder.build(request)]
    assert continued[4] in notes
    assert _files(folder.folder / "it") == _files(at_once)
    assert [place.name for place in folder.folder.iterdir() if not place.name.startswith(".it.part-")] == [
        "it"
    ]
    assert folder.interruption(request) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_build_outlives_a_missing_source_but_not_other_options_or_sources(tmp_path):
    table = tmp_path / "t.jsonl"
    rows = [{"id": str(at), "text": "some words " * 20} for at in range(60)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder, request = IndexFolder(tmp_path / "indexes", None, SIZE, 0), IndexRequest("it", (table,))
    _kill(folder.folder, (table,), 0, "merging", tmp_path / "kill.py")
    table.rename(tmp_path / "away")
    with pytest.raises(InputError, match="does not exist"):
        run_to_completion(folder.build(request))
    (tmp_path / "away").rename(table)
    assert "after 60 documents" in folder.interruption(request)
    copy = IndexFolder(Path(shutil.copytree(folder.folder, tmp_path / "copy")), None, SIZE, 0)
    others = IndexRequest("it", (table,), Analysis("none"))
    assert "it starts again" in copy.interruption(others)
    fresh = IndexFolder(tmp_path / "fresh")
    made = run_to_completion(copy.build(others))
    assert made.fingerprint == run_to_completion(fresh.build(others)).fingerprint
    table.write_text(json.dumps({"id": "0", "text": "other"}) + "\n")
    assert "it starts again" in folder.interruption(request)
    assert run_to_completion(folder.build(request)).documents == 1


def test_a_full_disk_loses_nothing_that_is_finished(tmp_path, monkeypatch):
    table = tmp_path / "t.jsonl"
    rows = [{"id": str(at), "text": "some words " * 20} for at in range(60)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder, request = IndexFolder(tmp_path / "indexes", None, SIZE, 0), IndexRequest("it", (table,))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(segmented_build, "merge", full)
        with pytest.raises(InputError, match=r"No space left on device.*which continues"):
            run_to_completion(folder.build(request))
    assert "after 60 documents" in folder.interruption(request)
    assert run_to_completion(folder.build(request)).documents == 60


def test_an_index_is_built_by_one_program_at_a_time(tmp_path):
    table = tmp_path / "t.jsonl"
    table.write_text(json.dumps({"id": "0", "text": "other"}) + "\n")
    folder = IndexFolder(tmp_path / "indexes")
    steps = folder.build(IndexRequest("it", (table,)))
    next(steps)
    with pytest.raises(InputError, match="being built by another program"):
        run_to_completion(folder.build(IndexRequest("it", (table,))))
    steps.close()
    assert list(folder.folder.iterdir()) == []
