"""`pyramidion resample`: what it lists, prints, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest

from cli.commands.experiments import print_result
from cli.errors import DONE
from cli.main import main
from cli.options import OutputOptions
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.formatting.tables import Column, Table
from core.results.result import Result, from_text, to_text
from storage.study_file import new_study

SYSTEMS = ("s0", "s1", "s2", "s3", "s4", "s5")


@pytest.fixture
def path(tmp_path):
    """Six systems on four topics, rated twice."""
    topics, ratings = [], []
    for number in range(4):
        name = f"D{number}"
        topics.append(
            NewTopic(
                name,
                references={who: NewText(f"{who} says that the court met in {name}.") for who in "AB"},
                summaries={s: NewText(f"{s} of {name}: the court met.") for s in SYSTEMS},
            )
        )
        for place, system in enumerate(SYSTEMS):
            ratings.append(NewRating(name, system, "fluency", "ann", 1.0 + (place * 3 + number) % 5))
            ratings.append(NewRating(name, system, "responsiveness", "ann", 1.0 + (place + number) % 5))
    scales = {"fluency": (1.0, 5.0), "responsiveness": (1.0, 5.0)}
    with new_study(tmp_path / "study.pyramidion") as study:
        annotators = {"ann": ""}
        study.import_data(
            ImportContent("made", topics=topics, dimensions=scales, annotators=annotators, ratings=ratings)
        )
    return tmp_path / "study.pyramidion"


ASKED = ("--experiment", "topics", "-s", "judgements=rating.fluency", "-s", "measures=rating.responsiveness")


def resample(path, *words):
    return main(["resample", str(path), *words])


def test_a_result_is_one_document_with_all_that_repeats_it(path, capsys):
    assert resample(path, *ASKED, "--draws", "20", "--seed", "5", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["settings"]["seed"] == "5"
    assert document["settings"]["draws"] == "20"
    assert document["kept"] is False
    assert document["tables"][0]["columns"][0]["title"] == "Topics"
    assert [row[0] for row in document["tables"][0]["rows"]] == ["1", "2", "4 (bootstrapped)", "4 (actual)"]


def test_a_stored_result_is_returned_unless_again_is_given(path, capsys):
    resample(path, *ASKED, "-s", "draws=20", "--json")
    first = json.loads(capsys.readouterr().out)
    resample(path, *ASKED, "-s", "draws=20", "--json")
    second = json.loads(capsys.readouterr().out)
    resample(path, *ASKED, "-s", "draws=20", "--again", "--json")
    third = json.loads(capsys.readouterr().out)
    assert (second["kept"], third["kept"]) == (True, False)
    assert first["tables"] == second["tables"] == third["tables"]


def test_tables_are_csv_and_people_read_them(path, capsys):
    assert resample(path, *ASKED, "-s", "draws=20", "--csv") == 0
    blocks = capsys.readouterr().out.split("\n\n")
    rows = list(csv.DictReader(io.StringIO(blocks[0])))
    assert set(rows[0]) == {"topics", "rating.responsiveness", "rating.responsiveness alike"}
    assert resample(path, *ASKED, "-s", "draws=20") == 0
    shown = capsys.readouterr()
    assert "4 (bootstrapped)" in shown.out
    assert "Stored result; its inputs have not changed" in shown.err


def test_details_are_printed_on_request_and_always_in_csv(capsys):
    rows = (
        Table("short", (Column("A", "a"),), (("x",),)),
        Table("long", (Column("B", "b"),), (("y",),) * 3, is_detail=True),
    )
    result = from_text(to_text(Result("made", rows)), "made")
    print_result(result, OutputOptions())
    shown = capsys.readouterr()
    assert "long" not in shown.out
    assert "Not printed: long (3 rows). --all prints it" in " ".join(shown.err.split())
    print_result(result, OutputOptions(), with_details=True)
    assert "long" in capsys.readouterr().out
    print_result(result, OutputOptions(as_csv=True))
    assert capsys.readouterr().out.count("y\n") == 3


def test_a_deleted_result_is_computed_again(path, capsys):
    resample(path, *ASKED, "-s", "draws=20", "--json")
    assert resample(path, *ASKED, "-s", "draws=20", "--forget") == 0
    capsys.readouterr()
    resample(path, *ASKED, "-s", "draws=20", "--json")
    assert json.loads(capsys.readouterr().out)["kept"] is False
    assert resample(path, *ASKED, "-s", "draws=21", "--forget") == 1
    assert "has no stored result of topics with these settings" in capsys.readouterr().err


def test_files_for_a_paper_are_written_to_a_folder(path, tmp_path, capsys):
    assert resample(path, *ASKED, "-s", "draws=20", "-o", str(tmp_path / "out")) == 0
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"topics.json", "topics-table-1.tex", "topics-figure-1.svg", "topics-figure-1.pdf"} <= names
    assert resample(path, *ASKED, "-o", str(path)) == 1
    assert "is a file. Name a folder." in capsys.readouterr().err


def test_the_list_states_what_a_study_lacks(path, capsys):
    assert resample(path, "--list", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    recipes = {row["recipe"]: row for row in document["recipes"]}
    assert recipes["conditions-table-3"]["lacking"].startswith(
        "This study has no pyramid or nugget scores yet."
    )
    assert recipes["conditions-table-1"]["lacking"] == ""
    assert recipes["conditions-table-1"]["paper"] == "Owczarzak & Dang 2009"
    assert resample(path, "--recipe", "conditions-table-3") == 1
    assert "Match summaries and mark them done first." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "give exactly one of --recipe, --experiment and --list"),
        (("--recipe", "a", "--experiment", "b"), 2, "give exactly one of"),
        (("--experiment", "topic"), 1, "Did you mean topic-pairs or topics"),
        (("--experiment", "topics", "-s", "draws"), 1, "-s draws: expected KEY=VALUE."),
        (("--experiment", "topics", "-s", "draws=1", "-s", "draws=2"), 1, "draws is set twice"),
        (("--experiment", "topics", "-s", "draws=0"), 1, "draws=0 is below 1"),
        (("--experiment", "time", "--seed", "1"), 1, "No setting of time is named 'seed'"),
        (("--experiment", "time", "--draws", "9"), 1, "No setting of time is named 'draws'"),
        ((*ASKED, "-s", "set=late"), 1, "No set of topics is named 'late'"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_message(words, code, message, path, capsys):
    assert resample(path, *words) == code
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("recipe", ["conditions-figure-1", "widar-table-4"])
def test_each_sentence_about_a_result_is_printed_once(recipe, sample_file, tmp_path, capsys):
    path = shutil.copy(sample_file, tmp_path / "s.pyramidion")
    settings = ["-s", "draws=50"] if recipe.startswith("conditions") else ["-s", "summaries=8"]
    assert resample(path, "--recipe", recipe, *settings) == DONE
    out, err = capsys.readouterr()
    text = " ".join(err.split())
    if recipe.startswith("conditions"):
        assert text.count("p shrinks with their number") == 1
    else:
        assert "MoverScore†" in out
        assert text.count("MoverScore was timed with all-MiniLM-L6-v2, a stand-in for") == 1
