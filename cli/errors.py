"""How a verb ends before its time."""

from __future__ import annotations

from core.errors import PyramidionError


class Stopped(PyramidionError):
    """The user pressed Ctrl+C; what was done is kept."""
