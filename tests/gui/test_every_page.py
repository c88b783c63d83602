"""Every page of the real window: names, keys, room for words, colours, sizes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
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
    QTextEdit,
    QWidget,
)

from gui.app import PAGES, build_window
from gui.pages.pyramid.scu_details import ElidedButton
from gui.pages.ratings.rating_scale import RatingScale
from gui.shell.command_palette import CommandPalette
from gui.style import theme
from gui.widgets.label import ElidedLabel, IconLabel
from gui.widgets.segmented_control import Segmented
from storage.study_file import open_study
from tests.scoring import score_all

KEYS = [spec.key for spec in PAGES]
METRICS = ("rouge-n:n=1", "rouge-n:n=2", "rouge-l")
CONTROLS = (
    QAbstractButton,
    QLineEdit,
    QComboBox,
    QAbstractItemView,
    QAbstractSpinBox,
    QTextEdit,
    QPlainTextEdit,
)
CTRL = Qt.KeyboardModifier.ControlModifier


class Windows(QObject):
    """Notes every window that comes up."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


@pytest.fixture(scope="module")
def scored(sample_file, tmp_path_factory) -> Path:
    """The sample study, scored with three configurations."""
    path = Path(shutil.copy(sample_file, tmp_path_factory.mktemp("scored")))
    with open_study(path) as study:
        score_all(study, *METRICS)
    return path


@pytest.fixture
def opened(qapp, qtbot, tmp_path, scored) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Opens the window on the scored sample at a text size."""
    desks = []

    def begin(text_percent: int = 100) -> tuple[Any, Any]:
        desk, window = build_window(qapp, tmp_path / "settings.json")
        desks.append(desk)
        qtbot.addWidget(window)
        desk._settings.change(text_percent=text_percent, theme="light")
        theme.apply(qapp, "light", text_percent)
        window.resize(1280, 800)
        window.show()
        desk.start(scored)
        qtbot.waitUntil(lambda: desk.context is not None)
        window.resize(1280, 800)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return desk, window

    yield begin
    for desk in desks:
        desk.close()


@pytest.fixture(scope="class")
def shared_window(qapp, tmp_path_factory, scored) -> Iterator[tuple[Any, Any]]:
    """One window on the scored sample for the tests that look at pages and change nothing."""
    desk, window = build_window(qapp, tmp_path_factory.mktemp("shared") / "settings.json")
    window.resize(1280, 800)
    window.show()
    desk.start(scored)
    while desk.context is None or not window.isActiveWindow():
        window.activateWindow()
        qapp.processEvents()
    yield desk, window
    desk.close()
    window.close()
    window.deleteLater()


@pytest.fixture
def window(shared_window) -> Any:
    """The shared window, in front of those that other tests opened."""
    _, window = shared_window
    window.activateWindow()
    QApplication.processEvents()
    return window


@pytest.fixture
def desk(shared_window) -> Any:
    return shared_window[0]


def settle(desk: Any, qtbot: Any) -> None:
    """Wait until the page in front has what it looks for."""
    qtbot.wait(20)
    qtbot.waitUntil(lambda: not desk.jobs.running())
    qtbot.wait(20)
    for _ in range(3):  # a layout that is still posted would be measured as it was before the last change
        QApplication.sendPostedEvents()


class TestOneWindow:
    """Tests that look at the pages of one window and change nothing that another test sees."""

    @pytest.mark.parametrize("key", KEYS)
    def test_building_a_page_brings_up_no_window_of_its_own(self, key, window) -> None:
        windows = Windows()
        QApplication.instance().installEventFilter(windows)
        window.show_page(key)
        QApplication.processEvents()
        QApplication.instance().removeEventFilter(windows)
        assert windows.seen == []
        assert window.isActiveWindow()

    @pytest.mark.parametrize("key", KEYS)
    def test_a_page_begins_where_its_work_does_and_never_on_a_button(self, key, desk, window, qtbot) -> None:
        window.show_page(key)
        settle(desk, qtbot)
        page, begins_at = window.stack.currentWidget(), QApplication.focusWidget()
        assert begins_at is page or page.isAncestorOf(begins_at)
        assert not isinstance(begins_at, QAbstractButton), "Space would press it"

    def test_every_drawing_to_press_says_what_it_does(self, desk, window, qtbot) -> None:
        silent = []
        for key in KEYS:
            window.show_page(key)
            settle(desk, qtbot)
            for button in window.findChildren(QAbstractButton):
                if button.isVisible() and not button.text() and not is_part(button) and not button.toolTip():
                    silent.append(
                        f"{key}: {button.accessibleName()} in {type(button.parentWidget()).__name__}"
                    )
        assert silent == []

    def test_every_control_has_a_name(self, desk, window, qtbot) -> None:
        nameless = []
        for key in KEYS:
            window.show_page(key)
            settle(desk, qtbot)
            for widget in window.findChildren(QWidget):
                if is_control(widget) and not name_of(widget):
                    nameless.append(
                        f"{key}: {type(widget).__name__} in {type(widget.parentWidget()).__name__}"
                    )
        assert not nameless, "\n".join(nameless)

    @pytest.mark.parametrize("key", KEYS)
    def test_tab_reaches_every_control_of_a_page(self, key, desk, window, qtbot) -> None:
        window.show_page(key)
        settle(desk, qtbot)
        reached: list[QWidget] = []
        for _ in range(100):
            widget = QApplication.focusWidget()
            if widget is not None and widget not in reached:
                reached.append(widget)
            qtbot.keyClick(widget or window, Qt.Key.Key_Tab)
        wanted = [w for w in window.findChildren(QWidget) if is_control(w) and w.isEnabled() and is_stop(w)]
        assert len(wanted) > 5
        assert [f"{type(w).__name__} {name_of(w)}" for w in wanted if w not in reached] == []


def is_part(widget: QWidget) -> bool:
    """Whether it is one of Qt's own within a control, as a field's cross or a box's arrow."""
    return isinstance(widget.parentWidget(), (QLineEdit, QAbstractSpinBox, QComboBox, QAbstractScrollArea))


