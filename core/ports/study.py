"""The open study: its stores, and what concerns all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.annotation_merge import MergeReport
from core.domain.annotation_pack import AnnotationPack
from core.domain.import_batch import ImportContent, ImportCounts
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.ports.annotations import (
    AdjudicationStore,
    AnnotatorStore,
    CitationStore,
    CommentStore,
    ComparisonStore,
    EditStore,
    PyramidStore,
    RatingStore,
    SettingStore,
    TextStore,
)
from core.ports.changes import ChangeSet, EditReceipt
from core.ports.results import ExperimentStore, ScoreStore
from core.ports.scoring_inputs import ScoringInputs
from core.text.languages import LANGUAGE_SETTING, TOPIC_LANGUAGE, check_language


class ScoringStudy(ScoringInputs, Protocol):
    """Part of a study that scoring reads and writes."""

    @property
    def scores(self) -> ScoreStore: ...

    @property
    def settings(self) -> SettingStore: ...

    def flush(self) -> None:
        """Wait until everything passed to the writer is on disk."""
        ...


class Study(ScoringStudy, Protocol):
    """The open study."""

    @property
    def texts(self) -> TextStore: ...

    @property
    def annotators(self) -> AnnotatorStore: ...

    @property
    def citations(self) -> CitationStore: ...

    @property
    def pyramids(self) -> PyramidStore: ...

    @property
    def nuggets(self) -> PyramidStore: ...

    @property
    def settings(self) -> SettingStore: ...

    @property
    def edits(self) -> EditStore: ...

    @property
    def ratings(self) -> RatingStore: ...

    @property
    def comments(self) -> CommentStore: ...

    @property
    def comparisons(self) -> ComparisonStore: ...

    @property
    def adjudication(self) -> AdjudicationStore: ...

    @property
    def experiments(self) -> ExperimentStore: ...

    @property
    def path(self) -> StudyAddress:
        """The study's file, or its address on a server."""
        ...

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

    def import_data(
        self, incoming: ImportContent, *, dry_run: bool = False, annotator_id: str | None = None
    ) -> ImportCounts:
        """Write an import in one transaction, or only count its effect. Raises BadImport."""
        ...

    def annotation_pack(self, annotators: Sequence[str] | None = None) -> AnnotationPack:
        """Return the work of some annotators, by name, None = of all.

        Raises InputError for an unknown annotator, and if there is no work.
        """
        ...

    def merge_annotations(
        self, packs: Sequence[tuple[str, AnnotationPack]], *, dry_run: bool = False
    ) -> MergeReport:
        """Merge packs, given with the names of their files, in one transaction, or only report the effect.

        Raises BadImport with every difference if they were made on other texts, scales or pyramids.
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

        Raises StudyLost if the study was moved, deleted or replaced, or its server cannot be reached.
        """
        ...

    def close(self) -> None:
        """Finish pending writes, then close the files.

        Raises StudyLost if the study was moved, deleted or replaced and no call has reported that yet; it is
        closed all the same.
        """
        ...


def annotations_of(study: Study, kind: UnitKind) -> PyramidStore:
    """Return a study's store of the annotations with one kind of content unit."""
    return study.nuggets if kind is UnitKind.NUGGET else study.pyramids


def set_language(study: Study, code: str, topic_ids: Sequence[str] = ()) -> Future[EditReceipt]:
    """Store the language of a study, empty = none, as an edit without an annotator.

    topic_ids: topics that get it instead of the study; empty = they have the study's.
    Raises InputError for an unknown code.
    """
    keys = [f"{TOPIC_LANGUAGE}{topic}" for topic in topic_ids] or [LANGUAGE_SETTING]
    return study.settings.save_all(dict.fromkeys(keys, check_language(code) if code else ""))


def require_writable(study: Study) -> None:
    """Raise InputError where a study is read-only; checked before long computations."""
    if study.read_only:
        raise InputError(study.read_only)
