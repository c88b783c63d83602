"""Experiments are run once, kept, and gone on with; what they read decides whether they are run again."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import pytest

from core.errors import BadSetting, InputError
from core.experiments.experiment import Checkpoint, Experiment, ExperimentRequest
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.formatting.tables import CellKind, Column, Table
from core.metrics.base import setting
from core.progress import Progress, run_to_completion
from core.results.result import Chart, ChartKind, Result, Series, from_text, to_text
from core.scoring.study_resources import StudyResources

RAN: list[str] = []


@dataclass(frozen=True)
class CountTopics(Experiment):
    """Count the topics, one part per topic."""

    name: ClassVar[str] = "count-topics"
    title: ClassVar[str] = "Topics"
    about: ClassVar[str] = "How many topics there are."

    times: int = setting(1, "How often each is counted.", low=1, high=9)
    seed: int = setting(3, "Nothing is drawn.")

    def missing_requirements(self, study):
        return "" if study.texts.topics() else "This study has no topics yet. Import some first."

    def run(self, study, resources):
        parts, count = Checkpoint(study, self), 0.0
        for head in study.texts.topics():
            part = parts.get(head.name)
            if part is None:
                RAN.append(head.name)
                part = parts.keep(head.name, np.array([float(self.times)]))
            count += float(part[0])
            yield Progress(count, 0, head.name)
        return Result("Counted", (Table("t", (Column("n", "n", CellKind.COUNT),), ((int(count),),)),))


@pytest.fixture(autouse=True)
def _nothing_ran():
    RAN.clear()


def counted(study, **settings):
    experiment = CountTopics(**settings)
    return run_to_completion(
        run_experiment(
            study, ExperimentRequest(experiment, "count-table-1", "Table 1"), StudyResources(study)
        )
    )


def test_a_result_is_stored_and_reused(changeable_study):
    first, second = counted(changeable_study), counted(changeable_study)
    assert (first.is_stored, second.is_stored) == (False, True)
    assert first.result == second.result
    assert first.result.title == "Table 1"
    assert first.result.tables[0].rows == ((4,),)
    assert RAN == ["D1", "D2", "D3", "D10"]
    (record,) = changeable_study.experiments.all()
    assert (record.recipe, record.seed, record.settings) == ("count-table-1", 3, {"times": "1", "seed": "3"})
    assert record.seconds > 0


def test_another_setting_is_another_experiment(changeable_study):
    counted(changeable_study)
    assert counted(changeable_study, times=2).result.tables[0].rows == ((8,),)
    assert len(changeable_study.experiments.all()) == 2


def test_a_changed_annotation_makes_a_result_stale(changeable_study):
    counted(changeable_study)
    topic = changeable_study.texts.topic(changeable_study.texts.topics()[0].id)
    dimension = changeable_study.ratings.dimensions()[0].id
    rater = changeable_study.annotators.get_or_create("expert-1").id
    changeable_study.ratings.rate(topic.summaries[0].id, dimension, rater, 5.0).result()
    assert not counted(changeable_study).is_stored


def test_a_cancelled_experiment_resumes(changeable_study):
    request = ExperimentRequest(CountTopics())
    steps = run_experiment(changeable_study, request, StudyResources(changeable_study))
    for step in steps:
        if step.note == "D2":
            break
    steps.close()
    changeable_study.flush()
    assert not changeable_study.experiments.get(request.experiment.id).result
    assert run_to_completion(
        run_experiment(changeable_study, request, StudyResources(changeable_study))
    ).result.tables[0].rows == ((4,),)
    assert RAN == ["D1", "D2", "D3", "D10"]
    assert changeable_study.experiments.parts(request.experiment.id) == {}


def test_missing_requirements_are_reported_before_a_run(tmp_path):
    from storage.study_file import new_study

    with new_study(tmp_path / "empty.pyramidion") as study:
        with pytest.raises(InputError, match="no topics yet"):
            counted(study)
        assert study.experiments.all() == []
        for cls in all_experiments():
            assert isinstance(cls().missing_requirements(study), str)


def test_a_result_survives_serialization():
    series = Series("a", (0.5, math.nan), (1.0, 2.0), (0.4, 0.1), (0.6, 0.2), ("p", "q"))
    result = Result(
        "Title",
        (Table("T", (Column("A", "a"), Column("B", "b", CellKind.P)), (("x", 0.25), ("y", None)), "note"),),
        (Chart("C", ChartKind.CURVES, "x", "y", (series,), ("one", "two")),),
        ("policy.",),
        ("stand-in.",),
        ("warning.",),
    )
    again = from_text(to_text(result), result.title)
    assert again.tables == result.tables
    assert (again.policy, again.stand_ins, again.warnings) == (("policy.",), ("stand-in.",), ("warning.",))
    assert math.isnan(again.charts[0].series[0].y[1])
    assert to_text(again) == to_text(result)
    damaged = to_text(result).replace('"y":[0.5', '"y":["0.5"')
    with pytest.raises(InputError, match=r"'Title' is damaged: charts\[0\]\.series\[0\]\.y\[0\]: "):
        from_text(damaged, result.title)


class TestRegistry:
    def test_every_experiment_and_setting_has_a_description(self):
        for cls in all_experiments():
            assert cls.title
            assert cls.about
            assert parse_request(cls.name).experiment == cls()
            for f in fields(cls()):
                assert f.metadata["help"].endswith("."), (cls.name, f.name)

    def test_every_recipe_names_its_paper_and_opens_on_any_study(self, sample):
        for recipe in all_recipes():
            assert recipe.paper
            assert recipe.title
            assert isinstance(recipe.experiment.missing_requirements(sample), str)
            assert parse_recipe(recipe.name).experiment == recipe.experiment

    def test_errors_for_wrong_names_suggest_the_nearest(self):
        with pytest.raises(InputError, match="Did you mean references"):
            parse_request("refrences")
        with pytest.raises(InputError, match="Did you mean embedding-table-1"):
            parse_recipe("embeding-table-1")
        with pytest.raises(BadSetting, match=r"named 'drws'\. Did you mean draws"):
            parse_request("references", {"drws": "1"})
        with pytest.raises(BadSetting, match="draws=0 is below 1"):
            parse_request("references", {"draws": "0"})
