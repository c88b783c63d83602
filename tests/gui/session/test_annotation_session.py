"""The annotation that pages share: shown at once, written behind, never lost on the way."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from core.domain import pyramid
from core.domain.study import Span
from gui.pages.match import presenter as page_of_matches
from gui.pages.pyramid import presenter as page_of_pyramids
from gui.session.annotation_session import annotation_session


@pytest.fixture
def topics(context):
    return [head.id for head in context.study.texts.topics()]


def add(front, label: str, span: Span = (0, 4)) -> bool:
    reference = front.topic.references[0].id
    return front.edit(lambda a: pyramid.add_scu(a, label, reference, [span]), "new SCU")


def labels(annotation) -> list[str]:
    return [scu.label for scu in annotation.pyramid.scus]


def test_every_page_of_a_study_has_the_same_annotation_in_front(context):
    assert annotation_session(context) is annotation_session(context)


def test_edits_in_quick_succession_are_all_kept(context, topics):
    front = annotation_session(context)
    front.open(topics[0])
    for number in range(20):
        assert add(front, f"unit {number}")
    context.study.flush()
    assert labels(context.study.pyramids.annotation(topics[0], context.annotator.id)) == labels(
        front.annotation
    )
    assert len(front.annotation.pyramid.scus) == 20


def test_a_topic_that_is_left_while_it_is_saved_has_its_edit_when_one_comes_back(
    context, topics, monkeypatch
):
    front = annotation_session(context)
    front.open(topics[0])
    waiting: Future = Future()
    monkeypatch.setattr(
        context.study.pyramids, "commit", lambda *edit: waiting
    )  # a writer that takes its time
    add(front, "kept")
    front.open(topics[1])
    front.open(topics[0])
    assert labels(front.annotation) == ["kept"]
    waiting.cancel()


def test_what_is_not_possible_is_said_and_changes_nothing(context, topics, qtbot):
    front = annotation_session(context)
    front.open(topics[0])
    before = front.annotation
    with qtbot.waitSignal(front.refused) as refused:
        assert not front.edit(lambda a: pyramid.remove_scu(a, "nobody"), "remove SCU")
    assert "no longer" in refused.args[0]
    assert front.annotation is before


def test_an_edit_that_changes_nothing_is_not_written(context, topics):
    front = annotation_session(context)
    front.open(topics[0])
    add(front, "kept")
    scu_id = front.annotation.pyramid.scus[0].id
    assert not front.edit(lambda a: pyramid.set_label(a, scu_id, "kept"), "change label")
    context.study.flush()
    assert [edit.verb for edit in context.study.edits.history(topics[0])] == ["new SCU"]


def test_a_conflict_keeps_later_edits_out_and_loads_what_the_study_holds(context, topics, qtbot):
    front = annotation_session(context)
    front.open(topics[0])
    add(front, "mine")
    context.study.flush()
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    stored = context.study.pyramids.annotation(topics[0], context.annotator.id)
    scu_id = stored.pyramid.scus[0].id
    ben = context.study.annotators.get_or_create("Ben").id
    context.study.pyramids.commit(
        stored, pyramid.set_label(stored, scu_id, "Ben's"), "change label", ben
    ).result()
    with qtbot.waitSignal(front.save_failed) as lost:
        front.edit(lambda a: pyramid.set_label(a, scu_id, "again mine"), "change label")
    assert "Ben" in lost.args[0]
    assert labels(front.annotation) == ["Ben's"]


def test_what_the_page_of_pyramids_edits_the_page_of_matches_shows(context, shown, qtbot):
    pyramids, _ = page_of_pyramids.build(context)
    shown(pyramids)
    add(annotation_session(context), "Court ruled")
    pyramids.hide()
    matches, _ = page_of_matches.build(context)
    shown(matches)
    assert [line.label for tier in matches.scus.tree.scus.tiers for line in tier.lines] == ["Court ruled"]
    assert matches.place.name_label.text() == "D1"
