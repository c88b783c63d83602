"""Damaged studies: every command reports the damage in a sentence, or gives what it gives for a sound one."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import threading
from contextlib import closing

import pytest

from cli.errors import BAD_INPUT, DONE
from cli.main import main
from core.report.build import build_report
from storage.study_file import check

ROWS = {
    "a text's boundaries are a number": "UPDATE summaries SET sentence_spans = 1000000",
    "JSON is cut off": "UPDATE summaries SET sentence_spans = '[[0,'",
    "JSON is nested without end": "UPDATE edits SET delta = replace(hex(zeroblob(5000)), '00', '[')",
    "an edit changes an unknown table": 'UPDATE edits SET delta = \'[{"table":"x","before":{},"after":{}}]\'',
    "text is no UTF-8": "UPDATE summaries SET content = CAST(x'ff4180' AS TEXT) WHERE rowid = 1",
    "a version is text": "UPDATE pyramids SET version = 'three'",
    "a mark is neither yes nor no": "UPDATE matches SET is_deleted = 'nowhere' WHERE rowid = 1",
    "topics are gone": "DELETE FROM topics WHERE rowid = 1",
    "a scale is gone": "DELETE FROM dimensions",
    "a reference is of another topic": (
        'UPDATE contributors SET reference_id = (SELECT id FROM "references" ORDER BY topic_id DESC LIMIT 1)'
    ),
    "a block is cut off": "UPDATE scores SET block = substr(block, 1, 7)",
}


def change(statement):
    def damage(path):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA ignore_check_constraints=ON")
            assert connection.execute(statement).rowcount

    return damage


def pages(path):
    """Pages in the middle of the file are overwritten."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 40_960] = b"\xee" * 40_960
    path.write_bytes(content)


def half(path):
    """The second half of the file is missing."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 8192 * 4096])


DAMAGES = {**{name: change(statement) for name, statement in ROWS.items()}, "pages": pages, "half": half}

COMMANDS = (
    ("correlate", "--human", "pyramid.modified", "--json"),
    ("export", "--what", "judgements", "--format", "csv", "-o", "{out}/judgements.csv"),
    ("export", "--what", "ratings", "--format", "csv", "-o", "{out}/ratings.csv"),
    ("export", "--what", "texts", "--format", "csv", "-o", "{out}/texts.csv"),
    ("export", "--what", "history", "--format", "csv", "-o", "{out}/history.csv"),
    ("validate", "--findings"),
)


@pytest.fixture(scope="module")
def expected(scored_sample, tmp_path_factory):
    """What the commands write for the sound study, by file."""
    folder = tmp_path_factory.mktemp("sound")
    path = folder / "s.pyramidion"
    shutil.copy(scored_sample, path)
    return results(path, folder / "out")[0]


def results(path, out):
    """Files that the commands write, and their exit codes."""
    out.mkdir()
    codes = {}
    for verb, *rest in COMMANDS:
        words = [verb, str(path), *(word.format(out=out) for word in rest)]
        codes[" ".join(words)] = main(words)
    files = {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()}
    return files, codes


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_reported_and_nothing_wrong_is_written(name, scored_sample, expected, tmp_path, capsys):
    path = tmp_path / "s.pyramidion"
    shutil.copy(scored_sample, path)
    DAMAGES[name](path)
    faults = check(path)
    assert faults
    threads = []
    before, threading.excepthook = threading.excepthook, threads.append
    try:
        files, codes = results(path, tmp_path / "out")
    finally:
        threading.excepthook = before
    err = capsys.readouterr().err
    assert set(codes.values()) <= {DONE, BAD_INPUT}, codes
    assert "Traceback" not in err
    assert not threads
    assert "restore" in err or "Score again" in err or not set(codes.values()) - {DONE}
    for file, content in files.items():
        assert content == expected[file], f"{file} was written with other content"


def test_the_sound_study_has_no_fault(scored_sample, tmp_path):
    path = tmp_path / "s.pyramidion"
    shutil.copy(scored_sample, path)
    assert check(path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot be replaced on Windows")
def test_a_study_that_is_replaced_while_a_verb_reads_it_fails_that_verb(
    run, sample_file, tmp_path, monkeypatch
):
    path, other = tmp_path / "s.pyramidion", tmp_path / "other.pyramidion"
    shutil.copy(sample_file, path)
    shutil.copy(sample_file, other)

    def replaced(study, options):
        other.replace(path)
        return build_report(study, options)

    monkeypatch.setattr("core.report.build.build_report", replaced)
    code, _, err = run("report", path, "-o", tmp_path / "r.html")
    assert code == BAD_INPUT
    assert "somebody replaced it" in err
    assert next(tmp_path.glob("s (rescued *).pyramidion")).name in err.replace("\n", "")
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("verb", ["validate", "score"])
@pytest.mark.parametrize(
    "statement", ["DELETE FROM alembic_version", "UPDATE alembic_version SET version_num = ''"]
)
def test_a_study_without_a_version_is_damaged_and_not_newer(run, sample_file, tmp_path, verb, statement):
    path = tmp_path / "s.pyramidion"
    shutil.copy(sample_file, path)
    change(statement)(path)
    code, out, err = run(verb, path)
    assert code == BAD_INPUT
    words = " ".join((out + err).split())
    assert "the version of its tables is missing" in words
    assert "Restore a backup" in words
    assert "newer" not in words


@pytest.mark.parametrize("table", ["match_parts", "contributor_parts"])
def test_a_part_outside_its_text_stops_every_verb_that_reads(run, scored_sample, tmp_path, table):
    path, table_file = tmp_path / "s.pyramidion", tmp_path / "p.csv"
    shutil.copy(scored_sample, path)
    change(f'UPDATE {table} SET "end" = 99999 WHERE rowid = (SELECT min(rowid) FROM {table})')(path)
    verbs = {
        "score": ("-m", "rouge-n:n=3"),
        "correlate": (),
        "report": ("-o", tmp_path / "r.html"),
        "export": ("--what", "scores", "--format", "csv", "-o", table_file),
        "resample": ("--list",),
    }
    for verb, arguments in verbs.items():
        code, _, err = run(verb, path, *arguments)
        words = " ".join(err.split())
        assert (code, "ends at 99999" in words, "pyramidion validate" in words) == (BAD_INPUT, True, True), (
            verb
        )
    assert not (tmp_path / "r.html").exists()
    assert not table_file.exists()
