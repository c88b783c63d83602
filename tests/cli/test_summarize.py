"""`pyramidion summarize`: lists summarizers, makes systems, explains mistakes."""

from __future__ import annotations

import json

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE


@pytest.fixture
def path(study):
    study.flush()
    return study.path


def test_summarizers_are_listed_with_settings_and_oracles(run):
    code, out, _ = run("summarize", "--json")
    assert code == DONE
    rows = {row["name"]: row for row in json.loads(out)["summarizers"]}
    assert rows["oracle"]["oracle"]
    assert not rows["lexrank"]["oracle"]
    assert "degree" in next(s for s in rows["lexrank"]["settings"] if s["name"] == "mode")["choices"]
    code, out, _ = run("summarize")
    assert "threshold=0.1" in out


def test_systems_are_made_scored_and_made_once(run, path):
    code, out, _ = run("summarize", path, "--with", "lead-3,oracle", "--with", "r=random", "--json")
    assert code == DONE
    assert [row["made"] for row in json.loads(out)["systems"]] == [2, 2, 2]
    code, _, err = run("summarize", path, "--with", "lead-3")
    assert "0 summaries in 0.0 s; 2 were there already" in err
    code, out, _ = run("score", path, "-m", "rouge-n:n=1", "--json")
    assert code == DONE
    code, out, _ = run("export", path, "--what", "scores", "-o", "-")
    assert code == DONE
    scored = {json.loads(line)["summarizer_id"] for line in out.splitlines()}
    assert {"lead-3", "oracle", "r"} <= scored


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--with", "lexrnk"], BAD_INPUT, "Did you mean lexrank"),
        (["--with", "good=lead"], BAD_INPUT, "has a system good"),
        (["--with", "lead", "--topic", "D9"], BAD_INPUT, "D9"),
        (["--command", "nosuch"], BAD_INPUT, "NAME=PROGRAM"),
        (["--command", "mine=nosuch"], BAD_INPUT, "There is no program"),
    ],
)
def test_mistakes_are_explained(run, path, arguments, code, message):
    done, _, err = run("summarize", path, *arguments)
    assert done == code
    assert message in " ".join(err.split())


def test_a_study_is_needed(run):
    code, _, err = run("summarize", "--with", "lead")
    assert code == USAGE
    assert "Name the study" in err
