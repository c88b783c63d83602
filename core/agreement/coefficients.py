"""Agreement coefficients of values: Krippendorff's alpha, kappas, raw agreement, ICC, correlations.

Values become codes of the sorted distinct values, and topics become tables of counts that add up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.agreement.estimates import Estimator, mean_of_pairs, ratio, undefined
from core.agreement.items import AnnotatedItems, why_uncorrelated, why_undefined
from core.progress import raise_if_cancelled
from core.stats import row_coefficients as rows
from core.stats.reliability import ROUNDING, Intraclass, intraclass
from core.stats.row_coefficients import MINIMUM_PAIRS

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

MAX_VALUES = 256
"""Distinct values up to which tables of counts are used."""

LIBRARY_CELLS = 20_000_000
"""Numbers up to which the library computes alpha; it needs items × values² at once."""

ROW_CELLS = 1_000_000
"""Numbers of pairs that are correlated at once."""


class AlphaLevel(StrEnum):
    """Level of measurement of Krippendorff's alpha."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class KappaWeights(StrEnum):
    """Disagreement of two values in Cohen's kappa: 1, their distance, or its square."""

    NONE = "unweighted"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class PairCorrelation(StrEnum):
    """Correlation of two annotators' values; Kendall's is tau-b."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"

    def of_rows(self, x: Array, z: Array) -> Array:
        """Return the coefficient of each row, see `core.stats.row_coefficients`."""
        kernels = {self.PEARSON: rows.pearson, self.SPEARMAN: rows.spearman, self.KENDALL: rows.kendall}
        return kernels[self](x, z)

    def of_pairs(self, pairs: Sequence[Array]) -> Array:
        """Return the coefficient of each pair of sides, shape (pairs,). pairs: each of shape (2, items)."""
        longest = max((pair.shape[1] for pair in pairs), default=0)
        found, size = [], max(1, ROW_CELLS // max(1, longest))
        for first in range(0, len(pairs), size):
            raise_if_cancelled()
            some = pairs[first : first + size]
            both = np.full((2, len(some), longest), np.nan)
            for place, pair in enumerate(some):
                both[:, place, : pair.shape[1]] = pair
            found.append(self.of_rows(*both))
        return np.concatenate(found) if found else np.zeros(0)


class IccForm(StrEnum):
    """Intraclass correlation, by Shrout & Fleiss 1979; k = of the mean of all annotators."""

    ONE_WAY = "icc-1"
    ONE_WAY_MEAN = "icc-1k"
    AGREEMENT = "icc-2"
    AGREEMENT_MEAN = "icc-2k"
    CONSISTENCY = "icc-3"
    CONSISTENCY_MEAN = "icc-3k"


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """What two annotators share.

    values: of the items of both, shape (items, 2).
    has_items: whether each topic has such an item, shape (topics,).
    used: indices of the topics that have one, ascending.
    chosen: the pairs of values that they chose, each as first's code × values + second's, ascending.
    cells: of each item, its cell in a table of shape (used, chosen).
    why_undefined: why they have no chance-corrected agreement, empty = they may have one.
    why_uncorrelated: why they have no correlation, empty = they may have one.
    """

    values: Array
    has_items: NDArray[np.bool_]
    used: NDArray[np.intp]
    chosen: Whole
    cells: Whole
    why_undefined: str
    why_uncorrelated: str

    def drawn(self, counts: Array, values: int) -> Array:
        """Return how often they chose each pair of values in each draw, shape (draws, values, values).

        Of the tables of topics, no more is made than what they chose: a crowd's would exceed the memory.
        """
        shape = self.used.size, self.chosen.size
        tables = np.bincount(self.cells, minlength=math.prod(shape)).reshape(shape).astype(np.float64)
        found = np.zeros((len(counts), values * values))
        found[:, self.chosen] = counts[:, self.used] @ tables
        return found.reshape(-1, values, values)


@dataclass(frozen=True, eq=False)
class CodedItems:
    """Items with values as codes.

    domain: the distinct values, ascending.
    codes: shape (items, annotators), -1 = no value.
    """

    items: AnnotatedItems
    domain: Array
    codes: Whole

    @classmethod
    def of(cls, items: AnnotatedItems) -> CodedItems:
        """Return the items that at least two annotators share, coded."""
        shared = items.shared()
        there = np.isfinite(shared.values)
        domain, inverse = np.unique(shared.values[there], return_inverse=True)
        codes = np.full(there.shape, -1, dtype=np.int64)
        codes[there] = inverse.ravel()
        return cls(shared, domain, codes)

    @property
    def topics(self) -> int:
        return len(self.items.topics)

    def has_items(self) -> NDArray[np.bool_]:
        """Return whether each topic has an item, shape (topics,)."""
        return np.asarray(np.bincount(self.items.topic_of, minlength=self.topics) > 0)

    def value_counts(self) -> Whole:
        """Return how many annotators chose each value, shape (items, values)."""
        n = self.domain.size
        keys = self.codes + n * np.arange(len(self.codes))[:, None]
        return np.bincount(keys[self.codes >= 0], minlength=n * len(self.codes)).reshape(-1, n)

    def summed(self, per_item: Array) -> Array:
        """Return the sums over the items of each topic. per_item: shape (items, …)."""
        sums = np.zeros((self.topics, *per_item.shape[1:]))
        np.add.at(sums, self.items.topic_of, per_item)
        return sums

    def has_too_many_values(self) -> bool:
        return self.domain.size > MAX_VALUES

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs of annotators that share an item, in their order."""
        return [self.pair(a, b) for a, b in self.items.pairs()]

    def pair(self, first: int, second: int) -> Pair:
        """Return what two annotators share."""
        codes = self.codes[:, (first, second)]
        both = np.asarray((codes >= 0).all(axis=1))
        a, b = codes[both].T
        items = self.items.of_annotators((first, second)).only(both)
        has_items = np.bincount(items.topic_of, minlength=self.topics) > 0
        used, place = np.flatnonzero(has_items), (np.cumsum(has_items) - 1)[items.topic_of]
        chosen, cell = np.unique(a * self.domain.size + b, return_inverse=True)
        return Pair(
            items.values,
            has_items,
            used,
            chosen,
            place * chosen.size + cell.ravel(),
            why_undefined(items),
            why_uncorrelated(items, MINIMUM_PAIRS),
        )


