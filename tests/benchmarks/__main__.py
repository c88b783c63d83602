"""Run all benchmarks, or those named: ``python -m tests.benchmarks [--smallest] rouge``."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks import SIZE_VARIABLE

_OTHERS = ("__main__", "made_studies")
"""Modules that are no benchmarks."""
_LIBRARIES = (
    "PySide6.QtWidgets",
    "matplotlib.backends.backend_qtagg",
    "ot",
    "transformers.models.bert.modeling_bert",
)
"""Slow imports of most benchmarks; they start no thread, which a copy of the process would lack."""


def names() -> list[str]:
    """Return the names of all benchmarks."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in modules if module.name not in _OTHERS)


def run(name: str, *, is_smallest: bool = False) -> bool:
    """Run one benchmark in a process of its own, without its windows and memory left to the next one."""
    print(f"\n{name}\n{'=' * len(name)}", flush=True)
    began = time.perf_counter()
    code = _forked(name) if is_smallest and hasattr(os, "fork") else _started(name)
    print(f"({time.perf_counter() - began:.0f} s)" if code == 0 else f"(failed: {code})", flush=True)
    return code == 0


def _started(name: str) -> int:
    command = f"import tests.benchmarks.{name} as benchmark; benchmark.main()"
    return subprocess.run([sys.executable, "-c", command], check=False).returncode


def _forked(name: str) -> int:
    """Run a benchmark in a copy of this process, which has loaded the libraries already."""
    for library in _LIBRARIES:
        importlib.import_module(library)
    child = os.fork()
    if child == 0:
        importlib.import_module(f"tests.benchmarks.{name}").main()
        sys.exit()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Run the named benchmarks; exit with 1 and their names if some failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *names()], metavar="NAME")
    parser.add_argument("--smallest", action="store_true", help="the smallest sizes, to see that they run")
    options = parser.parse_args()
    if options.smallest:
        os.environ[SIZE_VARIABLE] = "smallest"
    failed = [name for name in options.names or names() if not run(name, is_smallest=options.smallest)]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
