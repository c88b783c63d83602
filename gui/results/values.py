"""Values that the Resample and Studies pages display."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.results.setting_values import SettingField


class ExperimentStatus(StrEnum):
    """Whether an experiment has a result in the study, or can get one.

    UNAVAILABLE: the study or this computer lacks something that it needs.
    """

    NEW = "new"
    STORED = "stored"
    UNAVAILABLE = "unavailable"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """One experiment or recipe in the list.

    status_text: label of the status.
    tip: description, or what is missing.
    """

    key: str
    title: str
    group: str
    status: ExperimentStatus = ExperimentStatus.NEW
    status_text: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentDetails:
    """Details of one experiment.

    paper: the paper of a recipe, empty for others.
    command: the equivalent command line.
    problem: what is missing; empty = it can run.
    remedy: label of the button that helps, empty = none.
    is_default: whether all settings have their default values.
    """

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
    """One table, figure or list of notes of a result. key, label: such as ``table-0`` and ``Table 1``."""

    key: str
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class ResultDetails:
    """Texts around a result.

    fact: when it was computed, seed and duration.
    policy: method, and numbers of items included.
    notes: stand-in models, excluded data and warnings, a sentence each.
    reason: which inputs have changed, or why that cannot be checked; empty = unknown.
    """

    title: str
    fact: str
    parts: tuple[ResultPart, ...]
    notes: tuple[str, ...]
    policy: str
    is_stale: bool = False
    reason: str = ""
