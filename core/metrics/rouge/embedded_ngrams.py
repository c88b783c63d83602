"""N-grams or word pairs of a topic: their counts in each text and their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.metrics.base import Array
from core.models.encoders.vector_lookup import VectorLookup
from core.text.tokenization import TokenizedText

Gram = tuple[str, ...]
Placed = tuple[Gram, tuple[Span, ...]]
"""An n-gram or word pair, and the spans of its words."""

Joining = Literal["product", "sum"]
"""Element-wise operation that combines word vectors into the vector of an n-gram."""


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """The n-grams or word pairs of several texts.

    names: distinct n-grams.
    held: ids of each text's n-grams, in order of first occurrence.
    counts: shape (texts, n-grams).
    vectors: unit vectors, shape (n-grams, dimension); zeros if a word has no vector.
    """

    names: tuple[Gram, ...]
    held: tuple[NDArray[np.int64], ...]
    counts: NDArray[np.int64]
    vectors: Array


def placed_words(content: str, words: TokenizedText, form: Callable[[str], str]) -> list[tuple[str, Span]]:
    """Return a text's normalized words with their spans."""
    spans = [(int(start), int(end)) for start, end in words.spans]
    return [(form(content[start:end]), (start, end)) for start, end in spans]


def ngram_spans(words: Sequence[tuple[str, Span]], n: int) -> Iterator[Placed]:
    """Yield a text's n-grams in order."""
    for i in range(len(words) - n + 1):
        gram, spans = zip(*words[i : i + n], strict=True)
        yield gram, ((spans[0][0], spans[-1][1]),)


def pair_spans(words: Sequence[tuple[str, Span]], gap: int, *, with_words: bool) -> Iterator[Placed]:
    """Yield word pairs with up to `gap` words between them.

    with_words: also yield single words except the last, as in ROUGE-SU.
    """
    for i, (word, span) in enumerate(words[:-1]):
        if with_words:
            yield (word,), (span,)
        for other, there in words[i + 1 : i + gap + 2]:
            yield (word, other), (span, there)


def grams_of(texts: Sequence[Sequence[Placed]], vectors_of: Callable[[Sequence[Gram]], Array]) -> NgramTable:
    """Return the n-grams of texts. vectors_of: returns unit vectors of n-grams, in their order."""
    numbers: dict[Gram, int] = {}
    every = [[numbers.setdefault(gram, len(numbers)) for gram, _ in text] for text in texts]
    counts = np.zeros((len(texts), len(numbers)), dtype=np.int64)
    for row, grams in enumerate(every):
        counts[row] = np.bincount(np.array(grams, dtype=np.int64), minlength=len(numbers))
    held = tuple(np.array(list(dict.fromkeys(grams)), dtype=np.int64) for grams in every)
    return NgramTable(tuple(numbers), held, counts, vectors_of(tuple(numbers)))


def gram_vectors(
    grams: Sequence[Gram], words: Sequence[str], lookup: VectorLookup, joining: Joining
) -> Array:
    """Return unit vectors of n-grams, shape (n-grams, dimension); zeros if a word has no vector.

    words: all words of the n-grams. lookup: their vectors.
    """
    rows = {word: row for row, word in enumerate(words)}
    vectors = np.where(lookup.is_known[:, None], lookup.vectors, np.nan)
    joined = np.zeros((len(grams), vectors.shape[1]))
    join = np.prod if joining == "product" else np.sum
    for length in {len(gram) for gram in grams}:
        places = [at for at, gram in enumerate(grams) if len(gram) == length]
        of_words = vectors[[[rows[word] for word in grams[at]] for at in places]]
        joined[places] = join(of_words, axis=1)
    lengths = np.linalg.norm(joined, axis=1, keepdims=True)
    units: Array = np.divide(joined, lengths, out=np.zeros_like(joined), where=lengths > 0)
    return units
