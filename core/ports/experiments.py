"""What experiments found, and how far those under way have come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.ports.changes import EditReceipt
from core.ports.scores import Array


@dataclass(frozen=True, slots=True)
class ExperimentRecord:
    """An experiment that a study keeps, with its result or under way.

    id: the same for equal questions. experiment, recipe: names, recipe empty = none. inputs_hash: over
    everything that it read. result: as JSON, empty = not done yet.
    """

    id: str
    experiment: str
    recipe: str
    title: str
    settings: Mapping[str, str]
    seed: int
    inputs_hash: str
    at: datetime
    seconds: float = 0.0
    result: str = ""


class ExperimentStore(Protocol):
    """What experiments found, and the parts of those under way."""

    def experiments(self) -> Sequence[ExperimentRecord]:
        """Every experiment that is kept, newest first."""
        ...

    def experiment(self, experiment_id: str) -> ExperimentRecord | None:
        """One of them, None where it is not kept."""
        ...

    def save_experiment(self, record: ExperimentRecord) -> Future[EditReceipt]:
        """Keep an experiment in place of an equal question's; once there is a result, its parts go."""
        ...

    def experiment_parts(self, experiment_id: str) -> Mapping[str, Array]:
        """What is done of an experiment under way, by the parts' keys."""
        ...

    def save_experiment_part(self, experiment_id: str, key: str, values: Array) -> Future[EditReceipt]:
        """Keep a part of an experiment under way, replacing an older one. key: up to 64 signs."""
        ...

    def remove_experiment(self, experiment_id: str) -> Future[EditReceipt]:
        """Forget an experiment with all of its parts."""
        ...
