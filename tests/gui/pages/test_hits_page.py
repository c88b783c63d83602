"""The Hits page, operated by its keys, with a real view on a real study."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.pyramid.nugget_edits import Occurrence, add_automatic
from gui.pages.hits import presenter as hits
from gui.pages.hits.view import HitState

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
COURT, BAN = "c" * 32, "b" * 32


class Page:
    """The page on a topic with two nuggets, of which one is found automatically in one summary."""

    def __init__(self, context, shown, qtbot) -> None:
        self.context, self.qtbot = context, qtbot
        self.topic = context.study.texts.topic(context.study.texts.topics()[0].id)
        self.store, self.me = context.study.nuggets, context.annotator.id
        a, b = self.topic.references
        before = self.store.annotation(self.topic.id, self.me)
        after = pyramid.add_scu(before, "The ban", a.id, [self.span(a, "the ban")], BAN)
        after = pyramid.add_contributor(after, BAN, b.id, [self.span(b, "the ban")])
        after = pyramid.add_scu(after, "The court", a.id, [self.span(a, "The court")], COURT)
        self.good = next(text for text in self.topic.summaries if "lifted" in text.content)
        found = [Occurrence(self.good.id, (self.span(self.good, "the ban"),))]
        after = add_automatic(after, BAN, [], found, self.me)
        self.store.commit(before, after, "new nugget", self.me).result()
        context.selection.select(topic_id=self.topic.id, summary_id=self.good.id)
        self.view, self.presenter = hits.build(context)
        for _, action in context.commands:
            if action.shortcutContext() is not Qt.ShortcutContext.WidgetWithChildrenShortcut:
                self.view.addAction(action)
        context.commands.set_page(hits.KEY)
        shown(self.view)
        self.view.activateWindow()
        self.view.matrix.setFocus()

    @staticmethod
    def span(text, words):
        start = text.content.index(words)
        return start, start + len(words)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)

    def select(self, words) -> None:
        text = self.view.panel.text
        text.setFocus()
        text.select_spans([self.span(self.good, words)])

    def choose(self, nugget_id) -> None:
        self.view.matrix.choose(nugget_id, self.good.id)
        self.context.selection.select(scu_id=nugget_id, summary_id=self.good.id)

    def stored(self, nugget_id=BAN):
        self.qtbot.waitUntil(lambda: not self.context.writes.is_saving)
        matches = self.store.annotation(self.topic.id, self.me).matches_of(self.good.id, self.me)
        return [match for match in matches if match.scu_id == nugget_id]

    def state(self, nugget_id=BAN):
        column = [head.summary_id for head in self.view.matrix.hits.heads].index(self.good.id)
        row = next(row for row in self.view.matrix.hits.rows() if row.nugget_id == nugget_id)
        return row.cells[column].state

    def score(self):
        head = next(h for h in self.view.matrix.hits.heads if h.summary_id == self.good.id)
        return head.score


@pytest.fixture
def page(context, shown, qtbot):
    return Page(context, shown, qtbot)


def test_space_confirms_an_automatic_hit_which_counts_only_then(page):
    page.choose(BAN)
    assert (page.state(), page.score()) == (HitState.AUTOMATIC, 0.0)
    page.press(Qt.Key.Key_Space)
    assert [hit.is_confirmed for hit in page.stored()] == [True]
    assert (page.state(), page.score()) == (HitState.CONFIRMED, 1.0)
    page.press(Qt.Key.Key_Space)
    assert page.stored() == []
    assert page.state() is HitState.NONE


def test_selected_words_replace_the_words_of_an_automatic_hit(page):
    page.choose(BAN)
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    (hit,) = page.stored()
    assert [part.span for part in hit.parts] == [page.span(page.good, "lifted the ban")]
    assert hit.is_confirmed
    assert page.view.panel.text.selected_spans() == ()


def test_units_outside_and_repetitions_lower_p_of_all_units_only(page):
    page.choose(BAN)
    page.press(Qt.Key.Key_Y)
    page.select("reopened")
    page.press(Qt.Key.Key_O)
    page.view.matrix.setFocus()
    page.press(Qt.Key.Key_Space, SHIFT)
    counts = page.view.score_label.text()
    assert "1 nugget found" in counts
    assert "1 repeated" in counts
    assert "1 outside" in counts
    assert page.score() == pytest.approx(2 / 3)
    assert "Nugget score" in counts


def test_a_selected_unit_outside_the_nuggets_is_removed(page):
    page.select("reopened")
    page.press(Qt.Key.Key_O)
    (unit,) = page.stored(None)
    page.view.panel.text.unit_clicked.emit(unit.id)
    page.press(Qt.Key.Key_X)
    assert page.stored(None) == []
    assert [hit.is_confirmed for hit in page.stored()] == [False]


def test_partial_support_is_toggled(page):
    page.choose(BAN)
    page.press(Qt.Key.Key_H)
    assert page.state() is HitState.PARTIAL
    page.press(Qt.Key.Key_H)
    assert page.state() is HitState.CONFIRMED


def test_a_summary_is_marked_done_and_the_next_one_follows(page, requests):
    page.choose(BAN)
    before = page.view.panel.place
    page.press(Qt.Key.Key_D, CTRL)
    assert "1 hit to confirm" in requests.sentences[-1]
    page.stored()
    assert page.store.annotation(page.topic.id, page.me).state_of(page.good.id, page.me).is_done
    assert any("✓" in str(page.view.matrix.hits.headerData(i, Qt.Orientation.Horizontal)) for i in range(3))
    page.press(Qt.Key.Key_D, CTRL | SHIFT)
    assert page.context.selection.summary_id != page.good.id
    assert before.isVisible()


def test_the_next_hit_to_confirm_is_selected_in_any_summary(page, requests):
    other = next(text for text in page.topic.summaries if text.id != page.good.id)
    page.context.selection.select(scu_id=COURT, summary_id=other.id)
    page.press(Qt.Key.Key_I)
    assert (page.context.selection.scu_id, page.context.selection.summary_id) == (BAN, page.good.id)
    page.press(Qt.Key.Key_Y)
    page.press(Qt.Key.Key_I)
    assert requests.sentences[-1] == hits.NOTHING_TO_CONFIRM


def test_the_matrix_is_filled_by_a_search_and_undone_at_once(page):
    page.press(Qt.Key.Key_G)
    page.qtbot.waitUntil(lambda: not page.context.jobs.running())
    court = next(row for row in page.view.matrix.hits.rows() if row.nugget_id == COURT)
    assert HitState.AUTOMATIC in {cell.state for cell in court.cells}
    page.qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    page.context.history.undo()
    page.qtbot.waitUntil(
        lambda: all(
            cell.state is HitState.NONE
            for row in page.view.matrix.hits.rows()
            if row.nugget_id == COURT
            for cell in row.cells
        )
    )


def test_cells_are_described_and_arrow_keys_move_between_them(page):
    page.choose(BAN)
    index = page.view.matrix.currentIndex()
    description = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert description.startswith("The ban, summary")
    assert description.endswith("to confirm")
    page.press(Qt.Key.Key_Down)
    assert page.context.selection.scu_id == COURT
    page.press(Qt.Key.Key_Left, ALT)
    page.press(Qt.Key.Key_Return)
    assert page.view.panel.text.hasFocus()


def test_no_score_above_the_matrix_is_cut(page):
    heads = page.view.matrix.horizontalHeader()
    page.press(Qt.Key.Key_D, CTRL)
    assert heads.count() == len(page.topic.summaries)
    assert all(heads.sectionSize(place) >= heads.sectionSizeHint(place) for place in range(heads.count()))


def test_a_topic_without_nuggets_says_so_and_leads_to_the_page_of_nuggets(page, requests):
    page.context.selection.select(topic_id=page.context.study.texts.topics()[1].id)
    assert page.view.empty.isVisible()
    assert not page.view.matrix.isVisible()
    page.view.empty.primary.click()
    assert requests.pages == ["nuggets"]


def test_the_nuggets_of_others_can_be_used_and_their_hits_stay_theirs(page):
    other = page.context.study.annotators.get_or_create("Ben", "")
    before = page.store.annotation(page.topic.id, other.id)
    reference = page.topic.references[0]
    after = pyramid.add_scu(before, "Monday", reference.id, [page.span(reference, "Monday")], "m" * 32)
    page.store.commit(before, after, "new nugget", other.id).result()
    for topic in reversed(page.context.study.texts.topics()):
        page.context.selection.select(topic_id=topic.id)
    box = page.view.owner_box
    assert [box.itemText(i) for i in range(box.count())] == ["Ann", "Ben"]
    page.view.owner_box.chosen.emit(other.id)
    assert [row.label for row in page.view.matrix.hits.rows()] == ["Monday"]
    page.view.matrix.setFocus()
    page.press(Qt.Key.Key_Space)
    page.qtbot.waitUntil(lambda: not page.context.writes.is_saving)
    (match,) = page.store.annotation(page.topic.id, other.id).matches
    assert match.annotator_id == page.me
