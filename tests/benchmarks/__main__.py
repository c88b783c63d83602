"""Run all benchmarks, or those named: ``python -m tests.benchmarks [--smallest] rouge``."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import time
import traceback
from pathlib import Path

from tests.benchmarks import SIZE_VARIABLE

_OTHERS = ("__main__", "made_studies")
"""Modules that are no benchmarks."""


def names() -> list[str]:
    """Return the names of all benchmarks."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in modules if module.name not in _OTHERS)


def run(name: str) -> bool:
    """Run the `main` of one benchmark; print its traceback if it fails. Returns whether it ran."""
    print(f"\n{name}\n{'=' * len(name)}", flush=True)
    began = time.perf_counter()
    try:
        importlib.import_module(f"tests.benchmarks.{name}").main()
    except Exception:  # noqa: BLE001 - the others still run
        traceback.print_exc(file=sys.stdout)
        return False
    print(f"({time.perf_counter() - began:.0f} s)", flush=True)
    return True


def main() -> None:
    """Run the named benchmarks; exit with 1 and their names if some failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *names()], metavar="NAME")
    parser.add_argument("--smallest", action="store_true", help="the smallest sizes, to see that they run")
    options = parser.parse_args()
    if options.smallest:
        os.environ[SIZE_VARIABLE] = "smallest"
    sys.argv[1:] = []  # some read arguments of their own
    failed = [name for name in options.names or names() if not run(name)]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
