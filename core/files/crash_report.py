"""Crash reports."""

from __future__ import annotations

import logging
import platform
import re
import traceback
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_log = logging.getLogger(__name__)
_MOST_MESSAGE = 300
"""Characters of a message."""
_SECRET = re.compile(r"(://[^\s/:@]*):[^\s/@]*@")
_PACKAGES = ("pyramidion", "PySide6-Essentials", "SQLAlchemy", "numpy", "torch", "transformers")


def write_crash_report(error: BaseException, *folders: Path) -> Path | None:
    """Write a crash report into the first writable folder; return the file, None = none is writable.

    It contains versions and the traceback. Messages of errors, which may quote texts of a study, are cut, and
    passwords in URLs are left out.
    """
    lines = [
        f"Python {platform.python_version()} on {platform.platform()}",
        *(f"{name} {_version(name)}" for name in _PACKAGES),
        "",
        *map(_without_texts, traceback.format_exception(error)),
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


def _without_texts(entry: str) -> str:
    """Return an entry of a traceback with a short message."""
    if not entry.startswith("  "):  # a message, or a heading
        first = entry.strip().splitlines()[0] if entry.strip() else ""
        entry = f"{first[:_MOST_MESSAGE]}{' …' if entry.strip() != first[:_MOST_MESSAGE] else ''}\n"
    return _SECRET.sub(r"\1:***@", entry)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
