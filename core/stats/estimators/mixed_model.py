"""Linear mixed models with crossed or nested random intercepts, fitted by restricted maximum likelihood.

y = X β + Σ Z_k u_k + e, with u_k ~ N(0, σ_k² I) and e ~ N(0, σ² I). The profiled REML criterion is that of
lme4 (Bates, Mächler, Bolker & Walker 2015, eq. 42), a function of the ratios θ_k = σ_k / σ. Its
factorization uses the design: effects within the levels of one factor (topics) are eliminated block by block,
many blocks at once, each with those effects across blocks (systems, annotators) that occur in it; only the
effects across blocks form a dense matrix. Slopes are exact (Bates et al. 2015, section 3; Harville 1977).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core.errors import InputError
from core.progress import JobSteps, Progress, raise_if_cancelled

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

SINGULAR = 1e-4
"""A ratio θ below this counts as 0, as in lme4's `isSingular`."""

_FLAT = 1e-2
"""Largest derivative of the criterion by θ at a converged fit."""

_RUNS = 4
_MOST = 1e4
_STEP = 1e-4
_NEGLIGIBLE = 1e-12

_MOST_STEPS = 40
"""Evaluations of a profile for one end of an interval."""

_PERFECT = 1e3
"""A ratio θ above this leaves hardly any residual."""

_FARTHEST = 3.0
"""Largest first step to an upper end, in natural logarithms of the standard deviation."""

_NEAR = 3e-4
"""Distance of the root of the added deviance at which an end is exact enough: some 0.02 % of its width."""

_CELLS_AT_ONCE = 4_000_000
"""Numbers of the blocks that are in memory at once, in each of a few arrays."""

_CELLS_KEPT = 16_000_000
"""Numbers of factors that are stored between the criterion and its slopes, rather than computed twice."""


@dataclass(frozen=True, slots=True, eq=False)
class RandomEffect:
    """Random intercepts of the levels of one factor. codes: level of each observation from 0, shape (n,)."""

    name: str
    codes: Codes

    @property
    def levels(self) -> int:
        return int(self.codes.max()) + 1


@dataclass(frozen=True, slots=True, eq=False)
class MixedModel:
    """A fitted model.

    variances: σ_k² of each random effect, in their order; residual: σ².
    fixed: β, shape (p,). covariance: of β, shape (p, p).
    criterion: −2 log of the restricted likelihood, as lme4 reports it.
    observations: n. has_converged: whether the criterion is flat at the solution.
    singular: names of the effects whose variance is estimated as 0.
    gradients: of the covariance of β by (θ of the effects that are not singular, log σ²), shape (parameters,
    p, p).
    uncertainty: covariance of these parameters, shape (parameters, parameters).
    """

    names: tuple[str, ...]
    variances: tuple[float, ...]
    residual: float
    fixed: Array
    covariance: Array
    criterion: float
    observations: int
    has_converged: bool
    singular: tuple[str, ...]
    gradients: Array
    uncertainty: Array

    def contrast(self, weights: Array) -> Contrast:
        """Return a linear combination of the fixed effects, with Satterthwaite's degrees of freedom.

        weights: shape (p,).
        Source: Satterthwaite 1946; Kuznetsova, Brockhoff & Christensen 2017 (lmerTest).
        """
        variance = float(weights @ self.covariance @ weights)
        slope = np.einsum("i,kij,j->k", weights, self.gradients, weights)
        spread = float(slope @ self.uncertainty @ slope)
        freedom = 2 * variance**2 / spread if spread > 0 else math.nan
        return Contrast(float(weights @ self.fixed), math.sqrt(max(variance, 0.0)), freedom)


