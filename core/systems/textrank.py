"""TextRank for sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.lexrank import stationary
from core.systems.registry import register
from core.systems.source import Array, Source


@register
@dataclass(frozen=True)
class TextRank(TermSummarizer):
    """Sentences ranked by PageRank on the graph of their common words.

    The weight of an edge is the number of common words, divided by the sum of the logarithms of both lengths
    in words. Two sentences of one word each have none. 50 words is the limit of Newsroom's TextRank.

    Formula:
        weight(u, v) = common words / (ln |u| + ln |v|)
        p(u)         = (1 − damping) / N + damping · Σ over v: weight(u, v) / Σ weight(v, ·) · p(v)

    Limits:
        Prefers long sentences. Its default length is 50 words, unlike that of the others.
    """

    name: ClassVar[str] = "textrank"
    about: ClassVar[str] = "Sentences ranked by PageRank on their common words; 50 words."
    paper: ClassVar[str] = "Mihalcea & Tarau 2004"
    bibliography: ClassVar[tuple[str, ...]] = ("mihalcea-tarau-2004-textrank",)

    words: int = setting(50, "Maximum length in words, 0 = no limit.", low=0, title="Words")
    damping: float = setting(0.85, "Probability of following an edge.", low=0.0, high=1.0, title="Damping")

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences by rank; equal ones by position."""
        scores = stationary(overlaps(source), 1 - self.damping)
        return [int(place) for place in np.argsort(-scores, kind="stable")]


def overlaps(source: Source) -> Array:
    """Return the weights of the edges, shape (sentences, sentences)."""
    present = (source.counts > 0).astype(float)
    common: Array = np.asarray((present @ present.T).todense())
    logs = np.array(
        [math.log(len(sentence.terms)) if sentence.terms else 0.0 for sentence in source.sentences]
    )
    lengths = logs[:, None] + logs[None, :]
    weights: Array = np.divide(common, lengths, out=np.zeros_like(common), where=lengths > 0)
    np.fill_diagonal(weights, 0.0)
    return weights
