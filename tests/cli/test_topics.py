"""`pyramidion topics`: lists topics and changes their sets."""

from __future__ import annotations

import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE
from core.annotation.assignment import assignees_of
from core.domain.assignment import Work
from storage.sample_study import PAIRS
from storage.study_file import open_study


@pytest.fixture
def sample(sample_file, tmp_path):
    return shutil.copy(sample_file, tmp_path / "sample.pyramidion")


def test_topics_are_listed_with_sets_and_numbers_of_texts(run, sample):
    code, out, _ = run("topics", sample, "--json")
    assert code == DONE
    topics = json.loads(out)["topics"]
    assert [topic["topic"] for topic in topics][:3] == ["D01", "D01-update", "D02"]
    assert topics[0]["references"] > 0
    code, out, _ = run("topics", sample, "D02")
    assert "D02" in out
    assert "D01" not in out


def test_a_set_is_changed_and_removed(run, sample):
    code, out, err = run("topics", sample, "D01", "D02", "--set", "late", "--json")
    assert code == DONE
    assert "Moved 2 topics to set “late”." in err
    assert [topic["set"] for topic in json.loads(out)["topics"]] == ["late", "late"]
    _, out, err = run("topics", sample, "D01", "--no-set", "--json")
    assert "Removed topic D01 from its set." in err
    assert json.loads(out)["topics"][0]["set"] == ""
    _, _, err = run("topics", sample, "D01", "--no-set")
    assert "nothing to change" in err


def test_a_change_is_recorded_for_its_annotator(run, sample):
    with open_study(sample) as study:
        ann = study.annotators.get_or_create("Ann").id
    assert run("topics", sample, "D01", "--set", "late", "--as", "Ann")[0] == DONE
    assert run("scales", sample, "--template", "newsroom", "--as", "Ann")[0] == DONE
    assert run("assign", sample, "--set", "D01=Ann", "--role", "Ann=manager", "--as", "Ann")[0] == DONE
    assert run("comparisons", sample, "pairs", "--new", "--as", "Ann")[0] == DONE
    with open_study(sample) as study:
        assert assignees_of(study, Work.RATINGS) == {"D01": ("Ann",)}
        for _ in range(5):
            study.edits.undo(ann).result()
        assert [plan.name for plan in study.comparisons.plans()] == [PAIRS]
        assert not assignees_of(study, Work.RATINGS)
        assert "informativeness" not in [scale.name for scale in study.ratings.dimensions()]
        assert study.texts.topics()[0].set != "late"
    assert run("topics", sample, "D01", "--set", "late", "--as", "Anne")[0] == BAD_INPUT


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["D1"], BAD_INPUT, "Did you mean D01?"),
        (["--set", "late"], BAD_INPUT, "Name the topics"),
        (["D01", "--set", "a\nb"], BAD_INPUT, "not a valid name of a set"),
        (["D01", "--set", "late", "--no-set"], USAGE, "exclude each other"),
    ],
)
def test_mistakes_are_explained(run, sample, arguments, code, message):
    done, _, err = run("topics", sample, *arguments)
    assert done == code
    assert message in " ".join(err.split())
