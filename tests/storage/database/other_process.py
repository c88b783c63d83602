"""Programs that use a study while a test does. Each is a process of its own, as its locks are."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import ROOT

_EDITING = """
import os, signal, sys
from pathlib import Path
from storage.study_file import open_study
study = open_study(Path(sys.argv[1]))
for key in sys.argv[2:]:
    study.settings.save(key, "other").result()
os.kill(os.getpid(), signal.SIGKILL)
"""

_WRITING_ON = """
import itertools, sys
from pathlib import Path
from storage.study_file import open_study
from tests.storage.database.other_process import drop_locks
study = open_study(Path(sys.argv[1]))
for number in itertools.count():
    study.settings.save(f"{sys.argv[2]}{number}", "other").result()
    print(f"{sys.argv[2]}{number}", flush=True)
    drop_locks(study.path)
"""


_READING = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM edits").fetchone(), flush=True)
sys.stdin.read()
connection.close()
"""


def drop_locks(path: Path) -> None:
    """Open and close the files of a study as code in C does, which drops all locks of SQLite here."""
    library = ctypes.CDLL(None)
    for ending in ("", "-wal", "-shm"):
        handle = library.open(os.fsencode(f"{path}{ending}"), os.O_RDONLY)
        assert handle >= 0, f"{path.name}{ending} is gone"
        library.close(handle)


def score(path: Path, metric: str) -> None:
    """Score a study by the command line."""
    code = "import sys; from cli.main import run; run()"
    words = [sys.executable, "-c", code, "score", str(path), "-m", metric]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=600)


def copy_file(source: Path | str, target: Path | str) -> None:
    """Copy a file in another process: in this one nothing may open a study that is open."""
    code = "import shutil, sys; shutil.copy(*sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, source, target], check=True)


def edit_and_die(path: Path, *keys: str) -> None:
    """Save settings in a process that is then killed, so that its log stays."""
    ended = subprocess.run([sys.executable, "-c", _EDITING, str(path), *keys], cwd=ROOT, timeout=600)
    assert ended.returncode == -signal.SIGKILL


def writing_on(path: Path, prefix: str) -> subprocess.Popen[str]:
    """Start a process that saves settings and drops its locks until it is killed; it prints saved keys."""
    words = [sys.executable, "-c", _WRITING_ON, str(path), prefix]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@contextmanager
def another_tool(path: Path) -> Iterator[None]:
    """Have a study open in a process of another program that uses SQLite."""
    words = [sys.executable, "-c", _READING, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline()
        yield
        process.stdin.close()
        assert process.wait(600) == 0


def kill(process: subprocess.Popen[str]) -> list[str]:
    """Kill a process and return the lines that it still printed."""
    process.kill()
    assert process.stdout is not None
    lines = process.stdout.read().split()
    process.stdout.close()
    process.wait(600)
    return lines
