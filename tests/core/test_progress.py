"""Progress of jobs."""

from __future__ import annotations

import pytest

from core.progress import Cancelled, Progress, cancellable, raise_if_cancelled, run_to_completion


def test_a_finished_job_returns_its_result():
    def job():
        yield Progress(1, 2)
        yield Progress(2, 2)
        return "done"

    assert run_to_completion(job()) == "done"


def test_a_long_step_stops_at_its_check_only_while_cancelled() -> None:
    raise_if_cancelled()
    with cancellable(lambda: False):
        raise_if_cancelled()
    with cancellable(lambda: True), pytest.raises(Cancelled):
        raise_if_cancelled()
    raise_if_cancelled()
