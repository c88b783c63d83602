"""The Ratings page with real widgets and a real study, mostly by keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QApplication, QDoubleSpinBox

from core.domain.ratings import Dimension
from gui.pages.ratings import presenter as ratings
from gui.pages.ratings.rating_scale import RatingScale
from gui.pages.ratings.values import NO_RATING, ScaleRow
from gui.widgets.reading_order import reading_order

CTRL = Qt.KeyboardModifier.ControlModifier


class Page:
    """The page under test, with keyboard input."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.study = context, qtbot, context.study
        self.view, self.presenter = ratings.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.set_page(ratings.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)

    def stored(self) -> dict[str, float]:
        """Return the stored ratings of the current summary by dimension."""
        self.study.flush()
        names = {dimension.id: dimension.name for dimension in self.study.ratings.dimensions()}
        given = self.study.ratings.of_topic(self.context.selection.topic_id)
        return {
            names[r.dimension_id]: r.value for r in given if r.summary_id == self.context.selection.summary_id
        }

    def shown(self) -> dict[str, str]:
        return {scale.row.name: scale.value_label.text() for scale in self.view.scales}


@pytest.fixture
def page(context, shown, qtbot):
    for name in ("coherence", "fluency"):
        context.study.ratings.add_dimension(name)
    page = Page(context, qtbot)
    shown(page.view)
    page.view.activateWindow()
    qtbot.waitUntil(lambda: page.view.progress.grid.rows != ())
    page.view.scales[0].setFocus()
    return page


def test_a_digit_for_each_scale_and_one_key_rate_a_summary_and_go_to_the_next(page):
    first = page.context.selection.summary_id
    for key in (Qt.Key.Key_4, Qt.Key.Key_2):
        page.press(key)
    assert page.stored() == {"coherence": 4.0, "fluency": 2.0}
    assert page.shown() == {"coherence": "4 of 5", "fluency": "2 of 5"}
    page.press(Qt.Key.Key_5)
    assert page.stored() == {"coherence": 4.0, "fluency": 2.0}, "one digit too many rates nothing"
    page.press(Qt.Key.Key_Space)
    assert page.context.selection.summary_id != first
    assert page.view.focused_scale() is page.view.scales[0]
    assert read(page.view.scales[0]).text(QAccessible.Text.Description) == "Summary 2 of 3"
    page.press(Qt.Key.Key_3)
    assert page.stored() == {"coherence": 3.0}


def test_the_last_digit_goes_to_a_scale_that_was_skipped(page):
    page.view.scales[1].setFocus()
    page.press(Qt.Key.Key_2)
    page.press(Qt.Key.Key_3)
    assert page.stored() == {"coherence": 3.0, "fluency": 2.0}


def test_after_the_last_digit_its_scale_can_be_flagged_and_cleared(page):
    for key in (Qt.Key.Key_4, Qt.Key.Key_2, Qt.Key.Key_F):
        page.press(key)
    assert page.view.scales[1].rating.is_flagged
    page.press(Qt.Key.Key_Delete)
    page.press(Qt.Key.Key_3)
    assert page.stored() == {"coherence": 4.0, "fluency": 3.0}


def test_undo_goes_back_to_the_scale_and_the_summary(page, qtbot):
    first = page.context.selection.summary_id
    for key in (Qt.Key.Key_4, Qt.Key.Key_2, Qt.Key.Key_Space):
        page.press(key)
    qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.context.selection.summary_id == first)
    qtbot.waitUntil(lambda: page.shown() == {"coherence": "4 of 5", "fluency": "not rated"})
    assert page.view.focused_scale() is page.view.scales[1]


