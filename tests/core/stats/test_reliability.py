"""Power and reliability."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.matrix import nanmean_first_axis
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.reliability import (
    intraclass,
    leave_one_out_agreement,
    noise_ceiling,
    ratings_of,
    spearman_brown,
    split_half,
)
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.power import power, required_size

NAN = math.nan
SHROUT_AND_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)


def test_intraclass_correlations_equal_published_ones():
    """Shrout & Fleiss 1979, table 4."""
    result = intraclass(SHROUT_AND_FLEISS)
    assert result.k == 4
    single = (result.one_way, result.agreement, result.consistency)
    means = (result.one_way_mean, result.agreement_mean, result.consistency_mean)
    assert [round(value, 2) for value in single] == [0.17, 0.29, 0.71]
    assert [round(value, 2) for value in means] == [0.44, 0.62, 0.91]


def test_missing_ratings_leave_only_the_one_way_correlation():
    ratings = SHROUT_AND_FLEISS.copy()
    ratings[0, 0] = NAN
    result = intraclass(ratings)
    assert result.k == pytest.approx(6 / (1 / 3 + 5 / 4))
    assert math.isnan(result.agreement)
    assert -1 <= result.one_way <= 1
    assert math.isnan(intraclass(np.array([[1.0, NAN], [2.0, NAN]])).one_way)


@pytest.mark.slow
@given(arrays(np.float64, (5, 3), elements=st.integers(1, 5).map(float)), st.floats(-3, 3))
@settings(max_examples=60, deadline=None)
def test_consistency_ignores_a_raters_offset(ratings, shift):
    moved = ratings + np.array([shift, 0.0, 0.0])
    first, second = intraclass(ratings), intraclass(moved)
    assert first.consistency == pytest.approx(second.consistency, abs=1e-9, nan_ok=True)
    assert math.isnan(first.consistency) or first.consistency <= 1 + 1e-12


@pytest.fixture
def cube() -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(0, 1, (1, 8, 6)) + random.normal(0, 0.7, (4, 8, 6))


def test_one_annotator_is_correlated_with_the_mean_of_the_others(cube):
    cube[1, 0, 0] = NAN
    correlations = leave_one_out_agreement(cube, Level.GLOBAL, Coefficient.PEARSON)
    others = np.nanmean(cube[[0, 2, 3]], axis=0)
    assert correlations[1] == correlate(cube[1], others, Level.GLOBAL, Coefficient.PEARSON)
    assert [one.n for one in correlations] == [48, 47, 48, 48]


def test_spearman_brown_as_worked_by_hand(cube):
    r, whole = split_half(cube[:2], Level.GLOBAL, Coefficient.PEARSON, draws=5)
    assert r == pytest.approx(correlate(cube[0], cube[1], Level.GLOBAL, Coefficient.PEARSON).value)
    assert whole == pytest.approx(2 * r / (1 + r))
    assert spearman_brown(0.5, 2) == pytest.approx(2 / 3)
    assert np.isnan(split_half(cube[:1], Level.GLOBAL, Coefficient.PEARSON)).all()
    assert split_half(cube, Level.SYSTEM, Coefficient.KENDALL) == split_half(
        cube, Level.SYSTEM, Coefficient.KENDALL
    )


def test_agreeing_raters_are_more_reliable_and_raise_the_ceiling(cube):
    true = cube.mean(axis=0)
    alike = true + 0.2 * (cube - true)
    (_, loose), (_, tight) = (split_half(c, Level.GLOBAL, Coefficient.PEARSON, 50) for c in (cube, alike))
    assert loose < tight < 1
    assert noise_ceiling(tight) > noise_ceiling(loose) > loose
    assert math.isnan(noise_ceiling(-0.1))


def test_units_are_system_means_or_summaries(cube):
    cube[0, 0] = NAN
    assert ratings_of(cube, Level.SYSTEM).shape == (8, 4)
    assert math.isnan(ratings_of(cube, Level.SYSTEM)[0, 0])
    assert ratings_of(cube, Level.SYSTEM)[3, 2] == pytest.approx(cube[2, 3].mean())
    assert ratings_of(cube, Level.GLOBAL).shape == (48, 4)
    assert nanmean_first_axis(cube)[0, 0] == pytest.approx(cube[1:, 0, 0].mean())


def test_power_grows_with_the_number_of_topics():
    random = np.random.default_rng(1)
    z = random.normal(0, 1, (10, 1)) + random.normal(0, 0.5, (10, 12))
    x = np.stack([z + random.normal(0, s, z.shape) for s in (0.8, 1.4)])
    args = (x, z, Level.TOPIC, Coefficient.PEARSON)
    powers, turned = run_to_completion(
        power(*args, ResampleUnit.TOPICS, [(0, 1), (1, 0)], [3, 12, 48], draws=300)
    )
    first, second = (correlate(side, z, Level.TOPIC, Coefficient.PEARSON).value for side in x)
    assert powers.difference == pytest.approx(first - second)
    assert powers.chances[0] < powers.chances[1] < powers.chances[2]
    assert (turned.difference, turned.chances) == (-powers.difference, powers.chances)
    assert powers.needed is not None
    assert 3 < powers.needed <= 48


def test_the_progress_of_power_only_grows():
    x, z = np.random.default_rng(0).random((2, 6, 5)), np.random.default_rng(1).random((6, 5))
    args = (x, z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    steps = list(power(*args, [(0, 1)], [3, 6], draws=20))
    done = [step.done for step in steps]
    assert {step.total for step in steps} == {20 + 1 + 6 + 2 * 20} == {done[-1]}
    assert done == sorted(set(done))


def test_a_measure_is_never_distinguished_from_itself():
    random = np.random.default_rng(1)
    z = random.random((6, 5))
    args = (np.stack([z, z]), z, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.SYSTEMS)
    (needed,) = run_to_completion(power(*args, [(0, 1)], [6], draws=50))
    assert (needed.needed, math.isnan(needed.chances[0])) == (None, True)


@given(st.sampled_from(Level), st.sampled_from(list(ResampleUnit)[:2]), st.integers(0, 99))
@settings(max_examples=20)
def test_one_unit_does_not_show_how_many_are_needed(level, over, seed):
    shape = (1, 6) if over is ResampleUnit.SYSTEMS else (6, 1)
    x, z = np.random.default_rng(seed).random((2, *shape)), np.random.default_rng(seed + 1).random(shape)
    (found,) = run_to_completion(power(x, z, level, Coefficient.PEARSON, over, [(0, 1)], [3, 6], draws=100))
    assert (found.needed, found.needed_low, found.needed_high, found.is_known) == (None, None, None, False)


def test_the_required_size_is_between_the_sizes_tried():
    assert required_size([10, 20, 40], [0.2, 0.6, 0.9]) == math.ceil(20 * 2 ** (2 / 3))
    assert required_size([10, 20], [0.85, 0.9]) == 10
    assert required_size([10, 20], [0.1, 0.2]) is None
