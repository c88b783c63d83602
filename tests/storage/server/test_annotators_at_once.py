"""Annotators work on one study at the same time while their connections are killed."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from tests.benchmarks.server_annotators import Pace, simulate


def test_nothing_acknowledged_is_lost_when_connections_are_killed(postgres):
    now = time.time()
    pace = Pace(now + 0.5, now + 3.5, pause=0.05)
    with ThreadPoolExecutor(4) as pool:
        outcome = simulate(
            postgres, postgres.create_database(), pool, 4, pace, kill_pause=0.1, kill_all_pause=1.0
        )
    assert outcome.lost == []
    assert outcome.killed
    assert all(work.seconds and work.saw_others and not work.failures for work in outcome.work)