@dataclass(frozen=True, slots=True)
class Contrast:
    """An estimate with its standard error and degrees of freedom; NaN = undefined."""

    value: float
    error: float
    freedom: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the ends of the t interval."""
        from scipy.special import stdtrit

        if not self.freedom > 0:
            return math.nan, math.nan
        half = float(stdtrit(self.freedom, (1 + confidence) / 2)) * self.error
        return self.value - half, self.value + half

    @property
    def p(self) -> float:
        """The two-sided p of "the combination is 0"."""
        from scipy.special import stdtr

        if not self.freedom > 0 or not self.error > 0:
            return math.nan
        return 2 * float(stdtr(self.freedom, -abs(self.value) / self.error))


def fit_mixed_model(
    y: Array, x: Array, effects: Sequence[RandomEffect], blocks: Codes, note: str = ""
) -> JobSteps[MixedModel]:
    """Fit a model by restricted maximum likelihood.

    y: shape (n,), finite. x: shape (n, p), of full column rank.
    blocks: levels of a factor from 0, shape (n,); effects whose levels each belong to one block are
    eliminated first. The choice changes the speed, not the result.
    Raises InputError if y does not vary around the fixed effects.
    """
    criterion = _criterion(y, x, effects, blocks)
    with threadpool_limits(1, user_api="blas"):  # many small products
        theta = yield from _minimum(criterion, note)
        return _described(criterion, effects, theta)


def variance_intervals(
    y: Array,
    x: Array,
    effects: Sequence[RandomEffect],
    blocks: Codes,
    confidence: float = 0.95,
    note: str = "",
) -> JobSteps[Array]:
    """Return profile-likelihood intervals of the variances of each effect and of the residual.

    The arguments are those of `fit_mixed_model`. The likelihood is maximized over all other parameters, and
    an interval contains the standard deviations whose deviance is at most the chi-squared quantile above the
    smallest one. As in lme4's `confint`, it is the likelihood, not the restricted one.
    Returns low and high ends, shape (effects + 1, 2); a low end of 0 = the boundary; NaN = no end was found,
    or the effects explain the values perfectly, so that the likelihood has no maximum.
    Raises InputError if y does not vary around the fixed effects.
    Source: Bates et al. 2015, section 5.1.
    """
    from scipy.special import ndtri

    criterion = _criterion(y, x, effects, blocks)
    reach = float(ndtri((1 + confidence) / 2))
    count = len(effects) + 1
    with threadpool_limits(1, user_api="blas"):
        theta = yield from _minimum(criterion, note, restricted=False)
        ends = np.full((count, 2), np.nan)
        if theta.max(initial=0.0) > _PERFECT:
            return ends
        profile = _Profile(criterion, theta)
        for place in range(count):
            for side, sign in enumerate((-1.0, 1.0)):
                yield Progress(2 * place + side, 2 * count, note)
                with suppress(np.linalg.LinAlgError):  # too far from the maximum for this precision
                    ends[place, side] = profile.end(place, sign * reach) ** 2
    return ends


def _criterion(y: Array, x: Array, effects: Sequence[RandomEffect], blocks: Codes) -> _Criterion:
    criterion = _Criterion(y, x, effects, blocks)
    if criterion.total <= _NEGLIGIBLE * max(1.0, float(y @ y)):
        raise InputError("the values do not vary, so there is nothing to explain")
    return criterion


def _minimum(criterion: _Criterion, note: str, *, restricted: bool = True) -> JobSteps[Array]:
    """Return θ at the minimum of the criterion, 0 where a variance is estimated as 0."""
    from scipy.optimize import minimize

    theta = np.ones(criterion.effects)
    bounds = [(0.0, _MOST)] * len(theta)
    for run in range(_RUNS):
        yield Progress(run, _RUNS + 1, note)
        theta = minimize(
            criterion.profiled, theta, args=(restricted,), jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 300, "ftol": 1e-13, "gtol": 1e-6},
        ).x  # fmt: skip
        theta = np.where(theta < SINGULAR, 0.0, theta)
        better = criterion.away_from_zero(theta, restricted=restricted)
        if better is None and np.abs(criterion.profiled(theta, restricted)[1]).max(initial=0.0) < _FLAT:
            break
        theta = theta if better is None else better
    yield Progress(_RUNS, _RUNS + 1, note)
    return theta


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The criterion's parts at one θ.

    log: log determinants; of the fixed effects' matrix too for the restricted likelihood.
    squares: penalized residual sum of squares. fixed: β. inverse: covariance of β / σ².
    log_slopes, square_slopes: of log and of squares by θ, shape (effects,).
    freedom: observations, for the restricted likelihood less the fixed effects.
    """

    log: float
    squares: float
    fixed: Array
    inverse: Array
    log_slopes: Array
    square_slopes: Array
    freedom: int


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Some blocks, padded to the largest of them: b blocks of m effects within and c columns across.

    gram: Z'Z of the effects within, shape (b, m, m). mixed: Z'(W X y), shape (b, m, c).
    owner: effect of each level, shape (b, m), -1 = padding. columns: of (W X y), shape (b, c), 0 in padding.
    """

    gram: Array
    mixed: Array
    owner: Codes
    columns: Codes


@dataclass(frozen=True, slots=True, eq=False)
class _Factor:
    """A factored chunk: L⁻¹ with L L' = I + Λ Z'Z Λ, and L⁻¹ Λ Z'(W X y) with W unscaled."""

    chunk: _Chunk
    inverse: Array
    solved: Array


