"""Support vector regression by hand, and beside scikit-learn's own arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVR

from core.metrics.base.learned_model import Regressor


def test_a_hand_worked_score():
    regressor = Regressor(
        examples=np.array([[0.0, 0.0], [1.0, 2.0]]),
        weights=np.array([1.0, -0.5]),
        intercept=0.25,
        gamma=0.5,
        spread=np.array([1.0, 2.0]),
    )
    # squared distances of (1, 0): 1 from the first, (2/2)² = 1 from the second
    score = math.exp(-0.5) - 0.5 * math.exp(-0.5) + 0.25
    assert regressor.predict(np.array([[1.0, 0.0]])).tolist() == pytest.approx([score], abs=1e-15)


def test_an_undefined_feature_gives_an_undefined_score():
    regressor = Regressor(np.zeros((1, 2)), np.ones(1), 0.0, 1.0, np.ones(2))
    scores = regressor.predict(np.array([[0.0, np.nan], [0.0, 0.0]]))
    assert np.isnan(scores[0])
    assert scores[1] == 1.0


@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.integers(0, 600))
def test_scores_are_those_of_scikit_learn(seed, features, texts):
    random = np.random.default_rng(seed)
    x, y = random.random((40, features)), random.random(40)
    learner = SVR(kernel="rbf", C=1.0, epsilon=0.1, gamma=1 / 6).fit(x, y)
    regressor = Regressor(
        learner.support_vectors_,
        learner.dual_coef_[0],
        float(learner.intercept_[0]),
        1 / 6,
        np.ones(features),
    )
    inputs = random.random((texts, features))
    expected = learner.predict(inputs) if texts else np.empty(0)
    assert np.allclose(regressor.predict(inputs), expected, rtol=0, atol=1e-9)
