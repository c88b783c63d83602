"""Every benchmark runs at its smallest size; what they measure is not asserted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import names

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.data
def test_every_benchmark_runs_at_its_smallest_size(shared_data) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", "--smallest"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [name for name in lines if name in names()] == names()
