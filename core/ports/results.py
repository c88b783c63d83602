"""Protocols for what is computed: scores of metrics by signature, and experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.ports.changes import EditReceipt

Array = NDArray[np.float64]
JACKKNIFE_KEY: Final = "humans:jackknife"
"""Part of signatures and judgements' names where references were scored as systems."""


@dataclass(frozen=True, slots=True)
class MetricConfig:
    """A metric with settings, as stored; its signature reproduces it.

    spec: argument of -m, empty = imported.
    references: authors of the references used, empty = all.
    higher_is_better: for ranks.
    """

    signature: str
    metric: str
    family: str
    spec: str
    measures: tuple[str, ...]
    references: tuple[str, ...] = ()
    higher_is_better: bool = True

    @property
    def is_imported(self) -> bool:
        """Whether the scores were computed elsewhere and cannot be reproduced here."""
        return not self.spec

    @property
    def scores_humans(self) -> bool:
        """Whether references were scored as systems, each against the others, and summaries likewise."""
        return not self.is_imported and f"|{JACKKNIFE_KEY}|" in self.signature


@dataclass(frozen=True, slots=True)
class InputParts:
    """Short digests of what a block of scores was computed from.

    at: when, in seconds since 1970.
    summaries, references: a digest per text, joined, in the order of the block's systems and references.
    References that are not read have none.
    shared, own: a digest of each other input of all topics and of this one, by name.
    language: by whose rules sentences were split, empty = English or none.
    """

    at: int
    summaries: str
    references: str = ""
    shared: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """One metric's scores of one topic; stored as a whole or not at all.

    systems: names, rows of values.
    references: authors, second axis of stats.
    values: shape (systems, measures).
    stats: shape (systems, references, k) or None.
    inputs_hash: hash of everything that the run read.
    parts: digests of its parts, None = not recorded.
    answers: what a model answered, JSON by the key of the study's setting that holds it; not read back here.
    """

    topic_id: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    values: Array
    stats: Array | None
    inputs_hash: str
    seconds: float
    notes: Mapping[str, int] = field(default_factory=dict)
    parts: InputParts | None = None
    answers: Mapping[str, str] = field(default_factory=dict)


class ScoreStore(Protocol):
    """Scores of metrics."""

    def configs(self) -> Sequence[MetricConfig]:
        """Return every metric configuration with scores, in the order of their first run."""
        ...

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        """Return the inputs_hash of each stored block of a configuration, by topic id."""
        ...

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future[EditReceipt]:
        """Store one topic's block, replacing an older one."""
        ...

    def save_all(self, blocks: Sequence[tuple[MetricConfig, ScoreBlock]]) -> Future[EditReceipt]:
        """Store blocks, each replacing an older one of its configuration and topic."""
        ...

    def blocks(self, signature: str, topic_id: str | None = None) -> Sequence[ScoreBlock]:
        """Return the stored blocks of a configuration, in topic order. topic_id: of one topic, None = all."""
        ...

    def values(self, signature: str) -> Mapping[str, tuple[tuple[str, ...], Array]]:
        """Return systems and values[systems, measures] of a configuration by topic id, without the rest."""
        ...

    def notes(self, signature: str) -> Mapping[str, Mapping[str, int]]:
        """Return the notes of each stored block of a configuration by topic id."""
        ...

    def remove(self, signature: str) -> Future[EditReceipt]:
        """Delete a configuration and its scores."""
        ...


@dataclass(frozen=True, slots=True)
class ExperimentRecord:
    """A stored experiment, finished or in progress.

    id: the same for the same experiment, settings and inputs.
    experiment, recipe: names, recipe empty = none.
    inputs_hash: hash of everything that it read.
    result: as JSON, empty = not finished.
    parts: short digests of what it may have read, by name; empty = not recorded.
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
    parts: Mapping[str, str] = field(default_factory=dict)


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
