"""What core and gui ask of storage, said without SQL. Storage fills these protocols.

Reading happens on the caller's thread. Writing is handed to the study's one writer and answered by a Future,
so that nobody waits for the disk unless they ask; a Future that is done means that the change is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain.incoming import FileHead, NewMatches, NewPyramid
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, Rating, RatingCube
from core.domain.study import Annotator, System, SystemKind, Text, TopicHead, TopicTexts
from core.errors import Problem

Array = NDArray[np.float64]
HUMANS: Final = "humans:jackknife"
"""What signatures and judgements' names say where references were scored as systems."""


class Kind(StrEnum):
    """What can change in a study."""

    TEXTS = "texts"
    PYRAMIDS = "pyramids"
    MATCHES = "matches"
    RATINGS = "ratings"
    SCORES = "scores"
    EXPERIMENTS = "experiments"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Changes:
    """What a write changed; each screen decides alone whether that concerns it.

    topics: ids, empty = any. elsewhere: made by another process.
    """

    kinds: frozenset[Kind]
    topics: frozenset[str] = frozenset()
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """An edit that is on the disk."""

    edit_id: str
    verb: str
    at: datetime
    changes: Changes
    topic_id: str | None = None


@dataclass(frozen=True, slots=True)
class EditRecord:
    """One line of the history.

    active_seconds: time at work since the edit before, idle left out. what: what it changed, in words.
    """

    edit_id: str
    verb: str
    annotator: str
    at: datetime
    topic_id: str | None
    active_seconds: float
    is_undone: bool
    what: str = ""


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
        return not self.is_imported and f"|{HUMANS}|" in self.signature


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


@dataclass(frozen=True, slots=True)
class NewText:
    """A text on its way in. external_id: what the data set calls it."""

    content: str
    sentence_spans: tuple[tuple[int, int], ...] | None = None
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic on its way in; keys are the document's name, the reference's author, the summary's system."""

    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: Mapping[str, NewText] = field(default_factory=dict)
    references: Mapping[str, NewText] = field(default_factory=dict)
    summaries: Mapping[str, NewText] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewRating:
    """A rating on its way in, by names."""

    topic: str
    system: str
    dimension: str
    annotator: str
    value: float


@dataclass(frozen=True, slots=True)
class NewScore:
    """One number computed elsewhere, on its way in."""

    topic: str
    system: str
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class Incoming:
    """Everything that one import brings.

    annotators: name to group. dimensions: name to (low, high). systems: name to kind. source: where from.
    files: what each of several files is taken for. notices: what was odd in them and how it was taken.
    """

    source: str
    topics: Sequence[NewTopic] = ()
    systems: Mapping[str, SystemKind] = field(default_factory=dict)
    annotators: Mapping[str, str] = field(default_factory=dict)
    dimensions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    ratings: Sequence[NewRating] = ()
    scores: Sequence[NewScore] = ()
    pyramids: Sequence[NewPyramid] = ()
    matches: Sequence[NewMatches] = ()
    files: Sequence[FileHead] = ()
    notices: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What an import adds, what the study has already (equal), and what differs there (left as it is).

    notices: what is odd in what it brings, and how it was taken.
    """

    added: Mapping[str, int]
    equal: Mapping[str, int]
    different: Sequence[str] = ()
    notices: Sequence[Problem] = ()


class TextStore(Protocol):
    """Texts, topics, systems, people."""

    def topics(self) -> Sequence[TopicHead]:
        """Every topic without its texts, by name in natural order (D2 before D10)."""
        ...

    def topic(self, topic_id: str) -> TopicTexts:
        """One topic with its texts. Raises InputError where it is gone."""
        ...

    def texts(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        """Topics with their texts, in order, loaded in few queries."""
        ...

    def systems(self) -> Sequence[System]:
        """Every system, by name."""
        ...

    def reference_authors(self) -> Sequence[str]:
        """Every author of a reference, by name."""
        ...

    def annotators(self) -> Sequence[Annotator]:
        """Everybody who annotates or rates, by name."""
        ...

    def annotator(self, name: str, group: str = "") -> Annotator:
        """The annotator of that name, made if new."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Each topic's references, topics in order; those without any are left out."""
        ...

    def bring_in(self, incoming: Incoming, *, dry_run: bool = False) -> ImportCounts:
        """Write an import in one transaction, or only count what it would do. Raises BadImport."""
        ...