class _Criterion:
    """Criterion of a model, restricted or not; all products with observations are computed once."""

    def __init__(self, y: Array, x: Array, effects: Sequence[RandomEffect], blocks: Codes) -> None:
        from scipy import sparse

        self.n, self.p = x.shape
        self.effects = len(effects)
        self._levels = np.array([one.levels for one in effects], dtype=np.float64)
        within = [k for k, one in enumerate(effects) if _lies_within(one.codes, blocks)]
        across = [k for k in range(len(effects)) if k not in within]
        wide = sparse.hstack(
            [*(_indicators(effects[k]) for k in across), sparse.csr_array(x), sparse.csr_array(y[:, None])],
            format="csr",
        )
        self._across = np.repeat(across, [effects[k].levels for k in across]).astype(np.intp)
        self._products = (wide.T @ wide).toarray()
        self._blocks = _Blocks([effects[k] for k in within], within, blocks, wide)
        start = len(self._across)
        moments = self._products[start:, start:]
        beta = np.linalg.lstsq(moments[:-1, :-1], moments[:-1, -1], rcond=None)[0]
        self.total = float(np.sum((y - x @ beta) ** 2))

    def at(self, theta: Array, *, restricted: bool) -> _Parts:
        """Evaluate the criterion's parts and their slopes."""
        rest = self._products.copy()
        log, width = 0.0, len(rest)
        factors: Iterable[_Factor] = self._blocks.factors(theta)
        if self._blocks.cells <= _CELLS_KEPT:
            factors = list(factors)
        for factor in factors:
            diagonal = np.diagonal(factor.inverse, axis1=1, axis2=2)
            log -= 2 * float(np.log(diagonal).sum())
            products = factor.solved.transpose(0, 2, 1) @ factor.solved
            places = factor.chunk.columns[:, :, None] * width + factor.chunk.columns[:, None, :]
            rest -= np.bincount(places.ravel(), products.ravel(), width * width).reshape(width, width)
        size = len(self._across)
        scale = np.concatenate([theta[self._across], np.ones(self.p + 1)])
        rest *= scale[:, None] * scale
        rest[np.arange(size), np.arange(size)] += 1.0
        outer = np.linalg.inv(np.linalg.cholesky(rest[:size, :size]))
        log -= 2 * float(np.log(np.diag(outer)).sum())
        solved = outer @ rest[:size, size:]
        tail = rest[size:, size:] - solved.T @ solved
        fixed = np.linalg.solve(tail[:-1, :-1], tail[:-1, -1])
        squares = max(float(tail[-1, -1] - tail[-1, :-1] @ fixed), self.total * 1e-15)
        inverse = np.linalg.inv(tail[:-1, :-1])
        means = np.concatenate([outer.T @ (solved[:, -1] - solved[:, :-1] @ fixed), fixed])
        full = np.zeros((size + self.p, size + self.p))
        full[:size, :size] = outer.T @ outer
        if restricted:
            log += float(np.linalg.slogdet(tail[:-1, :-1])[1])
            turned = np.vstack([outer.T @ solved[:, :-1], -np.eye(self.p)])
            full += turned @ inverse @ turned.T
        if not isinstance(factors, list):
            factors = self._blocks.factors(theta)
        slopes = self._slopes(theta, factors, full, scale, means)
        return _Parts(log, squares, fixed, inverse, *slopes, self.n - (self.p if restricted else 0))

    def _slopes(
        self, theta: Array, factors: Iterable[_Factor], full: Array, scale: Array, means: Array
    ) -> tuple[Array, Array]:
        """Return the slopes of the log determinants and of the squares by θ.

        full: inverse of the matrix of the scaled effects across blocks and the fixed effects, after those
        within are eliminated; 0 where the fixed effects' determinant does not count. means: conditional means
        of the scaled effects across, and β.
        """
        size = len(self._across)
        traces, squares = np.zeros(self.effects), np.zeros(self.effects)
        traces += np.bincount(self._across, np.diag(full)[:size], self.effects)
        squares += np.bincount(self._across, means[:size] ** 2, self.effects)
        padded = np.zeros((len(scale), len(scale)))
        padded[:-1, :-1] = full
        padded *= scale[:, None] * scale
        weights = np.append(means, -1.0) * scale
        for factor in factors:
            columns, owner = factor.chunk.columns, factor.chunk.owner.ravel()
            there = owner >= 0
            back = factor.inverse.transpose(0, 2, 1) @ factor.solved
            part = padded[columns[:, :, None], columns[:, None, :]]
            own = np.square(factor.inverse).sum(axis=1) + ((back @ part) * back).sum(axis=2)
            traces += np.bincount(owner[there], own.ravel()[there], self.effects)
            mean = (back @ weights[columns][:, :, None]).ravel()[there]
            squares += np.bincount(owner[there], mean**2, self.effects)
        over = np.where(theta > 0, 2 / np.where(theta > 0, theta, 1.0), 0.0)
        return over * (self._levels - traces), -over * squares

    def profiled(self, theta: Array, restricted: bool = True) -> tuple[float, Array]:
        """Return −2 log of the likelihood, maximized over β and σ², and its slopes by θ; 0 where θ is 0."""
        parts = self.at(theta, restricted=restricted)
        n = parts.freedom
        value = parts.log + n * (1 + math.log(2 * math.pi * parts.squares / n))
        return value, parts.log_slopes + n * parts.square_slopes / parts.squares

    def away_from_zero(self, theta: Array, *, restricted: bool = True) -> Array | None:
        """Return a better place with a θ above 0 where the optimizer left one at 0, None = there is none."""
        here = self.profiled(theta, restricted)[0]
        for k in np.flatnonzero(theta == 0):
            moved = theta.copy()
            moved[k] = 0.02
            if self.profiled(moved, restricted)[0] < here - 1e-9:
                return moved
        return None

    def unprofiled(self, theta: Array, log_variance: float, *, restricted: bool = True) -> _Unprofiled:
        """Return the criterion at θ and log σ² with its slopes by both, and the covariance of β."""
        parts, residual = self.at(theta, restricted=restricted), math.exp(log_variance)
        value = parts.log + parts.freedom * (math.log(2 * math.pi) + log_variance) + parts.squares / residual
        slopes = parts.log_slopes + parts.square_slopes / residual
        by_log = parts.freedom - parts.squares / residual
        return _Unprofiled(value, np.append(slopes, by_log), residual * parts.inverse)


