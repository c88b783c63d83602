"""Subsets of references and references as systems, from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from cli.main import main
from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from storage.study_file import open_study

PYRAMID = "pyramid.modified"


@pytest.fixture(scope="module")
def scored(sample_file, tmp_path_factory):
    """The sample study with ROUGE-1, as usual and with references as systems."""
    path = Path(shutil.copy(sample_file, tmp_path_factory.mktemp("humans")))
    assert main(["score", str(path), "-m", "rouge-n:n=1"]) == DONE
    assert main(["score", str(path), "-m", "rouge-n:n=1", "--humans"]) == DONE
    return path


def rows_of(out):
    return json.loads(out)["rows"]


def test_pyramid_scores_count_the_chosen_authors_and_say_so(run, scored):
    code, out, err = run("correlate", scored, "--human", PYRAMID, "--human-references", "B,A", "--json")
    assert code == DONE
    assert {row["human"] for row in rows_of(out)} == {"pyramid.modified[references:A+B]"}
    assert "counting only references by A, B" in err
    named = run("correlate", scored, "--human", "pyramid.modified[references:A+B]", "--json")[1]
    assert rows_of(named) == rows_of(out)
    assert rows_of(run("correlate", scored, "--human", PYRAMID, "--json")[1]) != rows_of(out)


def test_an_author_without_references_is_reported_with_those_there_are(run, scored):
    code, _, err = run("correlate", scored, "--human", PYRAMID, "--human-references", "A,Z")
    assert code == BAD_INPUT
    assert "'Z'" in err
    assert "A, B, C, D" in err


def test_choosing_references_without_a_pyramid_score_is_refused(run, scored):
    code, _, err = run("correlate", scored, "--human", "rating.coherence", "--human-references", "A")
    assert code == BAD_INPUT
    assert "there is none among the judgements" in err


def test_references_take_part_as_systems_on_both_sides(run, scored):
    """Seven systems and the four authors; every measure that was scored so, and no other."""
    chosen = ("--human", PYRAMID, "--systems", "with-humans", "--json")
    code, out, err = run("correlate", scored, *chosen)
    assert code == DONE
    found = rows_of(out)
    assert {row["measure"] for row in found} == {
        f"rouge-1[humans:jackknife].{part}" for part in ("recall", "precision", "f")
    }
    assert {row["human"] for row in found} == {"pyramid.modified[humans:jackknife]"}
    with open_study(scored) as study:
        systems, authors = len(study.texts.systems()), len(study.texts.reference_authors())
    assert {row["n"] for row in found} == {systems + authors}
    assert "each reference is scored as a system by the others" in err


def test_the_usual_systems_leave_references_out_of_jackknifed_measures_too(run, scored):
    found = rows_of(run("correlate", scored, "--human", PYRAMID, "--json")[1])
    with open_study(scored) as study:
        assert {row["n"] for row in found} == {len(study.texts.systems())}
    assert len(found) == 6


def test_a_study_that_scored_no_reference_as_a_system_explains_how(run, sample_file, tmp_path):
    path = shutil.copy(sample_file, tmp_path)
    run("score", path, "-m", "rouge-n:n=1")
    code, _, err = run("correlate", path, "--systems", "with-humans")
    assert code == BAD_INPUT
    assert "pyramidion score --humans" in err


def test_jackknifed_scores_are_fresh_on_the_next_run_and_come_back_from_their_signature(run, scored):
    document = json.loads(run("score", scored, "-m", "rouge-n:n=1", "--humans", "--json")[1])
    assert (document["scored"], document["fresh"]) == (0, 8)
    signature = document["runs"][0]["signature"]
    assert "|humans:jackknife|version:" in signature
    again = json.loads(run("score", scored, "-m", signature, "--json")[1])
    assert (again["scored"], again["fresh"]) == (0, 8)


def test_a_report_with_references_as_systems_names_the_command_that_repeats_it(run, scored, tmp_path):
    target = tmp_path / "report.html"
    assert run("report", scored, "--draws", "99", "-o", target, "--systems", "with-humans")[0] == DONE
    text = target.read_text(encoding="utf-8")
    assert "score sample.pyramidion -m rouge-n:n=1 --humans" in text
    assert "reference A" in text


def test_the_mean_of_the_pyramids_of_three_is_what_a_system_gets(scored):
    """TAC's last column: the average over the pyramids that each leave one of the four references out."""
    with open_study(scored) as study:
        jackknifed = judgement_matrix(study, "pyramid.modified[humans:jackknife]")
        authors = study.texts.reference_authors()
        others = ["+".join(a for a in authors if a != left_out) for left_out in authors]
        three = [judgement_matrix(study, f"pyramid.modified[references:{three}]") for three in others]
        found = find_measure(measures(study), "rouge-1[humans:jackknife].recall")
        assert matrix(study, found).systems == jackknifed.systems
    means = sum(m.values for m in three) / len(three)
    assert jackknifed.values[: len(means)] == pytest.approx(means)


