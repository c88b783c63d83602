"""What experiments alone have scored: apart from other measures, and gone with its experiment."""

from __future__ import annotations

import pytest

from core.comparison.comparison import correlation_table
from core.comparison.measures import measures
from core.errors import InputError
from core.experiments.registry import asked
from core.experiments.runner import perform
from core.metrics.registry import parse
from core.progress import run
from core.scoring.engine import plan
from core.scoring.engine_tools import EngineTools
from core.scoring.experiment_scores import forget_made, made_scores, scoring_by_name
from core.scoring.plan import Config
from core.stats.correlation import Coefficient, Level

SWEEP = {"metric": "rouge-n", "vary": "n", "values": "3,4", "judgements": "rating.coherence"}


def labels(study, **choices) -> set[str]:
    return {ref.label for ref in measures(study, check_stale=False, **choices)}


def sweep(study, **changed):
    question = asked("sweep", {**SWEEP, **changed})
    run(perform(study, question, EngineTools(study)))
    return question.experiment.id


def score_by_name(study, spec: str) -> None:
    tools = EngineTools(study)
    run(scoring_by_name(study, plan(study, [Config(parse(spec))], tools), tools))
    study.flush()


@pytest.fixture
def study(changeable_study):
    return changeable_study


def test_measures_of_a_sweep_are_listed_only_where_they_are_asked_for(study):
    before = labels(study)
    sweep(study)
    assert labels(study) == before
    assert labels(study, with_made=True) - before >= {"rouge-3.f", "rouge-4.f"}
    assert len(made_scores(study)) == 2


def test_forgetting_a_sweep_takes_what_it_alone_scored(study):
    configs = {config.signature for config in study.configs()}
    experiment = sweep(study)
    assert forget_made(study, experiment) == 2
    study.flush()
    assert {config.signature for config in study.configs()} == configs
    assert made_scores(study) == frozenset()
    assert forget_made(study, experiment) == 0


def test_what_another_kept_experiment_used_stays_until_that_is_forgotten_too(study):
    first = sweep(study)
    second = sweep(study, values="4,5")  # ROUGE-4 is there already
    assert forget_made(study, first) == 1
    study.flush()
    assert {"rouge-4.f", "rouge-5.f"} <= labels(study, with_made=True)
    assert "rouge-3.f" not in labels(study, with_made=True)
    assert forget_made(study, second) == 2
    assert made_scores(study) == frozenset()


def test_what_somebody_scores_by_name_is_a_measure_like_any_other_and_stays(study):
    experiment = sweep(study)
    score_by_name(study, "rouge-n:n=3")
    assert "rouge-3.f" in labels(study)
    assert forget_made(study, experiment) == 1
    study.flush()
    assert "rouge-3.f" in labels(study, with_made=True)
    assert "rouge-4.f" not in labels(study, with_made=True)


def test_what_was_scored_before_a_sweep_is_not_its_own(study):
    score_by_name(study, "rouge-n:n=3")
    experiment = sweep(study)
    assert "rouge-3.f" in labels(study)
    assert forget_made(study, experiment) == 1


def test_a_study_that_has_nothing_else_shows_what_experiments_scored(study):
    sweep(study)
    for config in study.configs():
        if config.signature not in made_scores(study):
            study.remove_scores(config.signature).result()
    assert {"rouge-3.f", "rouge-4.f"} <= labels(study)


def test_a_sweep_that_is_stopped_keeps_what_it_scored_apart(study):
    before, count = labels(study), len(study.configs())
    steps = perform(study, asked("sweep", {**SWEEP, "values": "3:6:1"}), EngineTools(study))
    while len(study.configs()) == count:
        next(steps)
        study.flush()
    steps.close()
    assert labels(study) == before
    assert made_scores(study)


def test_a_sweep_makes_no_other_result_stale(study):
    other = asked("data-set")
    run(perform(study, other, EngineTools(study)))
    sweep(study)
    assert run(perform(study, other, EngineTools(study))).is_kept
    assert run(perform(study, asked("sweep", SWEEP), EngineTools(study))).is_kept


def test_a_measure_of_a_sweep_can_be_named(study):
    sweep(study)
    result = run(perform(study, asked("ranking", {"measures": "rouge-3.f"}), EngineTools(study))).result
    assert [row[0] for row in result.tables[0].rows] == ["rouge-3.f"]
    (row,) = correlation_table(
        study, ["rating.coherence"], Level.SYSTEM, Coefficient.PEARSON, measures=["rouge-3.f"]
    )
    assert row.measure == "rouge-3.f"


def test_a_sweep_that_cannot_run_leaves_nothing(study):
    with pytest.raises(InputError):
        sweep(study, measure="rouge-9.f")
    assert made_scores(study) == frozenset()
