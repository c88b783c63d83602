"""Protocol for experiments, their results and their partial results."""

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
    """A stored experiment, finished or in progress.

    id: the same for the same experiment, settings and inputs.
    experiment, recipe: names, recipe empty = none.
    inputs_hash: hash of everything that it read.
    result: as JSON, empty = not finished.
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
    """Experiments and partial results."""

    def all(self) -> Sequence[ExperimentRecord]:
        """Return every stored experiment, newest first."""
        ...

    def get(self, experiment_id: str) -> ExperimentRecord | None:
        """Return one experiment, None = not stored."""
        ...

    def save(self, record: ExperimentRecord) -> Future[EditReceipt]:
        """Store an experiment, replacing one with the same id.

        Its parts are deleted once it has a result.
        """
        ...

    def parts(self, experiment_id: str) -> Mapping[str, Array]:
        """Return the finished parts of an experiment in progress, by key."""
        ...

    def save_part(self, experiment_id: str, key: str, values: Array) -> Future[EditReceipt]:
        """Store a part of an experiment in progress, replacing an older one. key: up to 64 characters."""
        ...

    def remove(self, experiment_id: str) -> Future[EditReceipt]:
        """Delete an experiment with all of its parts."""
        ...
