"""Training of a metric on a study's judgements."""

from __future__ import annotations

import re

from core.comparison.judgements import resolve_judgements
from core.metrics.learned.feature_sets import SETS
from core.operations.options import TrainRequest
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.training import training
from core.training.training import TrainingOptions, TrainingResult, choose_features

_NAME = re.compile(r"""\s*"((?:[^"]|"")*)"|((?:\[[^\]]*\]|[^,]|,(?=\s*\w+=))+)""")
"""A name in double quotes, or text up to a comma that is not in brackets or before key=value."""


def train(study: Study, request: TrainRequest, device: str) -> JobSteps[TrainingResult]:
    """Train the requested model; by default features are scaled unless they are those of S3.

    Measures listed individually differ in their ranges. Raises InputError as `choose_features` and
    `training.train` do.
    """
    yield Progress(0, 0, "choosing features")
    resources, names = StudyResources(study, device), feature_names(request.features)
    is_scaled = any(name not in SETS for name in names) if request.scale is None else request.scale
    (human,) = resolve_judgements(study, [request.human])
    options = TrainingOptions(
        name=request.name,
        human=human,
        features=choose_features(names, study, resources, request.vectors),
        annotators=request.annotators,
        folds=request.folds,
        cost=request.cost,
        epsilon=request.epsilon,
        is_scaled=is_scaled,
    )
    return (yield from training.train(study, options, resources))


def feature_names(listed: str) -> list[str]:
    """Split a list of features at commas, except in double quotes, in brackets and before ``key=value``."""
    found = (quoted.replace('""', '"') or plain.strip() for quoted, plain in _NAME.findall(listed))
    return [name for name in found if name]
