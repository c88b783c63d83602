"""Selections on the annotation pages move no text, panel or tab."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.files.preferences import PreferencesFile
from gui.style import theme
from gui.widgets import buttons
from gui.widgets.controls import Stepper
from gui.widgets.label import Label
from tests.gui.pages.match.test_match_page import Page as MatchPage
from tests.gui.pages.pyramid.pyramid_keys import Page

REFERENCES = 12
SENTENCE = "The court ruled on Monday that the ban on the bridge was void, and everybody cheered at once. "
F9 = Qt.Key.Key_F9


def at_rest(view, texts, qtbot):
    """Places once two looks in a row find the same: a page is laid out in several passes when it is new."""
    looks = [places(view, texts)]

    def is_steady() -> bool:
        qtbot.wait(20)
        looks.append(places(view, texts))
        return looks[-1] == looks[-2] == looks[max(-5, -len(looks))]

    qtbot.waitUntil(is_steady)
    return looks[-1]


@pytest.fixture
def many(context):
    """A topic with twelve long references; an SCU that all express, one that a single reference does."""
    references = {f"R{place:02d}": NewText(SENTENCE * 12) for place in range(REFERENCES)}
    topic = NewTopic("D0", references=references, summaries={"lead": NewText(SENTENCE * 4)})
    context.study.import_data(ImportContent("many", topics=[topic]))
    head = context.study.texts.topics()[0]
    texts = context.study.texts.topic(head.id)
    before = context.study.pyramids.annotation(head.id, context.annotator.id)
    ids = {"heavy": pyramid.new_id(), "light": pyramid.new_id()}
    after = pyramid.add_scu(
        before, "A label of several words " * 4, texts.references[0].id, [(0, 15)], ids["heavy"]
    )
    for reference in texts.references[1:]:
        after = pyramid.add_contributor(after, ids["heavy"], reference.id, [(0, 15), (20, 40)])
    after = pyramid.add_scu(after, "Void", texts.references[3].id, [(27, 60)], ids["light"])
    after = pyramid.add_scu(after, "", texts.references[3].id, [(27, 60)])
    context.study.pyramids.commit(before, after, "annotate", context.annotator.id).result()
    context.selection.select(topic_id=head.id)
    return ids


@pytest.fixture(params=[100, 150])
def size(request, qapp):
    theme.apply(qapp, "light", request.param)
    yield request.param
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # or the closed page is dressed again
    theme.apply(qapp, "light")


def fitted(view, qtbot):
    """Show a page as a window of 1280 by 800 has it: with the rail at the left, menus and status around."""
    qtbot.addWidget(view)
    view.resize(1280 - theme.px(60), 800 - theme.px(70))
    view.show()
    qtbot.waitExposed(view)
    view.activateWindow()
    QApplication.processEvents()
    return view


def tabs_of(panel):
    buttons = [panel.tabs.button(key) for key in panel.tabs.keys]
    return [(b.mapTo(panel, QPoint(0, 0)), b.size()) for b in buttons]


def places(view, texts):
    """Where texts, side panel, tabs and list are, and how the texts wrap."""
    QApplication.processEvents()
    found = []
    for text in texts:
        viewport = text.viewport()
        lines = text.document().documentLayout().documentSize()
        found.append((viewport.mapTo(view, QPoint(0, 0)), viewport.size(), lines))
    found.append((view.side.mapTo(view, QPoint(0, 0)), view.side.size(), tabs_of(view.side)))
    found.append((view.scus.tree.mapTo(view, QPoint(0, 0)), view.scus.tree.size()))
    return found


def test_selecting_an_scu_moves_nothing_on_the_page_of_pyramids(context, many, size, qtbot):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    qtbot.waitUntil(view.findings_link.isVisible)
    texts = [section.text for section in view.references.sections]
    before = at_rest(view, texts, qtbot)
    for scu_id in (many["light"], many["heavy"], "", many["heavy"]):
        context.selection.select(scu_id=scu_id)
        view.references.verticalScrollBar().setValue(0)
        assert places(view, texts) == before
    for count in (0, 3, 99, 607):
        view.side.tabs.set_count("findings", count)
        assert places(view, texts) == before


def test_selecting_an_scu_moves_nothing_on_the_page_of_matches(context, many, size, qtbot):
    page = MatchPage(context, qtbot)
    view = fitted(page.view, qtbot)
    qtbot.waitUntil(lambda: view.progress.grid.rows != ())
    before = at_rest(view, [view.left.text], qtbot)
    for scu_id in (many["light"], many["heavy"], "", many["heavy"]):
        context.selection.select(scu_id=scu_id)
        assert places(view, [view.left.text]) == before


def test_nothing_is_cut_off_beside_a_match(context, many, size, qtbot):
    view = fitted(MatchPage(context, qtbot).view, qtbot)
    context.selection.select(scu_id=many["heavy"])
    view.score.toggle_button.click()
    QApplication.processEvents()
    area = view.score.findChild(QScrollArea)
    assert area.widget().width() <= area.viewport().width()
    for label in view.score.findChildren(Label):
        if label.isVisible() and label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width())


def test_no_tab_of_the_side_panel_takes_the_width_of_the_texts(context, many, qtbot):
    view = fitted(Page(context, qtbot).view, qtbot)
    assert view.side.minimumSizeHint().width() <= theme.px(290)


def test_every_tab_is_whole_in_whatever_width(context, many, size, qtbot):
    view = fitted(Page(context, qtbot).view, qtbot)
    for key in view.side.tabs.keys:
        view.side.show_tab(key)
        QApplication.processEvents()
        for each in view.side.tabs.keys:
            button = view.side.tabs.button(each)
            assert button.width() >= button.minimumSizeHint().width() or not button.text()
            assert button.geometry().right() <= view.side.tabs.width()


def test_a_long_name_of_a_topic_claims_less_room_than_a_short_one_that_is_shown_whole(shown):
    stepper = shown(Stepper("topic"))
    stepper.show_place("Summary", "", 1, 100)
    label = stepper.name_label
    assert label.minimumWidth() == label.sizeHint().width()
    short = label.minimumWidth()
    stepper.show_place("cnn-test-88c2481234e763c9bbc68d0ab1be1d2375c1349a", "", 1, 100)
    assert 0 < label.minimumWidth() < short


def test_references_are_one_scroll_with_every_text_at_full_height(context, many, qtbot):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    QApplication.processEvents()
    tops = [section.y() for section in view.references.sections]
    assert tops == sorted(set(tops))
    assert view.references.verticalScrollBar().maximum() > view.references.viewport().height()
    for section in view.references.sections:
        assert section.text.verticalScrollBar().maximum() == 0
        assert section.text.viewport().height() >= section.text.document().size().height()


def test_choosing_an_scu_scrolls_to_its_words(context, many, qtbot):
    view = fitted(Page(context, qtbot).view, qtbot)
    context.selection.select(scu_id=many["light"])
    QApplication.processEvents()
    section = view.references.sections[3]
    box = section.text.box_of(27).translated(section.text.viewport().mapTo(view.references, QPoint(0, 0)))
    assert view.references.rect().contains(box)


def test_page_down_goes_by_what_is_in_sight(context, many, qtbot):
    view = fitted(Page(context, qtbot).view, qtbot)
    stack, text = view.references, view.references.sections[0].text
    view.resize(view.width(), 420)
    QApplication.processEvents()
    text.setFocus()
    before = text.cursorRect().top()
    qtbot.keyClick(text, Qt.Key.Key_PageDown)
    moved = text.cursorRect().top() - before
    assert 0 < moved <= stack.viewport().height()
    box = text.cursorRect().translated(text.viewport().mapTo(stack.viewport(), QPoint(0, 0)))
    assert stack.viewport().rect().contains(box.center())


def test_the_side_panel_closes_by_key_and_button_and_stays_closed(context, many, qtbot, tmp_path):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    width = view.references.width()
    page.press(F9)
    QApplication.processEvents()
    assert not view.side.isVisible()
    assert view.references.width() > width
    assert PreferencesFile(tmp_path / "settings.json").now.open_panels == ("nuggets", "agreement")
    again = fitted(Page(context, qtbot).view, qtbot)
    assert not again.side.isVisible(), "closed once, it stays closed"
    again.side_button.click()
    assert again.side.isVisible()
    assert "pyramids" in context.settings.now.open_panels


def test_what_asks_for_the_side_panel_opens_it(context, many, qtbot):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    page.press(F9)
    page.press(Qt.Key.Key_F)
    assert view.side.isVisible()
    assert view.side.tabs.current == "findings"


def test_the_side_panel_of_matches_is_closed_until_it_is_asked_for(context, many, qtbot):
    page = MatchPage(context, qtbot)
    view = fitted(page.view, qtbot)
    assert not view.side.isVisible()
    view.left.all_button.click()
    assert view.progress.grid.isVisible()
    view.left.all_button.click()
    assert not view.side.isVisible()
    page.press(F9)
    assert view.side.isVisible()
    assert context.settings.now.open_panels == ("pyramids", "nuggets", "agreement", "matches"), (
        "each has its own"
    )


@pytest.fixture
def no_scus(context):
    """A topic with a reference and no SCU."""
    texts = {"R": NewText(SENTENCE * 12)}
    context.study.import_data(ImportContent("none", topics=[NewTopic("D1", references=texts)]))
    topic = next(topic for topic in context.study.texts.topics() if topic.name == "D1")
    context.selection.select(topic_id=topic.id)


def make_first(page):
    text = page.view.references.sections[0].text
    text.setFocus()
    text.select_spans([(0, 9)])
    page.press(Qt.Key.Key_N)


def test_the_first_scu_moves_nothing(context, no_scus, size, qtbot):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    text = view.references.sections[0].text
    qtbot.waitUntil(view.side.isVisible)
    before = at_rest(view, [text], qtbot)[:-1]  # a list that is empty is another widget
    make_first(page)
    qtbot.waitUntil(lambda: bool(view.scus.tree.scus.tiers))
    assert places(view, [text])[:-1] == before
    page.press(Qt.Key.Key_Escape)
    for scu_id in ("", view.scus.tree.scus.tiers[0].lines[0].scu_id, ""):
        context.selection.select(scu_id=scu_id)
        assert places(view, [text])[:-1] == before
    context.commands.action("edit.undo").trigger()
    qtbot.waitUntil(lambda: not view.scus.tree.scus.tiers)
    assert places(view, [text])[:-1] == before
    assert "pyramids" in context.settings.now.open_panels, "nobody has closed or opened it"


def test_where_nothing_can_be_built_the_side_panel_gives_its_room_away_and_opens_by_key(
    context, no_scus, qtbot, locked_buttons
):
    page = Page(context, qtbot)
    view = fitted(page.view, qtbot)
    qtbot.waitUntil(lambda: not view.side.isVisible())
    page.press(F9)
    assert view.side.isVisible()
    page.press(F9)
    assert not view.side.isVisible()
    assert "pyramids" not in context.settings.now.open_panels


@pytest.fixture
def locked_buttons():
    buttons.lock("The study is open read-only.")
    yield
    buttons.lock("")
