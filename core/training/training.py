"""Train a metric on a study's judgements with cross-validation by topic (Peyrard et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import MeasureRef
from core.comparison.measures import measures as stored_measures
from core.domain.reference_authors import format_authors
from core.domain.study import TopicTexts
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Metric, Resources, format_setting
from core.metrics.base.learned_model import (
    Array,
    Feature,
    LearnedModel,
    TrainingExample,
    TrainingTopic,
    check_name,
    stacked,
)
from core.metrics.learned.feature_sets import (
    SETS,
    feature_matrix,
    make_feature,
    metric_measures,
    missing_feature_inputs,
    reads_judgements,
    set_features,
)
from core.names import fitting_names, unknown_name
from core.ports import Study
from core.progress import JobSteps, Progress


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Options of a training run.

    human: the target judgement.
    annotators: whose judgements are used; empty = the default of the judgement.
    folds: number of parts into which the topics are divided, at most one per topic.
    cost, epsilon: of the regression; the kernel's gamma is 1 / number of features.
    is_scaled: divide each feature by its standard deviation in training, which S3 does not do.
    """

    name: str
    human: str
    features: tuple[Feature, ...]
    annotators: tuple[str, ...] = ()
    folds: int = 10
    cost: float = 1.0
    epsilon: float = 0.1
    is_scaled: bool = False

    def as_text(self) -> str:
        """Return the options, except judgement and features, as text for a signature."""
        by = f",annotators={format_authors(self.annotators)}" if self.annotators else ""
        return f"C={self.cost},epsilon={self.epsilon},scaled={format_setting(self.is_scaled)}{by}"


@dataclass(frozen=True, slots=True, eq=False)
class TrainingResult:
    """A trained model and its cross-validated predictions.

    judged, predicted: shape (systems, topics); predictions are out of fold.
    left_out: number of judged summaries with an undefined feature.
    """

    model: LearnedModel
    judged: ScoreMatrix
    predicted: ScoreMatrix
    left_out: int


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """Judged summaries with their features.

    topics: those with an example.
    features: shape (examples, features).
    judged: shape (examples,).
    left_out: number of judged summaries with an undefined feature.
    """

    topics: tuple[TopicTexts, ...]
    examples: tuple[TrainingExample, ...]
    features: Array
    judged: Array
    left_out: int = 0

    @property
    def groups(self) -> Array:
        return np.array([example.topic for example in self.examples])


def train(study: Study, recipe: TrainingOptions, resources: Resources) -> JobSteps[TrainingResult]:
    """Compute the features of all judged summaries, then train without each fold of topics, then on all.

    Raises InputError if fewer than two topics have judged summaries with all features.
    """
    check_name(recipe.name)
    judged = judgement_matrix(study, recipe.human, recipe.annotators)
    feature_table = yield from _collect_features(study, recipe, judged, resources)
    folds = fold_of_each_topic(feature_table, recipe.folds)
    model = yield from fitted(recipe, feature_table, folds)
    return TrainingResult(model, judged, _predictions(model, judged), feature_table.left_out)


def cross_val_predict(model: LearnedModel) -> Array:
    """Return out-of-fold predictions, shape (examples,)."""
    fold_of_example = np.array([model.topics[example.topic].fold for example in model.examples])
    scores = np.empty(len(model.examples))
    for fold in range(model.folds):
        mine = fold_of_example == fold
        scores[mine] = model.regressor(fold).predict(model.features[mine])
    return scores


def _predictions(model: LearnedModel, judged: ScoreMatrix) -> ScoreMatrix:
    """Return the result of `cross_val_predict` as a matrix in the shape of the judgements."""
    values = np.full(judged.values.shape, np.nan)
    row, column = ({name: i for i, name in enumerate(names)} for names in (judged.systems, judged.topics))
    for example, score in zip(model.examples, cross_val_predict(model), strict=True):
        values[row[example.system], column[model.topics[example.topic].name]] = score
    return ScoreMatrix(model.name, judged.systems, judged.topics, values)


