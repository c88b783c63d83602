"""Bootstrap intervals of correlations with matching p-values.

The bias-corrected and accelerated interval (BCa; Efron 1987) by default, the percentile interval on request.
BCa's normal quantile is widened by the root of n / (n - 1), where n is the number of resampled units:
resamples vary less than samples by just that factor (Hesterberg 2015). The p-value of "the correlation is 0"
inverts the same
interval: it is the smallest alpha whose interval of confidence 1 - alpha excludes 0, so the two never
contradict each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.precision import EQUAL_CORRELATIONS
from core.stats.resample_counts import ResampleCounts, ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap import drop_unjudged, in_steps
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures
from core.stats.types import DRAWS, Ends

Array = NDArray[np.float64]

MIN_UNITS = 5
"""Minimum number of systems (or topics, if only these are resampled) for an interval.

Four items have only 35 different resamples.
"""


FEW_IN_TAIL = 30
"""Resamples beyond an interval's end below which that end depends much on the seed."""


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Intervals of several correlations, one per measure, shape (measures,).

    low, high: NaN = no interval, for the reason in `reasons` (empty = there is one).
    p: two-sided, of "the correlation is 0", by the same method; NaN = none.
    undefined: number of resamples without a value.
    tail_draws: resamples beyond the end that has fewer of them, NaN = not from resamples.
    """

    low: Array
    high: Array
    p: Array
    undefined: NDArray[np.int64]
    reasons: tuple[str, ...]
    tail_draws: Array

    @property
    def are_any(self) -> bool:
        """Whether a measure has an interval."""
        return bool(np.isfinite(self.low).any())

    @property
    def has_few_in_tail(self) -> NDArray[np.bool_]:
        """Whether an end has fewer than `FEW_IN_TAIL` resamples beyond it, shape (measures,)."""
        return np.isfinite(self.tail_draws) & (self.tail_draws < FEW_IN_TAIL)

    @classmethod
    def none(cls, measures: int, reason: str = "") -> Intervals:
        """No interval for any measure."""
        blank = np.full(measures, np.nan)
        return cls(blank, blank, blank, np.zeros(measures, dtype=np.int64), (reason,) * measures, blank)

    def without(self, which: NDArray[np.bool_], reason: str) -> Intervals:
        """Return the same without intervals of these measures, for a reason."""
        low, high, p, tail_draws = (
            np.where(which, np.nan, each) for each in (self.low, self.high, self.p, self.tail_draws)
        )
        reasons = tuple(
            reason if is_out else own for is_out, own in zip(which.tolist(), self.reasons, strict=True)
        )
        return Intervals(low, high, p, self.undefined, reasons, tail_draws)


def bootstrap_intervals(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    over: ResampleUnit,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    confidence: float = 0.95,
    ends: Ends = Ends.BCA,
) -> JobSteps[Intervals]:
    """Return the interval of each measure's correlation over resamples of systems, topics or both.

    x: shape (measures, systems, topics), z: shape (systems, topics), NaN = missing.
    BCa's acceleration comes from the jackknife over the resampled units, for both as of two independent
    samples; it is 0 if a jackknife sample has no correlation. The n of the widening is the smaller number if
    both are resampled.
    Pairwise accuracy has no p: it has no value that corresponds to chance.
    Source: Efron 1987; Davison & Hinkley 1997, section 5.4; Hesterberg 2015 for the widening.
    """
    x, z = drop_unjudged(x, z)
    too_few = _too_few(z, over)
    if too_few:
        return Intervals.none(x.shape[0], too_few)
    counts = draw_counts(z.shape[0], z.shape[1], over, draws, seed)
    measures = ResampledMeasures(x, z, level, coefficient, undefined)
    parts = [counts]
    if ends is Ends.BCA:
        parts += [full_sample(*z.shape), *jackknife(z.shape, over)]
    found: list[Array] = []
    for part in parts:
        before, total = sum(map(len, found)), sum(each.draws for each in parts)
        found.append((yield from in_steps(measures, part, before, total)))
    samples, *rest = found
    if not rest:
        values, accelerations, wider = None, None, 1.0
    else:
        values, accelerations = rest[0][0], acceleration(rest[1:])
        wider = widening(z.shape, over)
    has_null = not coefficient.is_accuracy
    return intervals_of(samples, values, accelerations, confidence, wider, has_null=has_null)


def widening(shape: tuple[int, ...], over: ResampleUnit) -> float:
    """Return the factor by which samples vary more than their resamples. shape: systems, topics."""
    sizes = dict(zip((ResampleUnit.SYSTEMS, ResampleUnit.TOPICS), shape, strict=True))
    drawn = [n for which, n in sizes.items() if over in (which, ResampleUnit.BOTH) and n > 1]
    return math.sqrt(min(drawn) / (min(drawn) - 1)) if drawn else 1.0


def intervals_of(
    samples: Array,
    values: Array | None = None,
    accelerations: Array | None = None,
    confidence: float = 0.95,
    wider: float = 1.0,
    *,
    has_null: bool = True,
) -> Intervals:
    """Return intervals whose ends are quantiles of resamples, and the p-values that invert them.

    samples: shape (draws, measures), NaN = undefined, left out and counted.
    values: of the sample itself, shape (measures,), None = the percentile interval.
    accelerations: of BCa, shape (measures,), None = 0.
    wider: factor of the normal quantile, see `widening`.
    has_null: whether 0 corresponds to chance.
    """
    measures = samples.shape[1]
    result = Intervals(
        np.full(measures, np.nan),
        np.full(measures, np.nan),
        np.full(measures, np.nan),
        (~np.isfinite(samples)).sum(axis=0),
        tuple(_reason(column, confidence) for column in samples.T),
        np.full(measures, np.nan),
    )
    for i, column in enumerate(samples.T):
        if result.reasons[i]:
            continue
        ordered = np.sort(column[np.isfinite(column)])
        ordered[np.abs(ordered) <= EQUAL_CORRELATIONS] = 0.0
        bias = 0.0 if values is None else _bias(ordered, float(values[i]))
        a = 0.0 if accelerations is None else float(accelerations[i])
        levels = _levels(bias, a, confidence, wider)
        result.low[i], result.high[i] = np.quantile(ordered, levels)
        result.tail_draws[i] = math.floor(min(levels[0], 1 - levels[1]) * ordered.size + 1e-9)
        if has_null:
            result.p[i] = _p_of_zero(ordered, bias, a, wider)
    return result


def acceleration(left_out: list[Array]) -> Array:
    """Return the acceleration of BCa from the jackknife, shape (measures,), 0 where that is undefined.

    left_out: for each independent sample the correlations without each of its members, shape (members,
    measures).
    """
    cubes = squares = np.zeros(left_out[0].shape[1])
    for values in left_out:
        n = values.shape[0]
        influence = (n - 1) * (values.mean(axis=0) - values)
        cubes = cubes + (influence**3).sum(axis=0) / n**3
        squares = squares + (influence**2).sum(axis=0) / n**2
    usable = np.isfinite(cubes) & (squares > EQUAL_CORRELATIONS**2)
    return np.where(usable, cubes / (6 * np.where(usable, squares, 1.0) ** 1.5), 0.0)


def _too_few(z: Array, over: ResampleUnit) -> str:
    """Return why the units cannot be resampled, empty = they can. z: judged cells."""
    there, noun = (z.shape[1], "topic") if over is ResampleUnit.TOPICS else (z.shape[0], "system")
    if there >= MIN_UNITS:
        return ""
    few = f"{there} {noun} is" if there == 1 else f"{there} {noun}s are"
    return f"{few} too few to resample; at least {MIN_UNITS} are needed"


def jackknife(shape: tuple[int, ...], over: ResampleUnit) -> list[ResampleCounts]:
    """Return the samples without one system, and those without one topic, for the resampled units.

    shape: systems, topics.
    """
    systems, topics = shape
    counts = []
    if over is not ResampleUnit.TOPICS:
        counts.append(ResampleCounts(1.0 - np.eye(systems), np.ones((1, topics)), ResampleUnit.SYSTEMS))
    if over is not ResampleUnit.SYSTEMS:
        counts.append(ResampleCounts(np.ones((1, systems)), 1.0 - np.eye(topics), ResampleUnit.TOPICS))
    return counts


def _reason(column: Array, confidence: float) -> str:
    """Return why resamples give no interval, empty = they give one."""
    defined = column[np.isfinite(column)]
    if 2 * defined.size <= column.size:
        return f"undefined in {column.size - defined.size:,} of {column.size:,} resamples"
    if (defined.size + 1) * (1 - confidence) / 2 < 1:
        return f"{defined.size:,} resamples are too few for {confidence:.4g} confidence"
    if np.ptp(defined) <= EQUAL_CORRELATIONS:
        return "every resample gives the same value"
    return ""


def _bias(ordered: Array, value: float) -> float:
    """Return z0 of BCa: the normal quantile of the share of resamples below the sample's own value."""
    from scipy.special import ndtri

    n = ordered.size
    below = np.searchsorted(ordered, value - EQUAL_CORRELATIONS, "left")
    up_to = np.searchsorted(ordered, value + EQUAL_CORRELATIONS, "right")
    share = (below + up_to) / 2 / n
    return float(ndtri(np.clip(share, 1 / (n + 1), n / (n + 1))))


