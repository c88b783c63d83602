"""Status of running jobs in the window."""

from __future__ import annotations

import threading

import pytest

from core.progress import Progress
from gui.background.jobs import Jobs
from gui.shell.status_line import JobStatus, StatusLine


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    jobs.cancel_all(5.0)


def held(release: threading.Event):
    """A job that goes on until it is released or cancelled."""
    while not release.wait(0.005):
        yield Progress(1, 4, "bertscore")


def test_a_job_is_shown_once_it_lasts_and_until_it_ends(jobs, shown, qtbot) -> None:
    line, release = shown(StatusLine()), threading.Event()
    presenter = JobStatus(line, jobs)
    jobs.start("Scoring", held(release))
    assert not line.bar.isVisible()
    qtbot.waitUntil(line.bar.isVisible)
    assert line.job_label.text() == "Scoring · bertscore"
    assert line.percent_label.text() == "25 %"
    release.set()
    qtbot.waitUntil(lambda: not line.bar.isVisible())
    assert presenter is not None


def test_cancel_stops_the_job_that_is_shown(jobs, shown, qtbot) -> None:
    line = shown(StatusLine())
    presenter = JobStatus(line, jobs)
    job = jobs.start("Scoring", held(threading.Event()))
    qtbot.waitUntil(line.cancel_button.isVisible)
    with qtbot.waitSignal(job.cancelled):
        line.cancel_button.click()
    assert presenter is not None
