"""What is asked and answered where a metric is trained."""

from __future__ import annotations

from dataclasses import dataclass

from gui.widgets.multi_choice import Choice

OWN = "own"
"""The key of choosing measures one by one, beside the keys of ready-made sets."""


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """What can be chosen. names: of models that there are; name_pattern: of what a model may be called."""

    judgements: tuple[Choice, ...]
    measures: tuple[Choice, ...]
    names: tuple[str, ...]
    name_pattern: str


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What was chosen. features: a ready-made set, or measures."""

    human: str
    features: tuple[str, ...]
    name: str
    folds: int
