"""Values that the Resample and Studies pages display."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.formatting.coefficients import LEVEL_TITLES, coefficient_title
from core.stats.types import CLASSIC, OF_ROWS, Coefficient
from gui.style.language import tr


class FieldKind(StrEnum):
    """The kind of control that edits a setting."""

    WHOLE = "whole"
    NUMBER = "number"
    YES_NO = "yes or no"
    CHOICE = "choice"
    TEXT = "text"
    FOLDER = "folder"
    FILE = "file"
    INDEX = "index"
    SEVERAL = "several"


SettingValue = str | int | float | bool | tuple[str, ...]
"""A tuple holds several choices; empty = all."""


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting of a metric or an experiment.

    low, high: bounds of a number; None = unbounded.
    choices: the allowed values; for a text, suggestions.
    titles: labels of the choices, in the same order; empty = the choices themselves.
    nothing_text: what a list shows where nothing is chosen.
    """

    key: str
    title: str
    help: str
    kind: FieldKind
    value: SettingValue
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    nothing_text: str = ""


def choose_place_text(field: SettingField) -> str:
    """Return the name of the button that chooses the file or folder of a setting."""
    if field.kind is FieldKind.FILE:
        return tr("Choose a file for {title}", title=field.title.lower())
    return tr("Choose a folder for {title}", title=field.title.lower())


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


LEVELS = tuple((level.value, title) for level, title in LEVEL_TITLES.items())
COEFFICIENTS = tuple(
    (each.value, coefficient_title(each).replace("'s r", "").replace("'s ρ", "").replace("'s", ""))
    for each in CLASSIC
)
"""Labels short enough for segments: Pearson, Spearman, Kendall τ-b."""
MORE_COEFFICIENTS = tuple((each.value, coefficient_title(each)) for each in OF_ROWS if each not in CLASSIC)
AT_SYSTEM_LEVEL = (Coefficient.SOFT_ACCURACY.value, coefficient_title(Coefficient.SOFT_ACCURACY))
"""A coefficient that the other levels do not have."""
SYSTEMS = (
    ("automatic", tr("Automatic systems")),
    ("all", tr("All, including human")),
    ("with-humans", tr("Systems and references")),
)
