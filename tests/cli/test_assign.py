"""`pyramidion assign`: plans, roles, and their progress."""

from __future__ import annotations

import json

import pytest

from cli.main import main
from core.annotation.annotators import add_annotator
from core.annotation.assignment import assignees_of, roles_of
from core.domain.assignment import Role, Work
from core.domain.decisions import MACHINE_GROUP
from storage.study_file import open_study


@pytest.fixture
def path(study):
    for name in ("Ann", "Ben", "Cat"):
        study.annotators.get_or_create(name, "team")
        add_annotator(study, name, None).result()
    study.flush()
    return study.path


def found(capsys, path, *arguments):
    assert main(["assign", str(path), *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_plan_is_proposed_changed_and_shown(path, capsys):
    plan = found(capsys, path, "--propose", "--per-topic", 1, "--annotator", "Ann", "--annotator", "Ben")
    assert sorted(name for topic in plan["topics"] for name in topic["annotators"]) == ["Ann", "Ben"]
    plan = found(capsys, path, "--set", "D1=Ann,Cat", "--set", "D2=none", "--role", "Cat=manager")
    assert [topic["annotators"] for topic in plan["topics"]] == [["Ann", "Cat"], []]
    assert {one["annotator"]: one["role"] for one in plan["annotators"]} == {"Ann": None, "Cat": "manager"}
    with open_study(path) as study:
        assert assignees_of(study, Work.RATINGS) == {"D1": ("Ann", "Cat")}
        assert roles_of(study) == {"Cat": Role.MANAGER}
    assert found(capsys, path, "--what", "matches", "--shared", "Ben")["shared"] == "Ben"
    assert main(["assign", str(path), "--what", "matches"]) == 0
    assert "pyramids of Ben; those marked done are locked" in capsys.readouterr().err
    assert found(capsys, path, "--what", "matches", "--shared", "none")["shared"] is None
    assert main(["assign", str(path)]) == 0
    texts = capsys.readouterr()
    assert "0/3" in texts.out
    assert "Cat, manager: 0 of 1 topics done" in texts.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "D9=Ann"), "D9"),
        (("--set", "D1"), "TOPIC=NAME"),
        (("--set", "D1=Bob"), "Bob"),
        (("--role", "Ann=boss"), "not a role"),
        (("--propose", "--per-topic", 4), "there are 3"),
        (("--propose", "--overlap", 2), "between 0 and 1"),
    ],
)
def test_what_cannot_be_is_explained(path, capsys, arguments, message):
    assert main(["assign", str(path), *map(str, arguments)]) != 0
    assert message in capsys.readouterr().err


def test_annotators_are_added_and_removed(path, capsys):
    plan = found(capsys, path, "--add", "Dan", "--propose", "--per-topic", 4)
    assert {name for topic in plan["topics"] for name in topic["annotators"]} == {"Ann", "Ben", "Cat", "Dan"}
    plan = found(capsys, path, "--remove", "Dan")
    assert plan["topics"][0]["annotators"] == ["Ann", "Ben", "Cat"]
    with open_study(path) as study:
        scale = study.ratings.add_dimension("quality")
        summary = study.texts.topic(study.texts.topics()[0].id).summaries[0]
        study.ratings.rate(summary.id, scale.id, study.annotators.get_or_create("Ann").id, 3).result()
    assert main(["assign", str(path), "--remove", "Ann", "--propose", "--per-topic", "1"]) == 0
    assert "inactive" in capsys.readouterr().err
    plan = found(capsys, path)
    assert "Ann" not in {name for topic in plan["topics"] for name in topic["annotators"]}


def test_comparisons_are_not_assigned_by_topic(path, capsys):
    assert main(["assign", str(path), "--what", "comparisons"]) != 0
    assert "pyramidion comparisons" in capsys.readouterr().err


def test_what_a_machine_stored_is_undone_by_its_name(path, study, capsys):
    machine = study.annotators.get_or_create("auto", MACHINE_GROUP).id
    study.settings.save_all({"x": "1"}, machine).result()
    study.flush()
    assert main(["undo", str(path), "--as", "auto"]) == 0
    assert main(["undo", str(path), "--as", "auto"]) == 1
    assert "Nothing to undo" in capsys.readouterr().err
    assert main(["assign", str(path), "--set", "D1=Ann", "--as", "auto"]) == 1
    assert "name of a machine" in capsys.readouterr().err
