"""`pyramidion comparisons`: plans are drawn, listed, answered, evaluated, removed."""

from __future__ import annotations

import csv
import json

import pytest

from cli.main import main
from storage.study_file import open_study


@pytest.fixture
def path(study):
    study.annotators.get_or_create("Ann", "")
    study.flush()
    return study.path


def printed(capsys, *arguments):
    assert main([*map(str, arguments)]) == 0
    texts = capsys.readouterr()
    return texts.out or texts.err


def test_a_plan_is_drawn_answered_evaluated_and_exported(path, capsys, tmp_path):
    assert "The study has no comparisons" in printed(capsys, "comparisons", path)
    assert "6 comparisons" in printed(capsys, "comparisons", path, "quality", "--new", "--per-summary", 2)
    assert "Nobody has answered" in printed(capsys, "comparisons", path, "quality")
    with open_study(path) as study:
        ann = study.annotators.get_or_create("Ann", "")
        (plan,) = study.comparisons.plans()
        names = {t.id: t.name for topic in study.texts.load() for t in topic.summaries}
        for item in study.comparisons.items(plan.id):
            order = sorted(item.summary_ids, key=lambda one: ["good", "lead", "bad"].index(names[one]))
            study.comparisons.answer(item.id, ann.id, *order).result()
    found = json.loads(printed(capsys, "comparisons", path, "quality", "--json"))
    assert [(one["system"], one["count"]) for one in found["systems"]] == [
        ("good", 1),
        ("lead", 0.5),
        ("bad", 0),
    ]
    assert found["systems"][0]["strength"] is None
    assert "never lost" in found["no_strengths_because"]
    assert main(["comparisons", str(path), "quality"]) == 0
    assert "never lost" in capsys.readouterr().err
    listed = json.loads(printed(capsys, "comparisons", path, "--json"))
    assert listed["plans"][0]["progress"] == [{"annotator": "Ann", "done": 6, "total": 6}]
    printed(capsys, "export", path, "--what", "preferences", "-o", tmp_path / "p.csv")
    with (tmp_path / "p.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["best"] for row in rows} == {"good", "lead"}
    assert json.loads(rows[0]["systems"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("quality",), "No plan of comparisons is named"),
        (("x", "--new", "--overlap", 2), "not a share"),
        (("x", "--new", "--kind", "best-worst", "--size", 2), "outside 3 to 9"),
        (("x", "--new", "--annotator", "Bob", "--overlap", 0), "Bob"),
        (("x", "--new", "--remove"), "exclude each other"),
        (("--new",), "Name the plan"),
    ],
)
def test_what_cannot_be_is_explained(path, capsys, arguments, message):
    assert main(["comparisons", str(path), *map(str, arguments)]) != 0
    assert message in " ".join(capsys.readouterr().err.replace("│", " ").split())
