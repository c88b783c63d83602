"""What the Compare page shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MeasureCell:
    """One measure against one judgement. is_best: the strongest of its column in the wanted direction."""

    value: float
    p: float
    n: int
    dropped: int
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure. cells: in the order of the columns. tip: its signature.

    stand_in: as ``stand-in: A for B``, empty = none.
    """

    label: str
    family: str
    tip: str
    cells: tuple[MeasureCell, ...]
    is_stale: bool = False
    stand_in: str = ""


@dataclass(frozen=True, slots=True)
class JudgementColumn:
    """A judgement as a column. tip: what counts in it, and how."""

    key: str
    title: str
    tip: str


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """The table. symbol: of the coefficient. footer: the policy in one line. warning: empty = none."""

    columns: tuple[JudgementColumn, ...]
    rows: tuple[MeasureRow, ...]
    fact: str
    symbol: str
    footer: str
    warning: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """Where the points of a figure are and what they are called. x, y: shape (points,)."""

    names: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FigureHead:
    """What stands over and under a figure."""

    title: str
    fact: str
    result: str
    rest: str


@dataclass(frozen=True, slots=True)
class RankedTopic:
    """One topic of a system, and its ranks. measure, people: in words, as ``6``."""

    topic_id: str
    name: str
    title: str
    measure: str
    people: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The selected system. key: name; fact: its ranks over all topics."""

    key: str
    fact: str
    caption: str
    topics: tuple[RankedTopic, ...]
