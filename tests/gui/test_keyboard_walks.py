"""One topic of each kind of annotation, from the open study to done, by the keyboard alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import TopicAnnotation
from core.domain.scale_templates import add_template, find_template
from gui.pages.comparisons.view import PlanDialog
from tests.gui.program import Program

KEY = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def program(qapp, qtbot, tmp_path, small_file):
    (tmp_path / "settings.json").write_text(json.dumps({"annotator": "Ann"}), "utf-8")
    shutil.copy(small_file, tmp_path / "study.pyramidion")
    made = Program(qapp, qtbot, tmp_path)
    made.open(tmp_path / "study.pyramidion")
    yield made
    made.controller.close()


@pytest.fixture
def press(program):
    """Press a key several times where the focus is, and wait until everything is stored."""

    def pressed(key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier, times: int = 1) -> None:
        for _ in range(times):
            program.press(key, modifier)
            program.settle()

    return pressed


@pytest.fixture
def write(program):
    def written(text: str) -> None:
        program.qtbot.keyClicks(QApplication.focusWidget(), text)

    return written


def leave_dialog(program: Program, is_stored: Callable[[], bool]) -> None:
    """Give the keyboard back to the window, as a window manager does, and wait until its page goes on."""
    program.wait(lambda: QApplication.activeModalWidget() is None)
    program.activate()
    program.wait(is_stored)
    program.settle()


def first_topic(program: Program):
    study = program.context.study
    return study.texts.topic(study.texts.topics()[0].id)


def annotation(program: Program, kind: str = "pyramids") -> TopicAnnotation:
    store = getattr(program.context.study, kind)
    return store.annotation(first_topic(program).id, program.context.annotator.id)


def content(program: Program, text_id: str, annotated) -> list[str]:
    topic = first_topic(program)
    text = next(one for one in (*topic.references, *topic.summaries) if one.id == text_id)
    return [text.content[part.start : part.end] for part in annotated.parts]


def test_a_pyramid_is_built_and_matched(program, press, write):
    press(KEY.Key_3, CTRL)
    press(KEY.Key_Home)
    press(KEY.Key_Right, SHIFT, 3)
    press(KEY.Key_N)
    write("a court ruled")
    press(KEY.Key_Return)
    press(KEY.Key_Down, ALT)
    press(KEY.Key_Home)
    press(KEY.Key_Right, SHIFT, 3)
    press(KEY.Key_A)
    press(KEY.Key_D, CTRL)
    pyramid = annotation(program).pyramid
    (scu,) = pyramid.scus
    assert scu.label == "a court ruled"
    spans = [content(program, one.reference_id, one) for one in scu.contributors]
    assert spans == [["The court ruled"], ["A judge lifted"]]
    assert pyramid.is_done
    press(KEY.Key_Tab, CTRL)
    press(KEY.Key_Home)
    press(KEY.Key_Right, SHIFT, 2)
    press(KEY.Key_Space)
    press(KEY.Key_D, CTRL | SHIFT, 3)
    (match,) = annotation(program).matches
    assert match.scu_id == scu.id
    assert len(content(program, match.summary_id, match)[0].split()) == 2
    assert [state.is_done for state in annotation(program).states] == [True] * 3


def test_nuggets_are_marked_and_looked_for(program, press):
    press(KEY.Key_4, CTRL)
    press(KEY.Key_Home)
    press(KEY.Key_Right, CTRL, 6)
    press(KEY.Key_Right, SHIFT, 2)
    press(KEY.Key_N)
    press(KEY.Key_Return)
    press(KEY.Key_G, SHIFT)
    press(KEY.Key_I)
    press(KEY.Key_Y)
    press(KEY.Key_1)
    press(KEY.Key_D, CTRL)
    pyramid = annotation(program, "nuggets").pyramid
    (nugget,) = pyramid.scus
    assert nugget.label == "the ban"
    assert nugget.importance == "vital"
    assert [one.is_confirmed for one in nugget.contributors] == [True, True]
    assert pyramid.is_done
    press(KEY.Key_Tab, CTRL)
    press(KEY.Key_G)
    press(KEY.Key_Y, times=2)  # the first may only go to the summary with a hit to confirm
    press(KEY.Key_D, CTRL | SHIFT, 3)
    found = annotation(program, "nuggets")
    assert found.matches
    assert all(match.is_confirmed for match in found.matches)
    assert [state.is_done for state in found.states] == [True] * 3


def test_a_scale_is_added_and_summaries_are_rated(program, press, write):
    press(KEY.Key_5, CTRL)
    write("quality")
    press(KEY.Key_Return)
    assert QApplication.focusWidget() in program.page.scales
    for key in (KEY.Key_4, KEY.Key_2, KEY.Key_5):
        press(key)
        press(KEY.Key_U)
    ratings = program.context.study.ratings.of_topic(first_topic(program).id)
    assert sorted(rating.value for rating in ratings) == [2, 4, 5]
    assert program.context.selection.topic_id != first_topic(program).id, "U went on to the next topic"


def test_shift_tab_goes_back_the_way_that_digits_went(program, press):
    for name in ("coherence", "fluency"):
        program.context.study.ratings.add_dimension(name)
    press(KEY.Key_5, CTRL)
    page = program.page
    last = page.scales[-1]
    press(KEY.Key_4)
    press(KEY.Key_2)
    assert page.next_button.hasFocus()
    press(KEY.Key_Backtab, SHIFT)
    assert last.hasFocus()
    page.next_button.setFocus()
    press(KEY.Key_Backtab, SHIFT)
    assert not last.hasFocus(), "only right after the digit"


def test_a_key_with_alt_leaves_the_focus_where_it_is_also_if_alt_is_reported_late(program, press) -> None:
    program.context.study.ratings.add_dimension("coherence")
    press(KEY.Key_5, CTRL)
    scale = QApplication.focusWidget()
    QTest.keyPress(scale, KEY.Key_Alt, ALT)
    press(KEY.Key_Right, ALT)
    for kind in (
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
    ):  # as Qt does after a screen reader's answer
        QApplication.sendEvent(scale, QKeyEvent(kind, KEY.Key_Alt, ALT))
    QTest.keyRelease(scale, KEY.Key_Alt)
    assert QApplication.focusWidget() is scale
    press(KEY.Key_4)
    ratings = program.context.study.ratings.of_topic(first_topic(program).id)
    assert [rating.value for rating in ratings] == [4]
    focused = QApplication.focusWidget()
    QTest.keyPress(focused, KEY.Key_Alt, ALT)
    QTest.keyRelease(focused, KEY.Key_Alt)
    assert QApplication.focusWidget() is program.window.top.menus, "Alt alone"


def test_errors_are_marked_in_summaries(program, press):
    study = program.context.study
    study.ratings.edit_dimensions((), add_template((), find_template("frank")), None).result()
    program.settle()
    press(KEY.Key_5, CTRL)
    press(KEY.Key_F6, SHIFT)  # from the scales to the summary
    press(KEY.Key_Home)
    press(KEY.Key_Right, SHIFT, 2)
    press(KEY.Key_2)
    press(KEY.Key_U)
    press(KEY.Key_0)
    press(KEY.Key_U)
    press(KEY.Key_0)
    ratings = study.ratings.of_topic(first_topic(program).id)
    assert sorted(rating.value for rating in ratings) == [0, 1, 1]
    assert sum(len(rating.spans) for rating in ratings) == 1


def test_comparisons_are_planned_and_answered(program, press):
    study = program.context.study
    press(KEY.Key_5, CTRL)
    press(KEY.Key_Tab, CTRL)
    press(KEY.Key_E)
    assert isinstance(QApplication.activeWindow(), PlanDialog)
    press(KEY.Key_Return)
    leave_dialog(program, lambda: bool(study.comparisons.plans()))
    (plan,) = study.comparisons.plans()
    count = len(study.comparisons.items(plan.id))
    for number in range(count):
        press((KEY.Key_1, KEY.Key_2, KEY.Key_0)[number % 3])
    answers = study.comparisons.preferences(plan.id)
    assert len(answers) == count > 3
    assert sum(answer.is_tie for answer in answers) == count // 3


def test_differences_are_decided(program, press):
    study, topic = program.context.study, first_topic(program)
    scale = study.ratings.add_dimension("quality")
    for name, values in (("Ann", (3, 2, 2)), ("Ben", (3, 4, 4))):
        annotator = study.annotators.get_or_create(name).id
        for summary, value in zip(topic.summaries, values, strict=True):
            study.ratings.rate(summary.id, scale.id, annotator, value).result()
    program.settle()
    press(KEY.Key_6, CTRL)
    press(KEY.Key_Tab, CTRL)
    press(KEY.Key_Tab, CTRL)  # from Progress past Agreement to Differences
    press(KEY.Key_Return, CTRL)
    press(KEY.Key_1)
    press(KEY.Key_B)
    (result,) = (one.id for one in study.annotators.all() if one.name == "adjudicated")
    values = [r.value for r in study.ratings.of_topic(topic.id) if r.annotator_id == result]
    assert sorted(values) == [2, 3, 3]