@dataclass(frozen=True, slots=True, eq=False)
class _Unprofiled:
    """The criterion at θ and log σ²: value, slopes by (θ, log σ²), and covariance of β."""

    value: float
    slopes: Array
    covariance: Array


class _Blocks:
    """The products of effects within blocks, sparse, so that memory grows with the observations."""

    def __init__(
        self, effects: Sequence[RandomEffect], places: Sequence[int], blocks: Codes, wide: object
    ) -> None:
        from scipy import sparse

        n, count = len(blocks), int(blocks.max()) + 1
        z = sparse.hstack([sparse.csr_array((n, 0)), *(_indicators(one) for one in effects)], format="csr")
        owner = np.repeat(np.array(places, dtype=np.int64), [one.levels for one in effects])
        block_of = np.zeros(len(owner), dtype=np.int64)
        start = 0
        for one in effects:
            block_of[start + one.codes] = blocks
            start += one.levels
        self._row_of, self._rows = _places_within(block_of, count)
        self._owner = owner
        self._block_of = block_of
        gram, mixed = (z.T @ z).tocoo(), (z.T @ wide).tocoo()
        width = mixed.shape[1]
        pairs, which = np.unique(block_of[mixed.row] * width + mixed.col, return_inverse=True)
        column_block, self._columns = np.divmod(pairs, width)
        self._column_block = column_block
        self._column_of, self._widths = _places_within(column_block, count)
        self._gram = _sorted_by_block(
            block_of[gram.row], self._row_of[gram.row], self._row_of[gram.col], gram.data
        )
        self._mixed = _sorted_by_block(
            block_of[mixed.row], self._row_of[mixed.row], self._column_of[which], mixed.data
        )
        self._order_of_levels = np.argsort(block_of, kind="stable")
        self._size = int(self._rows.max(initial=0))
        self._width = int(self._widths.max(initial=0))
        each = max(1, self._size**2, self._width**2, self._size * self._width)
        at_once = max(1, _CELLS_AT_ONCE // each)
        self._ends = [*range(0, count if len(owner) else 0, at_once), count if len(owner) else 0]
        self.cells = count * self._size * (self._size + self._width)

    def factors(self, theta: Array) -> Iterator[_Factor]:
        """Yield the factored chunks at θ. Stops if the job was cancelled."""
        for first, last in itertools.pairwise(self._ends):
            raise_if_cancelled()
            chunk = self._chunk(first, last)
            scale = np.where(chunk.owner >= 0, theta[chunk.owner], 0.0)
            inner = chunk.gram * scale[:, :, None] * scale[:, None, :]
            diagonal = np.arange(self._size)
            inner[:, diagonal, diagonal] += 1.0
            inverse = np.linalg.inv(np.linalg.cholesky(inner))
            yield _Factor(chunk, inverse, inverse @ (chunk.mixed * scale[:, :, None]))

    def _chunk(self, first: int, last: int) -> _Chunk:
        count, size, width = last - first, self._size, self._width
        gram, mixed = np.zeros((count, size, size)), np.zeros((count, size, width))
        for filled, (block, row, column, values) in ((gram, self._gram), (mixed, self._mixed)):
            part = slice(*np.searchsorted(block, (first, last)))
            filled[block[part] - first, row[part], column[part]] = values[part]
        owner = np.full((count, size), -1, dtype=np.int64)
        levels = self._order_of_levels[
            slice(*np.searchsorted(self._block_of[self._order_of_levels], (first, last)))
        ]
        owner[self._block_of[levels] - first, self._row_of[levels]] = self._owner[levels]
        columns = np.zeros((count, width), dtype=np.int64)
        part = slice(*np.searchsorted(self._column_block, (first, last)))
        columns[self._column_block[part] - first, self._column_of[part]] = self._columns[part]
        return _Chunk(gram, mixed, owner, columns)


def _indicators(effect: RandomEffect) -> Any:
    """Return the sparse matrix of an effect's levels, shape (n, levels)."""
    from scipy import sparse

    n = len(effect.codes)
    return sparse.csr_array((np.ones(n), (np.arange(n), effect.codes)), (n, effect.levels))


def _places_within(block_of: Codes, count: int) -> tuple[Codes, Codes]:
    """Return the place of each item within its block, and the number of items of each block."""
    sizes = np.bincount(block_of, minlength=count)
    order = np.argsort(block_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order)) - first[block_of[order]]
    return places, sizes


