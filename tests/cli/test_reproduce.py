"""`pyramidion reproduce`: printed numbers of papers next to those of a study."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE
from core.experiments.paper_tables import papers
from core.experiments.registry import all_recipes


def test_papers_are_listed_with_their_data_and_tables(run):
    listed = {row["name"]: row for row in json.loads(run("reproduce", "--json")[1])}
    assert listed["anchored"]["data"] == ["TAC 2008", "TAC 2009"]
    assert "widar-table-3" in listed["widar"]["recipes"]
    assert "Cohan & Goharian 2016" in run("reproduce")[1]


def test_without_data_the_way_to_get_them_is_named(run):
    code, _, err = run("reproduce", "widar")
    assert code == BAD_INPUT
    assert "pyramidion get summeval" in err
    assert "https://tac.nist.gov/data/" in run("reproduce", "conditions")[2]


def test_a_paper_with_two_data_sets_asks_which_it_is(run, scored):
    code, _, err = run("reproduce", "anchored", scored)
    assert code == BAD_INPUT
    assert "--data 'TAC 2008' or --data 'TAC 2009'" in err


def test_a_file_becomes_a_study_only_in_a_named_folder(run, tmp_path):
    (tmp_path / "data.jsonl").write_text("{}\n")
    assert "Name a folder with -o" in run("reproduce", "widar", tmp_path / "data.jsonl")[2]
    assert (
        "is no study. Import the data" in run("reproduce", "sera", tmp_path / "data.jsonl", "-o", tmp_path)[2]
    )
    code, _, _ = run("reproduce", "widar", tmp_path / "data.jsonl", "-o", tmp_path / "out")
    assert code == BAD_INPUT
    assert not list((tmp_path / "out").iterdir()), "a file that is not read leaves no study"


def test_missing_models_are_named_with_their_command_before_the_run(run, tmp_path):
    study = tmp_path / "empty.pyramidion"
    run("new", study)
    _, _, err = run("reproduce", "anchored", study, "--data", "tac 2008", "--recipe", "anchored-table-2")
    assert "Models of the paper that are not here: bert-base-uncased." in err
    assert "pyramidion models get --for ancr" in err


def test_each_row_of_a_paper_is_found_in_its_recipe(run, sample_file, tmp_path):
    study = tmp_path / "sample.pyramidion"
    shutil.copy(sample_file, study)
    for paper, data, recipe in (
        ("conditions", "TAC 2008", "conditions-table-3"),
        ("sera", "", "sera-table-2"),
    ):
        extra = ["--data", data] if data else []
        code, out, err = run("reproduce", paper, study, "--recipe", recipe, *extra, "--json")
        assert code == DONE, err
        document = json.loads(out)
        assert not any("gives no" in text for text in document["warnings"])
        numbers = [row[2:] for table in document["tables"] for row in table["rows"]]
        assert all(ours - printed == difference for printed, ours, difference in numbers)


def test_what_cannot_be_run_is_refused_with_the_reason(run, tmp_path):
    study = tmp_path / "empty.pyramidion"
    run("new", study)
    code, _, err = run("reproduce", "widar", study, "--recipe", "widar-table-5")
    assert code == BAD_INPUT
    assert "widar-table-5 is left out" in err


def test_printed_tables_are_of_recipes_and_fit_their_columns():
    recipes = {one.name: one for one in all_recipes()}
    for paper in papers():
        names = {one.name for one in paper.data}
        for table in paper.tables:
            assert recipes[table.recipe].paper == paper.paper
            assert table.data in names
            assert len({labels for labels, _ in table.rows}) == len(table.rows)
            assert all(len(values) == len(table.columns) for _, values in table.rows)
            assert all(value is None or -1 <= value <= 1 for _, values in table.rows for value in values)


@pytest.mark.data
@pytest.mark.slow
def test_widars_numbers_are_met_on_summeval(run, shared_data, tmp_path):
    file = shared_data / "summeval" / "model_annotations.aligned.paired.jsonl"
    code, out, err = run("reproduce", "widar", file, "-o", tmp_path, "--recipe", "widar-table-6")
    assert code == DONE, err
    assert "Absolute difference of 16 numbers: mean 0.00" in err, err
    (written,) = tmp_path.glob("widar-published-table*.csv")
    with written.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert all(abs(float(row["difference"])) < 0.0051 for row in rows), "two digits are printed"
    assert "widar-table-6" in out
    assert run("reproduce", "widar", file, "-o", tmp_path)[0] == BAD_INPUT, "the study is not written over"
