"""Building pages before they are first shown, in steps, while the user does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from shiboken6 import Shiboken

from gui.app import PAGES, build_window, preload
from gui.background import preloader as preloading
from gui.pages.compare.view import CompareView
from gui.pages.match.view import MatchView
from gui.pages.pyramid.references import ReferenceSection
from gui.pages.pyramid.view import PyramidView
from gui.pages.ratings.rating_scale import RatingScale
from gui.pages.score.view import ScoreView
from gui.pages.texts import presenter as texts
from gui.pages.texts.view import TextsView
from gui.session.context import PageParts, PageSpec
from gui.shell.main_window import ComingPage
from gui.widgets.page import Page
from tests.gui.program import Program

MOST_WIDGETS, FEW_WIDGETS = 330, 30
"""Widgets that a step creates at most, and a page that was built ahead when it is first shown."""

FEW = [spec for spec in PAGES if spec.key in ("overview", "texts", "matches")]


@pytest.fixture
def program(qapp, qtbot, tmp_path, study) -> Program:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    program.settle()
    return program


def built(window: Any) -> list[Page]:
    return [page for page, _ in window._built.values()]


def steps(window: Any) -> Iterator[None]:
    while window.build_ahead():
        yield


def test_pages_are_built_one_after_the_other_and_take_nothing_from_the_one_that_is_shown(program) -> None:
    program.show("pyramids")
    field = program.page.scus.field
    field.setFocus()
    for letter, _ in zip("abcdefghijklmnopqrstuvwxyz", steps(program.window), strict=False):
        before = len(built(program.window))
        program.press(Qt.Key[f"Key_{letter.upper()}"])
        assert len(built(program.window)) == before
        assert (program.window.page_key, QApplication.focusWidget()) == ("pyramids", field)
    program.settle()
    jobs: list[Any] = []
    program.controller.jobs.started.connect(jobs.append)
    for _ in steps(program.window):
        assert len(built(program.window)) - before in (0, 1)
        before = len(built(program.window))
    assert field.text() == "abcdefghijklmnopqrstuvwxyz"
    assert len(built(program.window)) == len(PAGES)
    assert (program.window.page_key, QApplication.focusWidget()) == ("pyramids", field)
    assert not jobs, "pages read the study when they are shown"
    for spec in PAGES:
        program.show(spec.key)
    assert len(built(program.window)) == len(PAGES), "none is built again"


def test_a_pyramid_is_filled_ahead_with_the_topic_that_it_will_show(program) -> None:
    head = program.context.study.texts.topics()[1]
    program.context.selection.select(topic_id=head.id)
    for _ in steps(program.window):
        pass
    page = next(page for page in built(program.window) if isinstance(page, PyramidView))
    texts = [reference.content for reference in program.context.study.texts.topic(head.id).references]
    assert [section.text.content for section in page.references.sections] == texts
    program.show("pyramids")
    assert page.references.sections[0].text.hasFocus()


def test_a_page_creates_no_section_or_scale_when_it_is_first_shown(program) -> None:
    program.context.study.ratings.add_dimension("quality")
    for _ in steps(program.window):
        pass
    kinds = (ReferenceSection, RatingScale)
    before = [len(program.window.findChildren(kind)) for kind in kinds]
    assert min(before) > 0
    for key in ("pyramids", "nuggets", "ratings"):
        program.show(key)
    assert [len(program.window.findChildren(kind)) for kind in kinds] == before


def test_a_page_that_is_shown_before_its_turn_is_built_at_once(program) -> None:
    program.window.build_ahead()
    program.show("texts")  # which this step has begun
    program.show("report")
    assert len(built(program.window)) == 3
    assert sum(1 for _ in steps(program.window)) >= len(PAGES) - 3
    assert len(built(program.window)) == len(PAGES)


def test_no_step_creates_many_widgets(program) -> None:
    before, created = len(QApplication.allWidgets()), []
    for _ in steps(program.window):
        created.append(len(QApplication.allWidgets()) - before)
        before += created[-1]
    assert len(built(program.window)) == len(PAGES)
    assert max(created) <= MOST_WIDGETS


def test_a_page_that_was_built_ahead_is_laid_out_and_creates_few_widgets_when_it_is_shown(program) -> None:
    for _ in steps(program.window):
        pass
    for spec in PAGES[1:]:
        page = program.window._built[spec.key][0]
        assert page.size() == program.window.stack.size()
        before = len(page.findChildren(QWidget))
        program.window.show_page(spec.key)
        assert len(page.findChildren(QWidget)) - before <= FEW_WIDGETS, spec.key


@pytest.fixture
def window_with(qapp, qtbot, tmp_path, study) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Open the study in a window of three pages, of which that of texts is built by another function."""
    study.flush()
    opened = []

    def open_window(build: Callable[[Any], Any]) -> tuple[Any, Any]:
        specs = [PageSpec(spec.key, (lambda: build) if spec.key == "texts" else spec.load) for spec in FEW]
        controller, window = build_window(qapp, tmp_path / "settings.json", specs)
        opened.append(controller)
        qtbot.addWidget(window)
        window.show()
        controller.start(study.path)
        qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), Page))
        return controller, window

    yield open_window
    for controller in opened:
        controller.close()


