"""Packaged word lists."""

from __future__ import annotations

from importlib import resources


def load_word_list(name: str) -> list[str]:
    """Return the lines of a file in ``resources/wordlists``, without empty lines and comments (``#``)."""
    text = (resources.files("resources") / "wordlists" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
