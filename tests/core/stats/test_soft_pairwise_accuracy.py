"""Soft pairwise accuracy and partial correlations, against cases by hand and plain programs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.errors import InputError
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate, correlate_many, partial_correlation
from core.stats.resample_counts import ResampleCounts, ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap_coefficients import bootstrap_coefficients
from core.stats.resampling.intervals import bootstrap_intervals
from core.stats.resampling.significance import permutation
from core.stats.resampling.swap_signs import draw_swaps
from core.stats.soft_pairwise_accuracy import (
    pairwise_p_values,
    random_signs,
    soft_accuracies,
    soft_pairwise_accuracy,
)

EVERY_SIGN = np.array(list(itertools.product((-1.0, 1.0), repeat=4)))


def test_p_over_every_permutation_by_hand():
    scores = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
    p = pairwise_p_values(np.stack((scores, scores[::-1])), EVERY_SIGN)
    assert p[0].tolist() == [
        1 / 16,  # only without an exchange is the difference 4
        1 / 2,  # one topic differs
        1.0,
    ]
    assert p[1].tolist() == [2 / 16, 1.0, 1.0]


def plain_p(scores, signs):
    """Return p of each pair by exchanging single scores."""
    p = []
    for one, other in itertools.combinations(scores, 2):
        first, second = np.where(signs > 0, one, other), np.where(signs > 0, other, one)
        differences = first.sum(axis=1) - second.sum(axis=1)
        p.append((differences >= one.sum() - other.sum() - 1e-12).mean())
    return p


def test_p_against_a_plain_program():
    scores = np.random.default_rng(3).normal(size=(2, 4, 9))
    signs = random_signs(9, 50, 1)
    assert pairwise_p_values(scores, signs).tolist() == [plain_p(each, signs) for each in scores]


def test_equal_systems_are_never_better_by_a_rounding_error():
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    assert pairwise_p_values(np.stack((scores, scores[::-1])), signs).tolist() == [[6 / 8], [6 / 8]]


def test_the_mean_difference_of_p():
    p, q = np.array([[0.1, 0.5, 1.0]]), np.array([0.2, 0.5, 0.4])
    assert soft_pairwise_accuracy(p, q) == pytest.approx([1 - 0.7 / 3])
    assert np.isnan(soft_pairwise_accuracy(p[:, :0], q[:0])).all()


def test_signs_are_reproducible():
    assert (random_signs(5, 7, 2) == random_signs(5, 7, 2)).all()
    assert (random_signs(5, 7, 2) == random_signs(9, 7, 2)[:, :5]).all()
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
        1 - np.mean(np.abs(np.subtract(plain_p(x[0, :4], signs[0]), plain_p(z[:4], signs[0])))),
        1 - np.mean(np.abs(np.subtract(plain_p(x[1, :4, rest].T, signs[1]), plain_p(z[:4, rest], signs[1])))),
    ]
    found = correlate_many(x, z, Level.SYSTEM, Coefficient.SOFT_ACCURACY)
    assert [one.value for one in found] == pytest.approx(expected)
    assert [(one.n, one.dropped) for one in found] == [(4, 0), (4, 0)]
    assert all(np.isnan(one.p) for one in found)


def test_values_are_those_of_mt_metrics_eval():
    """Its `pce.py` (commit 68a481a) on these numbers with 20,000 permutations, so up to chance."""
    random = np.random.default_rng(5)
    true, bias = random.normal(0, 0.4, 12)[:, None], random.normal(0, 0.3, (3, 12, 1))
    z = true + random.normal(size=(12, 40))
    x = true + bias + 0.6 * (z - true) + random.normal(0, 0.8, (3, 12, 40))
    assert soft_accuracies(x, z)[0] == pytest.approx([0.8093, 0.8345, 0.8742], abs=0.005)


def test_the_coefficient_needs_systems_topics_and_the_system_level():
    random = np.random.default_rng(9)
    z = random.normal(size=(3, 5))
    assert soft_accuracies(z[None], z)[0] == [1.0]
    assert np.isnan(soft_accuracies(z[None, :2], z[:2])[0])
    assert np.isnan(soft_accuracies(z[None, :, :4], z[:, :4])[0])
    for level in (Level.TOPIC, Level.GLOBAL):
        with pytest.raises(InputError, match="at system level only"):
            correlate(z, z, level, Coefficient.SOFT_ACCURACY)


def plain_soft_accuracy(x, z, counts_of_systems=None):
    """Return the coefficient from single exchanges; a pair counts as often as its systems were drawn."""
    signs = random_signs(z.shape[1], 1000, 0)
    apart = np.abs(np.subtract(plain_p(x, signs), plain_p(z, signs)))
    w = np.ones(len(z)) if counts_of_systems is None else counts_of_systems
    weights = [w[i] * w[j] for i, j in itertools.combinations(range(len(z)), 2)]
    return 1 - np.average(apart, weights=weights)


class TestInference:
    """Resamples and permutations, each written out as scores of its own and scored by the plain program."""

    RANDOM = np.random.default_rng(12)
    Z = RANDOM.normal(0, 0.6, (5, 1)) + RANDOM.normal(size=(5, 7))
    X = Z + RANDOM.normal(0, 1, (3, 5, 7))
    SETTINGS = (Level.SYSTEM, Coefficient.SOFT_ACCURACY)

    def test_a_resample_is_the_coefficient_of_the_drawn_topics_and_pairs_of_drawn_systems(self):
        counts = draw_counts(5, 7, ResampleUnit.BOTH, 3, seed=4)
        found = bootstrap_coefficients(self.X, self.Z, *self.SETTINGS, counts)
        for draw in range(3):
            topics = np.repeat(np.arange(7), counts.topics[draw].astype(int))
            expected = [
                plain_soft_accuracy(x[:, topics], self.Z[:, topics], counts.systems[draw]) for x in self.X
            ]
            assert found[draw] == pytest.approx(expected)

    def test_the_full_sample_has_the_value_of_the_coefficient_itself(self):
        found = bootstrap_coefficients(self.X, self.Z, *self.SETTINGS, full_sample(5, 7))
        assert found[0] == pytest.approx(
            [one.value for one in correlate_many(self.X, self.Z, *self.SETTINGS)]
        )

    def test_a_resample_of_one_system_or_of_few_topics_is_undefined(self):
        systems, topics = np.array([[5.0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]), np.ones((2, 7))
        topics[1, 3:] = 0
        found = bootstrap_coefficients(self.X, self.Z, *self.SETTINGS, ResampleCounts(systems, topics))
        assert np.isnan(found).all()

    def test_p_of_a_difference_counts_the_swaps_with_one_as_large(self):
        draws = 12
        p = run_to_completion(
            permutation(self.X, self.Z, *self.SETTINGS, ResampleUnit.BOTH, [(0, 1)], draws, seed=3)
        )
        a, b = ((x - x.mean()) / x.std() for x in self.X[:2])
        signs = draw_swaps(5, 7, ResampleUnit.BOTH, draws, 3)
        observed = plain_soft_accuracy(a, self.Z) - plain_soft_accuracy(b, self.Z)
        extreme = 1
        for systems, topics in zip(signs.systems, signs.topics, strict=True):
            stays = systems[:, None] * topics > 0
            one, other = np.where(stays, a, b), np.where(stays, b, a)
            found = plain_soft_accuracy(one, self.Z) - plain_soft_accuracy(other, self.Z)
            extreme += abs(found) >= abs(observed) - 1e-10
        assert p == pytest.approx([extreme / (draws + 1)])

    def test_an_interval_contains_the_value_and_has_no_p(self):
        ends = run_to_completion(
            bootstrap_intervals(self.X, self.Z, *self.SETTINGS, ResampleUnit.BOTH, draws=100)
        )
        values = np.array([one.value for one in correlate_many(self.X, self.Z, *self.SETTINGS)])
        assert (ends.low < values).all()
        assert (values < ends.high).all()
        assert np.isnan(ends.p).all()
