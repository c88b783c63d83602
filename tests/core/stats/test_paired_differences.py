"""Intervals of means, and tests of paired differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap

from core.stats.paired_differences import mean_interval, mean_intervals


@pytest.mark.parametrize("count", [5, 20, 137])
def test_interval_of_a_mean_is_that_of_scipy(count):
    values = np.random.default_rng(count).random(count) ** 3
    expected = bootstrap((values,), np.mean, n_resamples=999, method="BCa", rng=7).confidence_interval
    assert mean_interval(values, 999, 7) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_a_row_without_an_interval_has_a_reason():
    values = np.array([[1.0, 2, 3, 4, 6, 5], [1, 2, 3, 4, np.nan, np.nan], [2, 2, 2, 2, 2, 2]])
    low, high, reasons = mean_intervals(values, 999)
    assert np.isfinite(low).tolist() == np.isfinite(high).tolist() == [True, False, False]
    assert reasons == ["", "no interval: only 4 topics", "no interval: the same value in every topic"]
