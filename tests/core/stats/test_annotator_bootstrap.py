"""Resampling annotators."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap_annotators, weighted_mean

NAN = math.nan


def numbers(annotators: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    true = random.random((6, 5))
    return random.random((2, 6, 5)) + true, true + random.normal(0, 0.3, (annotators, 6, 5))


def test_a_mean_counts_an_annotator_as_often_as_drawn_and_skips_what_is_not_rated():
    cube = np.array([[[1.0, NAN]], [[4.0, NAN]], [[5.0, 2.0]]])
    assert weighted_mean(cube, np.array([2.0, 1.0, 0.0])).tolist()[0] == pytest.approx([2, NAN], nan_ok=True)
    assert weighted_mean(cube, np.array([0.0, 1.0, 2.0])).tolist()[0] == pytest.approx([14 / 3, 2])


def test_each_draw_is_the_correlation_with_the_mean_of_some_annotators():
    x, cube = numbers()
    args = (Level.GLOBAL, Coefficient.SPEARMAN)
    result = run_to_completion(bootstrap_annotators(x, cube, *args, draws=40))[:, 1].round(9)
    drawn = {tuple(sorted(who)) for who in itertools.product(range(3), repeat=3)}
    means = [weighted_mean(cube, np.bincount(who, minlength=3).astype(float)) for who in drawn]
    possible = {round(correlate(x[1], mean, *args).value, 9) for mean in means}
    assert set(result) <= possible
    assert len(set(result)) > 5


def test_one_annotator_has_no_variance_unless_others_are_resampled():
    x, cube = numbers(1)
    alone = run_to_completion(bootstrap_annotators(x, cube, Level.SYSTEM, Coefficient.PEARSON, draws=20))
    assert np.ptp(alone, axis=0).tolist() == [0, 0]
    wider = run_to_completion(
        bootstrap_annotators(x, cube, Level.SYSTEM, Coefficient.PEARSON, ResampleUnit.TOPICS, draws=20)
    )
    assert (np.ptp(wider, axis=0) > 0).all()


def test_the_same_seed_draws_the_same():
    x, cube = numbers()
    args = (x, cube, Level.TOPIC, Coefficient.KENDALL, ResampleUnit.BOTH, 15)
    assert (
        run_to_completion(bootstrap_annotators(*args, 3)).tobytes()
        == run_to_completion(bootstrap_annotators(*args, 3)).tobytes()
    )
    assert (
        run_to_completion(bootstrap_annotators(*args, 3)).tobytes()
        != run_to_completion(bootstrap_annotators(*args, 4)).tobytes()
    )
