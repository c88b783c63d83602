"""`correlate` and `compare` mark measures that ran on stand-ins and name these in every format."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from cli.commands.demo import print_comparison
from cli.errors import DONE
from cli.main import main
from core.comparison.comparison import load_comparison
from core.comparison.judgements import judgements
from core.metrics import registry
from core.ports import MetricConfig, ScoreBlock
from core.stats.correlation import Coefficient, Level
from storage.study_file import open_study

MODEL = "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def stand_ins(scored_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two studies with BERTScores by the packaged model, the second incomplete."""
    folder = tmp_path_factory.mktemp("stand-ins")
    paths = folder / "one.pyramidion", folder / "two.pyramidion"
    measures = registry.parse("bertscore").measures()
    signature = f"bertscore|model:{MODEL}|version:1"
    config = MetricConfig(signature, "bertscore", "Embeddings", "bertscore", measures)
    for path, least in zip(paths, (0, 1), strict=True):
        shutil.copy(scored_sample, path)
        with open_study(path) as study:
            names = tuple(system.name for system in study.texts.systems())
            for topic in study.texts.topics()[least:]:
                values = np.random.default_rng(3).random((len(names), len(measures)))
                study.scores.save(config, ScoreBlock(topic.id, names, (), values, None, "hash", 0.1)).result()
    return str(paths[0]), str(paths[1])


def test_correlations_of_stand_ins_are_marked(stand_ins, capsys):
    assert main(["correlate", stand_ins[0], "--interval", "none"]) == DONE
    out, err = capsys.readouterr()
    rows = [line for line in out.splitlines() if "bertscore.f" in line]
    assert rows
    assert all("bertscore.f†" in line for line in rows)
    assert MODEL in out
    assert f"† bertscore.precision, bertscore.recall and bertscore.f ran on {MODEL}" in " ".join(err.split())


def test_correlations_as_csv_have_names_that_measure_takes_and_stand_ins_apart(stand_ins, capsys):
    assert main(["correlate", stand_ins[0], "--interval", "none", "--compare", "best", "--csv"]) == DONE
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    stated = {row["measure"]: row["stand_in"] for row in rows}
    assert stated["bertscore.f"] == f"stand-in: {MODEL} for roberta-large"
    assert stated["rouge-1.f"] == ""
    assert {row["compared_with"] for row in rows if row["compared_with"]} <= set(stated)
    for name in stated:
        assert main(["correlate", stand_ins[0], "--interval", "none", "--measure", name, "--csv"]) == DONE
        assert name in capsys.readouterr().out


def test_correlations_as_json_name_stand_ins_and_measures_apart(stand_ins, capsys):
    assert main(["correlate", stand_ins[0], "--interval", "none", "--json"]) == DONE
    rows = json.loads(capsys.readouterr().out)["rows"]
    stand_ins = {row["measure"]: row["stand_in"] for row in rows}
    assert stand_ins["bertscore.f"] == f"stand-in: {MODEL} for roberta-large"


def test_every_file_of_several_studies_marks_stand_ins_and_what_is_not_ranked(stand_ins, capsys, tmp_path):
    humans = ("--human", "pyramid.modified", "--human", "rating.coherence")
    assert main(["compare", *stand_ins, *humans, "-o", str(tmp_path / "out")]) == DONE
    files = {file for file in (tmp_path / "out").iterdir() if file.suffix in (".csv", ".md", ".tex", ".svg")}
    named = [file for file in files if "bertscore" in file.read_text("utf-8")]
    assert {file.suffix for file in named} == {".csv", ".md", ".tex", ".svg"}
    for file in named:
        text = file.read_text("utf-8").replace(r"$^{\dagger}$", "†")
        assert ("†" in text) is (file.suffix != ".csv"), file.name
        assert MODEL in text, file.name
        if file.suffix in (".md", ".tex") and "rank" in text:
            assert "Not ranked against" in text, file.name


def test_the_demo_sorts_measures_of_errors_like_others_and_marks_stand_ins(stand_ins, capsys):
    study = stand_ins[0]
    assert main(["score", study, "-m", "js:n=1"]) == DONE
    with open_study(Path(study)) as opened:
        first = judgements(opened)[0].name
        rows = load_comparison(opened, [first]).rows(Level.SYSTEM, Coefficient.PEARSON)
        values = {row.measure: row.value for row in rows}
        capsys.readouterr()
        print_comparison(opened)
    out, notes = capsys.readouterr()
    table = out[: out.index("Pearson at topic level")]
    order = [name for line in table.splitlines() for name in values if line.strip().startswith(name)]
    turned = {name: -value if name == "js-1.divergence" else value for name, value in values.items()}
    assert turned["js-1.divergence"] > 0
    assert order == sorted(values, key=lambda name: -turned[name])
    assert "bertscore.f†" in out
    assert notes.count(MODEL) == notes.count("Lower is better: js-1.divergence;") == 1, "once for both tables"
