"""Tasks on all processors."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_info

from core.progress import Progress, run_to_completion
from core.stats.resampling.parallel import map_threads


def threads_of_products() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_all_tasks_are_done_and_counted():
    done: list[int] = []
    progress = list(map_threads([lambda i=i: done.append(i) for i in range(5)], "Working"))
    assert sorted(done) == [0, 1, 2, 3, 4]
    assert progress == [Progress(i, 5, "Working") for i in range(1, 6)]
    assert run_to_completion(map_threads([], "Nothing")) is None


def test_failures_are_raised():
    with pytest.raises(ZeroDivisionError):
        run_to_completion(map_threads([lambda: None, lambda: 1 // 0], "Failing"))


def test_blas_threads_are_restored_after_the_last_job():
    before = threads_of_products()
    first, second = (map_threads([lambda: None] * 3, "Working") for _ in range(2))
    next(first)
    next(second)
    assert threads_of_products() == {1}
    first.close()
    assert threads_of_products() == {1}
    second.close()
    assert threads_of_products() == before
