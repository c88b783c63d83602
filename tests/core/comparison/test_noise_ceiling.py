"""Agreement of annotators as numbers and text."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.inference import CorrelationInputs
from core.comparison.noise_ceiling import judgement_noise_ceiling
from core.stats.correlation import Coefficient, Level
from core.stats.reliability import intraclass, ratings_of, split_half


def sample(cube: np.ndarray | None, level: Level = Level.SYSTEM) -> CorrelationInputs:
    z = np.zeros((6, 4)) if cube is None else cube.mean(axis=0)
    return CorrelationInputs(z[None], z, level, Coefficient.KENDALL, ratings=cube)


@pytest.fixture
def cube() -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(0, 1, (1, 6, 4)) + random.normal(0, 0.5, (3, 6, 4))


def test_the_noise_ceiling_equals_the_statistics(cube):
    result = judgement_noise_ceiling("rating.x", sample(cube), draws=50, seed=1)
    halves, _ = split_half(cube, Level.SYSTEM, Coefficient.KENDALL, 50, 1)
    _, reliability = split_half(cube, Level.SYSTEM, Coefficient.PEARSON, 50, 1)
    assert (result.annotators, result.halves, result.reliability) == (3, halves, reliability)
    assert result.ceiling == pytest.approx(reliability**0.5)
    assert result.intraclass == intraclass(ratings_of(cube, Level.SYSTEM)).agreement_mean
    assert "3 annotators: correlation of one with the mean of the others ." in result.sentence()


def test_missing_ratings_use_the_one_way_model(cube):
    cube[0, 0, 0] = np.nan
    result = judgement_noise_ceiling("rating.x", sample(cube, Level.GLOBAL), draws=5)
    assert result.intraclass == intraclass(ratings_of(cube, Level.GLOBAL)).one_way_mean


def test_one_annotator_and_pyramid_scores_have_no_noise_ceiling(cube):
    assert "only one annotator" in judgement_noise_ceiling("rating.x", sample(cube[:1])).sentence()
    assert judgement_noise_ceiling("pyramid.modified", sample(None)) is None
