"""Values of the dialog of public data sets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.style.language import tr


class Stored(StrEnum):
    """How much of a data set is on this computer."""

    NOTHING = ""
    PART = tr("partly")
    ALL = tr("yes")


@dataclass(frozen=True, slots=True)
class DataSetRow:
    """A public data set.

    about: what it contains. size: bytes, 0 = unknown. check: what its files are compared with.
    """

    name: str
    title: str
    about: str
    size: int
    licence: str
    citation: str
    page: str
    check: str
    stored: Stored = Stored.NOTHING
