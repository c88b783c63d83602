"""All pages in the real window: accessible names, keyboard, clipped text, colours, sizes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStyle,
    QTextEdit,
    QToolButton,
    QTreeView,
    QWidget,
)

from core.annotation.annotators import Team, save_team
from core.annotation.assignment import assign
from core.annotation.comparison_plans import draw_plan
from core.domain.assignment import Work
from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewRating,
    NewScu,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind
from core.files.preferences import PreferencesFile
from gui.app import PAGES, build_window
from gui.commands.definitions import TABS
from gui.pages.hits.view import HitMatrix
from gui.pages.pyramid.scu_details import ElidedButton
from gui.pages.ratings.rating_scale import RatingScale
from gui.shell.main_window import CommandPalette, RailButton
from gui.style import theme
from gui.widgets.controls import Segment, Segmented
from gui.widgets.label import ElidedLabel, IconLabel
from gui.widgets.lists.table_view import FixedColumn
from gui.widgets.notice import EmptyPage
from gui.widgets.page import Page
from gui.widgets.panel import Panel
from gui.widgets.reading_order import reading_order
from storage.study_file import new_study, open_study
from tests.gui.settled import is_settled
from tests.scoring import score_all

pytestmark = pytest.mark.slow

KEYS = [spec.key for spec in PAGES]
CONTROLS = (
    QAbstractButton,
    QLineEdit,
    QComboBox,
    QAbstractItemView,
    QAbstractSpinBox,
    QTextEdit,
    QPlainTextEdit,
)
LONG = "\u202e" + "abcdefghij" * 30
"""A word much wider than a panel, with a mark that turns the text after it."""
TURN = LONG[0]
CTRL = Qt.KeyboardModifier.ControlModifier


class Windows(QObject):
    """Record every window that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


@pytest.fixture(scope="module")
def long_names(tmp_path_factory) -> Path:
    """A small study in which each name, title and label is one long word, scored."""
    path = tmp_path_factory.mktemp("long") / f"{LONG[1:100]}.pyramidion"
    names, annotators = [f"{LONG}{i}" for i in range(4)], (LONG, LONG[::-1])
    texts = {name: NewText(f"The dam {i} was emptied. {LONG}") for i, name in enumerate(names)}
    topics = [NewTopic(name, LONG, LONG, LONG, texts, texts, texts) for name in names[:2]]
    units = [
        NewScu(LONG, LONG, (NewContributor(names[0], (NewPart(0, 7),), LONG),), LONG),
        NewScu("2", LONG, (NewContributor(names[0], (NewPart(8, 20),)),)),
    ]
    annotated = product(topics, annotators, UnitKind)
    content = ImportContent(
        LONG,
        topics,
        dimensions={LONG: (1, 5)},
        ratings=[
            NewRating(topic.name, name, LONG, who, 1 + (place + i) % 5)
            for place, who in enumerate(annotators)
            for topic in topics
            for i, name in enumerate(names)
        ],
        pyramids=[NewPyramid(topic.name, who, tuple(units), kind=kind) for topic, who, kind in annotated],
        matches=[
            NewMatches(
                topics[0].name, names[0], who, who, (NewMatch(LONG, (NewPart(0, 7),), LONG),), kind=kind
            )
            for who, kind in product(annotators, UnitKind)
        ],
        scale_texts={LONG: ScaleTexts(LONG, LONG, ((1.0, LONG),))},
    )
    with new_study(path, name=LONG) as study:
        study.import_data(content)
        score_all(study, "rouge-n:n=1", "rouge-n:n=2")
        plan, items = draw_plan(study, LONG, ComparisonKind.PAIRWISE, question=LONG, per_summary=1)
        study.comparisons.add_plan(plan, items, None).result()
    return path


