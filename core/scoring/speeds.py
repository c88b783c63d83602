"""Measured speeds of metrics on this machine, from which the times of later runs are estimated."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.files.atomic_write import write_cached
from core.json_text import parse_json

if TYPE_CHECKING:
    from core.metrics.base import Metric, Resources


class Speeds:
    """Seconds per text of 100 words, by metric with its settings, and by device where a model computes it.

    They are kept in memory only until `use_folder` is called.
    """

    def __init__(self) -> None:
        self._file: Path | None = None
        self._known: dict[str, float] = {}
        self._is_read = False

    def use_folder(self, folder: Path) -> None:
        """Store speeds in a folder from now on; what is stored there is read when it is first needed."""
        self._file = folder / "speeds.json"
        self._is_read = False

    def of(self, metric: Metric, resources: Resources) -> float:
        """Return the measured time, else the metric's own estimate."""
        if not self._is_read and self._file is not None:
            self._known = {**_read(self._file), **self._known}
            self._is_read = True
        return self._known.get(_key(metric, resources)) or metric.seconds_per_text(resources)

    def note(self, measured: Mapping[Metric, float], resources: Resources) -> None:
        """Store the times of a run."""
        fresh_speeds = {_key(metric, resources): seconds for metric, seconds in measured.items()}
        self._known |= fresh_speeds
        if self._file is None or not measured:
            return
        stored = {**_read(self._file), **fresh_speeds}  # other processes have measured other metrics
        write_cached(self._file, json.dumps(stored, indent=1).encode())


@cache
def speeds() -> Speeds:
    """Return the speeds that this process knows."""
    return Speeds()


def _key(metric: Metric, resources: Resources) -> str:
    from core.metrics.base import MODELS  # every command line imports this module

    device = f"|device:{resources.device}" if metric.needs & MODELS else ""
    return f"{metric.spec}|version:{metric.version}{device}"


def _read(file: Path) -> dict[str, float]:
    try:
        known = parse_json(file.read_text(encoding="utf-8"))
        return {str(key): float(value) for key, value in known.items() if 0 < float(value) < math.inf}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
