"""Jobs told step by step."""

from __future__ import annotations

import pytest

from core.progress import Interrupted, Progress, interruptible, run, stop_if_asked


def test_a_job_run_to_its_end_gives_its_result():
    def job():
        yield Progress(1, 2)
        yield Progress(2, 2)
        return "done"

    assert run(job()) == "done"


def test_a_long_step_stops_where_it_asks_and_only_while_its_job_is_to_stop() -> None:
    stop_if_asked()
    with interruptible(lambda: False):
        stop_if_asked()
    with interruptible(lambda: True), pytest.raises(Interrupted):
        stop_if_asked()
    stop_if_asked()