def fold_of_each_topic(feature_table: FeatureTable, folds: int) -> list[int]:
    """Assign topics to folds of similar size; depends only on the numbers of summaries."""
    from sklearn.model_selection import GroupKFold

    groups = feature_table.groups
    chosen = [0] * len(feature_table.topics)
    splits = GroupKFold(min(folds, len(feature_table.topics))).split(groups[:, None], groups=groups)
    for fold, (_, held_out) in enumerate(splits):
        for topic in set(groups[held_out].tolist()):
            chosen[topic] = fold
    return chosen


def fitted(
    recipe: TrainingOptions, feature_table: FeatureTable, folds: Sequence[int]
) -> JobSteps[LearnedModel]:
    """Train one regressor without each fold, then one on all topics."""
    count = max(folds) + 1
    fold_of_example = np.array([folds[example.topic] for example in feature_table.examples])
    weights, intercepts, spreads = [], [], []
    for fold in range(count + 1):
        yield Progress(fold, count + 1, "training")
        used = np.flatnonzero(fold_of_example != fold)
        spread = _spread(feature_table.features[used], is_scaled=recipe.is_scaled)
        dual, intercept = _fit(recipe, feature_table.features[used] / spread, feature_table.judged[used])
        whole = np.zeros(len(feature_table.examples))
        whole[used] = dual
        weights.append(whole)
        intercepts.append(intercept)
        spreads.append(spread)
    return LearnedModel(
        name=recipe.name,
        human=recipe.human,
        recipe=recipe.as_text(),
        inputs=recipe.features,
        topics=tuple(
            TrainingTopic(t.id, t.name, fold) for t, fold in zip(feature_table.topics, folds, strict=True)
        ),
        examples=feature_table.examples,
        features=feature_table.features,
        weights=stacked(weights),
        intercepts=np.array(intercepts),
        spreads=stacked(spreads),
        gamma=_gamma(recipe),
    )


def _collect_features(
    study: Study, recipe: TrainingOptions, judged: ScoreMatrix, resources: Resources
) -> JobSteps[FeatureTable]:
    """Return the judged summaries of every topic that has what the features need."""
    cells = _cells(judged)
    names = {topic for _, topic in cells}
    topic_ids = [head.id for head in study.texts.topics() if head.name in names]
    draft = _Draft()
    for done, topic in enumerate(study.texts.load(topic_ids)):
        yield Progress(done, len(topic_ids), f"features · {topic.name}")
        values = np.array([cells.get((text.name, topic.name), np.nan) for text in topic.summaries])
        if missing_feature_inputs(recipe.features, topic, resources):
            draft.left_out += int(np.isfinite(values).sum())
        else:
            draft.take(topic, feature_matrix(recipe.features, topic, resources), values)
    if len(draft.topics) < 2:
        raise InputError(_too_few(recipe.human, len(draft.topics)))
    return draft.table()


@dataclass(slots=True)
class _Draft:
    """A feature table under construction."""

    topics: list[TopicTexts] = field(default_factory=list)
    examples: list[TrainingExample] = field(default_factory=list)
    features: list[Array] = field(default_factory=list)
    judged: list[Array] = field(default_factory=list)
    left_out: int = 0

    def take(self, topic: TopicTexts, features: Array, judged: Array) -> None:
        """Add the judged summaries of a topic with all features.

        judged: shape (summaries,), NaN = not judged.
        """
        used = np.flatnonzero(np.isfinite(judged) & np.isfinite(features).all(axis=1))
        self.left_out += int(np.isfinite(judged).sum()) - len(used)
        if not len(used):
            return
        self.examples += [TrainingExample(len(self.topics), topic.summaries[i].name) for i in used]
        self.topics.append(topic)
        self.features.append(features[used])
        self.judged.append(judged[used])

    def table(self) -> FeatureTable:
        features, judged = np.concatenate(self.features), np.concatenate(self.judged)
        return FeatureTable(tuple(self.topics), tuple(self.examples), features, judged, self.left_out)


def _cells(judged: ScoreMatrix) -> dict[tuple[str, str], float]:
    """Return the defined judgements by system and topic."""
    return {
        (judged.systems[i], judged.topics[j]): float(judged.values[i, j])
        for i, j in np.argwhere(np.isfinite(judged.values)).tolist()
    }


def _too_few(human: str, topics: int) -> str:
    subject = "no topic has" if not topics else "only one topic has"
    return (
        f"A model is tested on topics that it did not see, but {subject} summaries with {human} and with all "
        "features. Judge summaries of two topics or more, or choose another judgement or other features."
    )


