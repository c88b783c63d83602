"""Settings of a metric in turn: each configuration scored once, kept, and correlated."""

from __future__ import annotations

import pytest

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from core.errors import BadSetting, InputError
from core.experiments.analyses.settings_sweep import MOST_CONFIGURATIONS, SettingsSweep, axis_of, grid
from core.experiments.inputs.measure_inputs import load_judgements
from core.experiments.registry import parse_recipe, parse_request
from core.metrics import registry
from core.progress import run_to_completion
from core.results.result import ChartKind
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from tests.core.conftest import copied

HUMAN = "rating.responsiveness"


@pytest.fixture(scope="module")
def scored(sample, tmp_path_factory):
    """A separate study, since sweeps store their scores."""
    with copied(sample, tmp_path_factory.mktemp("sweeps") / "sample.pyramidion") as study:
        yield study


def swept(study, **settings):
    settings = {"judgements": HUMAN, "level": "system", "coefficient": "pearson", **settings}
    return run_to_completion(parse_request("sweep", settings).experiment.run(study, StudyResources(study)))


def test_ranges_are_exact_decimals():
    axis = axis_of(registry.parse("widar"), "lam", "0:1:0.1")
    assert axis.values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert axis_of(registry.parse("rouge-n"), "n", "1:3:1").values == (1, 2, 3)
    assert axis_of(registry.parse("widar"), "weighing", "mean, max").values == ("mean", "max")
    assert axis_of(registry.parse("widar"), "weighing", "mean, max").numbers == ()
    layers = axis_of(registry.parse("cosine-tokens"), "layers", "1:6:1")  # a text of numbers
    assert (layers.values, layers.numbers) == (("1", "2", "3", "4", "5", "6"), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))


@pytest.mark.parametrize("listed", ["1:0:0.1", "0:1:0", "a:b:c", ""])
def test_an_empty_range_is_refused(listed):
    with pytest.raises(InputError):
        axis_of(registry.parse("widar"), "lam", listed)


def test_an_invalid_value_is_refused_before_scoring(scored):
    with pytest.raises(BadSetting, match=r"lam=1\.5"):
        swept(scored, metric="widar", vary="lam", values="0.5,1.5")
    with pytest.raises(BadSetting, match="named 'lambda'"):
        swept(scored, metric="widar", vary="lambda", values="0.5")


def test_too_many_configurations_are_refused():
    metric = registry.parse("widar")
    axes = [axis_of(metric, key, "0:1:0.01") for key in ("theta_1", "theta_2")]
    with pytest.raises(InputError, match=rf"10,201 configurations.*{MOST_CONFIGURATIONS}"):
        grid(metric, axes)


def test_each_value_equals_scoring_with_it(scored):
    result = swept(scored, metric="rouge-n:stem=yes", vary="n", values="1,2,3")
    ours = {row[0]: row[1] for row in result.tables[0].rows}
    refs = measures(scored)
    human = judgement_matrix(scored, HUMAN)
    automatic = [system.name for system in scored.texts.systems() if system.kind != "human"]
    for n in ("1", "2", "3"):
        ref = next(r for r in refs if r.measure == f"rouge-{n}.f" and "stem:yes" in r.signature)
        x, z = (one.select(automatic, human.topics).values for one in (matrix(scored, ref), human))
        assert ours[n] == pytest.approx(correlate(x, z, Level.SYSTEM, Coefficient.PEARSON).value, abs=1e-12)
    (chart,) = result.charts
    assert (chart.kind, chart.series[0].x) == (ChartKind.CURVES, (1.0, 2.0, 3.0))
    assert chart.series[0].y == tuple(ours.values())


def test_a_second_sweep_scores_nothing_again(scored):
    first = swept(scored, metric="rouge-l", vary="alpha", values="0,0.5,1")
    stored = {
        c.signature: [b.seconds for b in scored.scores.blocks(c.signature)] for c in scored.scores.configs()
    }
    again = swept(scored, metric="rouge-l", vary="alpha", values="0,0.5,1")
    assert again == first
    assert stored == {
        c.signature: [b.seconds for b in scored.scores.blocks(c.signature)] for c in scored.scores.configs()
    }


def test_a_cancelled_sweep_keeps_finished_scores(scored):
    steps = parse_request("sweep", {"metric": "js", "vary": "n", "values": "1,2"}).experiment.run(
        scored, StudyResources(scored)
    )
    before = len(scored.scores.configs())
    for _ in zip(range(4), steps, strict=False):
        pass
    steps.close()
    scored.flush()
    assert before < len(scored.scores.configs())


def test_two_settings_make_a_heatmap_per_judgement(scored):
    result = swept(
        scored,
        metric="rouge-n:stem=yes",
        vary="n",
        values="1,2",
        second="pooling",
        second_values="sum,best",
        judgements="rating.responsiveness,rating.coherence",
    )
    assert [chart.kind for chart in result.charts] == [ChartKind.HEATMAP] * 2
    rows = result.tables[0].rows
    assert [row[:2] for row in rows] == [("1", "sum"), ("1", "best"), ("2", "sum"), ("2", "best")]
    first = result.charts[0]
    assert first.ticks == ("sum", "best")
    assert [series.label for series in first.series] == ["1", "2"]
    assert [value for series in first.series for value in series.y] == [row[2] for row in rows]


def test_text_values_are_drawn_as_bars_and_the_best_is_named(scored):
    result = swept(scored, metric="rouge-n:n=1", vary="pooling", values="sum,best")
    assert (result.charts[0].kind, result.charts[0].ticks) == (ChartKind.BARS, ("sum", "best"))
    values = {row[0]: row[1] for row in result.tables[0].rows}
    assert f"pooling={max(values, key=values.get)}" in result.policy[1]
    assert any("Only 8 systems" in sentence for sentence in result.warnings)


def test_an_unknown_measure_of_a_metric_is_reported(scored):
    with pytest.raises(InputError, match=r"No measure of rouge-n is named 'rouge-9\.f'"):
        swept(scored, metric="rouge-n", measure="rouge-9.f", vary="n", values="1")


def test_an_unknown_metric_is_reported_before_a_run(scored):
    assert "unknown metric nothing" in SettingsSweep(metric="nothing").missing_requirements(scored)
    assert SettingsSweep().missing_requirements(scored) == ""


def test_lambda_0_uses_only_the_document_and_lambda_1_only_the_weighted_rouge(scored):
    """The limits of WIDAR's formula."""
    steps = parse_recipe("widar-figure-3", {"judgements": HUMAN, "values": "0,1"})
    ends = run_to_completion(steps.experiment.run(scored, StudyResources(scored))).tables[0].rows
    table = run_to_completion(
        parse_recipe("widar-table-5", {"judgements": HUMAN}).experiment.run(scored, StudyResources(scored))
    )
    parts = {row[0]: row[1] for row in table.tables[0].rows}
    assert ends[0][1] == pytest.approx(parts["IDSS"])
    assert ends[1][1] == pytest.approx(parts["ROUGE-L weighted"])


def test_lower_is_better_measures_are_negated(scored):
    result = swept(scored, metric="js", vary="n", values="1")
    (value,) = [row[1] for row in result.tables[0].rows]
    ref = find_measure(measures(scored), "js-1.divergence")
    human = load_judgements(scored, HUMAN)[HUMAN]
    raw = matrix(scored, ref).select(human.systems, human.topics).values
    assert value == pytest.approx(-correlate(raw, human.values, Level.SYSTEM, Coefficient.PEARSON).value)