def _levels(bias: float, a: float, confidence: float, wider: float) -> tuple[float, float]:
    """Return the shares of resamples below the low and the high end."""
    from scipy.special import ndtr, ndtri

    reach = float(ndtri((1 + confidence) / 2)) * wider
    levels = []
    for turned in (bias - reach, bias + reach):
        rest = 1 - a * turned
        levels.append(float(ndtr(bias + turned / rest)) if rest > 0 else float(turned > 0))
    return levels[0], levels[1]


def _p_of_zero(ordered: Array, bias: float, a: float, wider: float) -> float:
    """Return the smallest alpha whose interval excludes 0; at least 1 in draws + 1."""
    from scipy.special import ndtr

    below = float(ndtr(_normal_of(_share(ordered, 0.0, "right"), bias, a) / wider))
    above = float(ndtr(-_normal_of(_share(ordered, 0.0, "left"), bias, a) / wider))
    return min(1.0, max(2 * min(below, above), 1 / (ordered.size + 1)))


def _normal_of(share: float, bias: float, a: float) -> float:
    """Return the normal quantile of the one-sided interval that ends at this share of resamples."""
    from scipy.special import ndtri

    if not 0 < share < 1:
        return -np.inf if share <= 0 else np.inf
    turned = float(ndtri(share)) - bias
    rest = 1 + a * turned
    if rest <= 0:  # no confidence level moves an end that far
        return float(np.copysign(np.inf, turned))
    return turned / rest - bias


def _share(ordered: Array, value: float, side: str) -> float:
    """Return the position of a value among resamples, the inverse of numpy's linear quantile.

    side: of equal resamples the last ("right") or the first ("left"). Below 0 or above 1 = outside.
    """
    last = ordered.size - 1
    if value < ordered[0]:
        return -1.0
    if value > ordered[-1]:
        return 2.0
    if side == "right":
        at = int(np.searchsorted(ordered, value, "right")) - 1
        if ordered[at] == value or at == last:
            return at / last
    else:
        at = int(np.searchsorted(ordered, value, "left"))
        if ordered[at] == value:
            return at / last
        at -= 1
    part = (value - ordered[at]) / (ordered[at + 1] - ordered[at])
    return float((at + part) / last)
