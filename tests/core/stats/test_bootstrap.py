"""Bootstrap resamples: equal to correlating them one by one, shared by all measures."""

from __future__ import annotations

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from core.jit import COMPILE_THRESHOLD, Kernel
from core.progress import Progress, run_to_completion
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate_many
from core.stats.resample_counts import ResampleCounts, ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap import bootstrap, fisher_interval, interval
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures, bootstrap_coefficients
from core.stats.resampling.intervals import jackknife
from core.stats.types import OF_ROWS
from core.stats.weighted import weighted_coefficients, weighted_rank_coefficients
from tests.conftest import examples

NAN = math.nan
SIGNED = [coefficient for coefficient in OF_ROWS if coefficient is not Coefficient.ACCURACY]


def one_by_one(
    x, z, level, coefficient, counts: ResampleCounts, undefined=UndefinedPolicy.SKIP
) -> np.ndarray:
    """Return the correlations of explicit resamples, with repeated rows and columns."""
    values = []
    for draw in range(counts.draws):
        rows, columns = (
            np.repeat(np.arange(side.shape[1]), side[draw % len(side)].astype(int))
            for side in (counts.systems, counts.topics)
        )
        x_drawn, z_drawn = x[:, rows][:, :, columns], z[np.ix_(rows, columns)]
        values.append([c.value for c in correlate_many(x_drawn, z_drawn, level, coefficient, undefined)])
    return np.array(values)


def every_resample(systems: int, topics: int) -> ResampleCounts:
    """Return all equally likely draws of systems and topics."""

    def counted(n: int) -> np.ndarray:
        return np.array([np.bincount(d, minlength=n) for d in itertools.product(range(n), repeat=n)], float)

    rows, columns = counted(systems), counted(topics)
    return ResampleCounts(rows.repeat(len(columns), axis=0), np.tile(columns, (len(rows), 1)))


cells = st.one_of(st.just(NAN), st.integers(-3, 3).map(float), st.integers(-500, 500).map(lambda i: i / 7))


@pytest.mark.slow
@given(
    arrays(np.float64, (2, 5, 3), elements=cells),
    arrays(np.float64, (5, 3), elements=cells),
    st.sampled_from(list(Level)),
    st.sampled_from(SIGNED),
    st.sampled_from(list(ResampleUnit)),
)
@settings(max_examples=examples(50), deadline=None)
def test_counted_resamples_equal_explicit_ones(x, z, level, coefficient, over):
    counts = draw_counts(5, 3, over, 3, seed=1)
    values = bootstrap_coefficients(x, z, level, coefficient, counts)
    expected = one_by_one(x, z, level, coefficient, counts)
    assert values == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(
    arrays(np.float64, (2, 4, 5), elements=st.one_of(st.just(NAN), st.integers(-2, 2).map(float))),
    arrays(np.float64, (4, 5), elements=st.one_of(st.just(NAN), st.integers(0, 3).map(float))),
    st.sampled_from(list(Level)),
    st.sampled_from(SIGNED),
    st.sampled_from(list(ResampleUnit)),
)
@settings(max_examples=examples(100), deadline=None)
def test_leaving_out_one_unit_equals_counting_the_others(x, z, level, coefficient, over):
    """To the last digit, with ties, missing cells, and units that alone have a value."""
    for counts in jackknife(z.shape, over):
        counted = ResampleCounts(counts.systems, counts.topics)
        expected = bootstrap_coefficients(x, z, level, coefficient, counted)
        actual = bootstrap_coefficients(x, z, level, coefficient, counts)
        np.testing.assert_array_equal(actual, expected, strict=True)


