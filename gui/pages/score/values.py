"""What the Score page shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.results.setting_values import SettingField


class ScoreState(StrEnum):
    """How a configuration stands in the study."""

    LOOKING = "looking"
    NEW = "new"
    SCORED = "scored"
    STALE = "stale"
    PARTLY = "partly"
    UNABLE = "unable"
    WAITING = "waiting"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One configuration in the list.

    key: stays the same while its settings change. about: what differs from the defaults, else what it does.
    status: in words; tip: why.
    """

    key: int
    name: str
    about: str
    family: str
    is_chosen: bool
    state: ScoreState
    status: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class MetricDetails:
    """One configuration in full.

    problem: why it cannot run, empty = it can; remedy: the words of what opens a way out, empty = none.
    stand_in: a sentence where it runs on another model than the paper's, else empty.
    """

    key: int
    name: str
    family: str
    about: str
    paper: str
    measures: tuple[str, ...]
    fields: tuple[SettingField, ...]
    is_default: bool
    can_remove: bool
    problem: str = ""
    remedy: str = ""
    stand_in: str = ""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One configuration in a run. status: in words; share: of its topics that are done, None = not now."""

    name: str
    about: str
    state: ScoreState
    status: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a run leaves out, and why. key: of the row that its remedy opens, None = no remedy."""

    name: str
    reason: str
    remedy: str = ""
    key: int | None = None


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run before it starts, under way, or done.

    hero: the one large number, as ``2:10``; beside: two lines next to it. share: of all, None = not running.
    facts: pairs of words. notes: what metrics noted of texts, a sentence each.
    """

    fact: str
    hero: str
    beside: tuple[str, str]
    share: float | None
    facts: tuple[tuple[str, str], ...]
    lines: tuple[RunRow, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()
    is_running: bool = False
    can_start: bool = False
