"""Fewer references: the numbers that scoring and judging with them would give, and no text scored again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import matrix, measures
from core.errors import InputError
from core.experiments.analyses.vary_references import VaryReferences
from core.experiments.inputs.draws import correlations_of_draws, subsets
from core.experiments.inputs.subset_correlations import SubsetExperiment
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate

HUMAN = "rating.responsiveness"


def run(study, **settings):
    """Run the experiment and return each measure's mean correlation by condition."""
    settings = {"judgements": HUMAN, "bootstrap": "none", **{k: str(v) for k, v in settings.items()}}
    table = run_to_completion(
        run_experiment(study, parse_request("references", settings), StudyResources(study))
    ).result.tables[0]
    names = [column.title for column in table.columns[1:]]
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in table.rows}


def authors_of(study):
    return sorted(text.name for text in next(study.texts.load()).references)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("spec", ["rouge-n:n=2,stem=yes", "rouge-n:n=1,pooling=best"])
def test_every_subset_equals_scoring_with_it(spec, level, sample):
    """If the same authors wrote for every topic, one position in all topics is a choice of authors."""
    config = engine.parse_config(spec, StudyResources())
    label = next(r.label for r in measures(sample) if r.config.spec == config.metric.spec)
    human = automatic(sample, judgement_matrix(sample, HUMAN))
    rows = run(sample, measures=label, subsets="all", level=level, coefficient="kendall")
    topics = list(sample.texts.load())
    for size in (1, 2, 3):
        each = []
        for places in combinations(range(4), size):
            x = np.full(human.values.shape, np.nan)
            for at, topic in enumerate(topics):
                authors = sorted(text.name for text in topic.references)
                chosen = engine.ScoringConfig(config.metric, tuple(authors[place] for place in places))
                block = engine.score_topic(
                    engine.PlannedRun(chosen, chosen.stored(StudyResources())), topic, StudyResources()
                )
                for row, name in enumerate(block.systems):
                    if name in human.systems:
                        x[human.systems.index(name), at] = block.values[row, 0]
            each.append(correlate(x, human.values, level, Coefficient.KENDALL).value)
        assert rows[str(size)][label] == pytest.approx(np.mean(each), abs=1e-12)


def test_pyramid_weights_are_recounted(sample):
    rows = run(sample, measures="pyramid.original", subsets="all", coefficient="spearman")
    human, each = automatic(sample, judgement_matrix(sample, HUMAN)), []
    for pair in combinations(authors_of(sample), 2):
        name = f"pyramid.original[references:{'+'.join(pair)}]"
        judged = automatic(sample, judgement_matrix(sample, name))
        each.append(correlate(judged.values, human.values, Level.SYSTEM, Coefficient.SPEARMAN).value)
    assert rows["2"]["pyramid.original"] == pytest.approx(np.mean(each), abs=1e-12)


def test_all_references_give_the_usual_correlation(sample):
    rows = run(sample, draws=5)
    human = automatic(sample, judgement_matrix(sample, HUMAN))
    for ref in measures(sample):
        if ref.label in rows["4 (actual)"]:
            x = matrix(sample, ref).select(human.systems, human.topics).values
            own = correlate(x, human.values, Level.SYSTEM, Coefficient.PEARSON).value
            assert rows["4 (actual)"][ref.label] == pytest.approx(own, abs=1e-12)


def test_a_seed_reproduces_results_and_another_changes_them(sample):
    first, other = (run(sample, draws=20, seed=seed, measures="rouge-2[stem:yes].f") for seed in (1, 2))
    assert (
        run_to_completion(again(sample, seed="1")).result.tables[0].rows[0][1]
        == first["1"]["rouge-2[stem:yes].f"]
    )
    assert first["1"] != other["1"]
    assert first["4 (actual)"] == other["4 (actual)"]


def again(study, **settings):
    chosen = {
        "judgements": HUMAN,
        "bootstrap": "none",
        "draws": "20",
        "measures": "rouge-2[stem:yes].f",
        **settings,
    }
    return run_experiment(study, parse_request("references", chosen), StudyResources(study), again=True)