def _sorted_by_block(*columns: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    order = np.argsort(columns[0], kind="stable")
    return tuple(column[order] for column in columns)


class _Profile:
    """Profile likelihood of the standard deviations of the effects and of the residual."""

    def __init__(self, criterion: _Criterion, theta: Array) -> None:
        """Start at the maximum of the likelihood. theta: there."""
        self._criterion = criterion
        residual = criterion.at(theta, restricted=False).squares / criterion.n
        self._best = np.append(theta * math.sqrt(residual), math.sqrt(residual))
        self._lowest = criterion.profiled(theta, restricted=False)[0]
        steps = _STEP * np.maximum(self._best, 0.1 * self._best[-1])
        hessian = np.array([self._curvature(place, step) for place, step in enumerate(steps)])
        curvature = np.maximum(np.diag(hessian), 1e-12 / self._best[-1] ** 2)
        self._units = np.sqrt(2 / curvature)
        spread = np.diag(np.linalg.pinv((hessian + hessian.T) / 4))
        self._errors = np.where(spread > 0, np.sqrt(np.maximum(spread, 0.0)), self._units)

    def _curvature(self, place: int, step: float) -> Array:
        """Return how the slopes change with one standard deviation, shape (effects + 1,)."""
        sides = []
        for sign in (1.0, -1.0):
            moved = self._best.copy()
            moved[place] += sign * step
            slopes = self._deviance(np.abs(moved))[1]
            sides.append(slopes * np.where(moved < 0, -1.0, 1.0))
        change: Array = (sides[0] - sides[1]) / (2 * step)
        return change

    def end(self, place: int, reach: float) -> float:
        """Return the standard deviation whose signed root of the added deviance is `reach`; NaN = none.

        Newton steps, which the profile's slope makes fast, kept inside a bracket that each step narrows.
        """
        best = float(self._best[place])
        low, high = (0.0, best) if reach < 0 else (best, math.inf)
        if best == 0 and reach < 0:
            return 0.0
        may_be_zero = reach < 0 and place < self._criterion.effects
        if may_be_zero and self._root(place, 0.0, self._best)[0] >= reach:
            return 0.0
        error = float(self._errors[place])
        tried = best * math.exp(min(reach * error / best, _FARTHEST)) if best > 0 else reach * error
        sds = self._best
        for _ in range(_MOST_STEPS):
            share = (tried - best) / (sds[place] - best) if sds[place] != best else 0.0
            start = np.maximum(self._best + share * (sds - self._best), 0.0)
            root, slope, sds = self._root(place, tried, start)
            if abs(root - reach) < _NEAR:
                return tried
            low, high = (tried, high) if root < reach else (low, tried)
            following = tried + (reach - root) / slope if slope > 0 else math.inf
            if not low < following < high:
                following = (low + high) / 2 if math.isfinite(high) else tried * 2
            tried = following
        return math.nan

    def _root(self, place: int, sigma: float, start: Array) -> tuple[float, float, Array]:
        """Return the signed root of the added deviance at a standard deviation, its slope, and the maximum.

        start: standard deviations to start from.
        """
        from scipy.optimize import minimize

        count = self._criterion.effects
        free = np.array([k for k in range(count + 1) if k != place], dtype=np.intp)
        units = self._units[free]

        def at(values: Array) -> Array:
            sds = np.empty(count + 1)
            sds[free], sds[place] = values * units, sigma
            return sds

        def deviance(values: Array) -> tuple[float, Array]:
            value, slopes = self._deviance(at(values))
            return value - self._lowest, slopes[free] * units

        least = np.where(free == count, 0.1 * self._best[-1], 0.0) / units
        most = np.maximum(_MOST * self._best[-1] * 0.1, 10 * self._best[free]) / units
        begin = np.clip(start[free] / units, np.maximum(least, 1e-3), most)
        bounds = list(zip(least, most, strict=True))
        options = {"maxiter": 200, "ftol": 1e-9, "gtol": 1e-4}
        if len(free):
            begin = minimize(deviance, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
        sds = at(begin)
        value, slopes = self._deviance(sds)
        root = math.sqrt(max(value - self._lowest, 0.0)) * math.copysign(1.0, sigma - self._best[place])
        slope = float(slopes[place]) / (2 * root) if root else math.nan
        return root, slope, sds

    def _deviance(self, sds: Array) -> tuple[float, Array]:
        """Return −2 log of the likelihood and its slopes by the standard deviations."""
        residual = float(sds[-1])
        theta = sds[:-1] / residual
        at = self._criterion.unprofiled(theta, 2 * math.log(residual), restricted=False)
        by_theta, by_log = at.slopes[:-1], float(at.slopes[-1])
        by_residual = 2 * by_log / residual - float(by_theta @ theta) / residual
        return at.value, np.append(by_theta / residual, by_residual)


def _described(criterion: _Criterion, effects: Sequence[RandomEffect], theta: Array) -> MixedModel:
    """Return the model at the solution, with the uncertainty of its variances."""
    parts = criterion.at(theta, restricted=True)
    residual = parts.squares / parts.freedom
    free = np.flatnonzero(theta)
    hessian, gradients = _derivatives(criterion, theta, math.log(residual), free)
    value, slopes = criterion.profiled(theta)
    is_flat = np.abs(slopes).max(initial=0.0) < _FLAT
    has_converged = bool(is_flat and np.linalg.eigvalsh(hessian).min() > 0)
    names = tuple(one.name for one in effects)
    return MixedModel(
        names,
        tuple(float(each) for each in residual * theta**2),
        residual,
        parts.fixed,
        residual * parts.inverse,
        value,
        criterion.n,
        has_converged,
        tuple(name for name, each in zip(names, theta, strict=True) if not each),
        gradients,
        np.asarray(2 * np.linalg.pinv(hessian), dtype=np.float64),
    )


def _derivatives(
    criterion: _Criterion, theta: Array, log_variance: float, free: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Return the Hessian of the criterion and the gradients of β's covariance by (free θ, log σ²).

    Central differences of the slopes and of the covariance.
    """
    places = [*free.tolist(), len(theta)]
    hessian, gradients = [], []
    for place in places:
        step = _STEP * max(theta[place], 0.1) if place < len(theta) else _STEP
        sides = []
        for sign in (1.0, -1.0):
            moved = np.append(theta, log_variance)
            moved[place] += sign * step
            sides.append(criterion.unprofiled(moved[:-1], float(moved[-1])))
        hessian.append((sides[0].slopes - sides[1].slopes)[places] / (2 * step))
        gradients.append((sides[0].covariance - sides[1].covariance) / (2 * step))
    matrix = np.array(hessian)
    return (matrix + matrix.T) / 2, np.array(gradients)


def _lies_within(codes: Codes, blocks: Codes) -> bool:
    """Return whether each level occurs in one block only."""
    block_of = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    block_of[codes] = blocks
    return bool((block_of[codes] == blocks).all())
