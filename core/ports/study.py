"""The open study: every store of it in one, and what holds for it as a whole."""

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
    """What metrics read of a study."""


class Study(TextStore, AnnotationStore, RatingStore, ScoreStore, ExperimentStore, StudySettings, Protocol):
    """The open study."""

    @property
    def path(self) -> Path: ...

    @property
    def name(self) -> str: ...

    @property
    def notices(self) -> Sequence[str]:
        """What whoever opened the study must read: what was done to its files, or what they lack."""
        ...

    @property
    def read_only(self) -> str:
        """Why the study cannot be changed, as a sentence with the remedy; empty = it can.

        Writing then fails with that sentence.
        """
        ...

    def open_relative(self, name: str) -> Study:
        """Another study, by its path from this one's folder or its whole path; the caller closes it.

        Raises what opening a study raises.
        """
        ...

    def subscribe(self, listener: Callable[[ChangeSet], None]) -> Callable[[], None]:
        """Call `listener` after every write of this process, on the writer's thread; returns how to stop."""
        ...

    def verify(self) -> None:
        """Check the study before results leave it. Raises StudyDamaged naming the first fault."""
        ...

    def has_external_changes(self) -> bool:
        """Whether another process has written since the last call; cheap enough for twice a second.

        Raises StudyLost where the study was moved, deleted or replaced.
        """
        ...

    def flush(self) -> None:
        """Wait until everything handed to the writer is on the disk."""
        ...

    def close(self) -> None:
        """Finish what was handed to the writer, then let go of the files.

        Raises StudyLost where the study was moved, deleted or replaced and no call has reported that yet; it
        is closed all the same.
        """
        ...