@pytest.mark.parametrize("text_percent", [100, 125])
def test_no_words_are_cut_at_1280_by_800(text_percent, opened, qtbot) -> None:
    desk, window = opened(text_percent)
    found = []
    for key in KEYS:
        window.show_page(key)
        settle(desk, qtbot)
        assert (window.width(), window.height()) == (1280, 800)
        found += [f"{key}: {trouble}" for trouble in map(cut, window.findChildren(QWidget)) if trouble]
    assert found == []


def cut(widget: QWidget) -> str:
    """How a button's or label's words are cut, empty = they are not, or end in an ellipsis with a tooltip."""
    is_in_question = isinstance(widget, (QAbstractButton, QLabel)) and widget.isVisible()
    if not is_in_question or not widget.text() or isinstance(widget, (ElidedLabel, ElidedButton, IconLabel)):
        return ""
    place = f"{type(widget).__name__} “{widget.text()[:40]}”"
    if isinstance(widget, QLabel) and widget.wordWrap():
        is_low = widget.height() < widget.heightForWidth(widget.width())
        return f"{place} is too low for its lines" if is_low else cut_by(widget, place)
    if widget.width() < widget.sizeHint().width():
        return f"{place} has {widget.width()} of {widget.sizeHint().width()} px"
    if widget.height() < widget.fontMetrics().height():
        return f"{place} is too low for its line"
    return cut_by(widget, place)


def cut_by(widget: QWidget, place: str) -> str:
    """Which widget around it cuts it, empty = none; what a scroll area has below its end is no cut."""
    area, child, parent = widget.rect(), widget, widget.parentWidget()
    can_scroll = False
    while parent is not None and not child.isWindow():
        area = QRect(child.mapToParent(area.topLeft()), area.size())
        room = parent.rect()
        if area.left() < room.left() or area.right() > room.right():
            return f"{place} is cut at a side by {type(parent).__name__}"
        outer = parent.parentWidget()
        can_scroll |= isinstance(outer, QAbstractScrollArea) and parent is outer.viewport()
        if not can_scroll and (area.top() < room.top() or area.bottom() > room.bottom()):
            return f"{place} is cut above or below by {type(parent).__name__}"
        child, parent = parent, outer
    return ""


def is_control(widget: QWidget) -> bool:
    is_part_of_one = isinstance(widget, QHeaderView) or isinstance(
        widget.parentWidget(), (QAbstractSpinBox, QComboBox)
    )
    takes_keys = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return widget.isVisible() and not is_part_of_one and (isinstance(widget, CONTROLS) or takes_keys)


def name_of(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or words


def test_arrows_go_through_the_pages_from_the_rail(opened, qtbot) -> None:
    _, window = opened()
    for key in KEYS[1:]:
        window.rail._buttons[window.page_key].setFocus()
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        assert window.page_key == key


def is_stop(widget: QWidget) -> bool:
    """Whether Tab is to stop here: not where arrows go on, nor at what Qt puts into its fields."""
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


def test_colours_change_on_every_open_page(opened, qtbot) -> None:
    desk, window = opened()
    for key in KEYS:
        window.show_page(key)
        settle(desk, qtbot)
    for scheme, is_dark in (("dark", True), ("light", False)):
        desk._commands.action(f"view.{scheme}").trigger()
        for key in KEYS:
            window.show_page(key)
            settle(desk, qtbot)
            image = window.stack.currentWidget().grab().toImage()
            points = [
                image.pixelColor(QPoint(x, y)).lightness()
                for x in range(4, image.width() - 4, 40)
                for y in range(4, image.height() - 4, 40)
            ]
            dark_share = sum(lightness < 128 for lightness in points) / len(points)
            assert (dark_share > 0.8) if is_dark else (dark_share < 0.2), (scheme, key, dark_share)


def test_larger_text_keeps_page_and_topic(opened, qtbot) -> None:
    desk, window = opened()
    window.show_page("pyramids")
    topic = desk.context.study.texts.topics()[2].id
    desk.context.selection.select(topic_id=topic)
    before = desk.context
    desk.appearance.apply("light", 110, "auto")
    qtbot.waitUntil(lambda: desk.context is not before and desk.context is not None)
    assert window.page_key == "pyramids"
    assert desk.context.selection.topic_id == topic
    assert window.stack.currentWidget().place.position_label.text() == "3 / 6"


@pytest.mark.parametrize("key", KEYS)
def test_ctrl_k_finds_a_command_on_every_page_and_runs_it(key, opened, qtbot) -> None:
    _, window = opened()
    window.show_page(key)
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_K, CTRL)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.keyClicks(palette.field, "dark")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert theme.tokens() is theme.DARK


def test_a_window_of_900_px_has_drawings_in_the_rail_and_room_for_every_page(opened, qtbot) -> None:
    desk, window = opened()
    window.resize(900, 600)
    for key in KEYS:
        window.show_page(key)
        settle(desk, qtbot)
        assert (key, window.width(), window.height()) == (key, 900, 600)
        assert window.stack.currentWidget().width() <= 900 - window.rail.width()
    assert all(button.is_narrow for button in window.rail._buttons.values())
    assert all(button.toolTip() for button in window.rail._buttons.values())
