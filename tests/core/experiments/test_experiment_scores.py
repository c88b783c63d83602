"""Scores made only for experiments: separate from other measures, deleted with their experiment."""

from __future__ import annotations

import pytest

from core.comparison.comparison import load_comparison
from core.comparison.measures import measures
from core.errors import InputError
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.scoring.config import ScoringConfig
from core.scoring.engine import plan
from core.scoring.experiment_scores import (
    delete_experiment_scores,
    experiment_only_signatures,
    score_and_promote,
)
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level

SWEEP = {"metric": "rouge-n", "vary": "n", "values": "3,4", "judgements": "rating.coherence"}


def labels(study, **choices) -> set[str]:
    return {ref.label for ref in measures(study, check_stale=False, **choices)}


def sweep(study, **changed):
    question = parse_request("sweep", {**SWEEP, **changed})
    run_to_completion(run_experiment(study, question, StudyResources(study)))
    return question.experiment.id


def score_by_name(study, spec: str) -> None:
    resources = StudyResources(study)
    run_to_completion(
        score_and_promote(study, plan(study, [ScoringConfig(parse(spec))], resources), resources)
    )
    study.flush()


@pytest.fixture
def study(changeable_study):
    return changeable_study


def test_measures_of_a_sweep_are_listed_only_on_request(study):
    before = labels(study)
    sweep(study)
    assert labels(study) == before
    assert labels(study, with_made=True) - before >= {"rouge-3.f", "rouge-4.f"}
    assert len(experiment_only_signatures(study)) == 2


def test_deleting_a_sweep_deletes_scores_of_no_other_experiment(study):
    configs = {config.signature for config in study.scores.configs()}
    experiment = sweep(study)
    assert delete_experiment_scores(study, experiment) == 2
    study.flush()
    assert {config.signature for config in study.scores.configs()} == configs
    assert experiment_only_signatures(study) == frozenset()
    assert delete_experiment_scores(study, experiment) == 0


def test_scores_used_by_another_experiment_are_kept_until_it_is_deleted(study):
    first = sweep(study)
    second = sweep(study, values="4,5")  # ROUGE-4 is there already
    assert delete_experiment_scores(study, first) == 1
    study.flush()
    assert {"rouge-4.f", "rouge-5.f"} <= labels(study, with_made=True)
    assert "rouge-3.f" not in labels(study, with_made=True)
    assert delete_experiment_scores(study, second) == 2
    assert experiment_only_signatures(study) == frozenset()


def test_scores_requested_by_name_become_ordinary_measures(study):
    experiment = sweep(study)
    score_by_name(study, "rouge-n:n=3")
    assert "rouge-3.f" in labels(study)
    assert delete_experiment_scores(study, experiment) == 1
    study.flush()
    assert "rouge-3.f" in labels(study, with_made=True)
    assert "rouge-4.f" not in labels(study, with_made=True)


def test_scores_from_before_a_sweep_do_not_belong_to_it(study):
    score_by_name(study, "rouge-n:n=3")
    experiment = sweep(study)
    assert "rouge-3.f" in labels(study)
    assert delete_experiment_scores(study, experiment) == 1


def test_experiment_scores_are_listed_if_there_are_no_others(study):
    sweep(study)
    for config in study.scores.configs():
        if config.signature not in experiment_only_signatures(study):
            study.scores.remove(config.signature).result()
    assert {"rouge-3.f", "rouge-4.f"} <= labels(study)


def test_a_cancelled_sweep_keeps_its_scores_separate(study):
    before, count = labels(study), len(study.scores.configs())
    steps = run_experiment(study, parse_request("sweep", {**SWEEP, "values": "3:6:1"}), StudyResources(study))
    while len(study.scores.configs()) == count:
        next(steps)
        study.flush()
    steps.close()
    assert labels(study) == before
    assert experiment_only_signatures(study)


def test_a_sweep_makes_no_other_result_stale(study):
    other = parse_request("data-set")
    run_to_completion(run_experiment(study, other, StudyResources(study)))
    sweep(study)
    assert run_to_completion(run_experiment(study, other, StudyResources(study))).is_stored
    assert run_to_completion(
        run_experiment(study, parse_request("sweep", SWEEP), StudyResources(study))
    ).is_stored


def test_a_measure_of_a_sweep_can_be_named(study):
    sweep(study)
    result = run_to_completion(
        run_experiment(study, parse_request("ranking", {"measures": "rouge-3.f"}), StudyResources(study))
    ).result
    assert [row[0] for row in result.tables[0].rows] == ["rouge-3.f"]
    comparison = load_comparison(study, ["rating.coherence"], measures=["rouge-3.f"])
    (row,) = comparison.rows(Level.SYSTEM, Coefficient.PEARSON)
    assert row.measure == "rouge-3.f"


def test_a_sweep_that_cannot_run_stores_nothing(study):
    with pytest.raises(InputError):
        sweep(study, measure="rouge-9.f")
    assert experiment_only_signatures(study) == frozenset()