@pytest.fixture
def opened(qapp, qtbot, tmp_path, scored) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Open the window with the scored sample at a text size."""
    controllers = []

    def open_window(text_percent: int = 100, study: Path = scored, annotator: str = "") -> tuple[Any, Any]:
        settings = tmp_path / "settings.json"
        PreferencesFile(settings).change(text_percent=text_percent, theme="light", annotator=annotator)
        controller, window = build_window(qapp, settings)
        controllers.append(controller)
        qtbot.addWidget(window)
        theme.apply(qapp, "light", text_percent)
        window.resize(1280, 800)
        window.show()
        controller.start(study)
        qtbot.waitUntil(lambda: controller.context is not None)
        window.resize(1280, 800)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return controller, window

    yield open_window
    for controller in controllers:
        controller.close()


@pytest.fixture
def window(shared_window) -> Any:
    """The shared window, activated in case another test has opened one."""
    _, window = shared_window
    window.activateWindow()
    QApplication.processEvents()
    return window


@pytest.fixture
def controller(shared_window) -> Any:
    return shared_window[0]


def settle(controller: Any, qtbot: Any) -> None:
    """Wait until the current page has loaded its data and is laid out."""
    qtbot.wait(20)
    qtbot.waitUntil(lambda: is_settled(controller))
    qtbot.wait(20)
    for _ in range(3):  # process pending layout requests before widgets are measured
        QApplication.sendPostedEvents()


def sideways(window: Any) -> list[str]:
    """Return the areas of the current page that scroll sideways with nothing to tell their rows apart by."""
    return [
        f"{type(area).__name__} {area.accessibleName()}"
        for area in window.stack.currentWidget().findChildren(QAbstractScrollArea)
        if area.isVisible()
        and not isinstance(area, FixedColumn | HitMatrix)
        and area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        and area.horizontalScrollBar().maximum()
    ]


def rail_buttons(window: Any) -> list[RailButton]:
    return window.rail.findChildren(RailButton)


class TestOneWindow:
    """Tests that share one window and do not change its state."""

    @pytest.mark.parametrize("key", KEYS)
    def test_building_a_page_opens_no_extra_window(self, key, window) -> None:
        windows = Windows()
        QApplication.instance().installEventFilter(windows)
        window.show_page(key)
        QApplication.processEvents()
        QApplication.instance().removeEventFilter(windows)
        assert windows.shown == []
        assert window.isActiveWindow()

    @pytest.mark.parametrize("key", KEYS)
    def test_a_page_opens_with_the_focus_inside_and_not_on_a_button(
        self, key, controller, window, qtbot
    ) -> None:
        window.show_page(key)
        settle(controller, qtbot)
        page, focused = window.stack.currentWidget(), QApplication.focusWidget()
        assert focused is page or page.isAncestorOf(focused)
        assert not isinstance(focused, QAbstractButton), "Space would press it"
        page.focus_default()
        assert QApplication.focusWidget() is focused, "work can start, also where it is shown later"

    def test_no_text_is_clipped_at_1280_by_800(self, controller, window, qtbot) -> None:
        assert clipped_texts(controller, window, qtbot) == []

    def test_no_page_scrolls_sideways_at_1280_by_800(self, controller, window, qtbot) -> None:
        wide = []
        for key in KEYS:
            window.show_page(key)
            settle(controller, qtbot)
            wide += [f"{key}: {area}" for area in sideways(window)]
        assert wide == []

    def test_every_icon_button_has_a_tooltip(self, controller, window, qtbot) -> None:
        missing = []
        for key in KEYS:
            window.show_page(key)
            settle(controller, qtbot)
            for button in window.findChildren(QAbstractButton):
                if button.isVisible() and not button.text() and not is_part(button) and not button.toolTip():
                    missing.append(
                        f"{key}: {button.accessibleName()} in {type(button.parentWidget()).__name__}"
                    )
        assert missing == []

    def test_every_control_has_an_accessible_name_and_role(self, controller, window, qtbot) -> None:
        problems = []
        for key in KEYS:
            window.show_page(key)
            settle(controller, qtbot)
            for widget in window.findChildren(QWidget):
                if is_control(widget) or (
                    widget.isVisible() and widget.focusPolicy() and not is_part(widget)
                ):
                    problems += [f"{key}: {problem}" for problem in spoken_problems(widget)]
                if isinstance(widget, QAbstractItemView) and widget.isVisible():
                    problems += [f"{key}: {heading}" for heading in nameless_headings(widget)]
                if isinstance(widget, QTreeView) and widget.isVisible():
                    problems += [f"{key}: {row} is spoken as expanded" for row in expanded_leaves(widget)]
        assert not problems, "\n".join(problems)

    @pytest.mark.parametrize("key", ["pyramids", "matches", "ratings", "score", "compare"])
    def test_f6_goes_through_all_panes_and_shift_f6_back(self, key, controller, window, qtbot) -> None:
        window.show_page(key)
        settle(controller, qtbot)
        visited = [window.focusWidget()]
        while len(visited) < 3 or visited[-1] not in visited[1:-1]:
            qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6)
            visited.append(window.focusWidget())
        assert set(map(panel_of, visited)) >= set(map(panel_of, reading_order(window)))
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
        assert window.focusWidget() is visited[-2]
        window.setFocus()  # as where nothing else could take it
        window.step_pane(1)
        assert window.focusWidget() in reading_order(window)

    @pytest.mark.parametrize("key", KEYS)
    def test_tab_reaches_every_control_of_a_page_and_enter_presses_buttons(
        self, key, controller, window, qtbot, monkeypatch
    ) -> None:
        window.show_page(key)
        settle(controller, qtbot)
        pressed: list[QAbstractButton] = []
        monkeypatch.setattr(QAbstractButton, "click", lambda button: pressed.append(button))
        reached: list[QWidget] = []
        order = reading_order(window)
        for _ in range(100):
            widget = QApplication.focusWidget()
            if len(reached) > 1 and widget is reached[0]:
                break  # Tab has been everywhere
            if widget is not None and widget not in reached:
                reached.append(widget)
                if isinstance(widget, QPushButton | QToolButton):
                    qtbot.keyClick(widget, Qt.Key.Key_Return)
                    assert pressed[-1:] == [widget], name_of(widget)
            qtbot.keyClick(widget or window, Qt.Key.Key_Tab)
            after = QApplication.focusWidget()
            if after is not widget and widget in order:
                qtbot.keyClick(after, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
                assert QApplication.focusWidget() is widget, f"{name_of(after)} leads back elsewhere"
                after.setFocus()
        stops = [w for w in window.findChildren(QWidget) if is_control(w) and w.isEnabled() and is_stop(w)]
        assert len(stops) >= 5
        page = window.stack.currentWidget()
        steps = [pair for pair in pairwise(reached) if all(map(page.isAncestorOf, pair))]
        assert [problem for pair in steps if (problem := step_back(*pair))] == []
        assert [f"{type(w).__name__} {name_of(w)}" for w in stops if w not in reached] == []

    @pytest.mark.parametrize("key", KEYS)
    def test_the_focus_is_visible_on_every_control(self, key, controller, window, qtbot) -> None:
        window.show_page(key)
        settle(controller, qtbot)
        page, unseen = window.stack.currentWidget(), []
        for widget in reading_order(window):
            if key != KEYS[0] and not page.isAncestorOf(widget):
                continue  # the rail is the same on all pages
            (window.focusWidget() or window).clearFocus()
            before = widget.grab().toImage()
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            if widget.grab().toImage() == before:
                unseen.append(f"{type(widget).__name__} {name_of(widget)}")
        assert unseen == []

    def test_ctrl_k_finds_and_runs_a_command_on_every_page(self, window, qtbot) -> None:
        for key in KEYS:
            window.show_page(key)
            window.activateWindow()  # as a window manager does when the palette was closed
            qtbot.waitUntil(window.isActiveWindow)
            qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_K, CTRL)
            (palette,) = (found for found in window.findChildren(CommandPalette) if found.isVisible())
            qtbot.keyClicks(palette.field, "overview")
            qtbot.keyClick(palette.field, Qt.Key.Key_Return)
            assert window.page_key == "overview", key

    def test_at_900_px_the_rail_shows_icons_and_every_page_fits(self, controller, window, qtbot) -> None:
        window.resize(900, 600)
        for key in KEYS:
            window.show_page(key)
            settle(controller, qtbot)
            assert (key, window.width(), window.height()) == (key, 900, 600)
            assert window.stack.currentWidget().width() <= 900 - window.rail.width()
        assert all(button.is_narrow for button in rail_buttons(window))
        assert all(button.toolTip() for button in rail_buttons(window))
        window.resize(1280, 800)

    def test_each_text_is_once_in_the_tree_of_assistive_technology(self, controller, window, qtbot) -> None:
        problems = []
        for key in KEYS:
            window.show_page(key)
            settle(controller, qtbot)
            page = QAccessible.queryAccessibleInterface(window.stack.currentWidget())
            problems += [f"{key}: {text}" for text in said_again(page, ())]
        assert not problems, "\n".join(problems)

    def test_switching_to_dark_changes_every_page(self, controller, window) -> None:
        for key in KEYS:
            window.show_page(key)
        for scheme, is_dark in (("dark", True), ("light", False)):
            controller.context.commands.action(f"view.{scheme}").trigger()
            for key in KEYS:
                window.show_page(key)
                QApplication.processEvents()
                image = window.stack.currentWidget().grab().toImage()
                points = [
                    image.pixelColor(QPoint(x, y)).lightness()
                    for x in range(4, image.width() - 4, 40)
                    for y in range(4, image.height() - 4, 40)
                ]
                dark_share = sum(lightness < 128 for lightness in points) / len(points)
                assert (dark_share > 0.8) if is_dark else (dark_share < 0.2), (scheme, key, dark_share)


def expanded_leaves(tree: QTreeView) -> list[str]:
    """Return the rows that screen readers call expanded although nothing is in them."""
    model, heads = tree.model(), QModelIndex()
    inner = (model.index(at, 0, heads) for at in range(model.rowCount()))
    rows = [model.index(at, 0, head) for head in inner for at in range(min(model.rowCount(head), 3))]
    return [str(row.data()) for row in rows if tree.isExpanded(row) and not model.hasChildren(row)]


def test_a_page_that_still_reads_says_so(opened) -> None:
    _, window = opened()
    silent = []
    for key in KEYS:
        window.show_page(key)
        shown = [empty for empty in window.stack.currentWidget().findChildren(EmptyPage) if empty.isVisible()]
        silent += [key for empty in shown if not empty.sentence_label.text()]
    assert silent == []


def is_part(widget: QWidget) -> bool:
    """Return whether Qt created the widget inside a control, such as the clear button of a field."""
    return isinstance(widget.parentWidget(), (QLineEdit, QAbstractSpinBox, QComboBox, QAbstractScrollArea))


def clipped_texts(controller: Any, window: Any, qtbot: Any) -> list[str]:
    """Return the texts of all pages that are clipped."""
    problems = []
    for key in KEYS:
        window.show_page(key)
        settle(controller, qtbot)
        assert (window.width(), window.height()) == (1280, 800)
        problems += [f"{key}: {text}" for text in map(clipping, window.findChildren(QWidget)) if text]
    return problems


@pytest.mark.nightly  # larger texts are looked at below
def test_no_text_that_is_a_quarter_larger_is_clipped_at_1280_by_800(opened, qtbot) -> None:
    assert clipped_texts(*opened(125), qtbot) == []


class LayoutRequests(QObject):
    """Counts the requests for a layout of all widgets."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


