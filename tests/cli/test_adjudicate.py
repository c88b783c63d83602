"""`pyramidion adjudicate`: what annotators differ on, and merging what they agree on."""

from __future__ import annotations

import json

import pytest

from cli.errors import DONE
from storage.study_file import open_study


@pytest.fixture
def rated(study):
    scale = study.ratings.add_dimension("coherence")
    for value, name in ((2, "Ann"), (3, "Ben")):
        person = study.annotators.get_or_create(name).id
        for head in study.texts.topics():
            first, second, _ = study.texts.topic(head.id).summaries
            study.ratings.rate(first.id, scale.id, person, value)
            study.ratings.rate(second.id, scale.id, person, 5).result()
    study.close()
    return study.path


def test_differences_are_counted_and_agreements_are_merged(rated, run) -> None:
    code, out, err = run("adjudicate", rated)
    assert code == DONE
    assert "Not merged" in out
    assert "2 items to decide" in err
    _, out, _ = run("adjudicate", rated, "--merge-as", "Ann", "--json")
    document = json.loads(out)
    assert document["merged"] == 2
    assert [(one["open"], one["agreed"]) for one in document["topics"]] == [(1, 0), (1, 0)]
    with open_study(rated) as study:
        result = next(one for one in study.annotators.all() if one.name == "adjudicated")
        values = [
            one.value
            for head in study.texts.topics()
            for one in study.ratings.of_topic(head.id)
            if one.annotator_id == result.id
        ]
    assert values == [5, 5]


def test_an_unknown_annotator_merges_nothing(rated, run) -> None:
    code, _, err = run("adjudicate", rated, "--merge-as", "Zoe")
    assert code == 1
    assert "No annotator is named 'Zoe'" in err


def test_a_kind_that_one_annotator_made_has_nothing_to_adjudicate(rated, run) -> None:
    code, out, err = run("adjudicate", rated, "--what", "pyramids")
    assert (code, out) == (DONE, "")
    assert "No two of the annotators" in err