def test_nothing_is_built_once_the_study_is_closed(window_with) -> None:
    made = []

    def build(context: Any) -> Any:
        made.append(texts.build(context))
        return made[0]

    controller, window = window_with(build)
    window.build_ahead()
    controller.show_welcome()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not window.build_ahead()
    assert not Shiboken.isValid(made[0][0]), "what was begun is deleted"
    window.close()
    assert not window.build_ahead()


def test_each_further_part_of_a_page_is_built_in_a_turn_of_its_own(window_with) -> None:
    parts = []

    def build(context: Any) -> Any:
        view, presenter = texts.build(context)
        view.later += [partial(parts.append, 1), partial(parts.append, 2)]
        return view, presenter

    _, window = window_with(build)
    before = len(built(window))
    seen = [(list(parts), len(built(window)) - before) for _, _ in zip(range(5), steps(window), strict=False)]
    assert seen == [([], 0), ([], 0), ([1], 0), ([1, 2], 0), ([1, 2], 1)]


def test_the_presenter_of_a_page_is_made_in_the_turn_after_its_view(window_with) -> None:
    made = []

    def view() -> TextsView:
        made.append("view")
        return TextsView()

    def presenter(view: TextsView, context: Any) -> texts.TextsPresenter:
        made.append("presenter")
        return texts.TextsPresenter(view, context)

    _, window = window_with(PageParts(view, presenter))
    seen = [list(made) for _, _ in zip(range(2), steps(window), strict=False)]
    assert seen == [["view"], ["view", "presenter"]]


def test_a_part_that_is_visible_is_not_shown_again(window_with) -> None:
    class Part(QLabel):
        shown = 0

        def showEvent(self, event: object) -> None:
            Part.shown += 1

    def build(context: Any) -> Any:
        view, presenter = texts.build(context)
        view.add_place(Part())
        return view, presenter

    _, window = window_with(build)
    window.show_page("texts")
    window.stack.currentWidget().findChild(Part).setVisible(True)
    assert Part.shown == 1


def test_a_page_that_cannot_be_built_ahead_reports_it_when_it_is_shown(window_with) -> None:
    def fail(context: Any) -> Any:
        raise RuntimeError("no such font")

    _, window = window_with(fail)
    for _ in steps(window):
        pass
    assert len(built(window)) == len(FEW) - 1
    with pytest.raises(RuntimeError, match="no such font"):
        window.show_page("texts")


class TestPreloader:
    """What the timer does at its next timeout."""

    @pytest.fixture
    def preloader(self, program, monkeypatch) -> preloading.Preloader:
        monkeypatch.setattr(preloading, "preload", lambda: _Done())
        return preload(program.controller, program.window)

    def test_all_modules_are_imported_and_all_pages_built(self, program, preloader) -> None:
        while preloader.isActive():
            preloader.timeout.emit()
        assert len(built(program.window)) == len(PAGES)
        program.show("score")
        assert preloader.isActive(), "another study may be open"

    def test_it_waits_after_a_key(self, program, preloader) -> None:
        preloader.start(1)
        QTest.keyClick(program.window.windowHandle(), Qt.Key.Key_Down)
        assert preloader.remainingTime() > 1000

    def test_it_waits_while_a_job_runs_or_a_dialog_is_open(self, program, preloader) -> None:
        while len(built(program.window)) < 3:
            preloader.timeout.emit()
        job = program.controller.jobs.start("Counting", iter(()))
        for _ in range(5):
            preloader.timeout.emit()
        assert len(built(program.window)) == 3
        program.qtbot.waitSignal(job.ended)
        program.settle()
        dialog = QDialog(program.window)
        dialog.open()
        program.wait(dialog.isActiveWindow)
        for _ in range(5):
            preloader.timeout.emit()
        assert len(built(program.window)) == 3
        dialog.close()
        program.activate()
        while len(built(program.window)) < 4:
            preloader.timeout.emit()


