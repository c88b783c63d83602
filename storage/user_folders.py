"""Folders of the user for files that belong to no study: settings, caches, models, crash reports."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("pyramidion", appauthor=False)


def config_folder() -> Path:
    """Return the settings folder: $PYRAMIDION_CONFIG or the platform's default."""
    return Path(os.environ.get("PYRAMIDION_CONFIG") or _DIRS.user_config_path)


def settings_file() -> Path:
    """Return the file of the preferences."""
    return config_folder() / "settings.json"


def cache_folder() -> Path:
    """Return the cache folder: $PYRAMIDION_CACHE or the platform's default."""
    return Path(os.environ.get("PYRAMIDION_CACHE") or _DIRS.user_cache_path)


def mappings_folder() -> Path:
    """Return the folder of the user's import mappings."""
    return config_folder() / "imports"


def data_sets_folder() -> Path:
    """Return the folder of downloaded data sets."""
    return cache_folder() / "datasets"


def models_folder() -> Path:
    """Return the folder of downloaded models: $PYRAMIDION_MODELS or the platform's default."""
    return Path(os.environ.get("PYRAMIDION_MODELS") or _DIRS.user_data_path / "models")


def indexes_folder() -> Path:
    """Return the folder of document indexes: $PYRAMIDION_INDEXES or the platform's default."""
    return Path(os.environ.get("PYRAMIDION_INDEXES") or _DIRS.user_data_path / "indexes")


def reports_folder() -> Path:
    """Return the folder of crash reports."""
    return _DIRS.user_log_path


def rescue_folder() -> Path:
    """Return the folder of rescue copies that cannot be written next to their study."""
    return _DIRS.user_data_path / "rescued"
