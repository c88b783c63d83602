"""S3 as a metric, with models trained in the study and with the released ones."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.svm import SVR

from core.comparison.measures import find_measure, matrix, measures
from core.errors import BadSetting, InputError, MissingResource
from core.metrics import registry
from core.metrics.learned.model_store import save_model
from core.progress import run_to_completion
from core.scoring.engine import ScoringConfig, parse_config, plan, score
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import can_run_remotely
from core.training.training import TrainingOptions, choose_features, train
from storage.study_file import open_study


@pytest.fixture(scope="module")
def sample(sample_file, tmp_path_factory):
    with open_study(Path(shutil.copy(sample_file, tmp_path_factory.mktemp("s3")))) as study:
        yield study


@pytest.fixture
def resources(sample):
    return StudyResources(sample)


@pytest.fixture(scope="module")
def trained(sample):
    resources = StudyResources(sample)
    features = choose_features(["rouge-1.recall", "rouge-2.recall", "js-1.divergence"], sample, resources)
    result = run_to_completion(train(sample, TrainingOptions("pyr", "pyramid.modified", features), resources))
    save_model(sample, result.model).result()
    return result


def scored(spec, study, **changed):
    resources = StudyResources(study)
    config = replace(parse_config(spec, resources), **changed)
    report = run_to_completion(score(study, plan(study, [config], resources), resources))
    assert not report.refusals
    assert not report.failures
    return config.signature(resources)


def test_topics_in_training_get_what_a_model_without_them_predicts(sample, trained):
    scored("s3:model=pyr", sample)
    scores = matrix(sample, find_measure(measures(sample), "s3-pyr.score"))
    expected = trained.predicted.select(scores.systems, scores.topics)
    assert np.isfinite(scores.values).all()
    assert np.allclose(scores.values, expected.values, rtol=0, atol=1e-12)
    resources = StudyResources(sample)
    model, topic = resources.learned_model("pyr"), next(iter(sample.texts.load()))
    metric = registry.parse("s3:model=pyr")
    seen_by = model.regressor(model.folds).predict(metric.prepare(topic, resources).features)
    assert (
        np.abs(seen_by - scores.values[:, 0]).max() > 1e-3
    )  # the model of all would have separated them better


def test_texts_of_features_are_encoded_with_other_requests(sample, resources, monkeypatch):
    features = choose_features(["rouge-1.recall", "bertscore.f"], sample, resources)
    monkeypatch.setattr("core.metrics.learned.s3.find_scorer", lambda *_: SimpleNamespace(inputs=features))
    topic = next(iter(sample.texts.load()))
    requests = registry.parse("s3:model=any").to_encode(topic, resources)
    assert requests == list(registry.parse("bertscore").to_encode(topic, resources)) != []


def test_the_signature_contains_features_and_out_of_fold_topics(sample, trained, resources):
    signature = registry.parse("s3:model=pyr").signature(resources)
    assert "features:rouge-n:n=1,stem=yes.recall;rouge-n:stem=yes.recall;js.divergence|" in signature
    assert "|trained:pyramid.modified|recipe:C=1.0,epsilon=0.1,scaled=no|" in signature
    assert "|topics-in-training:out-of-fold,8-folds|" in signature
    assert f"|hash:{trained.model.digest[:12]}|" in signature
    assert parse_config(signature, resources) == parse_config("s3:model=pyr", resources)


def test_training_again_makes_scores_stale(sample, trained):
    signature = scored("s3:model=pyr", sample)
    assert not find_measure(measures(sample), "s3-pyr.score").is_stale
    other = run_to_completion(
        train(sample, TrainingOptions("pyr", "rating.fluency", trained.model.inputs), StudyResources(sample))
    )
    save_model(sample, other.model).result()
    stale = find_measure(measures(sample), "s3-pyr.score").staleness
    named = {change.kind for changes in stale.changes.values() for change in changes}
    assert named == {"trained", "model hash", "trained model"}
    with pytest.raises(InputError, match=r"This signature contains trained:pyramid\.modified"):
        parse_config(signature, StudyResources(sample))
    save_model(sample, trained.model).result()
    assert not find_measure(measures(sample), "s3-pyr.score").is_stale


def test_an_explanation_evaluates_to_the_score(sample, trained, resources):
    metric = registry.parse("s3:model=pyr")
    for topic in sample.texts.load():
        prepared = metric.prepare(topic, resources)
        values = metric.score(prepared).values
        for system in range(len(topic.summaries)):
            tree = metric.explain(prepared, system)["s3-pyr.score"]
            assert tree.evaluate() == pytest.approx(values[system, 0], abs=1e-9)
            examples = [child.label for child in tree.children if child.label.startswith("as ")]
            assert examples
            assert not any(label.endswith(f" on {topic.name}") for label in examples)


def test_references_can_be_left_out_and_be_systems(sample, trained):
    scored("s3:model=pyr", sample, references=("A", "B"))
    scored("s3:model=pyr", sample, humans=True)
    labels = {ref.label: ref for ref in measures(sample)}
    (few,) = (ref for label, ref in labels.items() if "references:A+B" in label)
    assert np.isfinite(matrix(sample, few).values).all()
    (humans,) = (ref for ref in labels.values() if ref.config.scores_humans)
    assert matrix(sample, humans).values.shape == (8 + 4, 8)


def test_it_stays_in_the_process_that_has_the_study(sample, trained, resources):
    (only,) = plan(sample, [ScoringConfig(registry.parse("s3:model=pyr"))], resources).runs
    assert not can_run_remotely(only.config.metric)


def test_a_missing_model_error_explains_how_to_train_one(sample, resources):
    assert "Train one (Train a metric…" in registry.parse("s3").unavailable(resources)
    why = registry.parse("s3:model=other").unavailable(resources)
    assert "No model in this study is named 'other'" in why
    assert "stored in a study" in registry.parse("s3:model=pyr").unavailable(StudyResources())
    with pytest.raises(MissingResource, match="No model is set"):
        registry.parse("s3").signature(resources)


def test_a_model_with_a_removed_feature_is_refused(sample, trained):
    gone = tuple(replace(feature, measure="rouge-0.recall") for feature in trained.model.inputs)
    save_model(sample, replace(trained.model, name="old", inputs=gone)).result()
    why = registry.parse("s3:model=old").unavailable(StudyResources(sample))
    assert why == (
        "The model reads rouge-0.recall, which this program no longer computes. Train the model again."
    )


# Released ---------------------------------------------------------------------------------------------------


@pytest.fixture
def released(tmp_path):
    random = np.random.default_rng(4)
    learners = {}
    for target in ("pyr_score", "responsiveness"):
        learner = SVR(kernel="rbf", gamma=1 / 6).fit(random.random((40, 6)), random.random(40))
        (tmp_path / f"svr.{target}.en.pkl").write_bytes(pickle.dumps(learner, protocol=2))
        learners[target] = learner
    return tmp_path, learners


def test_the_released_models_score_by_their_six_features(sample, released, resources):
    folder, learners = released
    metric = registry.metric("s3", model=str(folder))
    assert metric.measures() == ("s3-released.pyramid", "s3-released.responsiveness")
    topic = next(iter(sample.texts.load()))
    prepared = metric.prepare(topic, resources)
    own = [
        ("js:n=1", 0),
        ("js:n=2", 0),
        ("rouge-n:n=1,stem=yes,text=word,rounding=none", 0),
        ("rouge-we:n=1,mode=s3", 0),
        ("rouge-n:n=2,stem=yes,text=word,rounding=none", 0),
        ("rouge-we:n=2,mode=s3", 0),
    ]
    columns = []
    for spec, column in own:
        each = registry.parse(spec)
        columns.append(each.score(each.prepare(topic, resources)).values[:, column])
    expected = [learner.predict(np.stack(columns, axis=1)) for learner in learners.values()]
    assert np.allclose(metric.score(prepared).values, np.stack(expected, axis=1), rtol=0, atol=1e-9)
    assert "|vectors:minilm|" in metric.signature(resources)
    assert "|trained:TAC-2008-and-2009,all-topics|" in metric.signature(resources)


def test_other_files_in_the_folder_are_another_signature(released, resources):
    folder, learners = released
    metric = registry.metric("s3", model=str(folder))
    before = metric.signature(resources)
    learners["pyr_score"].intercept_ += 1
    (folder / "svr.pyr_score.en.pkl").write_bytes(pickle.dumps(learners["pyr_score"], protocol=2))
    assert metric.signature(resources) != before


def test_vectors_are_for_the_released_models_alone():
    with pytest.raises(BadSetting, match="for the released models"):
        registry.parse("s3:model=pyr,vectors=deps.words")
