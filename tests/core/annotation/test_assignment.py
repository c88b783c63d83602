"""Assignment: plans are balanced, reproducible and editable; progress counts what is assigned."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.annotators import Team, annotators_of, is_annotator, save_team, workers
from core.annotation.assignment import (
    assign,
    assigned_topics,
    assignees_of,
    merged,
    plan_progress,
    propose,
    roles_of,
    set_role,
    toggled,
)
from core.domain.assignment import PlanOptions, Role, Work
from core.domain.decisions import MACHINE_GROUP, RESULT_GROUP
from core.domain.pyramid import add_scu, mark_pyramid_done, set_summary_state
from core.errors import InputError
from core.progress import run_to_completion
from tests.people import imported

PEOPLE = ("Ann", "Ben", "Cat", "Dan")


def loads(plan, topics):
    counts = Counter(dict.fromkeys(PEOPLE, 0))
    for topic, names in plan.items():
        for name in names:
            counts[name] += topics[topic]
    return counts


def test_every_pair_shares_equally_many_topics() -> None:
    topics = {f"D{number:02}": 8 for number in range(12)}
    plan = propose(topics, PEOPLE, PlanOptions(per_topic=2))
    assert set(loads(plan, topics).values()) == {48}
    pairs = Counter(names for names in plan.values())
    assert set(pairs) == set(combinations(PEOPLE, 2))
    assert max(pairs.values()) - min(pairs.values()) <= 2


def test_a_quarter_of_the_topics_is_shared() -> None:
    plan = propose({f"D{n}": 1 for n in range(20)}, PEOPLE, PlanOptions(3, 0.25))
    assert Counter(len(names) for names in plan.values()) == {1: 15, 3: 5}


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.integers(1, 9), max_size=30),
    st.integers(1, 4),
    st.floats(0, 1),
    st.integers(0, 5),
)
def test_loads_differ_by_at_most_one_topic_and_a_seed_repeats(topics, per_topic, overlap, seed) -> None:
    options = PlanOptions(per_topic, overlap, seed)
    plan = propose(topics, PEOPLE, options)
    assert plan == propose(topics, PEOPLE, options)
    assert set(plan) == set(topics)
    assert all(len(set(names)) == len(names) for names in plan.values())
    counts = loads(plan, topics).values()
    assert max(counts) - min(counts) <= max(topics.values(), default=0)


def test_fixed_topics_stay_and_count_as_work() -> None:
    topics = {f"D{number}": 1 for number in range(8)}
    fixed = {"D0": ("Ann",), "D1": ("Ann",)}
    plan = propose(topics, ("Ann", "Ben"), PlanOptions(1), fixed)
    assert (plan["D0"], plan["D1"]) == (("Ann",), ("Ann",))
    assert Counter(name for names in plan.values() for name in names) == {"Ann": 4, "Ben": 4}


def test_too_few_annotators_are_refused() -> None:
    with pytest.raises(InputError, match="there are 1"):
        propose({"D1": 1}, ("Ann", "Ann"), PlanOptions(2))
    with pytest.raises(InputError, match="between 0 and 1"):
        PlanOptions(overlap=1.5)


def test_a_plan_is_stored_changed_and_undone(study) -> None:
    ann = study.annotators.get_or_create("Ann").id
    assign(study, Work.MATCHES, {"D1": ("Ann",)}, ann).result()
    assign(study, Work.MATCHES, toggled(assignees_of(study, Work.MATCHES), "D1", "Ben"), ann).result()
    assert assignees_of(study, Work.MATCHES) == {"D1": ("Ann", "Ben")}
    assert assignees_of(study, Work.RATINGS) == {}
    receipt = study.edits.undo(ann).result()
    assert receipt.what == "Changed who matches which topics"
    assert assignees_of(study, Work.MATCHES) == {"D1": ("Ann",)}
    assign(study, Work.MATCHES, toggled({"D1": ("Ann",)}, "D1", "Ann"), ann).result()
    assert assignees_of(study, Work.MATCHES) == {}


def test_neither_a_machine_nor_a_result_gets_topics_or_a_role(study) -> None:
    for name, group in (("auto", MACHINE_GROUP), ("adjudicated", RESULT_GROUP)):
        study.annotators.get_or_create(name, group)
        with pytest.raises(InputError, match="nobody works"):
            assign(study, Work.MATCHES, {"D1": (name,)}, None)
        with pytest.raises(InputError, match="nobody works"):
            set_role(study, name, Role.ANNOTATOR, None)
    assert roles_of(study) == assignees_of(study, Work.MATCHES) == {}


def test_a_damaged_plan_is_empty(study) -> None:
    study.settings.save("assignment.matches", "[1").result()
    assert assignees_of(study, Work.MATCHES) == {}


def test_progress_counts_assigned_topics_and_shows_other_work_too(study) -> None:
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    heads = {head.name: head for head in study.texts.topics()}
    topic = study.texts.topic(heads["D1"].id)
    before = study.pyramids.annotation(topic.id, ann)
    after = mark_pyramid_done(add_scu(before, "x", topic.references[0].id, [(0, 3)]), True)
    for text in topic.summaries:
        after = set_summary_state(after, text.id, ben, is_done=True)
    study.pyramids.commit(before, after, "done", ann, 60.0).result()
    scale = study.ratings.add_dimension("quality")
    study.ratings.rate(topic.summaries[0].id, scale.id, ben, 3).result()
    for work in (Work.PYRAMIDS, Work.MATCHES, Work.RATINGS):
        assign(study, work, {"D1": ("Ann",), "D2": ("Ann", "Ben")}, ann).result()
    pyramids = run_to_completion(plan_progress(study, Work.PYRAMIDS))
    assert [(one.name, one.topics, one.topics_done, one.seconds) for one in pyramids.people] == [
        ("Ann", 2, 1, 60.0),
        ("Ben", 1, 0, 0.0),
    ]
    assert pyramids.cells["D1", "Ann"].is_done
    assert not pyramids.cells["D2", "Ben"].is_begun
    matches = run_to_completion(plan_progress(study, Work.MATCHES))
    assert matches.cells["D1", "Ben"].is_done, "done, although nobody assigned it"
    ratings = run_to_completion(plan_progress(study, Work.RATINGS))
    assert (ratings.cells["D1", "Ben"].done, ratings.cells["D1", "Ben"].total) == (1, 3)


def test_edits_of_two_managers_are_both_kept() -> None:
    before = {"D1": ("Ann",), "D2": ("Ann",)}
    mine, theirs = {**before, "D1": ("Ben",)}, {**before, "D2": ("Cat",)}
    assert merged(theirs, before, mine) == {"D1": ("Ben",), "D2": ("Cat",)}
    assert merged(before, before, {"D1": ("Ann",)}) == {"D1": ("Ann",)}
    assert merged(theirs, before, before) == theirs


def test_topics_that_left_the_study_are_not_assigned(study) -> None:
    assign(study, Work.HITS, {"gone": ("Ann",), "D2": ("Ann", "Ben")}, None).result()
    assert assigned_topics(study, Work.HITS, "Ann") == {"D2"}
    assign(study, Work.HITS, {"gone": ("Ann",)}, None).result()
    assert not assigned_topics(study, Work.HITS, "Ann"), "so that all topics are shown"


def test_an_unknown_role_leaves_the_others(study) -> None:
    study.settings.save("roles", '{"Ann": "manager", "Ben": "chief"}').result()
    assert roles_of(study) == {"Ann": Role.MANAGER}


def test_topics_are_proposed_for_annotators_only(study) -> None:
    for name in ("Ann", "Ben", "Cat"):
        study.annotators.get_or_create(name)
    imported(study, "Ann (conflict 0a1b2c)")
    names = ["Ann", "Ben", "Cat", "Ann (conflict 0a1b2c)"]
    set_role(study, "Ann", Role.MANAGER, None).result()
    assert workers(study, names) == [], "nobody of them has annotated or was added"
    save_team(study, Team(frozenset(("Ben", "Cat")), frozenset({"Cat"})), None).result()
    assert workers(study, names) == ["Ben"]
    assert [person.name for person in annotators_of(study)] == ["Ann", "Ben", "Cat"]


def test_who_only_opens_a_study_is_no_annotator_until_an_edit_is_theirs(study) -> None:
    ann = study.annotators.get_or_create("Ann")
    assert annotators_of(study) == []
    assert is_annotator(study, ann), "the first one"
    scale = study.ratings.add_dimension("quality", annotator_id=ann.id)
    study.settings.save("guidelines", "Read.", ann.id).result()
    assert annotators_of(study) == [], "preparing a study is no annotation"
    topic = study.texts.topic(study.texts.topics()[0].id)
    ben = study.annotators.get_or_create("Ben")
    study.ratings.rate(topic.summaries[0].id, scale.id, ben.id, 3).result()
    assert annotators_of(study) == [ben]
    assert not is_annotator(study, ann)
    study.edits.undo(ben.id).result()
    assert annotators_of(study) == []
