"""A shared pyramid: everyone matches against one annotator's, and nobody changes it."""

from __future__ import annotations

import pytest

from core.annotation.blind_mode import make_blind
from core.annotation.shared_pyramid import (
    lock_on,
    pyramids_to_match,
    share_pyramids,
    shared_owner,
    shares_only_done,
    sharing_problem,
)
from core.domain.pyramid import UnitKind, add_match, add_scu, mark_pyramid_done
from core.errors import EditConflict

SCU, NUGGET = UnitKind.SCU, UnitKind.NUGGET


@pytest.fixture
def people(study):
    """Ids of Ann and Ben, who both have a pyramid of the first topic."""
    topic = study.texts.topic(study.texts.topics()[0].id)
    ids = [study.annotators.get_or_create(name).id for name in ("Ann", "Ben")]
    for annotator_id in ids:
        before = study.pyramids.annotation(topic.id, annotator_id)
        after = add_scu(before, "ban", topic.references[0].id, [(0, 9)])
        study.pyramids.commit(before, after, "new SCU", annotator_id).result()
    return ids


def owners(study, me):
    stored = list(study.pyramids.annotations())
    return {one.pyramid.annotator_id for one in pyramids_to_match(study, SCU, stored, me)}


def test_only_the_shared_pyramid_is_matched_against_even_in_a_blind_study(study, people):
    ann, ben = people
    assert owners(study, ben) == {ann, ben}
    make_blind(study, enabled=True).result()
    assert owners(study, ben) == {ben}
    share_pyramids(study, SCU, "Ann", ben).result()
    assert owners(study, ben) == {ann}
    assert shared_owner(study, NUGGET) == ""
    study.edits.undo(ben).result()
    assert owners(study, ben) == {ben}


def test_a_topic_without_the_shared_pyramid_is_matched_as_before(study, people):
    study.annotators.get_or_create("Cat")
    share_pyramids(study, SCU, "Cat", None).result()
    assert owners(study, people[0]) == set(people)


def test_pyramids_that_are_not_done_can_be_left_out_and_stay_open(study, people):
    ann, ben = people
    topic = study.texts.topic(study.texts.topics()[0].id)
    assert not sharing_problem(study, SCU)
    share_pyramids(study, SCU, "Ann", ben, only_done=True).result()
    unready = "Of 2 topics of Ann: 1 without pyramid; 1 not marked done, left out until then."
    assert sharing_problem(study, SCU) == unready
    assert owners(study, ben) == {ann, ben}
    before = study.pyramids.annotation(topic.id, ann)
    after = mark_pyramid_done(before, True)
    study.pyramids.commit(before, after, "done", ann).result()
    assert owners(study, ben) == {ann}
    study.edits.undo(ben).result()
    assert owners(study, ben) == {ann, ben}
    assert not shares_only_done(study, SCU), "both settings are one edit"


@pytest.fixture
def locked(study, people):
    """Ann's pyramid of the first topic, done and shared."""
    ann, ben = people
    before = study.pyramids.annotation(study.texts.topics()[0].id, ann)
    study.pyramids.commit(before, mark_pyramid_done(before, True), "done", ann).result()
    share_pyramids(study, SCU, "Ann", ben).result()
    return study.pyramids.annotation(before.pyramid.topic_id, ann)


def test_the_lock_holds_for_every_edit_until_the_pyramid_is_reopened(study, people, locked):
    ann, ben = people
    topic = study.texts.topic(locked.pyramid.topic_id)
    longer = add_scu(locked, "x", topic.references[0].id, [(10, 13)])
    for changed in (longer, mark_pyramid_done(longer, False)):
        with pytest.raises(EditConflict, match="locked"):
            study.pyramids.commit(locked, changed, "new SCU", ann).result()
    matched = add_match(locked, topic.summaries[0].id, ben, locked.pyramid.scus[0].id, [(0, 3)])
    study.pyramids.commit(locked, matched, "match", ben).result()
    opened = mark_pyramid_done(matched, False)
    study.pyramids.commit(matched, opened, "unlock pyramid", ann).result()
    longer = add_scu(opened, "x", topic.references[0].id, [(10, 13)])
    study.pyramids.commit(opened, longer, "new SCU", ann).result()
    for _ in range(2):
        study.edits.undo(ann).result()
    assert study.pyramids.annotation(topic.id, ann).pyramid == locked.pyramid
    share_pyramids(study, SCU, "", ben).result()
    study.pyramids.commit(
        matched, add_scu(matched, "x", topic.references[0].id, [(10, 13)]), "x", ann
    ).result()


def test_only_what_is_done_of_the_shared_pyramids_is_locked(study, people):
    ann, ben = people
    before = study.pyramids.annotation(study.texts.topics()[0].id, ann)
    share_pyramids(study, SCU, "Ann", None).result()
    assert lock_on(study, SCU, ann) == "Ann"
    assert not lock_on(study, SCU, ben)
    assert not lock_on(study, NUGGET, ann)
    reference = study.texts.topic(before.pyramid.topic_id).references[0].id
    study.pyramids.commit(before, add_scu(before, "x", reference, [(10, 13)]), "new SCU", ann).result()
