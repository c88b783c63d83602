"""Simulated coverage of bootstrap intervals: how often a 95 % interval contains the true correlation.

`python -m tests.benchmarks coverage` prints the table of which `resources/help/statistics.md` has a part.
Seed 1, 2,000 resamples per interval. Two models:

pairs: n independent pairs of normal values with correlation rho; resampled over the pairs.
study: systems x topics, a score is a system's effect + a topic's effect + a rest, each normal with standard
    deviation 1; metric and judgement correlate by rho in the effects of systems, by .3 in the rests and not
    in the effects of topics. 20 topics. Resampled over systems, over topics or over both.

The true value is that of infinitely many systems; over topics alone, the systems being fixed, it is the mean
over 400 new samples of 20 topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap import in_steps
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures, bootstrap_coefficients
from core.stats.resampling.intervals import acceleration, intervals_of, jackknife, widening
from tests.benchmarks import sized

Array = NDArray[np.float64]

SIZES = (8, 16)
RHOS = (0.0, 0.5, 0.8, 0.9)
TOPICS = 20
REST = 0.3
DRAWS = 2_000
SEED = 1
SAMPLES = 4_000
"""Number of samples of pairs by Pearson's r; a coverage of .95 has a standard error of .003."""
FEWER = 1_000
"""Number of samples otherwise; the standard error is .007."""

TRUE_OF_PAIRS: dict[Coefficient, Callable[[float], float]] = {
    Coefficient.PEARSON: lambda rho: rho,
    Coefficient.SPEARMAN: lambda rho: 6 / math.pi * math.asin(rho / 2),
    Coefficient.KENDALL: lambda rho: 2 / math.pi * math.asin(rho),
    Coefficient.STUART_TAU_C: lambda rho: 2 / math.pi * math.asin(rho),
    Coefficient.GAMMA: lambda rho: 2 / math.pi * math.asin(rho),
    Coefficient.ACCURACY: lambda rho: 0.5 + math.asin(rho) / math.pi,
}
"""True values for normal pairs; without ties accuracy is the share of concordant pairs. Others have none."""


def covered(
    x: Array, z: Array, level: Level, coefficient: Coefficient, over: ResampleUnit, true: float, seed: int
) -> Array:
    """Return whether the BCa and the percentile interval contain the true value; NaN = no interval."""
    counts = draw_counts(z.shape[0], z.shape[1], over, DRAWS, seed)
    samples = run_to_completion(in_steps(ResampledMeasures(x[None], z, level, coefficient), counts))
    value = bootstrap_coefficients(x[None], z, level, coefficient, full_sample(*z.shape))[0]
    left_out = [
        bootstrap_coefficients(x[None], z, level, coefficient, one) for one in jackknife(z.shape, over)
    ]
    coverages = (
        intervals_of(samples, value, acceleration(left_out), wider=widening(z.shape, over)),
        intervals_of(samples),
    )
    return np.array(
        [float(one.low[0] <= true <= one.high[0]) if not one.reasons[0] else math.nan for one in coverages]
    )


def of_pairs(n: int, rho: float, coefficient: Coefficient, samples: int) -> Array:
    """Return the coverage of both methods over samples of n pairs."""
    random, true = np.random.default_rng((SEED, n)), TRUE_OF_PAIRS[coefficient](rho)
    coverages = []
    for seed in range(samples):
        z, rest = random.standard_normal((2, n, 1))
        x = rho * z + math.sqrt(1 - rho**2) * rest
        coverages.append(covered(x, z, Level.TOPIC, coefficient, ResampleUnit.SYSTEMS, true, seed))
    return np.nanmean(coverages, axis=0)


def of_studies(n: int, rho: float, level: Level, over: ResampleUnit, samples: int) -> Array:
    """Return the coverage of both methods over samples of n systems and 20 topics, by Pearson's r."""
    random, coverages = np.random.default_rng((SEED, n)), []
    for seed in range(samples):
        x_effects, z_effects = _correlated(random, rho, (n, 1))
        x, z = (side[0] for side in _scored(random, x_effects, z_effects, 1))
        true = _true(rho, level)
        if over is ResampleUnit.TOPICS:
            new = zip(*_scored(random, x_effects, z_effects, 400), strict=True)
            values = [
                bootstrap_coefficients(a[None], b, level, Coefficient.PEARSON, full_sample(n, TOPICS))
                for a, b in new
            ]
            true = float(np.mean(values))
        coverages.append(covered(x, z, level, Coefficient.PEARSON, over, true, seed))
    return np.nanmean(coverages, axis=0)


def _true(rho: float, level: Level) -> float:
    """Return the correlation for infinitely many systems; globally also for infinitely many topics."""
    rests = 1 / TOPICS if level is Level.SYSTEM else 1.0
    topics = 1.0 if level is Level.GLOBAL else 0.0
    return (rho + REST * rests) / (1 + topics + rests)


def _scored(random: np.random.Generator, x: Array, z: Array, samples: int) -> tuple[Array, Array]:
    """Return scores of metric and judgement on new topics, shape (samples, systems, topics) each."""
    shape = (samples, x.shape[0], TOPICS)
    rests = _correlated(random, REST, shape)
    topics = random.standard_normal((2, samples, 1, TOPICS))
    return x + topics[0] + rests[0], z + topics[1] + rests[1]


def _correlated(random: np.random.Generator, rho: float, shape: tuple[int, ...]) -> tuple[Array, Array]:
    one, other = random.standard_normal((2, *shape))
    return rho * other + math.sqrt(1 - rho**2) * one, other


def main() -> None:
    """Print a row per setting; takes an hour on one core."""
    print("model  level   over     coefficient  n   rho   BCa    percentile", flush=True)
    for coefficient, n, rho in product(TRUE_OF_PAIRS, SIZES, RHOS):
        samples = sized(SAMPLES if coefficient is Coefficient.PEARSON else FEWER, 2)
        _put("pairs", "-", "pairs", coefficient, n, rho, of_pairs(n, rho, coefficient, samples))
    for level, over, n, rho in product(Level, ResampleUnit, SIZES, RHOS[1::2]):
        _put("study", level, over, "pearson", n, rho, of_studies(n, rho, level, over, sized(FEWER, 1)))


def _put(model: str, level: str, over: str, coefficient: str, n: int, rho: float, shares: Array) -> None:
    row = f"{model:6} {level:7} {over:8} {coefficient:12} {n:<3} {rho:<5} {shares[0]:.3f}  {shares[1]:.3f}"
    print(row, flush=True)


if __name__ == "__main__":
    main()
