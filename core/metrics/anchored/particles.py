"""Particles of anchored ROUGE: n-grams or word pairs within one sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.text.tokenization import TokenizedText

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """The particles of a text, in order. members: word indices, shape (particles, length)."""

    words: TokenizedText
    members: NDArray[np.int64]

    @property
    def forms(self) -> NDArray[np.int32]:
        """Return word ids, shape (particles, length); rows are equal for particles of one type."""
        forms: NDArray[np.int32] = self.words.ids[self.members]
        return forms

    def places(self, particle: int) -> tuple[Span, ...]:
        """Return the spans of a particle: one for consecutive words, otherwise one per word."""
        members = self.members[particle]
        spans = [(int(start), int(end)) for start, end in self.words.spans[members]]
        is_contiguous = members[-1] - members[0] == len(members) - 1
        return ((spans[0][0], spans[-1][1]),) if is_contiguous else tuple(spans)

    def vectors(self, of_words: Vectors) -> Vectors:
        """Return the means of the particles' word vectors, shape (particles, dimension)."""
        vectors: Vectors = of_words[self.members[:, 0]]
        for column in self.members.T[1:]:
            vectors = vectors + of_words[column]  # one word at a time, which halves the memory
        return vectors / np.float32(self.members.shape[1])


def grams(words: TokenizedText, n: int) -> Particles:
    """Return a text's n-grams, which do not cross sentences."""
    first = _starts(words, n - 1)
    return Particles(words, first[:, None] + np.arange(n))


def pairs(words: TokenizedText, gap: int) -> Particles:
    """Return pairs of words within a sentence. gap: maximum number of words between; negative = unlimited."""
    longest = int(np.diff(words.sentences).max(initial=1))
    reach = longest - 1 if gap < 0 else min(gap + 1, longest - 1)
    members_by_step = [np.zeros((0, 2), dtype=np.int64)]
    for step in range(1, reach + 1):
        first = _starts(words, step)
        members_by_step.append(np.stack([first, first + step], axis=1))
    members = np.concatenate(members_by_step)
    return Particles(words, members[np.lexsort(members.T[::-1])])


def number_types(forms: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number the distinct rows from 0 in order of first occurrence, and return each row's number."""
    _, first, inverse = np.unique(forms, axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    numbers: NDArray[np.int64] = rank[inverse.reshape(-1)]
    return numbers


def mean_by_number(vectors: Vectors, numbers: NDArray[np.int64]) -> Vectors:
    """Return the mean of the vectors with each number, shape (numbers, dimension)."""
    counts = np.bincount(numbers)
    starts = np.cumsum(counts) - counts
    if not len(starts):
        return vectors[:0]
    sums = np.add.reduceat(vectors[np.argsort(numbers, kind="stable")], starts, axis=0)
    means: Vectors = (sums / counts[:, None]).astype(np.float32)
    return means


def _starts(words: TokenizedText, step: int) -> NDArray[np.int64]:
    """Return the indices of words whose sentence has another word `step` positions later."""
    sentence = np.repeat(np.arange(len(words.sentences) - 1), np.diff(words.sentences))
    first = np.arange(max(0, len(words.ids) - step))
    starts: NDArray[np.int64] = first[sentence[first] == sentence[first + step]]
    return starts
