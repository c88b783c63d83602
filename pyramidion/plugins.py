"""Classes for packages that add metrics, summarizers and file formats to Pyramidion.

A package names them in entry points, for example in its pyproject.toml::

    [project.entry-points."pyramidion.metrics"]
    overlap = "my_package:Overlap"            # a subclass of Metric

    [project.entry-points."pyramidion.summarizers"]
    tail = "my_package:Tail"                  # a subclass of Summarizer

    [project.entry-points."pyramidion.formats"]
    pipes = "my_package:FORMATS"              # an ImportFormat, an ExportFormat, or a list of them

They are listed in the window and on the command line like the program's own, and their signatures contain
the name and version of the package. ``pyramidion plugins`` lists them, and why one could not be loaded.
"""

from pyramidion._shadowing import check_packages

check_packages()  # before anything of theirs is imported

# ruff: noqa: E402
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import Text, TopicTexts
from core.errors import BadImport, InputError, MissingResource, Problem
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    setting,
)
from core.metrics.base.pooling import pool_references
from core.ports import Study
from core.progress import JobSteps, Progress
from core.systems.base import Summarizer
from core.systems.source import Sentence, Source
from core.text.tokenization import TokenizerSettings
from storage.formats.format_types import Export as ExportFormat
from storage.formats.format_types import Format as ImportFormat

__all__ = [
    "Array",
    "BadImport",
    "Evidence",
    "Explanation",
    "ExportFormat",
    "ImportContent",
    "ImportFormat",
    "InputError",
    "JobSteps",
    "Mask",
    "Metric",
    "MissingResource",
    "Need",
    "NewRating",
    "NewScore",
    "NewText",
    "NewTopic",
    "Pool",
    "Prepared",
    "Problem",
    "Progress",
    "Resources",
    "Script",
    "Sentence",
    "Source",
    "Study",
    "Summarizer",
    "Text",
    "TokenizerSettings",
    "TopicScores",
    "TopicTexts",
    "pool_references",
    "setting",
]
