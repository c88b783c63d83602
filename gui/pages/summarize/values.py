"""Values that the Summarize page displays."""

from __future__ import annotations

from dataclasses import dataclass

from gui.results.setting_values import SettingField


@dataclass(frozen=True, slots=True)
class SummarizerRow:
    """A summarizer in the list. name: as on the command line. kind: baseline or upper bound."""

    name: str
    about: str
    kind: str


@dataclass(frozen=True, slots=True)
class SummarizerDetails:
    """The selected summarizer.

    system: name of the system to make; placeholder: its name if that is empty. problem: why it cannot run,
    empty = it can. command: the equivalent command line.
    """

    title: str
    about: str
    paper: str
    fields: tuple[SettingField, ...]
    system: str
    placeholder: str
    problem: str
    command: str


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system of the study. made_by: configuration of the summarizer, empty = imported."""

    name: str
    summaries: int
    words: float
    made_by: str
