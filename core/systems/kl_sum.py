"""KLSum: the summary whose words are distributed as in the documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.registry import register
from core.systems.source import Array, Source


@register
@dataclass(frozen=True)
class KlSum(TermSummarizer):
    """Greedy choice of the sentence with which KL(documents ‖ summary) of the word distributions is lowest.

    The summary's distribution is interpolated with that of the documents, since words that it lacks would
    make the divergence infinite; the paper does not state its smoothing.

    Formula:
        next = smallest Σ p(w) · ln(p(w) / q(w)), p of the documents, q of the summary with the sentence

    Limits:
        Greedy: a sentence once chosen stays. Sensitive to smoothing.
    """

    name: ClassVar[str] = "kl-sum"
    about: ClassVar[str] = "Sentences with which the summary's words are distributed as in the documents."
    paper: ClassVar[str] = "Haghighi & Vanderwende 2009"
    bibliography: ClassVar[tuple[str, ...]] = ("haghighi-vanderwende-2009-content",)

    smoothing: float = setting(
        0.1,
        "Share of the documents' distribution in the summary's one.",
        low=1e-9,
        high=0.999,
        title="Smoothing",
    )

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        total = source.frequencies.sum()
        return choose_by_divergence(source.counts, source.frequencies / max(total, 1.0), self.smoothing)


def choose_by_divergence(counts: sparse.csr_matrix, target: Array, smoothing: float) -> Iterator[int]:
    """Yield sentences so that KL(target ‖ smoothed distribution of the chosen ones) is lowest at each step.

    counts: shape (sentences, terms). target: a distribution over the terms.
    smoothing: share of the target in the smoothed distribution.
    """
    rows = np.asarray(counts.todense(), dtype=float)
    lengths = rows.sum(axis=1)
    places = np.flatnonzero(lengths > 0)
    chosen = np.zeros(rows.shape[1])
    while len(places):
        # KL = const - Σ p ln q, where q = λp for the words that are not in the summary
        present = np.flatnonzero((chosen > 0) | (rows[places].max(axis=0) > 0))
        after = chosen[present] + rows[np.ix_(places, present)]
        shares = after / after.sum(axis=1, keepdims=True)
        weight = target[present]
        mixed = (1 - smoothing) * shares + smoothing * weight
        gain = (
            np.log(np.divide(mixed, smoothing * weight, out=np.ones_like(mixed), where=weight > 0)) @ weight
        )
        best = int(np.argmax(np.round(gain, 12)))
        yield int(places[best])
        chosen += rows[places[best]]
        places = np.delete(places, best)
