"""Equal to nlpstats 0.0.1: levels, each resample, tests; and drawn distributions, by mean and spread."""

from __future__ import annotations

import importlib.util
import itertools
import math

import numpy as np
import pytest

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resample_counts import ResampleCounts, ResampleUnit
from core.stats.resampling.bootstrap import bootstrap, fisher_interval
from core.stats.resampling.bootstrap_coefficients import bootstrap_coefficients
from core.stats.resampling.significance import permutation, williams
from core.stats.types import Alternative

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nlpstats") is None,
    reason='run: pip install -e ".[bench]" && pytest tests/core/stats/test_nlpstats_parity.py',
)
NAMES = {Level.SYSTEM: "system", Level.TOPIC: "input", Level.GLOBAL: "global"}
THEIRS = (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL)
every_level = pytest.mark.parametrize("level", list(Level))
scipy_may_warn = pytest.mark.filterwarnings("ignore:An input array is constant")
every_coefficient = pytest.mark.parametrize("coefficient", THEIRS)


def numbers(systems: int, topics: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two measures and a judgement with ties."""
    random = np.random.default_rng(systems * topics)
    z = random.integers(1, 6, (systems, topics)).astype(float)
    return z + random.normal(0, 1, z.shape), z + random.normal(0, 2, z.shape), z


@every_level
@every_coefficient
def test_levels_are_equal_with_and_without_gaps(level, coefficient):
    from nlpstats.correlations import correlate as their_correlate

    x, _, z = numbers(9, 7)
    for gaps in (0, 5):
        x.ravel()[:gaps] = z.ravel()[:gaps] = np.nan
        expected = their_correlate(x, z, NAMES[level], coefficient.value)
        assert correlate(x, z, level, coefficient).value == pytest.approx(expected, abs=1e-10)


@pytest.mark.slow
@every_level
@every_coefficient
@scipy_may_warn
def test_every_resample_of_a_small_study_is_equal(level, coefficient):
    """All 27 · 4 draws of 3 systems and 2 topics, each passed to nlpstats explicitly."""
    from nlpstats.correlations import correlate as their_correlate

    x, _, z = numbers(3, 2)
    rows_drawn, columns_drawn = itertools.product(range(3), repeat=3), itertools.product(range(2), repeat=2)
    draws = list(itertools.product(rows_drawn, columns_drawn))
    counts = ResampleCounts(
        np.array([np.bincount(rows, minlength=3) for rows, _ in draws], dtype=float),
        np.array([np.bincount(columns, minlength=2) for _, columns in draws], dtype=float),
    )
    actual = bootstrap_coefficients(x[None], z, level, coefficient, counts)[:, 0]
    for mine, (rows, columns) in zip(actual, draws, strict=True):
        drawn = np.ix_(rows, columns)
        theirs = their_correlate(x[drawn], z[drawn], NAMES[level], coefficient.value)
        assert mine == pytest.approx(theirs, abs=1e-9, nan_ok=True)


@pytest.mark.slow
@every_level
@pytest.mark.parametrize("over", list(ResampleUnit))
@scipy_may_warn
def test_drawn_resamples_have_the_same_mean_and_spread(level, over):
    from nlpstats.correlations.bootstrap import bootstrap as their_bootstrap

    x, _, z = numbers(8, 5)
    name = {"topics": "inputs"}.get(over.value, over.value)
    np.random.seed(1)
    theirs = np.array(their_bootstrap(x, z, NAMES[level], "pearson", name, n_resamples=300).samples)
    mine = run_to_completion(bootstrap(x[None], z, level, Coefficient.PEARSON, over, 3000))
    mine = mine[np.isfinite(mine)]
    error = math.sqrt(theirs.var() / theirs.size + mine.var() / mine.size)
    assert mine.mean() == pytest.approx(theirs.mean(), abs=4 * error)
    assert mine.std() == pytest.approx(theirs.std(), rel=0.25)


@pytest.mark.slow
@every_level
def test_permutation_p_values_are_equal(level):
    from nlpstats.correlations.permutation import permutation_test

    x, y, z = numbers(7, 5)
    np.random.seed(2)
    theirs = permutation_test(x, y, z, NAMES[level], "pearson", "both", n_resamples=150).pvalue
    args = (np.stack([x, y]), z, level, Coefficient.PEARSON, ResampleUnit.BOTH, None, 4000)
    mine = run_to_completion(permutation(*args, corrected=False))[0]
    assert mine == pytest.approx(theirs, abs=4 * math.sqrt(max(mine * (1 - mine), 0.01) / 150))


@every_coefficient
def test_williams_test_and_fishers_interval_are_equal(coefficient):
    from nlpstats.correlations.fisher import fisher
    from nlpstats.correlations.williams import williams_test

    x, y, z = numbers(9, 4)
    level = Level.SYSTEM
    r = [correlate(a, b, level, coefficient).value for a, b in ((x, z), (y, z), (x, y))]
    for sides, name in zip(Alternative, ("two-sided", "greater", "less"), strict=True):
        expected = williams_test(x, y, z, "system", coefficient.value, name).pvalue
        assert float(williams(*r, 9, sides, magnitudes=True)) == pytest.approx(expected)
    low, high = fisher_interval(r[0], 9, coefficient)
    theirs = fisher(x, z, "system", coefficient.value)
    assert (float(low), float(high)) == (pytest.approx(theirs.lower), pytest.approx(theirs.upper))
