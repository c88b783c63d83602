"""Protocol of the open study, which combines all stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from core.ports.annotations import AnnotationStore
from core.ports.changes import ChangeSet
from core.ports.experiments import ExperimentStore
from core.ports.ratings import RatingStore
from core.ports.scores import ScoreStore
from core.ports.study_settings import StudySettings
from core.ports.texts import TextStore


class ScoringInputs(TextStore, AnnotationStore, StudySettings, Protocol):
    """Part of a study that metrics read."""


class Study(TextStore, AnnotationStore, RatingStore, ScoreStore, ExperimentStore, StudySettings, Protocol):
    """The open study."""

    @property
    def path(self) -> Path: ...

    @property
    def name(self) -> str: ...

    @property
    def notices(self) -> Sequence[str]:
        """Messages for the user who opened the study: changes to its files, or missing content."""
        ...

    @property
    def read_only(self) -> str:
        """Why the study cannot be changed, as a sentence with the remedy; empty = it can.

        Writing fails with that sentence.
        """
        ...

    def open_relative(self, name: str) -> Study:
        """Open another study, by its path relative to this one's folder or its absolute path.

        The caller closes it. Raises what opening a study raises.
        """
        ...

    def subscribe(self, listener: Callable[[ChangeSet], None]) -> Callable[[], None]:
        """Call `listener` on the writer thread after every write of this process.

        Returns a function that ends the subscription.
        """
        ...

    def verify(self) -> None:
        """Check the study before results are exported. Raises StudyDamaged with the first problem."""
        ...

    def has_external_changes(self) -> bool:
        """Return whether another process wrote since the last call; cheap enough to call twice a second.

        Raises StudyLost if the study was moved, deleted or replaced.
        """
        ...

    def flush(self) -> None:
        """Wait until everything passed to the writer is on disk."""
        ...

    def close(self) -> None:
        """Finish pending writes, then close the files.

        Raises StudyLost if the study was moved, deleted or replaced and no call has reported that yet; it is
        closed
        all the same.
        """
        ...