def test_references_as_systems_are_exported_beside_the_systems(run, scored, tmp_path):
    target = tmp_path / "humans.jsonl"
    assert run("export", scored, "--what", "humans", "--format", "sacrerouge", "-o", target)[0] == DONE
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    kinds = [line["summarizer_type"] for line in lines]
    assert (kinds.count("peer"), kinds.count("reference")) == (64, 32)
    first = next(line for line in lines if line["summarizer_type"] == "reference")
    assert first["summarizer_id"] == "A"
    with open_study(scored) as study:
        judged = judgement_matrix(study, "pyramid.modified[humans:jackknife]")
        measured = matrix(study, find_measure(measures(study), "rouge-1[humans:jackknife].f"))
    row, column = judged.systems.index("reference A"), judged.topics.index(first["instance_id"])
    assert first["metrics"]["pyramid"]["modified_jk"] == judged.values[row, column]
    assert first["metrics"]["rouge-1_jk"]["f"] == measured.values[row, column]


def test_exported_scores_of_a_study_with_jackknifed_ones_come_back(run, scored, sample_file, tmp_path):
    target, copy = tmp_path / "scores.jsonl", tmp_path / "copy.pyramidion"
    run("export", scored, "--what", "scores", "--format", "sacrerouge", "-o", target)
    shutil.copy(sample_file, copy)
    assert run("import", copy, target, "--format", "sacrerouge")[0] == DONE
    with open_study(scored) as study, open_study(copy) as again:
        systems = [system.name for system in study.texts.systems()]
        for ref in measures(study):
            there = matrix(study, ref)
            back = matrix(again, find_measure(measures(again), ref.label)).select(systems, there.topics)
            assert back.values == pytest.approx(there.only(systems).values)


def test_pyramid_scores_run_as_a_metric_by_name_alone(run, sample_file, tmp_path):
    path = shutil.copy(sample_file, tmp_path)
    planned = json.loads(run("score", path, "--plan", "--json")[1])
    assert "pyramid" not in {row["metric"].partition(":")[0] for row in planned}
    code, out, _ = run("score", path, "-m", "pyramid", "--json")
    assert (code, json.loads(out)["scored"]) == (DONE, 8)
    found = rows_of(
        run(
            "correlate",
            path,
            "--human",
            PYRAMID,
            "--measure",
            f"pyramid.{PYRAMID.partition('.')[2]}",
            "--json",
        )[1]
    )
    assert [row["value"] for row in found] == [pytest.approx(1.0)]
    rows = {row["name"]: row for row in json.loads(run("metrics", "--json")[1])}
    assert rows["pyramid"]["needs"] == ["pyramids", "references"]


def test_a_pyramid_metric_of_nobody_states_who_there_is(run, scored):
    code, _, err = run("score", scored, "-m", "pyramid:annotator=Anotator A")
    assert code == 1
    assert "Did you mean 'Annotator A'" in err
