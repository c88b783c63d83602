"""Bootstrap over systems and topics compared with nlpstats 0.0.1: 10,000 resamples of 30 measures.

Sizes of SummEval (16 systems, 100 topics) and TAC (58, 48), with judgements in thirds as by three raters.
Pyramidion runs completely. nlpstats, which would take hours at the topic level, runs some resamples of one
measure, from which the total is extrapolated, so its interval is approximate. Both correlate the same
numbers; the full sample must agree to 1e-9.
"""

from __future__ import annotations

import importlib.util
import time

import numpy as np

from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap, interval
from tests.benchmarks import sized

DRAWS, MEASURES = sized((10_000, 30), (20, 2))
SIZES = sized({"SummEval": (16, 100), "TAC": (58, 48)}, {"small": (6, 8)})
THEIRS = {
    Level.SYSTEM: ("system", sized(400, 4)),
    Level.TOPIC: ("input", sized(30, 4)),
    Level.GLOBAL: ("global", sized(400, 4)),
}
WANTED = {Level.SYSTEM: 100, Level.TOPIC: 100, Level.GLOBAL: 5}


def main() -> None:
    if importlib.util.find_spec("nlpstats") is None:
        print('nlpstats is not here; `pip install -e ".[bench]"` brings it.')
        return
    print(f"{DRAWS:,} resamples of {MEASURES} measures, systems and topics drawn")
    head = "size      level   coefficient      ours     nlpstats   times as slow   wanted"
    print(f"{head}      interval, ours / nlpstats")
    for size, shape in SIZES.items():
        x, z = numbers(*shape)
        for level in Level:
            for coefficient in (Coefficient.PEARSON, Coefficient.KENDALL):
                show(size, x, z, level, coefficient)


def show(size: str, x: np.ndarray, z: np.ndarray, level: Level, coefficient: Coefficient) -> None:
    run_to_completion(
        bootstrap(x, z, level, coefficient, ResampleUnit.BOTH, 1000)
    )  # compiled and cached once
    began = time.perf_counter()
    samples = run_to_completion(bootstrap(x, z, level, coefficient, ResampleUnit.BOTH, DRAWS))
    mine = time.perf_counter() - began
    theirs, bounds = by_nlpstats(x[0], z, level, coefficient)
    low, high = interval(samples[:, :1])
    print(
        f"{size:<9} {level.value:<7} {coefficient.value:<11} {mine:8.2f} s {theirs:10.0f} s "
        f"{theirs / mine:13,.0f} {WANTED[level]:8} "
        f"     {low[0]:.3f} to {high[0]:.3f} / {bounds[0]:.3f} to {bounds[1]:.3f}",
        flush=True,
    )


def by_nlpstats(
    x: np.ndarray, z: np.ndarray, level: Level, coefficient: Coefficient
) -> tuple[float, tuple[float, float]]:
    """Return the extrapolated seconds for all resamples and measures, and the interval of the timed ones."""
    from nlpstats.correlations import bootstrap as theirs
    from nlpstats.correlations import correlate as their_correlate

    name, draws = THEIRS[level]
    np.random.seed(0)
    began = time.perf_counter()
    interval = theirs(x, z, name, coefficient.value, "both", n_resamples=draws)
    seconds = (time.perf_counter() - began) / draws * DRAWS * MEASURES
    whole = their_correlate(x, z, name, coefficient.value)
    if abs(whole - correlate(x, z, level, coefficient).value) > 1e-9:
        raise SystemExit(f"{level} {coefficient}: the two programs correlate otherwise.")
    return seconds, (float(interval.lower), float(interval.upper))


def numbers(systems: int, topics: int) -> tuple[np.ndarray, np.ndarray]:
    """Return measures of different correlation with a judgement, and the judgement from 1 to 5 in thirds."""
    random = np.random.default_rng(0)
    quality = random.random((systems, 1))
    z = np.clip(np.rint((quality + random.normal(0, 0.3, (systems, topics))) * 12) / 3, 1, 5)
    noise = np.linspace(0.1, 0.8, MEASURES)[:, None, None]
    return quality + random.normal(0, 1, (MEASURES, systems, topics)) * noise, z
