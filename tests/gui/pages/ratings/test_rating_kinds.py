"""Categories, free text, notes and flags on the Ratings page, by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain.ratings import Dimension, ScaleKind, category_scale, span_scale, text_scale
from gui.pages.ratings import presenter as ratings
from gui.widgets.label import ElidedLabel
from gui.widgets.reading_order import ReadingOrder

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(context, shown, qtbot):
    """The page of a study with coherence (optional), error (categories) and remark (free text)."""
    scales = [
        Dimension("c" * 32, "coherence", is_required=False),
        category_scale("e" * 32, "error", ["none", "wrong entity", "wrong date"]),
        text_scale("r" * 32, "remark"),
    ]
    context.study.ratings.edit_dimensions([], scales, context.annotator.id).result()
    view, presenter = ratings.build(context)
    for _, action in context.commands:
        view.addAction(action)
    context.commands.set_page(ratings.KEY)
    shown(view)
    view.activateWindow()
    qtbot.waitUntil(lambda: view.progress.grid.rows != ())
    view.presenter = presenter
    return view


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def stored(context):
    """Return (value, note, flag) of the current summary by scale."""
    context.study.flush()
    names = {scale.id: scale.name for scale in context.study.ratings.dimensions()}
    return {
        names[r.dimension_id]: (r.value, r.note, r.is_flagged)
        for r in context.study.ratings.of_topic(context.selection.topic_id)
        if r.summary_id == context.selection.summary_id
    }


def test_a_summary_is_rated_by_keyboard_alone(page, context, qtbot):
    page.focus_first_unrated()
    assert QApplication.focusWidget() is page.scales[1], "the first required scale"
    press(qtbot, Qt.Key.Key_2)
    assert QApplication.focusWidget() is page.next_button, "the remark is optional"
    page.scales[1].setFocus()
    press(qtbot, Qt.Key.Key_Down)
    page.went_on = ReadingOrder.went_on  # as a window in which Tab is pressed
    while not page.scales[2].isAncestorOf(QApplication.focusWidget()):
        ReadingOrder.focusNextPrevChild(page, True)
    qtbot.keyClicks(QApplication.focusWidget(), "A date is wrong: 3 May")
    press(qtbot, Qt.Key.Key_Return, CTRL)
    assert stored(context) == {"error": (3.0, "", False), "remark": (1.0, "A date is wrong: 3 May", False)}
    assert page.progress_panel.fact_label.text() == "1 of 6 rated", "coherence is optional"
    assert [scale.value_label.text() for scale in page.scales] == ["not rated", "", ""]


def test_a_note_is_written_and_a_rating_flagged_by_keyboard(page, context, qtbot):
    scale = page.scales[0]
    scale.setFocus()
    assert not scale.note.isVisible()
    press(qtbot, Qt.Key.Key_F)
    press(qtbot, Qt.Key.Key_C)
    qtbot.keyClicks(QApplication.focusWidget(), "see 4")
    press(qtbot, Qt.Key.Key_Return, CTRL)
    assert stored(context) == {"coherence": (None, "see 4", True)}
    assert QApplication.focusWidget() is scale
    assert scale.note.isVisible()
    assert "flagged" in scale.accessibleName()
    press(qtbot, Qt.Key.Key_F)
    assert stored(context) == {"coherence": (None, "see 4", False)}


def test_shift_f_goes_to_the_next_flagged_rating(page, context, qtbot, requests):
    page.scales[0].setFocus()
    press(qtbot, Qt.Key.Key_F, SHIFT)
    assert requests.sentences == ["No rating is flagged."]
    press(qtbot, Qt.Key.Key_F)
    flagged = context.selection.summary_id
    page.presenter.step_summary(+1)
    assert context.selection.summary_id != flagged
    press(qtbot, Qt.Key.Key_F, SHIFT)
    assert context.selection.summary_id == flagged
    assert any(cell.is_flagged for row in page.progress.grid.rows for cell in row.cells)


def test_an_answer_is_stored_with_its_own_summary_when_the_next_one_is_opened(page, context, qtbot):
    first = context.selection.summary_id
    page.scales[2].setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "typed")
    page.presenter.step_summary(+1)
    assert stored(context) == {}
    assert page.scales[2].note.text() == ""
    context.selection.select(summary_id=first)
    assert stored(context) == {"remark": (1.0, "typed", False)}
    assert page.scales[2].note.text() == "typed"


def test_delete_clears_a_category_and_keeps_its_note(page, context, qtbot):
    scale = page.scales[1]
    scale.buttons[2].click()
    page.presenter.write_note(context.selection.summary_id, "e" * 32, "the mayor")
    scale.setFocus()
    press(qtbot, Qt.Key.Key_Delete)
    assert stored(context) == {"error": (None, "the mayor", False)}


def test_a_click_on_the_name_of_a_category_chooses_it(page, context, qtbot):
    label = next(
        label
        for label in page.scales[1].findChildren(type(page.scales[1].name_label))
        if label.text() == "wrong date"
    )
    qtbot.mouseClick(label, Qt.MouseButton.LeftButton)
    assert stored(context) == {"error": (3.0, "", False)}


def test_categories_are_made_in_the_dialog(page, context, qtbot):
    qtbot.mouseClick(page.edit_button, Qt.MouseButton.LeftButton)
    dialog = page.presenter.scale_editing.dialog
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    form = dialog.form
    qtbot.keyClicks(form.name_field, "tone")
    form.kind_box.setFocus()
    qtbot.keyClick(form.kind_box, Qt.Key.Key_Down)
    form.kind_box.activated.emit(form.kind_box.currentIndex())
    assert not form.low_box.isVisible()
    assert not dialog.accept_button.isEnabled()
    assert "at least two categories" in dialog.notice.sentences[0]
    for category in ("neutral", "mocking"):
        qtbot.keyClicks(form.categories_field, category)
        qtbot.keyClick(form.categories_field, Qt.Key.Key_Return)
    form.required_box.click()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(page.scales) == 4)
    made = context.study.ratings.dimensions()[-1]
    assert (made.kind, made.is_required) == (ScaleKind.CATEGORIES, False)
    assert made.anchors == ((1.0, "neutral"), (2.0, "mocking"))
    assert page.scales[3].name_label.text() == "Tone (optional)"


def test_a_scale_with_ratings_keeps_its_kind(page, context, qtbot):
    page.scales[1].buttons[3].click()
    context.study.flush()
    qtbot.mouseClick(page.edit_button, Qt.MouseButton.LeftButton)
    dialog = page.presenter.scale_editing.dialog
    dialog.list.setCurrentIndex(dialog.model.index(1, 0))
    assert not dialog.form.kind_box.isEnabled()
    dialog.form.categories_field.setPlainText("none\nother")
    assert "neither moved nor removed" in dialog.notice.sentences[0]
    assert not dialog.accept_button.isEnabled()


class TestMarkedSpans:
    @pytest.fixture
    def page(self, context, shown, qtbot):
        scales = [span_scale("e" * 32, "errors", ["entity", "date"]), Dimension("c" * 32, "coherence")]
        context.study.ratings.edit_dimensions([], scales, context.annotator.id).result()
        view, presenter = ratings.build(context)
        for _, action in context.commands:
            view.addAction(action)
        context.commands.set_page(ratings.KEY)
        shown(view)
        view.activateWindow()
        qtbot.waitUntil(lambda: view.progress.grid.rows != ())
        view.presenter = presenter
        return view

    def spans(self, context):
        context.study.flush()
        return {
            r.spans: r.value
            for r in context.study.ratings.of_topic(context.selection.topic_id)
            if r.summary_id == context.selection.summary_id and r.dimension_id == "e" * 32
        }

    def select_word(self, page, qtbot, text=None):
        text = text or page.summary_panel.text
        text.setFocus()
        qtbot.keyClick(text, Qt.Key.Key_Home, CTRL)
        qtbot.keyClick(text, Qt.Key.Key_Right, SHIFT)

    def test_selected_words_are_marked_by_a_digit_and_unmarked_by_delete(self, page, context, qtbot):
        text = page.summary_panel.text
        self.select_word(page, qtbot)
        (word,) = text.selected_spans()
        press(qtbot, Qt.Key.Key_2)
        ((marked, value),) = self.spans(context).items()
        assert marked == ((*word, 2),)
        assert value < 1
        assert page.scales[0].value_label.text() == "1 mark"
        assert page.progress_panel.fact_label.text() == "0 of 6 rated", "coherence is missing"
        text.setFocus()
        qtbot.keyClick(text, Qt.Key.Key_Home, CTRL)
        press(qtbot, Qt.Key.Key_Delete)
        assert self.spans(context) == {(): 1.0}
        assert page.scales[0].value_label.text() == "no marks"

    def test_zero_means_that_there_is_nothing_to_mark(self, page, context, qtbot, requests):
        page.scales[0].setFocus()
        press(qtbot, Qt.Key.Key_1)
        assert requests.sentences == ["Select words of the summary first."]
        press(qtbot, Qt.Key.Key_0)
        assert self.spans(context) == {(): 1.0}
        assert not page.scales[0].none_button.isVisible()
        page.scales[0].setFocus()
        press(qtbot, Qt.Key.Key_Delete)
        assert self.spans(context) == {}
        assert page.scales[0].none_button.isVisible()

    def test_marks_are_kept_when_a_note_is_written_and_listed_with_their_words(self, page, context, qtbot):
        self.select_word(page, qtbot)
        page.scales[0].buttons[1].click()
        page.presenter.write_note(context.selection.summary_id, "e" * 32, "sure")
        (marked,) = self.spans(context)
        start, end, _ = marked[0]
        word = page.summary_panel.text.toPlainText()[start:end]
        labels = [label.text() for label in page.scales[0].marks.findChildren(ElidedLabel)]
        assert f"1  {word}" in labels
        context.history.undo()
        context.history.undo()
        qtbot.waitUntil(lambda: page.scales[0].value_label.text() == "not rated")

    def test_words_are_marked_in_a_column_too(self, page, context, qtbot):
        qtbot.keyClick(page, Qt.Key.Key_V)
        column = page.columns.columns[2]
        self.select_word(page, qtbot, column.text)
        qtbot.keyClick(column.text, Qt.Key.Key_1)
        (marked,) = self.spans(context)
        assert column.row.summary.text.id == context.selection.summary_id
        assert len(marked) == 1
        assert column.ratings_label.text() == "errors: 1"

    def test_f_and_c_act_on_the_marked_scale_while_the_summary_has_the_focus(self, page, context, qtbot):
        self.select_word(page, qtbot)
        press(qtbot, Qt.Key.Key_2)
        assert page.summary_panel.text.hasFocus()
        press(qtbot, Qt.Key.Key_F)
        assert "flagged" in page.scales[0].accessibleName()
        press(qtbot, Qt.Key.Key_C)
        assert QApplication.focusWidget() is page.scales[0].note
