"""Visibility of annotations in a blind study."""

from __future__ import annotations

from core.annotation.blind_mode import completed_summaries, is_blind, make_blind, visible_pyramids
from core.domain import pyramid as p


def pyramid_of(annotator: str, *, is_done: bool = False) -> p.TopicAnnotation:
    return p.mark_pyramid_done(p.empty("t", annotator), is_done)


def done(annotation: p.TopicAnnotation, *summaries: str, by: str = "ann") -> p.TopicAnnotation:
    for summary_id in summaries:
        annotation = p.set_summary_state(annotation, summary_id, by, is_done=True)
    return annotation


def test_other_pyramids_are_visible_once_the_own_pyramid_is_done():
    own, ben, eve = pyramid_of("ann"), pyramid_of("ben", is_done=True), pyramid_of("eve")
    assert visible_pyramids([own, ben, eve], "ann") == [own]
    assert visible_pyramids([ben, eve], "ann") == []
    finished = pyramid_of("ann", is_done=True)  # without an SCU: who makes none sees the others' too
    assert visible_pyramids([finished, ben, eve], "ann") == [finished, ben, eve]


def test_only_marks_of_the_annotator_count():
    annotation = done(done(pyramid_of("ann"), "s1"), "s1", "s2", by="ben")
    assert completed_summaries(annotation, ["s1", "s2"], "ann") == 1
    assert completed_summaries(annotation, ["s1", "s2"], "ben") == 2


def test_blind_mode_is_stored_in_the_study(study):
    assert not is_blind(study)
    make_blind(study, enabled=True).result()
    assert is_blind(study)
    make_blind(study, enabled=False).result()
    assert not is_blind(study)
