"""Restoring an earlier pyramid, worked by hand: later matches are preserved where possible."""

from __future__ import annotations

import pytest

from core.domain import pyramid as p
from core.domain.pyramid.restore import RestoreEffect, restore, restore_effect, with_shared_parts


@pytest.fixture
def then():
    """Two SCUs; LM matched both."""
    a = p.empty("topic", "KO")
    a = p.add_scu(a, "Ferry ran aground", "A", [(0, 5)], "ferry")
    a = p.add_scu(a, "Nobody was hurt", "B", [(3, 9)], "nobody")
    a = p.add_match(a, "s1", "LM", "ferry", [(0, 4)])
    return p.add_match(a, "s1", "LM", "nobody")


def matched(a: p.TopicAnnotation) -> list[tuple[str, str, str | None]]:
    return sorted((m.summary_id, m.annotator_id, m.scu_id) for m in a.matches)


def test_nothing_to_restore_changes_nothing(then):
    assert restore(then, then) == then
    assert restore_effect(then, then) == RestoreEffect()


def test_a_removed_scu_is_restored_with_its_matches(then):
    now = p.remove_scu(then, "ferry")
    assert restore(now, then).pyramid == then.pyramid
    assert matched(restore(now, then)) == matched(then)
    assert restore_effect(now, then) == RestoreEffect(scus_back=1, matches_back=1)


def test_restoring_removes_matches_of_later_scus_only(then):
    now = p.add_scu(then, "Fog was thick", "A", [(7, 9)], "fog")
    now = p.add_match(now, "s2", "KO", "fog")
    now = p.add_match(now, "s2", "KO", "nobody")
    now = p.add_match(now, "s2", "KO", None, [(0, 3)])
    after = restore(now, then)
    assert [m.scu_id for m in after.matches if m.summary_id == "s2"] == ["nobody", None]
    assert restore_effect(now, then) == RestoreEffect(scus_gone=1, matches_gone=1)


def test_restoring_a_merge_splits_it_and_moves_matches_back(then):
    now = p.merge_scus(then, "ferry", "nobody")
    assert matched(now) == [("s1", "LM", "ferry"), ("s1", "LM", "ferry")]
    assert matched(restore(now, then)) == matched(then)
    assert restore_effect(now, then) == RestoreEffect(scus_back=1, scus_changed=1, matches_moved=1)


def test_a_match_removed_since_is_not_restored_while_its_scu_exists(then):
    now = p.unmatch(then, "s1", "LM", "ferry")
    now = p.set_label(now, "ferry", "Ferry stuck")
    assert matched(restore(now, then)) == [("s1", "LM", "nobody")]
    assert restore_effect(now, then) == RestoreEffect(scus_changed=1)


def test_restoring_keeps_summary_marks_and_resets_the_pyramid_mark(then):
    now = p.set_summary_state(p.mark_pyramid_done(then, True), "s1", "LM", is_done=True)
    assert restore(now, then).states == now.states
    assert restore_effect(now, then) == RestoreEffect(is_marked=True)


def test_unchanged_values_are_the_same_object(then):
    now = p.set_label(then, "ferry", "Ferry stuck")
    copy = p.TopicAnnotation(
        p.Pyramid(
            then.pyramid.id,
            "topic",
            "KO",
            tuple(p.Scu(s.id, s.label, s.contributors, s.comment) for s in then.pyramid.scus),
        ),
        then.matches,
    )
    shared = with_shared_parts(copy, now)
    assert shared == then
    assert shared.pyramid.scus[1] is now.pyramid.scus[1]
    assert shared.pyramid.scus[0].label == "Ferry ran aground"