class AnnotationStore(Protocol):
    """Pyramids, matches and their history."""

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        """An annotator's pyramid of a topic with everybody's matches on it, empty where none is begun."""
        ...

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        """Every pyramid with its matches, or those of some topics, topics in order."""
        ...

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[Receipt]:
        """Write the difference of two values as one edit. The Future raises EditConflict where a row that it
        touches is not as in `before` any more. details: JSON kept with it, as the suggestion it took."""
        ...

    def log(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[Receipt]:
        """Put into the history what changed no row, as a dismissed suggestion; undo and redo pass over it."""
        ...

    def logged(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        """The details of an annotator's entries of that verb on a topic, oldest first."""
        ...

    def undo(self, annotator_id: str) -> Future[Receipt]:
        """Take back an annotator's last edit that is not undone, whatever page made it. Raises EditConflict
        where somebody changed its rows since, InputError where nothing is left."""
        ...

    def redo(self, annotator_id: str) -> Future[Receipt]:
        """Do the annotator's last undone edit again, unless a newer edit followed."""
        ...

    def can_undo(self, annotator_id: str) -> tuple[str, str]:
        """The verbs of the edits that undo and redo would touch, empty = none."""
        ...

    def seconds_worked(self, annotator_id: str, verbs: Collection[str]) -> Mapping[str, float]:
        """Topic id to the active time that an annotator's edits of these verbs took, undone ones too."""
        ...

    def history(
        self,
        topic_id: str | None = None,
        limit: int = 200,
        *,
        pyramid_id: str = "",
        scu_id: str = "",
        before: str = "",
        moves: bool = False,
    ) -> Sequence[EditRecord]:
        """Edits, newest first.

        pyramid_id, scu_id: those alone that touch it. before: those older than this edit. moves: undoing and
        doing again are listed as entries too. Raises InputError where `before` is not in the study.
        """
        ...

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        """An annotator's pyramid with everybody's matches as an edit left them, be it undone since or not.

        Raises InputError where the edit is not in the study.
        """
        ...


class RatingStore(Protocol):
    """Ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        """Every scale, by name."""
        ...

    def add_dimension(self, name: str, low: float = 1.0, high: float = 5.0) -> Dimension:
        """The scale of that name, made if new."""
        ...

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
    ) -> Future[Receipt]:
        """Set a rating (None takes it back) as one edit."""
        ...

    def ratings(self, topic_id: str) -> Sequence[Rating]:
        """All ratings of a topic's summaries."""
        ...

    def rating_cube(self, dimension: str) -> RatingCube:
        """All ratings on one dimension."""
        ...


class ScoreStore(Protocol):
    """What metrics gave."""

    def configs(self) -> Sequence[MetricConfig]:
        """Every metric configuration with scores, in the order in which they were first run."""
        ...

    def stored_inputs(self, signature: str) -> Mapping[str, str]:
        """Topic id to inputs_hash of each stored block of a configuration."""
        ...

    def keep_scores(self, config: MetricConfig, block: ScoreBlock) -> Future[Receipt]:
        """Store one topic's block, replacing an older one."""
        ...

    def score_blocks(self, signature: str) -> Sequence[ScoreBlock]:
        """Every stored block of a configuration, topics in order."""
        ...

    def remove_scores(self, signature: str) -> Future[Receipt]:
        """Forget a configuration and its scores."""
        ...


class ExperimentStore(Protocol):
    """What experiments found, and the parts of those under way."""

    def experiments(self) -> Sequence[ExperimentRecord]:
        """Every experiment that is kept, newest first."""
        ...

    def experiment(self, experiment_id: str) -> ExperimentRecord | None:
        """One of them, None where it is not kept."""
        ...

    def keep_experiment(self, record: ExperimentRecord) -> Future[Receipt]:
        """Keep an experiment in place of an equal question's; once there is a result, its parts go."""
        ...

    def experiment_parts(self, experiment_id: str) -> Mapping[str, Array]:
        """What is done of an experiment under way, by the parts' keys."""
        ...

    def keep_experiment_part(self, experiment_id: str, key: str, values: Array) -> Future[Receipt]:
        """Keep a part of an experiment under way, replacing an older one. key: up to 64 signs."""
        ...

    def remove_experiment(self, experiment_id: str) -> Future[Receipt]:
        """Forget an experiment with all of its parts."""
        ...


class Settings(Protocol):
    """Texts kept with a study by key, as its guidelines."""

    def setting(self, key: str, default: str = "") -> str:
        """The text of a key."""
        ...

    def setting_keys(self, prefix: str) -> Sequence[str]:
        """Every key that begins so, by name."""
        ...

    def keep_setting(self, key: str, value: str, annotator_id: str | None = None) -> Future[Receipt]:
        """Keep a text with the study, as one edit; an annotator's own can be undone."""
        ...


class Lender(TextStore, AnnotationStore, Settings, Protocol):
    """What metrics read of a study."""


class Study(TextStore, AnnotationStore, RatingStore, ScoreStore, ExperimentStore, Settings, Protocol):
    """The open study."""

    @property
    def path(self) -> Path: ...

    @property
    def name(self) -> str: ...

    def beside(self, name: str) -> Study:
        """Another study, by its path from this one's folder or its whole path; the caller closes it.

        Raises what opening a study raises.
        """
        ...

    def subscribe(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        """Call `listener` after every write of this process, on the writer's thread; returns how to stop."""
        ...

    def changed_elsewhere(self) -> bool:
        """Whether another process has written since the last call; cheap enough for twice a second.

        Raises PyramidionError where the study was moved, deleted or replaced.
        """
        ...

    def flush(self) -> None:
        """Wait until everything handed to the writer is on the disk."""
        ...

    def close(self) -> None: ...
