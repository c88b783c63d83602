"""Fewer topics, and judgements beside themselves: each draw as the definition has it, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.judgements import judgement_matrix
from core.experiments.analyses.split_half import disjoint_subsets
from core.experiments.analyses.topics.vary_topics import means_over, of_means, some_topics
from core.experiments.inputs.measure_inputs import automatic
from core.experiments.inputs.topic_filters import doubling
from core.experiments.registry import parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.experiments.tables.conditions import Condition, row_letters, significance_letters, variance_table
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate, row_coefficients

HUMAN = "rating.responsiveness"


def run(study, name, **settings):
    texts = {key: str(value) for key, value in settings.items()}
    return run_to_completion(run_experiment(study, parse_request(name, texts), StudyResources(study))).result


@given(st.integers(0, 10_000))
def test_a_draw_of_topics_is_averaged_before_it_is_correlated(seed):
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, 6, 8))
    x[random.random(x.shape) < 0.2] = np.nan
    chosen = some_topics(8, 3, 5, seed)
    assert chosen.sum(axis=1).tolist() == [3] * 5
    values = of_means(x, z, chosen, Coefficient.KENDALL)
    for draw in range(5):
        there = np.isfinite(x) & (chosen[draw] > 0)
        used = [row for row in range(6) if there[row].any()]
        left = np.array([x[row][there[row]].mean() for row in used])
        right = np.array([z[row][np.isfinite(x[row])].mean() for row in used])
        own = correlate(left[:, None], right[:, None], Level.SYSTEM, Coefficient.KENDALL).value
        np.testing.assert_allclose(values[draw], own, atol=1e-12)


def test_all_topics_give_the_usual_correlation(sample):
    table = run(sample, "topics", judgements=HUMAN, draws=3, bootstrap="none").tables[0]
    human = judgement_matrix(sample, HUMAN).only(automatic(sample))
    pyramid = judgement_matrix(sample, "pyramid.modified").only(automatic(sample))
    own = correlate(pyramid.values, human.values, Level.SYSTEM, Coefficient.PEARSON).value
    column = [c.title for c in table.columns].index("pyramid.modified")
    assert table.rows[-1][0] == "8 (actual)"
    assert table.rows[-1][column] == pytest.approx(own, abs=1e-12)


@given(st.integers(2, 7), st.integers(0, 1000))
def test_two_samples_of_references_are_disjoint(things, seed):
    from itertools import combinations

    size = things // 2
    chosen = list(combinations(range(things), size))
    left, right = disjoint_subsets(things, size, 20, [seed])
    assert not any(set(chosen[a]) & set(chosen[b]) for a, b in zip(left, right, strict=True))


def test_halves_of_two_references_are_the_two_references(sample):
    """With 2 of 4 references there are three splits of each topic; every draw combines such splits."""
    result = run(sample, "halves", of="references", judgements="pyramid.modified", sizes="2", draws=50)
    assert [row[0] for row in result.tables[0].rows] == ["2"]
    assert 0.9 < result.tables[0].rows[0][1] <= 1.0
    histogram = result.charts[0]
    assert sum(histogram.series[0].y) == 50


def test_halves_of_topics_correlate_means_over_disjoint_topics(sample):
    result = run(sample, "halves", judgements=HUMAN, sizes="4", draws=400)
    human = judgement_matrix(sample, HUMAN).only(automatic(sample))
    from itertools import combinations

    every = []
    for places in combinations(range(8), 4):
        chosen = np.zeros((2, 8))
        chosen[0, list(places)], chosen[1] = 1, 1
        chosen[1] -= chosen[0]
        left, right = means_over(human.values, chosen)
        every.append(row_coefficients(left[None], right[None], Coefficient.PEARSON)[0])
    low, high = min(every), max(every)
    spread = result.tables[1].rows[0]
    assert result.tables[0].rows[0][1] == pytest.approx(np.mean(every), abs=4 * np.std(every) / 20)
    assert low - 1e-12 <= spread[4] <= spread[5] <= high + 1e-12


def test_letters_and_exceptions_as_worked_by_hand():
    random = np.random.default_rng(0)
    near = random.normal(0.8, 0.01, 200)
    conditions = [
        Condition("1", 1, np.array([random.normal(0.5, 0.01, 200), random.normal(0.7, 0.01, 200)])),
        Condition("2", 2, np.array([near, near + 0.0001])),
        Condition("3", 3, np.array([near + 0.0001, random.normal(0.9, 0.01, 200)])),
        Condition("3 (actual)", 3, np.array([[0.8], [0.9]]), is_single=True),
    ]
    assert significance_letters(conditions, 0) == {"1": "b", "2": "a", "3": "a"}
    assert significance_letters(conditions, 1) == {"1": "c", "2": "b", "3": "a"}
    assert row_letters(conditions, ["A", "B"], "topics").endswith("(Tukey, 95 %), except A and B with 2.")
    table = variance_table("t", ["A", "B"], conditions)
    assert [row[2:4] for row in table.rows] == [(2, 597), (2, 597)]
    assert variance_table("t", ["A", "B"], conditions[:1]) is None


def test_sizes_double_up_to_the_maximum():
    assert doubling(6) == [1, 2, 4, 6]
    assert doubling(8) == [1, 2, 4, 8]
    assert doubling(1) == [1]


class TestRecipes:
    @pytest.mark.parametrize("name", ["table-1", "table-3", "figure-1", "table-6", "table-7", "table-9"])
    def test_a_recipe_runs_on_the_sample(self, name, sample):
        request = parse_recipe(f"conditions-{name}", {"draws": "20"})
        result = run_to_completion(run_experiment(sample, request, StudyResources(sample))).result
        assert result.title == request.title
        assert result.tables[0].rows
        assert result.charts

    def test_a_recipe_reports_missing_topics_and_metrics(self, sample):
        assert "no measure" not in parse_recipe("conditions-table-5").experiment.missing_requirements(sample)
        message = parse_recipe("conditions-table-2", {"set": "evening"}).experiment.missing_requirements(
            sample
        )
        assert message == (
            "No set of topics is named 'evening'. Choose one of: initial, update. "
            "Leave the setting empty to use all topics."
        )

    @pytest.mark.parametrize(
        ("name", "has_pyramid"), [("table-1", True), ("table-5", False), ("table-11", False)]
    )
    def test_the_pyramid_is_a_column_as_in_the_paper(self, name, has_pyramid, sample):
        request = parse_recipe(f"conditions-{name}", {"draws": "5"})
        table = run_to_completion(run_experiment(sample, request, StudyResources(sample))).result.tables[0]
        heads = [column.title for column in table.columns if column.title != "group"]
        assert heads[1:3] == (["Pyramid", "ROUGE-2"] if has_pyramid else ["ROUGE-2", "ROUGE-SU4"])

    def test_a_substitute_rating_is_used_and_named(self, changeable_study):
        request = parse_recipe("conditions-table-6", {"draws": "10"})
        result = run_to_completion(
            run_experiment(changeable_study, request, StudyResources(changeable_study))
        ).result
        assert "rating.coherence replaces Responsiveness, which the paper used." in result.stand_ins
        assert any("all of them are used in place" in sentence for sentence in result.stand_ins)
