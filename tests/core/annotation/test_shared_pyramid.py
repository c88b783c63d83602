"""A shared pyramid: everyone matches against one annotator's, and nobody changes it."""

from __future__ import annotations

import pytest

from core.annotation.blind_mode import make_blind
from core.annotation.shared_pyramid import (
    Unfinished,
    lock_on,
    pyramids_to_match,
    share_only_done,
    share_pyramids,
    shared_owner,
    unfinished,
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
    assert unfinished(study, SCU, "Ann") == Unfinished(topics=2, without=1, not_done=1)
    share_pyramids(study, SCU, "Ann", ben).result()
    share_only_done(study, SCU, True, ben).result()
    assert owners(study, ben) == {ann, ben}
    before = study.pyramids.annotation(topic.id, ann)
    after = mark_pyramid_done(before, True)
    study.pyramids.commit(before, after, "done", ann).result()
    assert owners(study, ben) == {ann}
    reference = topic.references[0].id
    for changed in (mark_pyramid_done(after, False), add_scu(after, "x", reference, [(10, 12)])):
        with pytest.raises(EditConflict, match="locked"):
            study.pyramids.commit(after, changed, "edit", ann).result()


def test_the_lock_holds_for_every_edit_and_for_undo(study, people):
    ann, ben = people
    topic = study.texts.topic(study.texts.topics()[0].id)
    share_pyramids(study, SCU, "Ann", ben).result()
    before = study.pyramids.annotation(topic.id, ann)
    after = add_scu(before, "x", topic.references[0].id, [(10, 13)])
    with pytest.raises(EditConflict, match="locked"):
        study.pyramids.commit(before, after, "new SCU", ann).result()
    with pytest.raises(EditConflict, match="locked"):
        study.edits.undo(ann).result()
    matched = add_match(before, topic.summaries[0].id, ben, before.pyramid.scus[0].id, [(0, 3)])
    study.pyramids.commit(before, matched, "match", ben).result()
    share_pyramids(study, SCU, "", ben).result()
    study.pyramids.commit(
        matched, add_scu(matched, "x", topic.references[0].id, [(10, 13)]), "x", ann
    ).result()


def test_the_shared_pyramids_are_locked_and_no_others(study, people):
    ann, ben = people
    share_pyramids(study, SCU, "Ann", None).result()
    assert lock_on(study, SCU, ann).holds(False)
    assert not lock_on(study, SCU, ben).name
    assert not lock_on(study, NUGGET, ann).name
