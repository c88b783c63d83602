"""The page of ratings by its keys, with its real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QToolButton

from gui.presenters import ratings as page_of_ratings
from gui.values.ratings import ScaleLine
from gui.widgets.rating_scale import RatingScale

CTRL = Qt.KeyboardModifier.ControlModifier


class Page:
    """The page under test, and the keyboard."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot, self.study = context, qtbot, context.study
        self.view, self.presenter = page_of_ratings.build(context)
        for command, action in context.commands:
            if not command.is_local:
                self.view.addAction(action)
        context.commands.on("edit.undo", context.history.undo)
        context.commands.enter(page_of_ratings.KEY)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)

    def stored(self) -> dict[str, float]:
        """The values of the summary in front by dimension."""
        self.study.flush()
        names = {dimension.id: dimension.name for dimension in self.study.dimensions()}
        given = self.study.ratings(self.context.selection.topic_id)
        return {
            names[r.dimension_id]: r.value for r in given if r.summary_id == self.context.selection.summary_id
        }

    def shown(self) -> dict[str, str]:
        return {scale.line.name: scale.value_label.text() for scale in self.view.scales}


@pytest.fixture
def page(context, shown, qtbot):
    for name in ("coherence", "fluency"):
        context.study.add_dimension(name)
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(lambda: made.view.progress.grid.sizeHint().width() > 60)
    made.view.scales[0].setFocus()
    return made


def test_digits_rate_and_tab_goes_to_the_next_scale(page):
    page.press(Qt.Key.Key_4)
    page.press(Qt.Key.Key_Tab)
    page.press(Qt.Key.Key_2)
    assert page.stored() == {"coherence": 4.0, "fluency": 2.0}
    assert page.shown() == {"coherence": "4 of 5", "fluency": "2 of 5"}


def test_a_digit_outside_the_scale_does_nothing(page):
    page.press(Qt.Key.Key_9)
    assert page.stored() == {}


def test_arrows_move_and_delete_takes_back(page):
    page.press(Qt.Key.Key_3)
    page.press(Qt.Key.Key_Right)
    assert page.stored() == {"coherence": 4.0}
    page.press(Qt.Key.Key_Delete)
    assert page.stored() == {}
    assert page.shown()["coherence"] == "not rated"


def test_pressing_the_given_number_takes_it_back(page):
    button = page.view.scales[0].findChildren(QToolButton)[2]
    button.click()
    assert page.stored() == {"coherence": 3.0}
    button.click()
    assert page.stored() == {}


def test_undo_takes_a_rating_back_on_screen(page, qtbot):
    page.press(Qt.Key.Key_5)
    qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.press(Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: page.shown()["coherence"] == "not rated")
    assert page.stored() == {}


def test_u_goes_to_the_next_summary_that_lacks_a_rating_until_all_are_rated(page, told):
    seen = set()
    for _ in range(6):
        seen.add(page.context.selection.summary_id)
        for scale in page.view.scales:
            scale.setFocus()
            page.press(Qt.Key.Key_3)
        page.press(Qt.Key.Key_U)
    assert len(seen) == 6
    assert told.sentences == ["Every summary is rated."]
    assert page.view._progress_panel.fact_label.text() == "6 of 6 rated"


def test_a_scale_can_be_named_here(page, qtbot):
    page.view.name_field.setFocus()
    qtbot.keyClicks(page.view.name_field, "relevance")
    page.press(Qt.Key.Key_Return)
    assert "relevance" in page.shown()
    assert {d.name for d in page.study.dimensions()} == {"coherence", "fluency", "relevance"}


def test_documents_and_references_can_be_read_beside_it(page):
    titles = []
    for _ in range(3):
        titles.append(page.view._source_panel.title_label.text())
        page.view.source_place.next_button.click()
    assert titles == ["Document", "Reference", "Reference"]


def test_ratings_of_others_are_neither_shown_nor_counted(page):
    dimension = page.study.dimensions()[0]
    page.study.rate(
        page.context.selection.summary_id, dimension.id, page.study.annotator("Ben").id, 1.0
    ).result()
    page.qtbot.wait(120)
    assert page.shown()["coherence"] == "not rated"


def test_a_rating_outside_the_words_of_a_scale_is_refused_and_said(page, qtbot):
    page.presenter.rate(page.study.dimensions()[0].id, 9.0)
    qtbot.waitUntil(page.view.notice.isVisible)
    assert "outside the scale" in page.view.notice.text_label.text()
    assert page.shown()["coherence"] == "not rated"


def test_a_wide_scale_is_a_field(qtbot):
    scale = RatingScale(ScaleLine("d", "adequacy", "", 0.0, 100.0))
    qtbot.addWidget(scale)
    scale.show()
    field = scale.findChild(QDoubleSpinBox)
    field.lineEdit().selectAll()
    qtbot.keyClicks(field, "72.5")
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert rated.args == ["d", 72.5]


def test_zero_is_ten_on_a_scale_of_ten(qtbot):
    scale = RatingScale(ScaleLine("d", "adequacy", "", 1.0, 10.0))
    qtbot.addWidget(scale)
    with qtbot.waitSignal(scale.rated) as rated:
        qtbot.keyClick(scale, Qt.Key.Key_0)
    assert rated.args == ["d", 10.0]
