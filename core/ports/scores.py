"""What metrics gave, each under the signature that repeats it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.ports.changes import EditReceipt

Array = NDArray[np.float64]
JACKKNIFE_KEY: Final = "humans:jackknife"
"""What signatures and judgements' names say where references were scored as systems."""


@dataclass(frozen=True, slots=True)
class MetricConfig:
    """A metric with settings, as stored: its signature repeats it.

    spec: what -m takes, empty = imported. references: authors that counted, empty = all.
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
        """Whether its numbers were computed elsewhere, so that nothing repeats them here."""
        return not self.spec

    @property
    def scores_humans(self) -> bool:
        """Whether references were scored as systems, each by the others, and summaries alike."""
        return not self.is_imported and f"|{JACKKNIFE_KEY}|" in self.signature


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """What one metric gave for one topic; stored whole or not at all.

    systems: names, rows of values. references: authors, second axis of stats.
    values: shape (systems, measures). stats: shape (systems, references, k) or None.
    inputs_hash: over everything that the run read.
    """

    topic_id: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    values: Array
    stats: Array | None
    inputs_hash: str
    seconds: float
    notes: Mapping[str, int] = field(default_factory=dict)


class ScoreStore(Protocol):
    """What metrics gave."""

    def configs(self) -> Sequence[MetricConfig]:
        """Every metric configuration with scores, in the order in which they were first run."""
        ...

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        """Topic id to inputs_hash of each stored block of a configuration."""
        ...

    def save_scores(self, config: MetricConfig, block: ScoreBlock) -> Future[EditReceipt]:
        """Store one topic's block, replacing an older one."""
        ...

    def score_blocks(self, signature: str) -> Sequence[ScoreBlock]:
        """Every stored block of a configuration, topics in order."""
        ...

    def remove_scores(self, signature: str) -> Future[EditReceipt]:
        """Forget a configuration and its scores."""
        ...
