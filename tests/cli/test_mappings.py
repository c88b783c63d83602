"""Import mappings on the command line: guessed, printed, changed, given by file and by name."""

from __future__ import annotations

import json

import pytest

from cli.errors import BAD_INPUT, DONE
from storage.study_file import open_study

TABLE = """doc_id,model,Zusammenfassung,rater,Kohärenz,fluency (1-7),url
d1,M,It met on Monday.,Ann,4,7,x
d2,M,It met on Tuesday.,Ann,5,1,x
"""


@pytest.fixture
def files(tmp_path, monkeypatch, run):
    """Return an empty study and a table of another project; the user's folder is empty."""
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "config"))
    study, table = tmp_path / "s.pyramidion", tmp_path / "t.csv"
    table.write_text(TABLE, "utf-8")
    assert run("new", study)[0] == DONE
    return study, table


def guessed(run, study, table):
    return json.loads(run("import", study, table, "--dry-run", "--json")[1])["mapping"]


def contents(path):
    with open_study(path) as study:
        values = {name: study.ratings.cube(name).values.ravel().tolist() for name in ("Kohärenz", "fluency")}
        return [topic.name for topic in study.texts.topics()], values


def test_the_guessed_mapping_reads_the_table_as_the_guess_does(run, files, tmp_path):
    study, table = files
    mapping = tmp_path / "mine.toml"
    mapping.write_text(guessed(run, study, table), "utf-8")
    other = tmp_path / "o.pyramidion"
    run("new", other)
    assert run("import", study, table)[0] == DONE
    assert run("import", other, table, "--mapping", mapping)[0] == DONE
    assert contents(study) == contents(other)
    assert contents(other) == (["d1", "d2"], {"Kohärenz": [4, 5], "fluency": [7, 1]})


def test_a_mapping_that_was_added_is_recognized_listed_and_removed(run, files, tmp_path):
    study, table = files
    mapping = tmp_path / "mine.toml"
    mapping.write_text(guessed(run, study, table), "utf-8")
    assert run("mappings", "--add", mapping)[0] == DONE
    assert run("mappings", "--add", mapping)[0] == BAD_INPUT, "the name is taken"
    rows = {row["name"]: row for row in json.loads(run("mappings", "--json")[1])}
    assert (rows["mine"]["is_own"], rows["summeval"]["is_own"]) == (True, False)
    assert json.loads(run("import", study, table, "--json")[1])["format"] == "mine"
    assert run("mappings", "mine")[1].strip() == mapping.read_text("utf-8").strip()
    assert run("mappings", "--remove", "mine")[0] == DONE
    assert "mine" not in run("mappings")[1]
    assert run("mappings", "--remove", "mine")[0] == BAD_INPUT


def test_a_mapping_for_other_columns_names_the_missing_ones(run, files, tmp_path):
    study, table = files
    mapping = tmp_path / "mine.toml"
    mapping.write_text(guessed(run, study, table), "utf-8")
    table.write_text(TABLE.replace("rater", "who"), "utf-8")
    code, _, err = run("import", study, table, "--mapping", mapping)
    assert code == BAD_INPUT
    assert "rater: The column is missing" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--mapping", "summeval", "--format", "summeval"), "Give one of them"),
        (("--mapping", "none.toml"), "none.toml"),
    ],
)
def test_a_wrong_use_of_the_option_is_refused(run, files, arguments, sentence):
    study, table = files
    code, _, err = run("import", study, table, *arguments)
    assert code == BAD_INPUT
    assert sentence in err


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("title = 1", "title"),
        ("title = 'x'\nabout = 'y'\n[rows]\ntopc = 'x'", "rows.topc"),
        (
            "title = 'x'\nabout = 'y'\n[rows]\ntopic = {value = 'x', do = ['foo']}",
            "rows.topic: foo is no change",
        ),
        ("title = 'x'\nabout = 'y'\n[rows]\ntopic = '[@,@]|[@,@]|[@,@]'", "too long for a path"),
        ("title = ", "cannot be read"),
    ],
)
def test_a_mapping_with_a_fault_is_refused_with_its_place(run, files, tmp_path, text, place):
    study, table = files
    mapping = tmp_path / "bad.toml"
    mapping.write_text(text, "utf-8")
    code, _, err = run("import", study, table, "--mapping", mapping)
    assert code == BAD_INPUT
    assert place in err


def test_the_scale_in_a_heading_holds_unless_another_is_given(run, files):
    study, table = files
    assert run("import", study, table, "--dry-run")[0] == DONE
    code, _, err = run("import", study, table, "--dry-run", "--scale", "1-5")
    assert code == BAD_INPUT
    assert "7 is outside the scale 1 to 5" in err


def test_the_study_keeps_the_mapping_of_a_table_for_the_next_one(run, files, tmp_path):
    study, table = files
    assigned = ("--map", "rating:tone=Kohärenz", "--ignore", "fluency (1-7)")
    assert run("import", study, table, *assigned)[0] == DONE
    more = tmp_path / "more.csv"
    more.write_text(TABLE.replace("d1", "d3").replace("d2", "d4"), "utf-8")
    assert run("import", study, more, "--mapping", "t")[0] == DONE
    with open_study(study) as opened:
        assert [scale.name for scale in opened.ratings.dimensions()] == ["tone"]
        assert len(opened.texts.topics()) == 4
