"""The annotation session: edits are shown at once, saved in the background and never lost."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from core.domain import pyramid
from core.domain.pyramid import UnitKind
from core.domain.study import Span
from core.ports import set_language
from gui.pages.match import presenter as match_page
from gui.pages.pyramid import presenter as pyramid_page
from gui.session.annotation_session import annotation_session


@pytest.fixture
def topics(context):
    return [head.id for head in context.study.texts.topics()]


def add(session, label: str, span: Span = (0, 4)) -> bool:
    reference = session.topic.references[0].id
    return session.edit(lambda a: pyramid.add_scu(a, label, reference, [span]), "new SCU")


def labels(annotation) -> list[str]:
    return [scu.label for scu in annotation.pyramid.scus]


def test_all_pages_of_a_study_share_one_session(context):
    assert annotation_session(context) is annotation_session(context)


def test_edits_in_quick_succession_are_all_saved(context, topics):
    session = annotation_session(context)
    session.open(topics[0])
    for number in range(20):
        assert add(session, f"unit {number}")
    context.study.flush()
    assert labels(context.study.pyramids.annotation(topics[0], context.annotator.id)) == labels(
        session.annotation
    )
    assert len(session.annotation.pyramid.scus) == 20


def test_a_topic_left_while_saving_still_has_its_edit(context, topics, monkeypatch):
    session = annotation_session(context)
    session.open(topics[0])
    waiting: Future = Future()
    monkeypatch.setattr(context.study.pyramids, "commit", lambda *edit: waiting)  # a slow writer
    add(session, "saved")
    session.open(topics[1])
    session.open(topics[0])
    assert labels(session.annotation) == ["saved"]
    waiting.cancel()


def test_an_impossible_edit_is_refused_and_changes_nothing(context, topics, qtbot):
    session = annotation_session(context)
    session.open(topics[0])
    before = session.annotation
    with qtbot.waitSignal(session.refused) as refused:
        assert not session.edit(lambda a: pyramid.remove_scu(a, "nobody"), "remove SCU")
    assert "no longer" in refused.args[0]
    assert session.annotation is before


def test_an_edit_without_changes_is_not_saved(context, topics):
    session = annotation_session(context)
    session.open(topics[0])
    add(session, "saved")
    scu_id = session.annotation.pyramid.scus[0].id
    assert not session.edit(lambda a: pyramid.set_label(a, scu_id, "saved"), "change label")
    context.study.flush()
    assert [edit.verb for edit in context.study.edits.history(topics[0])] == ["new SCU"]


def test_a_conflict_reloads_the_annotation_from_the_study(context, topics, qtbot):
    session = annotation_session(context)
    session.open(topics[0])
    add(session, "mine")
    context.study.flush()
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    stored = context.study.pyramids.annotation(topics[0], context.annotator.id)
    scu_id = stored.pyramid.scus[0].id
    ben = context.study.annotators.get_or_create("Ben").id
    context.study.pyramids.commit(
        stored, pyramid.set_label(stored, scu_id, "Ben's"), "change label", ben
    ).result()
    with qtbot.waitSignal(session.save_failed) as failed:
        session.edit(lambda a: pyramid.set_label(a, scu_id, "again mine"), "change label")
    assert "Ben" in failed.args[0]
    assert labels(session.annotation) == ["Ben's"]


def test_undo_of_an_edit_reads_no_texts(context, topics, qtbot, monkeypatch):
    session, others = annotation_session(context), annotation_session(context, UnitKind.NUGGET)
    session.open(topics[0])
    others.open(topics[0])
    add(session, "Court ruled")
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    read = []
    for name in ("topic", "topics"):
        monkeypatch.setattr(context.study.texts, name, read.append)
    with qtbot.waitSignal(session.changed):
        context.history.undo()
    assert labels(session.annotation) == []
    assert read == []


def test_the_match_page_shows_edits_of_the_pyramid_page(context, shown, qtbot):
    pyramids, _ = pyramid_page.build(context)
    shown(pyramids)
    add(annotation_session(context), "Court ruled")
    pyramids.hide()
    matches, _ = match_page.build(context)
    shown(matches)
    assert [line.label for tier in matches.scus.tree.scus.tiers for line in tier.lines] == ["Court ruled"]
    assert matches.place.name_label.text() == "D1"


def test_another_language_of_the_study_loads_the_open_texts_again(context, qtbot):
    session = annotation_session(context)
    session.open(context.study.texts.topics()[0].id)
    assert {text.language for text in session.topic.references} == {"en"}
    set_language(context.study, "de").result()
    qtbot.waitUntil(lambda: {text.language for text in session.topic.references} == {"de"})
