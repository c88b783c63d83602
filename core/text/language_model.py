"""The model that detects languages by words; it is unpacked once into the user's cache and memory-mapped."""

from __future__ import annotations

import logging
import os
import time
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

_ARRAYS = ("nb_ptc", "nb_pc", "nb_classes", "tk_nextmove", "tk_output", "tk_row")
"""Attributes of an identifier; its constructor takes them in this order."""

_log = logging.getLogger(__name__)
_folders: list[Path] = []


def use_folder(folder: Path) -> None:
    """Unpack the model into a folder from now on, 70 MB; without one, it is unpacked by each process."""
    _folders[:] = [folder]


@cache
def language_identifier() -> Any:
    """Return the identifier of py3langid; unpacking its model takes half a second, mapping it a hundredth."""
    import numpy as np
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    packed = (MODEL_DIR / MODEL_FILE).stat()
    places = [folder / f"languages-{packed.st_size}-{packed.st_mtime_ns}" for folder in _folders]
    for place in places:
        try:
            found = [np.load(place / f"{name}.npy", mmap_mode="r") for name in _ARRAYS]
        except (OSError, ValueError, EOFError):  # EOFError: an empty file
            continue
        scores, priors, classes, moves, features, rows = map(np.asarray, found)
        tables = scores, priors, classes.tolist(), moves.data, features.tolist()
        return LanguageIdentifier(*tables, norm_probs=True, tk_row=rows.tolist())
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    for place in places:
        try:
            _store(place, {name: np.asarray(getattr(identifier, name)) for name in _ARRAYS})
        except OSError as error:  # the model is unpacked again next time
            _log.warning("could not store the language model in %s: %s", place, error)
    return identifier


def _store(place: Path, arrays: dict[str, Any]) -> None:
    """Write arrays into a new folder that appears complete, and remove those of other versions."""
    import numpy as np

    place.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=".languages-", dir=place.parent))
    try:
        for name, array in arrays.items():
            with (part / f"{name}.npy").open("wb") as file:
                np.save(file, array)
                file.flush()
                os.fsync(file.fileno())
        a_day_ago = time.time() - 86_400
        for other in (*place.parent.glob("languages-*"), *place.parent.glob(".languages-*")):
            if not other.name.startswith(".") or other.stat().st_mtime < a_day_ago:  # one of a killed process
                rmtree(other, ignore_errors=True)
        part.rename(place)
    finally:
        rmtree(part, ignore_errors=True)
