"""How a verb ends before its time."""

from __future__ import annotations

from core.errors import InputError, PyramidionError
from core.ports import Study


class CommandInterrupted(PyramidionError):
    """The user pressed Ctrl+C; what was done is kept."""


def require_writable(study: Study) -> None:
    """Raise InputError where a study is open for reading only; long work asks this first."""
    if study.read_only:
        raise InputError(study.read_only)
