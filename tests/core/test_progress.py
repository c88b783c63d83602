"""Progress of jobs."""

from __future__ import annotations

import pytest

from core.progress import Cancelled, Progress, cancellable, raise_if_cancelled, run_to_completion


def test_a_job_run_to_its_end_gives_its_result():
    def job():
        yield Progress(1, 2)
        yield Progress(2, 2)
        return "done"

    assert run_to_completion(job()) == "done"


def test_a_long_step_stops_where_it_asks_and_only_while_its_job_is_to_stop() -> None:
    raise_if_cancelled()
    with cancellable(lambda: False):
        raise_if_cancelled()
    with cancellable(lambda: True), pytest.raises(Cancelled):
        raise_if_cancelled()
    raise_if_cancelled()
