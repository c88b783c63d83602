"""Cache of values that jobs compute: order, replacement, a value that is not needed any more."""

from __future__ import annotations

import threading

import pytest

from core.progress import Progress
from gui.background.jobs import JobCache, JobQueue, Jobs


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    jobs.cancel_all(5.0)


@pytest.fixture
def cache(jobs):
    made = JobCache(jobs, "Computing {}".format, JobQueue.DRAWING, jobs)
    made.order = []
    made.computed.connect(made.order.append)
    return made


@pytest.fixture
def go():
    """Lets the held computations end."""
    event = threading.Event()
    yield event
    event.set()


def value(result, go=None):
    while go is not None and not go.wait(0.002):
        yield Progress(0, 1)
    yield Progress(1, 1)
    return result


def test_values_are_computed_in_order_and_once(cache, jobs, qtbot):
    titles = []
    jobs.started.connect(lambda job: titles.append(job.title))
    cache.ask({"a": value(1), "b": value(2)})
    qtbot.waitUntil(lambda: cache.order == ["a", "b"])
    cache.ask({"b": value(3), "c": value(4)})
    qtbot.waitUntil(lambda: cache.order == ["a", "b", "c"])
    assert [cache.get(key) for key in "abcd"] == [1, 2, 4, None]
    assert titles == ["Computing a", "Computing b", "Computing c"]


def test_a_later_request_replaces_an_earlier_one(cache, go, qtbot):
    cache.ask({"a": value(1, go), "b": value(2)})
    cache.ask({"c": value(3)})
    qtbot.waitUntil(lambda: cache.order == ["c"] and not cache.is_running)
    assert cache.get("a") is None


def test_a_value_that_is_being_computed_is_not_started_again(cache, go, qtbot):
    cache.ask({"a": value(1, go)})
    cache.ask({"a": value(2), "b": value(3)})
    go.set()
    qtbot.waitUntil(lambda: cache.order == ["a", "b"])
    assert cache.get("a") == 1


def test_a_value_of_before_the_cache_was_cleared_is_dropped(cache, jobs, qtbot):
    cache.ask({"a": value(1)})
    job = jobs.current(JobQueue.DRAWING)
    assert job.wait(5.0)
    with qtbot.waitSignal(job.ended):
        cache.clear()
    assert cache.order == []
    assert cache.get("a") is None


def test_a_value_of_none_is_known_without_a_signal(cache, qtbot):
    cache.ask({"a": value(None), "b": value(1)})
    qtbot.waitUntil(lambda: cache.order == ["b"])
    cache.ask({"a": value(2)})
    assert not cache.is_running


def test_after_a_failure_the_next_value_is_computed(cache, qtbot):
    def broken():
        yield Progress(0, 1)
        raise ZeroDivisionError

    cache.ask({"a": broken(), "b": value(1)})
    qtbot.waitUntil(lambda: cache.order == ["b"])
