"""Packages that this program is held beside, each in a folder and a process of its own, as their pins ask."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def ask_peer(packages: Sequence[str], module: str, question: object) -> Any:
    """What a module of ours answers in a process that has packages without what they ask for.

    The module finds their folder as its first argument and the question as JSON on standard input; the last
    line that it prints is its answer. Raises CalledProcessError where pip or the module fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
        subprocess.run([*install, *packages], check=True)
        found = subprocess.run(
            [sys.executable, "-m", module, folder],
            input=json.dumps(question),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
    return json.loads(found.stdout.splitlines()[-1])
