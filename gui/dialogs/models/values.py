"""Values shown by the model dialog."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.style.language import tr


class ModelPresence(StrEnum):
    """Availability of a model on this computer."""

    HERE = tr("installed")
    ABSENT = tr("not installed")
    DAMAGED = tr("damaged")
    FETCHING = tr("downloading")


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model in one of its roles.

    key: of this row. name: of the model. status: availability, as text.
    size, memory: bytes, 0 = unknown. seconds: NaN = unknown.
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
    """Details of one model.

    lines: facts, one per line.
    command: terminal command that downloads or adds the model, empty = none.
    can_download: the Hugging Face hub has the model.
    can_choose: a local folder or file can be used.
    is_single_file: the model is one file, not a folder.
    can_forget: the model was added by a user.
    """

    name: str
    title: str
    fact: str
    lines: tuple[str, ...]
    command: str = ""
    can_download: bool = False
    can_choose: bool = False
    is_single_file: bool = False
    can_forget: bool = False


@dataclass(frozen=True, slots=True)
class DownloadState:
    """A running download. share: in [0, 1], None = unknown. text: current step and time left."""

    name: str
    share: float | None
    text: str


@dataclass(frozen=True, slots=True)
class CacheDetails:
    """The encoding cache.

    fact: its size, as text. limit: bytes. fixed_reason: why the limit is fixed, empty = it is not.
    """

    fact: str
    limit: int
    can_empty: bool
    fixed_reason: str = ""
