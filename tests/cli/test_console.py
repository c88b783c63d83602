"""What verbs do where standard output takes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import BAD_INPUT, DONE
from tests.conftest import ROOT

FULL = Path("/dev/full")
"""Linux's disk that is always full."""

TABLE = """
from cli import console
from cli.main import _tell
from core.errors import PyramidionError
rows, columns = [{"a": 1}], {"a": "A"}
try:
    {put}
except PyramidionError as error:
    raise SystemExit(_tell(error))
"""
PUTS = {
    "json": "console.put_json(rows)",
    "csv": "console.put_csv(rows, ['a'])",
    "table": "console.put_table(rows, columns)",
}


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is a device of Linux; run on Linux")
@pytest.mark.parametrize("put", PUTS)
def test_a_result_that_a_full_disk_does_not_take_is_told(put):
    with FULL.open("w") as full:
        ended = _run([sys.executable, "-c", TABLE.replace("{put}", PUTS[put])], stdout=full)
    assert ended.returncode == BAD_INPUT
    assert ended.stderr == (
        "The result could not be written to standard output: No space left on device. Send it elsewhere.\n"
    )


@pytest.mark.parametrize(("closed", "heard"), [("1", "may be downloaded"), ("2", "")])
def test_a_stream_that_the_shell_closed_is_no_fault_and_mixes_with_no_other(closed, heard, tmp_path):
    verb = f"{sys.executable} -c 'from cli.main import run; run()' models offline {closed}>&-"
    ended = _run(["sh", "-c", verb], stdout=subprocess.PIPE, env={"PYRAMIDION_CONFIG": str(tmp_path)})
    assert ended.returncode == DONE
    assert heard in ended.stderr
    assert ended.stdout == ""


def _run(command, stdout=None, env=None):
    return subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
        env={**os.environ, **(env or {})},
    )