def test_summaries_left_unfinished_are_marked(page, requests):
    page.press(Qt.Key.Key_4)
    fact = page.view.progress_panel.fact_label
    assert fact.text() == "0 of 6 rated", "the one that is being rated is not left behind"
    page.press(Qt.Key.Key_U)
    assert requests.sentences == ["Summary 1 is unfinished: 1 of 2 rated."]
    assert fact.text() == "0 of 6 rated · 1 unfinished"
    grid = page.view.progress.grid
    assert not grid.isVisible()
    page.qtbot.mouseClick(page.view.details_button, Qt.MouseButton.LeftButton)
    assert grid.isVisible()
    assert page.view.focused_scale() is page.view.scales[0], "the next digit rates"
    tip = grid.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == f"{grid.rows[0].name}, summary 1: unfinished"
    again = page.context.jobs.start("Counting", ratings.rating_progress(page.study, page.context.annotator))
    with page.qtbot.waitSignal(again.finished) as counted:
        pass
    assert [cell.is_begun for cell in counted.args[0][0].cells] == [True, False, False]


def test_a_digit_outside_the_scale_is_ignored(page):
    page.press(Qt.Key.Key_9)
    assert page.stored() == {}


def test_arrow_keys_change_a_rating_and_delete_clears_it(page):
    page.press(Qt.Key.Key_3)
    page.view.scales[0].setFocus()
    page.press(Qt.Key.Key_Right)
    assert page.stored() == {"coherence": 4.0}
    page.press(Qt.Key.Key_Delete)
    assert page.stored() == {}
    assert page.shown()["coherence"] == "not rated"


def test_clicking_the_checked_button_clears_the_rating(page):
    button = page.view.scales[0].buttons[3]
    button.click()
    assert page.stored() == {"coherence": 3.0}
    button.click()
    assert page.stored() == {}


def test_undo_clears_the_rating_on_screen(page, qtbot):
    page.press(Qt.Key.Key_5)
    qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.shown()["coherence"] == "not rated")
    assert page.stored() == {}


def test_u_selects_the_next_unrated_summary_until_all_are_rated(page, requests):
    visited = set()
    for _ in range(6):
        visited.add(page.context.selection.summary_id)
        for scale in page.view.scales:
            scale.setFocus()
            page.press(Qt.Key.Key_3)
        page.press(Qt.Key.Key_U)
    assert len(visited) == 6
    assert requests.sentences == ["All summaries are rated."]
    assert page.view.progress_panel.fact_label.text() == "6 of 6 rated"


def test_the_first_scale_can_be_added_by_name_and_undone(context, shown, qtbot):
    page = Page(context, qtbot)
    shown(page.view)
    qtbot.keyClicks(page.view.name_field, "relevance")
    qtbot.keyClick(page.view.name_field, Qt.Key.Key_Return)
    assert page.shown() == {"relevance": "not rated"}
    assert not page.view.name_field.isVisible()
    assert not page.view.published.isVisible()
    context.history.undo()
    qtbot.waitUntil(lambda: page.shown() == {})
    assert page.view.name_field.isVisible()
    assert page.study.ratings.dimensions() == []


def test_published_scales_are_added_by_a_button_and_rated_at_once(context, shown, qtbot):
    page = Page(context, qtbot)
    shown(page.view)
    button = next(one for one in page.view.published.buttons if one.text() == "SummEval")
    assert button.accessibleName().endswith(
        "coherence, consistency, fluency, relevance: 1 to 5. Fabbri et al. 2021."
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: list(page.shown()) == ["coherence", "consistency", "fluency", "relevance"])
    page.press(Qt.Key.Key_4)
    assert page.stored() == {"coherence": 4.0}


def test_after_saving_the_scales_the_first_digit_rates(page, qtbot):
    page.view.summary_panel.text.setFocus()
    page.press(Qt.Key.Key_E)
    dialog = page.presenter.scale_editing.dialog
    dialog.add_button.setFocus()
    qtbot.keyClick(dialog.add_button, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.form.name_field, "relevance")
    qtbot.keyClick(dialog.form.name_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(page.view.scales) == 3)
    qtbot.keyClick(page.view.focusWidget(), Qt.Key.Key_4)
    assert page.stored() == {"coherence": 4.0}


