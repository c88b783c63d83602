"""BCa and percentile intervals of correlations, and the p-values that invert them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.intervals import (
    Intervals,
    acceleration,
    bootstrap_intervals,
    intervals_of,
    widening,
)
from core.stats.types import OF_ROWS, Ends
from tests.benchmarks.coverage import of_pairs, of_studies
from tests.conftest import examples

PUBLISHED = Path(__file__).parents[2] / "reference" / "intervals.json"
NAN = math.nan


def pairs(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    z = random.standard_normal((n, 1))
    return (z + random.standard_normal((n, 1)))[None], z


def test_ends_and_p_as_worked_by_hand():
    """Of draws 0, 1, ..., 100 the ends are quantiles; 0.5 of 101 draws lie below -.5 + .5."""
    draws = np.arange(-10.0, 91.0)[
        :, None
    ]  # 101 draws; the 2.5 % quantile is the third from below and a half
    result = intervals_of(draws)
    assert (result.low[0], result.high[0]) == (-7.5, 87.5)
    # 0 is the 11th of 101: one tenth of the distance lies below, so p is twice that
    assert result.p[0] == pytest.approx(0.2)
    shifted = intervals_of(draws, np.array([40.0]))  # 50 of 101 below, one equal: no bias
    assert (shifted.low[0], shifted.high[0]) == (-7.5, 87.5)


def test_acceleration_as_worked_by_hand():
    """Left-out values 1, 2, 6 have the mean 3, so influences of 2 times 2, 1 and -3."""
    left_out = np.array([[1.0], [2.0], [6.0]])
    expected = (8 * (8 + 1 - 27) / 27) / (6 * (4 * 14 / 9) ** 1.5)
    assert acceleration([left_out])[0] == pytest.approx(expected)
    assert acceleration([np.full((3, 1), 2.0)])[0] == 0.0
    assert acceleration([np.array([[1.0], [NAN], [2.0]])])[0] == 0.0


@pytest.mark.parametrize("ends", Ends)
def test_progress_only_grows(ends):
    x, z = np.random.default_rng(0).random((4, 6, 7)), np.random.default_rng(1).random((6, 7))
    args = (x, z, Level.TOPIC, Coefficient.SPEARMAN, ResampleUnit.BOTH)
    steps = list(bootstrap_intervals(*args, draws=40, ends=ends))
    done = [step.done for step in steps]
    assert {step.total for step in steps} == {40 + (1 + 6 + 7) * (ends is Ends.BCA)} == {done[-1]}
    assert done == sorted(set(done))


@pytest.mark.slow
def test_intervals_equal_the_golden_ones():
    """The values and how they were made are in tests/reference."""
    for case in json.loads(PUBLISHED.read_text("utf-8"))["cases"]:
        x, z = (np.array(case[side]) for side in ("x", "z"))
        result = run_to_completion(
            bootstrap_intervals(
                x[None],
                z,
                Level(case["level"]),
                Coefficient(case["coefficient"]),
                ResampleUnit(case["over"]),
                seed=1,
            )
        )
        for name in ("low", "high", "p"):
            assert getattr(result, name)[0] == pytest.approx(case[name], abs=1e-9), case["about"]


@pytest.mark.slow
@given(
    st.lists(st.sampled_from([-0.4, -0.1, 0.0, 0.0, 0.2, 0.5, 0.9]), min_size=100, max_size=140),
    st.floats(-0.2, 0.2),
    st.floats(-0.5, 0.9),
    st.floats(0.6, 0.97),
    st.sampled_from([1.0, widening((8, 1), ResampleUnit.SYSTEMS)]),
)
@settings(max_examples=examples(60), deadline=None)
def test_an_interval_excludes_0_exactly_if_p_is_below_alpha(draws, a, value, confidence, wider):
    samples, estimate = np.array(draws)[:, None], np.array([value])
    result = intervals_of(samples, estimate, np.array([a]), confidence, wider)
    if result.reasons[0]:
        assert np.isnan([result.low[0], result.p[0]]).all()
        return
    alpha = 1 - confidence
    if abs(result.p[0] - alpha) > 1e-9:
        assert (result.low[0] > 0 or result.high[0] < 0) == (result.p[0] < alpha)


@pytest.mark.slow
@given(st.integers(5, 30), st.integers(0, 1000), st.sampled_from(list(OF_ROWS)))
@settings(max_examples=examples(40), deadline=None)
def test_ends_are_in_order_and_within_the_coefficients_range(n, seed, coefficient):
    x, z = pairs(n, seed)
    result = run_to_completion(
        bootstrap_intervals(x, z, Level.TOPIC, coefficient, ResampleUnit.SYSTEMS, draws=200, seed=seed)
    )
    if not result.reasons[0]:
        assert -1 <= result.low[0] <= result.high[0] <= 1
    assert np.isnan(result.p[0]) == (coefficient is Coefficient.ACCURACY or bool(result.reasons[0]))


@pytest.mark.parametrize("n", [8, 16])
def test_bca_without_widening_agrees_with_scipy(n):
    """Uses scipy's resamples, of which those with every unit once can differ in the last digit."""
    x, z = pairs(n, seed=n)
    sides = (x[0, :, 0], z[:, 0])
    expected = scipy_stats.bootstrap(
        sides,
        lambda a, b, axis: scipy_stats.pearsonr(a, b, axis=axis).statistic,
        paired=True,
        n_resamples=2_000,
        method="BCa",
        rng=1,
    )
    samples = expected.bootstrap_distribution[:, None]
    remaining = [np.delete(np.arange(n), i) for i in range(n)]
    left_out = np.array([[scipy_stats.pearsonr(sides[0][one], sides[1][one]).statistic] for one in remaining])
    value = np.array([scipy_stats.pearsonr(*sides).statistic])
    result = intervals_of(samples, value, acceleration([left_out]))
    bounds = expected.confidence_interval
    assert (result.low[0], result.high[0]) == pytest.approx((bounds.low, bounds.high), abs=0.002)


