"""What the Resample page shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.results.setting_values import SettingField


class ExperimentStatus(StrEnum):
    """How an experiment stands in the study."""

    NEW = "new"
    KEPT = "kept"
    LACKING = "lacking"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """One experiment or recipe in the list. status: in words; tip: what it is, or what it lacks."""

    key: str
    title: str
    group: str
    found: ExperimentStatus = ExperimentStatus.NEW
    status: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentDetails:
    """One experiment in full. problem: what the study lacks; empty = it can run. command: what repeats it."""

    key: str
    title: str
    about: str
    paper: str
    fields: tuple[SettingField, ...]
    command: str
    problem: str = ""
    remedy: str = ""
    is_default: bool = True


@dataclass(frozen=True, slots=True)
class ResultPart:
    """One table or figure of a result. key: as ``table-0``; short: on its segment."""

    key: str
    short: str
    title: str


@dataclass(frozen=True, slots=True)
class ResultDetails:
    """What an experiment found. fact: when and with what. policy: the formula and what was counted.

    notes: stand-ins, what was left out, cautions, a sentence each; they are a part of their own.
    """

    title: str
    fact: str
    parts: tuple[ResultPart, ...]
    notes: tuple[str, ...]
    policy: str
    is_stale: bool = False