def test_measures_that_cannot_be_varied_are_left_out_with_a_reason(sample):
    result = run_to_completion(
        run_experiment(sample, parse_request("references", {"draws": "2"}), StudyResources(sample))
    ).result
    assert "Left out: bleu.score: needs the texts again for other references." in result.warnings
    with pytest.raises(InputError, match=r"bleu.score: needs the texts again"):
        run(sample, measures="bleu.score")
    with pytest.raises(InputError, match="No measure is named 'nothing'"):
        run(sample, measures="nothing")


def test_too_many_references_are_refused(sample):
    with pytest.raises(InputError, match="5 references"):
        run(sample, sizes="5")
    with pytest.raises(InputError, match="not a positive integer"):
        run(sample, sizes="0")


def test_finished_rows_survive_cancellation(sample, monkeypatch):
    request = parse_request(
        "references", {"judgements": HUMAN, "measures": "rouge-2[stem:yes].f", "draws": "25", "seed": "9"}
    )
    steps = run_experiment(sample, request, StudyResources(sample))
    for step in steps:
        if step.note.startswith("3 of the references"):
            break
    steps.close()
    sample.flush()
    assert set(sample.experiments.parts(request.experiment.id)) == {f"{HUMAN} 1", f"{HUMAN} 2"}
    pooled: list[int] = []
    combine = SubsetExperiment.correlations
    monkeypatch.setattr(
        SubsetExperiment,
        "correlations",
        lambda self, size, *rest: pooled.append(size) or combine(self, size, *rest),
    )
    gone_on = run_to_completion(run_experiment(sample, request, StudyResources(sample))).result
    assert pooled == [3, 4]
    assert (
        gone_on
        == run_to_completion(run_experiment(sample, request, StudyResources(sample), again=True)).result
    )


def test_curves_have_a_band_around_every_mean(sample):
    result = run_to_completion(run_experiment(sample, REQUEST, StudyResources(sample))).result
    (chart,) = result.charts
    for series in chart.series:
        assert series.x == (1, 2, 3, 4)
        *drawn, (low, _, high) = zip(series.low, series.y, series.high, strict=True)
        assert all(low <= y <= high for low, y, high in drawn)
        assert np.isnan([low, high]).all(), "there is one set of all references"


REQUEST = parse_request("references", {"judgements": HUMAN, "draws": "30"})


def test_subsets_are_in_lexical_order():
    assert subsets(3, 2).tolist() == [[True, True, False], [True, False, True], [False, True, True]]
    assert subsets(4, 4).tolist() == [[True] * 4]


@given(st.integers(0, 10_000), st.sampled_from(list(Level)), st.sampled_from(["pearson", "kendall"]))
def test_each_draw_is_the_correlation_of_its_sample(seed, level, coefficient):
    random = np.random.default_rng(seed)
    systems, topics, draws = 5, 4, 6
    x = [_holes(random, random.integers(0, 4, (3, systems)) / 4) for _ in range(topics)]
    z = [_holes(random, random.normal(size=(2, systems))) for _ in range(topics)]
    mine, theirs = random.integers(-1, 3, (draws, topics)), random.integers(0, 2, (draws, topics))
    rows = correlations_of_draws(x, z, mine, theirs, level, Coefficient(coefficient))
    for draw in range(draws):
        taken = [t for t in range(topics) if mine[draw, t] >= 0]
        if not taken:
            continue
        left = np.column_stack([x[t][mine[draw, t]] for t in taken])
        right = np.column_stack([z[t][theirs[draw, t]] for t in taken])
        own = correlate(left, right, level, Coefficient(coefficient)).value
        np.testing.assert_allclose(rows[draw], own, atol=1e-12)


def _holes(random, values):
    return np.where(random.random(values.shape) < 0.15, np.nan, values)


def automatic(study, judged):
    from core.experiments.inputs.measure_inputs import automatic as names

    return judged.only(names(study))


def test_defaults_are_those_of_the_paper():
    experiment = VaryReferences()
    assert (experiment.draws, experiment.level, experiment.coefficient) == (1000, "system", "pearson")
