"""Packages that add to the program, as they lie where pip installs them.

sample: adds a metric, a summarizer, an import and an export format. broken: fails in every way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.metrics import registry as metrics
from core.systems import registry as summarizers
from storage.formats import registry as formats

GROUPS = (metrics.PLUGINS, summarizers.PLUGINS, formats.PLUGINS)


@contextmanager
def installed(*names: str) -> Iterator[None]:
    """Put packages on Python's path as long as the block runs."""
    folders = [str(Path(__file__).parent / name) for name in names]
    before = set(sys.modules)
    sys.path[:0] = folders
    _forget()
    try:
        yield
    finally:
        sys.path[:] = [place for place in sys.path if place not in folders]
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in ("word_overlap", "broken_metrics"):
                del sys.modules[name]
        _forget()


def _forget() -> None:
    for group in GROUPS:
        group.forget()