class _Done:
    """A thread that has ended."""

    def is_alive(self) -> bool:
        return False


class TestGoingToAPage:
    """A page that is not built when the user goes to it is built in turns; its heading is shown meanwhile."""

    def test_other_events_are_handled_before_it_is_shown(self, program) -> None:
        seen: list[type] = []
        timer = QTimer(interval=0)
        timer.timeout.connect(lambda: seen.append(type(program.page)))
        program.window.go_to("pyramids")
        timer.start()
        assert program.window.page_key == "pyramids"
        program.wait_for_page()
        timer.stop()
        assert seen.count(ComingPage) >= 3
        assert isinstance(program.page, PyramidView)
        assert not program.window.findChildren(ComingPage)[1:], "it is deleted"

    def test_a_key_that_is_pressed_meanwhile_is_for_that_page(self, program) -> None:
        program.show("texts")
        program.window.go_to("pyramids")
        program.qtbot.keyClick(program.window.windowHandle(), Qt.Key.Key_Slash)
        assert program.page.scus.field.hasFocus(), "find"
        program.window.go_to("report")
        program.window.go_to("pyramids")
        program.qtbot.keyClicks(QApplication.focusWidget(), "fog")
        assert program.page.scus.field.text() == "fog", "what was chosen before is left"

    def test_a_key_that_leads_on_does_not_wait_for_that_page(self, program) -> None:
        held = Qt.KeyboardModifier.ControlModifier
        program.window.go_to("score")
        for key in (Qt.Key.Key_Control, Qt.Key.Key_8, Qt.Key.Key_8):
            program.qtbot.keyClick(QApplication.focusWidget(), key, held)  # which handles no other event
        assert isinstance(program.page, ComingPage)
        assert program.window.page_key == "judges"
        assert not program.window.findChildren(ScoreView), "it was only passed"
        assert not program.window.findChildren(CompareView)

    def test_a_key_of_the_page_before_does_nothing(self, program) -> None:
        program.show("texts")
        program.window.go_to("overview")
        program.window.go_to("hits")
        asked = []
        program.context.commands.bind("topic.set", lambda: asked.append(True), "texts")
        assert not program.context.commands.action("topic.set").isEnabled()
        program.press(Qt.Key.Key_S)
        assert not asked

    def test_going_to_it_removes_the_sentence_and_its_arrival_leaves_a_later_one(self, program) -> None:
        label = program.window.status.sentence_label
        program.controller.show_message("Earlier.")
        program.window.go_to("report")
        assert not label.text()
        program.controller.show_message("Later.")
        program.wait_for_page()
        assert label.text() == "Later."
        program.show("texts")
        assert not label.text()

    def test_the_next_tab_is_that_of_the_page_to_come(self, program) -> None:
        program.window.go_to("pyramids")
        program.window.step_tab(1)
        assert program.window.page_key == "matches"
        program.wait_for_page()
        assert isinstance(program.page, MatchView)

    def test_it_is_forgotten_if_the_study_is_closed(self, program) -> None:
        program.window.go_to("pyramids")
        program.controller.show_welcome()
        QApplication.processEvents()
        assert (program.window.page_key, built(program.window)) == ("", [])

    def test_the_page_before_is_shown_again_if_it_cannot_be_built(self, window_with, qtbot) -> None:
        def fail(context: Any) -> Any:
            raise RuntimeError("no such font")

        _, window = window_with(fail)
        with qtbot.captureExceptions() as errors:
            window.go_to("texts")
            qtbot.waitUntil(lambda: window.page_key == "overview")
        assert [str(error) for _, error, _ in errors] == ["no such font"]
        assert window.isVisible()
