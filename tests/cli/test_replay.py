"""`pyramidion replay`: a report is reproduced from its study, and planted changes are found."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from cli.main import BAD_INPUT, DONE, main
from tests.cli.conftest import Run


def write(study: Path, report: Path) -> None:
    options = ("--no-appendix", "--draws", "99")
    assert main(["report", str(study), *options, "-o", str(report)]) == DONE


@pytest.fixture(scope="module")
def reported(scored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scored sample and its report without appendix."""
    folder = tmp_path_factory.mktemp("reported")
    study = folder / "sample.pyramidion"
    shutil.copy(scored, study)
    write(study, folder / "report.json")
    return folder


@pytest.fixture
def folder(reported: Path, tmp_path: Path) -> Path:
    return shutil.copytree(reported, tmp_path / "reported")


def test_scores_are_computed_again_and_agree(run: Run, folder: Path) -> None:
    before = (folder / "sample.pyramidion").read_bytes()
    code, out, _ = run("replay", folder / "report.json", "--json")
    found = json.loads(out)
    assert (code, found["differences"]) == (DONE, [])
    assert found["numbers"] > 20
    assert (folder / "sample.pyramidion").read_bytes() == before


def test_a_planted_score_is_found(run: Run, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "sample.pyramidion")) as study, study:
        where, scores = study.execute("SELECT rowid, block FROM scores").fetchone()
        changed = np.frombuffer(scores, "<f8") * np.linspace(0.1, 1, len(scores) // 8)
        study.execute("UPDATE scores SET block = ? WHERE rowid = ?", (changed.tobytes(), where))
    report = folder / "planted.json"
    write(folder / "sample.pyramidion", report)
    code, out, _ = run("replay", report, "--stored-scores", "--json")
    assert (code, json.loads(out)["differences"]) == (DONE, [])  # the study has the same wrong scores
    code, out, err = run("replay", report)
    assert code == BAD_INPUT
    assert re.search("values? differs?", err)
    assert "rouge-1" in out


def test_a_planted_number_is_found(run: Run, folder: Path) -> None:
    document = json.loads((folder / "report.json").read_text("utf-8"))
    table = next(t for s in document["sections"] for t in s["tables"] if t["title"].startswith("System"))
    table["rows"][0][1] += 0.001
    (folder / "report.json").write_text(json.dumps(document), "utf-8")
    code, out, _ = run("replay", folder / "report.json", "--stored-scores", "--json")
    assert code == BAD_INPUT
    (difference,) = json.loads(out)["differences"]
    assert difference["place"].startswith("Results, System level")
    assert difference["reported"] == repr(table["rows"][0][1])


def test_a_report_away_from_its_study_asks_for_it(run: Run, folder: Path) -> None:
    (folder / "sample.pyramidion").rename(folder / "renamed.pyramidion")
    code, _, err = run("replay", folder / "report.json")
    assert code == BAD_INPUT
    assert "Name it with --study" in err
    study = folder / "renamed.pyramidion"
    assert run("replay", folder / "report.json", "--study", study, "--stored-scores")[0] == DONE


def test_a_report_without_numbers_is_not_called_reproduced(run: Run, tmp_path: Path) -> None:
    study, report = tmp_path / "empty.pyramidion", tmp_path / "report.json"
    assert run("new", study)[0] == DONE
    write(study, report)
    code, _, err = run("replay", report)
    assert (code, err.strip().splitlines()[-1]) == (DONE, "The report has no numbers to compare.")
