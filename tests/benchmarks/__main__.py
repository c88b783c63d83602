"""Run all benchmarks, or those named: ``python -m tests.benchmarks [--smallest] rouge``."""

from __future__ import annotations

import argparse
import os
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks import SIZE_VARIABLE

_OTHERS = ("__main__", "made_studies")
"""Modules that are no benchmarks."""


def names() -> list[str]:
    """Return the names of all benchmarks."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in modules if module.name not in _OTHERS)


def run(name: str) -> bool:
    """Run one benchmark in a process of its own, without its windows and memory left to the next one."""
    print(f"\n{name}\n{'=' * len(name)}", flush=True)
    began = time.perf_counter()
    command = f"import tests.benchmarks.{name} as benchmark; benchmark.main()"
    code = subprocess.run([sys.executable, "-c", command], check=False).returncode
    print(f"({time.perf_counter() - began:.0f} s)" if code == 0 else f"(failed: {code})", flush=True)
    return code == 0


def main() -> None:
    """Run the named benchmarks; exit with 1 and their names if some failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *names()], metavar="NAME")
    parser.add_argument("--smallest", action="store_true", help="the smallest sizes, to see that they run")
    options = parser.parse_args()
    if options.smallest:
        os.environ[SIZE_VARIABLE] = "smallest"
    failed = [name for name in options.names or names() if not run(name)]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
