"""Control and training topics: the tab Training, and the feedback that annotators see."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.annotation.assignment import set_role
from core.annotation.blind_mode import is_blind, make_blind
from core.annotation.control_topics import KnownUse, known_annotators, set_known_annotators
from core.domain.assignment import Role
from core.domain.pyramid import UnitKind, add_match, add_scu, set_summary_state
from core.domain.ratings import category_scale
from gui.pages.hits import presenter as hits
from gui.pages.match import presenter as match
from gui.pages.ratings import presenter as ratings
from gui.pages.training import presenter as training


@pytest.fixture
def eva(context):
    return context.study.annotators.get_or_create("Eva", "").id


@pytest.fixture
def opened(context, eva, shown, qtbot):
    view, _ = training.build(context)
    shown(view)
    qtbot.waitUntil(lambda: bool(view.topics.rows()))
    return view


def train(study, **known: str) -> None:
    set_known_annotators(study, KnownUse.TRAINING, known, None).result()


def listed(view) -> list[tuple[str, str, str]]:
    return list(view.topics.rows())


def test_topics_are_chosen_by_keyboard_each_time_as_one_edit_that_can_be_undone(opened, context, qtbot):
    opened.focus_default()
    qtbot.keyClick(opened.topic_table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    opened.known_box.setFocus()
    qtbot.keyClicks(opened.known_box, "Eva")
    opened.use_buttons["Control"].setFocus()
    qtbot.keyClick(opened.use_buttons["Control"], Qt.Key.Key_Space)
    assert listed(opened) == [("D1", "Control", "Eva"), ("D2", "Control", "Eva")], "at once"
    opened.topic_table.selectRow(1)
    qtbot.mouseClick(opened.use_buttons["Training"], Qt.MouseButton.LeftButton)
    context.study.flush()
    assert known_annotators(context.study, KnownUse.CONTROL) == {"D1": "Eva"}
    assert known_annotators(context.study, KnownUse.TRAINING) == {"D2": "Eva"}
    assert opened.selected == ("D2",)
    qtbot.waitUntil(lambda: not context.writes.is_saving)
    context.history.undo()
    qtbot.waitUntil(lambda: listed(opened) == [("D1", "Control", "Eva"), ("D2", "Control", "Eva")])
    assert not known_annotators(context.study, KnownUse.TRAINING)


def test_accuracy_is_shown_with_its_interval(opened, context, eva, qtbot):
    study = context.study
    scale = study.ratings.add_dimension("quality")
    topic = study.texts.topic(study.texts.topics()[0].id)
    for summary, own in zip(topic.summaries, (3, 4, 1), strict=True):
        study.ratings.rate(summary.id, scale.id, eva, 3).result()
        study.ratings.rate(summary.id, scale.id, context.annotator.id, own).result()
    assert opened.no_accuracy.sentence_label.text() == training.NO_TOPICS
    set_known_annotators(study, KnownUse.CONTROL, {"D1": "Eva"}, None).result()
    model = opened.accuracy_table.model()
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    cells = [model.index(0, column).data() for column in range(model.columnCount())]
    assert cells == ["Ann", "Control", "2 of 3 (67%)", "–", "21% to 94%"]


def test_a_change_keeps_what_others_have_chosen_meanwhile(opened, context):
    set_known_annotators(context.study, KnownUse.TRAINING, {"D2": "Eva"}, None).result()
    assert opened.selected == ("D1",)
    opened.known_box.setCurrentText("Eva")
    opened.use_buttons["Control"].click()
    context.study.flush()
    assert known_annotators(context.study, KnownUse.CONTROL) == {"D1": "Eva"}
    assert known_annotators(context.study, KnownUse.TRAINING) == {"D2": "Eva"}


def test_only_managers_see_it(opened, context, qtbot):
    set_role(context.study, "Eva", Role.MANAGER, None).result()
    qtbot.waitUntil(opened.empty.isVisible)
    assert "Ask Eva" in opened.empty.sentence_label.text()
    assert not opened.topic_table.isVisible()
    assert not opened.blind_box.isVisible()


def test_blind_mode_is_turned_on_as_an_edit_and_follows_others(opened, context, qtbot):
    assert "Annotation pages hide the names of systems" in opened.blind_box.accessibleDescription()
    opened.blind_box.click()
    qtbot.waitUntil(lambda: is_blind(context.study) and not context.writes.is_saving)
    context.history.undo()
    qtbot.waitUntil(lambda: not opened.blind_box.isChecked() and not is_blind(context.study))
    make_blind(context.study, enabled=True).result()
    qtbot.waitUntil(opened.blind_box.isChecked)


@pytest.fixture
def page(context, qtbot, request):
    view, presenter = request.param.build(context)
    for _, action in context.commands:
        view.addAction(action)
    context.commands.set_page(request.param.KEY)
    qtbot.addWidget(view)
    view.resize(1440, 900)
    view.presenter = presenter
    return view


@pytest.mark.parametrize("page", [ratings], indirect=True)
def test_the_known_rating_is_shown_after_the_own_one_on_training_topics_only(page, context, eva, qtbot):
    study = context.study
    scale = study.ratings.add_dimension("quality")
    tone = category_scale("t" * 32, "tone", ["kind", "rude"])
    study.ratings.edit_dimensions([scale], [scale, tone], None).result()
    for head in study.texts.topics():
        for text in study.texts.topic(head.id).summaries:
            study.ratings.rate(text.id, scale.id, eva, 3).result()
            study.ratings.rate(text.id, tone.id, eva, 2).result()
    train(study, D1="Eva")
    page.show()
    qtbot.waitUntil(lambda: len(page.scales) == 2)
    quality, kindness = page.scales
    assert not quality.feedback_label.isVisible()
    qtbot.keyClick(quality, Qt.Key.Key_5)
    assert quality.feedback_label.text() == "Known: 3. Yours is 2 higher."
    assert "Yours is 2 higher" in quality.accessibleName()
    qtbot.keyClick(quality, Qt.Key.Key_3)
    assert quality.feedback_label.text() == "As in the known annotation: 3."
    assert not kindness.feedback_label.isVisible()
    qtbot.keyClick(kindness, Qt.Key.Key_1)
    assert kindness.feedback_label.text() == "Known: rude."
    context.selection.select(topic_id=study.texts.topics()[1].id)
    qtbot.keyClick(page.scales[0], Qt.Key.Key_5)
    assert not page.scales[0].feedback_label.isVisible()


@pytest.mark.parametrize(
    ("page", "kind", "what"),
    [(match, UnitKind.SCU, "SCUs"), (hits, UnitKind.NUGGET, "nuggets")],
    indirect=["page"],
)
def test_differences_are_shown_when_a_summary_is_done(page, context, eva, qtbot, kind, what):
    study = context.study
    store = study.nuggets if kind is UnitKind.NUGGET else study.pyramids
    topic = study.texts.topic(study.texts.topics()[0].id)
    before = store.annotation(topic.id, eva)
    after = before
    for place, label in enumerate(("court", "ban", "bridge")):
        after = add_scu(after, label, topic.references[0].id, [(place * 4, place * 4 + 3)], f"{place}" * 32)
    for text in topic.summaries:
        after = add_match(after, text.id, eva, "0" * 32, [(0, 9)])
        after = add_match(after, text.id, context.annotator.id, "1" * 32, [(0, 3)])
        after = set_summary_state(after, text.id, eva, is_done=True)
    store.commit(before, after, "known", eva).result()
    train(study, D1="Eva")
    page.show()
    if kind is UnitKind.NUGGET:
        qtbot.waitUntil(lambda: bool(page.matrix.hits.rows()))
    else:
        qtbot.waitUntil(lambda: bool(page.scus.tree.scus.tiers))
    summary = context.selection.summary_id
    done = "hit.done_next" if kind is UnitKind.NUGGET else "match.done_next"
    assert not page.feedback.isVisible()
    context.commands.action(done).trigger()
    qtbot.waitUntil(page.feedback.isVisible)
    content = next(text.content for text in topic.summaries if text.id == summary)
    assert page.feedback.text_label.text().splitlines() == [
        f"1 of 3 {what} as in the known annotation.",
        f"Missed: court – “{content[:9]}”",
        "Not in the known annotation: ban",
    ]
    assert context.selection.summary_id == summary, "the feedback is read first"
    context.commands.action(done).trigger()
    qtbot.waitUntil(lambda: context.selection.summary_id != summary)
    assert not page.feedback.isVisible()
