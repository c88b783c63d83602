"""Standard streams that survive a closed pipe, and text that is safe to print on a terminal."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import TextIO

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line feed, lone surrogates, and marks that reverse what follows them."""


def escape_control(text: str) -> str:
    """Escape the control characters of a text, as ``\\x1b``, so that a terminal does not interpret them."""
    return _CONTROL.sub(_escaped, text)


def escape_cell(text: str) -> str:
    """Escape control characters, line feeds and tabs of a text for a table cell."""
    return escape_control(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class _Stream(io.TextIOWrapper):
    """A standard stream whose reader may close it, as `head` does; later output is discarded.

    The command continues, so that its output files are still written.
    """

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            self._discard()
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            self._discard()

    def _discard(self) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self.fileno())
        os.close(null)
        super().flush()


def open_streams() -> None:
    """Make the standard streams safe to print to.

    Streams closed by the shell are replaced by the null device; otherwise an opened file could take their
    place. Files and pipes are written as UTF-8 whatever the system's encoding.
    """
    if sys.stdout is None or sys.stderr is None:
        null = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the program
        sys.stdout, sys.stderr = sys.stdout or null, sys.stderr or null
    sys.stdout, sys.stderr = _wrapped(sys.stdout, is_output=True), _wrapped(sys.stderr)


def _wrapped(stream: TextIO, *, is_output: bool = False) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):  # in a notebook or test
        return stream
    to_file = is_output and not stream.isatty()
    encoding = "utf-8" if to_file else stream.encoding
    errors = "backslashreplace" if to_file else stream.errors
    line_buffering = stream.line_buffering
    return _Stream(stream.detach(), encoding=encoding, errors=errors, line_buffering=line_buffering)
