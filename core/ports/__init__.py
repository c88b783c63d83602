"""Protocols through which core and gui access a study; storage implements them.

Reads run on the caller's thread. Writes are passed to the study's single writer thread and return a Future,
so nobody waits for the disk unless they ask for the result; a Future that is done means that the change is on
disk.
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
from core.ports.changes import ChangeKind, ChangeSet, EditPlace, EditReceipt
from core.ports.edits import EditRecord, EditStore
from core.ports.experiments import ExperimentRecord, ExperimentStore
from core.ports.pyramids import PyramidStore
from core.ports.ratings import RatingStore
from core.ports.scores import JACKKNIFE_KEY, Array, MetricConfig, ScoreBlock, ScoreStore
from core.ports.settings import SettingStore
from core.ports.study import ScoringInputs, Study, annotations_of, language_of, set_language
from core.ports.texts import AnnotatorStore, TextStore

__all__ = [
    "JACKKNIFE_KEY",
    "AnnotatorStore",
    "Array",
    "ChangeKind",
    "ChangeSet",
    "EditPlace",
    "EditReceipt",
    "EditRecord",
    "EditStore",
    "ExperimentRecord",
    "ExperimentStore",
    "ImportContent",
    "ImportCounts",
    "MetricConfig",
    "NewRating",
    "NewScore",
    "NewText",
    "NewTopic",
    "PyramidStore",
    "RatingStore",
    "ScaleTexts",
    "ScoreBlock",
    "ScoreStore",
    "ScoringInputs",
    "SettingStore",
    "Study",
    "TextStore",
    "annotations_of",
    "language_of",
    "set_language",
]
