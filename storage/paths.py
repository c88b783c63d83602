"""Where the program keeps what belongs to no study: settings, caches, reports of faults."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from platformdirs import PlatformDirs

from core.models.hashing import Digests

_DIRS = PlatformDirs("pyramidion", appauthor=False)


def config_folder() -> Path:
    """Settings of the window; the environment's PYRAMIDION_CONFIG overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_CONFIG") or _DIRS.user_config_path)


def cache_folder() -> Path:
    """What can be made again; the environment's PYRAMIDION_CACHE overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_CACHE") or _DIRS.user_cache_path)


def reports_folder() -> Path:
    """Reports of the program's own faults."""
    return _DIRS.user_log_path


def digests() -> Digests:
    """SHA-256 of models' weights, remembered between runs."""
    return Digests(cache_folder())


def keep_report(error: BaseException) -> Path:
    """Write what is known of a fault to a file and say where it lies."""
    name = f"fault-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    lines = [
        f"Pyramidion {version('pyramidion')}, Python {platform.python_version()}, {platform.platform()}",
        "",
        *traceback.format_exception(error),
    ]
    for folder in (reports_folder(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return folder / name
    return Path(name)
