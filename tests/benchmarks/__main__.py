"""Run all benchmarks, or those named: ``python -m tests.benchmarks rouge``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

_OTHERS = ("__main__", "made_studies")
"""Modules that are no benchmarks."""


def main(names: list[str]) -> None:
    """Run `main` of each named module, or of every module."""
    known = sorted(
        m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name not in _OTHERS
    )
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"No benchmark is named {unknown[0]!r}. There are: {', '.join(known)}.")
    for name in names or known:
        print(f"\n{name}\n{'=' * len(name)}", flush=True)
        importlib.import_module(f"tests.benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
