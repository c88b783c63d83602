"""Every benchmark runs at its smallest size, and the pictures are drawn; neither is compared with before."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from core.metrics.registry import metrics
from tests.benchmarks.__main__ import names

ROOT = Path(__file__).parents[1]


def test_the_table_of_speeds_in_the_manual_has_every_metric() -> None:
    page = (ROOT / "resources/help/metrics.md").read_text("utf-8")
    section = page.partition("\n## Speed\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)
    assert listed == [kind.name for kind in metrics()]


def test_every_benchmark_can_be_imported_and_run() -> None:
    for name in names():
        assert callable(import_module(f"tests.benchmarks.{name}").main), name


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_every_picture_of_the_manual_can_be_drawn(tmp_path) -> None:
    code = "import sys; from pathlib import Path; from tests.pictures import draw; draw(Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout + done.stderr
    images = ROOT / "resources/help/images"
    assert {one.name for one in tmp_path.iterdir()} == {one.name for one in images.glob("*.png")}
