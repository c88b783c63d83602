"""Tau within topics by pairs of systems: equal to counting the pairs of each row, to the last digit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.stats import within_topic_tau
from core.stats.resample_counts import ResampleUnit, draw_counts
from core.stats.types import Coefficient
from core.stats.weighted.weighted_rank_coefficients import SortedRows
from core.stats.within_topic_tau import within_topic_taus
from tests.conftest import examples

NAN = math.nan
cells = st.one_of(st.just(NAN), st.integers(-3, 3).map(float), st.floats(-1, 1, width=32))


def counted(x: np.ndarray, z: np.ndarray, systems: np.ndarray, coefficient: Coefficient) -> np.ndarray:
    """Return tau of each draw, measure and topic by counting the pairs of each row."""
    measures, count, topics = x.shape
    rows = SortedRows.of(x.transpose(0, 2, 1).reshape(1, -1, count), z.T[None])
    values = rows.coefficients(systems, coefficient, np.zeros(measures * topics))
    return values.reshape(-1, measures, topics)


@pytest.mark.parametrize("pairs_at_once", [1, 7, within_topic_tau.PAIRS_AT_ONCE])
@pytest.mark.parametrize("coefficient", [Coefficient.KENDALL, Coefficient.GAMMA])
@given(
    arrays(np.float64, (3, 6, 4), elements=cells),
    arrays(np.float64, (6, 4), elements=cells),
    st.integers(0, 99),
)
@settings(max_examples=examples(25), deadline=None)
def test_it_equals_counting_the_pairs_of_each_row(pairs_at_once, coefficient, x, z, seed):
    """Ties on either side, missing cells, and draws in which a topic has too few systems."""
    here = np.isfinite(x[0]) & np.isfinite(z)
    x, z = np.where(here & np.isfinite(x), x, np.where(here, 0.0, NAN)), np.where(here, z, NAN)
    systems = draw_counts(6, 4, ResampleUnit.SYSTEMS, 30, seed).systems
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(within_topic_tau, "PAIRS_AT_ONCE", pairs_at_once)
        values = within_topic_taus(x, z, systems, plain=coefficient is Coefficient.GAMMA)
    np.testing.assert_array_equal(values, counted(x, z, systems, coefficient), strict=True)


@pytest.mark.parametrize("coefficient", [Coefficient.KENDALL, Coefficient.GAMMA])
def test_more_pairs_than_single_precision_counts_are_exact(coefficient):
    """Systems drawn 4,097, 4,097 and 1 times have 4,097² + 2 · 4,097 pairs, more than 2^24 and odd."""
    systems = np.array([[4096.0, 4096, 1], [4097, 4097, 1], [1, 1, 1]])
    x, z = np.array([[[1.0, 3], [2, 2], [3, 1]]]), np.array([[1.0, 1], [2, 3], [1.5, 2]])
    values = within_topic_taus(x, z, systems, plain=coefficient is Coefficient.GAMMA)
    np.testing.assert_array_equal(values, counted(x, z, systems, coefficient), strict=True)


def test_a_case_worked_by_hand():
    """Judged 1, 3, 2: two pairs agree and one does not; with the third drawn twice 1 + 2 - 2 of 5."""
    x, z = np.array([[[1.0], [2], [3]]]), np.array([[1.0], [3], [2]])
    values = within_topic_taus(x, z, np.array([[1.0, 1, 1], [1, 1, 2]]), plain=True)
    assert values.ravel().tolist() == [1 / 3, 1 / 5]