def edit_scales(page, qtbot):
    """Open the dialog by its button and return it."""
    qtbot.mouseClick(page.view.edit_button, Qt.MouseButton.LeftButton)
    return page.presenter.scale_editing.dialog


class TestEditor:
    def test_scales_are_added_described_and_reordered_in_one_edit(self, page, qtbot):
        dialog = edit_scales(page, qtbot)
        assert not dialog.accept_button.isEnabled(), "nothing has changed yet"
        qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
        form = dialog.form
        qtbot.keyClicks(form.name_field, "relevance")
        qtbot.keyClicks(form.question_field, "Is it about the topic?")
        form.high_box.setValue(7)
        qtbot.keyClicks(form.anchors.fields[7.0], "entirely")
        qtbot.keyClicks(form.description_field, "Leave out style.")
        qtbot.mouseClick(dialog.up_button, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: list(page.shown()) == ["coherence", "relevance", "fluency"])
        scale = page.study.ratings.dimensions()[1]
        assert (scale.low, scale.high, scale.anchors) == (1, 7, ((7.0, "entirely"),))
        assert (scale.question, scale.description) == ("Is it about the topic?", "Leave out style.")
        assert "7 entirely" in page.view.scales[1].anchors_label.text()
        qtbot.waitUntil(lambda: not page.context.writes.is_saving)
        page.context.history.undo()
        qtbot.waitUntil(lambda: list(page.shown()) == ["coherence", "fluency"])

    def test_scales_of_a_template_are_added_once_and_undone_together(self, page, qtbot):
        dialog = edit_scales(page, qtbot)
        buttons = {button.text(): button for button in dialog.published.buttons}
        for name in ("SummEval", "DialSummEval"):
            dialog.template_button.click()
            qtbot.mouseClick(buttons[name], Qt.MouseButton.LeftButton)
            assert dialog.form.isVisible()
        assert dialog.form.name_field.text() == "consistency", "the first new scale is selected"
        qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: list(page.shown()) == ["coherence", "fluency", "consistency", "relevance"])
        qtbot.waitUntil(lambda: not page.context.writes.is_saving)
        page.context.history.undo()
        qtbot.waitUntil(lambda: list(page.shown()) == ["coherence", "fluency"])

    def test_removing_a_scale_warns_of_its_ratings_and_can_be_undone(self, page, qtbot):
        page.press(Qt.Key.Key_4)
        page.study.flush()
        dialog = edit_scales(page, qtbot)
        qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
        assert dialog.notice.sentences[0] == "Saving removes coherence with 1 rating. Undo restores them."
        qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: list(page.shown()) == ["fluency"])
        qtbot.waitUntil(lambda: not page.context.writes.is_saving)
        page.context.history.undo()
        qtbot.waitUntil(lambda: page.shown() == {"coherence": "4 of 5", "fluency": "not rated"})

    def test_a_range_that_excludes_existing_ratings_cannot_be_saved(self, page, qtbot):
        page.press(Qt.Key.Key_4)
        page.study.flush()
        dialog = edit_scales(page, qtbot)
        dialog.form.high_box.setValue(3)
        assert dialog.notice.text_label.text().startswith(
            "1 rating of coherence (4) would lie outside 1 to 3"
        )
        assert not dialog.accept_button.isEnabled()
        dialog.form.high_box.setValue(9)
        assert dialog.accept_button.isEnabled()
        assert not dialog.notice.isVisible()

    def test_two_scales_with_the_same_name_cannot_be_saved(self, page, qtbot):
        dialog = edit_scales(page, qtbot)
        dialog.form.name_field.selectAll()
        qtbot.keyClicks(dialog.form.name_field, "fluency")
        assert "Two scales are called fluency" in dialog.notice.text_label.text()

    def test_a_scale_changed_by_somebody_else_is_not_overwritten(self, page, qtbot):
        dialog = edit_scales(page, qtbot)
        now = page.study.ratings.dimensions()
        other = page.study.annotators.get_or_create("Ben").id
        page.study.ratings.edit_dimensions(now, [replace(now[0], name="clarity"), now[1]], other).result()
        qtbot.keyClicks(dialog.form.name_field, "!")
        qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(page.view.notice.isVisible)
        assert "Ben changed this scale" in page.view.notice.text_label.text()
        assert page.study.ratings.dimensions()[0].name == "clarity"

    def test_a_large_range_has_anchors_at_its_ends_its_middle_and_added_values(self, page, qtbot):
        dialog = edit_scales(page, qtbot)
        dialog.form.low_box.setValue(0)
        dialog.form.high_box.setValue(100)
        anchors = dialog.form.anchors
        assert list(anchors.fields) == [0, 50, 100]
        anchors.value_box.setValue(75)
        qtbot.mouseClick(anchors.add_button, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(anchors.fields[75.0], "good")
        assert dialog.scales[0].anchors == ((75.0, "good"),)


def test_the_last_button_is_visible_with_a_long_scale_name(page, qtbot):
    scales = page.study.ratings.dimensions()
    long = replace(
        scales[0],
        name=" ".join(["informativeness with respect to everything that the readers asked for"] * 2),
    )
    page.study.ratings.edit_dimensions(scales, [long, scales[1]], page.context.annotator.id).result()
    qtbot.waitUntil(lambda: long.name in page.shown())
    page.view.resize(900, 700)
    for scale in page.view.scales:
        qtbot.waitUntil(lambda scale=scale: scale.width() <= scale.parentWidget().parentWidget().width())
        right = scale.buttons[5].mapTo(scale, scale.buttons[5].rect().topRight()).x()
        assert right < scale.width()
    first = page.view.scales[0]
    assert first.name_label.height() > 2 * first.value_label.height(), "the name wraps"


def test_documents_and_references_can_be_read_next_to_the_summary(page):
    titles = []
    for _ in range(3):
        titles.append(page.view.source_panel.title_label.text())
        page.view.source_panel.place.next_button.click()
    assert titles == ["Document", "Reference", "Reference"]


def test_ratings_of_others_are_neither_shown_nor_counted(page):
    dimension = page.study.ratings.dimensions()[0]
    page.study.ratings.rate(
        page.context.selection.summary_id, dimension.id, page.study.annotators.get_or_create("Ben").id, 1.0
    ).result()
    page.qtbot.wait(120)
    assert page.shown()["coherence"] == "not rated"


def test_a_rating_outside_the_scale_is_refused_with_a_message(page, qtbot):
    page.presenter.rate(page.study.ratings.dimensions()[0].id, 9.0)
    qtbot.waitUntil(page.view.notice.isVisible)
    assert "outside the scale" in page.view.notice.text_label.text()
    assert page.shown()["coherence"] == "not rated"


def test_a_large_range_is_rated_in_a_field(qtbot):
    scale = RatingScale(ScaleRow("d", "adequacy", 0.0, 100.0))
    qtbot.addWidget(scale)
    scale.show()
    field = scale.findChild(QDoubleSpinBox)
    field.lineEdit().selectAll()
    qtbot.keyClicks(field, "72.5")
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert rated.args == ["d", 72.5]


def large_scale(qtbot, value=None):
    scale = RatingScale(ScaleRow("d", "adequacy", 0.0, 100.0, rating=replace(NO_RATING, value=value)))
    qtbot.addWidget(scale)
    scale.show()
    return scale


def test_a_large_range_shows_a_dash_until_it_is_rated(qtbot):
    scale = large_scale(qtbot)
    assert scale.entry.field.text() == "–"
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(scale.entry.field, Qt.Key.Key_Up)
    assert rated.args == ["d", 0.0]
    with qtbot.waitSignal(scale.rated) as rated:
        scale.entry.slider.setValue(40)
    assert rated.args == ["d", 40.0]


def test_emptying_the_field_clears_the_rating(qtbot):
    scale = large_scale(qtbot, 55.0)
    field = scale.entry.field
    assert (field.text(), scale.entry.slider.value()) == ("55", 55)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert rated.args == ["d", None]


def test_letters_typed_in_the_field_remain_shortcuts_of_the_page(qtbot):
    field = large_scale(qtbot).entry.field
    for key, text, is_accepted in ((Qt.Key.Key_U, "u", False), (Qt.Key.Key_7, "7", True)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier, text)
        event.ignore()
        QApplication.sendEvent(field, event)
        assert event.isAccepted() == is_accepted


read = QAccessible.queryAccessibleInterface


def test_screen_readers_get_a_scale_as_a_value_with_radio_buttons(qtbot):
    row = ScaleRow(
        "d",
        "coherence",
        1.0,
        5.0,
        anchors=((1.0, "poor"), (5.0, "excellent")),
        rating=replace(NO_RATING, value=5.0),
    )
    scale = RatingScale(row)
    qtbot.addWidget(scale)
    assert read(scale).role() is QAccessible.Role.Slider
    value = read(scale).valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (0, 5, 5)
    with qtbot.waitSignal(scale.rated) as rated:
        value.setCurrentValue(2)
    assert rated.args == ["d", 2.0]
    assert read(scale).text(QAccessible.Text.Name) == "coherence: 5 of 5, excellent"
    button = read(scale.buttons[5])
    assert button.role() is QAccessible.Role.RadioButton
    assert button.text(QAccessible.Text.Name) == "coherence: 5, excellent"
    scale.show_rating("", "", NO_RATING)
    assert scale.accessibleName() == "coherence: not rated"
    assert value.currentValue() == 0, "one below the lowest: no rating"


def test_the_key_zero_rates_ten_on_a_scale_to_ten(qtbot):
    scale = RatingScale(ScaleRow("d", "adequacy", 1.0, 10.0))
    qtbot.addWidget(scale)
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(scale, Qt.Key.Key_0)
    assert rated.args == ["d", 10.0]


def test_tab_moves_from_the_range_to_its_anchors(page, qtbot):
    dialog = edit_scales(page, qtbot)
    form = dialog.form
    form.high_box.setFocus()
    form.high_box.lineEdit().selectAll()
    qtbot.keyClicks(form.high_box, "7")
    qtbot.waitUntil(lambda: 7.0 in form.anchors.fields and form.anchors.fields[1.0].isVisible())
    qtbot.keyClick(form.high_box, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is form.anchors.fields[1.0]
    qtbot.keyClicks(dialog.focusWidget(), "poor")
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.focusWidget() is form.anchors.fields[2.0]
    assert dialog.scales[0].anchors == ((1.0, "poor"),)


def test_the_focus_stays_on_a_scale_when_another_is_added(page, qtbot):
    page.view.scales[1].setFocus()
    page.presenter.scale_editing.open()
    dialog = page.presenter.scale_editing.dialog
    dialog.add_scale()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(page.view.scales) == 3)
    assert page.view.focusWidget() is page.view.scales[1]


def test_the_next_unrated_scale_is_scrolled_into_view(page, qtbot):
    before = page.study.ratings.dimensions()
    more = [Dimension(f"s{n}", f"scale {n}", description="Think twice. " * 20) for n in range(6)]
    page.study.ratings.edit_dimensions(before, [*more, *before], page.context.annotator.id).result()
    qtbot.waitUntil(lambda: len(page.view.scales) == 8)
    for scale in page.view.scales[:-1]:
        scale.buttons[3].click()
    last = page.view.scales[-1]
    page.view.focus_first_unrated()
    qtbot.waitUntil(lambda: not last.visibleRegion().isEmpty())
    assert page.view.focusWidget() is last


@pytest.mark.parametrize("high", [5.0, 100.0], ids=["buttons", "slider"])
def test_a_scale_is_scrolled_into_view_when_it_gets_the_focus(page, qtbot, high):
    for number in range(8):
        page.study.ratings.add_dimension(f"scale {number}", 1.0, high)
    qtbot.waitUntil(lambda: len(page.view.scales) == 10)
    page.view.resize(1200, 420)
    page.view.scales[0].setFocus()
    viewport = page.view.scales[0].parentWidget().parentWidget()

    def in_order():
        stops = reading_order(page.view)
        order = [one for stop in stops for one in page.view.scales if one is stop or one.isAncestorOf(stop)]
        return list(dict.fromkeys(order))

    qtbot.waitUntil(lambda: in_order() == page.view.scales)
    for scale in page.view.scales:
        scale.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(lambda scale=scale: is_visible_in(scale, viewport))
    for scale in (page.view.scales[0], page.view.scales[-1]):
        scale.setFocus(Qt.FocusReason.BacktabFocusReason)
        qtbot.waitUntil(lambda scale=scale: is_visible_in(scale, viewport))


def is_visible_in(widget, viewport) -> bool:
    """Return whether a widget is fully visible, or as much of it as the viewport can show."""
    top = widget.mapTo(viewport, QPoint(0, 0)).y()
    return top >= 0 and top + min(widget.height(), viewport.height()) <= viewport.height()


class TestSideBySide:
    def test_v_shows_all_summaries_and_the_scales_rate_the_active_one(self, page, qtbot):
        page.press(Qt.Key.Key_V)
        view = page.view
        columns = view.columns.columns
        assert [column.isVisible() for column in columns] == [True, True, True]
        assert not view.summary_panel.text.isVisible()
        view.scales[0].setFocus()
        page.press(Qt.Key.Key_4)
        qtbot.mouseClick(columns[2].text.viewport(), Qt.MouseButton.LeftButton)
        view.scales[1].setFocus()
        page.press(Qt.Key.Key_2)
        assert page.stored() == {"fluency": 2.0}
        assert [column.is_active for column in columns] == [False, False, True]
        shown = [column.ratings_label.text() for column in columns]
        assert shown == ["unfinished, 1 of 2 rated · coherence 4", "no ratings", "fluency 2"]

    def test_the_layout_is_kept_and_the_summary_too(self, page, context, shown, qtbot):
        page.press(Qt.Key.Key_V)
        page.presenter.step_summary(+1)
        selected = context.selection.summary_id
        again = Page(context, qtbot)
        shown(again.view)
        assert again.view.columns.isVisible()
        qtbot.waitUntil(lambda: again.view.columns.columns[1].is_active)
        again.press(Qt.Key.Key_V)
        assert context.selection.summary_id == selected
        assert again.view.summary_panel.text.isVisible()
        assert again.view.summary_panel.title_label.text() == "Summary 2"

    def test_documents_are_hidden_and_shown_by_d(self, page):
        assert page.view.source_panel.isVisible()
        page.press(Qt.Key.Key_V)
        assert not page.view.source_panel.isVisible()
        page.press(Qt.Key.Key_D)
        assert page.view.source_panel.isVisible()
        page.press(Qt.Key.Key_V)
        page.press(Qt.Key.Key_D)
        assert not page.view.source_panel.isVisible()
        assert page.view.summary_panel.text.isVisible()

    def test_names_of_systems_stay_hidden_in_columns_until_they_are_shown(self, page):
        page.press(Qt.Key.Key_V)
        names = {"lead", "good", "bad"}
        assert not names & {column.name_label.text() for column in page.view.columns.columns}
        page.view.summary_panel.names_button.click()
        assert names == {column.name_label.text() for column in page.view.columns.columns}
