"""`pyramidion correlate`: which measures are ranked, and how the others are marked."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from cli.errors import DONE
from cli.main import main

SYSTEMS = ("--interval", "none", "--test", "williams")
TOPICS = ("--interval", "none", "--draws", "50", "--family", "all")


@pytest.fixture(scope="module")
def own_scores(scored_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with pyramid scores as a metric and a measure of three topics."""
    folder = tmp_path_factory.mktemp("own")
    path, scores = folder / "own.pyramidion", folder / "partial.csv"
    shutil.copy(scored_sample, path)
    assert main(["score", str(path), "-m", "pyramid"]) == DONE
    _write_partial(path, scores)
    assert main(["import", str(path), str(scores)]) == DONE
    return path


def _write_partial(path: Path, scores: Path) -> None:
    """The judgement's ranks on half of the topics, which correlate nearly perfectly."""
    from core.comparison.judgements import judgement_matrix
    from storage.study_file import open_study

    with open_study(path) as study:
        judged = judgement_matrix(study, "pyramid.modified")
    with scores.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("topic", "system", "measure", "value"))
        for j, topic in enumerate(judged.topics[:3]):
            for i, system in enumerate(judged.systems):
                rows.writerow(
                    (topic, system, "partial.score", round(float(judged.values[i, j]), 3) * 2 + 0.1)
                )


@pytest.fixture
def rows(run, own_scores):
    def asked(*options: str) -> dict[str, dict]:
        code, out, _ = run("correlate", own_scores, "--human", "pyramid.modified", *options, "--json")
        assert code == DONE
        return {row["measure"]: row for row in json.loads(out)["rows"]}

    return asked


def test_the_judgements_own_family_is_marked_and_not_tested(rows):
    found = rows("--compare", "best", "--clusters", *SYSTEMS)
    own = found["pyramid.modified"]
    assert (own["status"], own["p_adjusted"], own["cluster"]) == ("same-family", None, None)
    assert own["reason"].startswith("Computed from the same annotations as pyramid.modified")
    assert {row["compared_with"] for row in found.values()} <= {m for m in found if m.startswith("rouge")}


def test_an_incomplete_measure_is_marked_and_never_best(rows):
    found = rows("--compare", "best", *SYSTEMS)
    partial = found["partial.score"]
    assert partial["value"] > max(row["value"] for row in found.values() if row["status"] == "ranked")
    assert (partial["status"], partial["coverage"], partial["p_adjusted"]) == (
        "incomplete",
        "3/8 topics",
        None,
    )
    assert "Incomplete" in partial["reason"]
    assert {row["compared_with"] for row in found.values()} != {"partial.score"}


def test_common_topics_rank_all_measures_on_what_they_share(run, rows, own_scores):
    found = rows("--compare", "best", "--common-topics", "--level", "topic", *TOPICS)
    assert {row["n"] for row in found.values()} == {3}
    assert found["partial.score"]["status"] == "ranked"
    assert {row["compared_with"] for row in found.values()} == {"partial.score"}
    err = run("correlate", own_scores, "--human", "pyramid.modified", "--common-topics")[2]
    assert "Common topics: 3 of 8 topics and 8 of 8 systems" in err


def test_tables_and_csv_show_what_is_not_ranked(run, own_scores):
    asked = ("correlate", own_scores, "--human", "pyramid.modified")
    out, err = run(*asked)[1:]
    lines = [line for line in out.splitlines() if "pyramid.modified" in line]
    assert all("same annotations, not ranked" in line for line in lines[-4:])
    assert "3/8 topics, not ranked" in lines[-5]
    assert "incomplete: partial.score (3/8 topics). --common-topics compares" in err
    table = list(csv.DictReader(io.StringIO(run(*asked, "--csv")[1])))
    assert {row["measure"]: row["status"] for row in table}["pyramid.presence"] == "same-family"
