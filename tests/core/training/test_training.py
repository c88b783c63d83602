"""Training: what it learns from, and that no topic is scored by what saw it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.svm import SVR

from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.base.learned_model import Feature, TrainingExample, read_model
from core.metrics.learned.feature_sets import S3_BEST, S3_FULL, feature_label
from core.metrics.learned.model_store import delete_model, model_names, save_model
from core.ports import MetricConfig, ScoreBlock
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.training.training import (
    FeatureTable,
    TrainingOptions,
    choose_features,
    eligible_measures,
    fitted,
    fold_of_each_topic,
    train,
)
from core.training.training import cross_val_predict as out_of_fold
from tests.scoring import score_all

MEASURES = ["rouge-1.recall", "js-1.divergence"]


def recipe(study, names=MEASURES, **changed):
    features = choose_features(names, study, StudyResources(study))
    return replace(TrainingOptions("mine", "rating.relevance", features), **changed)


def trained(study, **changed):
    return run_to_completion(train(study, recipe(study, **changed), StudyResources(study)))


# No leak ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=7),
    st.integers(0, 6),
    st.integers(2, 8),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_judgements_of_a_topic_never_change_its_held_out_predictions(sizes, chosen, folds, is_scaled, seed):
    random = np.random.default_rng(seed)
    chosen %= len(sizes)
    table = random_table(sizes, random)
    mine = table.groups == chosen
    changed = replace(table, judged=np.where(mine, random.normal(0, 100, mine.size), table.judged))
    before, after = (held_out_predictions(each, folds, is_scaled) for each in (table, changed))
    assert before[mine].tolist() == after[mine].tolist()


def test_changed_ratings_of_a_topic_change_the_scores_of_other_topics_only(rated):
    resources, metric = StudyResources(rated), registry.parse("s3:model=mine")
    before = scores_by_topic(rated, metric, resources)
    (first,) = rated.texts.load([rated.texts.topics()[0].id])
    for rating in rated.ratings.of_topic(first.id):
        rated.ratings.rate(rating.summary_id, rating.dimension_id, rating.annotator_id, 2.5).result()
    after = scores_by_topic(rated, metric, resources)
    assert before["D1"].tolist() == after["D1"].tolist()
    assert all(np.abs(before[name] - after[name]).max() > 1e-3 for name in before if name != "D1")


def scores_by_topic(study, metric, resources):
    save_model(study, trained(study).model).result()
    return {topic.name: metric.score(metric.prepare(topic, resources)).values for topic in study.texts.load()}


def test_judgements_of_other_topics_change_held_out_predictions():
    random = np.random.default_rng(3)
    table = random_table([3, 3, 3], random)
    changed = replace(table, judged=np.where(table.groups == 1, 5.0, table.judged))
    before, after = (held_out_predictions(each, 3, False) for each in (table, changed))
    assert np.abs(before - after)[table.groups == 0].min() > 1e-3


def random_table(sizes, random):
    topics = tuple(TopicTexts(f"id-{i}", f"D{i}") for i in range(len(sizes)))
    examples = tuple(TrainingExample(i, f"s{j}") for i, size in enumerate(sizes) for j in range(size))
    count = len(examples)
    return FeatureTable(topics, examples, random.random((count, 2)), random.random(count))


def held_out_predictions(table, folds, is_scaled):
    features = (Feature("a", "a"), Feature("b", "b"))
    model = run_to_completion(
        fitted(
            TrainingOptions("m", "h", features, is_scaled=is_scaled), table, fold_of_each_topic(table, folds)
        )
    )
    return out_of_fold(model)


# What it learns ---------------------------------------------------------------------------------------------


def test_predictions_correlate_with_the_judgement_on_unseen_topics(rated):
    result = trained(rated)
    both = np.isfinite(result.judged.values) & np.isfinite(result.predicted.values)
    assert both.sum() == 19  # one summary of twenty is not judged
    r = np.corrcoef(result.judged.values[both], result.predicted.values[both])[0, 1]
    assert r > 0.8
    assert result.model.folds == 5


def test_predictions_equal_scikit_learns_cross_validation(rated):
    result = trained(rated, folds=3)
    model = result.model
    topics = np.array([example.topic for example in model.examples])
    row, column = (
        {name: i for i, name in enumerate(names)} for names in (result.judged.systems, result.judged.topics)
    )
    places = [(row[e.system], column[model.topics[e.topic].name]) for e in model.examples]
    judged = [result.judged.values[place] for place in places]
    learner = SVR(kernel="rbf", C=1.0, epsilon=0.1, gamma=1 / 2, tol=1e-6)
    expected = cross_val_predict(learner, model.features, judged, groups=topics, cv=GroupKFold(3))
    assert np.allclose([result.predicted.values[place] for place in places], expected, rtol=0, atol=1e-9)


def test_fewer_folds_hold_several_topics_out_at_once(rated):
    model = trained(rated, folds=2).model
    assert {topic.fold for topic in model.topics} == {0, 1}
    for fold in range(2):
        held_out = [i for i, e in enumerate(model.examples) if model.topics[e.topic].fold == fold]
        assert not model.weights[fold, held_out].any()


def test_a_training_topic_is_recognized_by_name_too(rated):
    model = trained(rated).model
    seen = model.topics[2]
    assert model.fold_of(TopicTexts("brought in anew", seen.name)) == seen.fold
    assert model.fold_of(TopicTexts("new", "new")) == model.folds


def test_a_model_describes_its_judgement_and_training(rated):
    assert trained(rated).model.recipe == "C=1.0,epsilon=0.1,scaled=no"
    model = trained(rated, annotators=("ann",), cost=2.0, is_scaled=True).model
    assert model.recipe == "C=2.0,epsilon=0.1,scaled=yes,annotators=ann"


def test_scaled_features_are_independent_of_their_unit():
    random = np.random.default_rng(8)
    table = random_table([4, 4, 4], random)
    other = replace(table, features=table.features * [1.0, 1000.0])
    one, two = (held_out_predictions(each, 3, True) for each in (table, other))
    assert np.allclose(one, two, atol=1e-6)


def test_one_judged_topic_is_too_few(rated):
    for topic in list(rated.texts.load())[1:]:
        for rating in rated.ratings.of_topic(topic.id):
            rated.ratings.rate(rating.summary_id, rating.dimension_id, rating.annotator_id, None).result()
    with pytest.raises(InputError, match=r"only one topic has summaries with rating\.relevance"):
        trained(rated)


def test_summaries_with_an_undefined_feature_are_left_out_and_counted(study):
    judge = study.annotators.get_or_create("Ann").id
    scale = study.ratings.add_dimension("relevance")
    for topic in study.texts.load():
        for summary in topic.summaries:
            study.ratings.rate(summary.id, scale.id, judge, 3.0).result()
    assert trained(study).left_out == 0
    result = run_to_completion(train(study, recipe(study, ["js:n=4"]), StudyResources(study)))
    assert result.left_out == 2  # summaries of three words each have no four in a row


# Kept in the study ------------------------------------------------------------------------------------------


def test_a_stored_model_is_restored_exactly(rated):
    model = trained(rated).model
    read = read_model(model.to_text())
    assert read.digest == model.digest
    assert out_of_fold(read).tolist() == out_of_fold(model).tolist()


def test_models_are_listed_replaced_and_deleted(rated):
    model = trained(rated).model
    save_model(rated, model).result()
    save_model(rated, replace(model, name="other")).result()
    assert model_names(rated) == ["mine", "other"]
    delete_model(rated, "mine").result()
    assert model_names(rated) == ["other"]
    with pytest.raises(MissingResource, match=r"named 'mine'\. Choose one of: other"):
        delete_model(rated, "mine")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 2, "name": "m"}'])
def test_an_invalid_model_is_refused(text):
    with pytest.raises(InputError, match=r"Train it again\.$|Install that\.$"):
        read_model(text)


def test_a_name_must_fit_into_the_name_of_a_measure(rated):
    with pytest.raises(InputError, match="'my model' is not valid"):
        trained(rated, name="my model")


# Choosing features ------------------------------------------------------------------------------------------


def labels(names, study):
    return [feature_label(feature) for feature in choose_features(names, study, StudyResources(study))]


def test_a_feature_is_a_usual_measure_or_a_metric_with_its_settings(study):
    assert labels(["rouge-2.recall"], study) == ["rouge-n:stem=yes.recall"]
    assert labels(["rouge-n:n=3.f"], study) == ["rouge-n:n=3.f"]
    assert labels(["rouge-w:weight=1.5.f"], study) == ["rouge-w:weight=1.5.f"]
    assert len(labels(["rouge-n:n=3"], study)) == 3
    assert labels(["js-1.divergence", "js:n=1"], study) == ["js.divergence"]


def test_a_measure_of_the_study_is_used_with_its_settings(study):
    score_all(study, "rouge-n:n=2", "rouge-n:n=2,alpha=0.8")
    assert labels(["rouge-2[alpha:0.8].f"], study) == ["rouge-n:alpha=0.8.f"]


def test_every_measure_that_is_offered_can_be_chosen(study):
    resources = StudyResources(study)
    score_all(study, "rouge-n:n=5", resources=resources)
    offered = eligible_measures(study, resources)
    assert offered[0] == "rouge-5.recall"
    assert {"bertscore.f", "bleu.score", "meteor.score", "rouge-su4.recall"} <= set(offered)
    chosen = choose_features(offered, study, resources)
    assert [feature.measure for feature in chosen] == offered


def test_feature_sets_equal_those_of_s3(study):
    assert len(labels(["s3-best"], study)) == len(S3_BEST) == 6
    full = choose_features(["s3-full"], study, StudyResources(study))
    assert [feature.measure for feature in full[6:]] == [
        "rouge-l.recall",
        "rouge-w-1.2.recall",
        "rouge-s4.recall",
        "rouge-su4.recall",
    ]
    assert len(full) == len(S3_FULL)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("rouge-2.recal", "Did you mean rouge-2.recall"),
        ("nothing", "No measure or metric is named 'nothing'"),
        ("rouge-n:n=3.speed", "No measure of rouge-n:n=3 is named 'speed'"),
        ("pyramid", "computed from human judgements"),
    ],
)
def test_unknown_features_are_refused(study, name, sentence):
    with pytest.raises(InputError, match=sentence):
        labels([name], study)


def test_imported_scores_are_not_features(study):
    config = MetricConfig("length|source:x", "length", "Imported", "", ("length",))
    topic = next(iter(study.texts.load()))
    block = ScoreBlock(topic.id, ("lead",), (), np.ones((1, 1)), None, "", 0.0)
    study.scores.save(config, block).result()
    with pytest.raises(InputError, match="computed elsewhere"):
        labels(["length"], study)


def test_a_feature_set_reports_missing_features(study):
    with pytest.raises(MissingResource, match=r"^s3-best requires rouge-we:n=1,mode=s3\.recall: "):
        choose_features(["s3-best"], study, StudyResources(study), vectors="/nowhere/deps.words")
