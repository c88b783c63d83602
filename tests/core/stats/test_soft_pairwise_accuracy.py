"""Soft pairwise accuracy and partial correlations, against cases by hand and plain programs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.errors import InputError
from core.stats.correlation import Coefficient, Level, correlate, correlate_many
from core.stats.partial_correlation import partial_correlation
from core.stats.soft_pairwise_accuracy import (
    pairwise_p_values,
    random_signs,
    soft_accuracies,
    soft_pairwise_accuracy,
)

EVERY_SIGN = np.array(list(itertools.product((-1.0, 1.0), repeat=4)))


def test_p_over_every_permutation_by_hand():
    scores = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
    p = pairwise_p_values(scores, EVERY_SIGN)
    assert p[0, 1] == 1 / 16  # only without an exchange is the difference 4
    assert p[1, 0] == 1.0
    assert p[0, 2] == 1 / 2  # one topic differs
    assert p[2, 1] == 2 / 16
    assert np.isnan(np.diag(p)).all()


def test_p_against_a_plain_program():
    random = np.random.default_rng(3)
    scores = random.normal(size=(4, 9))
    signs = random_signs(9, 50, 1)
    p = pairwise_p_values(scores, signs)
    for i, j in itertools.permutations(range(4), 2):
        count = 0
        for row in signs:
            first = [a if s > 0 else b for s, a, b in zip(row, scores[i], scores[j], strict=True)]
            second = [b if s > 0 else a for s, a, b in zip(row, scores[i], scores[j], strict=True)]
            count += sum(first) - sum(second) >= sum(scores[i]) - sum(scores[j]) - 1e-12
        assert p[i, j] == count / 50


def test_equal_systems_are_never_better_by_a_rounding_error():
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    p = pairwise_p_values(scores, np.array(list(itertools.product((-1.0, 1.0), repeat=3))))
    assert p[0, 1] == p[1, 0] == 6 / 8


def test_the_mean_difference_of_p():
    p, q = np.full((3, 3), np.nan), np.full((3, 3), np.nan)
    above = np.triu_indices(3, 1)
    p[above], q[above] = (0.1, 0.5, 1.0), (0.2, 0.5, 0.4)
    assert soft_pairwise_accuracy(p, q) == pytest.approx(1 - 0.7 / 3)
    assert np.isnan(soft_pairwise_accuracy(p[:1, :1], q[:1, :1]))


def test_signs_are_reproducible():
    assert (random_signs(5, 7, 2) == random_signs(5, 7, 2)).all()
    assert set(np.unique(random_signs(5, 7, 2))) == {-1.0, 1.0}


class TestPartialCorrelations:
    X = np.array([2.0, 4.0, 15.0, 20.0, 11.0, 7.0])
    Y = np.array([1.0, 2.0, 3.0, 4.0, 3.5, 9.0])
    Z = np.array([0.0, 0.0, 1.0, 1.0, 2.0, 5.0])

    def test_one_control_is_the_formula_of_three_correlations(self):
        r = np.corrcoef([self.X, self.Y, self.Z])
        expected = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
        assert partial_correlation(self.X, self.Y, self.Z[None]) == pytest.approx(expected, abs=1e-12)

    def test_several_controls_are_the_inverse_of_the_matrix(self):
        rows = np.random.default_rng(0).normal(size=(5, 30))
        inverse = np.linalg.inv(np.corrcoef(rows))
        expected = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
        assert partial_correlation(rows[0], rows[1], rows[2:]) == pytest.approx(expected, abs=1e-12)

    def test_no_control_is_the_correlation(self):
        empty = np.empty((0, 6))
        assert partial_correlation(self.X, self.Y, empty) == pytest.approx(np.corrcoef(self.X, self.Y)[0, 1])

    def test_ranks(self):
        grown = partial_correlation(np.exp(self.X), self.Y**3, self.Z[None] ** 5, is_ranked=True)
        assert grown == pytest.approx(partial_correlation(self.X, self.Y, self.Z[None], is_ranked=True))

    def test_missing_values_are_left_out(self):
        longer = [np.append(row, value) for row, value in ((self.X, np.nan), (self.Y, 1.0), (self.Z, 2.0))]
        assert partial_correlation(longer[0], longer[1], longer[2][None]) == partial_correlation(
            self.X, self.Y, self.Z[None]
        )

    @pytest.mark.parametrize("x", [2 * Z + 1, np.ones(6), np.array([1.0, 2.0, 3.0] + [np.nan] * 3)])
    def test_what_is_determined_constant_or_too_short_is_undefined(self, x):
        assert np.isnan(partial_correlation(x, self.Y, self.Z[None]))


def test_the_coefficient_uses_the_complete_systems_and_topics_of_each_measure():
    random = np.random.default_rng(8)
    z = random.normal(size=(5, 9))
    x = z + random.normal(0, 0.5, (2, 5, 9))
    x[1, 2, 4] = np.nan  # this topic is left out
    z[4] = np.nan  # this system is not judged
    signs = [random_signs(n, 1000, 0) for n in (9, 8)]
    rest = [0, 1, 2, 3, 5, 6, 7, 8]
    expected = [
        soft_pairwise_accuracy(pairwise_p_values(x[0, :4], signs[0]), pairwise_p_values(z[:4], signs[0])),
        soft_pairwise_accuracy(
            pairwise_p_values(x[1, :4][:, rest], signs[1]), pairwise_p_values(z[:4][:, rest], signs[1])
        ),
    ]
    found = correlate_many(x, z, Level.SYSTEM, Coefficient.SOFT_ACCURACY)
    assert [one.value for one in found] == pytest.approx(expected)
    assert [(one.n, one.dropped) for one in found] == [(4, 0), (4, 0)]
    assert all(np.isnan(one.p) for one in found)


def test_the_coefficient_needs_systems_topics_and_the_system_level():
    random = np.random.default_rng(9)
    z = random.normal(size=(3, 5))
    assert soft_accuracies(z[None], z)[0] == [1.0]
    assert np.isnan(soft_accuracies(z[None, :2], z[:2])[0])
    assert np.isnan(soft_accuracies(z[None, :, :4], z[:, :4])[0])
    for level in (Level.TOPIC, Level.GLOBAL):
        with pytest.raises(InputError, match="at system level only"):
            correlate(z, z, level, Coefficient.SOFT_ACCURACY)
