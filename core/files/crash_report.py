"""Crash reports."""

from __future__ import annotations

import logging
import platform
import traceback
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_log = logging.getLogger(__name__)
_PACKAGES = ("pyramidion", "PySide6-Essentials", "SQLAlchemy", "numpy", "torch", "transformers")


def write_crash_report(error: BaseException, *folders: Path) -> Path | None:
    """Write a crash report into the first writable folder; return the file, None = none is writable.

    It contains versions and the traceback: no text of a study beyond the error's own message.
    """
    lines = [
        f"Python {platform.python_version()} on {platform.platform()}",
        *(f"{name} {_version(name)}" for name in _PACKAGES),
        "",
        *traceback.format_exception(error),
    ]
    for folder in folders:
        path = folder / f"failure-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
        except OSError as failure:
            _log.warning("The report could not be written to %s: %s", folder, failure.strerror)
            continue
        return path
    return None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