def krippendorff_alpha(coded: CodedItems, level: AlphaLevel) -> Estimator:
    """Return Krippendorff's alpha. Source: Krippendorff 2019, chapter 12.

    The sample's value is that of the package krippendorff; resamples use tables of coincidences per topic.
    Undefined if all values are the same. The ratio level needs values of at least 0.
    """
    reason = why_undefined(coded.items)
    if not reason and level is AlphaLevel.RATIO and coded.domain[0] < 0:
        reason = f"the ratio level needs values of at least 0, but there is {coded.domain[0]:g}"
    if not reason and coded.has_too_many_values() and level is not AlphaLevel.INTERVAL:
        reason = f"{coded.domain.size:,} different values are too many for {level} alpha; use interval"
    if reason:
        return undefined(coded.topics, reason, len(coded.items.values))
    has_items, n = coded.has_items(), len(coded.codes)
    if coded.has_too_many_values():
        return Estimator(_interval_alpha(coded), has_items, n)
    values = coded.domain.size
    return Estimator(
        _alpha_of_tables(_coincidences(coded), coded.domain, level),
        has_items,
        n,
        cells=values * values,
        exact=_library_alpha(coded, level) if n * values * values <= LIBRARY_CELLS else None,
    )


def cohen_kappa(coded: CodedItems, pair: Pair, weights: KappaWeights) -> Estimator:
    """Return Cohen's kappa of two annotators. Source: Cohen 1960; Cohen 1968 for weights.

    Weighted disagreement is the distance of the values or its square.
    """
    reason = pair.why_undefined or _too_many(coded)
    if reason:
        return undefined(coded.topics, reason, len(pair.values))
    values = coded.domain.size
    apart = np.abs(coded.domain[:, None] - coded.domain)
    costs = {KappaWeights.NONE: (apart > 0) * 1.0, KappaWeights.LINEAR: apart}.get(weights, apart**2)

    def of(counts: Array) -> Array:
        table = pair.drawn(counts, values)
        n = table.sum(axis=(1, 2))
        observed = (table * costs).sum(axis=(1, 2)) * n
        expected = np.einsum("di,ij,dj->d", table.sum(axis=2), costs, table.sum(axis=1))
        return np.where(expected > 0, 1 - observed / np.where(expected > 0, expected, 1.0), np.nan)

    return Estimator(of, pair.has_items, len(pair.values), cells=values * values)


