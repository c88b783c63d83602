"""What core and gui ask of storage, said without SQL. Storage fills these protocols.

Reading happens on the caller's thread. Writing is handed to the study's one writer and answered by a Future,
so that nobody waits for the disk unless they ask; a Future that is done means that the change is on the disk.
"""

from core.domain.import_batch import (
    ImportCounts,
    Incoming,
    NewRating,
    NewScore,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.ports.annotations import AnnotationStore, EditRecord
from core.ports.changes import Changes, Kind, Receipt
from core.ports.experiments import ExperimentRecord, ExperimentStore
from core.ports.ratings import RatingStore
from core.ports.scores import HUMANS, Array, MetricConfig, ScoreBlock, ScoreStore
from core.ports.study import Lender, Study
from core.ports.study_settings import Settings
from core.ports.texts import TextStore
from core.retrieval.index_store import Columns, IndexAbout, IndexStore, IndexWish

__all__ = [
    "HUMANS",
    "AnnotationStore",
    "Array",
    "Changes",
    "Columns",
    "EditRecord",
    "ExperimentRecord",
    "ExperimentStore",
    "ImportCounts",
    "Incoming",
    "IndexAbout",
    "IndexStore",
    "IndexWish",
    "Kind",
    "Lender",
    "MetricConfig",
    "NewRating",
    "NewScore",
    "NewText",
    "NewTopic",
    "RatingStore",
    "Receipt",
    "ScaleTexts",
    "ScoreBlock",
    "ScoreStore",
    "Settings",
    "Study",
    "TextStore",
]
