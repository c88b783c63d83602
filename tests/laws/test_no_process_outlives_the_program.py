"""Processes that the program starts end with it, even where it is killed and cannot end them itself.

How the law was tried to be broken: workers that compute, sleep or wait for work; a program that ignores
SIGTERM and has started another one; the program killed while it starts them; a new place that starts
processes, which the second test finds.
"""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

PATIENCE_S = 120.0

PARENT = """
import os, subprocess, sys, threading, time
from core.files.allowed_names import NameKind, allowed_names
from core.files.programs import exchange
from core.worker_processes import worker_pool

def busy(seconds):
    end = time.time() + seconds
    while time.time() < end:
        pass

if __name__ == "__main__":
    folder = sys.argv[1]
    command = f"{sys.executable} {folder}/program.py {folder}"
    allowed_names().allow(NameKind.COMMAND, command)
    threading.Thread(target=lambda: list(exchange(command, [], 600, "", "")), daemon=True).start()
    pool = worker_pool(3)
    for call in (busy, time.sleep):
        pool.submit(call, 600)
    pool.submit(os.getpid).result()
    while not os.path.exists(f"{folder}/program"):
        time.sleep(0.05)
    print(*pool._processes, open(f"{folder}/program").read(), flush=True)
    time.sleep(600)
"""
PROGRAM = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1] + "/unfinished", "w") as file:
    file.write(f"{os.getpid()} {other.pid}")
os.rename(sys.argv[1] + "/unfinished", sys.argv[1] + "/program")
time.sleep(600)
"""


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_workers_and_programs_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "parent.py"), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert parent.stdout is not None
    with parent.stdout:
        started = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(started) == 3 + 2
    assert all(map(_is_alive, started))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    end = time.monotonic() + PATIENCE_S
    while any(map(_is_alive, started)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [pid for pid in started if _is_alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


STARTERS = {
    "core/worker_processes.py": "its processes wait for the end of their parent",
    "core/files/programs.py": "a supervisor ends the program once this process has closed a pipe",
    "core/models/encoders/use.py": "the process reads its standard input until this process has closed it",
    "core/metrics/learned/released_models.py": "the process reads one file and ends",
    "storage/desktop_entries.py": "the desktop's programs read a folder and end",
}


def test_processes_are_started_in_known_places_alone() -> None:
    found = set()
    for package in ("core", "storage", "cli", "gui", "pyramidion"):
        for file in (ROOT / package).rglob("*.py"):
            text = file.read_text("utf-8")
            if not any(name in text for name in ("Process", "Popen", "subprocess.", "os.system", "os.fork")):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):
                    called = ast.unparse(node.func)
                    if called.rpartition(".")[2] in ("ProcessPoolExecutor", "Popen", "Process") or called in (
                        "subprocess.run", "subprocess.check_output", "subprocess.call", "os.system", "os.fork"
                    ):  # fmt: skip
                        found.add(file.relative_to(ROOT).as_posix())
    assert found == set(STARTERS)
