"""Exit codes, errors and checks of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import InputError, PyramidionError

if TYPE_CHECKING:
    from core.ports import Study

DONE, BAD_INPUT, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130


class CommandInterrupted(PyramidionError):
    """The user pressed Ctrl+C; completed work is saved."""


def require_writable(study: Study) -> None:
    """Raise InputError where a study is read-only; checked before long computations."""
    if study.read_only:
        raise InputError(study.read_only)
