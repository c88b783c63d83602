"""Where the program keeps what belongs to no study: settings, caches, reports of faults."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

from core.models.catalogue.digests import DigestCache

_DIRS = PlatformDirs("pyramidion", appauthor=False)


def config_folder() -> Path:
    """Settings of the window; the environment's PYRAMIDION_CONFIG overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_CONFIG") or _DIRS.user_config_path)


def cache_folder() -> Path:
    """What can be made again; the environment's PYRAMIDION_CACHE overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_CACHE") or _DIRS.user_cache_path)


def models_folder() -> Path:
    """Models that were downloaded; the environment's PYRAMIDION_MODELS overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_MODELS") or _DIRS.user_data_path / "models")


def indexes_folder() -> Path:
    """Indexes of documents; the environment's PYRAMIDION_INDEXES overrides the platform's place."""
    return Path(os.environ.get("PYRAMIDION_INDEXES") or _DIRS.user_data_path / "indexes")


def reports_folder() -> Path:
    """Reports of the program's own faults."""
    return _DIRS.user_log_path


def rescue_folder() -> Path:
    """Copies of studies whose own folder could not take them."""
    return _DIRS.user_data_path / "rescued"


def digests() -> DigestCache:
    """SHA-256 of models' weights, remembered between runs."""
    return DigestCache(cache_folder())