def _spread(features: Array, *, is_scaled: bool) -> Array:
    """Return the standard deviation of each feature; 1 if it is constant or scaling is off."""
    deviations = features.std(axis=0) if is_scaled else np.ones(features.shape[1])
    return np.where(deviations > 0, deviations, 1.0)


def _gamma(recipe: TrainingOptions) -> float:
    return 1.0 / len(recipe.features)


def _fit(recipe: TrainingOptions, features: Array, judged: Array) -> tuple[Array, float]:
    """Return the dual coefficient of each example and the intercept."""
    from sklearn.svm import SVR

    learner = SVR(kernel="rbf", C=recipe.cost, epsilon=recipe.epsilon, gamma=_gamma(recipe), tol=1e-6)
    learner.fit(features, judged)
    dual = np.zeros(len(features))
    dual[learner.support_] = learner.dual_coef_[0]
    return dual, float(learner.intercept_[0])


def choose_features(
    names: Sequence[str], study: Study, resources: Resources, vectors: str = ""
) -> tuple[Feature, ...]:
    """Return the features of sets, of measures in the study (``rouge-2.recall``) or of metric configurations.

    vectors: word vectors for ROUGE-WE in the sets; empty = the default.
    Raises InputError for an unknown name and for a measure that cannot be a feature, MissingResource if
    one cannot be computed here.
    """
    refs = stored_measures(study, check_stale=False)
    features: dict[Feature, None] = {}
    for name in names:
        chosen = set_features(name, resources, vectors) if name in SETS else _named(name, refs, resources)
        features.update(dict.fromkeys(chosen))
    if not features:
        raise InputError(f"No features are chosen. Name some measures, or one of {', '.join(SETS)}.")
    return tuple(features)


def eligible_measures(study: Study, resources: Resources) -> list[str]:
    """Return names for `choose_features`: measures of the study, then default measures that can run here."""
    refs = stored_measures(study, check_stale=False)
    fit = [ref for ref in refs if not _why_not_stored(ref) and not reads_judgements(ref.config.metric)]
    usual = [
        name
        for name, metric in _usual_measures().items()
        if not reads_judgements(metric.name) and not metric.unavailable(resources)
    ]
    return list(dict.fromkeys([*(ref.label for ref in fit), *usual]))


def _named(name: str, refs: Sequence[MeasureRef], resources: Resources) -> Sequence[Feature]:
    """Return the features of a measure's label, a default measure, or a metric configuration."""
    for ref in refs:
        if ref.label == name:
            return [_stored(ref, resources)]
    usual = _usual_measures()
    if name in usual:
        return [make_feature(usual[name], name, resources)]
    try:
        metric, measures = metric_measures(name)
    except InputError as error:
        labels = list(dict.fromkeys([*(ref.label for ref in refs), *usual]))
        if len(fits := fitting_names(name, labels)) == 1:
            return _named(fits[0], refs, resources)
        if "|" in name or ":" in name:
            raise
        raise InputError(unknown_name("measure or metric", name, labels)) from error
    return [make_feature(metric, measure, resources) for measure in measures]


def _usual_measures() -> dict[str, Metric]:
    """Return every measure of the default configurations, with the first metric that computes it."""
    metrics: dict[str, Metric] = {}
    for kind in registry.metrics():
        for settings in kind.default_configs:
            metric = registry.parse(f"{kind.name}:{settings}")
            for measure in metric.measures():
                metrics.setdefault(measure, metric)
    return metrics


def _stored(ref: MeasureRef, resources: Resources) -> Feature:
    if why := _why_not_stored(ref):
        raise InputError(why)
    return make_feature(registry.parse(ref.config.spec), ref.measure, resources)


def _why_not_stored(ref: MeasureRef) -> str:
    if ref.config.is_imported:
        return (
            f"{ref.label} was computed elsewhere, so that other summaries could not be given it. Choose a "
            "measure that this program computes."
        )
    if ref.config.references or ref.config.scores_humans:
        return (
            f"{ref.label} was computed with some references left out. Choose it as computed with all: a "
            "learned metric chooses the references itself."
        )
    return ""
