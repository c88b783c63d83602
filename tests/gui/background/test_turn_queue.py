"""Steps in turns of their own."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QWidget

from gui.background.jobs import Jobs
from gui.background.turn_queue import TurnQueue, painting
from gui.widgets.dialog import BareDialog


def test_each_step_is_taken_once_and_in_a_turn_of_its_own(qtbot) -> None:
    owner, taken, between = QObject(), [], []
    queue = TurnQueue(owner)

    def step(name: str):
        def take() -> None:
            taken.append(name)
            QTimer.singleShot(0, lambda: between.append(name))

        return take

    first, second = step("first"), step("second")
    queue.add(first, second)
    queue.add(first, step("third"))
    assert not taken, "no step holds up who adds it"
    qtbot.waitUntil(lambda: between == ["first", "second", "third"])
    assert taken == ["first", "second", "third"]
    queue.add(first)
    qtbot.waitUntil(lambda: taken[-1] == "first" and not queue.isActive())


def test_steps_that_wait_can_be_left_out_and_the_next_be_taken_now(qtbot) -> None:
    owner, taken = QObject(), []
    queue = TurnQueue(owner)
    queue.add(lambda: taken.append(1), lambda: taken.append(2))
    queue.take_next()
    assert taken == [1]
    queue.forget()
    qtbot.waitUntil(lambda: not queue.isActive())
    assert taken == [1]


def test_steps_that_are_added_together_keep_their_order_where_one_of_them_waits_already(qtbot) -> None:
    owner, taken = QObject(), []
    queue = TurnQueue(owner)
    shown, read = (lambda: taken.append("shown")), (lambda: taken.append("read"))
    queue.add(shown)
    for _ in range(3):
        queue.add(read, shown)
    qtbot.waitUntil(lambda: not queue.isActive())
    assert taken == ["shown", "read", "shown"], "what is shown is what was read, and the first is not put off"


def test_a_step_that_adds_another_is_followed_by_it(qtbot) -> None:
    owner, taken = QObject(), []
    queue = TurnQueue(owner)
    queue.add(lambda: (taken.append(1), queue.add(lambda: taken.append(2))))
    qtbot.waitUntil(lambda: taken == [1, 2])


def test_what_a_window_is_painted_in_is_a_turn_without_steps_and_results(qtbot, shown) -> None:
    seen: list[str] = []

    def note(what: str) -> None:
        seen.append(what)
        QTimer.singleShot(0, lambda: seen.append(f"after {what}"))

    class Painted(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            note("paint")

    window = BareDialog()
    part = Painted(window)
    shown(window)
    qtbot.waitUntil(lambda: seen == ["paint", "after paint"])
    seen.clear()
    queue, jobs = TurnQueue(window), Jobs()
    job = jobs.start("a job", iter(()))
    job.finished.connect(lambda _: note("result"))
    queue.add(lambda: note("step"))
    part.update()
    QApplication.sendPostedEvents()
    assert not seen, "an edit is not held up by what is painted for it"
    time.sleep(0.05)  # by now the step is due, and the job has finished
    qtbot.waitUntil(lambda: len(seen) == 6)
    assert seen[:2] == ["paint", "after paint"]


def test_a_window_that_changes_all_the_time_is_painted_and_holds_up_neither_steps_nor_results(
    qtbot, shown
) -> None:
    seen: set[str] = set()

    class Bar(QProgressBar):
        def paintEvent(self, event: QPaintEvent) -> None:
            seen.add(f"paint {self.value() > 0}")

    window = BareDialog()
    bar, all_the_time = Bar(window), QTimer(window, interval=0)
    shown(window)
    all_the_time.timeout.connect(lambda: bar.setValue(bar.value() % 100 + 1))
    all_the_time.start()
    job = Jobs(window).start("a job", iter(()))
    job.finished.connect(lambda _: seen.add("result"))
    queue = TurnQueue(window)
    queue.add(lambda: seen.add("step"))
    qtbot.waitUntil(lambda: {"paint True", "result", "step"} <= seen)


def test_a_window_keeps_to_turns_of_its_own_after_an_error_while_it_was_painted(qtbot, shown) -> None:
    painted: list[str] = []
    errors: list[Exception] = []

    class Part(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            painted.append("paint")
            if errors:
                raise errors.pop()

    window = BareDialog()
    part = Part(window)
    shown(window)
    qtbot.waitUntil(lambda: bool(painted) and not painting().isActive())
    with qtbot.capture_exceptions() as raised:
        errors.append(ValueError("a part cannot be drawn"))
        part.update()
        qtbot.waitUntil(lambda: not errors and not painting().isActive())
    assert raised
    painted.clear()
    part.update()
    QApplication.sendPostedEvents()
    assert not painted
    qtbot.waitUntil(lambda: painted == ["paint"])
