"""Folders below the models' folder: made aside, checked there, and put in place at once."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import InputError
from core.files.locks import exclusive

_ASIDE = ".adding"
_LOCK = ".adding.lock"
_REPLACED = ".replaced"
"""In the folder aside: the model that is being replaced, by its name. No model's name begins with a dot."""
_WAIT_S = 3.0
"""Seconds for another program to put a downloaded model in place; to convert one it may take minutes."""
_UNREADABLE = frozenset({errno.EACCES, errno.EPERM, errno.ENOENT, errno.EIO})
"""Errors of the files that are added; a full disk is reported with their names too."""


@contextmanager
def aside(models: Path) -> Iterator[Path]:
    """Provide an empty folder on the disk of the models, which is removed in any case.

    What a killed run left is removed first. Raises InputError, also while another program adds a model.
    """
    folder = models / _ASIDE
    refusal = f"Another program is adding a model to {models}. Add this one when it has finished."
    try:
        models.mkdir(parents=True, exist_ok=True)
        with exclusive(models / _LOCK, refusal, _WAIT_S):
            _clear(folder)
            folder.mkdir()
            try:
                yield folder
            finally:
                _clear(folder)
    except OSError as error:
        where, why = Path(str(error.filename or models)), error.strerror or error
        if error.errno in _UNREADABLE and not where.is_relative_to(models):
            remedy = "Make it readable, then add the model again."
        else:
            remedy = "Free some space, or set PYRAMIDION_MODELS to another folder."
        raise InputError(f"{where} cannot be read or written ({why}). {remedy}") from error


def put_in_place(made: Path, place: Path, folder: Path) -> None:
    """Let a folder replace the one at its place. folder: provided by `aside`.

    Whenever it is killed, the former or the new one is there, or the former is after the next `aside`.
    """
    if os.path.lexists(place):
        former = folder / _REPLACED / place.name
        former.parent.mkdir()
        place.replace(former)
    made.replace(place)  # _clear puts the former one back if this fails


def _clear(folder: Path) -> None:
    """Remove the folder aside; a model that was taken from its place, and not replaced, goes back."""
    for former in (folder / _REPLACED).glob("*"):
        place = folder.parent / former.name
        if not os.path.lexists(place):
            former.replace(place)
    shutil.rmtree(folder, ignore_errors=True)
