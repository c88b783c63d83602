"""Keys as they are shown: in the overlay and in the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyRow:
    """What keys do.

    keys: each a way to set it off, as the caps that are pressed together. joint: the word between them.
    """

    keys: tuple[tuple[str, ...], ...]
    text: str
    joint: str = "or"


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Keys under a heading."""

    title: str
    lines: tuple[KeyRow, ...]


@dataclass(frozen=True, slots=True)
class CommandKey:
    """A command with its key in the settings; key, standard: portable names, empty = none."""

    id: str
    text: str
    where: str
    key: str
    standard: str

    @property
    def is_changed(self) -> bool:
        return self.key != self.standard


@dataclass(frozen=True, slots=True)
class KeyHint:
    """Keys and what they do, in two or three words."""

    keys: tuple[str, ...]
    text: str
