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
"""Which particles of the documents are the same anchor: none, or those of the same words."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What anchors are chosen from.

    particles: per document. numbers: per document shape (particles,), which source each of them is.
    vectors: shape (sources, dimension).
    """

    particles: tuple[Particles, ...]
    numbers: tuple[NDArray[np.int64], ...]
    vectors: Vectors

    def places(self, source: int) -> Iterator[tuple[int, tuple[Span, ...]]]:
        """Where a source stands: documents, and the places of its words in them."""
        for document, (particles, numbers) in enumerate(zip(self.particles, self.numbers, strict=True)):
            for particle in np.flatnonzero(numbers == source).tolist():
                yield document, particles.places(particle)


@dataclass(frozen=True, slots=True, eq=False)
class AnchorSets:
    """The anchors of several texts' particle types.

    types: per text shape (particles,), the row of each particle's type. anchors: shape (types, k), which
    sources. strengths: alike, cosines, 0 for those below. sources: those that are anchors, ascending.
    support: shape (texts, sources), what each text's particles give to each anchor: T of the paper.
    """

    texts: tuple[Particles, ...]
    types: tuple[NDArray[np.int64], ...]
    anchors: NDArray[np.int64]
    strengths: Array
    sources: NDArray[np.int64]
    support: Array

    def places(self, text: int, source: int) -> Iterator[tuple[float, tuple[Span, ...]]]:
        """A text's particles that a source anchors: how strongly, and the places of their words."""
        types = self.types[text]
        is_anchored = (self.anchors[types] == source) & (self.strengths[types] > 0)
        for particle, at in np.argwhere(is_anchored).tolist():
            yield float(self.strengths[types[particle], at]), self.texts[text].places(particle)


def collect_candidates(
    documents: Sequence[Particles], of_words: Sequence[Vectors], identity: Identity
) -> Sources:
    """The particles of a topic's documents, each alone or those of a type as one with their mean vector.

    of_words: per document the vectors of its words, shape (words, dimension). At least one document.
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
    """The k sources nearest to each particle type of each text, whose vector is its occurrences' mean."""
    from core.models.encoders.nearest_neighbours import k_nearest

    numbers = [number_types(particles.forms) for particles in texts]
    counts = [np.bincount(own) for own in numbers]
    means = [
        mean_by_number(particles.vectors(own), types)
        for particles, own, types in zip(texts, of_words, numbers, strict=True)
    ]
    sizes = np.array([len(own) for own in counts])
    first = np.cumsum(sizes) - sizes
    found = k_nearest(np.concatenate(means), sources.vectors, k, device)
    strengths = np.maximum(found.cosines, 0.0)
    used, support = _support(found.places, strengths * np.concatenate(counts)[:, None], sizes)
    types = tuple(own + start for own, start in zip(numbers, first.tolist(), strict=True))
    return AnchorSets(tuple(texts), types, found.places, strengths, used, support)


def _support(
    anchors: NDArray[np.int64], weights: Array, sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array]:
    """The sources that are anchors, and each text's weights added up on them.

    anchors, weights: shape (types, k). sizes: how many types each text has.
    """
    used, columns = np.unique(anchors, return_inverse=True)
    rows = np.repeat(np.arange(len(sizes)), sizes)[:, None]
    cells = (rows * len(used) + columns.reshape(anchors.shape)).ravel()
    support = np.bincount(cells, weights.ravel(), minlength=len(sizes) * len(used))
    return used, support.astype(np.float64).reshape(len(sizes), len(used))
