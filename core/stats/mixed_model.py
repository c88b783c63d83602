"""Linear mixed models with crossed or nested random intercepts, fitted by restricted maximum likelihood.

y = X β + Σ Z_k u_k + e, with u_k ~ N(0, σ_k² I) and e ~ N(0, σ² I). The profiled REML criterion is that of
lme4 (Bates, Mächler, Bolker & Walker 2015, eq. 42), a function of the ratios θ_k = σ_k / σ. Its
factorization uses the
design: effects within the levels of one factor (topics) are eliminated block by block, all blocks at once,
and only the effects across them (systems, annotators) form a dense matrix.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
_STEP = 1e-3
_NEGLIGIBLE = 1e-12


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
    blocks: levels of a factor from 0, shape (n,); effects whose levels each lie in one block are eliminated
    first. The choice changes the speed, not the result.
    Raises InputError if y does not vary around the fixed effects.
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    criterion = _Criterion(y, x, effects, blocks)
    if criterion.total <= _NEGLIGIBLE * max(1.0, float(y @ y)):
        raise InputError("the values do not vary, so there is nothing to explain")
    theta = np.ones(len(effects))
    bounds = [(0.0, _MOST)] * len(effects)
    with threadpool_limits(1, user_api="blas"):  # many small products
        for run in range(_RUNS):
            yield Progress(run, _RUNS + 1, note)
            theta = minimize(
                criterion.profiled, theta, jac=criterion.slopes, method="L-BFGS-B", bounds=bounds,
                options={"maxiter": 300, "ftol": 1e-13, "gtol": 1e-6},
            ).x  # fmt: skip
            theta = np.where(theta < SINGULAR, 0.0, theta)
            better = criterion.away_from_zero(theta)
            if better is None and np.abs(criterion.slopes(theta)).max(initial=0.0) < _FLAT:
                break
            theta = theta if better is None else better
        yield Progress(_RUNS, _RUNS + 1, note)
        return _described(criterion, effects, theta)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The criterion at one θ.

    log: log determinants. squares: penalized residual sum of squares. fixed: β. inverse: covariance of β /
    σ².
    """

    log: float
    squares: float
    fixed: Array
    inverse: Array


class _Criterion:
    """REML criterion of a model; all products with observations are computed once."""

    def __init__(self, y: Array, x: Array, effects: Sequence[RandomEffect], blocks: Codes) -> None:
        from scipy import sparse

        self.n, self.p = x.shape
        self._effects = len(effects)
        within = [k for k, one in enumerate(effects) if _lies_within(one.codes, blocks)]
        across = [k for k in range(len(effects)) if k not in within]
        rows = np.arange(self.n)
        columns = [
            sparse.csr_array((np.ones(self.n), (rows, effects[k].codes)), (self.n, effects[k].levels))
            for k in across
        ]
        wide = sparse.hstack([*columns, sparse.csr_array(x), sparse.csr_array(y[:, None])], format="csr")
        self._across = np.repeat(across, [effects[k].levels for k in across]).astype(np.intp)
        self._products = (wide.T @ wide).toarray()
        self._fill_blocks(effects, within, blocks, wide)
        start = len(self._across)
        moments = self._products[start:, start:]
        beta = np.linalg.lstsq(moments[:-1, :-1], moments[:-1, -1], rcond=None)[0]
        self.total = float(np.sum((y - x @ beta) ** 2))

    def _fill_blocks(
        self, effects: Sequence[RandomEffect], within: Sequence[int], blocks: Codes, wide: object
    ) -> None:
        """Compute Z'Z and Z'(W X y) of the effects within blocks, padded to the largest block."""
        from scipy import sparse

        count = int(blocks.max()) + 1
        sizes = np.zeros(count, dtype=np.int64)
        places, owners = [], []
        for k in within:
            block_of = np.zeros(effects[k].levels, dtype=np.int64)
            block_of[effects[k].codes] = blocks
            order = np.argsort(block_of, kind="stable")
            first = np.concatenate([[0], np.cumsum(np.bincount(block_of, minlength=count))])[:-1]
            inside = np.empty(len(order), dtype=np.int64)
            inside[order] = np.arange(len(order)) - first[block_of[order]]
            places.append((block_of, sizes[block_of] + inside))
            owners.append(k)
            sizes += np.bincount(block_of, minlength=count)
        most = int(sizes.max(initial=0))
        self._within = np.zeros((count, most), dtype=np.intp)
        self._is_there = np.zeros((count, most), dtype=np.bool_)
        columns = []
        for k, (block_of, place) in zip(owners, places, strict=True):
            self._within[block_of, place], self._is_there[block_of, place] = k, True
            columns.append((block_of * most + place)[effects[k].codes])
        shape = (self.n, count * most)
        rows = np.tile(np.arange(self.n), len(within))
        flat = np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)
        z = sparse.csr_array((np.ones(len(flat)), (rows, flat)), shape)
        gram = (z.T @ z).tocoo()
        block, row = np.divmod(gram.row, max(most, 1))
        self._gram = np.zeros((count, most, most))
        self._gram[block, row, gram.col % max(most, 1)] = gram.data
        self._mixed = (z.T @ wide).toarray().reshape(count, most, -1)

    def at(self, theta: Array) -> _Parts:
        """Evaluate the criterion's parts."""
        raise_if_cancelled()
        scale = np.where(self._is_there, theta[self._within], 0.0)
        inner = self._gram * scale[:, :, None] * scale[:, None, :]
        inner[:, np.arange(inner.shape[1]), np.arange(inner.shape[1])] += 1.0
        lower = np.linalg.cholesky(inner)
        log = 2 * float(np.log(np.diagonal(lower, axis1=1, axis2=2)).sum())
        solved = np.linalg.solve(lower, self._mixed * scale[:, :, None]).reshape(-1, self._products.shape[0])
        rest = self._products - solved.T @ solved
        across = theta[self._across]
        size = len(across)
        outer = rest[:size, :size] * across[:, None] * across + np.eye(size)
        lower = np.linalg.cholesky(outer)
        log += 2 * float(np.log(np.diag(lower)).sum())
        solved = np.linalg.solve(lower, across[:, None] * rest[:size, size:])
        rest = rest[size:, size:] - solved.T @ solved
        fixed = np.linalg.solve(rest[:-1, :-1], rest[:-1, -1])
        log += float(np.linalg.slogdet(rest[:-1, :-1])[1])
        squares = float(rest[-1, -1] - rest[-1, :-1] @ fixed)
        floor = self.total * 1e-15
        return _Parts(log, max(squares, floor), fixed, np.linalg.inv(rest[:-1, :-1]))

    def profiled(self, theta: Array) -> float:
        """Return −2 log of the restricted likelihood, maximized over β and σ²."""
        parts, freedom = self.at(theta), self.n - self.p
        value: float = parts.log + freedom * (1 + math.log(2 * math.pi * parts.squares / freedom))
        return value

    def slopes(self, theta: Array) -> Array:
        """Return the derivative of the criterion, by central differences; 0 at 0, as it is even there."""
        slopes = np.zeros(len(theta))
        for k in range(len(theta)):
            step = np.zeros(len(theta))
            step[k] = 1e-5 * max(1.0, theta[k])
            slopes[k] = (self.profiled(theta + step) - self.profiled(np.abs(theta - step))) / (2 * step[k])
        return slopes

    def away_from_zero(self, theta: Array) -> Array | None:
        """Return a better place with a θ above 0 where the optimizer left one at 0, None = there is none."""
        here = self.profiled(theta)
        for k in np.flatnonzero(theta == 0):
            moved = theta.copy()
            moved[k] = 0.02
            if self.profiled(moved) < here - 1e-9:
                return moved
        return None

    def unprofiled(self, parameters: Array, free: NDArray[np.intp]) -> tuple[float, Array]:
        """Return the criterion and the covariance of β at (θ of the free effects, log σ²); other θ are 0."""
        theta = np.zeros(self._effects)
        theta[free] = parameters[:-1]
        parts, residual = self.at(theta), math.exp(parameters[-1])
        freedom = self.n - self.p
        value = parts.log + freedom * (math.log(2 * math.pi) + parameters[-1]) + parts.squares / residual
        return value, residual * parts.inverse


