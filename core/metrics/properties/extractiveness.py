"""Coverage, density and compression (Grusky, Naaman & Artzi 2018): how much a summary copies and shortens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.metrics.base import Array, Evidence, Explanation, Need
from core.metrics.kernels.fragments import fragments
from core.metrics.properties.text_property import (
    PreparedProperty,
    WordProperty,
    quoted,
    ratios,
    words_setting,
)
from core.metrics.registry import register
from core.text.tokenization import Ids, TokenizedText

_PAPER = "Grusky, Naaman & Artzi 2018"


def copied(summaries: Sequence[Ids], documents: Sequence[Ids], power: int) -> Array:
    """Return the sum over fragments of length to a power, divided by the summary's words, shape (summaries,).

    power: 1 = coverage, 2 = density. NaN for a summary without words, or if no document has any.
    """
    words = np.array([len(ids) for ids in summaries], dtype=np.float64)
    if not any(map(len, documents)):
        return np.full(len(words), np.nan)
    found = fragments(summaries, documents)
    return ratios(np.array([(rows[:, 2] ** power).sum() for rows in found], dtype=np.float64), words)


def compressions(summaries: Sequence[Ids], documents: Sequence[Ids]) -> Array:
    """Return the documents' words divided by each summary's, shape (summaries,); NaN without words."""
    whole = float(sum(map(len, documents)))
    words = np.array([len(ids) for ids in summaries], dtype=np.float64)
    return ratios(np.full(len(words), whole or np.nan), words)


class _Copies(WordProperty):
    """A property of the fragments that a summary copies."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS})
    paper: ClassVar[str] = _PAPER
    bibliography: ClassVar[tuple[str, ...]] = ("grusky-2018-newsroom",)
    is_in_summeval: ClassVar[bool] = True
    power: ClassVar[int]

    def values(self, prepared: PreparedProperty) -> Array:
        return copied(_ids(prepared.summaries), _ids(prepared.documents), self.power)

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        words = prepared.summaries[system]
        leaves = tuple(
            Explanation(label, value=float(length**self.power), evidence=evidence)
            for label, length, evidence in _copies(prepared, system)
        )
        label = "copied words" if self.power == 1 else "squared lengths of the fragments"
        whole = Explanation("words of the summary", value=float(len(words.ids)))
        return Explanation(
            self.measures()[0], "ratio", children=(Explanation(label, "sum", children=leaves), whole)
        )


def _copies(prepared: PreparedProperty, system: int) -> Iterator[tuple[str, int, tuple[Evidence, ...]]]:
    """Yield the words of each fragment of a summary, its length and its places."""
    summary, words = prepared.topic.summaries[system], prepared.summaries[system]
    (found,) = fragments([words.ids], _ids(prepared.documents))
    for at, there, length in found.tolist():
        here = _span(words, at, length)
        for document, text in zip(prepared.topic.documents, prepared.documents, strict=True):
            if there < len(text.ids):
                place = Evidence("document", document.name, _span(text, there, length))
                yield (
                    quoted(summary.content, *here),
                    length,
                    (Evidence("summary", summary.name, here), place),
                )
                break
            there -= len(text.ids) + 1


def _span(words: TokenizedText, at: int, length: int) -> Span:
    return int(words.spans[at, 0]), int(words.spans[at + length - 1, 1])


def _ids(texts: Sequence[TokenizedText]) -> list[NDArray[np.int32]]:
    return [words.ids for words in texts]


@register
@dataclass(frozen=True)
class Coverage(_Copies):
    """Share of a summary's words that are in fragments copied from the documents, in [0, 1].

    NaN for a summary or documents without words.

    Formula:
        coverage = Σ |f| / words of the summary, over its fragments f

    Limits:
        Fragments are found greedily from left to right, as in the authors' program, so another division can
        copy more. Words are compared as they are written, without case: a paraphrase is not copied. The
        authors count punctuation too: `text=spaces` does so on tokenized texts.
    """

    name: ClassVar[str] = "coverage"
    about: ClassVar[str] = "Share of the summary's words that are copied from the documents."
    power: ClassVar[int] = 1
    parts: ClassVar[tuple[str, ...]] = ("share",)

    text: str = words_setting()


@register
@dataclass(frozen=True)
class Density(_Copies):
    """Mean length of the copied fragment to which a word of the summary belongs, in words.

    0 = nothing is copied. NaN for a summary or documents without words.

    Formula:
        density = Σ |f|² / words of the summary, over its fragments f

    Limits:
        As of `coverage`. Grows with the length of a summary that copies whole sentences.
    """

    name: ClassVar[str] = "density"
    about: ClassVar[str] = "Mean length of the copied fragment of a word: how long the copied parts are."
    power: ClassVar[int] = 2
    parts: ClassVar[tuple[str, ...]] = ("words",)

    text: str = words_setting()


@register
@dataclass(frozen=True)
class Compression(WordProperty):
    """Number of words of all documents for each word of the summary.

    NaN for a summary or documents without words.

    Formula:
        compression = words of the documents / words of the summary

    Limits:
        Within a topic it is the inverse of the length: use one of both as a control.
    """

    name: ClassVar[str] = "compression"
    about: ClassVar[str] = "Words of the documents divided by words of the summary."
    paper: ClassVar[str] = _PAPER
    bibliography: ClassVar[tuple[str, ...]] = ("grusky-2018-newsroom",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS})
    is_in_summeval: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("ratio",)

    text: str = words_setting()

    def values(self, prepared: PreparedProperty) -> Array:
        return compressions(_ids(prepared.summaries), _ids(prepared.documents))

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        documents = tuple(
            Explanation(document.name, value=float(len(words.ids)))
            for document, words in zip(prepared.topic.documents, prepared.documents, strict=True)
        )
        above = Explanation("words of the documents", "sum", children=documents)
        below = Explanation("words of the summary", value=float(len(prepared.summaries[system].ids)))
        return Explanation(self.measures()[0], "ratio", children=(above, below))
