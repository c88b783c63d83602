"""A Dask cluster of the tests' own: a scheduler and workers, each a process of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.scoring.dask_cluster import connect

_WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
"""The scheduler imports modules of tests to run functions of them."""


@dataclass
class Cluster:
    """A running cluster. processes: of the scheduler, then of the workers."""

    address: str
    processes: list[subprocess.Popen[bytes]]

    def kill_a_worker(self) -> None:
        self.processes[-1].kill()

    def start_worker_of_another_version(self) -> None:
        code = (
            "import importlib.metadata as m; own = m.version; "
            "m.version = lambda name: '0.0.7' if name == 'pyramidion' else own(name); "
            f"from distributed.cli.dask_worker import main; main({(self.address, *_WORKER)!r})"
        )
        command = [sys.executable, "-c", code]
        self.processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, env=_ENVIRONMENT))

    def signal_workers(self, number: int, *, most: int | None = None) -> None:
        for worker in self.processes[1:][:most]:
            worker.send_signal(number)


@contextmanager
def running_cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Start a cluster and end it. folder: for its logs."""
    file, started = folder / "scheduler.json", list[subprocess.Popen[bytes]]()

    def start(module: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
        with (folder / f"{len(started)}.log").open("w") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=_ENVIRONMENT))

    try:
        here = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        start("dask_scheduler", *here, "--scheduler-file", str(file))
        wait_for(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        for _ in range(workers):
            start("dask_worker", address, *_WORKER)
        wait_for(lambda: _workers_of(address) == workers)
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


def wait_for(is_there: Callable[[], Any], seconds: float = 300.0) -> None:
    """Wait until something is there. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError("Dask did not come to what is waited for")
        time.sleep(0.1)
