"""Shortcuts as listed in the overlay, in the settings and in the shortcut bar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Shortcuts of one command.

    keys: alternatives, each as the labels of the keys that are pressed together.
    text: the command.
    joint: the word between the alternatives.
    """

    keys: tuple[tuple[str, ...], ...]
    text: str
    joint: str = "or"


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Shortcuts under a heading."""

    title: str
    lines: tuple[KeyRow, ...]


@dataclass(frozen=True, slots=True)
class CommandKey:
    """A command in the shortcut settings.

    where: the pages on which it works.
    key, standard: its shortcut and the default one, in Qt's portable text; empty = none.
    """

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
    """Shortcuts with a label of two or three words, for the shortcut bar."""

    keys: tuple[str, ...]
    text: str
