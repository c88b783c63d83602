"""Write intervals.json: intervals computed by plain loops, independent of the program's resampling.

`python -m tests.reference.make_intervals`. Each case draws the same resamples as the program (PCG64 on
two spawned streams), writes every resample out, correlates it with scipy, and computes BCa's ends from the
textbook formulas (Efron 1987; two samples as in Davison & Hinkley 1997), the normal quantile widened by the
root of n / (n - 1). p is found by bisection over alpha.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

DRAWS, SEED = 10_000, 1
CORRELATE = {
    "pearson": lambda a, b: stats.pearsonr(a, b).statistic,
    "spearman": lambda a, b: stats.spearmanr(a, b).statistic,
    "kendall": lambda a, b: stats.kendalltau(a, b).statistic,
}


def drawn(n: int, stream: np.random.SeedSequence) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(stream)).integers(0, n, (DRAWS, n))


def value(x: np.ndarray, z: np.ndarray, level: str, coefficient: str) -> float:
    def defined(a: np.ndarray, b: np.ndarray) -> float:
        if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
            return math.nan
        return float(CORRELATE[coefficient](a, b))

    if level == "system":
        # a resample holds a system twice as two equal means: sum in one order
        return defined(np.round(x.mean(axis=1), 12), np.round(z.mean(axis=1), 12))
    if level == "global":
        return defined(x.ravel(), z.ravel())
    each = [defined(x[:, j], z[:, j]) for j in range(x.shape[1])]
    kept = [one for one in each if not math.isnan(one)]
    return float(np.mean(kept)) if kept else math.nan


def ends(samples: np.ndarray, own: float, a: float, reach: float) -> tuple[float, float]:
    share = ((samples < own - 1e-12).mean() + (samples <= own + 1e-12).mean()) / 2
    z0 = stats.norm.ppf(share)
    levels = [stats.norm.cdf(z0 + (z0 + s) / (1 - a * (z0 + s))) for s in (-reach, reach)]
    low, high = np.quantile(samples, levels)
    return float(low), float(high)


def case(about: str, x: np.ndarray, z: np.ndarray, level: str, coefficient: str, over: str) -> dict[str, Any]:
    n, m = z.shape
    systems, topics = np.random.SeedSequence(SEED).spawn(2)
    rows = drawn(n, systems) if over != "topics" else np.tile(np.arange(n), (DRAWS, 1))
    columns = drawn(m, topics) if over != "systems" else np.tile(np.arange(m), (DRAWS, 1))
    picked = [np.ix_(r, c) for r, c in zip(rows, columns, strict=True)]
    samples = np.array([value(x[at], z[at], level, coefficient) for at in picked])
    samples = samples[~np.isnan(samples)]
    samples[np.abs(samples) < 1e-12] = 0.0
    cubes = squares = 0.0
    for size, axis, is_drawn in ((n, 0, over != "topics"), (m, 1, over != "systems")):
        if is_drawn:
            pairs = [(np.delete(x, i, axis), np.delete(z, i, axis)) for i in range(size)]
            left = np.array([value(one, other, level, coefficient) for one, other in pairs])
            influence = (size - 1) * (left.mean() - left)
            cubes += (influence**3).sum() / size**3
            squares += (influence**2).sum() / size**2
    a = cubes / (6 * squares**1.5)
    units = min(([n] if over != "topics" else []) + ([m] if over != "systems" else []))
    own, wider = value(x, z, level, coefficient), math.sqrt(units / (units - 1))

    def at(alpha: float) -> tuple[float, float]:
        return ends(samples, own, a, wider * float(stats.norm.ppf(1 - alpha / 2)))

    low, high = at(0.05)
    below, above = 1e-6, 1.0
    for _ in range(60):
        middle = (below + above) / 2
        one, other = at(middle)
        below, above = (below, middle) if one > 0 or other < 0 else (middle, above)
    p = max(above, 1 / (samples.size + 1))
    sides = {"x": np.round(x, 6).tolist(), "z": np.round(z, 6).tolist()}
    asked = {"level": level, "coefficient": coefficient, "over": over}
    return {"about": about, **sides, **asked, "low": low, "high": high, "p": p}


def main() -> None:
    random = np.random.default_rng(5)

    def scores(n: int, m: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
        z = np.round(random.standard_normal((n, 1)) + random.standard_normal((n, m)), 6)
        return np.round(z + noise * random.standard_normal((n, m)), 6), z

    cases = [
        case("pairs by Pearson's r", *scores(9, 1, 1.5), "global", "pearson", "systems"),
        case("pairs by Kendall's tau", *scores(9, 1, 1.0), "global", "kendall", "systems"),
        case("pairs by Spearman's rho", *scores(8, 1, 3.0), "global", "spearman", "systems"),
        case("system means over systems and topics", *scores(8, 6, 2.0), "system", "pearson", "both"),
        case("topics' coefficients over topics", *scores(6, 7, 2.0), "topic", "pearson", "topics"),
        case("topics' coefficients over both", *scores(6, 5, 3.0), "topic", "kendall", "both"),
    ]
    document = {"made by": "python -m tests.reference.make_intervals", "cases": cases}
    Path(__file__).with_name("intervals.json").write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
