"""Which configurations run, and what a run did; scores are tested at their metrics."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.metrics.base import Need
from core.operations.score import plan_rows, requested_configs, run_document
from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.study_resources import StudyResources


@pytest.fixture
def score(study):
    """Scores by metrics as a user names them; returns the document of the run."""

    def run(*metrics: str) -> dict:
        resources = StudyResources(study, "cpu")
        plan = engine.plan(study, requested_configs(metrics, resources), resources)
        return run_document(plan, run_to_completion(engine.score(study, plan, resources)))

    return run


def test_a_second_run_scores_nothing_again_whatever_name_the_metric_has(score):
    first = score("rouge-1")
    assert (first["scored"], first["fresh"]) == (2, 0)
    for name in ("rouge-n:n=1", first["runs"][0]["signature"]):
        again = score(name)
        assert (again["scored"], again["fresh"]) == (0, 2)


def test_metrics_of_annotations_run_if_named_and_a_plan_has_a_row_for_each(study):
    resources = StudyResources(study, "cpu")
    rows = plan_rows(engine.plan(study, requested_configs(["rouge-1", "pyramid"], resources), resources))
    assert [(row["topics"], row["refusal"], "changed" in row) for row in rows] == [
        (2, "", False),
        (0, "", False),
    ]


def test_without_names_the_metrics_that_can_run_do_but_no_annotations(study):
    resources = StudyResources(study, "cpu")
    found = [config.metric for config in requested_configs((), resources)]
    assert {"rouge-n", "chrf", "js"} <= {metric.name for metric in found}
    assert not any(metric.needs & {Need.PYRAMIDS, Need.PROGRAM} for metric in found)
    assert not any(metric.unavailable(resources) for metric in found)


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        ("ruge-n", "rouge-n"),
        ("rouge-n:m=2", "n"),
        ("rouge-n:n=10", "above 9"),
        ("rouge-n:stem=maybe", "neither yes nor no"),
    ],
)
def test_a_wrong_metric_states_what_is_right(study, metric, sentence):
    with pytest.raises(InputError, match=sentence):
        requested_configs([metric], StudyResources(study))


def test_an_unknown_author_is_reported_with_those_there_are(study):
    resources = StudyResources(study)
    with pytest.raises(InputError, match=r"'E'.*A, B"):
        engine.plan(study, requested_configs(["rouge-n"], resources, ("A", "E")), resources)
