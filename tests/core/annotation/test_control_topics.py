"""Control topics: ratings within a tolerance, matches SCU by SCU, and the command."""

from __future__ import annotations

import json

import pytest

from cli.main import main
from core.annotation.control_topics import (
    ControlAccuracy,
    KnownUse,
    control_accuracy,
    known_annotators,
    set_known_annotators,
    wilson_interval,
)
from core.domain.pyramid import add_match, add_scu, set_summary_state
from core.domain.ratings import category_scale
from core.progress import run_to_completion


@pytest.fixture
def people(study):
    """Ids of Eva, whose annotation is the known one, Ann and Ben."""
    return {name: study.annotators.get_or_create(name, "").id for name in ("Eva", "Ann", "Ben")}


@pytest.fixture
def annotated(study, people):
    """Ratings and matches of the first topic; Ann is right but once, Ben is wrong."""
    scale = study.ratings.add_dimension("quality")
    tone = category_scale("t" * 32, "tone", ["kind", "rude"])
    study.ratings.edit_dimensions([scale], [scale, tone], None).result()
    topic = study.texts.topic(study.texts.topics()[0].id)
    first, second, _ = (text.id for text in topic.summaries)
    for name, values in {"Eva": (4, 2, 1), "Ann": (5, 4, 1), "Ben": (1, 5, 2)}.items():
        for summary, value in ((first, values[0]), (second, values[1])):
            study.ratings.rate(summary, scale.id, people[name], value).result()
        study.ratings.rate(first, tone.id, people[name], values[2]).result()
    annotation = study.pyramids.annotation(topic.id, people["Eva"])
    after = add_scu(annotation, "one", topic.references[0].id, [(0, 3)])
    after = add_scu(after, "two", topic.references[0].id, [(4, 9)])
    for name, scus in {"Eva": (0,), "Ann": (0,), "Ben": (1,)}.items():
        for scu in scus:
            after = add_match(after, first, people[name], after.pyramid.scus[scu].id, [(0, 3)])
        after = set_summary_state(after, first, people[name], is_done=True)
    study.pyramids.commit(annotation, after, "matches", people["Eva"]).result()
    return study


def set_known(study, known, use=KnownUse.CONTROL) -> None:
    set_known_annotators(study, use, known, None).result()


def test_accuracy_by_hand_with_the_worst_first(annotated):
    set_known(annotated, {"D1": "Eva"})
    found = run_to_completion(control_accuracy(annotated))
    assert found == [ControlAccuracy("Ben", 3, 0, 2, 0), ControlAccuracy("Ann", 3, 2, 2, 2)]
    exact = run_to_completion(control_accuracy(annotated, 0.0))
    assert exact[1] == ControlAccuracy("Ann", 3, 1, 2, 2)


def test_matches_are_not_checked_where_the_known_annotator_has_none(annotated, people):
    set_known(annotated, {"D1": "Ann"})
    topic = annotated.texts.topics()[0]
    before = annotated.pyramids.annotation(topic.id, people["Eva"])
    after = before
    for state in before.states:
        if state.annotator_id == people["Ann"]:
            after = set_summary_state(after, state.summary_id, people["Ann"], is_done=False)
    annotated.pyramids.commit(before, after, "reopen", people["Ann"]).result()
    found = run_to_completion(control_accuracy(annotated))
    assert [(one.annotator, one.matches) for one in found] == [("Ben", 0), ("Eva", 0)]


def test_topics_that_are_no_control_topics_do_not_count(annotated):
    set_known(annotated, {"D2": "Eva"})
    assert all(not one.ratings and not one.matches for one in run_to_completion(control_accuracy(annotated)))


def test_a_topic_is_for_control_or_for_training(annotated):
    set_known(annotated, {"D1": "Eva", "D2": "Eva"})
    set_known(annotated, {"D1": "Eva"}, KnownUse.TRAINING)
    assert known_annotators(annotated, KnownUse.CONTROL) == {"D2": "Eva"}
    assert known_annotators(annotated, KnownUse.TRAINING) == {"D1": "Eva"}
    trained = run_to_completion(control_accuracy(annotated, use=KnownUse.TRAINING))
    assert [one.right for one in trained] == [0, 4]


def test_wilsons_interval_of_a_published_example():
    """Newcombe (1998, table I): 81 of 263, 15 of 148 and 0 of 20."""
    for right, total, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)):
        assert wilson_interval(right, total) == pytest.approx((low, high), abs=5e-5)


def test_a_damaged_setting_is_no_control_topic(study):
    study.settings.save("control_topics", "[1").result()
    assert known_annotators(study, KnownUse.CONTROL) == {}


def test_the_command_sets_shows_and_removes(annotated, capsys):
    annotated.flush()
    path = str(annotated.path)
    assert main(["control", path]) == 0
    assert "no control topics" in capsys.readouterr().err
    assert main(["control", path, "--set", "D1=Eva", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["topics"] == {"D1": "Eva"}
    assert [one["annotator"] for one in found["annotators"]] == ["Ben", "Ann"]
    assert main(["control", path]) == 0
    assert "2 of 3 (67%)" in capsys.readouterr().out
    assert main(["control", path, "--train", "D1=Eva", "--as", "Ann", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["topics"] == {}
    assert found["training"]["topics"] == {"D1": "Eva"}
    assert found["training"]["annotators"][1]["interval"] == pytest.approx([0.3755, 0.9638], abs=1e-4)
    assert main(["control", path]) == 0
    assert "Training topics: D1 (as Eva)" in capsys.readouterr().err
    assert main(["control", path, "--train", "D1=none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["topics"] == {}
    for wrong in ("D9=Eva", "D1=Zoe", "D1"):
        assert main(["control", path, "--set", wrong]) != 0
    assert main(["control", path, "--tolerance", "2"]) != 0
