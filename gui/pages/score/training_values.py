"""Values of the training dialog."""

from __future__ import annotations

from dataclasses import dataclass

from gui.widgets.controls.multi_choice import Choice

OWN = "own"
"""The key of selecting single measures instead of a feature set."""


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """Available choices. names: existing models; name_pattern: allowed names."""

    judgements: tuple[Choice, ...]
    measures: tuple[Choice, ...]
    names: tuple[str, ...]
    name_pattern: str