@pytest.mark.parametrize("level", list(Level))
def test_undefined_topics_and_draws_count_as_0_on_request(level):
    random = np.random.default_rng(9)
    x, z = random.integers(0, 3, (2, 4, 3)).astype(float), random.integers(0, 2, (4, 3)).astype(float)
    counts = draw_counts(4, 3, ResampleUnit.BOTH, 40, seed=1)
    args = (x, z, level, Coefficient.KENDALL, counts)
    assert np.isnan(bootstrap_coefficients(*args)).any()
    assert bootstrap_coefficients(*args, UndefinedPolicy.ZERO) == pytest.approx(
        one_by_one(*args, UndefinedPolicy.ZERO), abs=1e-9
    )


@pytest.mark.slow
@given(
    arrays(np.float64, (2, 5, 3), elements=cells),
    arrays(np.float64, (5, 3), elements=cells),
    st.sampled_from(list(Level)),
    st.sampled_from(list(OF_ROWS)),
)
@settings(max_examples=examples(60), deadline=None)
def test_counts_of_one_are_the_full_sample(x, z, level, coefficient):
    values = bootstrap_coefficients(x, z, level, coefficient, full_sample(5, 3))[0]
    expected = [correlation.value for correlation in correlate_many(x, z, level, coefficient)]
    assert values == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_the_mean_of_many_draws_approaches_that_of_all_resamples():
    random = np.random.default_rng(2)
    x, z = random.random((1, 4, 3)), random.random((4, 3))
    every = bootstrap_coefficients(x, z, Level.SYSTEM, Coefficient.PEARSON, every_resample(4, 3))
    drawn = run_to_completion(
        bootstrap(x, z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.BOTH, draws=4000)
    )
    error = np.nanstd(every) / math.sqrt(4000)
    assert np.nanmean(drawn) == pytest.approx(np.nanmean(every), abs=4 * error)
    assert np.isnan(drawn).mean() == pytest.approx(np.isnan(every).mean(), abs=0.03)


@pytest.mark.parametrize("level", list(Level))
def test_accuracy_keeps_the_samples_threshold(level):
    """Annotators tie the pair 1, 2: with a threshold of 1 it is right in every draw."""
    x, z = np.array([[[1.0], [2], [4], [8]]]), np.array([[5.0], [5], [6], [7]])
    counts = ResampleCounts(np.array([[1.0, 1, 1, 0], [1, 1, 0, 1], [2, 2, 0, 0]]), np.ones((1, 1)))
    assert bootstrap_coefficients(x, z, level, Coefficient.ACCURACY, counts).ravel() == pytest.approx(
        [1, 1, 1]
    )


def test_a_unit_drawn_twice_is_not_paired_with_itself_for_accuracy():
    """Of 1, 3, 2 against 1, 2, 3 two pairs are right, one wrong; drawn 2, 1, 1 times 2 + 2 of 2 + 2 + 1."""
    x, z = np.array([[[1.0], [3], [2]]]), np.array([[1.0], [2], [3]])
    counts = ResampleCounts(np.array([[1.0, 1, 1], [2, 1, 1]]), np.ones((1, 1)))
    values = bootstrap_coefficients(x, z, Level.GLOBAL, Coefficient.ACCURACY, counts)
    assert values.ravel() == pytest.approx([2 / 3, 4 / 5])


def test_a_tiny_variance_in_a_draw_loses_no_digits():
    x = np.array([1.0, 1 + 1e-7, 1 + 3e-7, 2.0])[None, :, None]
    z = np.array([1.0, 2.0, 2.5, 9.0])[:, None]
    without_the_last = ResampleCounts(np.array([[1.0, 1, 1, 0]]), np.ones((1, 1)))
    for level in (Level.TOPIC, Level.GLOBAL):
        values = bootstrap_coefficients(x, z, level, Coefficient.PEARSON, without_the_last)[0, 0]
        assert values == pytest.approx(scipy_stats.pearsonr(x[0, :3, 0], z[:3, 0]).statistic, abs=1e-4)
    alike = ResampleCounts(np.array([[0.0, 3, 0, 0]]), np.ones((1, 1)))
    assert np.isnan(bootstrap_coefficients(x, z, Level.TOPIC, Coefficient.PEARSON, alike)).all()


