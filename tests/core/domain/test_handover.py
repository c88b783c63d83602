"""Repetition of an edit in the name of another annotator."""

from __future__ import annotations

import pytest

from core.domain.pyramid import (
    TopicAnnotation,
    add_match,
    add_scu,
    empty,
    hand_over,
    mark_pyramid_done,
    remove_match,
    set_label,
    set_summary_state,
)
from core.errors import InputError

ANN, CEM = "ann", "cem"


@pytest.fixture
def anns() -> TopicAnnotation:
    """Ann's pyramid with one SCU, which her only match expresses."""
    one = add_scu(empty("t", ANN), "A quake struck", "r1", [(0, 7)], "scu")
    return add_match(one, "s1", ANN, "scu", [(0, 4)])


def test_a_new_scu_goes_into_the_other_annotators_pyramid(anns) -> None:
    after = add_scu(anns, "Homes fell", "r1", [(8, 12)])
    theirs = hand_over(empty("t", CEM), anns, after, ANN, CEM)
    assert [scu.label for scu in theirs.pyramid.scus] == ["Homes fell"]
    assert (theirs.pyramid.annotator_id, theirs.matches) == (CEM, ())


def test_a_pyramid_marked_done_belongs_to_the_other_annotator(anns) -> None:
    theirs = hand_over(empty("t", CEM), anns, mark_pyramid_done(anns, True), ANN, CEM)
    assert theirs.pyramid.is_done
    assert not theirs.pyramid.scus


def test_a_match_becomes_the_other_annotators_in_the_same_pyramid(anns) -> None:
    after = add_match(anns, "s2", ANN, "scu", [(3, 9)])
    changed = hand_over(anns, anns, after, ANN, CEM)
    (match,) = changed.matches_of("s2", CEM)
    assert (match.scu_id, [part.span for part in match.parts]) == ("scu", [(3, 9)])
    assert not changed.matches_of("s2", ANN)
    assert changed.matches_of("s1", ANN) == anns.matches


def test_words_added_to_a_match_become_a_match_of_the_other_annotator(anns) -> None:
    after = add_match(anns, "s1", ANN, "scu", [(10, 14)])
    changed = hand_over(anns, anns, after, ANN, CEM)
    assert changed.matches_of("s1", ANN) == anns.matches
    assert [part.span for match in changed.matches_of("s1", CEM) for part in match.parts] == [(10, 14)]


def test_only_the_mark_that_was_set_is_set_for_the_other_annotator(anns) -> None:
    noted = set_summary_state(anns, "s1", ANN, note="Ann's note")
    changed = hand_over(noted, noted, set_summary_state(noted, "s1", ANN, is_flagged=True), ANN, CEM)
    state = changed.state_of("s1", CEM)
    assert state is not None
    assert (state.is_flagged, state.note, state.is_done) == (True, "", False)
    assert changed.state_of("s1", ANN) == noted.state_of("s1", ANN)


@pytest.mark.parametrize(
    "edit",
    [
        lambda annotation: set_label(annotation, "scu", "Another label"),
        lambda annotation: remove_match(annotation, annotation.matches[0].id),
    ],
)
def test_annotations_of_the_first_annotator_never_change(anns, edit) -> None:
    with pytest.raises(InputError, match="not changed"):
        hand_over(anns, anns, edit(anns), ANN, CEM)


def test_a_match_of_a_removed_scu_is_refused(anns) -> None:
    after = add_match(anns, "s2", ANN, "scu", [(3, 9)])
    with pytest.raises(InputError, match="no longer"):
        hand_over(empty("t", ANN), anns, after, ANN, CEM)
