"""Regressors that turn features into scores: a model of the study, or the released models in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.study import TopicTexts
from core.files.allowed_names import allowed_names
from core.metrics.base import Resources
from core.metrics.base.learned_model import Feature, LearnedModel, Regressor
from core.metrics.learned.feature_sets import set_features
from core.metrics.learned.released_models import is_folder, read_released, state_of


@dataclass(frozen=True, slots=True)
class FoldRegressor:
    """A regressor for one measure. names: of its examples, in its order."""

    regressor: Regressor
    names: Sequence[str]


class ModelSource(Protocol):
    """A model, either of the study or released."""

    @property
    def inputs(self) -> tuple[Feature, ...]:
        """Return the features that the model reads, in order."""
        ...

    @property
    def digest(self) -> str:
        """Return the SHA-256 of everything that determines its scores."""
        ...

    @property
    def provenance(self) -> Mapping[str, str]:
        """Return the parts of a signature that describe the training."""
        ...

    def for_topic(self, topic: TopicTexts) -> Sequence[FoldRegressor]:
        """Return the regressor of each measure for a topic."""
        ...


@dataclass(frozen=True, slots=True)
class TrainedScorer:
    """A model of the study; training topics use the regressor trained without them."""

    model: LearnedModel

    @property
    def digest(self) -> str:
        return self.model.digest

    @property
    def inputs(self) -> tuple[Feature, ...]:
        return self.model.inputs

    @property
    def provenance(self) -> Mapping[str, str]:
        folds = f"out-of-fold,{self.model.folds}-folds"
        human = self.model.human.replace("|", "%7C")  # the separator of signatures
        return {"trained": human, "recipe": self.model.recipe, "topics-in-training": folds}

    def for_topic(self, topic: TopicTexts) -> Sequence[FoldRegressor]:
        fold = self.model.fold_of(topic)
        return [FoldRegressor(self.model.regressor(fold), self.model.example_names(fold))]


@dataclass(frozen=True, slots=True)
class ReleasedScorer:
    """The released models: one regressor per target, for all topics."""

    inputs: tuple[Feature, ...]
    regressors: tuple[Regressor, ...]
    digest: str

    @property
    def provenance(self) -> Mapping[str, str]:
        return {"trained": "TAC-2008-and-2009,all-topics"}

    def for_topic(self, topic: TopicTexts) -> Sequence[FoldRegressor]:
        return [
            FoldRegressor(
                regressor, [f"summary {i + 1} of TAC 2008 and 2009" for i in range(len(regressor.weights))]
            )
            for regressor in self.regressors
        ]


def find_scorer(model: str, vectors: str, resources: Resources) -> ModelSource:
    """Return the scorer of a model in the study or of a folder. Raises MissingResource, InputError.

    vectors: word vectors for the released models.
    """
    if not is_folder(model):
        return TrainedScorer(resources.learned_model(model))
    folder = allowed_names().place(model)
    released = resources.once(("released S3", state_of(folder)), lambda: read_released(folder))
    inputs = set_features("s3-best", resources, vectors)
    content = "|".join((released.digest, *(feature.signature for feature in inputs)))
    return ReleasedScorer(inputs, released.regressors, hashlib.sha256(content.encode()).hexdigest())
