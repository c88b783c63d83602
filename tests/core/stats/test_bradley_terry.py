"""Bradley–Terry strengths: closed forms, an independent maximization, tables without a finite estimate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from core.stats.estimators.bradley_terry import Unidentified, fit_bradley_terry


def test_the_strengths_of_two_items_are_their_log_odds() -> None:
    fit = fit_bradley_terry(np.array([[0.0, 9.0], [3.0, 0.0]]))
    assert fit.strengths == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-12)
    assert fit.tie == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_strengths_and_ties_are_those_of_an_independent_maximization(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 8))
    wins = rng.poisson(2.0, (size, size)) + 1.0
    np.fill_diagonal(wins, 0.0)
    ties = np.triu(rng.poisson(1.0, (size, size)) + 1.0, 1)
    ties = ties + ties.T

    def loss(at: np.ndarray) -> float:
        power, tie, total = np.exp(at[:-1]), np.exp(at[-1]), 0.0
        for i in range(size):
            for j in range(i + 1, size):
                drawn = tie * np.sqrt(power[i] * power[j])
                whole = np.log(power[i] + power[j] + drawn)
                total -= wins[i, j] * (at[i] - whole) + wins[j, i] * (at[j] - whole)
                total -= ties[i, j] * (np.log(drawn) - whole)
        return total + float(at[:-1].mean()) ** 2

    found = minimize(loss, np.zeros(size + 1), method="BFGS", options={"gtol": 1e-9})
    fit = fit_bradley_terry(wins, ties)
    assert fit.strengths == pytest.approx(found.x[:-1], abs=1e-5)
    assert fit.tie == pytest.approx(np.exp(found.x[-1]), rel=1e-5)


def test_a_tie_alone_on_the_way_back_leaves_no_finite_estimate() -> None:
    fit = fit_bradley_terry(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert fit.unidentified is Unidentified.NOT_CONVERGED
    assert np.isnan(fit.strengths).all()