def mean_cohen_kappa(coded: CodedItems, weights: KappaWeights) -> Estimator:
    """Return Cohen's kappa averaged over pairs of annotators. Source: Light 1971."""
    reason = why_undefined(coded.items)
    pairs = [] if reason else [cohen_kappa(coded, pair, weights) for pair in coded.pairs]
    return mean_of_pairs(pairs, len(coded.codes), reason, coded.topics)


def fleiss_kappa(coded: CodedItems) -> Estimator:
    """Return Fleiss' kappa. Source: Fleiss 1971.

    It needs the same number of values of every item: items with another number than the most common one are
    left out, and the note counts them.
    """
    reason = why_undefined(coded.items) or _too_many(coded)
    if reason:
        return undefined(coded.topics, reason, len(coded.codes))
    counts_of = coded.value_counts()
    per_item = counts_of.sum(axis=1)
    sizes, times = np.unique(per_item, return_counts=True)
    raters = int(sizes[::-1][np.argmax(times[::-1])])
    used = (per_item == raters)[:, None]
    chosen = np.where(used, counts_of, 0)
    if (chosen.sum(axis=0) > 0).sum() < 2:
        only = coded.domain[chosen.sum(axis=0) > 0][0]
        return undefined(coded.topics, f"all annotators always chose {only:g}", int(used.sum()))
    same = coded.summed((chosen * (chosen - 1)).sum(axis=1).astype(np.float64))
    totals, items = coded.summed(chosen.astype(np.float64)), coded.summed(used[:, 0].astype(np.float64))

    def of(counts: Array) -> Array:
        n = counts @ items
        shares = (counts @ totals) / np.maximum(n * raters, 1)[:, None]
        chance = (shares**2).sum(axis=1)
        defined = (n > 0) & ((shares > 0).sum(axis=1) > 1)
        agreed = (counts @ same) / np.maximum(n * raters * (raters - 1), 1)
        return np.where(defined, (agreed - chance) / np.where(defined, 1 - chance, 1.0), np.nan)

    left = len(coded.codes) - int(used.sum())
    note = f"{left} items without exactly {raters} values left out" if left else ""
    return Estimator(of, items > 0, int(used.sum()), cells=coded.domain.size, note=note)


