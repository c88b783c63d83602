"""Plain restatement of phrase counts and keyword queries: each phrase is searched for to its end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.retrieval.array_index import ArrayIndex
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.protocols import idf
from core.retrieval.queries import Query


def documents_with(arrays: IndexArrays, phrase: Sequence[str]) -> int:
    """Return the number of documents that contain words in this order with nothing between."""
    numbers = [arrays.number(word) for word in phrase]
    if not numbers or min(numbers) < 0:
        return 0
    begins = set(arrays.places_of(numbers[0]).tolist())
    for distance, number in enumerate(numbers):
        begins &= {place - distance for place in arrays.places_of(number).tolist()}
    return len(set(np.searchsorted(arrays.document_starts, sorted(begins), side="right").tolist()))


def keyword_queries(queries: Sequence[Query], index: ArrayIndex, factor: float = 1.0) -> list[Query]:
    """Return, for each text, the words within an expression whose idf is high enough."""
    least = index.mean_idf() * factor
    found = []
    for query in queries:
        places: set[int] = set()
        for length in (1, 2, 3):
            for at in range(len(query) - length + 1):
                row = query[at : at + length]
                if row[-1].place - row[0].place == length - 1:
                    count = documents_with(index.arrays, [term.word for term in row])
                    if count and float(idf(np.array([count]), index.documents)[0]) > least:
                        places |= {term.place for term in row}
        found.append(tuple(term for term in query if term.place in places))
    return found
