"""Protocols through which core and gui access a study; storage implements them.

Reads run on the caller's thread. Writes are passed to the study's single writer thread and return a Future,
so nobody waits for the disk unless they ask for the result; a Future that is done means that the change is on
disk.
"""

from core.ports.annotations import AdjudicationEdit, EditRecord, NewPreference, NewRatingValue, PyramidStore
from core.ports.changes import (
    ANNOTATION_CHANGES,
    SCORED_CHANGES,
    ChangeKind,
    ChangeSet,
    EditPlace,
    EditReceipt,
)
from core.ports.results import JACKKNIFE_KEY, Array, ExperimentRecord, InputParts, MetricConfig, ScoreBlock
from core.ports.scoring_inputs import ScoringInputs, language_of
from core.ports.study import ScoringStudy, Study, annotations_of, require_writable, set_language

__all__ = [
    "ANNOTATION_CHANGES",
    "JACKKNIFE_KEY",
    "SCORED_CHANGES",
    "AdjudicationEdit",
    "Array",
    "ChangeKind",
    "ChangeSet",
    "EditPlace",
    "EditReceipt",
    "EditRecord",
    "ExperimentRecord",
    "InputParts",
    "MetricConfig",
    "NewPreference",
    "NewRatingValue",
    "PyramidStore",
    "ScoreBlock",
    "ScoringInputs",
    "ScoringStudy",
    "Study",
    "annotations_of",
    "language_of",
    "require_writable",
    "set_language",
]