def raw_agreement(coded: CodedItems) -> Estimator:
    """Return the mean share of pairs of annotators that chose the same value, over items."""
    counts = coded.value_counts() if coded.domain.size else np.zeros((0, 1))
    m = counts.sum(axis=1)
    shares = (counts * (counts - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)
    reason = "" if len(coded.codes) else why_undefined(coded.items)
    items = coded.summed(np.ones(len(coded.codes)))
    return ratio(coded.summed(shares.astype(np.float64)), items, len(coded.codes), reason)


def correlations(coded: CodedItems, kind: PairCorrelation, pairs: Sequence[Pair]) -> list[Estimator]:
    """Return the correlation of each pair's values over items; Kendall's is tau-b."""
    exact = kind.of_pairs([pair.values.T for pair in pairs])
    return [_correlation(coded, kind, pair, float(value)) for pair, value in zip(pairs, exact, strict=True)]


def _correlation(coded: CodedItems, kind: PairCorrelation, pair: Pair, exact: float) -> Estimator:
    n = len(pair.values)
    if pair.why_uncorrelated:
        return undefined(coded.topics, pair.why_uncorrelated, n)
    has_items = pair.has_items
    if coded.has_too_many_values():
        many = f"more than {MAX_VALUES} different values are not resampled"
        return Estimator(
            lambda counts: np.full(len(counts), np.nan), has_items, n, exact=exact, no_interval=many
        )

    def of(counts: Array) -> Array:
        table = pair.drawn(counts, coded.domain.size)
        if kind is PairCorrelation.KENDALL:
            return _kendall_of_tables(table)
        across, down = table.sum(axis=2), table.sum(axis=1)
        if kind is PairCorrelation.SPEARMAN:
            return _product_moment(table, _middle_ranks(across), _middle_ranks(down))
        values = np.broadcast_to(coded.domain - coded.domain.mean(), across.shape)
        return _product_moment(table, values, values)

    return Estimator(of, has_items, n, cells=4 * coded.domain.size**2, exact=exact)


def mean_correlation(coded: CodedItems, kind: PairCorrelation) -> Estimator:
    """Return the correlation averaged over pairs of annotators."""
    reason = why_undefined(coded.items)
    pairs = [] if reason else correlations(coded, kind, coded.pairs)
    return mean_of_pairs(pairs, len(coded.codes), reason, coded.topics)


def intraclass_correlation(coded: CodedItems, form: IccForm) -> Estimator:
    """Return an intraclass correlation, see `core.stats.reliability.intraclass`.

    All but the one-way forms need a value of every annotator for every item.
    """
    reason = why_undefined(coded.items)
    n = len(coded.codes)
    is_one_way = form in (IccForm.ONE_WAY, IccForm.ONE_WAY_MEAN)
    if not reason and n < 2:
        reason = "1 item is too few; 2 are needed"
    if not reason and not is_one_way and (coded.codes < 0).any():
        reason = "not every annotator has a value for every item"
    if reason:
        return undefined(coded.topics, reason, n)
    values = coded.items.values
    exact = _form_of(intraclass(values), form)
    if not np.isfinite(exact):
        return undefined(coded.topics, "no variance between the items' means", n)
    sums = coded.summed(_icc_terms(values - values[np.isfinite(values)].mean()))
    return Estimator(lambda counts: _icc(counts @ sums, form), coded.has_items(), n, exact=exact)


def _form_of(found: Intraclass, form: IccForm) -> float:
    return {
        IccForm.ONE_WAY: found.one_way,
        IccForm.ONE_WAY_MEAN: found.one_way_mean,
        IccForm.AGREEMENT: found.agreement,
        IccForm.AGREEMENT_MEAN: found.agreement_mean,
        IccForm.CONSISTENCY: found.consistency,
        IccForm.CONSISTENCY_MEAN: found.consistency_mean,
    }[form]


def _icc_terms(values: Array) -> Array:
    """Return what adds up per item: 1, 1/m, m, Σx, Σx², (Σx)²/m, mean, mean², and x of each annotator."""
    there = np.isfinite(values)
    filled = np.where(there, values, 0.0)
    m, total = there.sum(axis=1).astype(np.float64), filled.sum(axis=1)
    mean = total / m
    terms = [np.ones_like(m), 1 / m, m, total, (filled**2).sum(axis=1), total * mean, mean, mean**2]
    return np.column_stack([*terms, filled])


def _icc(sums: Array, form: IccForm) -> Array:
    """Return the coefficient of each row of summed `_icc_terms`, as `intraclass` computes it."""
    items, inverse, ratings, total, squares, within_items, means, mean_squares = sums[:, :8].T
    with np.errstate(all="ignore"):  # undefined resamples become NaN below
        k = items / inverse
        grand = total / ratings
        within = (squares - within_items) / (ratings - items)
        between = k * (mean_squares - 2 * grand * means + items * grand**2) / (items - 1)
        size = between + within
        if form is IccForm.ONE_WAY:
            above, below = between - within, between + (k - 1) * within
        elif form is IccForm.ONE_WAY_MEAN:
            above, below = between - within, between
        else:
            raters = ((sums[:, 8:] ** 2).sum(axis=1) / items - total**2 / ratings) / (k - 1)
            rest = squares - within_items - raters * (k - 1)
            error = rest / ((items - 1) * (k - 1))
            moved, size = k * (raters - error) / items, between + raters + error
            above = between - error
            below = {
                IccForm.AGREEMENT: between + (k - 1) * error + moved,
                IccForm.AGREEMENT_MEAN: between + moved / k,
                IccForm.CONSISTENCY: between + (k - 1) * error,
            }.get(form, between)
        return np.where((items > 1) & (below > ROUNDING * size), above / below, np.nan)


def _library_alpha(coded: CodedItems, level: AlphaLevel) -> float:
    import krippendorff

    found: Any = krippendorff.alpha(
        value_counts=coded.value_counts(), value_domain=coded.domain, level_of_measurement=level.value
    )
    return float(found)


def _coincidences(coded: CodedItems) -> Array:
    """Return the coincidences of each topic, shape (topics, values, values)."""
    counts = coded.value_counts().astype(np.float64)
    weighted = counts / (counts.sum(axis=1) - 1)[:, None]
    found = np.zeros((coded.topics, coded.domain.size, coded.domain.size))
    for topic in np.flatnonzero(coded.has_items()):
        mine = coded.items.topic_of == topic
        found[topic] = counts[mine].T @ weighted[mine] - np.diag(weighted[mine].sum(axis=0))
    return found


def _alpha_of_tables(tables: Array, domain: Array, level: AlphaLevel) -> Any:
    fixed = None if level is AlphaLevel.ORDINAL else _distances(domain, level)

    def of(counts: Array) -> Array:
        table = _weighted(counts, tables)
        n_v = table.sum(axis=2)
        n = n_v.sum(axis=1)
        distances = fixed
        if distances is None:
            middle = _middle_ranks(n_v)
            distances = (middle[:, :, None] - middle[:, None, :]) ** 2
        observed = (table * distances).sum(axis=(1, 2)) * (n - 1)
        expected = (n_v[:, :, None] * n_v[:, None, :] * distances).sum(axis=(1, 2))
        return np.where(expected > 0, 1 - observed / np.where(expected > 0, expected, 1.0), np.nan)

    return of


def _distances(domain: Array, level: AlphaLevel) -> Array:
    apart = domain[:, None] - domain
    if level is AlphaLevel.NOMINAL:
        return np.asarray(apart != 0, dtype=np.float64)
    if level is AlphaLevel.INTERVAL:
        squared: Array = apart**2
        return squared
    total = domain[:, None] + domain
    relative: Array = (apart / np.where(total != 0, total, 1.0)) ** 2
    return relative


def _interval_alpha(coded: CodedItems) -> Any:
    """Return interval alpha from sums of squares, for any number of values."""
    values = coded.items.values - np.nanmean(coded.items.values)
    there = np.isfinite(values)
    filled = np.where(there, values, 0.0)
    m, total, squares = there.sum(axis=1), filled.sum(axis=1), (filled**2).sum(axis=1)
    observed = 2 * (m * squares - total**2) / (m - 1)
    sums = coded.summed(np.column_stack([observed, m, total, squares]))

    def of(counts: Array) -> Array:
        apart, n, total, squares = (counts @ sums).T
        expected = 2 * (n * squares - total**2)
        defined = expected > 1e-9 * np.maximum(n * squares, 1e-300)
        return np.where(defined, 1 - apart * (n - 1) / np.where(defined, expected, 1.0), np.nan)

    return of


def _weighted(counts: Array, tables: Array) -> Array:
    """Return the table of each draw, shape (draws, values, values)."""
    topics, n, _ = tables.shape
    found: Array = (counts @ tables.reshape(topics, -1)).reshape(-1, n, n)
    return found


def _middle_ranks(counts: Array) -> Array:
    """Return the mean rank of each value, up to a constant. counts: shape (draws, values)."""
    found: Array = np.cumsum(counts, axis=1) - counts / 2
    return found


def _product_moment(table: Array, x: Array, z: Array) -> Array:
    """Return Pearson's r of each table. x, z: values of the rows and columns, shape (draws, values)."""
    across, down = table.sum(axis=2), table.sum(axis=1)
    n = np.maximum(across.sum(axis=1), 1)
    x = x - ((across * x).sum(axis=1) / n)[:, None]
    z = z - ((down * z).sum(axis=1) / n)[:, None]
    products = np.einsum("dij,di,dj->d", table, x, z)
    scale = np.sqrt((across * x**2).sum(axis=1) * (down * z**2).sum(axis=1))
    defined = _varies(across) & _varies(down) & (n >= MINIMUM_PAIRS) & (scale > 0)
    return np.where(defined, np.clip(products / np.where(defined, scale, 1.0), -1, 1), np.nan)


def _kendall_of_tables(table: Array) -> Array:
    """Return Kendall's tau-b of each table."""
    across, down = table.sum(axis=2), table.sum(axis=1)
    n = across.sum(axis=1)
    above = np.cumsum(table, axis=1) - table  # strictly lower value of the first annotator
    left = np.cumsum(above, axis=2) - above
    right = above.sum(axis=2, keepdims=True) - left - above
    balance = (table * (left - right)).sum(axis=(1, 2))
    pairs = n * (n - 1) / 2
    untied = [pairs - (side * (side - 1)).sum(axis=1) / 2 for side in (across, down)]
    scale = np.sqrt(np.maximum(untied[0], 0) * np.maximum(untied[1], 0))
    defined = _varies(across) & _varies(down) & (n >= MINIMUM_PAIRS)
    return np.where(defined, np.clip(balance / np.where(defined, scale, 1.0), -1, 1), np.nan)


def _varies(counts: Array) -> NDArray[np.bool_]:
    return np.asarray((counts > 0).sum(axis=1) > 1)


def _too_many(coded: CodedItems) -> str:
    if not coded.has_too_many_values():
        return ""
    return f"{coded.domain.size:,} different values are no categories; use interval alpha or a correlation"
