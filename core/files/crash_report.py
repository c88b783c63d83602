"""Reports of the program's own faults, for whoever mends them."""

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
    """Write what happened into the first folder that takes it and return the file, None where none does.

    It holds versions and the trace: no text of a study beyond what the error's own message quotes.
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
        except OSError as refused:
            _log.warning("The report could not be kept in %s: %s", folder, refused.strerror)
            continue
        return path
    return None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