def test_draws_are_reproducible_and_more_draws_extend_them():
    few, many = (
        draw_counts(7, 9, ResampleUnit.BOTH, 10, seed=4),
        draw_counts(7, 9, ResampleUnit.BOTH, 500, seed=4),
    )
    assert (many.part(slice(10)).systems == few.systems).all()
    assert (many.part(slice(10)).topics == few.topics).all()
    assert (many.systems.sum(axis=1) == 7).all()
    assert (draw_counts(7, 9, ResampleUnit.SYSTEMS, 10, seed=4).systems == few.systems).all()
    assert (draw_counts(7, 9, ResampleUnit.BOTH, 10, seed=5).systems != few.systems).any()
    # Worked out once with numpy 2.4: a change of these would change every published interval.
    assert few.systems[0].astype(int).tolist() == FIRST_DRAW


FIRST_DRAW = [0, 4, 0, 0, 0, 1, 2]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("coefficient", [Coefficient.PEARSON, Coefficient.KENDALL, Coefficient.SPEARMAN])
def test_batching_changes_no_digit_but_rounds_pearsons_r(coefficient, level, monkeypatch):
    random = np.random.default_rng(3)
    x, z = random.random((2, 17, 31)), random.integers(1, 5, (17, 31)).astype(float)
    counts = draw_counts(17, 31, ResampleUnit.BOTH, 97, seed=0)
    at_once = bootstrap_coefficients(x, z, level, coefficient, counts)
    monkeypatch.setattr("core.stats.resample_counts.CELLS_AT_ONCE", 300)
    for least in ("_MIN_DRAWS", "_MIN_POOLED_DRAWS"):
        monkeypatch.setattr(f"core.stats.resampling.bootstrap_coefficients.{least}", 1)
    assert len(ResampledMeasures(x, z, level, coefficient).work(counts).tasks) > 9
    in_parts = bootstrap_coefficients(x, z, level, coefficient, counts)
    if coefficient is Coefficient.PEARSON and level is not Level.SYSTEM:
        assert in_parts == pytest.approx(at_once, abs=1e-15, rel=0)
    else:
        assert at_once.tobytes() == in_parts.tobytes()


def test_pooled_draws_take_little_memory():
    x, z = np.random.default_rng(0).random((2, 300, 300))
    counts = draw_counts(300, 300, ResampleUnit.BOTH, 64, seed=0)
    work = ResampledMeasures(x[None], z, Level.GLOBAL, Coefficient.PEARSON).work(counts)
    tracemalloc.start()
    try:
        work.tasks[0]()
        assert tracemalloc.get_traced_memory()[1] < 10e6  # numbers of 32 draws would take 23 MB
    finally:
        tracemalloc.stop()


def test_it_reports_progress_and_can_be_cancelled(monkeypatch):
    monkeypatch.setattr("core.stats.resample_counts.CELLS_AT_ONCE", 20)
    x, z = np.random.default_rng(0).random((2, 5, 4))
    steps = bootstrap(x[None], z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS, 40)
    first = next(steps)
    assert isinstance(first, Progress)
    assert 0 < first.done < first.total
    steps.close()


def test_unjudged_units_are_not_drawn():
    random = np.random.default_rng(6)
    x, z = random.random((1, 6, 4)), random.random((6, 4))
    wider = np.pad(z, ((0, 3), (0, 2)), constant_values=NAN)
    more = np.pad(x, ((0, 0), (0, 3), (0, 2)), constant_values=0.5)
    args = (Level.GLOBAL, Coefficient.SPEARMAN, ResampleUnit.BOTH, 50)
    assert (
        run_to_completion(bootstrap(more, wider, *args)).tobytes()
        == run_to_completion(bootstrap(x, z, *args)).tobytes()
    )


