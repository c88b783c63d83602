"""Errors and checks of commands."""

from __future__ import annotations

from core.errors import InputError, PyramidionError
from core.ports import Study


class CommandInterrupted(PyramidionError):
    """The user pressed Ctrl+C; completed work is saved."""


def require_writable(study: Study) -> None:
    """Raise InputError where a study is read-only; checked before long computations."""
    if study.read_only:
        raise InputError(study.read_only)
