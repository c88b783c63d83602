"""Agreement of annotators as numbers and text."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.inference import CorrelationInputs
from core.comparison.noise_ceiling import judgement_noise_ceiling
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level
from core.stats.reliability import intraclass, ratings_of, split_half


def sample(cube: np.ndarray | None, level: Level = Level.SYSTEM) -> CorrelationInputs:
    z = np.zeros((6, 4)) if cube is None else cube.mean(axis=0)
    return CorrelationInputs(z[None], z, level, Coefficient.KENDALL, ratings=cube)


def ceiling(*request, **settings):
    return run_to_completion(judgement_noise_ceiling(*request, **settings))


@pytest.fixture
def cube() -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(0, 1, (1, 6, 4)) + random.normal(0, 0.5, (3, 6, 4))


def test_the_noise_ceiling_equals_the_statistics(cube):
    result = ceiling("rating.x", sample(cube), draws=50, seed=1)
    halves, _ = split_half(cube, Level.SYSTEM, Coefficient.KENDALL, 50, 1)
    _, reliability = split_half(cube, Level.SYSTEM, Coefficient.PEARSON, 50, 1)
    assert (result.annotators, result.halves, result.reliability) == (3, halves, reliability)
    assert result.ceiling == pytest.approx(reliability**0.5)
    assert result.intraclass == intraclass(ratings_of(cube, Level.SYSTEM)).agreement_mean
    assert "3 annotators: one annotator with the mean of the others ." in result.sentence()


def test_what_may_mislead_is_noted_in_every_text(cube):
    few = ceiling("rating.x", sample(cube), draws=200)
    assert few.note == "only 3 annotators: others may agree more or less"
    assert few.short_text.endswith(f"({few.note})")
    assert few.sentence().endswith(f"Caution: {few.note}.")
    random = np.random.default_rng(1)
    many = random.normal(0, 1, (1, 6, 4)) + random.normal(0, 0.2, (5, 6, 4))
    assert ceiling("rating.x", sample(many), draws=200).note == ""
    opposite = cube[0] * np.array([1, -1])[:, None, None]
    assert ceiling("rating.x", sample(opposite[:, :4]), draws=20).note.split("; ") == [
        "only 2 annotators: others may agree more or less",
        "reliability undefined or not above 0: there is no ceiling",
        "no interval: too few systems, or undefined in most resamples",
    ]


def test_missing_ratings_use_the_one_way_model(cube):
    cube[0, 0, 0] = np.nan
    result = ceiling("rating.x", sample(cube, Level.GLOBAL), draws=5)
    assert result.intraclass == intraclass(ratings_of(cube, Level.GLOBAL)).one_way_mean


def test_one_annotator_and_pyramid_scores_have_no_noise_ceiling(cube):
    assert "only one annotator" in ceiling("rating.x", sample(cube[:1])).sentence()
    assert ceiling("pyramid.modified", sample(None)) is None


def test_the_interval_of_one_annotator_is_that_of_resampled_systems_and_topics(cube):
    """Resamples written out one by one and correlated by scipy, percentiles of their means."""
    from scipy.stats import pearsonr

    from core.stats.resample_counts import ResampleUnit, draw_counts

    z = cube.mean(axis=0)
    inputs = CorrelationInputs(z[None], z, Level.SYSTEM, Coefficient.PEARSON, ratings=cube)
    result = ceiling("rating.x", inputs, draws=300, seed=4)
    counts = draw_counts(6, 4, ResampleUnit.BOTH, 300, 4)
    values = []
    for systems, topics in zip(counts.systems.astype(int), counts.topics.astype(int), strict=True):
        drawn = cube[:, np.repeat(np.arange(6), systems)][:, :, np.repeat(np.arange(4), topics)].mean(axis=2)
        each = [
            pearsonr(drawn[who], np.delete(drawn, who, axis=0).mean(axis=0)).statistic
            for who in range(3)
            if np.ptp(drawn[who]) > 0
        ]
        values.append(np.mean(each) if each else np.nan)
    assert np.nanmin(values) <= result.low < result.one < result.high <= np.nanmax(values)
    inside = np.mean([result.low <= value <= result.high for value in values])
    assert 0.9 < inside <= 1.0  # 95 %, widened for six systems and shifted by BCa
    assert f"{result.one:.3f}".lstrip("0") in result.one_text
    assert "95 %" in result.one_text


def test_its_progress_only_grows_over_all_annotators_and_it_can_be_stopped(cube):
    steps = judgement_noise_ceiling("rating.x", sample(cube), draws=50)
    shown = list(steps)
    assert [step.done for step in shown] == sorted({step.done for step in shown})
    assert {step.total for step in shown} == {shown[-1].done} == {3 * (50 + 1 + 6 + 4)}
    stopped = judgement_noise_ceiling("rating.x", sample(cube), draws=50)
    next(stopped)
    stopped.close()
    with pytest.raises(StopIteration):
        next(stopped)
