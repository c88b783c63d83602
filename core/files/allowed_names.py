"""The names that the user allowed: files, folders, studies, servers and programs.

A study, pack, report or configuration contains names of other things: the model that it was scored with, a
server, a program, further studies. Opening somebody else's study must not look at, read, contact or
run any of them. Each place that would do so passes the name through `AllowedNames` first, which lets through
what this user typed or chose in this process, or allowed earlier.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from core.errors import InputError, MissingResource
from core.files.atomic_write import atomic_open
from core.files.paths import printable_path
from core.json_text import parse_json

log = logging.getLogger(__name__)


class NameKind(StrEnum):
    """Kinds of names that lead outside a study; the value is their key in the stored list.

    PLACE: a file or folder, with everything below it.
    STUDY: the path of a study or of a folder with studies, or the URL of a study.
    SERVER: the URL of a server of indexes or language models, with everything below it.
    COMMAND: a program with its arguments, allowed for this process only, since what it does can change.
    """

    PLACE = "places"
    STUDY = "studies"
    SERVER = "servers"
    COMMAND = "commands"


_STORED = (NameKind.PLACE, NameKind.STUDY, NameKind.SERVER)
_LABELS = {
    NameKind.PLACE: "The file or folder ",
    NameKind.STUDY: "The study ",
    NameKind.SERVER: "The server ",
    NameKind.COMMAND: "The program ",
}
_URL = re.compile(r"\w[\w+.-]*:/*[^/]")
_SERVER = re.compile(r"\w[\w+.-]*://[^/]")
_BEFORE, _AFTER = r"(?:^|[\s=:,;|+'\"])", r"(?:$|[\s,;|+'\"]{})"
"""What separates a name from the rest of an argument such as ``bertscore:encoder=NAME,layers=9``."""


AllowedByKind: TypeAlias = Mapping[NameKind, tuple[str, ...]]


class NotAllowed(MissingResource):
    """A name that only stored content contains, and the user has not allowed."""

    def __init__(self, kind: NameKind, name: str) -> None:
        what = f"{_LABELS[kind]}{printable_path(name)!r}"
        super().__init__(f"{what} is named only in the study. {how_to_allow(kind, name)}")
        self.kind, self.name = kind, name


def how_to_allow(kind: NameKind, name: str) -> str:
    """Return a sentence on how a name is allowed."""
    if kind is NameKind.COMMAND:
        return "If you trust it, allow it on the Score page, or name it in `pyramidion score -m`."
    argument = shlex.quote(printable_path(name))
    return f"If you trust it, allow it on the Score page or by `pyramidion allow {argument}`."


class AllowedNames:
    """What the user named in this process, and a stored list, which window and command line share."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._allowed: dict[NameKind, tuple[str, ...]] = {}
        self._typed: tuple[str, ...] = ()

    def use_folder(self, folder: Path) -> None:
        """Store the list in this folder from now on."""
        self._file = folder / "allowed.json"

    def named(self, *texts: str) -> None:
        """Note what the user typed or chose: names in it are allowed, but for programs (see `allow`)."""
        self._typed = tuple(dict.fromkeys((*self._typed, *filter(None, texts))))

    def named_settings(self, owner: Any) -> None:
        """Note the settings of a metric, summarizer or experiment that the user composed or agreed to.

        Defaults name installed models. A file of such a name in the current folder is not allowed by them.
        """
        values = [(getattr(owner, f.name), f.default) for f in fields(owner)]
        self.named(*(value for value, default in values if isinstance(value, str) and value != default))
        if program := getattr(owner, "program_setting", ""):
            self.allow(NameKind.COMMAND, getattr(owner, program))

    def allow(self, kind: NameKind, name: str) -> None:
        """Allow a name from now on. URLs with credentials are ignored. Raises InputError where not stored."""
        name = _normalized(kind, name)
        if not name or ("@" in name and kind is NameKind.SERVER) or self._is_listed(kind, name):
            return
        self._allowed[kind] = (*self._allowed.get(kind, ()), name)
        if self._file is not None and kind in _STORED:
            self._write({**self._stored(), kind: (*self._stored().get(kind, ()), name)})

    def forget(self, name: str) -> bool:
        """Remove a name from the list; returns whether it was in it."""
        known = self.listed()
        kept = {
            kind: tuple(each for each in names if each not in (name, _normalized(kind, name)))
            for kind, names in known.items()
        }
        self._allowed = {kind: kept.get(kind, ()) for kind in self._allowed}
        if kept == known:
            return False
        if self._file is not None:
            self._write({kind: kept[kind] for kind in _STORED if kind in kept})
        return True

    def listed(self) -> AllowedByKind:
        """Return the allowed names of each kind. Raises InputError for a damaged list."""
        stored = self._stored()
        return {
            kind: tuple(dict.fromkeys((*stored.get(kind, ()), *self._allowed.get(kind, ()))))
            for kind in NameKind
        }

    def has(self, kind: NameKind, name: str, written: str = "") -> bool:
        """Return whether a name is allowed, without looking at what it names.

        written: the name as the user may have typed it, empty = the same.
        Raises InputError for a damaged list.
        """
        name, written = _normalized(kind, name), written or name
        if self._is_listed(kind, name):
            return True
        if kind is NameKind.COMMAND or not any(self._is_typed(kind, one) for one in (written, name)):
            return False
        try:
            self.allow(kind, name)
        except InputError as error:
            log.warning("%s", error)
        return True

    def check(self, kind: NameKind, name: str, written: str = "") -> None:
        """Raise NotAllowed unless a name is allowed, as `has` says."""
        if not self.has(kind, name, written):
            raise NotAllowed(kind, name)

    def place(self, name: str) -> Path:
        """Return the path of a file or folder. Raises NotAllowed unless its name is allowed."""
        self.check(NameKind.PLACE, name)
        return Path(name).expanduser()

    def restore(self, allowed: AllowedByKind) -> None:
        """Allow what another process lists, without storing it."""
        self._allowed = dict(allowed)

    def _is_listed(self, kind: NameKind, name: str) -> bool:
        return any(_covers(kind, known, name) for known in self.listed()[kind])

    def _is_typed(self, kind: NameKind, name: str) -> bool:
        if not name or (kind is NameKind.SERVER and not _SERVER.match(name)):
            return False
        if not any(map(str.isalnum, name)):  # such as / and ~, which people also write as signs
            return name in self._typed
        after = _AFTER.format("|/" if kind is NameKind.SERVER else "")
        pattern = re.compile(_BEFORE + re.escape(name) + after)
        return any(name in (text, _absolute(text)) or pattern.search(text) for text in self._typed)

    def _stored(self) -> dict[NameKind, tuple[str, ...]]:
        if self._file is None:
            return {}
        try:
            read = parse_json(self._file.read_text(encoding="utf-8"))
            return {kind: tuple(map(str, read.get(kind, ()))) for kind in _STORED}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._file}, the list of names that you allowed, cannot be read ({error}). Remove it."
            ) from error

    def _write(self, names: Mapping[NameKind, Iterable[str]]) -> None:
        assert self._file is not None
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_open(self._file) as file:
                json.dump({kind: list(listed) for kind, listed in names.items()}, file, indent=1)
        except OSError as error:
            raise InputError(f"{self._file} cannot be written: {error.strerror}.") from error


@cache
def allowed_names() -> AllowedNames:
    """Return the names of this process; the entry point sets the folder of the stored list."""
    return AllowedNames()


def is_path(name: str) -> bool:
    """Return whether a name can only be a path, not a model's name such as ``org/model``."""
    return Path(name).is_absolute() or name.startswith((".", "~")) or "\\" in name or name.count("/") > 1


def _absolute(name: str) -> str:
    """Return the absolute path of a name without links to parents, without asking the file system."""
    path = Path(name)
    with suppress(RuntimeError):  # the home of an unknown user
        path = path.expanduser()
    return os.path.normpath(path.absolute())


def _normalized(kind: NameKind, name: str) -> str:
    if kind is NameKind.PLACE or (kind is NameKind.STUDY and not _URL.match(name)):
        return _absolute(name) if name else ""
    return name


def _covers(kind: NameKind, known: str, name: str) -> bool:
    if known == name:
        return True
    if kind in (NameKind.PLACE, NameKind.STUDY):
        return name.startswith(known.rstrip(os.sep) + os.sep)
    return kind is NameKind.SERVER and name.startswith(f"{known.rstrip('/')}/")