def test_percentile_intervals_omit_undefined_draws():
    samples = np.column_stack([np.arange(101.0), np.full(101, NAN)])
    samples = np.vstack([samples, [NAN, NAN]])
    low, high = interval(samples, 0.9)
    assert (low[0], high[0]) == (pytest.approx(5), pytest.approx(95))
    assert np.isnan([low[1], high[1]]).all()


def test_fishers_interval_equals_scipys():
    x, z = np.random.default_rng(0).random((2, 30))
    expected = scipy_stats.pearsonr(x, z)
    low, high = fisher_interval(expected.statistic, 30, Coefficient.PEARSON, 0.9)
    target = expected.confidence_interval(0.9)
    assert (float(low), float(high)) == (pytest.approx(target.low), pytest.approx(target.high))


def test_fishers_interval_of_rank_coefficients_as_worked_by_hand():
    # Bonett & Wright: atanh(.5) = .549306; rho: sqrt(1.125/16); tau: sqrt(.437/15); 1.959964 of these
    low, high = fisher_interval(0.5, 19, Coefficient.SPEARMAN)
    assert (float(low), float(high)) == (pytest.approx(0.02958, abs=1e-5), pytest.approx(0.78909, abs=1e-5))
    low, high = fisher_interval(0.5, 19, Coefficient.KENDALL)
    assert (float(low), float(high)) == (pytest.approx(0.21153, abs=1e-5), pytest.approx(0.70834, abs=1e-5))
    assert np.isnan(fisher_interval(0.5, 19, Coefficient.GAMMA)).all()
    assert np.isnan(fisher_interval(0.5, 3, Coefficient.PEARSON)).all()


@pytest.mark.slow
@given(st.sampled_from(list(Level)), st.sampled_from(list(OF_ROWS)), st.integers(0, 20))
@settings(max_examples=examples(40), deadline=None)
def test_a_measure_is_resampled_alike_alone_and_with_others(level, coefficient, seed):
    random = np.random.default_rng(seed)
    x, z = random.integers(0, 5, (3, 5, 4)).astype(float), random.integers(0, 5, (5, 4)).astype(float)
    x[1, 0, 0] = NAN
    counts = draw_counts(5, 4, ResampleUnit.BOTH, 5, seed)
    together = bootstrap_coefficients(x, z, level, coefficient, counts)
    alone = [bootstrap_coefficients(x[i : i + 1], z, level, coefficient, counts)[:, 0] for i in range(3)]
    assert pytest.approx(np.array(alone), abs=1e-12, nan_ok=True) == together.T


KERNELS = (
    weighted_coefficients._PEARSON,
    weighted_coefficients.PAIRS,
    weighted_rank_coefficients.PAIRS,
    weighted_rank_coefficients._RANKS,
    weighted_rank_coefficients._AGREEMENT,
    weighted_rank_coefficients._CLUSTERS,
)


@pytest.mark.parametrize("coefficient", list(OF_ROWS))
def test_compiled_and_interpreted_loops_agree(coefficient, monkeypatch):
    random = np.random.default_rng(7)
    x, z = random.integers(0, 9, (2, 7, 5)) / 3.0, random.integers(0, 4, (7, 5)).astype(float)
    x[0, 1, 2] = NAN
    counts = draw_counts(7, 5, ResampleUnit.BOTH, 20, seed=2)
    monkeypatch.setattr(Kernel, "interpreted_steps", 0)
    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "_compiled", None)
    drawn = [counts, *jackknife(z.shape, ResampleUnit.BOTH)]

    def computed() -> list[np.ndarray]:
        return [bootstrap_coefficients(x, z, level, coefficient, each) for level in Level for each in drawn]

    interpreted = computed()
    monkeypatch.setattr(Kernel, "interpreted_steps", COMPILE_THRESHOLD)
    assert all(kernel._compiled is None for kernel in KERNELS)
    compiled = computed()
    assert any(kernel._compiled is not None for kernel in KERNELS)
    for one, other in zip(interpreted, compiled, strict=True):
        assert one == pytest.approx(other, abs=1e-14, nan_ok=True)
