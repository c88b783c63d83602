"""Protocols through which core and gui access a study; storage implements them.

Reads run on the caller's thread. Writes are passed to the study's single writer thread and return a Future,
so nobody
waits for the disk unless they ask for the result; a Future that is done means that the change is on disk.
"""

from core.domain.import_batch import (
    ImportContent,
    ImportCounts,
    NewRating,
    NewScore,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.ports.annotations import AnnotationStore, EditRecord
from core.ports.changes import ChangeKind, ChangeSet, EditReceipt
from core.ports.experiments import ExperimentRecord, ExperimentStore
from core.ports.ratings import RatingStore
from core.ports.scores import JACKKNIFE_KEY, Array, MetricConfig, ScoreBlock, ScoreStore
from core.ports.study import ScoringInputs, Study
from core.ports.study_settings import StudySettings
from core.ports.texts import TextStore

__all__ = [
    "JACKKNIFE_KEY",
    "AnnotationStore",
    "Array",
    "ChangeKind",
    "ChangeSet",
    "EditReceipt",
    "EditRecord",
    "ExperimentRecord",
    "ExperimentStore",
    "ImportContent",
    "ImportCounts",
    "MetricConfig",
    "NewRating",
    "NewScore",
    "NewText",
    "NewTopic",
    "RatingStore",
    "ScaleTexts",
    "ScoreBlock",
    "ScoreStore",
    "ScoringInputs",
    "Study",
    "StudySettings",
    "TextStore",
]
