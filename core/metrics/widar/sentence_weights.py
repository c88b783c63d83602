"""Sentence weights of WIDAR: coverage of the documents and redundancy within the reference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.metrics.base import Array
from core.metrics.kernels.lcs_lengths import lcs_lengths
from core.text.tokenization import Ids, TokenizedText

Mode = Literal["paper", "reference", "published"]


@dataclass(frozen=True, slots=True)
class SentenceWeights:
    """Weights of one reference, shape (sentences,), in [0, 1]; redundancy 1 = repeats no other sentence."""

    coverage: Array
    redundancy: Array

    def of(self, part: str) -> Array:
        """Return the sentence weights for a part of the metric, scaled by the number of sentences."""
        count = len(self.coverage)
        match part:
            case "coverage":
                return self.coverage * count
            case "redundancy":
                return self.redundancy * count
            case "sentences":
                return np.ones(count)
            case _:
                return (self.coverage + self.redundancy) / 2 * count


def sentences_of(words: TokenizedText) -> list[Ids]:
    """Return the words of each sentence."""
    bounds = words.sentences.tolist()
    return [words.ids[start:end] for start, end in pairwise(bounds)]


def weigh(
    reference: TokenizedText, article: list[TokenizedText], theta_1: float, theta_2: float, mode: Mode
) -> SentenceWeights:
    """Compute the weights by Algorithm 1 of the paper, or as in the authors' program."""
    mine = sentences_of(reference)
    theirs = [sentence for words in article for sentence in sentences_of(words)]
    shared = lcs_lengths(mine, theirs)
    sizes = np.array([len(each) for each in theirs])
    covered = _ratio(shared, sizes[None, :]) >= theta_1
    coverage = covered.mean(axis=1) if theirs else np.zeros(len(mine))
    return SentenceWeights(coverage, _redundancy(mine, theta_2, mode))


def _redundancy(sentences: list[Ids], theta: float, mode: Mode) -> Array:
    count = len(sentences)
    sizes = np.array([len(each) for each in sentences], dtype=np.int64)
    shared = lcs_lengths(sentences, sentences)
    if mode != "paper":
        repeats = (_ratio(shared, sizes[:, None]) >= theta) & ~np.eye(count, dtype=np.bool_)
        return 1 - repeats.sum(axis=1) / (count - 1) if count > 1 else np.ones(count)
    equal = np.array([[np.array_equal(a, b) for b in sentences] for a in sentences], dtype=np.bool_)
    repeats = (_ratio(shared, sizes[None, :]) >= theta) & ~equal.reshape(count, count)
    unique: Array = 1 - repeats.sum(axis=1) / max(count, 1)
    return unique


def _ratio(shared: NDArray[np.int64], sizes: NDArray[np.int64]) -> Array:
    """Return lengths divided by sizes; 0 where a size is 0."""
    whole = np.broadcast_to(sizes, shared.shape).astype(np.float64)
    share: Array = np.divide(shared, whole, out=np.zeros_like(whole), where=whole > 0)
    return share
