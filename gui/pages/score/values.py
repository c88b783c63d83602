"""Values displayed by the Score page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.results.values import SettingField
from gui.widgets.controls.multi_choice import Choice


class ScoreState(StrEnum):
    """Status of a configuration in the study."""

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

    key: stays the same while settings change.
    about: settings that differ from the defaults, and a description.
    status: the state as text; tip: the reason.
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
    """Details of one configuration.

    problem: why it cannot run; empty = it can.
    remedy: label of the button that resolves the problem; empty = none.
    stand_in: a sentence if it runs on another model than the paper's, else empty.
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
    """One configuration in a run. status: as text; share: share of finished topics, None = not running."""

    name: str
    about: str
    state: ScoreState
    status: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a run skips, with the reason. key: row that the remedy opens; None = no remedy."""

    name: str
    reason: str
    remedy: str = ""
    key: int | None = None


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run that is planned, running or finished.

    hero: the large number, as ``2:10``; beside: two lines next to it.
    share: share of finished work; None = not running.
    facts: (label, value) pairs. notes: notes of metrics on texts, a sentence each.
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


OWN = "own"
"""The key of selecting single measures instead of a feature set."""


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """Available choices. names: existing models; name_pattern: allowed names."""

    judgements: tuple[Choice, ...]
    measures: tuple[Choice, ...]
    names: tuple[str, ...]
    name_pattern: str
