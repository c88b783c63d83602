"""Random-effects meta-analysis, against statsmodels' values and a case by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.experiments.analyses.studies.meta_analysis import fisher_z, pool_effects


def test_values_of_statsmodels():
    """`combine_effects` of statsmodels 0.15 with method_re="chi2" and the Hartung-Knapp interval."""
    pairs = [fisher_z(r, n) for r, n in ((0.52, 16), (0.31, 25), (0.77, 12), (0.10, 40), (0.64, 18))]
    found = pool_effects([z for z, _ in pairs], [variance for _, variance in pairs])
    assert found.tau2 == pytest.approx(0.07319169557699108, abs=1e-12)
    assert found.mean == pytest.approx(0.4914272973606704, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((0.0476492, 0.9352054), abs=1e-6)
    assert found.q == pytest.approx(9.25150415764911, abs=1e-11)
    assert found.i2 == pytest.approx(0.5676378746808632, abs=1e-12)
    assert found.from_ < found.low
    assert found.to > found.high


def test_equal_effects_have_no_variance_between_studies():
    found = pool_effects([0.5, 0.5, 0.5], [0.1, 0.2, 0.3])
    assert (found.mean, found.tau2, found.i2, found.p) == (0.5, 0.0, 0.0, 1.0)
    assert found.low == pytest.approx(0.5)


def test_two_studies_by_hand():
    found = pool_effects([0.0, 1.0], [0.1, 0.1])
    # q = 10 (0.25 + 0.25) = 5; tau2 = (5 - 1) / (20 - 200 / 20) = 0.4; the mean's variance is 0.25 / 1
    assert (found.q, found.tau2, found.mean) == pytest.approx((5.0, 0.4, 0.5))
    assert found.high - found.mean == pytest.approx(12.706204736 * math.sqrt(0.25))
    assert math.isnan(found.to)


def test_few_or_extreme_correlations_are_undefined():
    assert all(map(math.isnan, fisher_z(0.5, 3)))
    assert all(map(math.isnan, fisher_z(1.0, 20)))
    assert fisher_z(0.5, 19) == pytest.approx((np.arctanh(0.5), 1 / 16))
    one = pool_effects([0.3], [0.1])
    assert one.mean == 0.3
    assert math.isnan(one.low)
    assert math.isnan(pool_effects([], []).mean)
