"""Anchor sets (Wang et al. 2020): the document particles nearest to the particles of summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.metrics.anchored.particles import Particles, Vectors, mean_by_number, number_types
from core.metrics.base import Array

Identity = Literal["occurrence", "type"]
"""Whether each occurrence of a particle is an anchor, or all particles with the same words are one."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Particles of the documents that can become anchors.

    particles: per document.
    numbers: per document, shape (particles,), index of each particle's source.
    vectors: shape (sources, dimension).
    """

    particles: tuple[Particles, ...]
    numbers: tuple[NDArray[np.int64], ...]
    vectors: Vectors

    def places(self, source: int) -> Iterator[tuple[int, tuple[Span, ...]]]:
        """Yield each occurrence of a source: document index, and spans of its words."""
        for document, (particles, numbers) in enumerate(zip(self.particles, self.numbers, strict=True)):
            for particle in np.flatnonzero(numbers == source).tolist():
                yield document, particles.places(particle)


@dataclass(frozen=True, slots=True, eq=False)
class AnchorSets:
    """The anchors of several texts' particle types.

    types: per text, shape (particles,), row of each particle's type.
    anchors: shape (types, k), indices of sources.
    strengths: same shape, cosines; negative ones are 0.
    sources: indices of sources that are anchors, ascending.
    support: shape (texts, sources), support of each anchor by each text's particles: T in the paper.
    """

    texts: tuple[Particles, ...]
    types: tuple[NDArray[np.int64], ...]
    anchors: NDArray[np.int64]
    strengths: Array
    sources: NDArray[np.int64]
    support: Array

    def places(self, text: int, source: int) -> Iterator[tuple[float, tuple[Span, ...]]]:
        """Yield a text's particles anchored by a source: strength, and spans of their words."""
        types = self.types[text]
        is_anchored = (self.anchors[types] == source) & (self.strengths[types] > 0)
        for particle, at in np.argwhere(is_anchored).tolist():
            yield float(self.strengths[types[particle], at]), self.texts[text].places(particle)


def collect_candidates(
    documents: Sequence[Particles], of_words: Sequence[Vectors], identity: Identity
) -> Sources:
    """Return the particles of a topic's documents, individually or merged by type with their mean vector.

    of_words: vectors of each document's words, shape (words, dimension); at least one document.
    """
    vectors = np.concatenate(
        [particles.vectors(own) for particles, own in zip(documents, of_words, strict=True)]
    )
    if identity == "occurrence":
        numbers = np.arange(len(vectors))
    else:
        numbers = number_types(np.concatenate([particles.forms for particles in documents]))
        vectors = mean_by_number(vectors, numbers)
    ends = np.cumsum([len(particles.members) for particles in documents])
    return Sources(tuple(documents), tuple(np.split(numbers, ends[:-1])), vectors)


def find_anchors(
    texts: Sequence[Particles], of_words: Sequence[Vectors], sources: Sources, k: int, device: str
) -> AnchorSets:
    """Find the k nearest sources of each particle type, whose vector is the mean of its occurrences."""
    from core.models.encoders.nearest_neighbours import k_nearest

    numbers = [number_types(particles.forms) for particles in texts]
    counts = [np.bincount(own) for own in numbers]
    means = [
        mean_by_number(particles.vectors(own), types)
        for particles, own, types in zip(texts, of_words, numbers, strict=True)
    ]
    sizes = np.array([len(own) for own in counts])
    first = np.cumsum(sizes) - sizes
    nearest = k_nearest(np.concatenate(means), sources.vectors, k, device)
    strengths = np.maximum(nearest.cosines, 0.0)
    used, support = _support(nearest.places, strengths * np.concatenate(counts)[:, None], sizes)
    types = tuple(own + start for own, start in zip(numbers, first.tolist(), strict=True))
    return AnchorSets(tuple(texts), types, nearest.places, strengths, used, support)


def _support(
    anchors: NDArray[np.int64], weights: Array, sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array]:
    """Return the indices of sources that are anchors, and the sum of each text's weights on them.

    anchors, weights: shape (types, k). sizes: number of types in each text.
    """
    used, columns = np.unique(anchors, return_inverse=True)
    rows = np.repeat(np.arange(len(sizes)), sizes)[:, None]
    cells = (rows * len(used) + columns.reshape(anchors.shape)).ravel()
    support = np.bincount(cells, weights.ravel(), minlength=len(sizes) * len(used))
    return used, support.astype(np.float64).reshape(len(sizes), len(used))
