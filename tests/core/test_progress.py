"""Jobs told step by step."""

from __future__ import annotations

from core.progress import Progress, run


def test_a_job_run_to_its_end_gives_its_result():
    def job():
        yield Progress(1, 2)
        yield Progress(2, 2)
        return "done"

    assert run(job()) == "done"
