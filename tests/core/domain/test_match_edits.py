"""Edits of single units of a summary."""

from __future__ import annotations

import pytest

from core.domain import pyramid as p
from core.domain.pyramid.match_edits import comment_on_match, reassign
from core.domain.pyramid.scores import score_summary
from core.errors import InputError


@pytest.fixture
def matched():
    """Two SCUs of weight 1; the first is matched with words, and there is a unit outside the pyramid."""
    a = p.add_scu(p.empty("topic", "KO"), "Ferry ran aground", "A", [(0, 5)])
    a = p.add_scu(a, "Fog was thick", "A", [(7, 9)])
    a = p.add_match(a, "summary", "KO", a.pyramid.scus[0].id, [(0, 4), (6, 8)])
    return p.add_match(a, "summary", "KO", None, [(10, 12)])


def units(annotation):
    return [(m.scu_id, [part.span for part in m.parts], m.comment) for m in annotation.matches]


def test_a_reassigned_unit_keeps_its_parts_and_its_comment(matched):
    first, fog = matched.matches[0], matched.pyramid.scus[1].id
    commented = comment_on_match(matched, first.id, "  vague ")
    assert units(reassign(commented, first.id, fog))[0] == (fog, [(0, 4), (6, 8)], "vague")


def test_a_unit_can_be_moved_out_of_and_into_the_pyramid(matched):
    first, outside = matched.matches
    left = reassign(matched, first.id, None)
    assert [scu for scu, *_ in units(left)] == [None, None]
    back = reassign(left, outside.id, matched.pyramid.scus[0].id)
    assert [scu for scu, *_ in units(back)] == [None, matched.pyramid.scus[0].id]


def test_a_unit_reassigned_to_a_matched_scu_repeats_it(matched):
    moved = reassign(matched, matched.matches[1].id, matched.pyramid.scus[0].id)
    score = score_summary(moved.pyramid, moved.matches, ["A"])
    assert (len(score.matched), score.repeats, score.outside) == (1, 1, 0)


def test_a_unit_without_words_cannot_be_outside_the_pyramid(matched):
    spanless = p.add_match(matched, "summary", "KO", matched.pyramid.scus[1].id)
    with pytest.raises(InputError, match="without a span"):
        reassign(spanless, spanless.matches[-1].id, None)


def test_missing_items_are_reported(matched):
    with pytest.raises(InputError, match="no longer in the summary"):
        comment_on_match(matched, "gone", "x")
    with pytest.raises(InputError, match="no longer in the pyramid"):
        reassign(matched, matched.matches[0].id, "gone")