def test_intervals_equal_the_composition_of_their_parts():
    x, z = pairs(12)
    result = run_to_completion(
        bootstrap_intervals(x, z, Level.TOPIC, Coefficient.PEARSON, ResampleUnit.SYSTEMS, draws=4_000)
    )
    plain = run_to_completion(
        bootstrap_intervals(
            x, z, Level.TOPIC, Coefficient.PEARSON, ResampleUnit.SYSTEMS, draws=4_000, ends=Ends.PERCENTILE
        )
    )
    assert result.high[0] - result.low[0] > plain.high[0] - plain.low[0]
    assert widening((12, 3), ResampleUnit.SYSTEMS) == math.sqrt(12 / 11)
    assert widening((12, 3), ResampleUnit.BOTH) == math.sqrt(3 / 2)
    assert widening((12, 1), ResampleUnit.BOTH) == math.sqrt(12 / 11)


def test_too_few_units_have_no_interval_but_a_reason():
    x, z = pairs(4)
    result = run_to_completion(
        bootstrap_intervals(x, z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    )
    assert result.reasons == ("4 systems are too few to resample; at least 5 are needed",)
    assert np.isnan([result.low, result.high, result.p]).all()
    one_topic = run_to_completion(
        bootstrap_intervals(*pairs(9), Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.TOPICS)
    )
    assert one_topic.reasons == ("1 topic is too few to resample; at least 5 are needed",)


def test_constant_and_undefined_resamples_have_no_interval_but_a_reason():
    line = np.arange(8.0)[:, None]
    perfect = run_to_completion(
        bootstrap_intervals(line[None], line, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    )
    assert perfect.reasons == ("every resample gives the same value",)
    constant = run_to_completion(
        bootstrap_intervals(line[None] * 0, line, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    )
    assert constant.reasons == ("undefined in 10,000 of 10,000 resamples",)
    few = run_to_completion(
        bootstrap_intervals(*pairs(8), Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS, draws=20)
    )
    assert few.reasons == ("20 resamples are too few for 0.95 confidence",)


def test_resamples_beyond_the_nearer_end_are_counted():
    samples = np.arange(1_000.0)[:, None]
    plain = intervals_of(samples)
    assert plain.tail_draws[0] == 25
    assert plain.has_few_in_tail[0]
    assert not intervals_of(np.arange(2_000.0)[:, None]).has_few_in_tail[0]
    biased = intervals_of(samples, values=np.array([900.0]))
    assert biased.tail_draws[0] == 0
    assert not Intervals.none(3).has_few_in_tail.any()


def test_undefined_resamples_are_counted_and_left_out():
    z = np.array([1.0, 1, 1, 1, 1, 1, 2, 3])[:, None]  # often none of the last two is drawn
    x = np.arange(8.0)[None, :, None]
    result = run_to_completion(
        bootstrap_intervals(x, z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    )
    assert 500 < result.undefined[0] < 2_000
    assert result.reasons == ("",)
    assert result.low[0] < result.high[0]


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 16])
def test_simulated_intervals_cover_the_true_correlation(n):
    """A small part of tests/benchmarks/coverage.py; with 100 samples the standard error is .022."""
    bca, percentile = of_pairs(n, 0.8, Coefficient.PEARSON, 100)
    assert bca >= 0.88
    assert bca >= percentile
    both, _ = of_studies(n, 0.5, Level.SYSTEM, ResampleUnit.BOTH, 30)
    assert both >= 0.83
