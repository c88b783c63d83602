"""DUCView's files on the command line: the preview, the import, the export."""

from __future__ import annotations

import json

import pytest

from cli.errors import BAD_INPUT, DONE
from tests.storage.formats.ducview.conftest import PYRAMID, pan, pyr, without_regex
from tests.storage.formats.ducview.test_import import OFF


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "D7.pyr").write_bytes(pyr(OFF))
    (folder / "D7.4.pan").write_bytes(pan(OFF))
    return folder


@pytest.fixture
def study(run, tmp_path):
    path = tmp_path / "s.pyramidion"
    assert run("new", path)[0] == DONE
    return path


def test_the_dry_run_states_what_each_file_is_and_what_is_odd(run, study, files):
    code, out, err = run("import", study, files, "--dry-run")
    assert code == DONE
    assert "D7.4.pan" in out
    assert "A, B" in out
    assert "21 to 28 contains “he ban ”, not “The ban”" in err
    code, out, _ = run("import", study, files, "--dry-run", "--json", "--repair", "--annotator", "KO")
    document = json.loads(out)
    assert [(head["file"], head["topic"], head["system"]) for head in document["files"]] == [
        ("D7.pyr", "D7", ""),
        ("D7.4.pan", "D7", "4"),
    ]
    assert document["files"][0]["annotator"] == "KO"
    assert document["added"]["matches"] == 3
    assert "imported as 20 to 27" in document["notices"][0]["remedy"]


def test_what_goes_in_comes_out_and_goes_in_again_as_nothing(run, study, files, tmp_path):
    assert run("import", study, files, "--format", "ducview")[0] == DONE
    out = tmp_path / "out"
    code, _, err = run("export", study, "--what", "pyramids", "--format", "ducview", "-o", out)
    assert (code, err) == (DONE, f"Wrote 2 files to {out}.\n")
    _, document, _ = run("import", study, out, "--json")
    assert json.loads(document)["added"] == {}
    assert run("validate", study)[0] == DONE


def test_a_file_without_an_expression_needs_a_word(run, study, tmp_path):
    path = tmp_path / "D7.pyr"
    path.write_bytes(pyr(without_regex(PYRAMID)))
    code, _, err = run("import", study, path)
    assert code == BAD_INPUT
    assert "“proposed” (lines 4, 8)" in err
    assert run("import", study, path, "--split", "proposed")[0] == DONE


def test_patterns_may_be_repeated(run, study, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "4_in_D7.pan").write_bytes(pan())
    (folder / "pyramid-D7.pyr").write_bytes(pyr())
    patterns = ("--pattern", "{system}_in_{topic}.pan", "--pattern", "pyramid-{topic}.pyr")
    _, out, _ = run("import", study, folder, *patterns, "--json")
    assert json.loads(out)["added"]["topics"] == 1
