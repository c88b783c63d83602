"""`pyramidion replay`: a report is reproduced from its study, and planted changes are found."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from cli.errors import BAD_INPUT, DONE
from cli.main import main
from core.files.allowed_names import allowed_names
from tests.cli.conftest import Run

pytestmark = pytest.mark.slow


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


def test_scores_of_a_program_that_is_not_allowed_are_kept_and_counted_apart(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    program = tmp_path / "lengths.py"
    program.write_text(
        "import json, sys\n"
        "for row in map(json.loads, sys.stdin):\n"
        "    print(json.dumps({'id': row['id'], 'score': len(row['summary'])}))\n"
    )
    study, command = folder / "sample.pyramidion", f"{sys.executable} {program}"
    assert run("score", study, "-m", f"external:command={command},label=lengths")[0] == DONE
    report = folder / "external.json"
    write(study, report)
    allowed_names.cache_clear()  # another process: nobody has named the command yet
    code, out, _ = run("replay", report, "--json")
    found = json.loads(out)
    assert (code, found["differences"]) == (DONE, [])
    (kept,) = found["not_recomputed"]
    assert kept["measures"] == ["lengths.score"]
    assert kept["reason"].startswith(f"the command '{command}' is not allowed. If you trust it, use --allow ")
    assert 0 < found["numbers_of_stored_scores"] < found["numbers"]
    program.write_text(program.read_text().replace("len(row['summary'])", "len(row['summary']) % 7"))
    code, out, err = run("replay", report, "--allow", command)
    assert (code, out) == (DONE, "")
    assert "Not recomputed: lengths.score: their signature here is" in err
    program.write_text(program.read_text().replace(" % 7", ""))
    found = json.loads(run("replay", report, "--allow", command, "--json")[1])
    assert (found["not_recomputed"], found["differences"], found["numbers_of_stored_scores"]) == ([], [], 0)