def is_at_rest(app: QApplication) -> bool:
    """Return whether a window that nobody uses stops laying itself out."""
    requests = LayoutRequests()
    app.installEventFilter(requests)
    for _ in range(50):
        requests.count = 0
        app.processEvents()
        if not requests.count:
            break
    app.removeEventFilter(requests)
    return not requests.count


def painted_stumps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of the texts of which less is painted than can be read; it grows with each of them."""
    stumps: list[str] = []
    elide, draw, draw_item = QFontMetrics.elidedText, QPainter.drawText, QStyle.drawItemText
    made: dict[str, str] = {}

    def elided(metrics: QFontMetrics, text: str, *how: Any) -> str:
        short = elide(metrics, text, *how)
        if short != text:
            made[short] = text
        return short

    def note(args: tuple[Any, ...]) -> None:
        shown = [one for one in args if isinstance(one, str) and one in made and len(one) < 5]
        stumps.extend(f"“{made[one]}” is painted as “{one}”" for one in shown if one)

    def drawn(painter: QPainter, *args: Any) -> Any:
        note(args)
        return draw(painter, *args)

    def item_drawn(style: QStyle, *args: Any) -> None:
        note(args)
        draw_item(style, *args)

    monkeypatch.setattr(QFontMetrics, "elidedText", elided)
    monkeypatch.setattr(QPainter, "drawText", drawn)
    monkeypatch.setattr(QStyle, "drawItemText", item_drawn)
    return stumps


@pytest.mark.parametrize(
    ("text_percent", "width", "height"),
    [(150, 1280, 800), pytest.param(200, 1440, 900, marks=pytest.mark.nightly)],
)
def test_large_text_is_whole(text_percent, width, height, opened, qtbot, monkeypatch) -> None:
    controller, window = opened(text_percent)
    window.resize(width, height)
    stumps = painted_stumps(monkeypatch)
    problems = []
    for key in KEYS:
        window.show_page(key)
        settle(controller, qtbot)
        page = window.stack.currentWidget()
        qtbot.waitUntil(lambda page=page: page.height() <= height and page.width() <= width)
        problems += [f"{key}: {text}" for text in map(clipping, page.findChildren(QWidget)) if text]
        problems += [f"{key}: {area} scrolls sideways" for area in sideways(window)]
        problems += [] if is_at_rest(QApplication.instance()) else [f"{key}: lays itself out without end"]
        stumps.clear()
        window.grab()
        problems += [f"{key}: {text}" for text in dict.fromkeys(stumps)]
    assert not problems, "\n".join(problems)
    assert all(button.height() >= button.sizeHint().height() for button in rail_buttons(window))
    last = rail_buttons(window)[-1]
    qtbot.waitUntil(lambda: last.visibleRegion().boundingRect() == last.rect())


def test_a_plan_of_eight_annotators_needs_no_scroll_bar_at_large_text(opened, scored, tmp_path, qtbot):
    path, names = tmp_path / "eight.pyramidion", [f"annotator {number}" for number in range(1, 9)]
    shutil.copy(scored, path)
    with open_study(path) as study:
        for name in names:
            study.annotators.get_or_create(name, "")
        save_team(study, Team(frozenset(names)), None).result()
        topics = [topic.name for topic in study.texts.topics()]
        assign(study, Work.MATCHES, dict.fromkeys(topics, tuple(names)), None).result()
    controller, window = opened(150, path, names[0])
    window.show_page("assignment")
    page = window.stack.currentWidget()
    qtbot.waitUntil(lambda: set(names) <= set(page.model.people))
    settle(controller, qtbot)
    header, across = page.table.horizontalHeader(), Qt.Orientation.Horizontal
    assert (window.width(), window.height()) == (1280, 800)
    assert page.table.horizontalScrollBar().maximum() == 0
    for column, name in enumerate(page.model.people, 1):
        assert header.sectionSizeHint(column) <= header.sectionSize(column), name
        shown = page.model.headerData(column, across, Qt.ItemDataRole.DisplayRole)
        short = f"a{name[-1]}" if name in names else shown.splitlines()[0]
        assert shown == f"{short}\n0/{len(topics) * (name in names)}"
        assert name in page.model.headerData(column, across, Qt.ItemDataRole.AccessibleTextRole)
        assert name in page.model.headerData(column, across, Qt.ItemDataRole.ToolTipRole)


def test_long_names_push_nothing_out_of_a_page_and_turn_nothing(opened, long_names, qtbot) -> None:
    controller, window = opened(study=long_names, annotator=LONG)
    controller.ask_annotator()
    controller.dialog.accept()
    problems = []
    for key in KEYS:
        window.show_page(key)
        settle(controller, qtbot)
        assert (window.width(), window.height()) == (1280, 800), key
        widgets = window.findChildren(QWidget)
        problems += [f"{key}: {text}" for text in map(clipping, widgets) if text]
        problems += [f"{key}: tooltip of {type(one).__name__}" for one in widgets if TURN in one.toolTip()]
        labels = window.findChildren(QLabel)
        problems += [f"{key}: {type(one).__name__}" for one in labels if TURN in QLabel.text(one)]
    assert not problems, "\n".join(problems)


def clipping(widget: QWidget) -> str:
    """Return how the text of a button or label is clipped; empty = it is visible, or elided on purpose."""
    is_checked = isinstance(widget, (QAbstractButton, QLabel)) and widget.isVisible()
    if not is_checked or not widget.text() or isinstance(widget, (ElidedLabel, ElidedButton, IconLabel)):
        return ""
    place = f"{type(widget).__name__} “{widget.text()[:40]}”"
    if isinstance(widget, QLabel) and widget.wordWrap():
        is_low = widget.height() < widget.heightForWidth(widget.width())
        return f"{place} is too low for its lines" if is_low else clipped_by(widget, place)
    if widget.width() < widget.sizeHint().width():
        return f"{place} has {widget.width()} of {widget.sizeHint().width()} px"
    if widget.height() < widget.fontMetrics().height():
        return f"{place} is too low for its line"
    return clipped_by(widget, place)


def clipped_by(widget: QWidget, place: str) -> str:
    """Return which ancestor clips the widget, empty = none. Contents that can be scrolled to do not count."""
    area, child, parent = widget.rect(), widget, widget.parentWidget()
    can_scroll = False
    while parent is not None and not child.isWindow():
        area = QRect(child.mapToParent(area.topLeft()), area.size())
        room = parent.rect()
        if area.left() < room.left() or area.right() > room.right():
            return f"{place} is clipped on a side by {type(parent).__name__}"
        outer = parent.parentWidget()
        can_scroll |= isinstance(outer, QAbstractScrollArea) and parent is outer.viewport()
        if not can_scroll and (area.top() < room.top() or area.bottom() > room.bottom()):
            return f"{place} is clipped above or below by {type(parent).__name__}"
        child, parent = parent, outer
    return ""


def is_control(widget: QWidget) -> bool:
    is_part_of_one = isinstance(widget, QHeaderView) or isinstance(
        widget.parentWidget(), (QAbstractSpinBox, QComboBox)
    )
    takes_keys = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return widget.isVisible() and not is_part_of_one and (isinstance(widget, CONTROLS) or takes_keys)


def panel_of(widget: QWidget) -> QWidget | None:
    """Return the innermost panel that contains a widget."""
    found = None
    while widget is not None:
        found = found or (widget if isinstance(widget, Panel) else None)
        widget = widget.parentWidget()
    return found


def box_beside(widget: QWidget, other: QWidget) -> QRect:
    """Return the rectangle of a widget, or of the scroll area that contains it and not the other widget."""
    parent = widget.parentWidget()
    while parent is not None and not parent.isAncestorOf(other):
        widget = parent if isinstance(parent, QAbstractScrollArea) else widget
        parent = parent.parentWidget()
    return QRect(widget.mapToGlobal(QPoint()), widget.size())


def step_back(before: QWidget, after: QWidget) -> str:
    """Return how Tab went against the reading order from one widget to the next; empty = it did not."""
    one, other = box_beside(before, after), box_beside(after, before)
    is_up = other.bottom() < one.top() and other.left() < one.right() and one.left() < other.right()
    is_same_row = other.top() < one.bottom() and one.top() < other.bottom()
    is_wrong = is_up or (is_same_row and other.right() < one.left())
    return f"{name_of(before)} {one} -> {name_of(after)} {other}" if is_wrong else ""


def spoken_problems(widget: QWidget) -> list[str]:
    """Return what a screen reader cannot say of a widget that takes the focus."""
    read = QAccessible.queryAccessibleInterface(widget)
    labels = read.relations(QAccessible.RelationFlag.Label)
    is_combo = isinstance(widget, QComboBox)  # whose name is its value on Linux
    place = f"{type(widget).__name__} {name_of(widget)} in {type(widget.parentWidget()).__name__}"
    problems = []
    if not (is_combo or read.text(QAccessible.Text.Name)) or (
        is_combo and not any(label.text(QAccessible.Text.Name) for label, _ in labels)
    ):
        problems.append(f"{place} has no name")
    if read.role() in (QAccessible.Role.Client, QAccessible.Role.NoRole):
        problems.append(f"{place} has no role")
    is_choice = isinstance(widget, Segment)
    if is_choice and (
        read.role() not in (QAccessible.Role.RadioButton, QAccessible.Role.PageTab)
        or read.state().checked != widget.isChecked()
    ):
        problems.append(f"{place} is not one of several")
    return problems


def said_again(part: QAccessibleInterface, above: tuple[str, ...]) -> list[str]:
    """Return the texts in a part that say nothing, or what is said by what is around or beside them."""
    name, found = part.text(QAccessible.Text.Name), []
    children = [part.child(at) for at in range(part.childCount())]
    shown = [child for child in children if child is not None and not child.state().invisible]
    others = [one for one in shown if one.role() is not QAccessible.Role.StaticText]
    kinds = QAccessible.Text.Name, QAccessible.Text.Description
    beside = {one.text(kind) for one in others for kind in kinds}
    for child in shown:
        text = child.text(QAccessible.Text.Name)
        if child.role() is QAccessible.Role.StaticText and not child.childCount():
            whole = rf"(?<!\w){re.escape(text)}(?!\w)"
            is_around = any(re.search(whole, one) for one in (*above, name))
            found += [f"“{text}” in “{name}”"] if is_around or text in beside or not text.strip() else []
        found += said_again(child, (*above, name))
    return found


def nameless_headings(view: QAbstractItemView) -> list[str]:
    """Return the headings of columns and rows that a screen reader finds without a name."""
    read = QAccessible.queryAccessibleInterface(view)
    parts = [read.child(place) for place in range(read.childCount())]
    roles = (QAccessible.Role.ColumnHeader, QAccessible.Role.RowHeader)
    names = [part.text(QAccessible.Text.Name).strip() for part in parts if part.role() in roles]
    place = f"{type(view).__name__} {view.accessibleName()}"
    return [f"{place}: heading {at} of {names}" for at, name in enumerate(names) if not name]


def name_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


def test_arrow_keys_in_the_rail_change_the_page(opened, qtbot) -> None:
    _, window = opened()
    for key in [names[0].key for names in TABS.values()][1:]:
        next(button for button in rail_buttons(window) if button.isChecked()).setFocus()
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        assert window.page_key == key


def is_stop(widget: QWidget) -> bool:
    """Return whether Tab should stop here: not inside groups with arrow keys, nor at Qt's own parts."""
    is_one_of_a_group = isinstance(widget, QAbstractButton) and widget.group() is not None
    one_of_several = is_one_of_a_group or (
        isinstance(widget, QAbstractButton) and widget.autoExclusive() and not widget.isChecked()
    )
    in_scale = any(
        scale.isAncestorOf(widget) for scale in widget.window().findChildren(RatingScale) if scale != widget
    )
    in_field = isinstance(widget.parentWidget(), QLineEdit)
    if isinstance(widget.parentWidget(), Segmented):
        return isinstance(widget, QAbstractButton) and widget.isChecked()
    return not (one_of_several or in_scale or in_field or widget.focusProxy() is not None)


def test_changing_the_text_size_keeps_page_and_topic(opened, qtbot) -> None:
    controller, window = opened()
    window.show_page("pyramids")
    topic = controller.context.study.texts.topics()[2].id
    controller.context.selection.select(topic_id=topic)
    before = controller.context
    controller.appearance.apply("light", 110, "auto")
    qtbot.waitUntil(lambda: controller.context is not before and controller.context is not None)
    assert window.page_key == "pyramids"
    assert controller.context.selection.topic_id == topic
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), Page))
    assert window.stack.currentWidget().place.position_label.text() == "3 / 8"
