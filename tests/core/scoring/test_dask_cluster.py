"""Scoring on a real Dask scheduler with two worker processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from core.errors import InputError
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.scoring.dask_cluster import ClusterWorkers, connect
from core.scoring.engine import ScoringConfig, plan, score
from core.scoring.study_resources import StudyResources

SPECS = ("rouge-n:n=2,stem=yes", "rouge-l:stem=yes", "meteor:synonyms=none")


@dataclass
class Cluster:
    """A local Dask cluster."""

    address: str
    processes: list[subprocess.Popen]

    def kill_a_worker(self) -> None:
        os.kill(self.processes[-1].pid, signal.SIGKILL)


@pytest.fixture
def cluster(tmp_path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    started: list[subprocess.Popen] = []

    def start(module: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
        with (tmp_path / f"{len(started)}.log").open("w") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))

    try:
        here = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        start("dask_scheduler", *here, "--scheduler-file", str(file))
        _wait_for(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        for _ in range(2):
            start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        _wait_for(lambda: _workers_of(address) == 2)
        yield Cluster(address, started)
    finally:
        for process in started:
            process.kill()
            process.wait()


def _workers_of(address: str) -> int:
    try:
        client = connect(address)
    except InputError:
        return 0
    count = len(client.nthreads())
    client.close()
    return count


def _wait_for(is_there, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError("Dask did not start")
        time.sleep(0.1)


def values(study) -> dict[str, dict[str, list]]:
    return {
        s: {t: np.nan_to_num(b.values).tolist() for t, b in blocks.items()}
        for s, blocks in study.scores.stored.items()
    }


def test_a_cluster_gives_equal_scores_even_if_a_worker_is_killed(study, cluster):
    resources = StudyResources(study)
    configs = [ScoringConfig(parse(spec)) for spec in SPECS]
    what = plan(study, configs, resources)
    run_to_completion(score(study, what, resources))
    alone = values(study)
    study.scores.stored.clear()
    steps = score(study, plan(study, configs, resources), resources, ClusterWorkers(cluster.address))
    while not study.scores.stored:
        next(steps)
    cluster.kill_a_worker()
    report = run_to_completion(steps)
    assert not report.failures
    assert values(study) == alone


def test_an_unreachable_address_is_reported(monkeypatch):
    monkeypatch.setattr("core.scoring.dask_cluster._WAIT", "1s")
    with pytest.raises(InputError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9")
