"""Studies that cannot be written are read: on read-only media, in read-only folders, without permission."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from storage.study_file import open_study
from tests.storage.database.other_process import copy_file
from tests.storage.database.test_migrations import at_version

pytestmark = pytest.mark.slow

KEPT_OUT = "copy it to a writable folder"


@pytest.fixture
def make_read_only(monkeypatch):
    """Takes the right to write to a folder, and returns its content.

    Permissions do not bind root, so the system's answer is replaced; tests compare the content afterwards.
    """

    def make(folder):
        access = os.access

        def refused(path, mode, **more):
            inside = Path(path).absolute().is_relative_to(folder)
            return False if inside and mode & os.W_OK else access(path, mode, **more)

        monkeypatch.setattr(os, "access", refused)
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    return make


@pytest.fixture
def read_only(scored_sample, tmp_path, make_read_only):
    """A scored study in a folder that cannot be written; afterwards the folder is as it was."""
    folder = tmp_path / "media"
    folder.mkdir()
    path = folder / "sample.pyramidion"
    shutil.copy(scored_sample, path)
    before = make_read_only(folder)
    yield path
    assert {place.name: place.read_bytes() for place in folder.iterdir()} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "{}"),
        ("validate", "{}", "--findings"),
        ("doctor", "{}"),
        ("correlate", "{}", "--human", "pyramid.modified", "--json"),
        ("compare", "{}", "{other}"),
        ("report", "{}", "--draws", "99", "-o", "{out}/report.html"),
        ("export", "{}", "--what", "scores", "--format", "csv", "-o", "{out}/scores.csv"),
        ("export", "{}", "--what", "pyramids", "--format", "ducview", "-o", "{out}/pyramids"),
        ("score", "{}", "-m", "rouge-n:n=3", "--plan", "--json"),
    ],
    ids=lambda arguments: "-".join(arguments[:1]),
)
def test_a_study_that_cannot_be_written_is_read(run, read_only, scored, tmp_path, arguments):
    places = {"out": tmp_path, "other": scored}
    code, _, err = run(*(word.format(read_only, **places) for word in arguments))
    assert (code, "Traceback" in err) == (DONE, False), err


def test_exports_of_a_read_only_study_are_those_of_a_copy(run, read_only, scored_sample, tmp_path):
    for number, path in enumerate((read_only, scored_sample)):
        output = tmp_path / f"{number}.csv"
        assert run("export", path, "--what", "texts", "--format", "csv", "-o", output)[0] == DONE
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()


def test_an_experiment_that_stores_no_scores_runs_on_a_read_only_study(run, read_only, scored, tmp_path):
    asked = ("--experiment", "halves", "--json", "-s", "draws=20", "-s", "judgements=pyramid.modified")
    code, out, err = run("resample", read_only, *asked, "-o", tmp_path / "read")
    assert code == DONE, err
    expected = json.loads(run("resample", scored, *asked)[1])
    found = json.loads(out)
    assert found["tables"]
    assert found["tables"] == expected["tables"]
    assert list((tmp_path / "read").iterdir())


def test_an_experiment_that_stores_scores_names_the_remedy_for_a_read_only_study(run, read_only):
    code, _, err = run("resample", read_only, "--experiment", "truncation")
    assert code == BAD_INPUT
    assert "stores new scores" in err
    assert KEPT_OUT in err


@pytest.mark.parametrize(
    "arguments",
    [("score", "{}", "-m", "rouge-n:n=3"), ("import", "{}", "{table}"), ("blind", "{}", "on")],
    ids=lambda arguments: arguments[0],
)
def test_what_would_change_it_states_why_it_cannot(run, read_only, tmp_path, arguments):
    table = tmp_path / "t.csv"
    table.write_text("topic,system,text\nnew,s1,A short text.\n")
    code, _, err = run(*(word.format(read_only, table=table) for word in arguments))
    assert code == BAD_INPUT
    assert KEPT_OUT in err


def test_edits_in_the_log_of_a_read_only_study_are_read(run, study, make_read_only, tmp_path):
    """The log that a killed program left is not read by an immutable file, so a copy is."""
    study.settings.save("guidelines", "in the log").result()
    folder = tmp_path / "media"
    folder.mkdir()
    for suffix in ("", "-wal"):
        copy_file(f"{study.path}{suffix}", folder / f"{study.path.name}{suffix}")
    before = make_read_only(folder)
    with open_study(folder / study.path.name) as opened:
        assert opened.settings.get("guidelines") == "in the log"
        assert KEPT_OUT in opened.read_only
    assert run("validate", folder / study.path.name)[0] == DONE
    assert {place.name: place.read_bytes() for place in folder.iterdir()} == before


def test_a_read_only_study_of_an_older_version_is_upgraded_in_a_copy(make_read_only, tmp_path):
    folder = tmp_path / "media"
    folder.mkdir()
    at_version(folder / "older.pyramidion", "0001")
    before = make_read_only(folder)
    with open_study(folder / "older.pyramidion") as opened:
        assert opened.experiments.all() == []
        assert opened.read_only
    assert {place.name: place.read_bytes() for place in folder.iterdir()} == before


def test_a_change_fails_in_its_future_with_the_reason(read_only):
    with open_study(read_only) as study:
        future = study.settings.save("guidelines", "new")
        assert KEPT_OUT in str(future.exception(timeout=1))
        assert study.annotators.get_or_create("Nobody yet").name == "Nobody yet"
        assert study.annotators.get_or_create("Annotator A").id in {
            person.id for person in study.annotators.all()
        }


def test_a_study_replaced_while_it_is_read_is_noticed(scored_sample, tmp_path, make_read_only):
    folder = tmp_path / "media"
    folder.mkdir()
    path = folder / "s.pyramidion"
    shutil.copy(scored_sample, path)
    make_read_only(folder)
    with open_study(path) as study:
        assert not study.has_external_changes()
        shutil.copy(scored_sample, folder / "other")
        (folder / "other").replace(path)
        with pytest.raises(Exception, match="Open it again"):
            study.texts.topics()


def test_a_damaged_read_only_study_is_reported_as_damaged(run, scored_sample, tmp_path, make_read_only):
    folder = tmp_path / "media"
    folder.mkdir()
    path = folder / "s.pyramidion"
    path.write_bytes(scored_sample.read_bytes()[:50_000])
    make_read_only(folder)
    assert "is damaged" in run("report", path, "-o", tmp_path / "r.html")[2]
    code, _, err = run("validate", path)
    assert code == BAD_INPUT
    assert str(folder) in err
