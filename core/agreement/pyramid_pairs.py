"""Optimal pairing of two annotators' SCUs, and the agreement of paired SCUs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.agreement.items import AnnotatedItems
from core.agreement.set_values import SetPairs, common_counts
from core.agreement.spans import SpanPair, words_in
from core.domain.pyramid import Pyramid, Scu
from core.domain.study import Span

Array = NDArray[np.float64]

WordsOfReference = Mapping[str, tuple[Span, ...]]
"""Spans of the words of each reference, by its id."""

Word = tuple[str, int]
"""A reference's id and the index of a word in it."""


@dataclass(frozen=True, slots=True)
class ScuPair:
    """Two annotators' SCUs that are taken for the same one.

    overlap: Jaccard's coefficient of the words of their contributors, in (0, 1].
    """

    first: Scu
    second: Scu
    overlap: float


@dataclass(frozen=True, slots=True)
class PyramidPair:
    """Two annotators' pyramids of one topic, paired.

    topic: index.
    pairs: largest overlap first.
    only_first, only_second: SCUs without a counterpart, in pyramid order.
    words: of each reference.
    """

    topic: int
    pairs: tuple[ScuPair, ...]
    only_first: tuple[Scu, ...]
    only_second: tuple[Scu, ...]
    words: WordsOfReference


def pair_pyramids(first: Pyramid, second: Pyramid, words: WordsOfReference, topic: int = 0) -> PyramidPair:
    """Pair the SCUs of two pyramids one to one so that the sum of overlaps is largest.

    words: of all references of the topic. SCUs that share no word are never paired.
    Source: Kuhn 1955, the Hungarian method.
    """
    from scipy.optimize import linear_sum_assignment

    overlaps = scu_overlaps(first.scus, second.scus, words)
    rows, columns = linear_sum_assignment(-overlaps)
    found = [
        ScuPair(first.scus[i], second.scus[j], float(overlaps[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if overlaps[i, j] > 0
    ]
    ours, theirs = {pair.first.id for pair in found}, {pair.second.id for pair in found}
    return PyramidPair(
        topic,
        tuple(sorted(found, key=lambda pair: -pair.overlap)),
        tuple(scu for scu in first.scus if scu.id not in ours),
        tuple(scu for scu in second.scus if scu.id not in theirs),
        words,
    )


def scu_overlaps(first: Sequence[Scu], second: Sequence[Scu], words: WordsOfReference) -> Array:
    """Return Jaccard's coefficient of the words of each two SCUs, shape (first, second)."""
    ours, theirs = ([scu_words(scu, words) for scu in scus] for scus in (first, second))
    common = common_counts(ours, theirs)
    sizes = [np.array([len(one) for one in side]) for side in (ours, theirs)]
    overlaps: Array = common / np.maximum(sizes[0][:, None] + sizes[1] - common, 1)
    return overlaps


def scu_words(scu: Scu, words: WordsOfReference) -> frozenset[Word]:
    """Return the words that an SCU's contributors touch."""
    return frozenset(
        (contributor.reference_id, index)
        for contributor in scu.contributors
        for index in words_in(
            [tuple(part.span for part in contributor.parts)], words.get(contributor.reference_id, ())
        )
    )


def contributor_sets(pair: PyramidPair) -> SetPairs:
    """Return for each word in an SCU of either annotator the words that each groups with it.

    An annotator's set is the union of the words of the SCUs with this word; empty = left out.
    Words that both left out are no items: they would agree by not being annotated.
    Source: Passonneau 2006, where the sets are the SCUs that coders assign to the units of the references.
    """
    ours = _group_of([*(one.first for one in pair.pairs), *pair.only_first], pair.words)
    theirs = _group_of([*(one.second for one in pair.pairs), *pair.only_second], pair.words)
    nothing: frozenset[Hashable] = frozenset()
    return [(ours.get(word, nothing), theirs.get(word, nothing)) for word in sorted({*ours, *theirs})]


def contributor_spans(pair: PyramidPair) -> list[SpanPair]:
    """Return the spans of paired SCUs in each reference, for boundary agreement."""
    found = []
    for one in pair.pairs:
        for reference, words in pair.words.items():
            ours, theirs = (
                tuple(
                    tuple(part.span for part in contributor.parts)
                    for contributor in scu.contributors
                    if contributor.reference_id == reference
                )
                for scu in (one.first, one.second)
            )
            if ours or theirs:
                found.append(SpanPair(pair.topic, ours, theirs, words))
    return found


def weights(
    pairs: Sequence[PyramidPair], topics: Sequence[str], annotators: tuple[str, str]
) -> AnnotatedItems:
    """Return the weights of paired SCUs as items with two annotators."""
    values = [(one.first.weight, one.second.weight) for pair in pairs for one in pair.pairs]
    topic_of = [pair.topic for pair in pairs for _ in pair.pairs]
    return AnnotatedItems(
        np.array(values, dtype=np.float64).reshape(-1, 2),
        np.array(topic_of, dtype=np.int64),
        tuple(topics),
        annotators,
    )


def _group_of(scus: Sequence[Scu], words: WordsOfReference) -> dict[Word, frozenset[Hashable]]:
    found: dict[Word, frozenset[Hashable]] = {}
    for scu in scus:
        mine = scu_words(scu, words)
        for word in mine:
            found[word] = found.get(word, frozenset()) | mine
    return found
