"""What the list of models shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ModelPresence(StrEnum):
    """How a model stands on this computer."""

    HERE = "here"
    ABSENT = "not here"
    DAMAGED = "of no use"
    FETCHING = "downloading"


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model in one of its roles.

    key: of this row; name: of the model. status: how it is found, in words. size, memory, seconds: raw, 0 or
    NaN = not known.
    """

    key: str
    name: str
    title: str
    role: str
    used_by: str
    presence: ModelPresence
    status: str
    size: float
    memory: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelDetails:
    """One model in full.

    lines: facts in words, one below the other. command: what does the same in a terminal, empty = nothing
    does. can_download: the hub has it. can_choose: a folder of one's own may serve; wants_file: it is a
    single file. can_forget: somebody added it.
    """

    name: str
    title: str
    fact: str
    lines: tuple[str, ...]
    command: str = ""
    can_download: bool = False
    can_choose: bool = False
    wants_file: bool = False
    can_forget: bool = False


@dataclass(frozen=True, slots=True)
class DownloadState:
    """A download under way. share: 0 to 1, None = not known yet; words: how far, and how long yet."""

    name: str
    share: float | None
    words: str


@dataclass(frozen=True, slots=True)
class CacheDetails:
    """How much of what encoders made is kept, in words. most: bytes. why_fixed: empty = it can be chosen."""

    fact: str
    most: int
    can_empty: bool
    why_fixed: str = ""
