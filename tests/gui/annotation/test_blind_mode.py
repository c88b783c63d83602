"""Blind mode on all pages that show names or others' work, with real views and a real study."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from core.annotation.blind_mode import make_blind
from core.domain import pyramid
from gui.annotation.study_modes import blind_mode_of
from gui.pages.match import presenter as match
from gui.pages.match.presenter import WITHHELD
from gui.pages.overview import presenter as overview
from gui.pages.ratings import presenter as ratings
from gui.pages.texts import presenter as texts
from gui.session.annotation_session import annotation_session

NAMES = ("lead", "good", "bad")


def visible_text(widget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def commit(study, topic, owner: str, change, verb: str, by: str = "") -> None:
    before = study.pyramids.annotation(topic.id, study.annotators.get_or_create(owner).id)
    study.pyramids.commit(
        before, change(before), verb, study.annotators.get_or_create(by or owner).id
    ).result()


@pytest.fixture
def topic(study):
    return study.texts.topic(study.texts.topics()[0].id)


@pytest.fixture
def blind(study, topic):
    """The small study in blind mode; Ben has a pyramid of the first topic."""
    first = topic.references[0].id
    commit(
        study, topic, "Ben", lambda a: pyramid.add_scu(a, "Ben's unit", first, [(0, 9)], "ben-1"), "new SCU"
    )
    make_blind(study, enabled=True).result()
    return study


def turn_off(study, context, qtbot) -> None:
    make_blind(study, enabled=False).result()
    qtbot.waitUntil(lambda: not blind_mode_of(context).is_on)


@pytest.mark.parametrize("module", [match, ratings])
def test_system_names_cannot_be_shown(module, blind, context, shown, qtbot):
    view, presenter = module.build(context)
    shown(view)
    panel = view.left.panel if module is match else view.summary_panel
    qtbot.waitUntil(lambda: panel.text.word_count > 0)
    assert not panel.names_button.isVisible()
    assert not any(name in panel.fact_label.text() for name in NAMES)
    turn_off(blind, context, qtbot)
    assert panel.names_button.isVisible()
    panel.names_button.click()
    assert any(name in panel.fact_label.text() for name in NAMES)
    make_blind(blind, enabled=True).result()
    qtbot.waitUntil(lambda: not panel.names_button.isVisible())
    assert not any(name in panel.fact_label.text() for name in NAMES)
    del presenter


def test_the_texts_page_numbers_summaries_in_annotation_order(blind, context, shown, qtbot):
    view, presenter = texts.build(context)
    shown(view)
    view.kind.button("summaries").click()
    assert [line.text.name for line in view.text_table.rows.rows()] == ["Summary 1", "Summary 2", "Summary 3"]
    numbered = [line.text.id for line in view.text_table.rows.rows()]
    turn_off(blind, context, qtbot)
    qtbot.waitUntil(lambda: sorted(line.text.name for line in view.text_table.rows.rows()) == sorted(NAMES))
    by_id = {line.text.id: line.text.name for line in view.text_table.rows.rows()}
    assert sorted(by_id) == sorted(numbered)
    del presenter


def test_other_pyramids_are_shown_after_marking_ones_own_done(blind, topic, context, shown, qtbot):
    view, _presenter = match.build(context)
    shown(view)
    qtbot.waitUntil(lambda: WITHHELD in visible_text(view))
    assert annotation_session(context).owner_id == context.annotator.id
    assert "Ben" not in visible_text(view)
    with qtbot.waitSignal(context.changes.changed):
        commit(blind, topic, "Ann", lambda a: pyramid.mark_pyramid_done(a, True), "mark pyramid done")
    view.hide()
    view.show()
    qtbot.waitUntil(
        lambda: [scu.id for scu in annotation_session(context).annotation.pyramid.scus] == ["ben-1"]
    )


def test_search_covers_only_texts_and_ones_own_annotations(blind, context, shown, qtbot):
    from gui.dialogs.search.presenter import SearchPresenter
    from gui.dialogs.search.view import SearchDialog

    view = SearchDialog()
    qtbot.addWidget(view)
    presenter = SearchPresenter(view, context)
    presenter.open()
    qtbot.waitUntil(lambda: bool(presenter.passages))
    assert {passage.by for passage in presenter.passages} == {""}
    turn_off(blind, context, qtbot)
    qtbot.waitUntil(lambda: {passage.by for passage in presenter.passages} == {"", "Ben"})
    presenter.close()


def test_the_overview_says_that_the_study_is_blind(study, context, shown, qtbot):
    view, presenter = overview.build(context)
    shown(view)
    qtbot.waitUntil(lambda: "Annotators" in visible_text(view))
    assert "Blind study" not in visible_text(view)
    make_blind(study, enabled=True).result()
    qtbot.waitUntil(lambda: "Blind study" in visible_text(view))
    del presenter
