"""Reliability of annotators by a latent class model of categorical values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.agreement.items import AnnotatedItems
from core.errors import InputError
from core.progress import raise_if_cancelled

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

MAX_STEPS = 1000
TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatorModel:
    """Estimates of a Dawid–Skene model.

    categories: the values, ascending, shape (categories,).
    prevalence: share of each category, shape (categories,).
    confusion: probability that an annotator chooses a category given the true one, shape (annotators, true,
    chosen).
    posterior: probability of each item's true category, shape (items, categories).
    items: number of each annotator's values, shape (annotators,).
    """

    annotators: tuple[str, ...]
    categories: Array
    prevalence: Array
    confusion: Array
    posterior: Array
    items: NDArray[np.int64]
    steps: int
    log_likelihood: float

    def accuracy(self) -> Array:
        """Return the probability that each annotator chooses the true category, shape (annotators,)."""
        chosen: Array = np.einsum("k,akk->a", self.prevalence, self.confusion)
        return chosen

    def informedness(self) -> Array:
        """Return the accuracy corrected for chance, shape (annotators,): 0 = guesses, 1 = always right.

        Chance is that of an annotator who chooses each category as often, whatever the true one.
        """
        chosen = np.einsum("k,akc->ac", self.prevalence, self.confusion)
        chance = chosen @ self.prevalence
        return np.where(chance < 1, (self.accuracy() - chance) / np.where(chance < 1, 1 - chance, 1), np.nan)


def fit_dawid_skene(items: AnnotatedItems, smoothing: float = 0.01) -> AnnotatorModel:
    """Estimate the true categories and each annotator's confusions by expectation maximization.

    items: values as categories; items with one value count too.
    smoothing: added to each count of a confusion (Laplace), so that rare categories keep a chance; 0 = none.
    Starts at the shares of each item's values. Deterministic.
    Raises InputError for fewer than two annotators or two categories.
    Source: Dawid & Skene 1979.
    """
    there = np.isfinite(items.values)
    categories, inverse = np.unique(items.values[there], return_inverse=True)
    if len(items.annotators) < 2 or categories.size < 2:
        raise InputError(
            "The reliability of annotators needs at least two annotators and two different values."
        )
    places, annotators = np.nonzero(there)
    cells = annotators * categories.size + inverse.ravel()
    return _fit(np.ones(places.size), places, cells, categories, items.annotators, smoothing)


def fit_counts(
    counts: Array, categories: Array, annotators: tuple[str, ...], smoothing: float = 0.01
) -> AnnotatorModel:
    """Estimate the model from counts, for annotators who chose more than once for an item.

    counts: shape (items, annotators, categories).
    """
    flat = counts.reshape(len(counts), -1)
    places, cells = np.nonzero(flat)
    return _fit(flat[places, cells], places, cells, categories, annotators, smoothing)


def _fit(
    chosen: Array,
    places: Whole,
    cells: Whole,
    categories: Array,
    annotators: tuple[str, ...],
    smoothing: float,
) -> AnnotatorModel:
    """Estimate the model from the counts that are not 0: most annotators see few of the items.

    chosen, places, cells: counts, their items and annotator × categories + category, of shape (counts,) each.
    """
    from scipy.sparse import csr_array

    k, shape = categories.size, (len(annotators), categories.size, categories.size)
    used, rows = np.unique(places, return_inverse=True)
    counts = csr_array((chosen, (rows.ravel(), cells)), (used.size, len(annotators) * k))
    posterior = np.column_stack([counts[:, category::k].sum(axis=1) for category in range(k)])
    posterior = posterior / posterior.sum(axis=1, keepdims=True)
    before, steps = -np.inf, 0
    while True:
        steps += 1
        raise_if_cancelled()
        prevalence = posterior.mean(axis=0)
        # by annotator, true category and chosen one
        confusion = (counts.T @ posterior).reshape(shape).transpose(0, 2, 1) + smoothing
        totals = confusion.sum(axis=2, keepdims=True)
        confusion = np.where(totals > 0, confusion / np.where(totals > 0, totals, 1), 1 / k)
        with np.errstate(divide="ignore"):
            logs, prior = np.log(confusion), np.log(prevalence)
        joint = prior + counts @ np.maximum(logs, -1e300).transpose(0, 2, 1).reshape(-1, k)
        top = joint.max(axis=1, keepdims=True)
        evidence = np.exp(joint - top)
        posterior = evidence / evidence.sum(axis=1, keepdims=True)
        likelihood = float((top[:, 0] + np.log(evidence.sum(axis=1))).sum())
        if abs(likelihood - before) < TOLERANCE or steps == MAX_STEPS:
            break
        before = likelihood
    values = counts.sum(axis=0).reshape(len(annotators), k).sum(axis=1).astype(np.int64)
    return AnnotatorModel(annotators, categories, prevalence, confusion, posterior, values, steps, likelihood)
