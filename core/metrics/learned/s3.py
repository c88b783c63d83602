"""S3: a regression from measures of other metrics to human judgements (Peyrard et al. 2017)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from core.domain.study import TopicTexts
from core.errors import MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import (
    Array,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    setting,
)
from core.metrics.base.learned_model import Feature, LearnedModel, Regressor
from core.metrics.learned.feature_sets import (
    feature_label,
    feature_matrix,
    feature_titles,
    metrics_of,
    missing_feature_inputs,
    set_features,
)
from core.metrics.learned.released_models import RELEASED_TARGETS, is_folder, read_released, state_of
from core.metrics.registry import register
from core.models.encoders.text_encoding import EncodeRequest


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


VECTORS = "minilm"
"""Packaged word vectors, used instead of those of the paper."""

_LISTED = 8
"""Number of judged summaries that an explanation lists individually."""


@dataclass(frozen=True, slots=True)
class PreparedFeatures(Prepared):
    """The features of a topic, shape (summaries, features), and the regressor of each measure.

    labels: display names of the features.
    """

    features: Array
    regressors: tuple[FoldRegressor, ...]
    labels: tuple[str, ...]


@register
@dataclass(frozen=True)
class S3(Metric[PreparedFeatures]):
    """A trained model over measures of other metrics; training topics use a model trained without them.

    Formula:
        score = Σ a_i · exp(−gamma · |x − s_i|²) + b, x = the features, s_i = support vectors

    Limits:
        Predicts the judgements that it was trained on: on these topics the model trained without them is
        used. The released models were trained on TAC 2008 and 2009. Not bounded by 0 and 1. English only.
    """

    name: ClassVar[str] = "s3"
    family: ClassVar[str] = "Learned"
    about: ClassVar[str] = (
        "Regression over the measures of other metrics, trained on human judgements of this study or of TAC."
    )
    paper: ClassVar[str] = "Peyrard, Botschen & Gurevych 2017"
    bibliography: ClassVar[tuple[str, ...]] = ("peyrard-2017-s3",)
    is_in_summeval: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.LEARNED})
    default_pool: ClassVar[Pool] = Pool.JOINT

    model: str = setting(
        "",
        "Name of a model trained in this study, or the folder of the released models, for "
        "example ./models/en.",
        title="Model",
    )
    vectors: str = setting(
        VECTORS,
        "Word vectors for the released models, which were trained with those of Levy and "
        "Goldberg (deps.words); models trained in this study store their own.",
        title="Word vectors",
    )

    @property
    def reads(self) -> Script:
        return (
            Script.SPACED
        )  # like the features of the released models, and the default ones of trained models

    def unused(self) -> dict[str, str]:
        named = f"model={self.model}" if self.model else "a trained model"
        own = f"{named}, which stores its own (they are for the released models)"
        return {} if is_folder(self.model) else {"vectors": own}

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"vectors": ("deps.words",)} if is_folder(self.model) else {}

    def measures(self) -> tuple[str, ...]:
        if is_folder(self.model):
            return tuple(f"{self.name}-released.{target}" for target in RELEASED_TARGETS)
        return (f"{self.name}-{self.model}.score" if self.model else f"{self.name}.score",)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        scorer = self._scorer(resources)
        labels = ";".join(feature_label(feature) for feature in scorer.inputs)
        return {"features": labels, **scorer.provenance, "hash": scorer.digest[:12]}

    def corpus_hash(self, resources: Resources) -> str:
        scorer = self._scorer(resources)
        metrics = metrics_of(scorer.inputs, resources).items()
        return _hash([scorer.digest, *((name, metric.corpus_hash(resources)) for name, metric in metrics)])

    def topic_hash(self, topic: TopicTexts, resources: Resources) -> str:
        metrics = metrics_of(self._scorer(resources).inputs, resources).values()
        reads_documents = any(Need.DOCUMENTS in metric.needs for metric in metrics)
        documents = [text.reading_key for text in topic.documents] if reads_documents else []
        return _hash([documents, *(metric.topic_hash(topic, resources) for metric in metrics)])

    def corpus_parts(self, resources: Resources, corpus_hash: str) -> dict[str, str]:
        scorer = self._scorer(resources)
        parts = {"trained model": scorer.digest}
        for metric in metrics_of(scorer.inputs, resources).values():
            own = metric.corpus_parts(resources, metric.corpus_hash(resources))
            parts |= {f"{part} ({metric.spec})": digest for part, digest in own.items()}
        return parts

    def topic_parts(self, topic: TopicTexts, resources: Resources, topic_hash: str) -> dict[str, str]:
        metrics = metrics_of(self._scorer(resources).inputs, resources).values()
        parts = {}
        if any(Need.DOCUMENTS in metric.needs for metric in metrics):
            parts["source documents"] = _hash([text.reading_key for text in topic.documents])
        for metric in metrics:
            own = metric.topic_parts(topic, resources, metric.topic_hash(topic, resources))
            parts |= {f"{part} ({metric.spec})": digest for part, digest in own.items()}
        return parts

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        return missing_feature_inputs(self._scorer(resources).inputs, topic, resources)

    def check(self, resources: Resources) -> None:
        for metric in metrics_of(self._scorer(resources).inputs, resources).values():
            metric.check(resources)

    def seconds_per_text(self, resources: Resources) -> float:
        metrics = metrics_of(self._scorer(resources).inputs, resources).values()
        return 1e-4 + sum(metric.seconds_per_text(resources) for metric in metrics)

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        metrics = metrics_of(self._scorer(resources).inputs, resources).values()
        return [request for metric in metrics for request in metric.to_encode(topic, resources)]

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedFeatures:
        scorer = self._scorer(resources)
        features = feature_matrix(scorer.inputs, topic, resources)
        return PreparedFeatures(
            topic, features, tuple(scorer.for_topic(topic)), feature_titles(scorer.inputs)
        )

    def score(self, prepared: PreparedFeatures) -> TopicScores:
        columns = [fold.regressor.predict(prepared.features) for fold in prepared.regressors]
        return TopicScores(np.stack(columns, axis=1))

    def explain(self, prepared: PreparedFeatures, system: int) -> dict[str, Explanation]:
        own = prepared.features[system]
        trees = (_tree(fold, own, prepared.labels) for fold in prepared.regressors)
        return dict(zip(self.measures(), trees, strict=True))

    def _scorer(self, resources: Resources) -> ModelSource:
        if not self.model:
            raise MissingResource(
                "No model is set. Train one (Train a metric… on the page Score, or `pyramidion train`), or "
                "choose the folder of the released models."
            )
        return find_scorer(self.model, self.vectors, resources)


def _hash(values_by_feature: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(values_by_feature).encode()).hexdigest()


def _tree(fold: FoldRegressor, features: Array, labels: Sequence[str]) -> Explanation:
    """Explain a score as a sum over training examples; those with the largest effect are listed."""
    regressor = fold.regressor
    similarity = regressor.similarity_by_feature(features[None])[0]
    effects = similarity.prod(axis=1) * regressor.weights
    order = np.argsort(-np.abs(effects), kind="stable")
    named = tuple(
        _example(fold.names[i], float(regressor.weights[i]), similarity[i].tolist(), labels)
        for i in order[:_LISTED].tolist()
    )
    rest = order[_LISTED:]
    others = Explanation(f"{len(rest)} other judged summaries", value=float(effects[rest].sum()))
    values_by_feature = ", ".join(
        f"{label} {value:.4f}" for label, value in zip(labels, features.tolist(), strict=True)
    )
    start = Explanation("intercept", value=regressor.intercept)
    return Explanation(
        f"similarity to judged summaries, by {values_by_feature}", "sum", children=(start, *named, others)
    )


def _example(name: str, weight: float, similarity: Sequence[float], labels: Sequence[str]) -> Explanation:
    parts = [
        Explanation(f"similarity in {label}", value=value)
        for label, value in zip(labels, similarity, strict=True)
    ]
    return Explanation(f"as {name}", "product", children=(Explanation("weight", value=weight), *parts))