def _described(criterion: _Criterion, effects: Sequence[RandomEffect], theta: Array) -> MixedModel:
    """Return the model at the solution, with the uncertainty of its variances."""
    parts = criterion.at(theta)
    residual = parts.squares / (criterion.n - criterion.p)
    free = np.flatnonzero(theta)
    at = np.append(theta[free], math.log(residual))
    hessian, gradients = _derivatives(criterion, at, free)
    is_flat = np.abs(criterion.slopes(theta)).max(initial=0.0) < _FLAT
    has_converged = bool(is_flat and np.linalg.eigvalsh(hessian).min() > 0)
    names = tuple(one.name for one in effects)
    return MixedModel(
        names,
        tuple(float(value) for value in residual * theta**2),
        residual,
        parts.fixed,
        residual * parts.inverse,
        criterion.profiled(theta),
        criterion.n,
        has_converged,
        tuple(name for name, value in zip(names, theta, strict=True) if not value),
        gradients,
        np.asarray(2 * np.linalg.pinv(hessian), dtype=np.float64),
    )


def _derivatives(criterion: _Criterion, at: Array, free: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return the Hessian of the criterion and the gradients of β's covariance, by central differences."""
    count = len(at)
    steps = np.diag(_STEP * np.maximum(np.abs(at), 0.1))
    steps[-1, -1] = _STEP  # of a logarithm
    middle = criterion.unprofiled(at, free)[0]
    forward = [criterion.unprofiled(at + step, free) for step in steps]
    backward = [criterion.unprofiled(at - step, free) for step in steps]
    widths = np.diag(steps)
    gradients = np.array(
        [
            (up - down) / (2 * width)
            for (_, up), (_, down), width in zip(forward, backward, widths, strict=True)
        ]
    )
    hessian = np.zeros((count, count))
    for i in range(count):
        hessian[i, i] = (forward[i][0] - 2 * middle + backward[i][0]) / widths[i] ** 2
        for j in range(i):
            both = criterion.unprofiled(at + steps[i] + steps[j], free)[0]
            neither = criterion.unprofiled(at - steps[i] - steps[j], free)[0]
            mixed = (
                both - forward[i][0] - forward[j][0] + 2 * middle - backward[i][0] - backward[j][0] + neither
            )
            hessian[i, j] = hessian[j, i] = mixed / (2 * widths[i] * widths[j])
    return hessian, gradients


def _lies_within(codes: Codes, blocks: Codes) -> bool:
    """Return whether each level occurs in one block only."""
    block_of = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    block_of[codes] = blocks
    return bool((block_of[codes] == blocks).all())
