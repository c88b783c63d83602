"""The least-squares line and its band."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from core.stats.linear_fit import fit_line

X, Y = np.array([1.0, 2, 4, 5, 8]), np.array([2.0, 3, 3, 6, 7])


def test_the_line_equals_scipy():
    line = fit_line(X, Y)
    expected = scipy_stats.linregress(X, Y)
    assert (line.slope, line.intercept) == (pytest.approx(expected.slope), pytest.approx(expected.intercept))
    assert line.error / np.sqrt(line.x_squares) == pytest.approx(expected.stderr)


def test_the_band_at_zero_is_the_interval_of_the_intercept():
    line = fit_line(X, Y)
    expected = scipy_stats.linregress(X, Y)
    reach = scipy_stats.t.ppf(0.975, 3) * expected.intercept_stderr
    low, high = line.band(np.array([0.0]))
    assert (low[0], high[0]) == (
        pytest.approx(expected.intercept - reach),
        pytest.approx(expected.intercept + reach),
    )


def test_points_on_a_line_have_a_band_without_width():
    low, high = fit_line(X, 2 * X + 1).band(X)
    assert high - low == pytest.approx(np.zeros(5), abs=1e-9)


@pytest.mark.parametrize(("x", "y"), [([1, 2], [1, 2]), ([3, 3, 3], [1, 2, 3])])
def test_too_few_points_or_equal_ones_have_no_line(x, y):
    assert fit_line(np.array(x, dtype=float), np.array(y, dtype=float)) is None
