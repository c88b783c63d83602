"""Settings of metrics and experiments as form fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


def choose_place_text(field: SettingField) -> str:
    """Return the name of the button that chooses the file or folder of a setting."""
    if field.kind is FieldKind.FILE:
        return tr("Choose a file for {title}", title=field.title.lower())
    return tr("Choose a folder for {title}", title=field.title.lower())
