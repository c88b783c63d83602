"""Background jobs: progress, cancellation, errors."""

from __future__ import annotations

import _thread
import os
import sys
import threading
import time

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from core.progress import Progress
from gui.background.jobs import JobQueue, Jobs, with_time_left


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    jobs.cancel_all(5.0)


def count(steps, result=None):
    for i in range(steps):
        yield Progress(i + 1, steps)
    return result


def endless(closed):
    try:
        while True:
            time.sleep(0.002)
            yield Progress(0, 0)
    finally:
        closed.set()


def test_a_job_returns_its_result_and_emits_on_the_gui_thread(jobs, qtbot) -> None:
    seen = []
    job = jobs.start("Counting", count(200, 42))
    job.progressed.connect(
        lambda p: seen.append((p.done, threading.current_thread() is threading.main_thread()))
    )
    with qtbot.waitSignal(job.finished) as done:
        pass
    assert done.args == [42]
    assert seen[-1][0] == 200
    assert all(on_gui_thread for _, on_gui_thread in seen)


def test_a_cancelled_job_closes_its_generator_and_emits_only_cancelled(jobs, qtbot) -> None:
    closed, emitted = threading.Event(), []
    job = jobs.start("Endless", endless(closed))
    job.finished.connect(lambda _: emitted.append("finished"))
    job.failed.connect(lambda _: emitted.append("failed"))
    with qtbot.waitSignal(job.cancelled):
        job.cancel()
    assert closed.is_set()
    assert emitted == []


def test_a_runtime_error_is_a_failure_like_any_other(jobs, qtbot) -> None:
    def bad():
        yield Progress(0, 1)
        raise RuntimeError("CUDA out of memory")

    with qtbot.waitSignal(jobs.failed) as got:
        jobs.start("Bad", bad())
    assert "CUDA" in str(got.args[1])


def test_a_queue_runs_one_job_at_a_time_and_queues_run_in_parallel(jobs, qtbot) -> None:
    closed = threading.Event()
    first = jobs.start("First", endless(closed), JobQueue.SCORING)
    second = jobs.start("Second", count(3, "second"), JobQueue.SCORING)
    other = jobs.start("Other", count(3, "other"), JobQueue.READING)
    with qtbot.waitSignal(other.finished):
        pass
    assert jobs.current(JobQueue.SCORING) is first
    with qtbot.waitSignal(second.finished):
        first.cancel()
    assert closed.is_set()


def test_closing_stops_everything_within_the_time_given(jobs, qtbot) -> None:
    closed = [threading.Event(), threading.Event()]
    jobs.start("One", endless(closed[0]), JobQueue.SCORING)
    jobs.start("Two", endless(closed[1]), JobQueue.FILES)
    qtbot.wait(20)
    assert jobs.cancel_all(3.0)
    assert all(event.is_set() for event in closed)


def test_a_result_that_was_ready_before_closing_is_not_delivered_after_it(jobs, qtbot) -> None:
    job, results = jobs.start("One", count(3)), []
    job.finished.connect(lambda result: results.append(result))
    job.cancelled.connect(lambda: results.append("cancelled"))
    assert job.wait(60)
    assert jobs.cancel_all(3.0)
    qtbot.waitUntil(lambda: bool(results))
    assert results == ["cancelled"]


def test_closing_does_not_wait_for_work_that_will_not_stop(jobs) -> None:
    release = threading.Event()

    def stubborn():
        release.wait(600)
        yield Progress(1, 1)

    jobs.start("Stubborn", stubborn())
    assert not jobs.cancel_all(0.1)
    release.set()


def test_time_left_is_estimated_once_enough_is_done() -> None:
    assert with_time_left(Progress(25, 100), 10.0).seconds_left == pytest.approx(30.0)
    assert with_time_left(Progress(25, 100), 0.1).seconds_left is None
    assert with_time_left(Progress(0, 0), 10.0).seconds_left is None
    assert with_time_left(Progress(25, 100, seconds_left=7.0), 10.0).seconds_left == 7.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities for threads")
@pytest.mark.parametrize(("queue", "is_lowered"), [(JobQueue.SCORING, True), (JobQueue.READING, False)])
def test_scoring_lowers_the_priority_of_native_threads_but_not_of_python_threads(
    jobs, qtbot, queue, is_lowered
) -> None:
    native, is_running, may_end = [], threading.Event(), threading.Event()

    def compute() -> None:  # unknown to `threading`, like a thread that a library starts
        native.append(threading.get_native_id())
        is_running.set()
        may_end.wait()

    def priority(native_id: int) -> int:
        return os.getpriority(os.PRIO_PROCESS, native_id)

    def work():
        python = threading.Thread(target=may_end.wait)
        python.start()
        _thread.start_new_thread(compute, ())
        is_running.wait()
        yield Progress(1, 2)
        found = [priority(i) for i in (*native, python.native_id, threading.get_native_id())]
        may_end.set()
        yield Progress(2, 2)
        return found

    with qtbot.waitSignal(jobs.start("Working", work(), queue).finished) as done:
        pass
    assert [found > priority(0) for found in done.args[0]] == [is_lowered, False, False]


def test_a_job_whose_owner_is_deleted_only_ends(jobs, qtbot) -> None:
    owner, taken = QObject(), []
    job = jobs.start("Counting", count(3), owner=owner)
    for signal in (job.progressed, job.finished, job.failed):
        signal.connect(taken.append)
    job.cancelled.connect(lambda: taken.append("cancelled"))
    with qtbot.waitSignal(jobs.ended):
        owner.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert taken == []
